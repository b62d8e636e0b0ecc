// Package books is the book production service: projects and passes, uploads, preflight reports, builds of
// print PDFs and EPUBs, their downloads, the back-of-book index, the transmittal and the Word template. It
// owns the HTTP side; records are functions/books/records, the work of a build is functions/books/build, and
// what makes a book is shared/book/press. The local cloud and the Lambda main mount New.
//
// Nothing is answered without a project's token, and a token opens nothing but its own project.
package books

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"time"

	"mappe/functions/books/build"
	"mappe/functions/books/page"
	"mappe/functions/books/records"
	"mappe/functions/sibling"
	"mappe/shared/book/press"
	"mappe/shared/cloud/jobs"
	"mappe/shared/cloud/store"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/fault"
	"mappe/shared/web/sentences"
)

// Version of the interface: what an answer holds is only added to.
const Version = "1.0.0"

// Deps are what the service is given. Without Records it is described and answers 503.
type Deps struct {
	Records *records.Records
	Store   store.Store
	Queue   *jobs.Queue // of build.Works
	Press   press.Parts
	// PublicURL is the address of the service in the outside world ("https://host/books"); "" takes it from
	// each request, which is right only where no proxy changes the host.
	PublicURL string
	// MaxAnswer is the largest file in bytes that the service sends itself; what is larger is fetched from a
	// presigned address where the store has them. 0: no bound.
	MaxAnswer int64
	// FilesOrigin is the origin that presigned uploads go to ("https://bucket.example"); the authors' page
	// may send there. "" where the service takes them itself.
	FilesOrigin string
	Logger      *slog.Logger // nil: silent
}

type service struct {
	Deps
	width chan struct{} // readings of manuscripts at once
	reads bool          // writes nothing: not even the job that a running build has lost
}

// readings is how many manuscripts are read at once by one process: each may take 150 MB.
const readings = 2

// New is the service.
func New(d Deps) *endpoint.Service {
	d.PublicURL = strings.TrimSuffix(d.PublicURL, "/")
	if d.Logger == nil {
		d.Logger = slog.New(slog.DiscardHandler)
	}
	s := &service{Deps: d, width: make(chan struct{}, readings)}
	all := []endpoint.Endpoint{
		s.projects(), s.pass(), s.books(),
		s.upload(), s.uploadLarge(), s.uploadFile(), s.uploadDone(),
		s.preflightRun(), s.preflightLatest(), s.preflightReport(),
		s.convert(), s.record(), s.outputs(), s.downloadNewest(), s.downloadOutput(), s.previewList(), s.previewPage(),
		s.indexDraft(), s.indexRead(), s.indexEdit(),
		s.transmittal(), s.transmittalFill(), s.wordTemplate(),
	}
	for i := range all {
		all[i].Cache = endpoint.Live
		all[i].Answer.Others = append(all[i].Answer.Others,
			endpoint.Other{Status: http.StatusUnauthorized,
				Doc: "No token, or one that does not open this project: `{\"error\": \"unauthorized\"}`.", Body: unauthorizedBody{}})
	}
	shown := page.Default
	if d.FilesOrigin != "" {
		shown = sync.OnceValue(func() *page.Page { return page.New(page.Options{Files: []string{d.FilesOrigin}}) })
	}
	// these need no token: they hold nothing of anybody
	all = append(all, page.Endpoint(shown))
	all = append(all, sibling.None("books", "Books made of manuscripts: nothing of any KG")...)
	return &endpoint.Service{
		System: "books", Title: "Book production", Version: Version,
		Description: "A manuscript to a report in plain words, to proofs free of charge and to finals: a print PDF that printers take and an EPUB that shops take. " +
			"Every call needs the token of the project: `Authorization: Bearer TOKEN`, `X-Auth-Token: TOKEN` or the cookie `prodcal_auth_{project_id}`.",
		Endpoints: all, Log: d.Logger, German: []string{sentences.German, inGerman},
	}
}

// Reading is the service with the endpoints alone that say how far books, reports and passes are: for programs that ask in
// their own process and link no press. Of Deps it needs Records, Store and Queue, of which
// it reads.
func Reading(d Deps) *endpoint.Service {
	d.PublicURL = strings.TrimSuffix(d.PublicURL, "/")
	if d.Logger == nil {
		d.Logger = slog.New(slog.DiscardHandler)
	}
	s := &service{Deps: d, width: make(chan struct{}, readings), reads: true}
	all := []endpoint.Endpoint{s.pass(), s.books(), s.preflightLatest(), s.record(), s.outputs()}
	for i := range all {
		all[i].Cache = endpoint.Live
	}
	return &endpoint.Service{System: "books", Title: "Book production", Version: Version, Description: "How far books " +
		"are.", Endpoints: all, Log: d.Logger}
}

type unauthorizedBody struct {
	Error string `json:"error" doc:"unauthorized"`
}

var errNoRecords = fault.New(fault.Unavailable, "the book service has no records here")

// unavailable is the fault of records or files that cannot be reached; what was sent may be sent again.
func unavailable(err error) error {
	var f *fault.Fault
	if err == nil || errors.As(err, &f) || errors.Is(err, context.Canceled) {
		return err
	}
	return fault.Retry(fault.Unavailable, 5*time.Second, "the records cannot be reached just now: try again").Because(err)
}

// gone is unavailable for an object that a record names: where the store has none of it, asking again is of no use.
func gone(err error, what, instead string) error {
	if errors.Is(err, store.ErrNotFound) {
		return fault.New(fault.NotFound, "%s is not in the store any more: %s", what, instead).Because(err)
	}
	return unavailable(err)
}

// What is said of lost objects.
const (
	theManuscript = "the manuscript of the book"
	uploadAgain   = "upload it again as a new book, or ask the studio, which can bring it back for 30 days"
)

// public is the address of the service as its clients know it.
func (s *service) public(r *http.Request) string { return endpoint.Base(s.PublicURL, r) }

// reading lets few manuscripts be read at once.
func (s *service) reading(ctx context.Context, do func() error) error {
	select {
	case s.width <- struct{}{}:
	case <-ctx.Done():
		return ctx.Err()
	}
	defer func() { <-s.width }()
	return do()
}

// open has the press read a book's manuscript, by the specification its next build would have. A
// *press.Fault is the manuscript's; any other error is the service's.
func (s *service) open(ctx context.Context, b records.Book) (m press.Manuscript, err error) {
	data, err := s.specData(ctx, b.Project)
	if err != nil {
		return m, unavailable(err)
	}
	sp, err := build.Spec(data, b)
	if err != nil {
		return m, err
	}
	err = s.reading(ctx, func() error {
		source, err := build.Source(ctx, s.Store, b)
		if err != nil {
			return gone(err, theManuscript, uploadAgain)
		}
		m, err = s.Press.Open(b.Filename, source, sp)
		return err
	})
	return m, err
}
