package books

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"time"

	"mappe/functions/books/build"
	"mappe/functions/books/records"
	"mappe/shared/book/preview"
	"mappe/shared/cloud/store"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/fault"
	"mappe/shared/web/htmlpage"
	"mappe/shared/web/reply"
)

// maxOutputs of a book are listed, the newest; maxFile bounds a file that is handed out.
const (
	maxOutputs = 1000
	maxFile    = 1 << 30
)

func (s *service) record() endpoint.Endpoint {
	return endpoint.Endpoint{
		Method: "GET", Path: "/api/books/{id}", ID: "book", Tag: "Build", Summary: "A book: its status, its files, why it failed",
		Doc:    "`status` is uploaded, converting, ready or error. While it is converting, `progress` says what is being done.",
		Params: []endpoint.AnyParam{pBook}, Answer: endpoint.Answer{Body: build.BookView{}}, Gate: s.gate(ofBook),
		Example: "/api/books/123456789",
		Serve: func(ctx context.Context, r *endpoint.Request) (reply.Answer, error) {
			id := visitOf(ctx).book.ID
			running, job, err := s.running(ctx, visitOf(ctx).project.ID)
			if err != nil {
				return nil, err
			}
			if running == nil || running.Book != id {
				job = nil
			}
			b, err := s.Records.Book(ctx, id) // read after the account: a build that has left it has told the book
			if err != nil {
				return nil, unavailable(err)
			}
			return &reply.Document{Body: build.View(b, s.public(r.HTTP), job)}, nil
		},
	}
}

type outputsBody struct {
	Outputs []build.OutputView `json:"outputs"`
}

func (s *service) outputs() endpoint.Endpoint {
	return endpoint.Endpoint{
		Method: "GET", Path: "/api/books/{id}/outputs", ID: "outputs", Tag: "Build",
		Summary: "Every file that was made of a book, newest first",
		Params:  []endpoint.AnyParam{pBook}, Answer: endpoint.Answer{Body: outputsBody{}}, Gate: s.gate(ofBook),
		Example: "/api/books/123456789/outputs",
		Serve: func(ctx context.Context, r *endpoint.Request) (reply.Answer, error) {
			b := visitOf(ctx).book
			rows, err := s.Records.Outputs(ctx, b.ID, maxOutputs)
			if err != nil {
				return nil, unavailable(err)
			}
			return &reply.Document{Body: outputsBody{build.OutputViews(b.ID, rows, s.public(r.HTTP))}}, nil
		},
	}
}

// fileForm is the format in the path of a download.
type fileForm string

var (
	pFormat  = endpoint.Enum("format", "Format of the file.", []fileForm{"pdf", "epub"}, endpoint.Example("pdf"))
	pEdition = endpoint.Enum("kind", "Only files of this kind; absent: the newest of any.", []fileForm{"final", "proof"})
	pOutput  = endpoint.Int("output_id", "Number of the file.", endpoint.AtLeast(1), endpoint.Example("1"))
)

var downloadAnswers = []endpoint.Other{
	{Status: http.StatusOK, Doc: "The e-book.", ContentType: "application/epub+zip"},
	{Status: http.StatusFound, Doc: "The file is larger than the service sends: it is fetched from an address that is good for ten minutes.", ContentType: "text/plain"},
	{Status: http.StatusNotFound, Doc: "There is no such file.", Body: fault.Schema()},
}

