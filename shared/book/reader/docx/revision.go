package docx

import (
	"strings"

	"mappe/shared/book/finding"
	"mappe/shared/book/manuscript"
	"mappe/shared/book/reader/source"
	"mappe/shared/book/reader/xmlpart"
)

// A streak is text of one kind that may run over several runs and is told once.
type streak struct {
	text  []byte
	place manuscript.Place
	on    bool
}

const (
	streakHidden = iota
	streakHighlight
	streakCount
)

func (f *flow) streak(kind int, s string) {
	k := &f.story.streaks[kind]
	if !k.on {
		*k = streak{on: true, place: f.place()}
	}
	if kind == streakHidden || len(k.text) < 2*finding.MaxExcerpt {
		k.text = append(k.text, s...)
	}
}

func (f *flow) endStreak(kind int) {
	k := &f.story.streaks[kind]
	if k.on {
		k.on = false
		switch text := clean(string(k.text)); {
		case text == "":
		case kind == streakHidden:
			f.r.log.Drop(finding.HiddenText, k.place, text, "")
		default:
			f.r.log.Add(finding.Highlight, k.place, text, "")
		}
	}
}

func (f *flow) endStreaks() {
	for i := range f.story.streaks {
		f.endStreak(i)
	}
}

// excerptBytes is what an excerpt is cut from.
const excerptBytes = 4 * finding.MaxExcerpt

// brief is what a change is about: an element, the end of a paragraph, words.
type brief interface{ Brief(bytes int) string }

type mark struct{}

func (mark) Brief(int) string { return "¶" }

type words []manuscript.Inline

func (w words) Brief(int) string { return manuscript.Line(w) }

// revise reports a tracked change, once for changes of one kind and author that nothing parts.
func (f *flow) revise(what, author string, text brief) {
	s := f.story
	if what == "inserted" || what == "moved here" {
		s.revising++
	}
	key := what + "\x00" + author
	if s.revised && s.revision == key {
		return
	}
	s.revised, s.revision = true, key
	detail := what
	if author != "" {
		detail += " by " + author
	}
	f.find(finding.TrackedChange, clip(clean(text.Brief(excerptBytes))), clean(detail))
}

// revised ends an insertion.
func (f *flow) revised() { f.story.revising-- }

// insertedMark reports an inserted end of a paragraph, where it does not go with inserted text.
func (f *flow) insertedMark() {
	if m := &f.p.props.mark; m.inserted {
		f.revise("inserted", m.insertedBy, mark{})
		f.revised()
	}
}

// delete leaves out what is deleted or moved away, and knows which notes went with it.
func (f *flow) delete(e xmlpart.El, what string) {
	f.revise(what, e.Attr(w, "author"), e)
	f.p.removed = true
	f.r.dropNotes(e)
	f.deletedFields(e)
}

// deletedFields follows the begins and ends of fields in deleted text, so that the ends outside of it fit.
func (f *flow) deletedFields(e xmlpart.El) {
	for c := e.First(); c.Ok(); c = c.Next() {
		if c.Is(w, "fldChar") {
			f.fieldChar(c)
			continue
		}
		f.deletedFields(c)
	}
}

// capture listens for the text a comment is about.
type capture struct {
	id   string
	text string
}

func (s *story) capture(id string) {
	if len(s.captured) < 16 {
		s.captured = append(s.captured, capture{id: id})
	}
}

func (s *story) hear(text string) {
	for i := range s.captured {
		if c := &s.captured[i]; len(c.text) < 2*finding.MaxExcerpt {
			c.text += text
		}
	}
}

// comment is a remark at the edge of the page.
type comment struct {
	author, text string
}

func (r *reader) readComments() error {
	r.comments = map[string]comment{}
	p, err := r.pack.open(r.main.byKind("comments"))
	if p == nil || err != nil {
		return err
	}
	root, err := xmlpart.Parse(p.text, names, r.limits)
	if err != nil {
		return wrap(p.name, err)
	}
	for e := root.First(); e.Ok(); e = e.Next() {
		if e.Is(w, "comment") {
			r.comments[e.Attr(w, "id")] = comment{author: clean(e.Attr(w, "author")), text: clip(clean(e.Brief(excerptBytes)))}
		}
	}
	return nil
}

// comment reports a comment where its mark stands, with the text it is about.
func (f *flow) comment(id string) {
	about := ""
	for i, c := range f.story.captured {
		if c.id == id {
			about = c.text
			f.story.captured = append(f.story.captured[:i], f.story.captured[i+1:]...)
			break
		}
	}
	c, detail := f.r.comments[id], ""
	switch {
	case c.author != "" && c.text != "":
		detail = c.author + ": " + c.text
	default:
		detail = c.author + c.text
	}
	f.find(finding.Comment, clean(about), detail)
}

func clean(s string) string { return source.Line(source.Clean(s)) }

// clip keeps what an excerpt needs of a long text.
func clip(s string) string {
	if len(s) > excerptBytes {
		return strings.ToValidUTF8(s[:excerptBytes], "")
	}
	return s
}
