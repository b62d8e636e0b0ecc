package mcp

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"

	"mappe/shared/web/reply"
)

// source is whose data an answer holds.
type source struct {
	Dataset     string `json:"dataset"`
	License     string `json:"license"`
	LicenseURL  string `json:"license_url"`
	Attribution string `json:"attribution"`
}

// zoneData is what expansions are computed from.
var zoneData = source{"IANA time zone database", "Public domain", "https://www.iana.org/time-zones", "IANA time zone database"}

// date says of when the data is.
type date struct {
	AsOf    *string `json:"as_of"`   // null where the data has no date
	Version string  `json:"version"` // generation of the data, or version of the zone data
}

// link is an address that goes on from an answer.
type link struct {
	Title string `json:"title"`
	URL   string `json:"url"`
}

// content is the structured content of an answer.
type content struct {
	Answer      map[string]json.RawMessage `json:"answer"`
	Total       *int                       `json:"total,omitempty"`
	NextCursor  string                     `json:"next_cursor,omitempty"`
	Sources     []source                   `json:"sources"`
	Date        date                       `json:"date"`
	Uncertainty []string                   `json:"uncertainty"`
	Links       []link                     `json:"links"`

	rows int // of answer.data
}

// outputSchema is the schema of content.
var outputSchema = json.RawMessage(`{"type":"object","required":["answer","sources","date","uncertainty","links"],"properties":{` +
	`"answer":{"type":"object","description":"What the endpoint answered: in data, and what stands beside it. Several rows are a table {columns, rows}: the names once, then a list of values for each row."},` +
	`"total":{"type":"integer","description":"Matches, of which answer.data lists some."},` +
	`"next_cursor":{"type":"string","description":"Give it as cursor, with the same other arguments, for the rows that follow."},` +
	`"sources":{"type":"array","description":"Name these with what you take from the answer.","items":{"type":"object","required":["dataset","license","license_url","attribution"],"properties":{` +
	`"dataset":{"type":"string"},"license":{"type":"string"},"license_url":{"type":"string"},"attribution":{"type":"string"}}}},` +
	`"date":{"type":"object","required":["as_of","version"],"properties":{"as_of":{"type":["string","null"],"description":"Date of the data."},` +
	`"version":{"type":"string","description":"Generation of the data, or version of the zone data; empty where the answer is ` +
	`of this moment."}}},` +
	`"uncertainty":{"type":"array","items":{"type":"string"}},` +
	`"links":{"type":"array","items":{"type":"object","required":["title","url"],"properties":{"title":{"type":"string"},"url":{"type":"string"}}}}}}`)

// meta is what answers say of themselves.
type meta struct {
	Total       *int            `json:"total"`
	License     json.RawMessage `json:"license"` // a text, or an object
	PriceSeries string          `json:"price_series"`
	ZoneVersion string          `json:"tzdata_version"`
}

// compose makes the content of what an endpoint answered. base is the address of all services, "https://host".
func (t *tool) compose(a asking, got answered, of date, base string) (*content, error) {
	var whole map[string]any
	if err := json.Unmarshal(got.body, &whole); err != nil {
		return nil, fmt.Errorf("answer of %s: %w", a.call.id, err)
	}
	var m struct{ Meta meta }
	if err := json.Unmarshal(got.body, &m); err != nil {
		return nil, fmt.Errorf("answer of %s: %w", a.call.id, err)
	}
	answer := got.members()
	if t.words != nil {
		answer = t.words(answer)
	}
	relist(answer, &m.Meta)
	rows := tableOf(answer)
	c := &content{Answer: answer, rows: rows, Total: m.Meta.Total, NextCursor: next(got.header), Date: of,
		Uncertainty: append([]string{}, t.caution...)}
	if m.Meta.ZoneVersion != "" {
		c.Date = date{Version: "tzdata " + m.Meta.ZoneVersion}
	}
	if t.doubts != nil {
		c.Uncertainty = append(c.Uncertainty, t.doubts(whole)...)
	}
	c.Sources = t.sources(a.call, got, m.Meta)
	c.Links = t.links(a, whole, base)
	return c, nil
}

// tableOf puts the rows of an answer into a table, and says how many there are.
func tableOf(answer map[string]json.RawMessage) (rows int) {
	t, ok := tabled(answer["data"])
	if !ok {
		var one []json.RawMessage
		_ = json.Unmarshal(answer["data"], &one) // another shape has no rows
		return len(one)
	}
	if b, err := json.Marshal(t); err == nil {
		answer["data"] = b
	}
	return len(t.Rows)
}

