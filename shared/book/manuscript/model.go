// Package manuscript is what an author has written, without how it looks: sections of blocks of
// inlines, notes and images, each with the place in the file it came from. Readers (package reader and
// below) make it from the bytes of a file, package clean repairs it, layout and epub set it. It owns the
// model and nothing of any file format.
//
// A Book is a tree of values. Whoever changes it makes a copy of what is changed (package clean); a
// Book that was handed on is never written to.
package manuscript

// Book is a whole manuscript.
type Book struct {
	Meta     Meta
	Sections []Section
	Notes    []Note  // NoteRef counts into it; in the order of first reference
	Images   []Image // Figure and InlineImage count into it
	Styles   []StyleUse
}

// Meta is what the file says of itself; the project's title and author win over it.
type Meta struct {
	Title, Subtitle, Author string
	Language                string // BCP 47, "" where nothing says it: en, en-GB, de, de-AT, de-1901
}

// StyleUse is a named style of the file and how many paragraphs carry it.
type StyleUse struct {
	Name       string
	Paragraphs int
}

// Place is where a thing stands in the file, for people: part and paragraph as the author can count
// them, and the section's title once it is known.
type Place struct {
	Section   string // title of the section; "" before the first
	Part      string // body, footnote 3, header, text box
	Paragraph int    // in the part, from 1; 0 if the paragraph is not known
}

// Section is a chapter or another part of a book that begins with a heading of the highest kind.
type Section struct {
	Kind SectionKind
	// Label is what numbers the section, as the author wrote it, where a title follows: "Chapter 3" of
	// "Chapter 3: The Storm", "Drittes Kapitel", "III". A heading that says nothing else is the Title.
	Label    string
	Number   string   // the number alone, "3", "Drittes", "III"; "" where it has none. It is counted by, not set
	Title    []Inline // without Label
	Subtitle []Inline
	Blocks   []Block
	Language string // where it differs from the book's
	Place    Place
}

// Block is a thing between two line ends: *Paragraph, *Heading, *SceneBreak, *PageBreak, *Figure, *Table,
// *List, *Verse, *Quote or *Code.
type Block interface{ block() }

// Paragraph is running text.
type Paragraph struct {
	Inlines []Inline
	Role    Role
	Align   Align
	DropCap bool // the author has set its first letter as a drop cap
	// Scale is the type size of its smallest letters against that of the running text, 1.5 for half as large
	// again; 0 where they are the same or nothing says it. It tells headings that have no style, nothing is set by it.
	Scale  float64
	Anchor string
	Place  Place
}

// Heading is a heading inside a section. Level 1 is directly below the section's title.
type Heading struct {
	Level   int
	Inlines []Inline
	Anchor  string
	Place   Place
}

// SceneBreak is a gap in the story; Mark is what the author wrote for it (* * *, #, ⁂), "" for a blank line.
type SceneBreak struct {
	Mark  string
	Place Place
}

// PageBreak is a page break the author has set by hand.
type PageBreak struct{ Place Place }

// Figure is a picture that stands alone.
type Figure struct {
	Image   int // index in Book.Images; -1 where there is no usable picture (a finding says why)
	Alt     string
	Caption []Inline
	// WidthMM is the width the author gave it, in millimetres; 0 where none is known.
	WidthMM float64
	Anchor  string
	Place   Place
}

// Table has rows of cells; HeadRows of them are repeated on every page it runs over.
type Table struct {
	Rows     []Row
	HeadRows int
	Caption  []Inline
	Widths   []float64 // share of each column, adding up to 1; nil where nothing says it
	Anchor   string
	Place    Place
}

// Row is a row of a table.
type Row struct{ Cells []Cell }

// Cell holds blocks; spans are at least 1. A cell that a span covers is not in its row.
type Cell struct {
	Blocks           []Block
	ColSpan, RowSpan int
	Align            Align
}

// List is a list of items of blocks.
type List struct {
	Ordered bool
	Start   int    // of the first item, where ordered
	Format  string // decimal, lower-alpha, upper-alpha, lower-roman, upper-roman; "" is decimal
	Items   [][]Block
	Place   Place
}

// Verse is lines that are not run together; a stanza is a slice of lines, a line is inlines.
type Verse struct {
	Stanzas     [][]VerseLine
	Attribution []Inline
	Place       Place
}

// VerseLine is a line of verse; Indent counts the steps the author has moved it in.
type VerseLine struct {
	Inlines []Inline
	Indent  int
	Anchor  string // as a paragraph's
}

// Quote is a block quotation or an epigraph.
type Quote struct {
	Blocks      []Block
	Attribution []Inline
	Epigraph    bool
	Place       Place
}

// Code is text whose spaces and lines are kept.
type Code struct {
	Lines []string
	Place Place
}

func (*Paragraph) block()  {}
func (*Heading) block()    {}
func (*SceneBreak) block() {}
func (*PageBreak) block()  {}
func (*Figure) block()     {}
func (*Table) block()      {}
func (*List) block()       {}
func (*Verse) block()      {}
func (*Quote) block()      {}
func (*Code) block()       {}

// Inline is a piece of a line: Text, NoteRef, Link, LineBreak, InlineImage, IndexMark or Target.
type Inline interface{ inline() }

// Text is letters of one style.
type Text struct {
	S        string // NFC, without control characters
	Style    Style
	Language string // where it differs from what it stands in
}

// NoteRef refers to Book.Notes[Note].
type NoteRef struct{ Note int }

// Link leads to an address (https:, mailto:) or, with a # in front, to an anchor or target of the book.
type Link struct {
	Href    string
	Inlines []Inline
	Page    bool // the text is the number of the page it leads to, as the word processor counted it
}

// LineBreak is a line end inside a paragraph.
type LineBreak struct{}

// InlineImage is a picture that stands in a line.
type InlineImage struct {
	Image int
	Alt   string
}

// IndexMark is an index entry the author has marked in the text (Word's XE field). It has no width.
type IndexMark struct {
	Term, Sub, See, SeeAlso string
	EndOf                   string // bookmark that ends a range; "" for a single place
}

// Target is a place that links lead to. It has no width.
type Target struct{ Name string }

func (Text) inline()        {}
func (NoteRef) inline()     {}
func (Link) inline()        {}
func (LineBreak) inline()   {}
func (InlineImage) inline() {}
func (IndexMark) inline()   {}
func (Target) inline()      {}

// Note is a footnote or an endnote.
type Note struct {
	Endnote bool
	Blocks  []Block
	Place   Place
}

// Image is a picture as the file holds it.
type Image struct {
	Name          string // as in the file, for people
	MediaType     string // image/jpeg, image/png, image/gif
	Bytes         []byte
	Width, Height int // pixels
	Gray          bool
}

// Style is a set of character styles.
type Style uint16

// The character styles that a book keeps.
const (
	Italic Style = 1 << iota
	Bold
	SmallCaps
	Superscript
	Subscript
	Underline
	Strike
	Monospace
	AllCaps
)

// Has says whether all of t are set.
func (s Style) Has(t Style) bool { return s&t == t }
