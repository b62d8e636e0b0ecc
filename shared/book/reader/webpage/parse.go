// Package webpage reads pages of HTML and XHTML, alone or as the chapters of an e-book: headings, text,
// notes, lists, tables, pictures, verse, and of the styles what a book keeps. Nothing is fetched, no
// script is run.
package webpage

import (
	"bytes"
	"net/url"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html"

	"mappe/shared/book/reader/source"
	"mappe/shared/book/reader/xmlpart"
)

const (
	xhtml xmlpart.NS = iota + 1
	ops
)

var names = xmlpart.Names{"http://www.w3.org/1999/xhtml": xhtml, "http://www.idpf.org/2007/ops": ops}

// Parse reads a page: as XML where it is well-formed, else the way browsers do.
func Parse(b []byte, l source.Limits) (*html.Node, error) {
	if head := strings.ToLower(string(b[:min(len(b), 512)])); strings.Contains(head, "<?xml") || strings.Contains(head, "xmlns=") {
		if n, err := parseXML(xmlpart.Decode(b), l); err == nil {
			return n, nil
		}
	}
	text := xmlpart.Decode(b)
	if western(b) {
		text = xmlpart.Decode(append([]byte("<?xml version='1.0' encoding='windows-1252'?>"), b...))
	}
	// The parser of HTML rebuilds open elements again and again; many open ones make it slow.
	n, err := html.ParseWithOptions(strings.NewReader(text), html.ParseOptionEnableScripting(false))
	if err != nil {
		return nil, source.Refuse(source.Broken, "The page cannot be read (%v). Save it anew and upload it again.", err)
	}
	if deep(n, l.Nesting) {
		return nil, source.Refuse(source.TooComplex,
			"The page nests its elements more than %d deep. Save it anew from your word processor.", l.Nesting)
	}
	return n, nil
}

// western says whether a page is in Windows-1252, which browsers take for ISO-8859-1 too and for what declares
// nothing. A page that is UTF-8 is read as that, whatever it declares.
func western(b []byte) bool {
	head := bytes.ToLower(b[:min(len(b), 1024)])
	if bytes.IndexByte(head, 0) >= 0 || bytes.HasPrefix(b, []byte("\xef\xbb\xbf")) || utf8.Valid(b) {
		return false
	}
	for _, name := range []string{"iso-8859-1", "windows-1252"} {
		if bytes.Contains(head, []byte("charset="+name)) || bytes.Contains(head, []byte(`charset="`+name)) ||
			bytes.Contains(head, []byte("charset='"+name)) {
			return true
		}
	}
	return source.OneByte(b)
}

func deep(root *html.Node, most int) bool {
	depth := 0
	for n := root; n != nil; {
		switch {
		case n.FirstChild != nil:
			n = n.FirstChild
			if depth++; depth > most {
				return true
			}
			continue
		case n.NextSibling != nil:
			n = n.NextSibling
			continue
		}
		for n != nil && n.NextSibling == nil {
			n = n.Parent
			depth--
		}
		if n != nil {
			n = n.NextSibling
		}
	}
	return false
}

// parseXML makes the tree of HTML of a well-formed page.
func parseXML(s string, l source.Limits) (*html.Node, error) {
	x := xmlpart.NewScanner(s, names, l)
	x.Web = true
	root := &html.Node{Type: html.DocumentNode}
	at := root
	for n := 0; ; n++ {
		if n > l.Nodes {
			return nil, source.Refuse(source.TooComplex, "The page holds millions of elements. Divide it and save it anew.")
		}
		kind, err := x.Next()
		if err != nil {
			return nil, err
		}
		switch kind {
		case xmlpart.EOF:
			return root, nil
		case xmlpart.Start:
			e := &html.Node{Type: html.ElementNode, Data: strings.ToLower(x.Name)}
			for _, a := range x.Attrs {
				key := a.Name
				if a.NS == ops {
					key = "epub:" + key
				}
				e.Attr = append(e.Attr, html.Attribute{Key: key, Val: a.Value})
			}
			at.AppendChild(e)
			at = e
		case xmlpart.End:
			at = at.Parent
		case xmlpart.Text:
			at.AppendChild(&html.Node{Type: html.TextNode, Data: x.Text})
		}
	}
}

// Picture is a page that shows a picture.
func Picture(src string) *html.Node {
	root := &html.Node{Type: html.DocumentNode}
	body := &html.Node{Type: html.ElementNode, Data: "body"}
	body.AppendChild(&html.Node{Type: html.ElementNode, Data: "img",
		Attr: []html.Attribute{{Key: "src", Val: (&url.URL{Path: src}).String()}}})
	root.AppendChild(body)
	return root
}

// attr is the value of an attribute, "" where it is missing.
func attr(n *html.Node, key string) string {
	for _, a := range n.Attr {
		if a.Key == key {
			return a.Val
		}
	}
	return ""
}

// means says whether an element is marked as one of these, by epub:type, role or class.
func means(n *html.Node, words ...string) bool {
	for _, key := range []string{"epub:type", "role"} {
		for _, have := range strings.Fields(attr(n, key)) {
			for _, w := range words {
				if have == w || have == "doc-"+w {
					return true
				}
			}
		}
	}
	return false
}

func hasClass(n *html.Node, words ...string) bool {
	for _, have := range strings.Fields(attr(n, "class")) {
		for _, w := range words {
			if strings.EqualFold(have, w) {
				return true
			}
		}
	}
	return false
}

// textOf is the text inside of an element, bounded.
func textOf(n *html.Node) string {
	var b strings.Builder
	addText(&b, n)
	return source.Line(source.Clean(b.String()))
}

func addText(b *strings.Builder, n *html.Node) {
	if n.Type == html.TextNode && b.Len() < 4096 {
		b.WriteString(n.Data)
	}
	for c := n.FirstChild; c != nil && b.Len() < 4096; c = c.NextSibling {
		addText(b, c)
	}
}

// allText is the whole text inside of an element, with a space between its parts.
func allText(n *html.Node) string {
	var b strings.Builder
	var add func(*html.Node)
	add = func(n *html.Node) {
		if n.Type == html.TextNode {
			b.WriteString(n.Data)
			return
		}
		if blockElement[n.Data] || n.Data == "br" {
			b.WriteByte(' ')
		}
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			add(c)
		}
	}
	add(n)
	return source.Clean(b.String())
}

// HasText says whether a page has any text.
func HasText(root *html.Node) bool {
	has := false
	visit(root, func(n *html.Node) {
		if n.Data == "body" {
			has = has || textOf(n) != ""
		}
	})
	return has
}
