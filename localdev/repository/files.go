package repository

import (
	"crypto/md5"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// maxName bounds the name of a file.
const maxName = 200

// upload streams a file to the disk and puts it into its deposit, in place of one of the same name.
func (s *Server) upload(r *http.Request) (int, any, error) {
	name := r.PathValue("name")
	if name == "" || len(name) > maxName || strings.ContainsAny(name, "/\\") || name[0] == '.' {
		return 0, nil, refuse(400, "Invalid filename.")
	}
	if _, err := s.inBucket(r.PathValue("bucket")); err != nil { // before the bytes come
		return 0, nil, err
	}
	position := r.PathValue("bucket") + "/" + name + "-" + rand.Text()
	path := filepath.Join(s.o.Dir, "files", filepath.FromSlash(position))
	size, sum, err := receive(path, r.Body)
	if err != nil {
		return 0, nil, err
	}
	if r.ContentLength >= 0 && size != r.ContentLength {
		os.Remove(path)
		return 0, nil, refuse(400, "The file broke off.")
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	d, err := s.inBucket(r.PathValue("bucket"))
	if err != nil {
		os.Remove(path)
		return 0, nil, err
	}
	d.Files = slices.DeleteFunc(d.Files, func(f file) bool { return f.Name == name })
	if len(d.Files) >= maxFiles {
		os.Remove(path)
		return 0, nil, refuse(400, "A deposit takes at most %d files.", maxFiles)
	}
	f := file{ID: rand.Text(), Name: name, Bytes: size, MD5: sum, Position: position}
	d.Files = append(d.Files, f)
	if err := s.save(d); err != nil {
		return 0, nil, err
	}
	return http.StatusCreated, s.uploadedOf(d, f), nil
}

// receive writes a body beside its place and renames it.
func receive(path string, body io.Reader) (size int64, sum string, err error) {
	f, err := os.CreateTemp(filepath.Dir(path), ".part-")
	if err != nil {
		return 0, "", err
	}
	h := md5.New()
	size, err = io.Copy(io.MultiWriter(f, h), body)
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		os.Remove(f.Name())
	}
	return size, hex.EncodeToString(h.Sum(nil)), err
}

// inBucket is the draft that a bucket belongs to. Who calls it to change something holds the lock.
func (s *Server) inBucket(bucket string) (*deposit, error) {
	all, err := s.all()
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(all, func(d *deposit) bool { return d.Bucket == bucket })
	switch {
	case i < 0:
		return nil, refuse(404, "Bucket does not exist.")
	case all[i].Submitted:
		return nil, refuse(403, "Bucket is locked for modifications.")
	}
	return all[i], nil
}

// download serves a file of a published deposit, or any part of it.
func (s *Server) download(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	all, err := s.all()
	s.mu.Unlock()
	if err == nil {
		for _, d := range all {
			if d.Bucket != r.PathValue("bucket") || !d.Submitted {
				continue
			}
			for _, f := range d.Files {
				if f.Name == r.PathValue("name") {
					s.sendFile(w, r, f)
					return
				}
			}
		}
	}
	answer(w, http.StatusNotFound, problem{"Object does not exist.", 404})
}

func (s *Server) sendFile(w http.ResponseWriter, r *http.Request, f file) {
	body, err := os.Open(filepath.Join(s.o.Dir, "files", filepath.FromSlash(f.Position)))
	if err != nil {
		answer(w, http.StatusInternalServerError, problem{"The server encountered an internal error.", 500})
		return
	}
	defer body.Close() // read only
	w.Header().Set("Content-Type", "application/octet-stream")
	w.Header().Set("ETag", strconv.Quote("md5:"+f.MD5))
	if s.o.Fault != nil {
		if broken := s.o.Fault(r); broken.Break { // after the first half
			w.Header().Set("Content-Length", strconv.FormatInt(f.Bytes, 10))
			_, _ = io.CopyN(w, body, f.Bytes/2) // the client sees where it ends
			panic(http.ErrAbortHandler)
		} else if broken.Status != 0 {
			answer(w, broken.Status, problem{"broken on purpose", broken.Status})
			return
		}
	}
	http.ServeContent(w, r, "", s.o.Now(), body)
}
