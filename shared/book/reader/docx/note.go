package docx

import (
	"strings"

	"mappe/shared/book/finding"
	"mappe/shared/book/manuscript"
	"mappe/shared/book/reader/source"
	"mappe/shared/book/reader/xmlpart"
)

// notes are the footnotes and endnotes of a file.
type notes struct {
	list  []manuscript.Note
	parts [2]*part // footnotes, endnotes
	text  [2]map[string]xmlpart.El
	order [2][]string
	index [2]map[string]int // in list; -1 where the note has no text or its reference is deleted
	depth int
}

func (r *reader) readNotes() error {
	for i, kind := range []string{"footnotes", "endnotes"} {
		r.notes.text[i], r.notes.index[i] = map[string]xmlpart.El{}, map[string]int{}
		p, err := r.pack.open(r.main.byKind(kind))
		if err != nil {
			return err
		}
		if p == nil {
			continue
		}
		r.notes.parts[i] = p
		root, err := xmlpart.Parse(p.text, names, r.limits)
		if err != nil {
			return wrap(p.name, err)
		}
		for e := root.First(); e.Ok(); e = e.Next() {
			if !e.Is(w, "footnote") && !e.Is(w, "endnote") {
				continue
			}
			if t := e.Attr(w, "type"); t != "" && t != "normal" {
				continue
			}
			id := e.Attr(w, "id")
			if _, twice := r.notes.text[i][id]; !twice {
				r.notes.text[i][id] = e
				r.notes.order[i] = append(r.notes.order[i], id)
			}
		}
	}
	return nil
}

// noteRef puts a reference to a note, and reads the note where it is the first. mark is what the author has written
// for its number, in the text and before the note.
func (f *flow) noteRef(end bool, id, mark string, l *look) {
	n := &f.r.notes
	if f.story.silent() || l.hidden || n.depth > 0 {
		return
	}
	k := 0
	if end {
		k = 1
	}
	at, known := n.index[k][id]
	if !known {
		at = f.r.readNote(k, id, mark)
		n.index[k][id] = at
		if at < 0 {
			f.find(finding.NoteWithoutText, f.near(), "")
		}
	}
	if at >= 0 {
		f.add(manuscript.NoteRef{Note: at})
		f.text++
	}
}

// near is the end of the paragraph so far.
func (f *flow) near() string { return f.in.Tail(finding.MaxExcerpt - 1) }

// readNote reads the text of a note; -1 if the document does not have the note.
func (r *reader) readNote(k int, id, mark string) int {
	e, ok := r.notes.text[k][id]
	if !ok {
		return -1
	}
	label := "footnote " + id
	if k == 1 {
		label = "endnote " + id
	}
	r.notes.depth++
	f := &flow{r: r, story: &story{part: r.notes.parts[k], label: label}}
	f.children(e)
	f.end()
	r.notes.depth--
	items := f.items
	for len(items) > 0 && items[0].block == nil && source.Blank(items[0].inlines) {
		items = items[1:]
	}
	for n := len(items); n > 0 && items[n-1].block == nil && source.Blank(items[n-1].inlines); n-- {
		items = items[:n-1]
	}
	if len(items) == 0 {
		return -1
	}
	// The mark of the note and the space after it stand in its first paragraph.
	if items[0].block == nil {
		items[0].inlines = source.Trim(unmarked(source.Trim(items[0].inlines), mark))
	}
	r.notes.list = append(r.notes.list, manuscript.Note{Endnote: k == 1, Blocks: group(items),
		Place: manuscript.Place{Section: r.sections.Title(), Part: label}})
	return len(r.notes.list) - 1
}

// unmarked is a note without its mark: the press numbers it.
func unmarked(in []manuscript.Inline, mark string) []manuscript.Inline {
	if len(in) == 0 || mark == "" {
		return in
	}
	t, ok := in[0].(manuscript.Text)
	if !ok || !strings.HasPrefix(t.S, mark) {
		return in
	}
	if t.S = t.S[len(mark):]; t.S == "" {
		return in[1:]
	}
	in[0] = t
	return in
}

// dropNotes marks the notes referred to in deleted text: they are gone, not forgotten.
func (r *reader) dropNotes(e xmlpart.El) {
	for c := e.First(); c.Ok(); c = c.Next() {
		for k, name := range []string{"footnoteReference", "endnoteReference"} {
			if c.Is(w, name) {
				if id := c.Attr(w, "id"); r.notes.index[k][id] == 0 {
					if _, seen := r.notes.index[k][id]; !seen {
						r.notes.index[k][id] = -1
					}
				}
			}
		}
		r.dropNotes(c)
	}
}

// unusedNotes reports notes that nothing refers to.
func (r *reader) unusedNotes() {
	for k, label := range []string{"footnote ", "endnote "} {
		for _, id := range r.notes.order[k] {
			if _, seen := r.notes.index[k][id]; seen {
				continue
			}
			if text := clean(r.notes.text[k][id].AllText()); text != "" {
				r.log.Drop(finding.NoteWithoutReference, manuscript.Place{Part: label + id}, text, "")
			}
		}
	}
}
