package workfeed

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"encoding/xml"
	"net/url"
	"strings"
	"time"

	"mappe/functions/workfeed/worklog"
)

// document is a page of the feed on its way into a form that feed readers know.
type document struct {
	service string // address
	query   query
	page    worklog.Page
	changed time.Time // zero where nothing was ever recorded
}

const feedTitle = "Completed work"

// title names the filters.
func (d *document) title() string {
	var parts []string
	for _, t := range []string{d.query.filter.Board, d.query.filter.Assignee, d.query.filter.Tag} {
		if t != "" {
			parts = append(parts, t)
		}
	}
	if len(parts) == 0 {
		return feedTitle
	}
	return feedTitle + ": " + strings.Join(parts, ", ")
}

func (d *document) home() string { return address(d.service+"/hq/work", d.query.values()) }

// self is the address of this form of the feed, of its first page.
func (d *document) self(f form) string {
	v := d.query.values()
	v.Set("format", string(f))
	return address(d.service+"/work/feed", v)
}

func (d *document) next(f form) string {
	if !d.page.More {
		return ""
	}
	v := d.query.next(d.page)
	v.Set("format", string(f))
	return address(d.service+"/work/feed", v)
}

// text is what an entry says beside its title.
func text(e *worklog.Entry) string {
	if e.Summary == "" {
		return e.Title
	}
	return e.Summary
}

// jsonFeed is JSON Feed 1.1 (https://www.jsonfeed.org/version/1.1/).
type jsonFeed struct {
	Version     string     `json:"version"`
	Title       string     `json:"title"`
	HomePageURL string     `json:"home_page_url"`
	FeedURL     string     `json:"feed_url"`
	Description string     `json:"description"`
	NextURL     string     `json:"next_url,omitempty"`
	Language    string     `json:"language"`
	Items       []jsonItem `json:"items"`
	Work        struct {
		After string `json:"after" doc:"give it as after= for what is recorded from now on"`
	} `json:"_work"`
}

type jsonItem struct {
	ID            string       `json:"id"`
	Title         string       `json:"title"`
	ContentText   string       `json:"content_text"`
	DatePublished string       `json:"date_published"`
	Authors       []jsonAuthor `json:"authors,omitempty"`
	Tags          []string     `json:"tags,omitempty"`
	Work          jsonWork     `json:"_work"`
}

type jsonAuthor struct {
	Name string `json:"name"`
}

type jsonWork struct {
	Board  string `json:"board"`
	TaskID string `json:"task_id"`
}

const feedDescription = "Tasks in the order they were completed, newest first."

func (d *document) jsonFeed() ([]byte, error) {
	f := jsonFeed{
		Version: "https://jsonfeed.org/version/1.1", Title: d.title(), HomePageURL: d.home(), FeedURL: d.self(formJSONFeed),
		NextURL:     d.next(formJSONFeed),
		Description: feedDescription, Language: "en", Items: []jsonItem{},
	}
	f.Work.After = d.page.After.String()
	for i := range d.page.Entries {
		e := &d.page.Entries[i]
		item := jsonItem{ID: "urn:uuid:" + e.ID, Title: e.Title, ContentText: text(e), DatePublished: instant(e.CompletedAt),
			Work: jsonWork{e.Board, e.TaskID}}
		if e.Assignee != "" {
			item.Authors = []jsonAuthor{{e.Assignee}}
		}
		if e.Tag != "" {
			item.Tags = []string{e.Tag}
		}
		f.Items = append(f.Items, item)
	}
	return json.Marshal(f)
}

// atomFeed is RFC 4287, paged by RFC 5005 3.
type atomFeed struct {
	XMLName  xml.Name    `xml:"http://www.w3.org/2005/Atom feed"`
	Lang     string      `xml:"xml:lang,attr"`
	ID       string      `xml:"id"`
	Title    string      `xml:"title"`
	Subtitle string      `xml:"subtitle"`
	Updated  string      `xml:"updated"`
	Author   atomPerson  `xml:"author"` // of entries that name nobody
	Links    []atomLink  `xml:"link"`
	Entries  []atomEntry `xml:"entry"`
}

type atomPerson struct {
	Name string `xml:"name"`
}

type atomLink struct {
	Rel  string `xml:"rel,attr"`
	Type string `xml:"type,attr,omitempty"`
	Href string `xml:"href,attr"`
}

type atomCategory struct {
	Term   string `xml:"term,attr"`
	Scheme string `xml:"scheme,attr"`
}

type atomText struct {
	Type string `xml:"type,attr"`
	Text string `xml:",chardata"`
}

type atomEntry struct {
	ID         string         `xml:"id"`
	Title      atomText       `xml:"title"`
	Published  string         `xml:"published"`
	Updated    string         `xml:"updated"`
	Author     *atomPerson    `xml:"author"`
	Categories []atomCategory `xml:"category"`
	Content    atomText       `xml:"content"`
}

func (d *document) atom() ([]byte, error) {
	f := atomFeed{
		Lang: "en", ID: d.id(), Title: d.title(), Subtitle: feedDescription, Updated: instant(time.Unix(0, 0)),
		Author: atomPerson{feedTitle},
		Links:  []atomLink{{"self", mediaTypes[formAtom], d.self(formAtom)}, {"alternate", "text/html", d.home()}},
	}
	if !d.changed.IsZero() {
		f.Updated = instant(d.changed)
	}
	if next := d.next(formAtom); next != "" {
		f.Links = append(f.Links, atomLink{"next", mediaTypes[formAtom], next})
	}
	for i := range d.page.Entries {
		e := &d.page.Entries[i]
		one := atomEntry{
			ID: "urn:uuid:" + e.ID, Title: atomText{"text", e.Title}, Published: instant(e.CompletedAt), Updated: instant(e.Recorded),
			Content: atomText{"text", text(e)}, Categories: []atomCategory{{e.Board, d.service + "/hq/work#board"}},
		}
		if e.Assignee != "" {
			one.Author = &atomPerson{e.Assignee}
		}
		if e.Tag != "" {
			one.Categories = append(one.Categories, atomCategory{e.Tag, d.service + "/hq/work#tag"})
		}
		f.Entries = append(f.Entries, one)
	}
	body, err := xml.MarshalIndent(f, "", " ")
	if err != nil {
		return nil, err
	}
	return append([]byte(xml.Header), append(body, '\n')...), nil
}

// id is the same for all pages of one query at one address, as long as the service stands there.
func (d *document) id() string {
	sum := sha256.Sum256([]byte(address(d.service, url.Values(d.query.values()))))
	sum[6], sum[8] = sum[6]&0x0f|0x80, sum[8]&0x3f|0x80 // version 8 of RFC 9562: made by an own rule
	h := hex.EncodeToString(sum[:16])
	return "urn:uuid:" + h[:8] + "-" + h[8:12] + "-" + h[12:16] + "-" + h[16:20] + "-" + h[20:]
}