func (s *service) downloadNewest() endpoint.Endpoint {
	return endpoint.Endpoint{
		Method: "GET", Path: "/api/books/{id}/download/{format}", ID: "download", Tag: "Build", Summary: "The newest file of a format",
		Params: []endpoint.AnyParam{pBook, pFormat, pEdition}, Answer: endpoint.Answer{ContentType: "application/pdf",
			Others: downloadAnswers}, Gate: s.gate(ofBook),
		Example: "/api/books/123456789/download/pdf?kind=proof",
		Serve: func(ctx context.Context, r *endpoint.Request) (reply.Answer, error) {
			b := visitOf(ctx).book
			format, edition := string(pFormat.Of(r)), ""
			if pEdition.Given(r) {
				edition = string(pEdition.Of(r))
			}
			rows, err := s.Records.Outputs(ctx, b.ID, maxOutputs)
			if err != nil {
				return nil, unavailable(err)
			}
			for _, o := range rows {
				if o.Format == format && (edition == "" || o.Edition == edition) {
					return s.hand(ctx, b, o)
				}
			}
			what := format
			if edition != "" {
				what = edition + " " + format
			}
			return nil, fault.New(fault.NotFound, "the book has no %s yet: build it with POST /api/books/%d/convert", what, b.ID)
		},
	}
}

func (s *service) downloadOutput() endpoint.Endpoint {
	return endpoint.Endpoint{
		Method: "GET", Path: "/api/books/{id}/outputs/{output_id}/download", ID: "download_output", Tag: "Build", Summary: "One file",
		Params: []endpoint.AnyParam{pBook, pOutput}, Answer: endpoint.Answer{ContentType: "application/pdf", Others: downloadAnswers},
		Gate:    s.gate(ofBook),
		Example: "/api/books/123456789/outputs/1/download",
		Serve: func(ctx context.Context, r *endpoint.Request) (reply.Answer, error) {
			b := visitOf(ctx).book
			o, err := s.Records.Output(ctx, b.ID, int64(pOutput.Of(r)))
			if errors.Is(err, records.ErrNotFound) {
				return nil, fault.Missed("output", fmt.Sprint(pOutput.Of(r)))
			}
			if err != nil {
				return nil, unavailable(err)
			}
			return s.hand(ctx, b, o)
		},
	}
}

// fetchLife is how long a presigned address of a file is good.
const fetchLife = 10 * time.Minute

// hand gives a file out, or the address where it is fetched.
func (s *service) hand(ctx context.Context, b records.Book, o records.Output) (reply.Answer, error) {
	name := build.FileName(b.Title, o)
	again := fmt.Sprintf("build the book again with POST /api/books/%d/convert, or ask the studio, which can bring it back for 30 days",
		b.ID)
	if signer, ok := s.Store.(store.Presigner); ok && s.MaxAnswer > 0 && o.Size > s.MaxAnswer {
		if _, err := store.Stat(ctx, s.Store, o.Key); err != nil {
			return nil, gone(err, "the file", again)
		}
		address, err := signer.PresignGet(ctx, o.Key, name, fetchLife)
		if err != nil {
			return nil, unavailable(err)
		}
		return &reply.Redirect{Location: address, Status: http.StatusFound}, nil
	}
	body, err := build.ReadObject(ctx, s.Store, o.Key, maxFile)
	if err != nil {
		return nil, gone(err, "the file", again)
	}
	h := http.Header{"Content-Length": {strconv.Itoa(len(body))}} // HEAD tells it too
	return &reply.Bytes{ContentType: build.MediaTypes[o.Format], Body: body, Filename: name, Header: h}, nil
}

type previewBody struct {
	OutputID int64         `json:"output_id" doc:"of the print file these pages are of"`
	Width    float64       `json:"width_pt"`
	Height   float64       `json:"height_pt"`
	Pages    []previewItem `json:"pages" doc:"in order; the first is a right-hand page"`
	PageURL  string        `json:"page_url" doc:"with the number of a page, from 1, behind it: an SVG"`
}

type previewItem struct {
	Folio string `json:"folio"`
	Blank bool   `json:"blank,omitempty"`
}

