package workfeed

import (
	"encoding/json"
	"encoding/xml"
	"fmt"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"
)

// awkward is a task whose texts would break a form that does not escape.
const awkward = `{"task_id":"<1>","board":"R&D \"<x>\"","assignee":"O'Neil & <b>","title":"[design] </title><script>alert(1)</script> ]]>","summary":"a < b\n& c\t\"d\""}`

// TestJSONFeed holds the answer against the rules of JSON Feed 1.1, field by field.
func TestJSONFeed(t *testing.T) {
	r := newHarness(t)
	sample(t, r)
	r.post(t, awkward)
	w := r.do("GET", "/work/feed?limit=2", "", "Accept", "application/feed+json")
	if w.Code != 200 || w.Header().Get("Content-Type") != "application/feed+json; charset=utf-8" {
		t.Fatalf("%d %v", w.Code, w.Header())
	}
	var feed map[string]any
	if err := json.Unmarshal(w.Body.Bytes(), &feed); err != nil {
		t.Fatal(err)
	}
	if feed["version"] != "https://jsonfeed.org/version/1.1" || feed["title"] == "" {
		t.Errorf("version %v, title %v", feed["version"], feed["title"])
	}
	for _, name := range []string{"home_page_url", "feed_url", "next_url"} {
		if u, err := url.Parse(fmt.Sprint(feed[name])); err != nil || !u.IsAbs() || u.Host != "example.com" ||
			!strings.HasPrefix(u.Path, "/workfeed/") {
			t.Errorf("%s: %v", name, feed[name])
		}
	}
	known := map[string]bool{"version": true, "title": true, "home_page_url": true, "feed_url": true, "description": true, "next_url": true,
		"language": true, "items": true}
	itemKnown := map[string]bool{"id": true, "title": true, "content_text": true, "date_published": true, "authors": true, "tags": true}
	extension := func(where, name string, v any, known map[string]bool) {
		if _, object := v.(map[string]any); !known[name] && (!strings.HasPrefix(name, "_") || !object) {
			t.Errorf("%s: %s is neither in the standard nor an extension", where, name)
		}
	}
	for name, v := range feed {
		extension("feed", name, v, known)
	}
	items := feed["items"].([]any)
	if len(items) != 2 {
		t.Fatalf("want 2 items, got %d", len(items))
	}
	ids := map[any]bool{}
	for _, one := range items {
		item := one.(map[string]any)
		for name, v := range item {
			extension("item", name, v, itemKnown)
		}
		id, _ := item["id"].(string)
		if text, _ := item["content_text"].(string); id == "" || ids[id] || text == "" {
			t.Errorf("item %v: id and content_text are required, ids are unique", item)
		}
		ids[id] = true
		if _, err := time.Parse(time.RFC3339, fmt.Sprint(item["date_published"])); err != nil {
			t.Error(err)
		}
	}
	first := items[0].(map[string]any)
	if first["title"] != "[design] </title><script>alert(1)</script> ]]>" || first["content_text"] != "a < b\n& c\t\"d\"" {
		t.Errorf("texts are changed: %v", first)
	}
	if strings.Contains(w.Body.String(), `"authors":[]`) || strings.Contains(w.Body.String(), `"authors":[{"name":""}]`) {
		t.Error("an author needs a name")
	}
}

// TestAtom holds the answer against what RFC 4287 requires of a feed and an entry.
func TestAtom(t *testing.T) {
	r := newHarness(t)
	type text struct {
		Type string `xml:"type,attr"`
		Body string `xml:",chardata"`
	}
	type feedXML struct {
		XMLName xml.Name
		ID      []string `xml:"http://www.w3.org/2005/Atom id"`
		Title   []string `xml:"http://www.w3.org/2005/Atom title"`
		Updated []string `xml:"http://www.w3.org/2005/Atom updated"`
		Author  []string `xml:"http://www.w3.org/2005/Atom author>name"`
		Links   []struct {
			Rel  string `xml:"rel,attr"`
			Href string `xml:"href,attr"`
		} `xml:"http://www.w3.org/2005/Atom link"`
		Entries []struct {
			ID        []string `xml:"http://www.w3.org/2005/Atom id"`
			Title     []text   `xml:"http://www.w3.org/2005/Atom title"`
			Updated   []string `xml:"http://www.w3.org/2005/Atom updated"`
			Published []string `xml:"http://www.w3.org/2005/Atom published"`
			Content   []text   `xml:"http://www.w3.org/2005/Atom content"`
		} `xml:"http://www.w3.org/2005/Atom entry"`
	}
	ask := func(query string) (f feedXML, rels map[string]string) {
		t.Helper()
		w := r.do("GET", "/work/feed?format=atom"+query, "")
		if w.Code != 200 || w.Header().Get("Content-Type") != "application/atom+xml; charset=utf-8" {
			t.Fatalf("%d %v", w.Code, w.Header())
		}
		if err := xml.Unmarshal(w.Body.Bytes(), &f); err != nil {
			t.Fatal(err)
		}
		iri := regexp.MustCompile(`^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-[48][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`)
		if f.XMLName != (xml.Name{Space: "http://www.w3.org/2005/Atom", Local: "feed"}) || len(f.ID) != 1 || !iri.MatchString(f.ID[0]) ||
			len(f.Title) != 1 || len(f.Updated) != 1 || len(f.Author) != 1 || f.Author[0] == "" {
			t.Errorf("%s: %+v", query, f)
		}
		rels = map[string]string{}
		for _, l := range f.Links {
			if rels[l.Rel] != "" {
				t.Errorf("two links rel=%s", l.Rel)
			}
			rels[l.Rel] = l.Href
		}
		seen := map[string]bool{}
		for _, e := range f.Entries {
			if len(e.ID) != 1 || !iri.MatchString(e.ID[0]) || seen[e.ID[0]] || len(e.Title) != 1 || len(e.Updated) != 1 ||
				len(e.Published) != 1 || len(e.Content) != 1 || e.Content[0].Type != "text" || e.Content[0].Body == "" {
				t.Errorf("entry %+v", e)
				continue
			}
			seen[e.ID[0]] = true
			for _, at := range []string{e.Updated[0], e.Published[0]} {
				if _, err := time.Parse(time.RFC3339, at); err != nil {
					t.Error(err)
				}
			}
		}
		return f, rels
	}
	ask("") // nothing recorded yet
	sample(t, r)
	r.post(t, awkward)
	f, rels := ask("&limit=2")
	if len(f.Entries) != 2 || f.Entries[0].Title[0].Body != "[design] </title><script>alert(1)</script> ]]>" ||
		f.Entries[0].Content[0].Body != "a < b\n& c\t\"d\"" {
		t.Errorf("%+v", f.Entries)
	}
	if f.Updated[0] != "2026-11-21T09:35:00Z" || !strings.HasPrefix(rels["self"], "http://example.com/workfeed/work/feed?format=atom") ||
		rels["alternate"] != "http://example.com/workfeed/hq/work" {
		t.Errorf("updated %s, links %v", f.Updated[0], rels)
	}
	met := len(f.Entries)
	for next := rels["next"]; next != ""; {
		u, err := url.Parse(next)
		if err != nil {
			t.Fatal(err)
		}
		page, links := ask("&" + strings.Replace(u.RawQuery, "format=atom", "nocache=0", 1))
		met += len(page.Entries)
		next = links["next"]
		if page.ID[0] != f.ID[0] {
			t.Error("the pages of a feed have one id")
		}
	}
	if met != 6 {
		t.Errorf("the pages have %d entries, want 6", met)
	}
	if other, _ := ask("&tag=design"); other.ID[0] == f.ID[0] {
		t.Error("another query is another feed")
	}
}

