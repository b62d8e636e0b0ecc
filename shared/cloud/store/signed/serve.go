package signed

import (
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strconv"

	"mappe/shared/cloud/store"
)

// ServeHTTP answers the addresses as a bucket does that browsers of every origin may use: the address is
// the right.
func (s *Store) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Access-Control-Allow-Origin", "*")
	h.Set("Cache-Control", "private, no-store")
	if r.Method == http.MethodOptions {
		h.Set("Access-Control-Allow-Methods", "PUT, GET")
		h.Set("Access-Control-Allow-Headers", "*")
		w.WriteHeader(http.StatusNoContent)
		return
	}
	given, ok := s.read(r.URL)
	method := map[string]string{"get": http.MethodGet, "put": http.MethodPut}[given.do]
	switch {
	case !ok || method == "" || r.Method != method && !(r.Method == http.MethodHead && method == http.MethodGet):
		http.Error(w, "the address gives no right to this, or no longer", http.StatusForbidden)
	case given.do == "get":
		s.serveGet(w, r, given)
	default:
		s.servePut(w, r, given)
	}
}

func (s *Store) serveGet(w http.ResponseWriter, r *http.Request, given right) {
	o, err := s.Get(r.Context(), given.key, store.GetOptions{})
	if err != nil {
		refuse(w, err)
		return
	}
	defer o.Body.Close()
	h := w.Header()
	if o.Headers.ContentType != "" {
		h.Set("Content-Type", o.Headers.ContentType)
	}
	if given.name != "" {
		h.Set("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": given.name}))
	}
	h.Set("Content-Length", strconv.FormatInt(o.Size, 10))
	h.Set("X-Content-Type-Options", "nosniff")
	if r.Method != http.MethodHead {
		_, _ = io.Copy(w, o.Body) // the client's own doing when it stops reading
	}
}

func (s *Store) servePut(w http.ResponseWriter, r *http.Request, given right) {
	switch {
	case r.ContentLength < 0:
		http.Error(w, "the request does not say how long it is", http.StatusLengthRequired)
		return
	case r.ContentLength != given.size:
		http.Error(w, fmt.Sprintf("the address is good for %d bytes, not for %d", given.size, r.ContentLength), http.StatusForbidden)
		return
	case r.Header.Get("If-None-Match") != "*":
		http.Error(w, "the address asks for the header If-None-Match: *", http.StatusForbidden)
		return
	}
	if _, err := s.Head(r.Context(), given.key); err == nil {
		refuse(w, store.ErrPrecondition) // before the body is read
		return
	}
	body := make([]byte, given.size)
	if _, err := io.ReadFull(r.Body, body); err != nil {
		http.Error(w, "the body ended early", http.StatusBadRequest)
		return
	}
	info, err := s.Put(r.Context(), given.key, body, store.PutOptions{IfMatch: store.Absent})
	if err != nil {
		refuse(w, err)
		return
	}
	w.Header().Set("ETag", info.ETag)
}

// refuse tells the outcomes that a client decides on.
func refuse(w http.ResponseWriter, err error) {
	switch {
	case errors.Is(err, store.ErrNotFound):
		http.Error(w, "there is no such object", http.StatusNotFound)
	case errors.Is(err, store.ErrPrecondition):
		http.Error(w, "the object is there already", http.StatusPreconditionFailed)
	default:
		http.Error(w, "the store cannot be reached", http.StatusServiceUnavailable)
	}
}
