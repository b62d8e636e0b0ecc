package books

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"mappe/functions/books/build"
	"mappe/functions/books/callback"
	"mappe/functions/books/records"
	"mappe/shared/cloud/jobs"
	"mappe/shared/cloud/store"
)

func (r *harness) convert(book int64, body string) *httptest.ResponseRecorder {
	return r.do("POST", fmt.Sprintf("/api/books/%d/convert", book), body)
}

func (r *harness) read(t *testing.T, book int64) map[string]any {
	t.Helper()
	return r.want(t, 200, r.do("GET", fmt.Sprintf("/api/books/%d", book), ""))
}

func TestConvert(t *testing.T) {
	r := newHarness(t)
	book := r.upload(t, "A text.")
	path := fmt.Sprintf("/api/books/%d", book)
	if b := r.read(t, book); b["status"] != "uploaded" || fmt.Sprint(b["outputs"]) != "[]" || b["error"] != nil ||
		b["source_filename"] != "atlas.txt" {
		t.Errorf("%v", b)
	}
	r.want(t, 404, r.do("GET", path+"/download/pdf", ""), "no pdf yet")
	body := r.want(t, 200, r.convert(book, ""))
	want := map[string]any{"book_id": float64(book), "format": "both", "kind": "final", "status": "converting",
		"status_url": "https://books.example/books" + path}
	if fmt.Sprint(body) != fmt.Sprint(want) {
		t.Errorf("%v, want %v", body, want)
	}
	if r.remaining(t) != 2 {
		t.Errorf("a final is debited at acceptance: %d remain", r.remaining(t))
	}
	if b := r.read(t, book); b["status"] != "converting" || b["progress"] == nil {
		t.Errorf("%v", b)
	}
	other := r.upload(t, "Another text.")
	r.want(t, 409, r.convert(book, `{"kind":"proof"}`), "running")
	r.want(t, 409, r.convert(other, `{"kind":"proof"}`), "running")
	if b := r.read(t, other); b["status"] != "uploaded" {
		t.Errorf("%v", b)
	}
	r.work(t)
	b := r.read(t, book)
	rows := b["outputs"].([]any)
	if b["status"] != "ready" || len(rows) != 2 || b["progress"] != nil {
		t.Fatalf("%v", b)
	}
	first := rows[0].(map[string]any)
	if first["format"] != "pdf" || first["kind"] != "final" || first["size_bytes"].(float64) < 100 ||
		first["download_url"] != fmt.Sprintf("https://books.example/books%s/outputs/%v/download", path, first["id"]) {
		t.Errorf("%v", first)
	}
	w := r.do("GET", path+"/download/pdf", "")
	if w.Code != 200 || w.Header().Get("Content-Type") != "application/pdf" || !strings.HasPrefix(w.Body.String(), "%PDF-") ||
		!strings.Contains(w.Header().Get("Content-Disposition"), "the-atlas-final-2026-11-21.pdf") {
		t.Errorf("%d %v", w.Code, w.Header())
	}
	w = r.do("GET", path+"/download/epub?kind=final", "")
	if w.Code != 200 || w.Header().Get("Content-Type") != "application/epub+zip" || !strings.Contains(w.Header().Get("Content-Disposition"),
		".epub") {
		t.Errorf("%d %v", w.Code, w.Header())
	}
	r.want(t, 404, r.do("GET", path+"/download/pdf?kind=proof", ""), "no proof pdf")
	r.want(t, 400, r.do("GET", path+"/download/doc", ""))
	r.want(t, 400, r.do("GET", path+"/download/pdf?kind=draft", ""), "kind")

	// Three kinds of build later: the record has the last, the list has all, a download the newest of a kind.
	r.clock.Advance(24 * time.Hour)
	r.want(t, 200, r.convert(book, `{"kind":"proof","format":"pdf"}`))
	r.work(t)
	if b = r.read(t, book); len(b["outputs"].([]any)) != 1 {
		t.Errorf("%v", b)
	}
	all := r.want(t, 200, r.do("GET", path+"/outputs", ""))["outputs"].([]any)
	if len(all) != 3 || all[0].(map[string]any)["kind"] != "proof" {
		t.Errorf("%v", all)
	}
	for query, name := range map[string]string{"": "proof-2026-11-22", "?kind=final": "final-2026-11-21",
		"?kind=proof": "proof-2026-11-22"} {
		if got := r.do("GET", path+"/download/pdf"+query, "").Header().Get("Content-Disposition"); !strings.Contains(got, name) {
			t.Errorf("%s: %s", query, got)
		}
	}
	id := int64(all[2].(map[string]any)["id"].(float64))
	if w := r.do("GET", fmt.Sprintf("%s/outputs/%d/download", path, id), ""); w.Code != 200 {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	r.want(t, 404, r.do("GET", path+"/outputs/99/download", ""))
	r.want(t, 404, r.do("GET", fmt.Sprintf("/api/books/%d/outputs/%d/download", other, id), ""))
	r.want(t, 200, r.do("GET", path+"/preview", ""), `"pages":[{"folio":"1"}]`)
	w = r.do("GET", path+"/preview/1", "")
	if w.Code != 200 || w.Header().Get("Content-Type") != "image/svg+xml" || !strings.Contains(w.Body.String(), "<svg") {
		t.Errorf("%d %v %s", w.Code, w.Header(), w.Body)
	}
	r.want(t, 404, r.do("GET", path+"/preview/2", ""), "1 pages")
	r.want(t, 404, r.do("GET", fmt.Sprintf("/api/books/%d/preview", other), ""), "no proof")
}

func TestConvertRefuses(t *testing.T) {
	r := newHarness(t)
	book := r.upload(t, "A text.")
	for body, holds := range map[string]string{
		`{"kind":"draft"}`: "kind", `{"format":"mobi"}`: "format", `{"kind":1}`: "kind", `{"index":"yes"}`: "index",
		`{"knd":"proof"}`:                 "did you mean kind",
		`{"callback_url":"http://a.at/"}`: "callback_url", `{"callback_url":"https://127.0.0.1/"}`: "callback_url",
		`{"callback_url":"https://[::1]/"}`: "callback_url",
		`[]`:                                "object", `{`: "JSON",
	} {
		if w := r.convert(book, body); w.Code != 400 || !strings.Contains(w.Body.String(), holds) {
			t.Errorf("%s: want 400 with %q, got %d %s", body, holds, w.Code, w.Body)
		}
	}
	if d, err := r.records.Account(t.Context(), r.project.ID); err != nil || d.Builds != 0 || d.Pass.Used != 0 {
		t.Errorf("a refused order leaves a mark: %+v, %v", d, err)
	}
}

// TestEPUBAloneIsAlwaysAFreeProof even when a final is asked for and no credit remains.
func TestEPUBAloneIsAlwaysAFreeProof(t *testing.T) {
	r := newHarness(t)
	r.grant(t, records.Grant{Included: ptr(0)})
	book := r.upload(t, "A text.")
	r.want(t, 200, r.convert(book, `{"kind":"final","format":"epub"}`), `"kind":"proof"`)
	r.work(t)
	b := r.read(t, book)
	if b["status"] != "ready" || b["outputs"].([]any)[0].(map[string]any)["kind"] != "proof" {
		t.Errorf("%v", b)
	}
	if w := r.do("GET", fmt.Sprintf("/api/books/%d/download/epub", book), ""); !strings.Contains(w.Body.String(), "PROOF") {
		t.Errorf("%s", w.Body)
	}
	r.want(t, 402, r.convert(book, `{"kind":"final"}`), `"credits_remaining":0`, `"error":`)
}

// TestFailedFinalIsRefundedOnce, whatever way it fails.
func TestFailedFinalIsRefundedOnce(t *testing.T) {
	r := newHarness(t)
	for text, holds := range map[string]string{
		"FAULT": "It cannot be set.\nNear: “FAULT”\nTechnical detail: x", "PANIC": "fault of its own", "UNREADABLE": "PDF",
	} {
		book := r.upload(t, text)
		r.want(t, 200, r.convert(book, `{}`))
		if r.remaining(t) != 2 {
			t.Fatalf("%s: %d remain", text, r.remaining(t))
		}
		account, err := r.records.Account(t.Context(), r.project.ID)
		if err != nil {
			t.Fatal(err)
		}
		r.work(t)
		b := r.read(t, book)
		if b["status"] != "error" || !strings.Contains(fmt.Sprint(b["error"]), holds) || len(b["outputs"].([]any)) != 0 {
			t.Errorf("%s: %v", text, b)
		}
		for range 3 { // once more changes nothing
			if err := r.records.Clear(t.Context(), *account.Running, true); err != nil {
				t.Fatal(err)
			}
		}
		if r.remaining(t) != 3 {
			t.Errorf("%s: %d remain", text, r.remaining(t))
		}
	}
	book := r.upload(t, "FAULT")
	r.want(t, 200, r.convert(book, `{"kind":"proof"}`))
	r.work(t)
	if r.remaining(t) != 3 {
		t.Errorf("a failed proof refunds nothing: %d remain", r.remaining(t))
	}
}

func TestNoMoreThanThirtyProofsInADay(t *testing.T) {
	r := newHarness(t)
	book := r.upload(t, "A text.")
	first := r.clock.Now()
	for i := range records.MaxProofs {
		r.want(t, 200, r.convert(book, `{"kind":"proof","format":"epub"}`))
		r.work(t)
		if i < records.MaxProofs-1 {
			r.clock.Advance(time.Minute)
		}
	}
	w := r.convert(book, `{"kind":"proof"}`)
	r.want(t, 429, w, `"error":`)
	if got, want := w.Header().Get("Retry-After"), fmt.Sprint(int(first.Add(24*time.Hour).Sub(r.clock.Now()).Seconds())); got != want {
		t.Errorf("Retry-After %s, want %s", got, want)
	}
	r.want(t, 200, r.convert(book, `{"kind":"final"}`)) // finals are not counted
	r.work(t)
	r.clock.Advance(first.Add(24 * time.Hour).Sub(r.clock.Now()))
	r.want(t, 200, r.convert(book, `{"kind":"proof"}`)) // the window slides
	r.work(t)
	r.want(t, 429, r.convert(book, `{"kind":"proof"}`))
	pass := r.want(t, 200, r.do("GET", fmt.Sprintf("/api/projects/%d/pass", r.project.ID), ""))
	if pass["proofs_last_24_hours"] != 30.0 {
		t.Errorf("%v", pass)
	}
}

// hooks is a network in which hooks.author.at is a server of the test.
func hooks(t *testing.T, h http.HandlerFunc) callback.Sender {
	srv := httptest.NewTLSServer(h)
	t.Cleanup(srv.Close)
	return callback.Sender{
		Dial: func(ctx context.Context, _ *net.Dialer, _, _ string) (net.Conn, error) {
			return (&net.Dialer{}).DialContext(ctx, "tcp", srv.Listener.Addr().String())
		},
		Transport: func(tr *http.Transport) {
			tr.TLSClientConfig = srv.Client().Transport.(*http.Transport).TLSClientConfig.Clone()
			tr.TLSClientConfig.ServerName = "example.com"
		},
	}
}

// TestCallbackOnce: the body is the record, sent once, for a book that is ready and for one that failed.
func TestCallbackOnce(t *testing.T) {
	r := newHarness(t)
	var got []string
	var mu sync.Mutex
	r.works.Sender = hooks(t, func(w http.ResponseWriter, q *http.Request) {
		b, err := io.ReadAll(q.Body)
		if err != nil {
			t.Error(err)
		}
		mu.Lock()
		defer mu.Unlock()
		got = append(got, string(b))
		w.WriteHeader(500) // it is not tried again
	})
	for text, status := range map[string]string{"A text.": "ready", "FAULT": "error"} {
		got = nil
		book := r.upload(t, text)
		r.want(t, 200, r.convert(book, `{"kind":"final","callback_url":"https://hooks.author.at/built?x=1"}`))
		account, err := r.records.Account(t.Context(), r.project.ID)
		if err != nil {
			t.Fatal(err)
		}
		r.work(t)
		record := r.read(t, book)
		mu.Lock()
		if len(got) != 1 {
			t.Fatalf("%s: %d messages", text, len(got))
		}
		var sent map[string]any
		if err := json.Unmarshal([]byte(got[0]), &sent); err != nil || sent["status"] != status || fmt.Sprint(sent) != fmt.Sprint(record) {
			t.Errorf("sent %v, the record is %v", sent, record)
		}
		mu.Unlock()
		if mine, err := r.records.ClaimCallback(t.Context(), *account.Running); mine || err != nil {
			t.Errorf("it could be sent again: %v %v", mine, err)
		}
	}
}

// TestCrashAfterAcceptance: the account knows the build, nobody has made its job; asking for the status does.
func TestCrashAfterAcceptance(t *testing.T) {
	r := newHarness(t)
	book := r.upload(t, "A text.")
	accepted, err := r.records.Accept(t.Context(), records.Build{Project: r.project.ID, Book: book, Edition: "final", Format: "both"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.queue.Find(t.Context(), build.JobType, accepted.ID); !errors.Is(err, jobs.ErrNotFound) {
		t.Fatal(err)
	}
	if b := r.read(t, book); b["status"] != "converting" {
		t.Errorf("%v", b)
	}
	j, err := r.queue.Find(t.Context(), build.JobType, accepted.ID)
	if err != nil {
		t.Fatal(err)
	}
	if err := r.queue.RunOne(t.Context(), j.ID); err != nil {
		t.Fatal(err)
	}
	if b := r.read(t, book); b["status"] != "ready" || r.remaining(t) != 2 {
		t.Errorf("%v, %d remain", b, r.remaining(t))
	}
}

// TestParallelOrders: of many orders at once one is taken, and no credit is lost.
func TestParallelOrders(t *testing.T) {
	r := newHarness(t)
	r.grant(t, records.Grant{Included: ptr(5)})
	book := r.upload(t, "A text.")
	for round := range 5 {
		var taken, refused atomic.Int32
		var group sync.WaitGroup
		for range 32 {
			group.Go(func() {
				switch w := r.convert(book, `{"format":"pdf"}`); w.Code {
				case 200:
					taken.Add(1)
				case 409:
					refused.Add(1)
				default:
					t.Errorf("%d %s", w.Code, w.Body)
				}
			})
		}
		group.Wait()
		if taken.Load() != 1 || refused.Load() != 31 || r.remaining(t) != 4-round {
			t.Fatalf("round %d: %d taken, %d refused, %d remain", round, taken.Load(), refused.Load(), r.remaining(t))
		}
		r.work(t)
	}
	r.want(t, 402, r.convert(book, `{}`))
	out, err := r.records.Outputs(t.Context(), book, 100)
	if err != nil || len(out) != 5 {
		t.Errorf("%d files, %v", len(out), err)
	}
}

// presigned is a store that gives addresses.
type presigned struct{ store.Store }

func (presigned) PresignGet(_ context.Context, key, filename string, life time.Duration) (string, error) {
	return "https://bucket.example/" + key + "?name=" + filename + "&life=" + life.String(), nil
}

func (presigned) PresignPut(_ context.Context, key string, size int64, _ time.Duration) (string, http.Header, error) {
	return fmt.Sprintf("https://bucket.example/%s?size=%d", key, size),
		http.Header{"X-Amz-Meta": {"1"}, "Content-Length": {fmt.Sprint(size)}}, nil
}

// TestLargeFilesGoPastTheFunction: downloads are redirected, uploads get an address.
func TestLargeFilesGoPastTheFunction(t *testing.T) {
	r := newHarness(t, func(d *Deps) { d.Store, d.MaxAnswer = presigned{d.Store}, 500 })
	book := r.upload(t, "A text.")
	r.want(t, 200, r.convert(book, `{"kind":"proof"}`))
	r.work(t)
	w := r.do("GET", fmt.Sprintf("/api/books/%d/download/pdf", book), "")
	if w.Code != 302 || !strings.Contains(w.Header().Get("Location"), "https://bucket.example/projects/1/books/") ||
		!strings.Contains(w.Header().Get("Location"), "the-atlas-proof-2026-11-21.pdf") || w.Header().Get("Cache-Control") != "no-store" {
		t.Errorf("%d %v", w.Code, w.Header())
	}
	if w := r.do("GET", fmt.Sprintf("/api/books/%d/download/epub", book), ""); w.Code != 200 {
		t.Errorf("a small file is sent: %d", w.Code)
	}
	body := r.want(t, 201, r.do("POST", "/api/books/upload/large",
		`{"filename":"a.txt","size_bytes":70000,"title":"A","author":"B","project_id":1}`))
	up := body["upload"].(map[string]any)
	if !strings.HasPrefix(up["url"].(string), "https://bucket.example/projects/1/books/") ||
		fmt.Sprint(up["headers"]) != "map[X-Amz-Meta:1]" || up["method"] != "PUT" {
		t.Errorf("%v", up)
	}
}

// TestTheLengthOfADownload: HEAD tells it as GET does.
func TestTheLengthOfADownload(t *testing.T) {
	r := newHarness(t)
	book := r.upload(t, "A text.")
	file := bytes.Repeat([]byte("%PDF-"), 100_000)
	o := records.Output{ID: 1, Format: "pdf", Edition: records.Proof, Size: int64(len(file)), Key: "large.pdf", Created: r.clock.Now()}
	if _, err := r.store.Put(t.Context(), o.Key, file, store.PutOptions{}); err != nil {
		t.Fatal(err)
	}
	if err := r.records.AddOutput(t.Context(), book, o); err != nil {
		t.Fatal(err)
	}
	for method, length := range map[string]int{"GET": len(file), "HEAD": 0} {
		w := r.do(method, fmt.Sprintf("/api/books/%d/download/pdf", book), "")
		if got := w.Header().Get("Content-Length"); w.Code != 200 || got != "500000" || w.Body.Len() != length {
			t.Errorf("%s: got %d with the length %q and %d bytes", method, w.Code, got, w.Body.Len())
		}
	}
}
