package server

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"mappe/artefacts/keys"
	"mappe/shared/cloud/store"
	"mappe/shared/web/reply"
)

// artefacts serves the object store as the CDN does: the headers that follow from the key, strong
// ETags, conditional reads, single byte ranges, any origin. What is not a published key is 404.
//
// Most artefacts are named for their content: the bytes of such a one are compared with its name before the
// first of them is sent, those of a large one while it is served. Its ETag is that name, so that no object is read for it.
type artefacts struct {
	store  store.Store
	log    *slog.Logger
	atOnce int64 // bytes: larger objects are compared while they are served

	mu       sync.Mutex          // one object is read for its comparison at a time
	trusted  map[string]struct{} // versions of objects that are what their names say
	behindMu sync.Mutex
	behind   map[string]error // versions that are or were compared while they are served; nil: nothing is known against them
	turn     sync.Mutex       // one of them is read at a time
}

// comparedAtOnce bytes are compared with their name in a fifth of a second; the tiles of the country, some 5 GB, take a minute on a
// slow disk, which is too long before a map begins.
const comparedAtOnce = 64 << 20

func newArtefacts(s store.Store, log *slog.Logger) *artefacts {
	return &artefacts{store: s, log: log, atOnce: comparedAtOnce, trusted: map[string]struct{}{}, behind: map[string]error{}}
}

// errForged says that an object's bytes are not those of its name.
var errForged = errors.New("the bytes are not those that the name of the artefact was made from")

// describe is what is known of an object without reading it, where its name says what its ETag is.
func (a *artefacts) describe(ctx context.Context, key keys.Key) (info store.Info, version string, err error) {
	sum := keys.ContentSum(key)
	if sum == "" {
		info, err = a.store.Head(ctx, key.String())
		return info, "", err
	}
	info, err = store.Stat(ctx, a.store, key.String())
	version = fmt.Sprint(key, " ", info.ETag, info.Size, info.Modified.UnixNano())
	info.ETag = `"` + sum + `"`
	return info, version, err
}

// trust compares an object with its name, once for each version of it.
func (a *artefacts) trust(ctx context.Context, key keys.Key, info store.Info, version string) error {
	if version == "" {
		return nil
	}
	if info.Size > a.atOnce {
		return a.trustBehind(key, version)
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if _, ok := a.trusted[version]; ok {
		return nil
	}
	if err := a.compare(ctx, key); err != nil {
		return err
	}
	if len(a.trusted) >= maxTrusted {
		clear(a.trusted)
	}
	a.trusted[version] = struct{}{}
	return nil
}

// trustBehind is what the comparison of a large object has found, which the first request for it begins.
func (a *artefacts) trustBehind(key keys.Key, version string) error {
	a.behindMu.Lock()
	defer a.behindMu.Unlock()
	if err, begun := a.behind[version]; begun {
		return err
	}
	if len(a.behind) >= maxBehind {
		clear(a.behind)
	}
	a.behind[version] = nil
	go func() {
		a.turn.Lock()
		defer a.turn.Unlock()
		err := a.compare(context.Background(), key) // it ends with the process
		a.behindMu.Lock()
		defer a.behindMu.Unlock()
		switch {
		case errors.Is(err, errForged):
			a.behind[version] = err
			a.log.Error("artefact", "key", key.String(), "error", err)
		case err != nil: // the next request asks once more
			delete(a.behind, version)
		}
	}()
	return nil
}

// compare reads an object and compares it with its name.
func (a *artefacts) compare(ctx context.Context, key keys.Key) error {
	o, err := a.store.Get(ctx, key.String(), store.GetOptions{Plain: true})
	if err != nil {
		return err
	}
	defer o.Body.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, o.Body); err != nil {
		return err
	}
	want := keys.ContentSum(key)
	if got := hex.EncodeToString(sum.Sum(nil)[:len(want)/2]); got != want {
		return fmt.Errorf("%w: SHA-256 %s", errForged, got)
	}
	return nil
}

// maxTrusted and maxBehind bound what is remembered; then all is compared anew.
const (
	maxTrusted = 1 << 17
	maxBehind  = 1 << 10
)

// What scripts of other origins may send to artefacts and read of them; template.yaml has the same (a test
// compares).
const (
	sentToArtefacts    = "Range, If-Range, If-None-Match, If-Modified-Since, Cache-Control"
	exposedOfArtefacts = "ETag, Content-Range, Content-Length, Content-Encoding, Accept-Ranges, Last-Modified"
)

