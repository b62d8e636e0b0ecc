package epub

import (
	"fmt"
	"strconv"

	"mappe/shared/book/manuscript"
)

// target is where an anchor stands.
type target struct{ path, id string }

// plan names the files and settles where links inside the book lead, before anything is written.
func (k *book) plan() {
	for _, i := range k.order() {
		k.files[i] = fmt.Sprintf("s%03d.xhtml", i+1)
	}
	wanted := map[string]bool{}
	for _, i := range k.order() {
		w := walk{link: func(href string) {
			if len(href) > 1 && href[0] == '#' {
				wanted[href[1:]] = true
			}
		}}
		k.visit(&w, i)
	}
	for _, i := range k.order() {
		w := walk{}
		w.anchor = func(name string) {
			if _, ok := k.targets[name]; name != "" && wanted[name] && !ok {
				path := k.files[i]
				if w.later {
					path = notesPath
				}
				k.targets[name] = target{path: path, id: "a" + strconv.Itoa(len(k.targets)+1)}
			}
		}
		k.visit(&w, i)
	}
}

// order gives the sections that are shown as the print book has them. Contents, index and half title are
// made by the press or are of paper alone.
func (k *book) order() []int {
	var before, after, rest []int
	for i := range k.src.Sections {
		s := &k.src.Sections[i]
		switch {
		case s.Kind == manuscript.KindContents || s.Kind == manuscript.KindIndex || s.Kind == manuscript.KindHalfTitle:
		case len(manuscript.Line(s.Title)) == 0 && s.Number == "" && !showsAny(s.Blocks):
		case s.Kind == manuscript.KindForeword || s.Kind == manuscript.KindPreface:
			after = append(after, i)
		case s.Kind.Front():
			before = append(before, i)
		default:
			rest = append(rest, i)
		}
	}
	return append(append(before, after...), rest...)
}

func (k *book) has(kind manuscript.Kind) bool {
	for i := range k.files {
		if k.src.Sections[i].Kind == kind {
			return true
		}
	}
	return false
}

// walk visits links and anchors.
type walk struct {
	link   func(href string)
	anchor func(name string)
	later  bool         // in a note of the notes page
	seen   map[int]bool // notes
}

func (k *book) visit(w *walk, section int) {
	w.seen = map[int]bool{}
	s := &k.src.Sections[section]
	k.visitInlines(w, s.Title)
	k.visitInlines(w, s.Subtitle)
	k.visitBlocks(w, s.Blocks)
}

func (k *book) visitBlocks(w *walk, list []manuscript.Block) {
	for _, b := range list {
		if !shows(b) {
			continue
		}
		anchor := ""
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
					k.visitInlines(w, l.Inlines)
				}
			}
			k.visitInlines(w, b.Attribution)
		case *manuscript.Quote:
			k.visitBlocks(w, b.Blocks)
			k.visitInlines(w, b.Attribution)
		}
		if w.anchor != nil {
			w.anchor(anchor)
		}
	}
}

func (k *book) visitInlines(w *walk, in []manuscript.Inline) {
	for _, x := range in {
		switch x := x.(type) {
		case manuscript.Link:
			if w.link != nil {
				w.link(x.Href)
			}
			k.visitInlines(w, x.Inlines)
		case manuscript.Target:
			if w.anchor != nil {
				w.anchor(x.Name)
			}
		case manuscript.NoteRef:
			if x.Note < 0 || x.Note >= len(k.src.Notes) || w.seen[x.Note] {
				continue
			}
			w.seen[x.Note] = true
			n := &k.src.Notes[x.Note]
			was := w.later
			w.later = w.later || !k.foot(n)
			k.visitBlocks(w, n.Blocks)
			w.later = was
		}
	}
}
