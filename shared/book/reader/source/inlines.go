package source

import (
	"strings"

	"mappe/shared/book/manuscript"
)

// Inlines gathers the inlines of a paragraph: texts of one look are joined, links opened and closed.
// Texts are joined once, however many pieces there are.
type Inlines struct {
	out, link []manuscript.Inline
	href      string
	page      bool   // the open link's text is the number of a page
	first     string // of the pending text; more holds it and what came after
	more      []byte
	look      manuscript.Text // style and language of the pending text
}

// Text adds letters of one look.
func (b *Inlines) Text(s string, style manuscript.Style, language string) {
	if s == "" {
		return
	}
	if b.first != "" && b.look.Style == style && b.look.Language == language {
		if len(b.more) == 0 {
			b.more = append(b.more, b.first...)
		}
		b.more = append(b.more, s...)
		return
	}
	b.flush()
	b.first, b.look = s, manuscript.Text{Style: style, Language: language}
}

// Add adds what is no text.
func (b *Inlines) Add(i manuscript.Inline) {
	b.flush()
	b.put(i)
}

// Link says that what follows leads to href, or nowhere where it is "".
func (b *Inlines) Link(href string) { b.lead(href, false) }

// PageLink says that what follows is the number of the page of href.
func (b *Inlines) PageLink(href string) { b.lead(href, true) }

func (b *Inlines) lead(href string, page bool) {
	if href == b.href && page == b.page {
		return
	}
	b.flush()
	b.close()
	b.href, b.page = href, page
}

// Empty says whether nothing has been added.
func (b *Inlines) Empty() bool { return b.first == "" && len(b.out) == 0 && len(b.link) == 0 }

// Take gives what was gathered and begins anew; an open link stays open.
func (b *Inlines) Take() []manuscript.Inline {
	b.flush()
	b.close()
	out := b.out
	b.out = nil
	return out
}

func (b *Inlines) close() {
	if len(b.link) > 0 {
		b.out = append(b.out, manuscript.Link{Href: b.href, Inlines: b.link, Page: b.page})
		b.link = nil
	}
}

func (b *Inlines) put(i manuscript.Inline) {
	if b.href != "" {
		b.link = append(b.link, i)
		return
	}
	b.out = append(b.out, i)
}

func (b *Inlines) flush() {
	if b.first == "" {
		return
	}
	t := b.look
	t.S = b.first
	if len(b.more) > 0 {
		t.S = string(b.more)
		b.more = b.more[:0]
	}
	b.first = ""
	if t.S = Clean(t.S); t.S != "" {
		b.put(t)
	}
}

// Tail is the end of the gathered text: at most n bytes of its last few texts.
func (b *Inlines) Tail(n int) string {
	s := b.first
	if len(b.more) > 0 {
		s = string(b.more[max(0, len(b.more)-n):])
	}
	for _, list := range [][]manuscript.Inline{b.link, b.out} {
		for i := len(list) - 1; i >= max(0, len(list)-64) && len(s) < n; i-- {
			switch x := list[i].(type) {
			case manuscript.Text:
				s = x.S[max(0, len(x.S)-n):] + s
			case manuscript.Link:
				s = manuscript.Line(x.Inlines) + s
			case manuscript.LineBreak:
				s = " " + s
			}
		}
	}
	if len(s) > n {
		s = strings.ToValidUTF8(s[len(s)-n:], "")
	}
	return Line(Clean(s))
}
