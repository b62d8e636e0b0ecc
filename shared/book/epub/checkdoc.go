package epub

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"path"
	"slices"
	"strings"

	"mappe/shared/book/weblink"
)

// maxCheckDepth bounds the nesting of elements that Check follows.
const maxCheckDepth = 1000

// element is a start tag with the text directly in it.
type checkElement struct {
	name   string // without its namespace
	attrs  []xml.Attr
	text   string
	parent int // index in doc.elements, -1
}

func (e *checkElement) attr(name string) string {
	for _, a := range e.attrs {
		if a.Name.Local == name && (a.Name.Space == "" || name == "type" && a.Name.Space == opsSpace) {
			return a.Value
		}
	}
	return ""
}

const opsSpace = "http://www.idpf.org/2007/ops"

// term is an element's epub:type.
func (e *checkElement) term() string {
	for _, a := range e.attrs {
		if a.Name.Local == "type" && a.Name.Space == opsSpace {
			return a.Value
		}
	}
	return ""
}

// doc is an XML file.
type doc struct {
	elements []checkElement
	ids      map[string]bool
	terms    map[string]string // epub:type by id
	uid      string
}

// addElement adds an element to a file and tells of attributes that stand twice and of invalid ids.
func (c *check) addElement(name string, d *doc, e checkElement) {
	for i, a := range e.attrs {
		if slices.ContainsFunc(e.attrs[:i], func(o xml.Attr) bool { return o.Name == a.Name }) {
			c.fault("%s: <%s> has %s twice", name, e.name, a.Name.Local)
		}
	}
	if id := e.attr("id"); id != "" {
		if d.ids[id] || strings.ContainsAny(id, " \t\n") {
			c.fault("%s: the id %q is double or has a space", name, id)
		}
		d.ids[id], d.terms[id] = true, e.term()
	}
	d.elements = append(d.elements, e)
}

// parse reads an XML file once; nil for other files.
func (c *check) parse(name string) *doc {
	if d, ok := c.docs[name]; ok {
		return d
	}
	c.docs[name] = nil
	b, ok := c.files[name]
	if !ok {
		c.fault("%s: is not there", name)
		return nil
	}
	d := &doc{ids: map[string]bool{}, terms: map[string]string{}}
	x := xml.NewDecoder(bytes.NewReader(b))
	var open []int
	roots := 0
	for {
		t, err := x.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			c.fault("%s: %v", name, err)
			return nil
		}
		switch t := t.(type) {
		case xml.StartElement:
			if len(open) == 0 {
				roots++
			}
			if len(open) > maxCheckDepth {
				c.fault("%s: more than %d elements in each other", name, maxCheckDepth)
				return nil
			}
			e := checkElement{name: t.Name.Local, attrs: slices.Clone(t.Attr), parent: -1}
			if len(open) > 0 {
				e.parent = open[len(open)-1]
			}
			open = append(open, len(d.elements))
			c.addElement(name, d, e)
		case xml.EndElement:
			open = open[:len(open)-1]
		case xml.CharData:
			if len(open) > 0 {
				d.elements[open[len(open)-1]].text += string(t)
			} else if len(bytes.TrimSpace(t)) > 0 {
				c.fault("%s: text outside of all elements", name)
			}
		case xml.Directive:
			if string(t) != "DOCTYPE html" {
				c.fault("%s: a document type", name)
				return nil
			}
		}
	}
	if roots != 1 {
		c.fault("%s: %d root elements, want 1", name, roots)
		return nil
	}
	c.docs[name] = d
	return d
}

// banned are elements that run or call for something.
var banned = []string{"script", "iframe", "object", "embed", "form", "input", "base", "audio", "video", "source", "svg", "math", "applet",
	"frame"}

