package census

import (
	"net/url"
	"path"
	"strings"

	"mappe/shared/book/reader/source"
	"mappe/shared/book/reader/xmlpart"
)

// The namespaces that are told apart.
const (
	word2006 xmlpart.NS = iota + 1
	odfText
	odfOffice
	odfTable
	odfSVG
	odfDraw
	compat
	container
	package3
)

var spaces = xmlpart.Names{
	"http://schemas.openxmlformats.org/wordprocessingml/2006/main": word2006,
	"http://purl.oclc.org/ooxml/wordprocessingml/main":             word2006,
	"urn:oasis:names:tc:opendocument:xmlns:text:1.0":               odfText,
	"urn:oasis:names:tc:opendocument:xmlns:office:1.0":             odfOffice,
	"urn:oasis:names:tc:opendocument:xmlns:table:1.0":              odfTable,
	"urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0":     odfSVG,
	"urn:oasis:names:tc:opendocument:xmlns:drawing:1.0":            odfDraw,
	"http://schemas.openxmlformats.org/markup-compatibility/2006":  compat,
	"urn:oasis:names:tc:opendocument:xmlns:container":              container,
	"http://www.idpf.org/2007/opf":                                 package3,
}

// DOCX gives the text of a Word document: its main part and its notes, insertions in, deletions out.
func DOCX(b []byte, l source.Limits) ([]Passage, error) {
	z, err := source.OpenArchive(b, l)
	if err != nil {
		return nil, err
	}
	var out []Passage
	for _, name := range docxParts(z, l) {
		t, err := z.Part(name)
		if err != nil {
			return nil, err
		}
		out = runs(out, xmlpart.Decode(t), l)
	}
	return out, nil
}

// docxParts are the parts of a Word document that hold its text.
func docxParts(z *source.Archive, l source.Limits) []string {
	main := "word/document.xml"
	if to := related(z, l, "", "_rels/.rels", "/officeDocument"); len(to) > 0 {
		main = to[0]
	}
	dir, name := path.Split(main)
	rels := dir + "_rels/" + name + ".rels"
	return append(append([]string{main}, related(z, l, dir, rels, "/footnotes")...), related(z, l, dir, rels, "/endnotes")...)
}

// related gives the parts to which relations of a kind lead.
func related(z *source.Archive, l source.Limits, dir, name, kind string) (to []string) {
	b, err := z.Part(name)
	if err != nil {
		return nil
	}
	x := xmlpart.NewScanner(xmlpart.Decode(b), spaces, l)
	for k, err := x.Next(); err == nil && k != xmlpart.EOF; k, err = x.Next() {
		if k != xmlpart.Start || x.Name != "Relationship" || !strings.HasSuffix(attr(x, "Type"), kind) ||
			attr(x, "TargetMode") == "External" {
			continue
		}
		target := attr(x, "Target")
		if t, err := url.PathUnescape(target); err == nil {
			target = t
		}
		if !strings.HasPrefix(target, "/") {
			target = dir + target
		}
		to = append(to, strings.TrimPrefix(path.Clean("/"+target), "/"))
	}
	return to
}

func attr(x *xmlpart.Scanner, name string) string {
	for _, a := range x.Attrs {
		if a.Name == name {
			return a.Value
		}
	}
	return ""
}

// passages gathers paragraphs.
type passages struct {
	out []Passage
	b   strings.Builder
}

func (p *passages) end() {
	if p.b.Len() > 0 {
		p.out = append(p.out, strings.Clone(p.b.String()))
		p.b.Reset()
	}
}

// runs adds the text of a part of a Word document.
func runs(out []Passage, s string, l source.Limits) []Passage {
	p := passages{out: out}
	x := xmlpart.NewScanner(s, spaces, l)
	skip := -1 // depth of the element whose text does not count
	letters := false
	for k, err := x.Next(); err == nil && k != xmlpart.EOF; k, err = x.Next() {
		switch {
		case k == xmlpart.Text && letters && skip < 0:
			p.b.WriteString(x.Text)
		case k == xmlpart.End:
			if x.Depth() < skip {
				skip = -1
			}
			letters = false
		case k == xmlpart.Start && skip < 0:
			switch {
			case x.NS == word2006 && x.Name == "t":
				letters = true
			case x.NS == word2006 && (x.Name == "footnote" || x.Name == "endnote"):
				p.end()
				if kind := attr(x, "type"); kind != "" && kind != "normal" { // a line above the notes
					skip = x.Depth()
				}
			case x.NS == word2006 && x.Name == "p":
				p.end()
			case x.NS == word2006 && (x.Name == "tab" || x.Name == "br" || x.Name == "cr" || x.Name == "noBreakHyphen" || x.Name == "sym" ||
				x.Name == "drawing" || x.Name == "pict" || x.Name == "object"):
				p.b.WriteByte(' ')
			case x.NS == word2006 && (x.Name == "del" || x.Name == "moveFrom" || x.Name == "rt" || x.Name == "rPr" || x.Name == "pPr"),
				x.NS == compat && x.Name == "Fallback":
				skip = x.Depth()
			}
		}
	}
	p.end()
	return p.out
}

