// Package spec is how a book shall look: trim, type, openers, heads, notes, printer. It owns the fields,
// their bounds and defaults, and how a transmittal's data becomes a Spec. Lengths of type are points of
// 1/72 inch, lengths of paper millimetres.
package spec

// Spec is everything the press needs to know beside the manuscript. Default gives one that prints well.
type Spec struct {
	Title, Subtitle, Author string // win over what the manuscript says
	Publisher, ISBN, Rights string // of the copyright page; Rights is a line such as "© 2026 Anna Huber"
	Language                string // BCP 47: en, en-GB, de, de-AT, de-CH, de-1901

	Trim    Trim
	BleedMM float64 // on the three outer edges; 0 or 1 to 10
	Margins Margins // zero fields follow the rules of Printer and page count

	Face      string  // a name of package font: "stix-two", ...
	SizePt    float64 // 8 to 18
	LeadingPt float64 // 9 to 30, at least SizePt

	Openers      Openers
	HeadVerso    Head
	HeadRecto    Head
	FirstLine    FirstLine
	SceneMark    string // what a scene break shows, at most 12 characters; "" is a blank line
	ChapterLabel bool   // "Chapter 3" above the title, where the chapter has a number
	Contents     Contents
	Notes        Notes
	Hyphenate    bool
	KeepAll      bool // leave out nothing of the manuscript, not even what the book makes itself

	Printer      Printer
	PDF          PDFPreset
	PageMultiple int // 1, 2 or 4: blank pages are added at the end
}

// Trim is the size of the cut page in millimetres.
type Trim struct{ WidthMM, HeightMM float64 }

// Margins in millimetres from the trim to the text; zero fields are chosen by page count and printer.
type Margins struct{ InnerMM, OuterMM, TopMM, BottomMM float64 }

// Openers says where chapters begin.
type Openers uint8

// Recto: on a right-hand page. NextPage: on the next page.
const (
	Recto Openers = iota
	NextPage
)

// Head is what a running head shows.
type Head uint8

// The running heads.
const (
	HeadAuthor Head = iota
	HeadTitle
	HeadChapter
	HeadNone
)

// FirstLine is how a chapter's first line is set.
type FirstLine uint8

// Plain, a drop cap of two lines, or the first words in small capitals.
const (
	FirstPlain FirstLine = iota
	FirstDropCap
	FirstSmallCaps
)

// Contents says whether a table of contents is set.
type Contents uint8

// ContentsAuto: where there are at least three titled sections.
const (
	ContentsAuto Contents = iota
	ContentsYes
	ContentsNo
)

// Notes says where notes are set.
type Notes uint8

// As the manuscript has them, all at the page's foot, or all at the end of the book.
const (
	NotesAsWritten Notes = iota
	NotesFoot
	NotesEnd
)

// Printer is whose rules margins and files follow.
type Printer uint8

// The printers.
const (
	PrinterPlain Printer = iota
	PrinterKDP
	PrinterIngram
)

// PDFPreset is what the PDF of a final is written for.
type PDFPreset uint8

// The presets.
const (
	PDFX1a PDFPreset = iota
	PDFX4
	PDFPlain
)
