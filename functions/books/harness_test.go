package books

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"mappe/functions/books/build"
	"mappe/functions/books/records"
	"mappe/shared/book/epub"
	"mappe/shared/book/finding"
	"mappe/shared/book/layout"
	"mappe/shared/book/layout/page"
	"mappe/shared/book/manuscript"
	"mappe/shared/book/pdf"
	"mappe/shared/book/preflight"
	"mappe/shared/book/press"
	"mappe/shared/book/spec"
	"mappe/shared/cloud/jobs"
	"mappe/shared/cloud/ledger"
	"mappe/shared/cloud/ledger/ledgertest"
	"mappe/shared/cloud/ledger/sqlite"
	"mappe/shared/cloud/ledger/sqlite/sqlitetest"
	"mappe/shared/cloud/store"
	"mappe/shared/cloud/store/mem"
)

// harness is the service over a ledger and a store of its own, with a press whose books are what their text says.
type harness struct {
	handler http.Handler
	records *records.Records
	store   store.Store
	ledger  ledger.Ledger
	works   *build.Works
	queue   *jobs.Queue
	clock   *ledgertest.Clock
	project records.Project
	token   string
	hold    chan struct{} // a build of a HOLD manuscript waits for it
}

func ptr[T any](v T) *T { return &v }

func newHarness(t *testing.T, change ...func(*Deps)) *harness {
	t.Helper()
	r := &harness{store: mem.New(), clock: ledgertest.NewClockAt(time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)), hold: make(chan struct{})}
	r.over(t, sqlitetest.Open(t, sqlite.Options{}), change...)
	if _, err := r.records.AddClient(t.Context(), "demo", "Demo"); err != nil {
		t.Fatal(err)
	}
	r.project, r.token = r.newProject(t, "atlas")
	r.grant(t, records.Grant{Customer: ptr("Mira Example"), Included: ptr(3)})
	return r
}

// over opens the service over a ledger.
func (r *harness) over(t *testing.T, l ledger.Ledger, change ...func(*Deps)) {
	t.Helper()
	r.ledger = l
	r.records = records.New(l, r.clock.Now)
	d := Deps{Records: r.records, Store: r.store, Press: fakePress(r.hold), PublicURL: "https://books.example/books"}
	for _, f := range change {
		f(&d)
	}
	r.store = d.Store
	r.works = &build.Works{Records: r.records, Store: d.Store, Press: d.Press, Public: d.PublicURL, Log: slog.New(slog.DiscardHandler)}
	var err error
	if r.queue, err = r.works.NewQueue(l); err != nil {
		t.Fatal(err)
	}
	d.Queue = r.queue
	if r.handler, err = New(d).Handler(); err != nil {
		t.Fatal(err)
	}
}

func (r *harness) newProject(t *testing.T, slug string) (records.Project, string) {
	t.Helper()
	p, err := r.records.AddProject(t.Context(), "demo", slug, "The Atlas")
	if err != nil {
		t.Fatal(err)
	}
	_, token, err := r.records.RotateToken(t.Context(), p.ID, false)
	if err != nil {
		t.Fatal(err)
	}
	return p, token
}

func (r *harness) grant(t *testing.T, g records.Grant) {
	t.Helper()
	if _, err := r.records.GrantPass(t.Context(), r.project.ID, g); err != nil {
		t.Fatal(err)
	}
}

