package command

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	"mappe/functions/books/studio"
	"mappe/localdev/demo/sample"
	"mappe/shared/book/finding"
)

// demoManuscripts are two made-up books, a German one with everything that a page can hold and an English
// novel, with faults for the report to find.
var demoManuscripts = []struct {
	file          string
	title, author string
	make          sample.Options
}{
	{"das-haus-am-fluss.docx", "Das Haus am Fluss", "Johanna Reiter", sample.Options{
		Language: "de", Words: 18_000, Seed: 7, Rich: true, PerType: 2,
		Plant: []finding.Type{finding.TrackedChange, finding.Comment, finding.DoubleSpace, finding.StraightQuotes, finding.ThreeDots, finding.TabIndent},
	}},
	{"the-house-on-the-river.docx", "The House on the River", "Edith Marlowe", sample.Options{
		Language: "en", Words: 30_000, Seed: 11, PerType: 2,
		Plant: []finding.Type{finding.PlaceholderText, finding.DoubleHyphen, finding.DoubleSpace, finding.EmptyParagraphs, finding.UnmatchedQuotes},
	}},
}

// The demo's project.
const (
	demoClient  = "demo"
	demoProject = "river"
	demoBuilds  = 10
)

// seedBooks makes the demo's project with a pass, a token (kept in dir, for its owner alone) and two books
// with their reports, once, and tells how to sign in.
func seedBooks(ctx context.Context, out io.Writer, base, data, dir string) error {
	s, err := openStudioAt(ctx, workLedger(data))
	if err != nil {
		return err
	}
	defer s.Close()
	kept := filepath.Join(dir, "books-token")
	tell := func(project int64, token string) {
		fmt.Fprintf(out, "books: project %d (%s/%s), token %s\n       sign in at %s/books/#project=%s/%s\n", project, demoClient, demoProject, token, base, demoClient, demoProject)
	}
	p, err := s.FindProject(ctx, demoClient, demoProject)
	if err == nil {
		token, err := os.ReadFile(kept)
		if errors.Is(err, os.ErrNotExist) {
			fmt.Fprintf(out, "books: project %s/%s; a new token: %s books token rotate %s/%s\n", demoClient, demoProject, commandLine(), demoClient, demoProject)
			return nil
		}
		tell(p.ID, strings.TrimSpace(string(token)))
		return err
	}
	if !errors.Is(err, studio.ErrNotFound) {
		return err
	}
	if _, err := s.AddClient(ctx, demoClient, "Demo House"); err != nil && !errors.Is(err, studio.ErrExists) {
		return err
	}
	if p, err = s.AddProject(ctx, demoClient, demoProject, "The House on the River"); err != nil {
		return err
	}
	builds, customer := demoBuilds, "Mira Example"
	if _, err := s.GrantPass(ctx, p.ID, studio.Grant{Included: &builds, Customer: &customer, Addons: []string{studio.AddonIndex}}); err != nil {
		return err
	}
	_, token, err := s.RotateToken(ctx, p.ID, false)
	if err != nil {
		return err
	}
	if err := os.WriteFile(kept, []byte(token+"\n"), 0o600); err != nil {
		return err
	}
	for _, m := range demoManuscripts {
		made := sample.Make(withNames(m.make, m.title, m.author))
		file := made.DOCX()
		if err := os.MkdirAll(filepath.Join(dir, "manuscripts"), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(dir, "manuscripts", m.file), file, 0o644); err != nil {
			return err
		}
		if err := (author{base + "/books", token}).bring(ctx, p.ID, m.title, m.author, m.file, file); err != nil {
			return fmt.Errorf("%s: %w", m.file, err)
		}
	}
	tell(p.ID, token)
	return nil
}

func withNames(o sample.Options, title, author string) sample.Options {
	o.Title, o.Author = title, author
	return o
}

// author is a caller of the service.
type author struct{ base, token string }

// bring uploads a manuscript and has it examined.
func (a author) bring(ctx context.Context, project int64, title, name, filename string, file []byte) error {
	var form bytes.Buffer
	w := multipart.NewWriter(&form)
	for _, f := range [][2]string{{"title", title}, {"author", name}, {"project_id", fmt.Sprint(project)}} {
		if err := w.WriteField(f[0], f[1]); err != nil {
			return err
		}
	}
	part, err := w.CreateFormFile("file", filename)
	if err != nil {
		return err
	}
	if _, err := part.Write(file); err != nil {
		return err
	}
	if err := w.Close(); err != nil {
		return err
	}
	var book struct{ ID int64 }
	if err := a.post(ctx, "/api/books/upload", w.FormDataContentType(), form.Bytes(), &book); err != nil {
		return err
	}
	return a.post(ctx, fmt.Sprintf("/api/projects/%d/preflight", project), "application/json", fmt.Appendf(nil, `{"book_id":%d}`, book.ID), &struct{}{})
}

func (a author) post(ctx context.Context, path, contentType string, body []byte, into any) error {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, a.base+path, bytes.NewReader(body))
	if err != nil {
		return err
	}
	r.Header.Set("Content-Type", contentType)
	r.Header.Set("Authorization", "Bearer "+a.token)
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	b, err := io.ReadAll(io.LimitReader(answer.Body, 64<<20))
	if err != nil {
		return err
	}
	if answer.StatusCode >= 300 {
		return fmt.Errorf("%s: %s: %.300s", path, answer.Status, b)
	}
	return json.Unmarshal(b, into)
}
