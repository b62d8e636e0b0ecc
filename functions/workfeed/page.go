package workfeed

import (
	"context"
	_ "embed"
	"strings"

	"mappe/functions/workfeed/worklog"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/htmlpage"
	"mappe/shared/web/reply"
)

// The page holds its only style sheet, which the policy names by its hash; it runs no script.
//
//go:embed page/page.css
var pageCSS string

// pagePolicy lets the page do nothing but show itself and send its form back here.
var pagePolicy = htmlpage.Policy{Styles: []string{pageCSS}, Images: []string{"data:"}, Forms: true}

// A form sends the fields that were left empty too: to the page they say nothing.
var (
	pageSince = endpoint.Parsed("since", "Only entries completed later than this: a date, or an RFC 3339 time.", emptyOr(parseSince),
		endpoint.Between(0, 100))
	pageBoard    = endpoint.Parsed("board", boardDoc, emptyOr(parseName), endpoint.Between(0, 4*worklog.MaxBoard))
	pageAssignee = endpoint.Parsed("assignee", assigneeDoc, emptyOr(parseName), endpoint.Between(0, 4*worklog.MaxAssignee))
	pageTag      = endpoint.Parsed("tag", "Only entries whose title begins with this tag in brackets, in any case.", emptyOr(parseTag),
		endpoint.Between(0, 4*worklog.MaxTag))
)

func emptyOr[T any](parse func(string) (T, error)) func(string) (T, error) {
	return func(text string) (v T, err error) {
		if strings.TrimSpace(text) == "" {
			return v, nil
		}
		return parse(text)
	}
}

func (s *service) page() endpoint.Endpoint {
	header := pagePolicy.Header()
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
			m := view{prefix: endpoint.Prefix(r.HTTP), query: q, page: p, later: pBefore.Given(r)}
			return &reply.Bytes{ContentType: htmlpage.ContentType, Body: m.html(), Header: header}, nil
		},
	}
}
