package books

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"mappe/functions/books/build"
	"mappe/functions/books/records"
	"mappe/shared/cloud/store"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/fault"
	"mappe/shared/web/reply"
)

// uploadLife is how long a presigned address is good.
const uploadLife = time.Hour

type largeForm struct {
	Filename  string `json:"filename" doc:"name of the file, with its ending"`
	Size      int64  `json:"size_bytes" doc:"exactly, 1 to 52428800"`
	Title     string `json:"title" doc:"1 to 300 characters"`
	Author    string `json:"author" doc:"1 to 300 characters"`
	ProjectID int64  `json:"project_id"`
}

type largeBody struct {
	uploadedBody
	Upload   uploadAddress `json:"upload" doc:"takes the file once: whoever sent another one begins a new upload"`
	Complete string        `json:"complete_url" doc:"POST here when the file has arrived"`
}

type uploadAddress struct {
	Method  string            `json:"method" doc:"PUT"`
	URL     string            `json:"url" doc:"takes the bytes of the file; needs no token where it leads to the object store"`
	Headers map[string]string `json:"headers" doc:"to be sent exactly so"`
	Expires string            `json:"expires_at"`
}

var bLarge = endpoint.Body[largeForm]("an object with filename, size_bytes, title, author and project_id", 16<<10)

func (s *service) uploadLarge() endpoint.Endpoint {
	return endpoint.Endpoint{
		Method: "POST", Path: "/api/books/upload/large", ID: "upload_large", Tag: "Manuscript",
		Summary: "Begin the upload of a large manuscript",
		Doc: "Three steps with the checks of the upload in one: this call makes a book with the status `awaiting_file`; `upload` says where to PUT the bytes (an address of the object store that is good for an hour, " +
			"or one of this service); a POST to `complete_url` has the file looked at and makes the book `uploaded`.",
		Body: bLarge, Gate: s.gate(anyProject), Answer: endpoint.Answer{Status: http.StatusCreated, Body: largeBody{}},
		Example:     "/api/books/upload/large",
		ExampleBody: `{"filename":"atlas.docx","size_bytes":12582912,"title":"The Atlas","author":"Mira Example","project_id":1}`,
		Serve: func(ctx context.Context, r *endpoint.Request) (reply.Answer, error) {
			in := bLarge.Of(r)
			var f manuscriptForm
			project := ""
			if in.ProjectID != 0 {
				project = strconv.FormatInt(in.ProjectID, 10)
			}
			if err := f.describe(in.Title, in.Author, project); err != nil {
				return nil, err
			}
			switch {
			case strings.TrimSpace(in.Filename) == "":
				return nil, fault.Of(fault.Missing, "filename", "", "the name of the file")
			case in.Size < 1:
				return nil, fault.BadValue("size_bytes", strconv.FormatInt(in.Size, 10), fmt.Sprintf("1 to %d", build.MaxManuscript))
			case in.Size > build.MaxManuscript:
				return nil, errFileTooLarge
			}
			if _, ok := visitOf(ctx).opened[f.project]; !ok {
				return nil, errUnauthorized
			}
			if _, err := s.live(ctx, f.project); err != nil {
				return nil, err
			}
			b := records.Book{Project: f.project, Title: f.title, Author: f.author, Filename: fileName(in.Filename), Size: in.Size,
				Status: records.Awaiting}
			b, err := s.addBook(ctx, b, func(records.Book) error { return nil })
			if err != nil {
				return nil, unavailable(err)
			}
			own := fmt.Sprintf("%s/api/books/%d", s.public(r.HTTP), b.ID)
			body := largeBody{uploadedView(b), uploadAddress{"PUT", own + "/file", map[string]string{},
				s.Records.Now().Add(uploadLife).Format(time.RFC3339)}, own + "/complete"}
			if signer, ok := s.Store.(store.Presigner); ok {
				address, headers, err := signer.PresignPut(ctx, b.SourceKey(), in.Size, uploadLife)
				if err != nil {
					return nil, unavailable(err)
				}
				body.Upload.URL = address
				for name := range headers {
					if name != "Content-Length" { // every client sends it by itself
						body.Upload.Headers[name] = headers.Get(name)
					}
				}
			}
			return &reply.Document{Status: http.StatusCreated, Body: body}, nil
		},
	}
}