func (a *artefacts) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Access-Control-Allow-Origin", "*")
	h.Set("Access-Control-Expose-Headers", exposedOfArtefacts)
	h.Set("X-Content-Type-Options", "nosniff")
	switch r.Method {
	case http.MethodGet, http.MethodHead:
	case http.MethodOptions:
		h.Set("Access-Control-Allow-Methods", "GET, HEAD")
		h.Set("Access-Control-Allow-Headers", sentToArtefacts)
		h.Set("Access-Control-Max-Age", "86400")
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

func (a *artefacts) serve(w http.ResponseWriter, r *http.Request, key keys.Key) {
	h := w.Header()
	k := keys.HeadersOf(key)
	info, version, err := a.describe(r.Context(), key)
	if err == nil && holds(r.Header, info) { // before the range, as RFC 9110 13.2.2 has it
		h.Set("Cache-Control", k.CacheControl)
		h.Set("ETag", info.ETag)
		h.Set("Last-Modified", info.Modified.UTC().Format(http.TimeFormat))
		w.WriteHeader(http.StatusNotModified)
		return
	}
	var o *store.Object
	var part *store.Range
	if err == nil {
		part, err = partOf(w, r, info)
	}
	if err == nil {
		o, err = a.store.Get(r.Context(), key.String(), store.GetOptions{Range: part, Plain: version != ""})
	}
	switch {
	case errors.Is(err, store.ErrNotFound):
		http.Error(w, "no such artefact", http.StatusNotFound)
		return
	case errors.Is(err, reply.ErrRange):
		http.Error(w, "the range starts behind the end of the artefact", http.StatusRequestedRangeNotSatisfiable)
		return
	case err != nil:
		a.unreadable(w, key, err)
		return
	}
	defer o.Body.Close()
	if version == "" {
		info = o.Info
	}
	if err := a.trust(r.Context(), key, info, version); err != nil {
		a.unreadable(w, key, err)
		return
	}
	h.Set("Content-Type", k.ContentType)
	h.Set("Cache-Control", k.CacheControl)
	if k.ContentEncoding != "" {
		h.Set("Content-Encoding", k.ContentEncoding)
	}
	if _, ok := key.(keys.Export); ok {
		h.Set("Content-Disposition", "attachment") // the last step of the path is the name
	}
	h.Set("ETag", info.ETag)
	h.Set("Last-Modified", o.Modified.UTC().Format(http.TimeFormat))
	h.Set("Accept-Ranges", "bytes")
	h.Set("Content-Length", strconv.FormatInt(o.Length, 10))
	status := http.StatusOK
	if part != nil {
		h.Set("Content-Range", fmt.Sprintf("bytes %d-%d/%d", o.Offset, o.Offset+o.Length-1, o.Size))
		status = http.StatusPartialContent
	}
	w.WriteHeader(status)
	if r.Method == http.MethodGet {
		_, _ = io.Copy(w, o.Body) // the client's own doing when it stops reading
	}
}

// holds says whether what the client has is what there is. Where it names an ETag, that alone decides (RFC 9110 13.1.3).
func holds(h http.Header, info store.Info) bool {
	if h.Get("If-None-Match") != "" {
		return reply.Matches(h, info.ETag)
	}
	since, err := http.ParseTime(h.Get("If-Modified-Since"))
	return err == nil && !info.Modified.Truncate(time.Second).After(since)
}

// unreadable tells a damaged artefact from a store that gives no answer.
func (a *artefacts) unreadable(w http.ResponseWriter, key keys.Key, err error) {
	a.log.Error("artefact", "key", key.String(), "error", err)
	if errors.Is(err, errForged) {
		http.Error(w, "the stored artefact is damaged: "+errForged.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Retry-After", "5")
	http.Error(w, "the artefact cannot be read at the moment", http.StatusServiceUnavailable)
}

// partOf is the part of an artefact that a request asks for; nil: the whole. A browser that holds a part of
// another version gets the whole. The answer's Content-Range is set where the error is reply.ErrRange.
func partOf(w http.ResponseWriter, r *http.Request, info store.Info) (*store.Range, error) {
	asked := r.Header.Get("Range")
	if tag := r.Header.Get("If-Range"); asked == "" || tag != "" && tag != info.ETag {
		return nil, nil
	}
	p, ok, err := reply.ParseRange(asked, info.Size)
	if err != nil {
		w.Header().Set("Content-Range", fmt.Sprintf("bytes */%d", info.Size))
	}
	if err != nil || !ok {
		return nil, err
	}
	return &store.Range{Offset: p.Offset, Length: p.Length}, nil
}
