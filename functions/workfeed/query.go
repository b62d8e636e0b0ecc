package workfeed

import (
	"context"
	"errors"
	"net/url"
	"strconv"
	"strings"
	"time"

	"mappe/functions/workfeed/worklog"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/fault"
)

// The bounds of a page.
const (
	defaultLimit = 50
	maxLimit     = 500
)

var (
	pLimit = endpoint.Int("limit", "Entries in one answer at most.", endpoint.Between(1, maxLimit),
		endpoint.Default(strconv.Itoa(defaultLimit)))
	pSince = endpoint.Parsed("since", "Only entries completed later than this: an RFC 3339 time, or a date for its beginning in UTC.",
		parseSince, endpoint.Example("2026-11-01T00:00:00Z"))
	pBoard    = endpoint.Parsed("board", boardDoc, parseName, endpoint.Between(1, 4*worklog.MaxBoard))
	pAssignee = endpoint.Parsed("assignee", assigneeDoc, parseName, endpoint.Between(1, 4*worklog.MaxAssignee))
	pTag      = endpoint.Parsed("tag", "Only entries whose title begins with this tag in brackets, in any case.", parseTag,
		endpoint.Example("design"))
	pBefore = endpoint.Parsed("before",
		"The page behind an entry: the member `before` of the answer before. It holds over changes: walking the pages meets each entry once.", worklog.ParseBefore)
	pAfter = endpoint.Parsed("after",
		"What was recorded since an earlier answer, in the order of recording, oldest first: the member `after` of that answer, or 0 for the beginning. "+
			"Unlike `since` it misses nothing that is recorded late with an early completed_at.", worklog.ParseAfter)
)

const (
	boardDoc    = "Only entries of this board; the whole name."
	assigneeDoc = "Only entries of this assignee; the whole name."
)

// query is a question to the feed.
type query struct {
	filter        worklog.Filter
	since         time.Time
	before, after worklog.Cursor
	recorded      bool // by after: in the order of recording
	limit         int
}

func parseSince(text string) (time.Time, error) {
	for _, layout := range []string{time.RFC3339Nano, time.DateOnly} {
		// An offset can take the time out of the years that four digits write: the links of a page must be readable.
		if t, err := time.Parse(layout, text); err == nil && t.UTC().Year() >= 0 && t.UTC().Year() <= 9999 {
			return t.UTC(), nil
		}
	}
	return time.Time{}, errors.New("a time such as 2026-11-01T00:00:00Z (a + in a query is written %2B), or a date such as 2026-11-01")
}

// parseName takes off the blanks around a name, as entries are recorded without them. Nothing but blanks is
// no name: it would select everything.
func parseName(text string) (string, error) {
	if text = strings.TrimSpace(text); text == "" {
		return "", errors.New("a name, not only blanks")
	}
	return text, nil
}

func parseTag(text string) (string, error) {
	bare := strings.TrimSpace(text)
	if strings.HasPrefix(bare, "[") && strings.HasSuffix(bare, "]") {
		bare = bare[1 : len(bare)-1]
	}
	tag := worklog.TagOf("[" + bare + "]")
	if tag == "" || strings.Contains(bare, "]") {
		return "", errors.New("a tag of 1 to " + strconv.Itoa(worklog.MaxTag) + " characters, without its brackets")
	}
	return tag, nil
}

func queryOf(r *endpoint.Request) (query, error) {
	q := query{
		filter: worklog.Filter{Board: pBoard.Of(r), Assignee: pAssignee.Of(r), Tag: pTag.Of(r)},
		since:  pSince.Of(r), before: pBefore.Of(r), after: pAfter.Of(r), recorded: pAfter.Given(r), limit: pLimit.Of(r),
	}
	if q.recorded && pBefore.Given(r) {
		return q, fault.Of(fault.Conflict, "after", q.after.String(), "either after or before: they walk in different orders")
	}
	return q, nil
}

// values is the query in its canonical order, without cursors.
func (q query) values() url.Values {
	v := url.Values{}
	for name, text := range map[string]string{"board": q.filter.Board, "assignee": q.filter.Assignee, "tag": q.filter.Tag} {
		if text != "" {
			v.Set(name, text)
		}
	}
	if !q.since.IsZero() {
		v.Set("since", q.since.Format(time.RFC3339Nano))
	}
	return v
}

// next is the query of the page that follows.
func (q query) next(p worklog.Page) url.Values {
	v := q.values()
	if q.limit != defaultLimit {
		v.Set("limit", strconv.Itoa(q.limit))
	}
	if q.recorded {
		v.Set("after", p.After.String())
	} else {
		v.Set("before", p.Before.String())
	}
	return v
}

func address(path string, v url.Values) string {
	if len(v) == 0 {
		return path
	}
	return path + "?" + v.Encode()
}

// read asks the log.
func (s *service) read(ctx context.Context, q query) (worklog.Page, error) {
	var p worklog.Page
	var err error
	if q.recorded {
		p, err = s.log.Recorded(ctx, worklog.Query{Mark: markOf(ctx), Filter: q.filter, Since: q.since, Behind: q.after, Limit: q.limit})
	} else {
		p, err = s.log.Newest(ctx, worklog.Query{Mark: markOf(ctx), Filter: q.filter, Since: q.since, Behind: q.before, Limit: q.limit})
	}
	if errors.Is(err, worklog.ErrOtherLog) {
		return p, fault.Of(fault.BadCursor, "after", q.after.String(), "a cursor of this feed: start again without one")
	}
	if err != nil {
		return p, unavailable(err)
	}
	return p, nil
}