var bFile = endpoint.Unread("application/octet-stream", "the bytes of the file", build.MaxManuscript, nil)

// errArrived: the file stands in the store, nobody has looked at it yet.
var errArrived = fault.New(fault.Exists, "the file is there: POST to complete_url; another file is a new upload")

// errNotAwaited: the book has its file.
var errNotAwaited = fault.New(fault.Exists, "the book has its file: every upload makes a new book")

func (s *service) uploadFile() endpoint.Endpoint {
	return endpoint.Endpoint{
		Method: "PUT", Path: "/api/books/{id}/file", ID: "upload_file", Tag: "Manuscript", Summary: "The bytes of a large manuscript",
		Doc:    "Where the service stands before no object store, `upload.url` of a large upload leads here.",
		Params: []endpoint.AnyParam{pBook}, Body: bFile, Gate: s.gate(ofBook), Example: "/api/books/123456789/file",
		Answer: endpoint.Answer{Body: uploadedBody{},
			Others: []endpoint.Other{{Status: http.StatusConflict, Doc: "The file is there already.", Body: fault.Schema()}}},
		Serve: func(ctx context.Context, r *endpoint.Request) (reply.Answer, error) {
			b := visitOf(ctx).book
			if b.Status != records.Awaiting {
				return nil, errNotAwaited
			}
			var file bytes.Buffer
			if _, err := file.ReadFrom(r.HTTP.Body); err != nil {
				return nil, formError(err)
			}
			if int64(file.Len()) != b.Size {
				return nil, fault.BadValue("file", fmt.Sprintf("%d bytes", file.Len()), fmt.Sprintf("the %d bytes that were told", b.Size))
			}
			_, err := s.Store.Put(ctx, b.SourceKey(), file.Bytes(),
				store.PutOptions{IfMatch: store.Absent, Headers: store.Headers{ContentType: "application/octet-stream",
					CacheControl: "private, no-store"}})
			if errors.Is(err, store.ErrPrecondition) {
				return nil, errArrived
			}
			if err != nil {
				return nil, unavailable(err)
			}
			return &reply.Document{Body: uploadedView(b)}, nil
		},
	}
}

func (s *service) uploadDone() endpoint.Endpoint {
	return endpoint.Endpoint{
		Method: "POST", Path: "/api/books/{id}/complete", ID: "upload_complete", Tag: "Manuscript",
		Summary: "The file of a large upload has arrived",
		Doc:     "Looks at the file as the upload in one does: 400 where it is no manuscript or not the size that was told. The same call again answers the same.",
		Params:  []endpoint.AnyParam{pBook}, Gate: s.gate(ofBook), Example: "/api/books/123456789/complete",
		Answer: endpoint.Answer{Body: uploadedBody{},
			Others: []endpoint.Other{{Status: http.StatusConflict, Doc: "The file has not arrived yet.", Body: fault.Schema()}}},
		Serve: func(ctx context.Context, r *endpoint.Request) (reply.Answer, error) {
			b := visitOf(ctx).book
			if b.Status != records.Awaiting {
				return &reply.Document{Body: uploadedBody{b.Author, b.ID, string(records.Uploaded), b.Title}}, nil
			}
			if _, err := s.live(ctx, b.Project); err != nil {
				return nil, err
			}
			file, err := build.Source(ctx, s.Store, b)
			if errors.Is(err, store.ErrNotFound) {
				return nil, fault.New(fault.Exists, "the file has not arrived yet: PUT it to the address that the upload gave")
			}
			if err != nil {
				return nil, unavailable(err)
			}
			if int64(len(file)) != b.Size {
				return nil, fault.BadValue("file", fmt.Sprintf("%d bytes", len(file)), fmt.Sprintf("the %d bytes that were told", b.Size))
			}
			if err := s.look(b.Filename, file); err != nil {
				return nil, err
			}
			sum := sha256.Sum256(file)
			if b, err = s.Records.Arrived(ctx, b.ID, b.Size, hex.EncodeToString(sum[:])); err != nil {
				return nil, unavailable(err)
			}
			return &reply.Document{Body: uploadedView(b)}, nil
		},
	}
}
