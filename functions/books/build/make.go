package build

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"mappe/functions/books/records"
	"mappe/shared/book/bookindex"
	"mappe/shared/book/press"
	"mappe/shared/book/spec"
	"mappe/shared/cloud/jobs"
	"mappe/shared/cloud/store"
)

// Spec is the specification of an order for a book: the project's, with the title and author of the upload
// where the transmittal names none. Its language is empty where the transmittal names none: the manuscript
// says it then.
func Spec(data json.RawMessage, book records.Book) (spec.Spec, error) {
	s := spec.Default()
	var members map[string]any
	if len(data) > 0 {
		if err := json.Unmarshal(data, &members); err != nil {
			return s, fmt.Errorf("specification of book %d: %w", book.ID, err)
		}
		var err error
		if s, err = spec.Apply(s, members); err != nil {
			return s, fmt.Errorf("specification of book %d: %w", book.ID, err)
		}
	}
	if given, ok := members["language"].(string); !ok || given == "" {
		s.Language = ""
	}
	if s.Title == "" {
		s.Title = book.Title
	}
	if s.Author == "" {
		s.Author = book.Author
	}
	return s, nil
}

// press makes the files. It asks held before it begins to set them.
func (w *Works) press(ctx context.Context, b records.Build, book records.Book, tell func(string, float64),
	held func() error) (press.Outputs, error) {
	s, err := Spec(b.Spec, book)
	if err != nil {
		return press.Outputs{}, press.Of(err) // no second try reads it otherwise
	}
	tell("reading the manuscript", 0)
	source, err := Source(ctx, w.Store, book)
	if errors.Is(err, store.ErrNotFound) { // a credit is given back, and no second try finds it
		return press.Outputs{}, &press.Fault{Plain: "The manuscript is not in the store any more: upload it again."}
	}
	if err != nil {
		return press.Outputs{}, err
	}
	m, err := w.Press.Open(book.Filename, source, s)
	if err != nil {
		return press.Outputs{}, err
	}
	j := press.Job{
		Edition: press.Edition(b.Edition), Format: press.Format(b.Format), Created: b.Accepted, Preview: true,
		Progress: func(step string, done float64) { tell(step, 0.05+0.95*done) },
	}
	if b.Index != "" {
		j.Index, err = ReadEntries(ctx, w.Store, b.Index)
		if errors.Is(err, store.ErrNotFound) {
			return press.Outputs{}, &press.Fault{Plain: "The index is not in the store any more: draft it again, or build without it."}
		}
		if err != nil {
			return press.Outputs{}, err
		}
	}
	if err := held(); err != nil {
		return press.Outputs{}, err
	}
	return w.Press.Build(ctx, m, s, j)
}

// maxIndex is the size of a stored index: 20,000 entries with many locators.
const maxIndex = 64 << 20

// ReadEntries reads a revision of an index.
func ReadEntries(ctx context.Context, s store.Store, key string) ([]bookindex.Entry, error) {
	b, err := ReadObject(ctx, s, key, maxIndex)
	if err != nil {
		return nil, err
	}
	var entries []bookindex.Entry
	if err := json.Unmarshal(b, &entries); err != nil {
		return nil, fmt.Errorf("%s: %w", key, err)
	}
	return entries, nil
}

// PreviewList and PreviewPages name the preview of a print file in the store, behind Book.Key.
func PreviewList(o records.Output) string  { return "previews/" + o.Stem() + ".json" }
func PreviewPages(o records.Output) string { return "previews/" + o.Stem() + ".pages" }

// keep puts the files into the store under names that no other lease of the job uses; nobody finds them
// there before the book tells of their rows.
func (w *Works) keep(ctx context.Context, job *jobs.Work, b records.Build, book records.Book, out press.Outputs) ([]records.Output, error) {
	put := func(name, contentType string, body []byte) error {
		if err := job.Held(); err != nil {
			return err
		}
		_, err := w.Store.Put(ctx, book.Key(name), body, private(contentType))
		return err
	}
	edition, stem := b.Edition, fmt.Sprintf("outputs/%s-%d.", b.ID, job.Job().Fence)
	var rows []records.Output
	for i, f := range []struct {
		format string
		body   []byte
		pages  int
	}{{"pdf", out.PDF, out.Pages}, {"epub", out.EPUB, 0}} {
		if f.body == nil {
			continue
		}
		row := records.Output{
			ID: 2*b.Number - 1 + int64(i), Build: b.ID, Format: f.format, Edition: edition, Size: int64(len(f.body)), Pages: f.pages,
			Key: book.Key(stem + f.format), Created: b.Accepted,
		}
		if p := out.Preview; p != nil && f.format == "pdf" {
			list, err := json.Marshal(p.List)
			if err != nil {
				return nil, err
			}
			if err := put(PreviewPages(row), "application/octet-stream", p.Pages); err != nil {
				return nil, err
			}
			if err := put(PreviewList(row), "application/json", list); err != nil {
				return nil, err
			}
		}
		if err := put(stem+f.format, MediaTypes[f.format], f.body); err != nil {
			return nil, err
		}
		rows = append(rows, row)
	}
	return rows, nil
}

// MediaTypes of the formats.
var MediaTypes = map[string]string{"pdf": "application/pdf", "epub": "application/epub+zip"}

// private are the headers of what only a token opens.
func private(contentType string) store.PutOptions {
	return store.PutOptions{Headers: store.Headers{ContentType: contentType, CacheControl: "private, no-store"}}
}