// ODT gives the text of an OpenDocument text: its body with its notes, without deleted text and comments.
func ODT(b []byte, l source.Limits) ([]Passage, error) {
	z, err := source.OpenArchive(b, l)
	if err != nil {
		return nil, err
	}
	t, err := z.Part("content.xml")
	if err != nil {
		return nil, err
	}
	var p passages
	x := xmlpart.NewScanner(xmlpart.Decode(t), spaces, l)
	skip, body, inside := -1, -1, 0 // inside: of how many paragraphs and headings
	for k, err := x.Next(); err == nil && k != xmlpart.EOF; k, err = x.Next() {
		switch {
		case k == xmlpart.Text && inside > 0 && skip < 0:
			p.b.WriteString(x.Text)
		case k == xmlpart.Start:
			switch {
			case skip >= 0:
			case body < 0:
				if x.NS == odfOffice && x.Name == "text" {
					body = x.Depth()
				}
			case x.NS == odfText && (x.Name == "p" || x.Name == "h"):
				p.end()
				inside++
			case x.NS == odfText && (x.Name == "s" || x.Name == "tab" || x.Name == "line-break"), x.NS == odfDraw:
				p.b.WriteByte(' ')
			case x.NS == odfText && (x.Name == "tracked-changes" || x.Name == "note-citation" || x.Name == "ruby-text"), x.NS == odfSVG,
				x.NS == odfOffice && (x.Name == "annotation" || x.Name == "forms"),
				x.NS == odfTable && x.Name == "tracked-changes":
				skip = x.Depth()
			}
		case k == xmlpart.End:
			if skip >= 0 && x.Depth() < skip {
				skip = -1
			} else if skip < 0 && x.NS == odfText && (x.Name == "p" || x.Name == "h") && inside > 0 {
				p.end()
				inside--
			}
			if x.Depth() < body {
				body = 1 << 30 // one body counts
			}
		}
	}
	p.end()
	return p.out, nil
}

// EPUB gives the text of the pages that the spine of an e-book names.
func EPUB(b []byte, l source.Limits) ([]Passage, error) {
	z, err := source.OpenArchive(b, l)
	if err != nil {
		return nil, err
	}
	var out []Passage
	for _, name := range spine(z, l) {
		t, err := z.Part(name)
		if err != nil {
			return nil, err
		}
		out = append(out, page(xmlpart.Decode(t))...)
	}
	return out, nil
}

// spine are the paths of an e-book's pages in their order, without its navigation.
func spine(z *source.Archive, l source.Limits) (pages []string) {
	scan := func(name string, start func(x *xmlpart.Scanner)) {
		b, err := z.Part(name)
		if err != nil {
			return
		}
		x := xmlpart.NewScanner(xmlpart.Decode(b), spaces, l)
		x.Web = true
		for k, err := x.Next(); err == nil && k != xmlpart.EOF; k, err = x.Next() {
			if k == xmlpart.Start {
				start(x)
			}
		}
	}
	opf := ""
	scan("META-INF/container.xml", func(x *xmlpart.Scanner) {
		if x.Name == "rootfile" && opf == "" {
			opf = attr(x, "full-path")
		}
	})
	if opf == "" {
		for _, n := range z.Names() {
			if opf == "" && strings.HasSuffix(strings.ToLower(n), ".opf") {
				opf = n
			}
		}
	}
	items, others, seen := map[string]string{}, map[string]string{}, map[string]bool{}
	scan(opf, func(x *xmlpart.Scanner) {
		switch x.Name {
		case "item":
			id, kind := strings.TrimSpace(attr(x, "id")), attr(x, "media-type")
			others[id] = strings.TrimSpace(attr(x, "fallback"))
			if !strings.Contains(kind, "html") && kind != "text/x-oeb1-document" || strings.Contains(attr(x, "properties"), "nav") {
				return
			}
			href, _, _ := strings.Cut(attr(x, "href"), "#")
			if h, err := url.PathUnescape(href); err == nil {
				href = h
			}
			items[id] = path.Join(path.Dir(opf), href)
		case "itemref":
			id := strings.TrimSpace(attr(x, "idref"))
			for n := 0; n < 8 && items[id] == "" && others[id] != ""; n++ {
				id = others[id]
			}
			if name := items[id]; name != "" && !seen[id] && z.Has(name) {
				seen[id] = true
				pages = append(pages, name)
			}
		}
	})
	return pages
}
