package press

import (
	"errors"
	"fmt"
	"path"
	"runtime"
	"strings"

	"mappe/shared/book/bookindex"
	"mappe/shared/book/finding"
	"mappe/shared/book/manuscript"
	"mappe/shared/book/preflight"
	"mappe/shared/book/reader"
	"mappe/shared/book/spec"
)

// MaxWords bounds a book: more than any novel, little enough that every build ends.
const MaxWords = 1_000_000

// Manuscript is a manuscript as the press sees it.
type Manuscript struct {
	Name     string // of the file
	Language string // the specification's, or where that names none the manuscript's
	Book     manuscript.Book
	Found    []finding.Finding
	Report   preflight.Report
	Words    int
}

// Sniff refuses a file that is no manuscript, before it is kept. Every error is a *Fault.
func (p Parts) Sniff(name string, b []byte) error {
	if err := p.Look(name, b); err != nil {
		return refusal(err)
	}
	return nil
}

// Open reads, repairs and examines a manuscript. A specification without a language takes the manuscript's.
// Every error is a *Fault.
func Open(name string, b []byte, s spec.Spec) (Manuscript, error) { return Standard().Open(name, b, s) }

// Open is Open with these parts.
func (p Parts) Open(name string, b []byte, s spec.Spec) (m Manuscript, err error) {
	defer caught(&err, func() (string, string) { return "reading the manuscript", "" })
	m = Manuscript{Name: name}
	book, found, err := p.Read(name, b)
	if err != nil {
		return Manuscript{}, refusal(err)
	}
	book, mended := p.Repair(book, s)
	book = bookindex.Anchor(book) // what a locator of an index names
	m.Book, m.Found = book, append(found, mended...)
	account := p.account(name, b, &m, s)
	if m.Words = words(book); m.Words > MaxWords {
		return Manuscript{}, &Fault{
			Plain: fmt.Sprintf("The manuscript has %d words; one book may have %d. Divide it into volumes and upload each.", m.Words,
				MaxWords),
			Detail: "too many words",
		}
	}
	if m.Words == 0 && len(book.Images) == 0 {
		return Manuscript{}, &Fault{Plain: "The manuscript holds no text. Check that the right file was saved and upload it again.",
			Detail: "no words and no pictures"}
	}
	s.Language = languageOf(s, book)
	m.Language = s.Language
	m.Report = p.Examine(book, m.Found, s)
	m.Found, m.Report.Words = m.Report.Findings, account
	return m, nil
}

// refusal is the fault of a file that cannot be read: a reader's own sentence, or the press's.
func refusal(err error) error {
	var r reader.Refused
	if errors.As(err, &r) {
		return &Fault{Plain: r.Message, Detail: r.Code}
	}
	return internal("reading the manuscript", "", err)
}

// caught turns a panic into a fault; where says what was being done, and beside which text.
func caught(err *error, where func() (step, near string)) {
	if p := recover(); p != nil {
		step, near := where()
		*err = internal(step, near, fmt.Errorf("panic: %v at %s", p, frame()))
	}
}

// words counts the words of the sections with their titles, and of the notes.
func words(b manuscript.Book) int {
	n := 0
	count := func(blocks []manuscript.Block) {
		for in := range manuscript.Passages(blocks) {
			n += len(strings.Fields(manuscript.Plain(in)))
		}
	}
	for i := range b.Sections {
		s := &b.Sections[i]
		n += len(strings.Fields(s.Label)) + len(strings.Fields(manuscript.Plain(s.Title))) +
			len(strings.Fields(manuscript.Plain(s.Subtitle)))
		count(s.Blocks)
	}
	for i := range b.Notes {
		count(b.Notes[i].Blocks)
	}
	return n
}

// languageOf is the specification's language, else the manuscript's where it is one that can be set, else
// English.
func languageOf(s spec.Spec, b manuscript.Book) string {
	if s.Language != "" {
		return s.Language
	}
	for try := b.Meta.Language; try != ""; {
		if got, err := spec.Apply(spec.Default(), map[string]any{"language": try}); err == nil {
			return got.Language
		}
		i := strings.LastIndexByte(try, '-')
		try = try[:max(i, 0)] // de-LI is set as de
	}
	return "en"
}

// opening is how the text of a section begins.
func opening(s *manuscript.Section) string {
	first := manuscript.Plain(s.Title)
	for in := range manuscript.Passages(s.Blocks) {
		if first += " " + manuscript.Plain(in); len(first) >= 80 {
			break
		}
	}
	return first
}

// frame is the place in the program where a panic began.
func frame() string {
	pcs := make([]uintptr, 24)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(3, pcs)])
	for {
		f, more := frames.Next()
		if !strings.HasPrefix(f.Function, "runtime.") && !strings.Contains(f.Function, "press.caught") {
			return fmt.Sprintf("%s:%d", path.Base(f.File), f.Line)
		}
		if !more {
			return "an unknown place"
		}
	}
}
