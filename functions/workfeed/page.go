package workfeed

import (
	"bytes"
	"context"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"html/template"
	"net/http"
	"strconv"
	"time"

	"mappe/functions/workfeed/worklog"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/reply"
)

// The page holds its only style sheet, which the policy names by its hash; it runs no script.
//
//go:embed page/page.html
var pageHTML string

//go:embed page/page.css
var pageCSS string

var pageTemplate = template.Must(template.New("page").Funcs(template.FuncMap{
	"css": func() template.CSS { return template.CSS(pageCSS) },
}).Parse(pageHTML))

// policyOf lets the page do nothing but show itself and send its form back here.
func policyOf(css string) string {
	sum := sha256.Sum256([]byte(css))
	return "default-src 'none'; style-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) +
		"'; img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
}

// A form sends the fields that were left empty too: to the page they say nothing.
var (
	pageSince    = endpoint.Parsed("since", "Only entries completed later than this: a date, or an RFC 3339 time.", emptyOr(parseSince), endpoint.Between(0, 100))
	pageBoard    = pBoard.With(endpoint.Between(0, 4*worklog.MaxBoard))
	pageAssignee = pAssignee.With(endpoint.Between(0, 4*worklog.MaxAssignee))
	pageTag      = endpoint.Parsed("tag", "Only entries whose title begins with this tag in brackets, in any case.", emptyOr(parseTag), endpoint.Between(0, 4*worklog.MaxTag))
)

func emptyOr[T any](parse func(string) (T, error)) func(string) (T, error) {
	return func(text string) (v T, err error) {
		if text == "" {
			return v, nil
		}
		return parse(text)
	}
}

func (s *service) page() endpoint.Endpoint {
	header := http.Header{"Content-Security-Policy": {policyOf(pageCSS)}, "Referrer-Policy": {"no-referrer"}}
	return endpoint.Endpoint{
		Method: "GET", Path: "/hq/work", ID: "page", Tag: "Feed", Summary: "The feed as a page",
		Doc:     "The entries of /work/feed for people, with the filters as a form.",
		Params:  []endpoint.AnyParam{pLimit, pBefore, pageSince, pageBoard, pageAssignee, pageTag},
		Answer:  endpoint.Answer{ContentType: "text/html"},
		Cache:   endpoint.Brief,
		Example: "/hq/work",
		Serve: func(ctx context.Context, r *endpoint.Request) (reply.Answer, error) {
			q := query{
				filter: worklog.Filter{Board: pageBoard.Of(r), Assignee: pageAssignee.Of(r), Tag: pageTag.Of(r)},
				since:  pageSince.Of(r), before: pBefore.Of(r), limit: pLimit.Of(r),
			}
			p, err := s.read(ctx, q)
			if err != nil {
				return nil, err
			}
			v := newView(endpoint.Prefix(r.HTTP), q, p)
			v.Later = pBefore.Given(r)
			var b bytes.Buffer
			if err := pageTemplate.Execute(&b, v); err != nil {
				return nil, err
			}
			return &reply.Bytes{ContentType: "text/html; charset=utf-8", Body: b.Bytes(), Header: header}, nil
		},
	}
}

// view is what the page shows.
type view struct {
	Query                     query
	Since                     string
	Filtered, Later           bool
	Action, Newest, Older     string
	JSON, JSONFeed, Atom, API string
	Days                      []day
}

type day struct {
	Date, Text string
	Entries    []line
}

type line struct {
	worklog.Entry
	Bare, Instant, Clock          string
	ByBoard, ByAssignee, ByTagged string // the page with this filter
}

func newView(prefix string, q query, p worklog.Page) view {
	home, feed := prefix+"/hq/work", prefix+"/work/feed"
	as := func(f form) string {
		v := q.values()
		if f != formJSON {
			v.Set("format", string(f))
		}
		return address(feed, v)
	}
	v := view{
		Query: q, Action: home, Newest: address(home, q.values()), API: prefix + "/docs",
		JSON: as(formJSON), JSONFeed: as(formJSONFeed), Atom: as(formAtom), Filtered: len(q.values()) > 0,
	}
	if !q.since.IsZero() {
		v.Since = q.since.Format(time.DateOnly)
	}
	if p.More {
		v.Older = address(home, q.next(p))
	}
	narrowed := func(name, value string) string {
		values := q.values()
		values.Set(name, value)
		return address(home, values)
	}
	for _, e := range p.Entries {
		date := e.CompletedAt.Format(time.DateOnly)
		if n := len(v.Days); n == 0 || v.Days[n-1].Date != date {
			v.Days = append(v.Days, day{Date: date, Text: e.CompletedAt.Format("Monday, 2 January 2006")})
		}
		last := &v.Days[len(v.Days)-1]
		last.Entries = append(last.Entries, line{
			Entry: e, Bare: worklog.Untagged(e.Title), Instant: instant(e.CompletedAt), Clock: e.CompletedAt.Format("15:04"),
			ByBoard: narrowed("board", e.Board), ByAssignee: narrowed("assignee", e.Assignee), ByTagged: narrowed("tag", e.Tag),
		})
	}
	return v
}

// Limit is the page's limit where it is not the usual one, so that the form keeps it.
func (v view) Limit() string {
	if v.Query.limit == defaultLimit {
		return ""
	}
	return strconv.Itoa(v.Query.limit)
}

// Board, Assignee and Tag are the filters in the form.
func (v view) Board() string    { return v.Query.filter.Board }
func (v view) Assignee() string { return v.Query.filter.Assignee }
func (v view) Tag() string      { return v.Query.filter.Tag }