// content checks a page of XHTML.
func (c *check) content(name string) {
	d := c.parse(name)
	if d == nil {
		return
	}
	root := &d.elements[0]
	lang := ""
	for _, a := range root.attrs {
		if a.Name.Local == "lang" && a.Name.Space != "" {
			lang = a.Value
		}
	}
	if root.name != "html" || root.attr("lang") == "" || root.attr("lang") != lang {
		c.fault("%s: not a page of XHTML with its language", name)
	}
	titled := false
	for i := range d.elements {
		e := &d.elements[i]
		titled = titled || e.name == "title" && strings.TrimSpace(e.text) != ""
		if slices.Contains(banned, e.name) {
			c.fault("%s: <%s>", name, e.name)
		}
		for _, a := range e.attrs {
			low := strings.ToLower(a.Value)
			switch {
			case strings.HasPrefix(a.Name.Local, "on") || a.Name.Local == "srcset" || a.Name.Local == "style" &&
				strings.Contains(low, "url("):
				c.fault("%s: <%s %s>", name, e.name, a.Name.Local)
			case a.Name.Local == "src" || a.Name.Local == "href" && e.name == "link":
				c.resource(name, e.name, a.Value)
			case a.Name.Local == "href" && e.name == "a":
				if strings.HasPrefix(low, "http://") || strings.HasPrefix(low, "https://") || strings.HasPrefix(low, "mailto:") {
					if weblink.Address(a.Value) != a.Value {
						c.fault("%s: the address %q", name, a.Value)
					}
				} else {
					c.reach(name, a.Value)
				}
			case a.Name.Local == "aria-labelledby" && !d.ids[a.Value]:
				c.fault("%s: %q names no element", name, a.Value)
			case a.Name.Local == "lang" && language(a.Value) == "":
				c.fault("%s: %q is no language", name, a.Value)
			}
		}
		c.element(name, d, e)
	}
	if !titled {
		c.fault("%s: no title", name)
	}
}

// element checks what single elements have to have.
func (c *check) element(name string, d *doc, e *checkElement) {
	switch {
	case e.name == "img":
		if !slices.ContainsFunc(e.attrs, func(a xml.Attr) bool { return a.Name.Local == "alt" }) {
			c.fault("%s: a picture without alt", name)
		}
	case e.name == "a":
		for p := e.parent; p >= 0; p = d.elements[p].parent {
			if d.elements[p].name == "a" {
				c.fault("%s: a link in a link", name)
			}
		}
		if e.term() == "noteref" {
			file, id := c.split(name, e.attr("href"))
			if t := c.parse(file); t == nil || t.terms[id] != "footnote" {
				c.fault("%s: the note %q is not there", name, e.attr("href"))
			}
		}
	case e.term() == "pagebreak":
		if e.attr("id") == "" || e.attr("aria-label") == "" {
			c.fault("%s: a page of the print book without its number", name)
		}
	}
}

// split gives the file and the place in it that a reference means.
func (c *check) split(from, href string) (file, id string) {
	file, id, _ = strings.Cut(href, "#")
	if file == "" {
		return from, id
	}
	return path.Join(path.Dir(from), file), id
}

// reach checks that a reference leads to a page of the spine, and to a place there is.
func (c *check) reach(from, href string) {
	file, id := c.split(from, href)
	if !slices.Contains(c.spine, file) {
		c.fault("%s: %q leads to no page of the book", from, href)
		return
	}
	if d := c.parse(file); strings.Contains(href, "#") && (d == nil || !d.ids[id]) {
		c.fault("%s: %q leads nowhere", from, href)
	}
}

// resource checks that a picture or style sheet is a file of the book.
func (c *check) resource(from, element, href string) {
	file, id := c.split(from, href)
	kind := c.media[file]
	if id != "" || element == "img" && !strings.HasPrefix(kind, "image/") || element == "link" && kind != "text/css" ||
		element != "img" && element != "link" {
		c.fault("%s: <%s> calls for %q, which is not in the book", from, element, href)
	}
}

// navigation checks contents, landmarks and pages.
func (c *check) navigation() {
	d := c.parse(c.nav)
	if d == nil {
		return
	}
	links := map[string][]string{}
	for i := range d.elements {
		if d.elements[i].name != "a" {
			continue
		}
		for p := d.elements[i].parent; p >= 0; p = d.elements[p].parent {
			if d.elements[p].name == "nav" {
				links[d.elements[p].term()] = append(links[d.elements[p].term()], d.elements[i].attr("href"))
				break
			}
		}
	}
	if len(links["toc"]) == 0 || len(links["landmarks"]) == 0 {
		c.fault("%s: no contents or no landmarks", c.nav)
	}
	last := -1
	for _, href := range links["toc"] {
		file, _ := c.split(c.nav, href)
		if at := slices.Index(c.spine, file); at < last {
			c.fault("%s: %q stands behind what follows it in the book", c.nav, href)
		} else {
			last = at
		}
	}
	for _, href := range links["page-list"] {
		file, id := c.split(c.nav, href)
		if t := c.parse(file); t == nil || t.terms[id] != "pagebreak" {
			c.fault("%s: %q is no page of the print book", c.nav, href)
		}
	}
}
