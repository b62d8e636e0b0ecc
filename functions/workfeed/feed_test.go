package workfeed

import (
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

// sample has five tasks: c and d at one time, e told last although it was completed first.
func sample(t testing.TB, r *harness) {
	t.Helper()
	for _, b := range []string{
		`{"task_id":"a","board":"Atlas","assignee":"Mira","title":"[design] Legend","completed_at":"2026-11-01T10:00:00Z"}`,
		`{"task_id":"b","board":"Atlas","assignee":"Jon","title":"[Research] Borders","completed_at":"2026-11-02T10:00:00.123456Z"}`,
		`{"task_id":"c","board":"Survey","assignee":"Mira","title":"Print","completed_at":"2026-11-03T12:00:00+02:00"}`,
		`{"task_id":"d","board":"Survey","title":"[design] Colours","completed_at":"2026-11-03T10:00:00Z"}`,
		`{"task_id":"e","board":"Atlas","assignee":"Mira","title":"[design] Sketch","summary":"Late news.","completed_at":"2026-10-01T10:00:00Z"}`,
	} {
		r.post(t, b)
		r.clock.Advance(time.Minute)
	}
}

func TestFeedOrderAndFilters(t *testing.T) {
	r := newHarness(t)
	sample(t, r)
	twins := titles(r.get(t, "/work/feed?since=2026-11-03T00:00:00Z")) // the tie goes by id, which is random
	if twins != "c d" && twins != "d c" {
		t.Fatalf("the twins are %q", twins)
	}
	for _, c := range []struct{ query, want string }{
		{"", twins + " b a e"},
		{"limit=2", twins},
		{"board=Atlas", "b a e"},
		{"board=atlas", ""},
		{"assignee=Mira&board=Atlas", "a e"},
		{"tag=design&board=Atlas", "a e"},
		{"tag=DESIGN&assignee=Mira&board=Atlas&limit=1", "a"},
		{"tag=%5Bresearch%5D", "b"},
		{"tag=design&board=Survey", "d"},
		{"tag=design&board=Survey&assignee=Mira", ""},
		{"since=2026-11-02T10:00:00.123456Z", twins},
		{"since=2026-11-02T10:00:00.123455Z", twins + " b"},
		{"since=2026-11-02T10:00:00.1234559Z", twins + " b"},
		{"since=2026-11-02", twins + " b"},
		{"since=2026-11-03T11:00:00%2B01:00", ""},
		{"since=9999-12-31T23:59:59.999999999Z", ""},
		{"after=0", "a b c d e"},
		{"after=0&assignee=Mira", "a c e"},
		{"after=0&since=2026-11-01", "a b c d"},
	} {
		if got := titles(r.get(t, "/work/feed?"+c.query)); got != c.want {
			t.Errorf("%s: want %q, got %q", c.query, c.want, got)
		}
	}
	first := r.get(t, "/work/feed").Entries[2]
	if !regexp.MustCompile(`^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`).MatchString(first.ID) {
		t.Errorf("id %q is no UUID", first.ID)
	}
	first.ID = ""
	if want := (entryBody{TaskID: "b", Board: "Atlas", Assignee: "Jon", Title: "[Research] Borders",
		CompletedAt: "2026-11-02T10:00:00.123456Z", Tag: "research"}); first != want {
		t.Errorf("want %+v, got %+v", want, first)
	}
}

// Walking the pages meets each entry once, whatever is recorded meanwhile.
func TestPagesMeetEachEntryOnce(t *testing.T) {
	r := newHarness(t)
	for i := range 23 {
		r.post(t, fmt.Sprintf(`{"task_id":"%d","board":"B","title":"[t%d] x","completed_at":"2026-11-%02dT00:00:00Z"}`, i, i%2, 1+i/4))
	}
	for _, filter := range []string{"", "&tag=t1", "&board=B&tag=t0"} {
		seen := map[string]int{}
		path := "/work/feed?limit=3" + filter
		before := ""
		for pages := 0; path != ""; pages++ {
			w := r.do("GET", path, "")
			b := r.get(t, path)
			for _, e := range b.Entries {
				seen[e.TaskID]++
				if key := e.CompletedAt + e.ID; before != "" && key >= before {
					t.Errorf("%s does not stand behind %s", key, before)
				} else {
					before = key
				}
			}
			r.post(t, fmt.Sprintf(`{"task_id":"new %s %d","board":"B","title":"[t1] y"}`, filter, pages))
			path = ""
			if m := regexp.MustCompile(`^<(.*)>; rel="next"$`).FindStringSubmatch(w.Header().Get("Link")); m != nil {
				path = strings.TrimPrefix(m[1], "/workfeed")
			}
			if b.More != (path != "") || b.More != (b.Before != "") {
				t.Errorf("more %v, before %q, link %q", b.More, b.Before, path)
			}
		}
		old := 0
		for id, n := range seen {
			if !strings.HasPrefix(id, "new") {
				old++
			}
			if n != 1 {
				t.Errorf("%s: %d times", id, n)
			}
		}
		if want := map[string]int{"": 23, "&tag=t1": 11, "&board=B&tag=t0": 12}[filter]; old != want {
			t.Errorf("%q: want %d entries, got %d", filter, want, old)
		}
	}
}

// A poller that goes by after= gets what is recorded late with an early date; one that goes by since= cannot.
func TestAfterMissesNothing(t *testing.T) {
	r := newHarness(t)
	sample(t, r)
	state := r.get(t, "/work/feed")
	r.post(t, `{"task_id":"late","board":"Atlas","title":"Found in a drawer","completed_at":"2020-01-01T00:00:00Z"}`)
	next := r.get(t, "/work/feed?after="+state.After)
	if got := titles(next); got != "late" || next.More {
		t.Errorf("want late, got %q, more %v", got, next.More)
	}
	again := r.get(t, "/work/feed?after="+next.After)
	if len(again.Entries) != 0 || again.After != next.After {
		t.Errorf("nothing has come: %+v", again)
	}
	var walked []string
	for after, more := "0", true; more; {
		b := r.get(t, "/work/feed?limit=2&board=Atlas&after="+after)
		for _, e := range b.Entries {
			walked = append(walked, e.TaskID)
		}
		after, more = b.After, b.More
	}
	if got := strings.Join(walked, " "); got != "a b e late" {
		t.Errorf("want a b e late, got %q", got)
	}
}

// otherThan is a letter of base64url that is not c.
func otherThan(c byte) string {
	if c == 'A' {
		return "Q"
	}
	return "A"
}

func TestFeedRefuses(t *testing.T) {
	r := newHarness(t)
	sample(t, r)
	b := r.get(t, "/work/feed?limit=1")
	other := newHarness(t)
	sample(t, other)
	foreign := other.get(t, "/work/feed").After
	for _, c := range []struct{ query, holds string }{
		{"limit=0", "1 to 500"}, {"limit=501", "1 to 500"}, {"limit=x", "limit"},
		{"borad=Atlas", "did you mean board?"}, {"page=2", "parameter page is unknown"},
		{"since=yesterday", "2026-11-01"}, {"since=0000-01-01T00:00:00%2B01:00", "2026-11-01"},
		{"since=9999-12-31T23:30:00-01:00", "2026-11-01"}, {"since=2026-11-03T11:00:00+01:00", "%2B"},
		{"before=x", "unchanged"}, {"before=" + b.After, "unchanged"}, {"after=" + b.Before, "unchanged"},
		{"before=" + b.Before[:len(b.Before)-1] + otherThan(b.Before[len(b.Before)-1]), "unchanged"},
		{"before=" + b.Before + "&after=0", "either after or before"},
		{"after=" + foreign, "a cursor of this feed"},
		{"tag=", "tag"}, {"tag=" + strings.Repeat("x", 41), "40 characters"}, {"board=", "board"}, {"board=%20", "board"},
		{"assignee=%09%20", "assignee"},
		{"format=rss", "json, jsonfeed, atom"}, {"format=atom&callback=f", "callback"}, {"limit=1&limit=2", "more than once"},
	} {
		w := r.do("GET", "/work/feed?"+c.query, "")
		if w.Code != 400 || !strings.Contains(w.Body.String(), c.holds) {
			t.Errorf("%s: want 400 with %q, got %d %s", c.query, c.holds, w.Code, w.Body)
		}
	}
}

func TestFeedIsValidated(t *testing.T) {
	r := newHarness(t)
	empty := r.do("GET", "/work/feed", "")
	if empty.Code != 200 || empty.Header().Get("ETag") == "" || empty.Header().Get("Last-Modified") != "" {
		t.Errorf("the empty feed: %d %v", empty.Code, empty.Header())
	}
	sample(t, r)
	r.post(t, `{"task_id":"f","board":"Atlas","title":"This second"}`)
	fresh := r.do("GET", "/work/feed", "")
	if m := fresh.Header().Get("Last-Modified"); m != "" {
		t.Errorf("Last-Modified %s of a second that is not over", m)
	}
	r.clock.Advance(time.Second)
	tags := map[string]string{}
	for _, c := range []struct{ path, accept, encoding string }{
		{"/work/feed", "", ""}, {"/work/feed", "", "gzip"}, {"/work/feed", "application/atom+xml", ""},
		{"/work/feed", "application/feed+json", ""},
		{"/work/feed?limit=1", "", ""}, {"/work/feed?tag=design", "", ""}, {"/hq/work", "", ""},
	} {
		headers := []string{}
		if c.accept != "" {
			headers = append(headers, "Accept", c.accept)
		}
		if c.encoding != "" {
			headers = append(headers, "Accept-Encoding", c.encoding)
		}
		w := r.do("GET", c.path, "", headers...)
		tag, modified := w.Header().Get("ETag"), w.Header().Get("Last-Modified")
		if w.Code != 200 || !strings.HasPrefix(tag, `"`) || modified != "Sat, 21 Nov 2026 09:35:00 GMT" ||
			w.Header().Get("Cache-Control") != "max-age=10" ||
			!slices.Contains(w.Header()["Vary"], "Accept-Encoding, Accept") ||
			(w.Header().Get("Content-Encoding") == "gzip") != (c.encoding == "gzip") {
			t.Errorf("%+v: %d %v", c, w.Code, w.Header())
		}
		if first, twice := tags[tag]; twice {
			t.Errorf("%+v has the tag of %s", c, first)
		}
		tags[tag] = fmt.Sprint(c)
		if w := r.do("GET", c.path, "", append(headers, "If-None-Match", tag)...); w.Code != 304 || w.Body.Len() != 0 {
			t.Errorf("%+v: want 304, got %d with %d bytes", c, w.Code, w.Body.Len())
		}
		if w := r.do("GET", c.path, "", append(headers, "If-Modified-Since", modified)...); w.Code != 304 {
			t.Errorf("%+v: want 304 by date, got %d", c, w.Code)
		}
		if w := r.do("HEAD", c.path, "", headers...); w.Code != 200 || w.Body.Len() != 0 || w.Header().Get("ETag") != tag {
			t.Errorf("HEAD %+v: %d, %d bytes, %v", c, w.Code, w.Body.Len(), w.Header())
		}
	}
	r.post(t, `{"task_id":"g","board":"Atlas","title":"Now"}`)
	for tag := range tags {
		if w := r.do("GET", "/work/feed", "", "If-None-Match", tag); w.Code != 200 {
			t.Errorf("a new entry, and %s still gives %d", tags[tag], w.Code)
		}
	}
	if w := r.do("GET", "/work/feed?callback=show", ""); !strings.HasPrefix(w.Body.String(), "/**/show({\"count\":7") {
		t.Errorf("JSONP: %.60s", w.Body)
	}
}

func TestNextAddressKeepsTheQuery(t *testing.T) {
	r := newHarness(t)
	for i := range 3 {
		r.post(t, fmt.Sprintf(`{"task_id":"%d","board":"Küche & <Bad>","title":"x"}`, i))
	}
	w := r.do("GET", "/work/feed?limit=1&board="+url.QueryEscape("Küche & <Bad>"), "")
	link := w.Header().Get("Link")
	if !strings.HasPrefix(link, "</workfeed/work/feed?before=") ||
		!strings.Contains(link, "board=K%C3%BCche+%26+%3CBad%3E&limit=1>; rel=") {
		t.Errorf("Link %s", link)
	}
}
