package repository

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// The MD5 of RFC 1321, A.5.
const (
	md5Nothing = "d41d8cd98f00b204e9800998ecf8427e"
	md5ABC     = "900150983cd24fb0d6963f7d28e17f72" // of "abc"
	md5Letters = "c3fcd3d76192e4007dfb496cca67e13b" // of "abcdefghijklmnopqrstuvwxyz"
	letters    = "abcdefghijklmnopqrstuvwxyz"
)

// arrived is what the repository says of a file.
func arrived(name, sum string, size int) string {
	return fmt.Sprintf(`{"key":%q,"checksum":"md5:%s","size":%d}`, name, sum, size)
}

// TestUpload: uploads break off, arrive damaged and are refused.
func TestUpload(t *testing.T) {
	good := reply{status: 201, body: arrived("a b.kgs", md5Letters, 26)}
	for _, tt := range []struct {
		name    string
		body    string
		replies []reply
		sum     string
		want    error
		opened  int
		waits   int
	}{
		{"letters", letters, []reply{good}, md5Letters, nil, 1, 0},
		{"an empty file", "", []reply{{status: 201, body: arrived("a b.kgs", md5Nothing, 0)}}, md5Nothing, nil, 1, 0},
		{"broken off twice", letters, []reply{{}, {}, good}, md5Letters, nil, 3, 2},
		{"broken off for ever", letters, []reply{{}}, "", ErrUnavailable, 5, 4},
		{"the repository is down for a while", letters, []reply{{status: 503}, good}, md5Letters, nil, 2, 1},
		{"refused", letters, []reply{{status: 403}}, "", ErrRefused, 1, 0},
		{"no such draft", letters, []reply{{status: 404}}, "", ErrNotFound, 1, 0},
		{"damaged once", letters, []reply{{status: 201, body: arrived("a b.kgs", md5ABC, 26)}, good}, md5Letters, nil, 2, 0},
		{"damaged for ever", letters, []reply{{status: 201, body: arrived("a b.kgs", md5ABC, 26)}}, "", ErrChecksum, 5, 0},
		{"damaged at four attempts", letters, append(slices.Repeat([]reply{{status: 201, body: arrived("a b.kgs", md5ABC, 26)}}, 4), good),
			md5Letters, nil, 5, 0},
		{"another length", letters, []reply{{status: 201, body: arrived("a b.kgs", md5Letters, 25)}}, "", ErrChecksum, 5, 0},
		{"another name", letters, []reply{{status: 201, body: arrived("a.kgs", md5Letters, 26)}}, "", ErrChecksum, 5, 0},
		{"another sum", letters, []reply{{status: 201, body: `{"key":"a b.kgs","checksum":"sha256:1","size":26}`}}, "", ErrChecksum, 5, 0},
		{"no JSON", letters, []reply{{status: 201, body: `done`}}, "", ErrAnswer, 1, 0},
	} {
		f := file{name: "a b.kgs", body: []byte(tt.body)}
		var n atomic.Int32 // a request comes while the one that was broken off may still be answered
		r := newHarness(t, func(w http.ResponseWriter, q *http.Request) {
			a := tt.replies[min(int(n.Add(1)), len(tt.replies))-1]
			if a.status == 0 {
				io.CopyN(io.Discard, q.Body, 10) // breaks off in the middle
				a.send(w)
			}
			got, err := io.ReadAll(q.Body)
			if err != nil || string(got) != tt.body || q.Method != "PUT" || q.URL.RequestURI() != "/api/files/b/a%20b.kgs" ||
				q.ContentLength != int64(len(tt.body)) || q.TransferEncoding != nil ||
				q.Header.Get("Content-Type") != "application/octet-stream" {
				t.Errorf("%s: want the whole file sent with its length, got %s %s %d %v, %q, %v", tt.name, q.Method, q.URL.RequestURI(),
					q.ContentLength, q.TransferEncoding, got, err)
			}
			a.send(w)
		})
		var d Deposit
		d.Links.Bucket = r.base + "/api/files/b"
		sum, err := r.Upload(t.Context(), d, f.source())
		is(t, tt.name, err, tt.want)
		f.mu.Lock()
		if sum != tt.sum || f.opened != tt.opened || len(r.waits) != tt.waits {
			t.Errorf("%s: want %q after %d attempts and %d pauses, got %q after %d and %d", tt.name, tt.sum, tt.opened, tt.waits,
				sum, f.opened, len(r.waits))
		}
		f.mu.Unlock()
		r.server.Close()
		r.closes(t, tt.name, &f)
	}
}

