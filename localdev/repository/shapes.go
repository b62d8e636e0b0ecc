package repository

import (
	"encoding/json"
	"fmt"
	"mime"
	"net/http"
	"net/url"
	"path"
	"strconv"
	"time"
)

// depositShape is a deposit as the interface shows it.
type depositShape struct {
	Concept   string            `json:"conceptrecid"`
	Created   time.Time         `json:"created"`
	Files     []fileShape       `json:"files"`
	ID        int64             `json:"id"`
	Links     map[string]string `json:"links"`
	Metadata  map[string]any    `json:"metadata"`
	Modified  time.Time         `json:"modified"`
	Owner     int               `json:"owner"`
	Record    int64             `json:"record_id"`
	State     string            `json:"state"`
	Submitted bool              `json:"submitted"`
	Title     string            `json:"title"`
	DOI       string            `json:"doi,omitempty"`
}

type fileShape struct {
	ID       string            `json:"id"`
	Name     string            `json:"filename"`
	Bytes    int64             `json:"filesize"`
	Checksum string            `json:"checksum"`
	Links    map[string]string `json:"links"`
}

func doi(id int64) string { return "10.5072/zenodo." + strconv.FormatInt(id, 10) } // 10.5072 is the prefix for tests

func (s *Server) shown(d *deposit) depositShape {
	self := s.o.Base + "/api/deposit/depositions/" + strconv.FormatInt(d.ID, 10)
	page := s.o.Base + "/deposit/" + strconv.FormatInt(d.ID, 10)
	b := depositShape{
		Concept: strconv.FormatInt(d.Concept, 10), Created: d.Created, Modified: d.Modified, ID: d.ID, Record: d.ID, Owner: 12345,
		State: "unsubmitted", Submitted: d.Submitted, Files: []fileShape{}, Metadata: map[string]any{},
		Links: map[string]string{
			"bucket": s.bucket(d), "discard": self + "/actions/discard", "edit": self + "/actions/edit", "files": self + "/files",
			"html":         page,
			"latest_draft": self, "latest_draft_html": page, "publish": self + "/actions/publish", "self": self,
		},
	}
	_ = json.Unmarshal(d.Metadata, &b.Metadata) // it was read before it was kept
	b.Title, _ = b.Metadata["title"].(string)
	b.Metadata["prereserve_doi"] = map[string]any{"doi": doi(d.ID), "recid": d.ID}
	if d.Submitted {
		b.State, b.DOI = "done", doi(d.ID)
		b.Links["newversion"] = self + "/actions/newversion"
		b.Links["record"] = s.o.Base + "/api/records/" + strconv.FormatInt(d.ID, 10)
		if d.Draft != 0 {
			b.Links["latest_draft"] = s.o.Base + "/api/deposit/depositions/" + strconv.FormatInt(d.Draft, 10)
		}
	}
	for _, f := range d.Files {
		b.Files = append(b.Files, fileShape{f.ID, f.Name, f.Bytes, f.MD5, map[string]string{"self": self + "/files/" + f.ID,
			"download": s.bucket(d) + "/" + url.PathEscape(f.Name)}})
	}
	return b
}

func (s *Server) bucket(d *deposit) string { return s.o.Base + "/api/files/" + d.Bucket }

// uploaded is the answer to the upload of a file.
type uploaded struct {
	Key       string            `json:"key"`
	MediaType string            `json:"mimetype"`
	Checksum  string            `json:"checksum"`
	Version   string            `json:"version_id"`
	Bytes     int64             `json:"size"`
	Created   time.Time         `json:"created"`
	Updated   time.Time         `json:"updated"`
	Links     map[string]string `json:"links"`
	Head      bool              `json:"is_head"`
	Deleted   bool              `json:"delete_marker"`
}

func (s *Server) uploadedOf(d *deposit, f file) uploaded {
	kind := mime.TypeByExtension(path.Ext(f.Name))
	if kind == "" {
		kind = "application/octet-stream"
	}
	self := s.bucket(d) + "/" + url.PathEscape(f.Name)
	return uploaded{Key: f.Name, MediaType: kind, Checksum: "md5:" + f.MD5, Version: f.ID, Bytes: f.Bytes, Created: d.Modified,
		Updated: d.Modified, Head: true,
		Links: map[string]string{"self": self, "version": self + "?versionId=" + f.ID, "uploads": self + "?uploads"}}
}

