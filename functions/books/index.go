package books

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"mappe/functions/books/build"
	"mappe/functions/books/records"
	"mappe/shared/book/bookindex"
	"mappe/shared/book/press"
	"mappe/shared/cloud/store"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/fault"
	"mappe/shared/web/reply"
)

type indexBody struct {
	BookID   int64             `json:"book_id"`
	Exists   bool              `json:"exists"`
	Status   string            `json:"status" doc:"none, draft, or reviewed once edits were saved"`
	Revision int64             `json:"revision" doc:"counts the drafts and edits"`
	Updated  string            `json:"updated_at,omitempty"`
	Carried  *records.Carried  `json:"carried,omitempty" doc:"what a draft has from the edited index of an earlier upload"`
	Entries  []bookindex.Entry `json:"entries"`
}

type indexForm struct {
	Entries  *[]bookindex.Entry `json:"entries" doc:"all entries of the index: what is left out is gone"`
	Revision int64              `json:"revision,omitempty" doc:"the revision that was edited: 409 where another came in between; absent: whatever is there is replaced"`
	Status   string             `json:"status,omitempty" doc:"reviewed; ignored otherwise"`
	BookID   int64              `json:"book_id,omitempty" doc:"ignored: the path names the book"`
	Exists   bool               `json:"exists,omitempty" doc:"ignored"`
	Updated  string             `json:"updated_at,omitempty" doc:"ignored"`
	Carried  json.RawMessage    `json:"carried,omitempty" doc:"ignored"`
}

// draftFrom is where a draft comes from.
type draftFrom string

var pFrom = endpoint.Enum("from",
	"manuscript: draft from the manuscript alone. Absent: a first draft takes over the edited index of an earlier upload.",
	[]draftFrom{"manuscript"})

const maxIndexBody = 5 << 20

var bIndex = endpoint.Body[indexForm]("an object with entries", maxIndexBody)

func (s *service) indexAnswer(b records.Book, state records.IndexState, entries []bookindex.Entry) reply.Answer {
	full := []bookindex.Entry{}
	for _, e := range entries { // a list that was left out is an empty one
		e.See, e.SeeAlso, e.Locators = append([]string{}, e.See...), append([]string{}, e.SeeAlso...),
			append([]bookindex.Locator{}, e.Locators...)
		full = append(full, e)
	}
	return &reply.Document{Body: indexBody{b.ID, true, state.Status, state.Revision, state.Updated.Format(time.RFC3339), state.Carried,
		full}}
}

func (s *service) indexDraft() endpoint.Endpoint {
	return endpoint.Endpoint{
		Method: "POST", Path: "/api/books/{id}/index/draft", ID: "index_draft", Tag: "Index", Summary: "Draft a back-of-book index",
		Doc: "From the entries marked in the manuscript (Word's XE fields), then from names and terms that occur at several places. It replaces what is there; earlier revisions are kept. " +
			"The pages are found anew at every build. A book that has no index yet takes over the edited one of an earlier upload, the newest book of the project with the same title: " +
			"`carried` says what came along. `from=manuscript` drafts from the manuscript alone, and so does a second draft.",
		Params: []endpoint.AnyParam{pBook, pFrom},
		Answer: endpoint.Answer{Body: indexBody{},
			Others: []endpoint.Other{{Status: http.StatusConflict, Doc: "The manuscript has not arrived yet, or cannot be read.",
				Body: fault.Schema()}}}, Gate: s.gate(ofBook), Example: "/api/books/123456789/index/draft",
		Serve: func(ctx context.Context, r *endpoint.Request) (reply.Answer, error) {
			b := visitOf(ctx).book
			m, err := s.readable(ctx, b)
			if err != nil {
				return nil, err
			}
			entries, carried, err := s.draft(ctx, b, m, !pFrom.Given(r))
			if err != nil {
				return nil, err
			}
			state, err := s.keepIndex(ctx, b, records.IndexState{Status: records.IndexDraft, Carried: carried}, entries, -1)
			if err != nil {
				return nil, err
			}
			return s.indexAnswer(b, state, entries), nil
		},
	}
}

// draft is what a book's index begins with: the edited one of an earlier upload where that may be and there
// is one, the manuscript's own otherwise.
func (s *service) draft(ctx context.Context, b records.Book, m press.Manuscript, earlier bool) ([]bookindex.Entry, *records.Carried,
	error) {
	if earlier {
		entries, carried, err := s.carry(ctx, b, m.Book)
		if !errors.Is(err, records.ErrNotFound) {
			return entries, carried, err
		}
	}
	return bookindex.Draft(m.Book), nil, nil
}

// readable is the manuscript of a book; a fault of it is a 409: the preflight report says how to mend it.
func (s *service) readable(ctx context.Context, b records.Book) (press.Manuscript, error) {
	if b.Status == records.Awaiting {
		return press.Manuscript{}, errAwaited
	}
	m, err := s.open(ctx, b)
	var f *press.Fault
	if errors.As(err, &f) {
		return m, fault.New(fault.Exists, "the manuscript cannot be read: %s", f.Plain)
	}
	return m, err
}

