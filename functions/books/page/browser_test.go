package page_test

import (
	"archive/zip"
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"mappe/functions/books"
	"mappe/functions/books/build"
	"mappe/functions/books/callback"
	"mappe/functions/books/records"
	"mappe/infra/oracles"
	"mappe/shared/book/press"
	"mappe/shared/cloud/jobs"
	"mappe/shared/cloud/ledger/sqlite"
	"mappe/shared/cloud/ledger/sqlite/sqlitetest"
	"mappe/shared/cloud/store/mem"
	"mappe/shared/web/endpoint"
)

// bench is the service with a project that has a pass, at an address of this machine.
type bench struct {
	url, token string
	project    int64
	manuscript string // path of a Word file
	large      string // and of one of 5 MB
}

func set(t *testing.T) bench {
	t.Helper()
	ctx := t.Context()
	l := sqlitetest.Open(t, sqlite.Options{})
	works := &build.Works{Records: records.New(l, nil), Store: mem.New(), Press: press.Standard(), Sender: callback.Sender{}}
	queue, err := works.NewQueue(l)
	if err != nil {
		t.Fatal(err)
	}
	pool := &jobs.Pool{Queue: queue, Workers: 1, Poll: 100 * time.Millisecond}
	pool.Start(context.WithoutCancel(ctx))
	t.Cleanup(func() { pool.Stop(context.Background()) })
	s := books.New(books.Deps{Records: works.Records, Store: works.Store, Queue: queue, Press: works.Press})
	h, err := s.Handler()
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(endpoint.Mount("/books", h))
	t.Cleanup(server.Close)
	b := bench{url: server.URL}
	b.project, b.token = project(t, works.Records)
	b.manuscript = filepath.Join(t.TempDir(), "The Green Door.docx")
	b.large = filepath.Join(t.TempDir(), "large.docx")
	for path, padding := range map[string]int{b.manuscript: 0, b.large: 5 << 20} {
		if err := os.WriteFile(path, docx(t, padding), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return b
}

func project(t *testing.T, s *records.Records) (int64, string) {
	t.Helper()
	ctx := t.Context()
	if _, err := s.AddClient(ctx, "demo", "Demo press"); err != nil {
		t.Fatal(err)
	}
	p, err := s.AddProject(ctx, "demo", "green-door", "The Green Door")
	if err != nil {
		t.Fatal(err)
	}
	name, finals, ends := "Anna Huber", 2, s.Now().AddDate(1, 0, 0)
	if _, err := s.GrantPass(ctx, p.ID, records.Grant{Customer: &name, Included: &finals, Expires: &ends,
		Addons: []string{records.AddonIndex}}); err != nil {
		t.Fatal(err)
	}
	_, token, err := s.RotateToken(ctx, p.ID, false)
	if err != nil {
		t.Fatal(err)
	}
	return p.ID, token
}

// docx is a small novel as Word writes it: chapters by style, with straight quotes, two spaces and a note to
// oneself; with a part of so many bytes that says nothing.
func docx(t *testing.T, padding int) []byte {
	t.Helper()
	var body strings.Builder
	para := func(style, text string) {
		fmt.Fprintf(&body, `<w:p><w:pPr><w:pStyle w:val="%s"/></w:pPr><w:r><w:t xml:space="preserve">%s</w:t></w:r></w:p>`, style, text)
	}
	for c := range 4 {
		para("Heading1", fmt.Sprintf("Chapter %d", c+1))
		for p := range 14 {
			para("Normal", "The office on the first floor had been shut for eleven years, and Anna Huber found the key where her grandfather had said it would be: behind the brass plate.  "+
				`She waited; nobody came. "Avoid the third stair," he had written, "it speaks to everybody." It did not speak to her, nor did the fifth, and the door at the top of the house in Salzburg gave way at the second push. `+
				strings.Repeat("There was nobody in the room. ", 1+p%5))
		}
		if c == 2 {
			para("Normal", "TK describe the cellar.")
		}
	}
	const head = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>`
	var w bytes.Buffer
	z := zip.NewWriter(&w)
	for _, part := range [][2]string{
		{"[Content_Types].xml", head +
			`<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>` +
			`<Default Extension="xml" ContentType="application/xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/>` +
			`<Override PartName="/word/styles.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.styles+xml"/></Types>`},
		{"_rels/.rels", head + `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>`},
		{"word/_rels/document.xml.rels",
			head + `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/styles" Target="styles.xml"/></Relationships>`},
		{"word/styles.xml", head + `<w:styles xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:style w:type="paragraph" w:default="1" w:styleId="Normal"><w:name w:val="Normal"/></w:style>` +
			`<w:style w:type="paragraph" w:styleId="Heading1"><w:name w:val="heading 1"/><w:pPr><w:outlineLvl w:val="0"/></w:pPr></w:style></w:styles>`},
		{"word/document.xml", head + `<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>` +
			body.String() + `<w:sectPr/></w:body></w:document>`},
	} {
		f, err := z.Create(part[0])
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.Write([]byte(part[1])); err != nil {
			t.Fatal(err)
		}
	}
	if padding > 0 {
		noise := make([]byte, padding)
		rand.NewChaCha8([32]byte{}).Read(noise)
		f, err := z.Create("docProps/padding.bin")
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.Write(noise); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return w.Bytes()
}

// A person's way through the page in Chromium, against the service itself: see books.test.mjs.
func TestInABrowser(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped: -short leaves out the browser")
	}
	chromium, node := oracles.Chromium(t), oracles.Program(t, "node")
	web := oracles.Folder(t, "localdev/server/web", "playwright-core")
	b := set(t)
	c := exec.CommandContext(t.Context(), node, "--test", "test/books.test.mjs")
	c.Dir = web
	c.Env = append(os.Environ(), "MAPPE_URL="+b.url, "MAPPE_CHROMIUM="+chromium, "MAPPE_BOOKS_TOKEN="+b.token,
		"MAPPE_BOOKS_PROJECT="+strconv.FormatInt(b.project, 10), "MAPPE_BOOKS_MANUSCRIPT="+b.manuscript, "MAPPE_BOOKS_LARGE="+b.large)
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
}
