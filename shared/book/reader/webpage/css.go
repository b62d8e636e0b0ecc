package webpage

import (
	"strings"

	"golang.org/x/net/html"

	"mappe/shared/book/manuscript"
	"mappe/shared/book/reader/source"
)

// look is what a style sheet says of an element, as far as a book keeps it.
type look struct {
	set, style manuscript.Style
	align      manuscript.Align
	aligned    bool
	hidden     bool
	size       float64 // of letters against those around, 0 where nothing says it
	points     float64 // of letters, where their size is said by itself
}

// Sheet is what style sheets say of simple selectors: an element, a class, an element with a class.
type Sheet map[string]look

// maxRules bounds the rules of all sheets of a book.
const maxRules = 20_000

// Add reads a style sheet.
func (s Sheet) Add(css string) {
	for {
		from := strings.Index(css, "/*")
		if from < 0 {
			break
		}
		to := strings.Index(css[from+2:], "*/")
		if to < 0 {
			css = css[:from]
			break
		}
		s.rules(css[:from])
		css = css[from+2+to+2:]
	}
	s.rules(css)
}

func (s Sheet) rules(css string) {
	for len(s) < maxRules {
		open := strings.IndexByte(css, '{')
		if open < 0 {
			return
		}
		end := strings.IndexByte(css[open:], '}')
		if end < 0 {
			return
		}
		selectors, body := css[:open], css[open+1:open+end]
		css = css[open+end+1:]
		if i := strings.LastIndexAny(selectors, "};"); i >= 0 {
			selectors = selectors[i+1:]
		}
		if strings.ContainsAny(selectors, "@") || strings.IndexByte(body, '{') >= 0 {
			continue
		}
		var l look
		l.declare(body)
		if l == (look{}) {
			continue
		}
		for _, sel := range strings.Split(selectors, ",") {
			sel = strings.TrimSpace(sel)
			if sel == "" || len(sel) > 80 || strings.ContainsAny(sel, " >+~:[*#") {
				continue
			}
			key := strings.ToLower(sel)
			s[key] = s[key].over(l)
		}
	}
}

// over is l with what m says.
func (l look) over(m look) look {
	l.style = l.style&^m.set | m.style
	l.set |= m.set
	if m.aligned {
		l.align, l.aligned = m.align, true
	}
	l.hidden = l.hidden || m.hidden
	if m.size != 0 || m.points != 0 {
		l.size, l.points = m.size, m.points
	}
	return l
}

func (l *look) declare(body string) {
	for _, d := range strings.Split(body, ";") {
		k, v, ok := strings.Cut(d, ":")
		if !ok {
			continue
		}
		v = strings.ToLower(strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(v), "!important")))
		put := func(t manuscript.Style, on bool) {
			l.set |= t
			if l.style &^= t; on {
				l.style |= t
			}
		}
		switch strings.ToLower(strings.TrimSpace(k)) {
		case "font-style":
			put(manuscript.Italic, v == "italic" || v == "oblique")
		case "font-family":
			put(manuscript.Monospace, source.Typewriter(v))
		case "font-weight":
			put(manuscript.Bold, v == "bold" || v == "bolder" || v == "700" || v == "800" || v == "900")
		case "font-variant", "font-variant-caps":
			put(manuscript.SmallCaps, strings.Contains(v, "small-caps"))
		case "text-transform":
			put(manuscript.AllCaps, v == "uppercase")
		case "vertical-align":
			put(manuscript.Superscript, v == "super")
			if v == "sub" {
				put(manuscript.Subscript, true)
			}
		case "text-decoration", "text-decoration-line":
			put(manuscript.Underline, strings.Contains(v, "underline"))
			put(manuscript.Strike, strings.Contains(v, "line-through"))
		case "font-size":
			l.size, l.points = fontSize(v)
		case "text-align":
			l.aligned = true
			l.align = map[string]manuscript.Align{"center": manuscript.AlignCenter, "right": manuscript.AlignRight}[v]
		case "display", "visibility":
			l.hidden = l.hidden || v == "none" || v == "hidden"
		}
	}
}

// of is what the sheets and its own attribute say of an element.
func (s Sheet) of(n *html.Node) look {
	l := s[n.Data]
	if class := attr(n, "class"); class != "" {
		for _, c := range strings.Fields(class) {
			c = strings.ToLower(c)
			if m, ok := s["."+c]; ok {
				l = l.over(m)
			}
			if m, ok := s[n.Data+"."+c]; ok {
				l = l.over(m)
			}
		}
	}
	if own := attr(n, "style"); own != "" {
		var m look
		m.declare(own)
		l = l.over(m)
	}
	for _, a := range n.Attr {
		if a.Key == "hidden" {
			l.hidden = true
		}
		if a.Key == "align" {
			l = l.over(look{aligned: true, align: map[string]manuscript.Align{"center": manuscript.AlignCenter,
				"right": manuscript.AlignRight}[strings.ToLower(a.Val)]})
		}
	}
	return l
}
