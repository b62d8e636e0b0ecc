package webpage

import (
	"golang.org/x/net/html"

	"mappe/shared/book/manuscript"
	"mappe/shared/book/reader/source"
)

// verseElement reads an element of a poem: a paragraph is a stanza whose lines end in breaks or are
// elements, or one line of a stanza.
func (f *flow) verseElement(n *html.Node, st state) {
	if f.verse == nil {
		f.verse = &manuscript.Verse{Place: f.place()}
	}
	switch {
	case hasClass(n, "stanza", "lg") || n.Data == "p" || n.Data == "div" && find(n, "p") != nil:
		f.endStanza()
		f.children(n, st)
		f.stanzaLine()
		f.endStanza()
	default:
		f.children(n, st)
		f.stanzaLine()
	}
}

// stanzaLine takes what was gathered as lines of the stanza.
func (f *flow) stanzaLine() {
	in := f.line()
	if f.verse == nil || len(in) == 0 {
		if len(in) > 0 {
			f.add(&manuscript.Paragraph{Inlines: in, Place: f.place()})
		}
		return
	}
	from := 0
	for i := 0; i <= len(in); i++ {
		if i < len(in) {
			if _, ok := in[i].(manuscript.LineBreak); !ok {
				continue
			}
		}
		if l := source.Trim(in[from:i:i]); len(l) > 0 {
			f.stanza = append(f.stanza, manuscript.VerseLine{Inlines: l})
		}
		from = i + 1
	}
}

func (f *flow) endStanza() {
	if len(f.stanza) > 0 {
		f.verse.Stanzas = append(f.verse.Stanzas, f.stanza)
		f.stanza = nil
	}
}

func (f *flow) endVerse() {
	v := f.verse
	if v == nil {
		return
	}
	f.endStanza()
	f.verse = nil
	if len(v.Stanzas) > 0 {
		f.out = append(f.out, v)
	}
}
