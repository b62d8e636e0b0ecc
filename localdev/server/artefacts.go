package server

import (
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math"
	"net/http"
	"strconv"
	"strings"

	"mappe/artefacts/keys"
	"mappe/shared/cloud/store"
	"mappe/shared/web/reply"
)

// artefacts serves the object store as the CDN does: the headers that follow from the key, strong
// ETags, conditional reads, single byte ranges, any origin. What is not a published key is 404.
type artefacts struct {
	store store.Store
	log   *slog.Logger
}

func (a artefacts) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Access-Control-Allow-Origin", "*")
	h.Set("Access-Control-Expose-Headers", "ETag, Content-Range, Content-Length, Accept-Ranges")
	switch r.Method {
	case http.MethodGet, http.MethodHead:
	case http.MethodOptions:
		h.Set("Access-Control-Allow-Methods", "GET, HEAD")
		h.Set("Access-Control-Allow-Headers", "Range, If-None-Match, If-Range")
		w.WriteHeader(http.StatusNoContent)
		return
	default:
		h.Set("Allow", "GET, HEAD, OPTIONS")
		http.Error(w, "artefacts are read with GET or HEAD", http.StatusMethodNotAllowed)
		return
	}
	key, err := keys.Parse(strings.TrimPrefix(r.URL.Path, "/artefacts/"))
	if err != nil {
		http.Error(w, "no such artefact", http.StatusNotFound)
		return
	}
	a.serve(w, r, key)
}

func (a artefacts) serve(w http.ResponseWriter, r *http.Request, key keys.Key) {
	h := w.Header()
	k := keys.HeadersOf(key)
	if r.Header.Get("If-None-Match") != "" { // before the range, as RFC 9110 13.2.2 has it
		info, err := a.store.Head(r.Context(), key.String())
		if err == nil && reply.Matches(r.Header, info.ETag) {
			h.Set("Cache-Control", k.CacheControl)
			h.Set("ETag", info.ETag)
			w.WriteHeader(http.StatusNotModified)
			return
		}
	}
	opt := store.GetOptions{Range: parseRange(r.Header.Get("Range"))}
	if tag := r.Header.Get("If-Range"); tag != "" && opt.Range != nil {
		// A browser that holds a part asks for more of the same version: another version comes whole.
		info, err := a.store.Head(r.Context(), key.String())
		if err == nil && info.ETag != tag {
			opt.Range = nil
		}
	}
	o, err := a.store.Get(r.Context(), key.String(), opt)
	switch {
	case errors.Is(err, store.ErrNotFound):
		http.Error(w, "no such artefact", http.StatusNotFound)
		return
	case errors.Is(err, store.ErrRange):
		if info, err := a.store.Head(r.Context(), key.String()); err == nil {
			w.Header().Set("Content-Range", fmt.Sprintf("bytes */%d", info.Size))
		}
		http.Error(w, "the range starts behind the end of the artefact", http.StatusRequestedRangeNotSatisfiable)
		return
	case err != nil:
		a.log.Error("artefact", "key", key.String(), "error", err)
		http.Error(w, "the artefact could not be read", http.StatusInternalServerError)
		return
	}
	defer o.Body.Close()
	h.Set("Content-Type", k.ContentType)
	h.Set("Cache-Control", k.CacheControl)
	if k.ContentEncoding != "" {
		h.Set("Content-Encoding", k.ContentEncoding)
	}
	h.Set("ETag", o.ETag)
	h.Set("Accept-Ranges", "bytes")
	h.Set("Content-Length", strconv.FormatInt(o.Length, 10))
	status := http.StatusOK
	if opt.Range != nil {
		h.Set("Content-Range", fmt.Sprintf("bytes %d-%d/%d", o.Offset, o.Offset+o.Length-1, o.Size))
		status = http.StatusPartialContent
	}
	w.WriteHeader(status)
	if r.Method == http.MethodGet {
		_, _ = io.Copy(w, o.Body) // the client's own doing when it stops reading
	}
}

// parseRange reads one byte range; several ranges or an unreadable one mean the whole object, as RFC
// 9110 allows.
func parseRange(s string) *store.Range {
	spec, ok := strings.CutPrefix(s, "bytes=")
	from, to, dash := strings.Cut(spec, "-")
	if !ok || !dash || strings.Trim(from+to, "0123456789") != "" {
		return nil
	}
	if from == "" {
		n, err := strconv.ParseInt(to, 10, 64)
		if err != nil || n <= 0 {
			return nil
		}
		return &store.Range{Offset: -n}
	}
	lo, err := strconv.ParseInt(from, 10, 64)
	if err != nil {
		return nil
	}
	if to == "" {
		return &store.Range{Offset: lo}
	}
	hi, err := strconv.ParseInt(to, 10, 64)
	if err != nil || hi < lo {
		return nil
	}
	if hi == math.MaxInt64 {
		return &store.Range{Offset: lo} // behind the end of every object; one more has no number
	}
	return &store.Range{Offset: lo, Length: hi - lo + 1}
}
