package s3_test

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"mappe/shared/cloud/store"
	"mappe/shared/cloud/store/s3"
)

func TestPartsSuffice(t *testing.T) {
	for _, size := range []int64{1, 16 << 20, 10_000 * (16 << 20), 10_000*(16<<20) + 1, 1 << 40, s3.MaxObject} {
		part := s3.PartOf(size)
		if n := (size + part - 1) / part; n > s3.MaxParts || part < 5<<20 || part > 5<<30 {
			t.Errorf("%d bytes: %d parts of %d", size, n, part)
		}
	}
}

// uploads: what a writer of many parts leaves when it is killed is not seen; one that fails leaves nothing.
func uploads(t *testing.T) {
	s := openTest(t, "s3://uploads/below")
	waitFor(t, func() error { return s.CreateBucket(t.Context()) })
	body := bytes.NewReader(make([]byte, 33<<20))
	open := func(want int) {
		t.Helper()
		if n, err := s.Uploads(t.Context()); err != nil || n != want {
			t.Errorf("want %d uploads under way, got %d, %v", want, n, err)
		}
	}
	if err := s.HalfUpload(t.Context(), "killed", body, body.Size()); err != nil {
		t.Fatal(err)
	}
	open(1)
	if _, err := s.Head(t.Context(), "killed"); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("half an upload is seen: %v", err)
	}
	for info, err := range s.List(t.Context(), "") {
		t.Errorf("half an upload is listed: %s, %v", info.Key, err)
	}
	if _, err := s.PutFrom(t.Context(), "killed", body, body.Size(), store.PutOptions{Immutable: true}); err != nil {
		t.Errorf("the next writer: %v", err)
	}
	if _, err := s.PutFrom(t.Context(), "short", body, body.Size()+1, store.PutOptions{}); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("want an unexpected end, got %v", err)
	}
	if _, err := s.PutFrom(t.Context(), "killed", bytes.NewReader(bytes.Repeat([]byte{1}, 33<<20)), 33<<20,
		store.PutOptions{IfMatch: store.Absent}); !errors.Is(err, store.ErrPrecondition) {
		t.Errorf("want a refusal, got %v", err)
	}
	open(1)
}

// fakeUpload takes one upload; the answer to its completion is lost, or fails with a status.
type fakeUpload struct {
	mu       sync.Mutex
	complete []int // answers to completions in turn, the last one for ever
	stored   bool  // the first completion is carried out whatever it answers
	meta     http.Header
	calls    []string
}

func (u *fakeUpload) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	u.mu.Lock()
	defer u.mu.Unlock()
	io.Copy(io.Discard, r.Body)
	q := r.URL.Query()
	switch {
	case r.Method == http.MethodPost && q.Has("uploads"):
		u.calls = append(u.calls, "create")
		if u.meta == nil || !u.stored {
			u.meta = r.Header.Clone()
		}
		io.WriteString(w, `<InitiateMultipartUploadResult><UploadId>1</UploadId></InitiateMultipartUploadResult>`)
	case r.Method == http.MethodPut:
		w.Header().Set("ETag", `"part"`)
	case r.Method == http.MethodPost:
		u.calls = append(u.calls, "complete")
		status := u.complete[0]
		if len(u.complete) > 1 {
			u.complete = u.complete[1:]
		}
		w.WriteHeader(status)
		if status == 200 {
			io.WriteString(w, `<CompleteMultipartUploadResult><ETag>"whole-3"</ETag></CompleteMultipartUploadResult>`)
		}
	case r.Method == http.MethodDelete:
		u.calls = append(u.calls, "abort")
		w.WriteHeader(http.StatusNoContent)
	case r.Method == http.MethodHead:
		if !u.stored {
			w.WriteHeader(http.StatusNotFound)
			return
		}
		for name, values := range u.meta {
			if strings.HasPrefix(name, "X-Amz-Meta-") {
				w.Header()[name] = values
			}
		}
		w.Header().Set("ETag", `"whole-3"`)
		w.Header().Set("Content-Length", "34603008")
	}
}

func TestACompletionThatFails(t *testing.T) {
	for name, c := range map[string]struct {
		upload *fakeUpload
		want   string
		err    error
	}{
		"stored, the answer lost, then the upload is gone": {&fakeUpload{complete: []int{503, 404}, stored: true},
			"create complete complete abort", nil},
		"stored, the answer lost, then the key is taken": {&fakeUpload{complete: []int{503, 412}, stored: true},
			"create complete complete abort", nil},
		"disturbed by another write": {&fakeUpload{complete: []int{409, 200}},
			"create complete abort create complete", nil},
		"taken": {&fakeUpload{complete: []int{412}}, "create complete abort",
			store.ErrPrecondition},
	} {
		t.Run(name, func(t *testing.T) {
			server := httptest.NewServer(c.upload)
			defer server.Close()
			t.Setenv("AWS_ENDPOINT_URL_S3", server.URL)
			s := openTest(t, "s3://bucket")
			info, err := s.PutFrom(t.Context(), "k", bytes.NewReader(make([]byte, 33<<20)), 33<<20, store.PutOptions{IfMatch: store.Absent})
			if !errors.Is(err, c.err) || (err == nil) != (c.err == nil) || err == nil && info.ETag != `"whole-3"` {
				t.Errorf("want %v, got %+v, %v", c.err, info, err)
			}
			if got := strings.Join(c.upload.calls, " "); got != c.want {
				t.Errorf("want %s, got %s", c.want, got)
			}
		})
	}
}