// recordShape is a published record.
type recordShape struct {
	Files      []recordFile      `json:"files"`
	Owners     []int             `json:"owners"`
	DOI        string            `json:"doi"`
	Links      map[string]string `json:"links"`
	ConceptDOI string            `json:"conceptdoi"`
	Created    time.Time         `json:"created"`
	Updated    time.Time         `json:"updated"`
	Concept    string            `json:"conceptrecid"`
	Revision   int               `json:"revision"`
	ID         int64             `json:"id"`
	Metadata   map[string]any    `json:"metadata"`
}

type recordFile struct {
	Links    map[string]string `json:"links"`
	Checksum string            `json:"checksum"`
	Bucket   string            `json:"bucket"`
	Key      string            `json:"key"`
	Type     string            `json:"type"`
	Bytes    int64             `json:"size"`
}

func (s *Server) recordOf(d *deposit) recordShape {
	self := s.o.Base + "/record/" + strconv.FormatInt(d.ID, 10)
	b := recordShape{Files: []recordFile{}, Owners: []int{12345}, DOI: doi(d.ID), ConceptDOI: doi(d.Concept), Created: d.Created,
		Updated: d.Modified,
		Concept: strconv.FormatInt(d.Concept, 10), Revision: 1, ID: d.ID, Metadata: map[string]any{}, Links: map[string]string{
			"doi": "https://doi.org/" + doi(d.ID), "conceptdoi": "https://doi.org/" + doi(d.Concept), "bucket": s.bucket(d), "html": self,
			"latest_html": self,
			"badge":       s.o.Base + "/badge/doi/" + doi(d.ID) + ".svg", "latest": fmt.Sprintf("%s/api/records/%d", s.o.Base, d.ID),
		}}
	_ = json.Unmarshal(d.Metadata, &b.Metadata) // it was read before it was kept
	for _, f := range d.Files {
		kind := path.Ext(f.Name)
		b.Files = append(b.Files, recordFile{map[string]string{"self": s.bucket(d) + "/" + url.PathEscape(f.Name)}, "md5:" + f.MD5,
			d.Bucket, f.Name, kind[min(1, len(kind)):], f.Bytes})
	}
	return b
}

func (s *Server) record(r *http.Request) (int, any, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	d, err := s.load(r.PathValue("id"))
	if err == nil && !d.Submitted {
		err = refuse(404, "PID does not exist.")
	}
	if err != nil {
		return 0, nil, err
	}
	return http.StatusOK, s.recordOf(d), nil
}

// records lists the published records, newest first.
func (s *Server) records(r *http.Request) (int, any, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	all, err := s.all()
	if err != nil {
		return 0, nil, err
	}
	size, _ := strconv.Atoi(r.URL.Query().Get("size"))
	size = min(max(size, 1), 100)
	hits, total := []any{}, 0
	for i := len(all) - 1; i >= 0; i-- {
		if all[i].Submitted {
			if total++; len(hits) < size {
				hits = append(hits, s.recordOf(all[i]))
			}
		}
	}
	return http.StatusOK, map[string]any{"hits": map[string]any{"hits": hits, "total": total}}, nil
}

// Drafts counts what was made and neither published nor discarded.
func (s *Server) Drafts() (n int, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	all, err := s.all()
	for _, d := range all {
		if !d.Submitted {
			n++
		}
	}
	return n, err
}

// Published lists the records that were published, by rising number: for tests and for people.
func (s *Server) Published() ([]Record, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	all, err := s.all()
	if err != nil {
		return nil, err
	}
	var out []Record
	for _, d := range all {
		if !d.Submitted {
			continue
		}
		r := Record{ID: d.ID, Concept: d.Concept, Title: s.shown(d).Title, Files: map[string]string{}}
		for _, f := range d.Files {
			r.Files[f.Name] = f.MD5
		}
		out = append(out, r)
	}
	return out, nil
}

// Record is a published record.
type Record struct {
	ID, Concept int64
	Title       string
	Files       map[string]string // name to MD5
}