// keepIndex writes a revision: the entries first, then the state that names them. after is the revision it
// follows, -1 for whichever is there.
func (s *service) keepIndex(ctx context.Context, b records.Book, next records.IndexState, entries []bookindex.Entry,
	after int64) (records.IndexState, error) {
	body, err := json.Marshal(entries)
	if err != nil {
		return records.IndexState{}, err
	}
	for {
		before, err := s.Records.Index(ctx, b.ID)
		if err != nil && !errors.Is(err, records.ErrNotFound) {
			return before, unavailable(err)
		}
		if after >= 0 && before.Revision != after {
			return before, fault.New(fault.Exists, "the index is at revision %d: read it again before editing", before.Revision)
		}
		next.Revision, next.Entries = before.Revision+1, len(entries)
		next.Key = b.Key(fmt.Sprintf("index/%d-%d.json", next.Revision, records.NewBookID()))
		if _, err := s.Store.Put(ctx, next.Key, body,
			store.PutOptions{Headers: store.Headers{ContentType: "application/json", CacheControl: "private, no-store"}}); err != nil {
			return next, unavailable(err)
		}
		next, err = s.Records.PutIndex(ctx, b.ID, next)
		if !errors.Is(err, records.ErrExists) { // else another's write came through: they cannot keep each other waiting
			return next, unavailable(err)
		}
	}
}

func (s *service) indexRead() endpoint.Endpoint {
	return endpoint.Endpoint{
		Method: "GET", Path: "/api/books/{id}/index", ID: "index", Tag: "Index", Summary: "The index of a book: its status and entries",
		Params: []endpoint.AnyParam{pBook}, Answer: endpoint.Answer{Body: indexBody{}}, Gate: s.gate(ofBook),
		Example: "/api/books/123456789/index",
		Serve: func(ctx context.Context, r *endpoint.Request) (reply.Answer, error) {
			b := visitOf(ctx).book
			state, err := s.Records.Index(ctx, b.ID)
			if errors.Is(err, records.ErrNotFound) {
				return &reply.Document{Body: indexBody{BookID: b.ID, Status: "none", Entries: []bookindex.Entry{}}}, nil
			}
			if err != nil {
				return nil, unavailable(err)
			}
			entries, err := build.ReadEntries(ctx, s.Store, state.Key)
			if err != nil {
				return nil, gone(err, "the index", fmt.Sprintf("POST to /api/books/%d/index/draft?from=manuscript to draft it anew, or ask "+
					"the studio, which can bring it back for 30 days", b.ID))
			}
			return s.indexAnswer(b, state, entries), nil
		},
	}
}

func (s *service) indexEdit() endpoint.Endpoint {
	return endpoint.Endpoint{
		Method: "PUT", Path: "/api/books/{id}/index", ID: "index_edit", Tag: "Index", Summary: "Save the edited index",
		Doc: "The body of GET with what you changed, or its `entries` alone. Checked against the manuscript: a locator names a paragraph that is there, see and see also lead to entries that are there and in no circle; " +
			"an error names the entry and the field. The index is then `reviewed`.",
		Params: []endpoint.AnyParam{pBook}, Body: bIndex,
		Answer: endpoint.Answer{Body: indexBody{},
			Others: []endpoint.Other{{Status: http.StatusConflict, Doc: "There is no draft, or it has a newer revision.",
				Body: fault.Schema()}}}, Gate: s.gate(ofBook), Example: "/api/books/123456789/index",
		ExampleBody: `{"entries":[{"id":"atlas","term":"Atlas","sub":"","see":[],"see_also":[],"locators":[],"keep":true}]}`,
		Serve: func(ctx context.Context, r *endpoint.Request) (reply.Answer, error) {
			b, in := visitOf(ctx).book, bIndex.Of(r)
			switch {
			case in.Entries == nil:
				return nil, fault.Of(fault.Missing, "entries", "", "all entries of the index")
			case in.Revision < 0:
				return nil, fault.BadValue("revision", strconv.FormatInt(in.Revision, 10), "the revision that was edited, or none")
			}
			if _, err := s.Records.Index(ctx, b.ID); errors.Is(err, records.ErrNotFound) {
				return nil, fault.New(fault.Exists, "there is no draft to edit: POST to /api/books/%d/index/draft first", b.ID)
			} else if err != nil {
				return nil, unavailable(err)
			}
			m, err := s.readable(ctx, b)
			if err != nil {
				return nil, err
			}
			if err := bookindex.Validate(*in.Entries, m.Book); err != nil {
				return nil, entryFault(err)
			}
			after := int64(-1)
			if in.Revision > 0 {
				after = in.Revision
			}
			state, err := s.keepIndex(ctx, b, records.IndexState{Status: records.IndexReviewed}, *in.Entries, after)
			if err != nil {
				return nil, err
			}
			return s.indexAnswer(b, state, *in.Entries), nil
		},
	}
}

// entryFault tells each entry's error under its field.
func entryFault(err error) error {
	f := fault.New(fault.Invalid, "%s", err.Error())
	var walk func(error)
	walk = func(err error) {
		if many, ok := err.(interface{ Unwrap() []error }); ok {
			for _, one := range many.Unwrap() {
				walk(one)
			}
			return
		}
		var e *bookindex.EntryError
		if errors.As(err, &e) {
			f.Details = append(f.Details, fault.Detail{Parameter: fmt.Sprintf("entries[%d].%s", e.Entry, e.Field),
				Value: fault.Shorten(e.Term), Expected: e.Wrong})
		}
	}
	walk(err)
	return f
}
