package books

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"mappe/functions/books/build"
	"mappe/functions/books/records"
	"mappe/shared/book/manuscript"
	"mappe/shared/book/press"
	"mappe/shared/cloud/store"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/fault"
	"mappe/shared/web/reply"
)

// Bounds of an upload.
const (
	maxForm     = build.MaxManuscript + 1<<20 // with what stands around the file
	maxField    = 4 << 10
	maxText     = 300 // characters of title and author
	maxFilename = 200
)

type uploadForm struct {
	File      string `json:"file" doc:"the manuscript: .docx, .odt, .epub, .html, .md or .txt, at most 50 MB" format:"binary"`
	Title     string `json:"title" doc:"1 to 300 characters"`
	Author    string `json:"author" doc:"1 to 300 characters"`
	ProjectID int64  `json:"project_id"`
}

type uploadedBody struct {
	Author string `json:"author"`
	ID     int64  `json:"id"`
	Status string `json:"status" doc:"uploaded"`
	Title  string `json:"title"`
}

var bUpload = endpoint.Unread("multipart/form-data", "the fields file, title, author and project_id", maxForm, uploadForm{})

func (s *service) upload() endpoint.Endpoint {
	return endpoint.Endpoint{
		Method: "POST", Path: "/api/books/upload", ID: "upload", Tag: "Manuscript", Summary: "Upload a manuscript",
		Doc: "All four fields are required. Every upload makes a new book. Needs a live pass. A file that is no manuscript by its first bytes is 400 with a sentence that says what to do. " +
			"Files beyond what the service takes in one body (about 4.5 MB in the cloud) go by `POST /api/books/upload/large`.",
		Body: bUpload, Gate: s.gate(anyProject),
		Answer: endpoint.Answer{Status: http.StatusCreated, Body: uploadedBody{}, Others: []endpoint.Other{
			{Status: http.StatusForbidden, Doc: "The project has no live pass.", Body: fault.Schema()},
		}},
		Example: "/api/books/upload", Serve: s.serveUpload,
	}
}

// manuscriptForm is what an upload says.
type manuscriptForm struct {
	title, author, filename string
	project                 int64
	file                    []byte
}

func (s *service) serveUpload(ctx context.Context, r *endpoint.Request) (reply.Answer, error) {
	f, err := readForm(r.HTTP)
	if err != nil {
		return nil, err
	}
	if _, ok := visitOf(ctx).opened[f.project]; !ok {
		return nil, errUnauthorized
	}
	if _, err := s.live(ctx, f.project); err != nil {
		return nil, err
	}
	if err := s.look(f.filename, f.file); err != nil {
		return nil, err
	}
	sum := sha256.Sum256(f.file)
	b := records.Book{
		Project: f.project, Title: f.title, Author: f.author, Filename: f.filename, Size: int64(len(f.file)),
		SHA256: hex.EncodeToString(sum[:]), Status: records.Uploaded,
	}
	b, err = s.addBook(ctx, b, func(b records.Book) error {
		_, err := s.Store.Put(ctx, b.SourceKey(), f.file,
			store.PutOptions{IfMatch: store.Absent, Headers: store.Headers{ContentType: "application/octet-stream",
				CacheControl: "private, no-store"}})
		return err
	})
	if err != nil {
		return nil, unavailable(err)
	}
	return &reply.Document{Status: http.StatusCreated, Body: uploadedView(b)}, nil
}

func uploadedView(b records.Book) uploadedBody {
	return uploadedBody{b.Author, b.ID, string(b.Status), b.Title}
}

// addBook draws a number for a book, keeps its file, then notes it: a book that is noted has its file.
func (s *service) addBook(ctx context.Context, b records.Book, keep func(records.Book) error) (records.Book, error) {
	for range 8 {
		b.ID = records.NewBookID()
		err := keep(b)
		if errors.Is(err, store.ErrPrecondition) {
			continue // the number was drawn before
		}
		if err != nil {
			return b, err
		}
		made, err := s.Records.AddBook(ctx, b)
		if errors.Is(err, records.ErrExists) {
			continue
		}
		return made, err
	}
	return b, errors.New("no free number for a book was drawn")
}

// look refuses what is no manuscript by its first look.
func (s *service) look(filename string, file []byte) error {
	if len(file) > build.MaxManuscript {
		return errFileTooLarge
	}
	err := s.Press.Sniff(filename, file)
	var f *press.Fault
	if errors.As(err, &f) {
		refused := fault.New(fault.Invalid, "%s", f.Plain)
		refused.Details = []fault.Detail{{Parameter: "file", Value: fault.Shorten(filename),
			Expected: "a manuscript (.docx, .odt, .epub, .html, .md, .txt)"}}
		return refused
	}
	return err
}