// proof finds the newest proof that has pages to show.
func (s *service) proof(ctx context.Context, b records.Book) (records.Output, preview.List, error) {
	rows, err := s.Records.Outputs(ctx, b.ID, maxOutputs)
	if err != nil {
		return records.Output{}, preview.List{}, unavailable(err)
	}
	for _, o := range rows {
		if o.Format != "pdf" || o.Edition != records.Proof {
			continue
		}
		raw, err := build.ReadObject(ctx, s.Store, b.Key(build.PreviewList(o)), maxReport)
		if errors.Is(err, store.ErrNotFound) {
			continue
		}
		var list preview.List
		if err == nil {
			err = json.Unmarshal(raw, &list)
		}
		return o, list, unavailable(err)
	}
	return records.Output{}, preview.List{},
		fault.New(fault.NotFound, "the book has no proof to show yet: build one with POST /api/books/%d/convert", b.ID)
}

func (s *service) previewList() endpoint.Endpoint {
	return endpoint.Endpoint{
		Method: "GET", Path: "/api/books/{id}/preview", ID: "preview", Tag: "Build", Summary: "The pages of the newest proof",
		Params: []endpoint.AnyParam{pBook}, Answer: endpoint.Answer{Body: previewBody{}}, Gate: s.gate(ofBook),
		Example: "/api/books/123456789/preview",
		Serve: func(ctx context.Context, r *endpoint.Request) (reply.Answer, error) {
			b := visitOf(ctx).book
			o, list, err := s.proof(ctx, b)
			if err != nil {
				return nil, err
			}
			body := previewBody{OutputID: o.ID, Width: list.WidthPt, Height: list.HeightPt,
				PageURL: fmt.Sprintf("%s/api/books/%d/preview/", s.public(r.HTTP), b.ID), Pages: []previewItem{}}
			for _, p := range list.Pages {
				body.Pages = append(body.Pages, previewItem{p.Folio, p.Blank})
			}
			return &reply.Document{Body: body}, nil
		},
	}
}

var pPage = endpoint.Int("page", "Page of the proof, from 1.", endpoint.AtLeast(1), endpoint.Example("1"))

// maxSVG bounds a page of a preview, unpacked.
const maxSVG = 64 << 20

// previewHeader are the headers of a page as a picture: it holds pictures, no style and no script.
var previewHeader = htmlpage.Policy{Images: []string{"data:"}}.Header()

func (s *service) previewPage() endpoint.Endpoint {
	return endpoint.Endpoint{
		Method: "GET", Path: "/api/books/{id}/preview/{page}", ID: "preview_page", Tag: "Build",
		Summary: "A page of the newest proof as a picture",
		Params:  []endpoint.AnyParam{pBook, pPage}, Answer: endpoint.Answer{ContentType: "image/svg+xml"}, Gate: s.gate(ofBook),
		Example: "/api/books/123456789/preview/1",
		Serve: func(ctx context.Context, r *endpoint.Request) (reply.Answer, error) {
			b, n := visitOf(ctx).book, pPage.Of(r)
			o, list, err := s.proof(ctx, b)
			if err != nil {
				return nil, err
			}
			if n > len(list.Pages) {
				return nil, fault.New(fault.NotFound, "the proof has %d pages", len(list.Pages))
			}
			at := list.Pages[n-1]
			svg, err := s.unpack(ctx, b.Key(build.PreviewPages(o)), store.Range{Offset: at.Offset, Length: at.Size})
			if err != nil {
				return nil, gone(err, "the preview of the proof", fmt.Sprintf("build a proof again with POST /api/books/%d/convert", b.ID))
			}
			return &reply.Bytes{ContentType: "image/svg+xml", Body: svg, Header: previewHeader}, nil
		},
	}
}

func (s *service) unpack(ctx context.Context, key string, part store.Range) ([]byte, error) {
	o, err := s.Store.Get(ctx, key, store.GetOptions{Range: &part, Plain: true})
	if err != nil {
		return nil, err
	}
	defer o.Body.Close()
	z, err := gzip.NewReader(o.Body)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", key, err)
	}
	var b bytes.Buffer
	if _, err := b.ReadFrom(io.LimitReader(z, maxSVG)); err != nil {
		return nil, fmt.Errorf("%s: %w", key, err)
	}
	return b.Bytes(), nil
}
