package repository

import (
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// maxFiles is what a deposit takes, maxMetadata what is read of a request's JSON.
const (
	maxFiles    = 100
	maxMetadata = 1 << 20
)

// deposit is what is kept of one.
type deposit struct {
	ID        int64           `json:"id"`
	Concept   int64           `json:"concept"`
	Bucket    string          `json:"bucket"`
	Submitted bool            `json:"submitted"`
	Discarded bool            `json:"discarded"`
	Draft     int64           `json:"draft"` // of the next version
	Metadata  json.RawMessage `json:"metadata"`
	Files     []file          `json:"files"`
	Created   time.Time       `json:"created"`
	Modified  time.Time       `json:"modified"`
}

type file struct {
	ID       string `json:"id"`
	Name     string `json:"name"`
	Bytes    int64  `json:"bytes"`
	MD5      string `json:"md5"`
	Position string `json:"position"` // in the folder files: a version names the bytes of the one before
}

func depositName(id int64) string { return "deposits/" + strconv.FormatInt(id, 10) + ".json" }

// load reads the deposit of a path.
func (s *Server) load(text string) (*deposit, error) {
	id, err := strconv.ParseInt(text, 10, 64)
	if err != nil || id < 1 {
		return nil, refuse(404, "PID does not exist.")
	}
	var d deposit
	if err := s.read(depositName(id), &d); errors.Is(err, fs.ErrNotExist) {
		return nil, refuse(404, "PID does not exist.")
	} else if err != nil {
		return nil, err
	}
	if d.Discarded {
		return nil, refuse(410, "PID has been deleted.")
	}
	return &d, nil
}

func (s *Server) save(d *deposit) error {
	d.Modified = s.o.Now().UTC()
	return s.write(depositName(d.ID), d)
}

// draft is load for what changes the deposit.
func (s *Server) draft(id string) (*deposit, error) {
	d, err := s.load(id)
	if err == nil && d.Submitted {
		return nil, refuse(403, "The deposit is published.")
	}
	return d, err
}

func (s *Server) create(r *http.Request) (int, any, error) {
	m, err := metadata(r)
	if err != nil {
		return 0, nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	concept, err := s.next()
	if err != nil {
		return 0, nil, err
	}
	d, err := s.make(concept, m)
	if err != nil {
		return 0, nil, err
	}
	return http.StatusCreated, s.shown(d), nil
}

// make makes a draft.
func (s *Server) make(concept int64, m json.RawMessage) (*deposit, error) {
	id, err := s.next()
	if err != nil {
		return nil, err
	}
	var raw [16]byte
	rand.Read(raw[:])
	d := &deposit{ID: id, Concept: concept, Metadata: m, Created: s.o.Now().UTC(), Bucket: fmt.Sprintf("%x-%x-%x-%x-%x", raw[:4], raw[4:6],
		raw[6:8], raw[8:10], raw[10:])}
	if err := os.MkdirAll(filepath.Join(s.o.Dir, "files", d.Bucket), 0o755); err != nil {
		return nil, err
	}
	return d, s.save(d)
}

// metadata reads {"metadata": {...}}, which may be left out.
func metadata(r *http.Request) (json.RawMessage, error) {
	b, err := io.ReadAll(io.LimitReader(r.Body, maxMetadata+1))
	if err != nil {
		return nil, err
	}
	var body struct {
		Metadata json.RawMessage `json:"metadata"`
	}
	if len(b) > maxMetadata || len(b) > 0 && json.Unmarshal(b, &body) != nil {
		return nil, refuse(400, "Unable to decode JSON data in request body.")
	}
	if len(body.Metadata) == 0 {
		return json.RawMessage("{}"), nil
	}
	var fields map[string]json.RawMessage
	if json.Unmarshal(body.Metadata, &fields) != nil {
		return nil, refuse(400, "Validation error.")
	}
	return body.Metadata, nil
}

func (s *Server) list(r *http.Request) (int, any, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	q := r.URL.Query()
	keyword := ""
	if text, ok := strings.CutPrefix(q.Get("q"), "keywords:"); ok {
		if k, err := strconv.Unquote(text); err == nil {
			keyword = k
		}
	}
	all, err := s.all()
	if err != nil {
		return 0, nil, err
	}
	size, _ := strconv.Atoi(q.Get("size"))
	page, _ := strconv.Atoi(q.Get("page"))
	size, page = min(max(size, 1), 100), max(page, 1)
	shown := []any{}
	for i, n := len(all)-1, 0; i >= 0; i-- {
		if keyword != "" && !slices.Contains(all[i].keywords(), keyword) {
			continue
		}
		if n++; n > (page-1)*size && n <= page*size {
			shown = append(shown, s.shown(all[i]))
		}
	}
	return http.StatusOK, shown, nil
}

func (d *deposit) keywords() []string {
	var m struct {
		Keywords []string `json:"keywords"`
	}
	_ = json.Unmarshal(d.Metadata, &m) // without metadata
	return m.Keywords
}

// all reads every deposit that is not discarded, by rising number.
func (s *Server) all() ([]*deposit, error) {
	names, err := os.ReadDir(filepath.Join(s.o.Dir, "deposits"))
	if err != nil {
		return nil, err
	}
	var out []*deposit
	for _, n := range names {
		var d deposit
		if err := s.read("deposits/"+n.Name(), &d); err != nil {
			return nil, err
		}
		if !d.Discarded {
			out = append(out, &d)
		}
	}
	slices.SortFunc(out, func(a, b *deposit) int { return int(a.ID - b.ID) })
	return out, nil
}

func (s *Server) get(r *http.Request) (int, any, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	d, err := s.load(r.PathValue("id"))
	if err != nil {
		return 0, nil, err
	}
	return http.StatusOK, s.shown(d), nil
}

func (s *Server) describe(r *http.Request) (int, any, error) {
	m, err := metadata(r)
	if err != nil {
		return 0, nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	d, err := s.draft(r.PathValue("id"))
	if err != nil {
		return 0, nil, err
	}
	d.Metadata = m
	return http.StatusOK, s.shown(d), s.save(d)
}

func (s *Server) discard(r *http.Request) (int, any, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	d, err := s.draft(r.PathValue("id"))
	if err != nil {
		return 0, nil, err
	}
	d.Discarded = true
	return http.StatusNoContent, nil, s.save(d)
}

func (s *Server) files(r *http.Request) (int, any, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	d, err := s.load(r.PathValue("id"))
	if err != nil {
		return 0, nil, err
	}
	return http.StatusOK, s.shown(d).Files, nil
}

func (s *Server) deleteFile(r *http.Request) (int, any, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	d, err := s.draft(r.PathValue("id"))
	if err != nil {
		return 0, nil, err
	}
	i := slices.IndexFunc(d.Files, func(f file) bool { return f.ID == r.PathValue("file") })
	if i < 0 {
		return 0, nil, refuse(404, "No such file.")
	}
	d.Files = slices.Delete(d.Files, i, i+1) // the bytes may be another version's
	return http.StatusNoContent, nil, s.save(d)
}

func (s *Server) publish(r *http.Request) (int, any, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	d, err := s.draft(r.PathValue("id"))
	if err != nil {
		return 0, nil, err
	}
	var m struct {
		Title    string
		Creators []struct{ Name string }
	}
	_ = json.Unmarshal(d.Metadata, &m) // what is missing is refused
	if m.Title == "" || len(m.Creators) == 0 || len(d.Files) == 0 {
		return 0, nil, refuse(400, "Validation error: a title, a creator and a file are needed.")
	}
	d.Submitted = true
	return http.StatusAccepted, s.shown(d), s.save(d)
}

// newVersion gives the draft of the next version; the deposit must be the newest of its versions.
func (s *Server) newVersion(r *http.Request) (int, any, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	d, err := s.load(r.PathValue("id"))
	if err != nil {
		return 0, nil, err
	}
	if !d.Submitted {
		return 0, nil, refuse(403, "The deposit is not published.")
	}
	if d.Draft != 0 {
		var next deposit
		if err := s.read(depositName(d.Draft), &next); err == nil && !next.Discarded {
			if next.Submitted {
				return 0, nil, refuse(400, "Only the latest version may have a new one.")
			}
			return http.StatusCreated, s.shown(d), nil
		}
	}
	next, err := s.make(d.Concept, d.Metadata)
	if err != nil {
		return 0, nil, err
	}
	next.Files = slices.Clone(d.Files)
	for i := range next.Files {
		next.Files[i].ID = rand.Text()
	}
	if err := s.save(next); err != nil {
		return 0, nil, err
	}
	d.Draft = next.ID
	return http.StatusCreated, s.shown(d), s.save(d)
}
