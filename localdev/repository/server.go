package repository

import (
	"crypto/subtle"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Options of New.
type Options struct {
	Dir   string // created where it is missing
	Base  string // address that links begin with: "http://127.0.0.1:8080/repository"
	Token string // that deposits ask for
	// PerMinute are the requests that one window of a minute takes; 0: 100, as of the real one for an account.
	PerMinute int
	Now       func() time.Time // time.Now
	// Fault, when set, is asked before each request is carried out.
	Fault func(r *http.Request) Fault
}

// Fault is how a request is broken. The zero Fault breaks nothing.
type Fault struct {
	Status     int    // answered instead of the true status; 0: the connection breaks, where Break says so
	Stored     bool   // the request is carried out all the same
	Break      bool   // the connection breaks before the answer
	RetryAfter string // header
	Checksum   string // of the answer to an upload, in place of the true one
}

// Server is the stand-in. It is an http.Handler below the path of Base.
type Server struct {
	o   Options
	mux *http.ServeMux

	mu      sync.Mutex // all deposits
	last    int64      // number given last
	window  time.Time
	counted int
}

// New opens the directory.
func New(o Options) (*Server, error) {
	if o.PerMinute == 0 {
		o.PerMinute = 100
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	s := &Server{o: o, mux: http.NewServeMux(), last: 542_200}
	for _, d := range []string{"deposits", "files"} {
		if err := os.MkdirAll(filepath.Join(o.Dir, d), 0o755); err != nil {
			return nil, err
		}
	}
	var state struct{ Last int64 }
	switch err := s.read("state.json", &state); {
	case err == nil:
		s.last = state.Last
	case !errors.Is(err, fs.ErrNotExist):
		return nil, err
	}
	s.routes()
	return s, nil
}

func (s *Server) routes() {
	own := func(pattern string, h func(*http.Request) (int, any, error)) {
		s.mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) {
			given, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
			if !ok || subtle.ConstantTimeCompare([]byte(given), []byte(s.o.Token)) != 1 {
				answer(w, http.StatusUnauthorized,
					problem{"The server could not verify that you are authorized to access the URL requested.", 401})
				return
			}
			s.carryOut(w, r, h)
		})
	}
	const deposits = "/api/deposit/depositions"
	own("POST "+deposits, s.create)
	own("GET "+deposits, s.list)
	own("GET "+deposits+"/{id}", s.get)
	own("PUT "+deposits+"/{id}", s.describe)
	own("DELETE "+deposits+"/{id}", s.discard)
	own("GET "+deposits+"/{id}/files", s.files)
	own("DELETE "+deposits+"/{id}/files/{file}", s.deleteFile)
	own("POST "+deposits+"/{id}/actions/publish", s.publish)
	own("POST "+deposits+"/{id}/actions/newversion", s.newVersion)
	own("PUT /api/files/{bucket}/{name}", s.upload)
	s.mux.HandleFunc("GET /api/files/{bucket}/{name}", s.download)
	s.mux.HandleFunc("GET /api/records", func(w http.ResponseWriter, r *http.Request) { s.carryOut(w, r, s.records) })
	s.mux.HandleFunc("GET /api/records/{id}", func(w http.ResponseWriter, r *http.Request) { s.carryOut(w, r, s.record) })
}

// ServeHTTP counts the request against the limit and carries it out.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if s.full(w) {
		answer(w, http.StatusTooManyRequests, problem{"Rate limit exceeded", 429})
		return
	}
	s.mux.ServeHTTP(w, r)
}

// full counts a request and says in the headers what is left of the window.
func (s *Server) full(w http.ResponseWriter) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.o.Now()
	if now.Sub(s.window) >= time.Minute || now.Before(s.window) {
		s.window, s.counted = now, 0
	}
	s.counted++
	reset := s.window.Add(time.Minute)
	h := w.Header()
	h.Set("X-RateLimit-Limit", strconv.Itoa(s.o.PerMinute))
	h.Set("X-RateLimit-Remaining", strconv.Itoa(max(0, s.o.PerMinute-s.counted)))
	h.Set("X-RateLimit-Reset", strconv.FormatInt(reset.Unix()+1, 10))
	if s.counted > s.o.PerMinute {
		h.Set("Retry-After", strconv.Itoa(int(reset.Sub(now).Seconds())+1))
		return true
	}
	return false
}

// problem is the body of a refusal.
type problem struct {
	Message string `json:"message"`
	Status  int    `json:"status"`
}

func (p problem) Error() string { return p.Message }

func refuse(status int, format string, args ...any) error {
	return problem{fmt.Sprintf(format, args...), status}
}

// carryOut does a request, broken where the options say so.
func (s *Server) carryOut(w http.ResponseWriter, r *http.Request, do func(*http.Request) (int, any, error)) {
	var f Fault
	if s.o.Fault != nil {
		f = s.o.Fault(r)
	}
	broken := f.Status != 0 || f.Break
	status, body := 0, any(nil)
	if !broken || f.Stored {
		var err error
		if status, body, err = do(r); err != nil {
			var p problem
			if !errors.As(err, &p) {
				p = problem{"The server encountered an internal error.", 500}
			}
			status, body = p.Status, p
		}
	}
	if f.RetryAfter != "" {
		w.Header().Set("Retry-After", f.RetryAfter)
	}
	if up, ok := body.(uploaded); ok && f.Checksum != "" {
		up.Checksum = f.Checksum
		body = up
	}
	switch {
	case f.Break:
		panic(http.ErrAbortHandler)
	case f.Status != 0:
		status, body = f.Status, problem{"broken on purpose", f.Status}
	}
	answer(w, status, body)
}

func answer(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	if body != nil {
		_ = json.NewEncoder(w).Encode(body) // a client that has left
	}
}

// read reads a JSON file of the directory.
func (s *Server) read(name string, v any) error {
	b, err := os.ReadFile(filepath.Join(s.o.Dir, filepath.FromSlash(name)))
	if err != nil {
		return err
	}
	return json.Unmarshal(b, v)
}

// write writes a JSON file of the directory whole.
func (s *Server) write(name string, v any) error {
	b, err := json.Marshal(v)
	if err != nil {
		return err
	}
	path := filepath.Join(s.o.Dir, filepath.FromSlash(name))
	f, err := os.CreateTemp(s.o.Dir, ".part-")
	if err != nil {
		return err
	}
	_, err = f.Write(b)
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		os.Remove(f.Name())
	}
	return err
}

// next gives a number that was never given before.
func (s *Server) next() (int64, error) {
	s.last++
	return s.last, s.write("state.json", struct{ Last int64 }{s.last})
}
