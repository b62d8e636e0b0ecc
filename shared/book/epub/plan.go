package epub

import (
	"strconv"

	"mappe/shared/book/manuscript"
)

// target is where an anchor stands.
type target struct{ path, id string }

// plan names the files and settles where links inside the book lead, before anything is written.
func (k *book) plan() {
	for _, i := range k.listed() {
		k.divide(i)
	}
	k.divideNotes()
	wanted := map[string]bool{}
	for _, i := range k.listed() {
		w := walk{note: -1, link: func(href string) {
			if len(href) > 1 && href[0] == '#' {
				wanted[href[1:]] = true
			}
		}}
		k.visitHead(&w, i)
		k.visitBlocks(&w, k.src.Sections[i].Blocks)
	}
	for _, i := range k.listed() {
		path := k.files[i]
		w := walk{note: -1}
		w.anchor = func(name string) {
			if _, ok := k.targets[name]; name != "" && wanted[name] && !ok {
				at := path
				if w.note >= 0 {
					at = k.noteFiles[w.note]
				}
				k.targets[name] = target{path: at, id: "a" + strconv.Itoa(len(k.targets)+1)}
			}
		}
		k.visitHead(&w, i)
		for _, piece := range k.pieces[i] {
			path = piece.path
			k.visitBlocks(&w, k.src.Sections[i].Blocks[piece.from:piece.to])
		}
	}
}

// order gives the sections that are shown as the print book has them; late is how many of them stand in front of
// the contents. Contents, index and half title are made by the press or are of paper alone.
func (k *book) order() (list []int, late int) {
	shown := func(part []int) {
		for _, i := range part {
			if s := &k.src.Sections[i]; len(manuscript.Line(s.Title)) > 0 || showsAny(s.Blocks) {
				list = append(list, i)
			}
		}
	}
	m := k.src.Matter()
	shown(m.Front)
	late = len(list)
	shown(m.Late)
	shown(m.Body)
	return list, late
}

// listed are the sections that are shown, in their order.
func (k *book) listed() []int {
	list, _ := k.order()
	return list
}

func (k *book) has(kind manuscript.SectionKind) bool {
	for i := range k.files {
		if k.src.Sections[i].Kind == kind {
			return true
		}
	}
	return false
}

// walk visits links and anchors, and weighs what it visits.
type walk struct {
	link   func(href string)
	anchor func(name string)
	note   int          // the note of a notes page it is in; -1
	seen   map[int]bool // notes
	bytes  int          // of markup, about, without notes of the notes pages
}

// About how many bytes of markup stand around things, beside their text.
const (
	bytesOfBlock, bytesOfStyle, bytesOfLink, bytesOfRef, bytesOfNote = 40, 30, 40, 120, 220
)

// visitHead begins a section.
func (k *book) visitHead(w *walk, section int) {
	w.seen = map[int]bool{}
	s := &k.src.Sections[section]
	k.visitInlines(w, s.Title)
	k.visitInlines(w, s.Subtitle)
}

// weigh adds to the size of what is visited.
func (w *walk) weigh(bytes int) {
	if w.note < 0 {
		w.bytes += bytes
	}
}

func (k *book) visitBlocks(w *walk, list []manuscript.Block) {
	for _, b := range list {
		if !shows(b) {
			continue
		}
		anchor := ""
		w.weigh(bytesOfBlock)
		switch b := b.(type) {
		case *manuscript.Paragraph:
			anchor = b.Anchor
			k.visitInlines(w, b.Inlines)
		case *manuscript.Heading:
			anchor = b.Anchor
			k.visitInlines(w, b.Inlines)
		case *manuscript.Figure:
			anchor = b.Anchor
			k.visitInlines(w, b.Caption)
		case *manuscript.Table:
			anchor = b.Anchor
			k.visitInlines(w, b.Caption)
			for _, r := range b.Rows {
				for _, c := range r.Cells {
					w.weigh(bytesOfBlock)
					k.visitBlocks(w, c.Blocks)
				}
			}
		case *manuscript.List:
			for _, item := range b.Items {
				k.visitBlocks(w, item)
			}
		case *manuscript.Verse:
			for _, stanza := range b.Stanzas {
				for _, l := range stanza {
					w.weigh(bytesOfBlock)
					k.visitInlines(w, l.Inlines)
				}
			}
			k.visitInlines(w, b.Attribution)
		case *manuscript.Quote:
			k.visitBlocks(w, b.Blocks)
			k.visitInlines(w, b.Attribution)
		case *manuscript.Code:
			for _, l := range b.Lines {
				w.weigh(len(l) + 1)
			}
		}
		if w.anchor != nil {
			w.anchor(anchor)
		}
	}
}

func (k *book) visitInlines(w *walk, in []manuscript.Inline) {
	for _, x := range in {
		switch x := x.(type) {
		case manuscript.Text:
			w.weigh(len(x.S))
			if x.Style != 0 || x.Language != "" {
				w.weigh(bytesOfStyle)
			}
		case manuscript.Link:
			w.weigh(bytesOfLink + len(x.Href))
			if w.link != nil {
				w.link(x.Href)
			}
			k.visitInlines(w, x.Inlines)
		case manuscript.InlineImage:
			w.weigh(bytesOfLink + len(x.Alt))
		case manuscript.Target:
			if w.anchor != nil {
				w.anchor(x.Name)
			}
		case manuscript.NoteRef:
			w.weigh(bytesOfRef)
			if x.Note < 0 || x.Note >= len(k.src.Notes) || w.seen[x.Note] {
				continue
			}
			w.seen[x.Note] = true
			was := w.note
			if w.note < 0 && !k.foot(&k.src.Notes[x.Note]) {
				w.note = x.Note
			}
			w.weigh(bytesOfNote)
			k.visitBlocks(w, k.src.Notes[x.Note].Blocks)
			w.note = was
		}
	}
}
