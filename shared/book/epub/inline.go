package epub

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"mappe/shared/book/manuscript"
	"mappe/shared/book/weblink"
)

// page is a page of XHTML while it is written.
type page struct {
	markup
	k       *book
	path    string
	title   string          // what it is called
	section int             // index in Book.Sections, -1
	lang    string          // of what is being written
	tags    []tag           // open character styles
	link    int             // open links
	anchors map[string]bool // anchors links lead to that stand on this page; true once they are written
	opening bool            // the next paragraph is a chapter's first
	depth   int             // of notes to notes

	notes  []shownNote // of this section, in the order of their references
	number int         // of the last reference in this section

	starts  []PageRef // pages that begin in the block being written, not yet marked
	letters int       // of the block so far
	inWord  bool      // the last character was a letter
}

// tag is an open element of character style.
type tag struct{ name, class, lang string }

// styles are the elements of character styles, outermost first.
var styles = []struct {
	style       manuscript.Style
	name, class string
}{
	{manuscript.Bold, "strong", ""}, {manuscript.Italic, "em", ""}, {manuscript.Underline, "span", "u"}, {manuscript.Strike, "s", ""},
	{manuscript.SmallCaps, "span", "sc"}, {manuscript.AllCaps, "span", "caps"}, {manuscript.Monospace, "code", ""},
	{manuscript.Superscript, "sup", ""}, {manuscript.Subscript, "sub", ""},
}

// inlines writes pieces of a line and closes what they open.
func (p *page) inlines(in []manuscript.Inline) {
	p.inWord = false
	for _, x := range in {
		p.inline(x)
	}
	p.plainStyle()
}

func (p *page) inline(x manuscript.Inline) {
	switch x := x.(type) {
	case manuscript.Text:
		p.run(x)
	case manuscript.NoteRef:
		p.noteRef(x.Note)
	case manuscript.Link:
		p.linkTo(x)
	case manuscript.LineBreak:
		p.plainStyle()
		p.inWord = false
		p.empty("br")
	case manuscript.InlineImage:
		p.plainStyle()
		if path := p.k.image(x.Image); path != "" {
			p.k.pictures++
			p.k.alts = p.k.alts && strings.TrimSpace(x.Alt) != ""
			p.empty("img", "class", "inline", "src", path, "alt", strings.TrimSpace(x.Alt))
		}
	case manuscript.Target:
		p.plainStyle()
		p.target(x.Name)
	}
}

// target marks a place in a line that a link leads to.
func (p *page) target(name string) {
	if id := p.anchor(name); id != "" {
		p.start("span", "id", id)
		p.end()
	}
}

// run writes letters of one style; elements that the run before has open too stay open.
func (p *page) run(t manuscript.Text) {
	if t.S == "" {
		return
	}
	var want []tag
	if l := language(t.Language); l != "" && l != p.lang {
		want = append(want, tag{name: "span", lang: l})
	}
	for _, s := range styles {
		if t.Style.Has(s.style) {
			want = append(want, tag{name: s.name, class: s.class})
		}
	}
	if len(want) > 1 && want[0].lang != "" && want[1].name == "em" { // foreign words: no emphasis
		want = append([]tag{{name: "i", lang: want[0].lang}}, want[2:]...)
	}
	same := 0
	for same < len(want) && same < len(p.tags) && want[same] == p.tags[same] {
		same++
	}
	p.close(same)
	for _, w := range want[same:] {
		p.start(w.name, "class", w.class, "lang", w.lang, "xml:lang", w.lang)
		p.tags = append(p.tags, w)
	}
	p.letter(t.S)
}

// close ends character styles until n are open.
func (p *page) close(n int) {
	for len(p.tags) > n {
		p.end()
		p.tags = p.tags[:len(p.tags)-1]
	}
}

func (p *page) plainStyle() { p.close(0) }

// letter writes the author's text, with the marks of pages that begin in it.
func (p *page) letter(s string) {
	p.k.text.Write([]byte(s))
	if len(p.starts) == 0 {
		p.text(s)
		return
	}
	from := 0
	word := 0 // where what belongs to the word begins: a quote in front of it does
	for i, c := range s {
		// A page that begins with the block does so whatever its first character is.
		for p.letters == 0 && len(p.starts) > 0 && p.starts[0].Letters == 0 && !unicode.IsSpace(c) {
			p.text(s[from:i])
			from = i
			p.pageMark("span")
		}
		if !unicode.IsLetter(c) {
			p.inWord = false
			if unicode.IsSpace(c) {
				word = i + utf8.RuneLen(c)
			}
			continue
		}
		for len(p.starts) > 0 && !p.inWord && p.letters >= p.starts[0].Letters {
			p.text(s[from:max(from, word)])
			from = max(from, word)
			p.pageMark("span")
		}
		p.inWord = true
		p.letters++
	}
	p.text(s[from:])
}

// pageMark marks the first of the pages that wait.
func (p *page) pageMark(element string) {
	folio := p.starts[0].Folio
	p.starts = p.starts[1:]
	id := "page" + strconv.Itoa(len(p.k.pages)+1)
	p.start(element, "epub:type", "pagebreak", "role", "doc-pagebreak", "id", id, "aria-label", folio)
	p.end()
	p.k.pages = append(p.k.pages, pageMark{folio: folio, href: p.path + "#" + id})
}

// linkTo writes a link; one that leads nowhere, or stands in another, is text.
func (p *page) linkTo(l manuscript.Link) {
	p.plainStyle()
	href := ""
	if p.link == 0 {
		href = p.k.href(l.Href)
	}
	if n := p.k.opt.Referred[strings.TrimPrefix(l.Href, "#")]; l.Page && n != "" {
		l.Inlines = []manuscript.Inline{manuscript.Text{S: n}}
	}
	if href == "" || !visible(l.Inlines) {
		for _, x := range l.Inlines {
			p.inline(x)
		}
		p.plainStyle()
		return
	}
	var after []manuscript.Inline // a note's number is a link of its own
	p.link++
	p.start("a", "href", href)
	for _, x := range l.Inlines {
		if _, ok := x.(manuscript.NoteRef); ok {
			after = append(after, x)
			continue
		}
		p.inline(x)
	}
	p.plainStyle()
	p.end()
	p.link--
	for _, x := range after {
		p.inline(x)
	}
}

// href is where a link of the manuscript leads, "" where that is nowhere. Places of the book are filled in
// when all pages are written.
func (k *book) href(to string) string {
	if name, inside := strings.CutPrefix(to, "#"); inside {
		if t, ok := k.targets[name]; ok {
			return t.path + "#" + t.id
		}
		return ""
	}
	return weblink.Address(to)
}

// visible says whether inlines show anything.
func visible(in []manuscript.Inline) bool {
	for _, x := range in {
		switch x := x.(type) {
		case manuscript.Text:
			if strings.TrimSpace(x.S) != "" {
				return true
			}
		case manuscript.Link:
			if visible(x.Inlines) {
				return true
			}
		case manuscript.NoteRef, manuscript.InlineImage:
			return true
		}
	}
	return false
}