// closes waits until the transport has closed each body: it may still hold one when the answer has come.
func (r *harness) closes(t *testing.T, name string, f *file) {
	t.Helper()
	var opened, closed int
	for range 200 {
		f.mu.Lock()
		opened, closed = f.opened, f.closed
		f.mu.Unlock()
		if opened == closed {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
	t.Errorf("%s: want every opened file closed, %d were opened and %d closed", name, opened, closed)
}

// TestUploadOfWhatIsNotWhole: a source that is shorter or longer than it says, or cannot be opened, is never confirmed.
func TestUploadOfWhatIsNotWhole(t *testing.T) {
	r := newHarness(t, func(w http.ResponseWriter, q *http.Request) {
		b, err := io.ReadAll(q.Body)
		if err != nil {
			panic(http.ErrAbortHandler)
		}
		reply{status: 201, body: arrived("a", md5ABC, len(b))}.send(w)
	})
	var d Deposit
	d.Links.Bucket = r.base + "/b"
	for _, size := range []int64{2, 4} {
		f := file{name: "a", body: []byte("abc")}
		s := f.source()
		s.Bytes = size
		if sum, err := r.Upload(t.Context(), d, s); err == nil {
			t.Errorf("3 bytes said to be %d: want an error, got %s", size, sum)
		}
	}
	away := errors.New("the store is away")
	_, err := r.Upload(t.Context(), d, Source{Name: "a", Bytes: 3, Open: func(context.Context) (io.ReadCloser, error) { return nil, away }})
	if !errors.Is(err, away) {
		t.Errorf("want %v, got %v", away, err)
	}
	asked := len(r.requests())
	d.Links.Bucket = "https://elsewhere.example/b"
	f := file{name: "a", body: []byte("abc")}
	_, err = r.Upload(t.Context(), d, f.source())
	is(t, "a bucket elsewhere", err, ErrAnswer)
	if f.opened != 0 || len(r.requests()) != asked {
		t.Errorf("a bucket elsewhere: want nothing opened and sent")
	}
}

// zeros reads as many of them.
type zeros struct{ io.Reader }

func (zeros) Read(p []byte) (int, error) { clear(p); return len(p), nil }

// TestAFileOf200MB is streamed both ways. The MD5 is what md5sum says of 200 MiB of zeros.
func TestAFileOf200MB(t *testing.T) {
	const size, sum = 200 << 20, "3566de3a97906edb98d004d6b947ae9b"
	r := newHarness(t, func(w http.ResponseWriter, q *http.Request) {
		if q.Method == "GET" {
			w.Header().Set("Content-Length", strconv.Itoa(size))
			io.CopyN(w, zeros{}, size)
			return
		}
		n, _ := io.Copy(io.Discard, q.Body) // a short one shows in its length
		reply{status: 201, body: arrived("z", sum, int(n))}.send(w)
	})
	var d Deposit
	d.Links.Bucket = r.base + "/b"
	got, err := r.Upload(t.Context(), d, Source{Name: "z", Bytes: size, Open: func(context.Context) (io.ReadCloser, error) {
		return io.NopCloser(io.LimitReader(zeros{}, size)), nil
	}})
	if err != nil || got != sum {
		t.Errorf("upload: want the MD5 %s, got %s, %v", sum, got, err)
	}
	f := RecordFile{Name: "z", Bytes: size, Checksum: "md5:" + sum}
	f.Links.Self = r.base + "/z"
	if n, err := r.Download(t.Context(), f, io.Discard); n != size || err != nil {
		t.Errorf("download: want %d bytes, got %d, %v", size, n, err)
	}
}

// part is a reply to a download: what is sent of the letters before it breaks off.
type part struct {
	status      int
	from, until int    // of the letters; until 0: to the end
	rangeOf     string // Content-Range
}

// TestDownload goes on from where it broke off, and never writes a byte twice.
func TestDownload(t *testing.T) {
	whole := part{status: 200}
	for _, tt := range []struct {
		name   string
		parts  []part
		sum    string
		got    string
		want   error
		ranges []string // asked for
	}{
		{"whole", []part{whole}, md5Letters, letters, nil, []string{""}},
		{"capitals in the sum", []part{whole}, strings.ToUpper(md5Letters), letters, nil, []string{""}},
		{"broken off twice", []part{{200, 0, 5, ""}, {206, 5, 20, "bytes 5-25/26"}, {206, 20, 0, "bytes 20-25/26"}}, md5Letters, letters,
			nil, []string{"", "bytes=5-", "bytes=20-"}},
		{"broken off after one byte", []part{{200, 0, 1, ""}, {206, 1, 0, "bytes 1-25/26"}}, md5Letters, letters, nil,
			[]string{"", "bytes=1-"}},
		{"broken off before the first", []part{{200, 0, -1, ""}, whole}, md5Letters, letters, nil, []string{"", ""}},
		{"broken off at every attempt", []part{{200, 0, 1, ""}, {206, 1, 2, "bytes 1-25/26"}, {206, 2, 3, "bytes 2-25/26"},
			{206, 3, 4, "bytes 3-25/26"}, {206, 4, 5, "bytes 4-25/26"}}, md5Letters, letters[:5], ErrUnavailable,
			[]string{"", "bytes=1-", "bytes=2-", "bytes=3-", "bytes=4-"}},
		{"whole at the last attempt", []part{{200, 0, 1, ""}, {206, 1, 2, "bytes 1-25/26"}, {206, 2, 3, "bytes 2-25/26"},
			{206, 3, 4, "bytes 3-25/26"}, {206, 4, 0, "bytes 4-25/26"}}, md5Letters, letters, nil,
			[]string{"", "bytes=1-", "bytes=2-", "bytes=3-", "bytes=4-"}},
		{"all of it again", []part{{200, 0, 5, ""}, whole}, md5Letters, letters[:5], ErrAnswer,
			[]string{"", "bytes=5-"}},
		{"another part", []part{{200, 0, 5, ""}, {206, 4, 0, "bytes 4-25/26"}}, md5Letters, letters[:5], ErrAnswer,
			[]string{"", "bytes=5-"}},
		{"a part that begins alike", []part{{200, 0, 1, ""}, {206, 10, 0, "bytes 10-25/26"}}, md5Letters, letters[:1], ErrAnswer,
			[]string{"", "bytes=1-"}},
		{"a part without its place", []part{{200, 0, 5, ""}, {206, 5, 0, ""}}, md5Letters, letters[:5], ErrAnswer,
			[]string{"", "bytes=5-"}},
		{"gone in between", []part{{200, 0, 5, ""}, {404, 0, 0, ""}}, md5Letters, letters[:5], ErrNotFound, []string{"", "bytes=5-"}},
		{"refused", []part{{403, 0, 0, ""}}, md5Letters, "", ErrRefused, []string{""}},
		{"other bytes", []part{whole}, md5ABC, letters, ErrChecksum, []string{""}},
	} {
		var ranges []string
		r := newHarness(t, func(w http.ResponseWriter, q *http.Request) {
			p := tt.parts[min(len(ranges), len(tt.parts)-1)]
			ranges = append(ranges, q.Header.Get("Range"))
			if p.rangeOf != "" {
				w.Header().Set("Content-Range", p.rangeOf)
			}
			w.Header().Set("Content-Length", strconv.Itoa(len(letters)-p.from))
			w.WriteHeader(p.status)
			if p.until != 0 {
				io.WriteString(w, letters[p.from:max(p.until, p.from)])
				w.(http.Flusher).Flush()
				panic(http.ErrAbortHandler)
			}
			io.WriteString(w, letters[p.from:])
		})
		f := RecordFile{Name: "a", Bytes: int64(len(letters)), Checksum: "md5:" + tt.sum}
		f.Links.Self = r.base + "/api/records/7/files/a/content"
		var b strings.Builder
		n, err := r.Download(t.Context(), f, &b)
		is(t, tt.name, err, tt.want)
		if b.String() != tt.got || n != int64(len(tt.got)) || !slices.Equal(ranges, tt.ranges) {
			t.Errorf("%s: want %q after the ranges %q, got %q, said to be %d bytes, after %q", tt.name, tt.got, tt.ranges,
				b.String(), n, ranges)
		}
	}
}

// TestDownloadOfAnotherLength: what is longer is cut and noticed by its sum, what is shorter is asked for again.
func TestDownloadOfAnotherLength(t *testing.T) {
	download := func(body string, f RecordFile) (string, *harness, error) {
		r := newHarness(t, func(w http.ResponseWriter, q *http.Request) { io.WriteString(w, body) })
		f.Links.Self = r.base + "/a"
		var b strings.Builder
		_, err := r.Download(t.Context(), f, &b)
		return b.String(), r, err
	}
	got, _, err := download("abcd", RecordFile{Name: "a", Bytes: 3, Checksum: "md5:" + md5ABC})
	if got != "abc" || err != nil {
		t.Errorf("a byte more: want the three bytes of the record, got %q, %v", got, err)
	}
	var ranges []string
	longer := newHarness(t, func(w http.ResponseWriter, q *http.Request) {
		ranges = append(ranges, q.Header.Get("Range"))
		if len(ranges) == 1 {
			w.Header().Set("Content-Length", "4")
			io.WriteString(w, "a")
			w.(http.Flusher).Flush()
			panic(http.ErrAbortHandler)
		}
		w.Header().Set("Content-Range", "bytes 1-3/4")
		w.WriteHeader(206)
		io.WriteString(w, "bcd")
	})
	f := RecordFile{Name: "a", Bytes: 3, Checksum: "md5:" + md5ABC}
	f.Links.Self = longer.base + "/a"
	var b strings.Builder
	if n, err := longer.Download(t.Context(), f, &b); b.String() != "abc" || n != 3 || err != nil {
		t.Errorf("a byte more after a break: want the three bytes of the record, got %q, said to be %d, %v", b.String(), n, err)
	}
	got, r, err := download("abc", RecordFile{Name: "a", Bytes: 4, Checksum: "md5:" + md5ABC})
	if got != "abc" || err == nil || len(r.requests()) != 2 {
		t.Errorf("a byte less: want an error of the second request, got %q, %v, %d requests", got, err, len(r.requests()))
	}
	got, _, err = download("", RecordFile{Name: "a", Checksum: "md5:" + md5Nothing})
	if got != "" || err != nil {
		t.Errorf("an empty file: want it, got %q, %v", got, err)
	}
	_, r, err = download("abc", RecordFile{})
	is(t, "no sum", err, ErrChecksum)
	f.Links.Self = "https://elsewhere.example/a"
	n, err := r.Download(t.Context(), f, io.Discard)
	is(t, "a link elsewhere", err, ErrAnswer)
	if n != 0 {
		t.Errorf("a link elsewhere: want no bytes, got %d", n)
	}
}

// full is a disk that takes so many bytes.
type full struct {
	left int
	err  error
}

func (f *full) Write(p []byte) (int, error) {
	if n := f.left; n < len(p) {
		f.left = 0
		return n, f.err
	}
	f.left -= len(p)
	return len(p), nil
}

// TestDownloadToAFullDisk: the repository is not asked again for what cannot be written here.
func TestDownloadToAFullDisk(t *testing.T) {
	r := newHarness(t, inTurn(ok(letters)))
	f := RecordFile{Name: "a", Bytes: 26, Checksum: "md5:" + md5Letters}
	f.Links.Self = r.base + "/a"
	noSpace := errors.New("no space left on device")
	n, err := r.Download(t.Context(), f, &full{10, noSpace})
	if !errors.Is(err, noSpace) || errors.Is(err, ErrUnavailable) || len(r.requests()) != 1 || n != 10 {
		t.Errorf("want %v after 10 bytes and one request, got %v after %d and %d", noSpace, err, n, len(r.requests()))
	}
}

// TestDownloadEndsWithItsContext: a body that breaks off because nobody waits any more is not asked for again.
func TestDownloadEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	r := newHarness(t, func(w http.ResponseWriter, q *http.Request) {
		w.Header().Set("Content-Length", "26")
		io.WriteString(w, letters[:5])
		w.(http.Flusher).Flush()
		<-q.Context().Done()
	})
	f := RecordFile{Name: "a", Bytes: 26, Checksum: "md5:" + md5Letters}
	f.Links.Self = r.base + "/a"
	n, err := r.Download(ctx, f, cancelling{cancel})
	if !errors.Is(err, context.Canceled) || n != 5 || len(r.requests()) != 1 || r.waits != nil {
		t.Errorf("want the end of the context after 5 bytes and one request, got %v after %d and %d, pauses %v", err, n, len(r.requests()),
			r.waits)
	}
}

// TestASilentDownload: a body that stands still is given up and asked for from there on.
func TestASilentDownload(t *testing.T) {
	var ranges []string
	r := newHarness(t, func(w http.ResponseWriter, q *http.Request) {
		ranges = append(ranges, q.Header.Get("Range"))
		if len(ranges) == 3 {
			w.Header().Set("Content-Range", "bytes 6-25/26")
			w.WriteHeader(206)
			io.WriteString(w, letters[6:])
			return
		}
		if len(ranges) == 2 {
			w.Header().Set("Content-Range", "bytes 5-25/26")
			w.WriteHeader(206)
			io.WriteString(w, letters[5:6])
		} else {
			w.Header().Set("Content-Length", "26")
			io.WriteString(w, letters[:5])
		}
		w.(http.Flusher).Flush()
		<-q.Context().Done()
	})
	r.silence = 100 * time.Millisecond
	f := RecordFile{Name: "a", Bytes: 26, Checksum: "md5:" + md5Letters}
	f.Links.Self = r.base + "/a"
	var b strings.Builder
	if n, err := r.Download(t.Context(), f, &b); b.String() != letters || n != 26 || err != nil {
		t.Errorf("want all letters, got %q, said to be %d, %v", b.String(), n, err)
	}
	if want := []string{"", "bytes=5-", "bytes=6-"}; !slices.Equal(ranges, want) {
		t.Errorf("want the ranges %q, got %q", want, ranges)
	}
}

// TestADownloadThatDoesNotBegin is asked for again, and again, and is then unavailable: also where the client waits for its next attempt.
func TestADownloadThatDoesNotBegin(t *testing.T) {
	r := newHarness(t, func(_ http.ResponseWriter, q *http.Request) { <-q.Context().Done() })
	r.beginning = 20 * time.Millisecond
	f := RecordFile{Name: "a", Bytes: 26, Checksum: "md5:" + md5Letters}
	f.Links.Self = r.base + "/a"
	var b strings.Builder
	n, err := r.Download(t.Context(), f, &b)
	if n != 0 || !errors.Is(err, ErrUnavailable) || !errors.Is(err, errSilent) || t.Context().Err() != nil {
		t.Errorf("want no byte and %v, got %d, %v", ErrUnavailable, n, err)
	}
	if got := len(r.requests()); got != maxAttempts {
		t.Errorf("want %d requests, got %d", maxAttempts, got)
	}
}

type cancelling struct{ cancel func() }

func (c cancelling) Write(p []byte) (int, error) { c.cancel(); return len(p), nil }

func TestRecord(t *testing.T) {
	r := newHarness(t, inTurn(ok(`{"id":7,"conceptrecid":"6","doi":"10.5281/zenodo.7","files":[{"key":"a.kgs","size":3,
		"checksum":"md5:900150983cd24fb0d6963f7d28e17f72","links":{"self":"https://zenodo.org/api/records/7/files/a.kgs/content"}}]}`)))
	got, err := r.Record(t.Context(), 7)
	want := RecordFile{Name: "a.kgs", Bytes: 3, Checksum: "md5:" + md5ABC}
	want.Links.Self = "https://zenodo.org/api/records/7/files/a.kgs/content"
	if err != nil || got.Concept != "6" || got.DOI != "10.5281/zenodo.7" || len(got.Files) != 1 || got.Files[0] != want {
		t.Errorf("want the record of the answer, got %+v, %v", got, err)
	}
}

// TestReachable: one request without the token, and what answers at all is there.
func TestReachable(t *testing.T) {
	for _, tt := range []struct {
		answer reply
		want   bool
	}{
		{ok(`{}`), true}, {reply{status: 429}, true}, {reply{status: 499}, true},
		{reply{status: 500}, false}, {reply{status: 503}, false}, {reply{}, false},
	} {
		r := newHarness(t, func(w http.ResponseWriter, q *http.Request) {
			if q.Header.Get("Authorization") != "" {
				t.Errorf("status %d: want no token, got %q", tt.answer.status, q.Header.Get("Authorization"))
			}
			tt.answer.send(w)
		})
		if got := r.Reachable(t.Context()); got != tt.want || !slices.Equal(r.requests(), []string{"GET /api/records?size=1"}) {
			t.Errorf("status %d: want %v after one request, got %v after %q", tt.answer.status, tt.want, got, r.requests())
		}
		if !r.limit.open(r.now) {
			t.Errorf("status %d: want no limit for the requests of the account", tt.answer.status)
		}
	}
}