// relist takes the rows of {total, offset, limit, results} for data, and says where they go on.
func relist(answer map[string]json.RawMessage, m *meta) {
	rows, ok := answer["results"]
	if !ok {
		return
	}
	var page struct {
		Total         *int
		Offset, Limit int
	}
	for name, v := range map[string]any{"total": &page.Total, "offset": &page.Offset, "limit": &page.Limit} {
		_ = json.Unmarshal(answer[name], v) // null of a list that was not counted
	}
	m.Total = page.Total
	for _, name := range []string{"results", "total", "limit", "offset"} {
		delete(answer, name)
	}
	answer["data"] = rows
	var given []json.RawMessage
	if json.Unmarshal(rows, &given) == nil && len(given) > 0 && (page.Total == nil && len(given) == page.Limit ||
		page.Total != nil && page.Offset+len(given) < *page.Total) {
		answer["next_offset"] = json.RawMessage(strconv.Itoa(page.Offset + len(given)))
	}
}

// members are those of the body but for meta and what content has beside them, as they were written.
func (a answered) members() map[string]json.RawMessage {
	var all map[string]json.RawMessage
	_ = json.Unmarshal(a.body, &all) // it was read before
	delete(all, "meta")
	return all
}

// sources are those that the answer names; else the notice of the endpoint, or that of its service.
func (t *tool) sources(c *call, got answered, m meta) []source {
	var body struct {
		Data struct {
			Sources []source `json:"sources"`
		} `json:"data"`
	}
	if json.Unmarshal(got.body, &body) == nil && len(body.Data.Sources) > 0 {
		return body.Data.Sources
	}
	if t.source != nil {
		return []source{*t.source}
	}
	var named source
	if json.Unmarshal(m.License, &named) == nil && named.License != "" {
		return []source{named}
	}
	n := c.of.service.Notice
	if c.endpoint.Notice != nil {
		n = *c.endpoint.Notice
	}
	s := sourceOf(n, c.of.dataset)
	if who := got.header.Get("X-Data-Attribution"); who != "" {
		s.Attribution = who
	}
	list := []source{s}
	if m.PriceSeries != "" {
		list = append(list, source{"Published land prices", s.License, s.LicenseURL, m.PriceSeries})
	}
	return list
}

func sourceOf(n reply.Notice, dataset string) source {
	if n.Dataset != "" {
		dataset = n.Dataset
	}
	return source{dataset, n.License, n.LicenseURL, n.Attribution}
}

var nextLink = regexp.MustCompile(`^<([^>]*)>; rel="next"$`)

// next is the cursor of the page that follows, "" on the last.
func next(h http.Header) string {
	for _, l := range h.Values("Link") {
		m := nextLink.FindStringSubmatch(l)
		if m == nil {
			continue
		}
		if u, err := url.Parse(m[1]); err == nil {
			return u.Query().Get("cursor")
		}
	}
	return ""
}

// maxPages bounds the links to pages of parcels.
const maxPages = 5

// links lead to the answer itself, to the pages of its first parcels, and to the documentation.
func (t *tool) links(a asking, body map[string]any, base string) []link {
	list := []link{}
	if a.body == nil {
		list = append(list, link{"This answer", base + a.call.of.prefix + a.target})
	}
	if t.parcels {
		rows, _ := body["data"].([]any)
		for _, row := range rows[:min(len(rows), maxPages)] {
			if id := textOf(row, "parcel_id"); id != "" {
				list = append(list, link{"Parcel " + id + " on the map", base + "/p/" + strings.ReplaceAll(url.PathEscape(id), "%2F", "/")})
			}
		}
	}
	return append(list, link{"Documentation", base + a.call.of.prefix + "/docs"})
}

// text is the content for clients that show text alone.
func (c *content) text() (string, error) {
	answer, err := json.Marshal(c.Answer)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	b.Write(answer)
	b.WriteString("\n")
	if c.Total != nil {
		fmt.Fprintf(&b, "\nMatches: %d.", *c.Total)
	}
	if c.NextCursor != "" {
		fmt.Fprintf(&b, " More with cursor=%s.", c.NextCursor)
	}
	if c.Date.AsOf != nil {
		fmt.Fprintf(&b, "\nData of %s, generation %s.", *c.Date.AsOf, c.Date.Version)
	} else if c.Date.Version != "" {
		fmt.Fprintf(&b, "\n%s.", c.Date.Version)
	}
	for _, s := range c.Sources {
		fmt.Fprintf(&b, "\nSource: %s, %s", s.Dataset, s.License)
		if s.LicenseURL != "" {
			fmt.Fprintf(&b, " (%s)", s.LicenseURL)
		}
		if s.Attribution != "" {
			b.WriteString(", " + s.Attribution)
		}
		b.WriteString(".")
	}
	for _, u := range c.Uncertainty {
		b.WriteString("\nUncertainty: " + u)
	}
	for _, l := range c.Links {
		b.WriteString("\n" + l.Title + ": " + l.URL)
	}
	return b.String(), nil
}
