package workfeed

import (
	"context"
	"net/http"
	"time"

	"mappe/functions/workfeed/worklog"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/fault"
	"mappe/shared/web/reply"
)

// form is a form of the feed.
type form string

const (
	formJSON     form = "json"
	formJSONFeed form = "jsonfeed"
	formAtom     form = "atom"
)

func allForms() []form { return []form{formJSON, formJSONFeed, formAtom} }

var mediaTypes = map[form]string{formJSON: "application/json", formJSONFeed: "application/feed+json", formAtom: "application/atom+xml"}

var pForm = endpoint.Enum("format", "Form of the answer. Where it is absent, the Accept header chooses; json is the default.", allForms())

// entryBody is an entry as clients see it.
type entryBody struct {
	TaskID      string `json:"task_id"`
	Board       string `json:"board"`
	Assignee    string `json:"assignee" doc:"empty where no name is given"`
	Title       string `json:"title" doc:"whole, with its tag in brackets"`
	Summary     string `json:"summary" doc:"plain text, lines are kept"`
	ID          string `json:"id" doc:"UUID made by this service"`
	CompletedAt string `json:"completed_at" doc:"UTC, RFC 3339, at most microseconds"`
	Tag         string `json:"tag" doc:"of the title, in lower case; empty without one"`
}

func bodyOf(e *worklog.Entry) entryBody {
	return entryBody{e.TaskID, e.Board, e.Assignee, e.Title, e.Summary, e.ID, instant(e.CompletedAt), e.Tag}
}

func instant(t time.Time) string { return t.UTC().Format(time.RFC3339Nano) }

type feedBody struct {
	Count   int         `json:"count" doc:"entries in this answer"`
	Entries []entryBody `json:"entries"`
	More    bool        `json:"more" doc:"a further page is there: the link rel=next"`
	Before  string      `json:"before,omitempty" doc:"give it as before= for the next page"`
	After   string      `json:"after" doc:"give it as after= for what is recorded from now on"`
}

func (s *service) feed() endpoint.Endpoint {
	return endpoint.Endpoint{
		Method: "GET", Path: "/work/feed", ID: "feed", Tag: "Feed", Summary: "Completed tasks, newest first",
		Doc: "Sorted by completed_at, newest first, ties by id. Pages are walked with `before`; `Link: rel=\"next\"` names the next one. " +
			"A poller asks once without a cursor and from then on with `after`, until `more` is false; an entry can come twice between the two, its `id` is the same. " +
			"Also as JSON Feed 1.1 and as Atom.",
		Params: []endpoint.AnyParam{pLimit, pBefore, pAfter, pSince, pBoard, pAssignee, pTag, pForm},
		Answer: endpoint.Answer{Body: feedBody{}, Others: []endpoint.Other{
			{Status: http.StatusOK, Doc: "JSON Feed 1.1.", ContentType: mediaTypes[formJSONFeed], Body: jsonFeed{}},
			{Status: http.StatusOK, Doc: "Atom (RFC 4287).", ContentType: mediaTypes[formAtom]},
		}},
		Cache: endpoint.Brief, Example: "/work/feed?limit=5",
		Variant: func(r *endpoint.Request) string {
			f := formOf(r)
			if f == formJSON {
				return string(f)
			}
			return string(f) + " " + s.public(r.HTTP) // these write addresses
		},
		Serve: s.serveFeed,
	}
}

// formOf is the form that format= or else Accept names.
func formOf(r *endpoint.Request) form {
	if pForm.Given(r) {
		return pForm.Of(r)
	}
	chosen := reply.AcceptedType(r.HTTP.Header, mediaTypes[formJSON], mediaTypes[formJSONFeed], mediaTypes[formAtom])
	for _, f := range allForms() {
		if mediaTypes[f] == chosen {
			return f
		}
	}
	return formJSON
}

func (s *service) serveFeed(ctx context.Context, r *endpoint.Request) (reply.Answer, error) {
	q, err := queryOf(r)
	if err != nil {
		return nil, err
	}
	f := formOf(r)
	if callback := r.HTTP.URL.Query().Get("callback"); callback != "" && f != formJSON {
		return nil, fault.Of(fault.Conflict, "callback", callback, "no callback with format="+string(f)+": JSONP carries json")
	}
	p, err := s.read(ctx, q)
	if err != nil {
		return nil, err
	}
	h := http.Header{}
	if p.More {
		h.Set("Link", "<"+address(endpoint.Prefix(r.HTTP)+"/work/feed", q.next(p))+`>; rel="next"`)
	}
	w := document{service: s.public(r.HTTP), query: q, page: p, changed: markOf(ctx).Changed}
	switch f {
	case formJSONFeed:
		body, err := w.jsonFeed()
		return &reply.Bytes{ContentType: mediaTypes[f] + "; charset=utf-8", Body: body, Header: h}, err
	case formAtom:
		body, err := w.atom()
		return &reply.Bytes{ContentType: mediaTypes[f] + "; charset=utf-8", Body: body, Header: h}, err
	}
	b := feedBody{Count: len(p.Entries), Entries: make([]entryBody, len(p.Entries)), More: p.More, After: p.After.String()}
	for i := range p.Entries {
		b.Entries[i] = bodyOf(&p.Entries[i])
	}
	if p.More && !q.recorded {
		b.Before = p.Before.String()
	}
	return &reply.Document{Body: b, Header: h}, nil
}