// errFileTooLarge names no size: whoever reads a body stops where it is too large.
var errFileTooLarge = &fault.Fault{
	Code: fault.TooLarge,
	Message: fmt.Sprintf("file: a manuscript may have %d MB: compress its pictures (in Word: Picture Format > Compress Pictures)",
		build.MaxManuscript>>20),
	Details: []fault.Detail{{Parameter: "file", Expected: fmt.Sprintf("at most %d bytes", build.MaxManuscript)}},
}

// readForm reads the parts of a multipart body; parts it does not know are passed over.
func readForm(r *http.Request) (f manuscriptForm, err error) {
	media, parameters, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil || media != "multipart/form-data" || parameters["boundary"] == "" {
		return f, fault.Of(fault.UnsupportedType, "Content-Type", r.Header.Get("Content-Type"),
			"multipart/form-data with the fields file, title, author and project_id")
	}
	given := map[string]string{}
	seen := map[string]bool{}
	parts := multipart.NewReader(r.Body, parameters["boundary"])
	for n := 0; ; n++ {
		p, err := parts.NextRawPart()
		if err == io.EOF {
			break
		}
		if err != nil || n > 50 {
			return f, formError(err)
		}
		name := p.FormName()
		switch name {
		default:
			continue
		case "file", "title", "author", "project_id":
			if seen[name] {
				return f, fault.Of(fault.Duplicate, name, "", "it once")
			}
			seen[name] = true
		}
		if name == "file" {
			f.filename = fileName(p.FileName())
			if f.file, err = io.ReadAll(io.LimitReader(p, build.MaxManuscript+1)); err != nil {
				return f, formError(err)
			}
			if len(f.file) > build.MaxManuscript {
				return f, errFileTooLarge
			}
			continue
		}
		b, err := io.ReadAll(io.LimitReader(p, maxField)) // a field cut off here is too long anyway
		if err != nil {
			return f, formError(err)
		}
		given[name] = string(b)
	}
	if !seen["file"] {
		return f, fault.Of(fault.Missing, "file", "", "the manuscript")
	}
	return f, f.describe(given["title"], given["author"], given["project_id"])
}

func formError(err error) error {
	var large *http.MaxBytesError
	if errors.As(err, &large) {
		return errFileTooLarge
	}
	return fault.New(fault.BadBody,
		"the form cannot be read: expected multipart/form-data with the fields file, title, author and project_id").Because(err)
}

// describe takes over what is said of the file; every fault is told at once.
func (f *manuscriptForm) describe(title, author, project string) error {
	var wrong []*fault.Fault
	text := func(name, given string) string {
		given = strings.TrimSpace(given)
		switch {
		case given == "":
			wrong = append(wrong, fault.Of(fault.Missing, name, "", fmt.Sprintf("1 to %d characters", maxText)))
		case utf8.RuneCountInString(given) > maxText || !manuscript.OneLine(given):
			wrong = append(wrong, fault.BadValue(name, given,
				fmt.Sprintf("1 to %d characters in one line, none of which is hidden or turns the others round", maxText)))
		}
		return given
	}
	f.title, f.author = text("title", title), text("author", author)
	var err error
	if project == "" {
		wrong = append(wrong, fault.Of(fault.Missing, "project_id", "", "the number of the project"))
	} else if f.project, err = strconv.ParseInt(strings.TrimSpace(project), 10, 64); err != nil || f.project < 1 {
		wrong = append(wrong, fault.BadValue("project_id", project, "the number of the project"))
	}
	return together(wrong)
}

// together makes one fault of several.
func together(all []*fault.Fault) error {
	if len(all) == 0 {
		return nil
	}
	one := *all[0]
	for _, f := range all[1:] {
		one.Message += "; " + f.Message
		one.Details = append(one.Details, f.Details...)
	}
	return &one
}

// fileName is the last part of a path, for people: no folder, no control character, bounded.
func fileName(s string) string {
	s = strings.ToValidUTF8(s, "\uFFFD")
	if i := strings.LastIndexAny(s, `/\`); i >= 0 {
		s = s[i+1:]
	}
	s = strings.TrimSpace(strings.Map(func(c rune) rune {
		if unicode.Is(unicode.Cf, c) || manuscript.Unfit(c) {
			return -1
		}
		return c
	}, s))
	if r := []rune(s); len(r) > maxFilename {
		s = string(r[len(r)-maxFilename:]) // the end tells the kind
	}
	if strings.Trim(s, ".") == "" {
		return "manuscript"
	}
	return s
}
