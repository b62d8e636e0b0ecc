// Package source is what all readers of manuscripts share: the limits an upload must keep to, the sentence
// a file is refused with, the bounded archive, pictures as files hold them, the list of findings and the
// gathering of blocks into sections. It knows no file format.
package source

import "fmt"

// Limits bound what a file may cost. They are counted while reading, never taken from what a file says.
type Limits struct {
	File     int // bytes of the upload
	Entries  int // of an archive
	Part     int // bytes of one part after unpacking
	Total    int // bytes of all parts that are read
	Nesting  int // of elements
	Nodes    int // elements and texts between two points of rest of a reader (a paragraph, a table, a part)
	Blocks   int // paragraphs of a manuscript
	Pixels   int // width times height of a picture
	Side     int // pixels
	Findings int // that are told one by one, of each type; the rest is counted
}

// Default are the limits of the service.
func Default() Limits {
	return Limits{
		File: 50 << 20, Entries: 10_000, Part: 64 << 20, Total: 256 << 20, Nesting: 512,
		Nodes: 2_000_000, Blocks: 300_000, Pixels: 60_000_000, Side: 20_000, Findings: 200,
	}
}

// WithDefaults fills what is not set from Default.
func (l Limits) WithDefaults() Limits {
	d := Default()
	for _, f := range []struct{ have, want *int }{
		{&l.File, &d.File}, {&l.Entries, &d.Entries}, {&l.Part, &d.Part}, {&l.Total, &d.Total}, {&l.Nesting, &d.Nesting},
		{&l.Nodes, &d.Nodes}, {&l.Blocks, &d.Blocks}, {&l.Pixels, &d.Pixels}, {&l.Side, &d.Side}, {&l.Findings, &d.Findings},
	} {
		if *f.have <= 0 {
			*f.have = *f.want
		}
	}
	return l
}

// Refused is the error of a file that cannot be read. Message is for the author: what is wrong and what to do.
type Refused struct {
	Code    string // a word for programs: too_large, encrypted, macros, old_word, pdf, broken ...
	Message string
}

func (r Refused) Error() string { return r.Message }

// Refuse makes a Refused.
func Refuse(code, format string, args ...any) error {
	return Refused{Code: code, Message: fmt.Sprintf(format, args...)}
}

// The codes of refusals.
const (
	TooLarge    = "too_large"
	TooComplex  = "too_complex"
	Empty       = "empty"
	Encrypted   = "encrypted"
	Macros      = "macros"
	OldWord     = "old_word"
	RTF         = "rtf"
	Pages       = "pages"
	PDF         = "pdf"
	NotText     = "not_text" // a spreadsheet, a picture, a program
	Broken      = "broken"
	DocType     = "doctype"
	Unknown     = "unknown"
	Unsupported = "unsupported"
)

// Size says a number of bytes for people.
func Size(n int) string {
	if n >= 1<<20 {
		return fmt.Sprintf("%d MB", n>>20)
	}
	return fmt.Sprintf("%d KB", n>>10)
}