// do asks with the project's token; header pairs replace it.
func (r *harness) do(method, path, body string, header ...string) *httptest.ResponseRecorder {
	q := httptest.NewRequest(method, path, strings.NewReader(body))
	if len(header) == 0 {
		header = []string{"Authorization", "Bearer " + r.token}
	}
	for i := 0; i+1 < len(header); i += 2 {
		q.Header.Add(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	r.handler.ServeHTTP(w, q)
	return w
}

func (r *harness) want(t *testing.T, status int, w *httptest.ResponseRecorder, holds ...string) map[string]any {
	t.Helper()
	if w.Code != status {
		t.Fatalf("want %d, got %d %s", status, w.Code, w.Body)
	}
	for _, s := range holds {
		if !strings.Contains(w.Body.String(), s) {
			t.Fatalf("want %q in %s", s, w.Body)
		}
	}
	var body map[string]any
	if strings.HasPrefix(w.Header().Get("Content-Type"), "application/json") {
		if err := json.Unmarshal(w.Body.Bytes(), &body); err != nil {
			t.Fatalf("%v: %s", err, w.Body)
		}
	}
	return body
}

// form makes a multipart body; a value "" leaves the field out.
func form(t *testing.T, fields map[string]string, filename, file string) (contentType, body string) {
	t.Helper()
	var b bytes.Buffer
	w := multipart.NewWriter(&b)
	for name, value := range fields {
		if value != "" {
			if err := w.WriteField(name, value); err != nil {
				t.Fatal(err)
			}
		}
	}
	if filename != "" {
		p, err := w.CreateFormFile("file", filename)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(p, file); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return w.FormDataContentType(), b.String()
}

func (r *harness) uploadTo(t *testing.T, project int64, token, text string) *httptest.ResponseRecorder {
	t.Helper()
	kind, body := form(t, map[string]string{"title": "The Atlas", "author": "Mira Example", "project_id": fmt.Sprint(project)}, "atlas.txt",
		text)
	return r.do("POST", "/api/books/upload", body, "Authorization", "Bearer "+token, "Content-Type", kind)
}

func (r *harness) upload(t *testing.T, text string) int64 {
	t.Helper()
	body := r.want(t, 201, r.uploadTo(t, r.project.ID, r.token, text))
	return int64(body["id"].(float64))
}

// work does what is queued.
func (r *harness) work(t *testing.T) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	for ctx.Err() == nil {
		d, err := r.records.Account(ctx, r.project.ID)
		if err != nil {
			t.Fatal(err)
		}
		if d.Running == nil {
			return
		}
		j, err := build.Enqueue(ctx, r.queue, *d.Running)
		if err != nil {
			t.Fatal(err)
		}
		_ = r.queue.RunOne(ctx, j.ID) // what became of it is read from the account
	}
	t.Fatal("the build did not end")
}

func (r *harness) remaining(t *testing.T) int {
	t.Helper()
	d, err := r.records.Account(t.Context(), r.project.ID)
	if err != nil {
		t.Fatal(err)
	}
	return d.Pass.Remaining()
}

// fakePress reads text; a text that begins with FAULT cannot be set, one with PANIC breaks the press, one
// with HOLD waits, one with PDF% is no manuscript.
func fakePress(hold <-chan struct{}) press.Parts {
	return press.Parts{
		Look: press.Standard().Look,
		Read: func(name string, b []byte) (manuscript.Book, []finding.Finding, error) {
			if strings.HasPrefix(string(b), "UNREADABLE") {
				return press.Standard().Read(name, []byte("%PDF-1.7"))
			}
			p := &manuscript.Paragraph{Inlines: []manuscript.Inline{manuscript.Text{S: string(b)}}}
			return manuscript.Book{Sections: []manuscript.Section{{Kind: manuscript.KindChapter,
				Title: []manuscript.Inline{manuscript.Text{S: "One"}}, Blocks: []manuscript.Block{p}}}}, nil, nil
		},
		Repair: func(b manuscript.Book, _ spec.Spec) (manuscript.Book, []finding.Finding) { return b, nil },
		Examine: func(manuscript.Book, []finding.Finding, spec.Spec) preflight.Report {
			return preflight.Report{Summary: preflight.Summary{Total: 1, High: 1, Preserved: 2, ByType: map[string]int{"comment": 1}}}
		},
		Set: func(ctx context.Context, b manuscript.Book, s spec.Spec, o layout.Options) (*page.Book, layout.Report, error) {
			text := b.Sections[0].Blocks[0].(*manuscript.Paragraph).Inlines[0].(manuscript.Text).S
			o.Progress("pages", 0, 1)
			switch {
			case strings.HasPrefix(text, "FAULT"):
				return nil, layout.Report{}, &press.Fault{Plain: "It cannot be set.", Near: "“FAULT”", Detail: "x"}
			case strings.HasPrefix(text, "PANIC"):
				panic("out of type")
			case strings.HasPrefix(text, "HOLD"):
				select {
				case <-hold:
				case <-ctx.Done():
					return nil, layout.Report{}, ctx.Err()
				}
			}
			out := &page.Book{Width: 100_000, Height: 100_000, Pages: []page.Page{{Folio: "1"}}}
			return out, layout.Report{Pages: 1}, nil
		},
		CheckPDF: func([]byte, pdf.Preset, spec.Spec) (wrong, refused []string) { return nil, nil },
		Ebook: func(w io.Writer, _ manuscript.Book, s spec.Spec, o epub.Options) error {
			_, err := fmt.Fprintf(w, "epub of %s by %s %s", s.Title, s.Author, o.Proof)
			return err
		},
		CheckEPUB: func([]byte) []string { return nil },
		Template: func(w io.Writer, s spec.Spec) error {
			_, err := fmt.Fprintf(w, "template %g", s.Trim.WidthMM)
			return err
		},
	}
}

func mustSpec(t *testing.T) spec.Spec {
	t.Helper()
	s, err := build.Spec(nil, records.Book{})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// anchorOf is the anchor of the one paragraph of a manuscript.
func anchorOf(m press.Manuscript) string {
	return m.Book.Sections[0].Blocks[0].(*manuscript.Paragraph).Anchor
}