func TestPage(t *testing.T) {
	r := newHarness(t)
	if w := r.do("GET", "/hq/work", ""); w.Code != 200 || !strings.Contains(w.Body.String(), "Nothing has been completed yet.") {
		t.Errorf("the empty page: %d %s", w.Code, w.Body)
	}
	sample(t, r)
	r.post(t, awkward)
	w := r.do("GET", "/hq/work?board=&assignee=+&tag=+&since=", "") // as the empty form sends it
	body := w.Body.String()
	if w.Code != 200 || w.Header().Get("Content-Type") != "text/html; charset=utf-8" {
		t.Fatalf("%d %v", w.Code, w.Header())
	}
	policy := w.Header().Get("Content-Security-Policy")
	if !strings.Contains(policy, "default-src 'none'") || strings.Contains(policy, "unsafe") || strings.Contains(policy, "script-src") ||
		!strings.Contains(policy, "frame-ancestors 'none'") {
		t.Errorf("policy %s", policy)
	}
	for _, want := range []string{
		`<time datetime="2026-11-02T10:00:00.123456Z">10:00</time>`, `<time datetime="2026-11-02">Monday, 2 November 2026</time>`,
		`<link rel="alternate" type="application/feed+json" title="Completed work (JSON Feed)" href="/workfeed/work/feed?format=jsonfeed">`,
		`<link rel="alternate" type="application/atom+xml" title="Completed work (Atom)" href="/workfeed/work/feed?format=atom">`,
		`<bdi>&lt;/title&gt;&lt;script&gt;alert(1)&lt;/script&gt; ]]&gt;</bdi>`, `<bdi>R&amp;D &#34;&lt;x&gt;&#34;</bdi>`,
		`href="/workfeed/hq/work?board=R%26D+%22%3Cx%3E%22"`, `<form method="get" action="/workfeed/hq/work"`,
	} {
		if !strings.Contains(body, want) {
			t.Errorf("want %s", want)
		}
	}
	if strings.Contains(body, "<script") || strings.Contains(body, " style=") || strings.Count(body, "<article ") != 6 {
		t.Errorf("%d articles, a script or a style attribute in %s", strings.Count(body, "<article "), body)
	}
	if spaced := r.do("GET", "/hq/work?board=+Survey+&assignee=Mira+", "").Body.String(); strings.Count(spaced, "<article ") != 1 {
		t.Errorf("blanks around a name count: %s", spaced)
	}
	narrow := r.do("GET", "/hq/work?board=R%26D+%22%3Cx%3E%22&tag=design", "").Body.String()
	if strings.Count(narrow, "<article ") != 1 || !strings.Contains(narrow, `name="board" value="R&amp;D &#34;&lt;x&gt;&#34;"`) {
		t.Errorf("the filtered page: %s", narrow)
	}
	met, path := 0, "/hq/work?limit=4"
	for path != "" {
		body := r.do("GET", path, "").Body.String()
		met += strings.Count(body, "<article ")
		path = ""
		if m := regexp.MustCompile(`<a class="go" rel="next" href="/workfeed([^"]*)"`).FindStringSubmatch(body); m != nil {
			path = strings.ReplaceAll(m[1], "&amp;", "&")
		}
	}
	if met != 6 {
		t.Errorf("the pages have %d entries, want 6", met)
	}
	if w := r.do("GET", "/hq/work?bord=x", ""); w.Code != 400 {
		t.Errorf("an unknown parameter: want 400, got %d", w.Code)
	}
}
