package e2e

import (
	"bytes"
	"fmt"
	"io"
	"log/slog"
	"mime/multipart"
	"strings"
	"testing"

	service "mappe/functions/books"
	"mappe/functions/books/build"
	"mappe/functions/books/records"
	"mappe/infra/rights"
	"mappe/shared/book/press"
	"mappe/shared/cloud/jobs"
	"mappe/shared/cloud/ledger/sqlite"
	"mappe/shared/cloud/ledger/sqlite/sqlitetest"
	"mappe/shared/cloud/store"
	"mappe/shared/cloud/store/mem"
)

// bookShelf is a book service whose first project is the one that the examples speak of: it has a pass, the
// example's book with a proof that is done, an index and a report, and a second book whose file is awaited.
type bookShelf struct {
	deps   service.Deps
	token  string
	queue  *jobs.Queue
	awaits int64 // the second book
}

const (
	shelfBook = 123456789
	shelfText = "# The river\n\nMira Example wrote of Newton, and Newton of the river.\n\n# The bridge\n\nNobody said a word of Newton, or of the *map*.\n"
)

func newBookShelf(t *testing.T) *bookShelf {
	t.Helper()
	ctx := t.Context()
	l := acts.Ledger(sqlitetest.Open(t, sqlite.Options{}))
	s, files := records.New(l, nil), acts.Store(mem.New(), "${BooksBucket.Arn}", "books/")
	works := build.Works{Records: s, Store: files, Press: press.Standard(), Public: "https://example.org/books",
		Log: slog.New(slog.DiscardHandler)}
	b := &bookShelf{awaits: 987654321}
	var err error
	if b.queue, err = works.NewQueue(l); err != nil {
		t.Fatal(err)
	}
	b.deps = service.Deps{Records: s, Store: files, Queue: b.queue, Press: works.Press, PublicURL: works.Public}
	if _, err := s.AddClient(ctx, "demo", "Demo House"); err != nil {
		t.Fatal(err)
	}
	p, err := s.AddProject(ctx, "demo", "river", "The House on the River")
	if err != nil || p.ID != 1 {
		t.Fatalf("project %d, %v: the examples speak of the first", p.ID, err)
	}
	if _, b.token, err = s.RotateToken(ctx, p.ID, false); err != nil {
		t.Fatal(err)
	}
	finals, customer := 50, "Mira Example"
	if _, err := s.GrantPass(ctx, p.ID, records.Grant{Included: &finals, Customer: &customer,
		Addons: []string{records.AddonIndex}}); err != nil {
		t.Fatal(err)
	}
	book := records.Book{ID: shelfBook, Project: p.ID, Title: "The River", Author: customer, Filename: "river.md",
		Size: int64(len(shelfText)), Status: records.Uploaded}
	if _, err := files.Put(ctx, book.SourceKey(), []byte(shelfText), store.PutOptions{}); err != nil {
		t.Fatal(err)
	}
	second := book
	second.ID, second.Status = b.awaits, records.Awaiting
	for _, one := range []records.Book{book, second} {
		if _, err := s.AddBook(ctx, one); err != nil {
			t.Fatal(err)
		}
	}
	return b
}

// beforehand are the endpoints whose examples others' stand on, in order.
var beforehand = []string{"convert", "preflight_run", "index_draft", "transmittal_fill"}

// prepare gives a described endpoint the token, the body that no example can hold, and a press that works
// between two requests.
func (b *bookShelf) prepare(d described) described {
	d.token = b.token
	switch d.endpoint.ID {
	case "upload":
		d.endpoint.ExampleBody, d.media = uploadExample()
	case "upload_file":
		d.endpoint.Example = fmt.Sprintf("/api/books/%d/file", b.awaits)
		d.endpoint.ExampleBody, d.media = shelfText, "application/octet-stream"
	}
	d.after = b.work
	return d
}

// ready does what the examples of others stand on.
func (b *bookShelf) ready(t *testing.T, all []described) {
	t.Helper()
	for _, id := range beforehand {
		for _, d := range all {
			if d.service.Prefix != "/books" || d.endpoint.ID != id {
				continue
			}
			if w := d.ask(t, nil); w.Code != 200 {
				t.Fatalf("%s: %d %s", d.name(), w.Code, w.Body)
			}
		}
	}
}

// work makes what was ordered.
func (b *bookShelf) work(t *testing.T) {
	t.Helper()
	d, err := b.deps.Records.Account(t.Context(), 1)
	if err != nil {
		t.Fatal(err)
	}
	if d.Running == nil {
		return
	}
	j, err := build.Enqueue(t.Context(), b.queue, *d.Running)
	if err == nil {
		err = b.queue.RunOne(rights.As(t.Context(), service.Family.Needs.Worker), j.ID)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// uploadExample is a form with the four fields.
func uploadExample() (body, media string) {
	var form bytes.Buffer
	w := multipart.NewWriter(&form)
	for _, f := range [][2]string{{"title", "The River"}, {"author", "Mira Example"}, {"project_id", "1"}} {
		_ = w.WriteField(f[0], f[1]) // a buffer takes all
	}
	part, err := w.CreateFormFile("file", "river.md")
	if err == nil {
		_, err = io.Copy(part, strings.NewReader(shelfText))
	}
	if err != nil {
		panic(err)
	}
	_ = w.Close() // a buffer takes all
	return form.String(), w.FormDataContentType()
}
