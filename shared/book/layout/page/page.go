// Package page is a laid out book as a list of marks: what stands where on which page. Package layout
// makes it; pdf writes it to a file, preview draws it, epub takes the page list from it. It owns the
// coordinates and nothing of fonts' or files' insides.
//
// All lengths are integers of 1/1000 point (1 pt = 1/72 inch), so that the same book breaks alike on
// every processor. The origin is the upper left corner of the trimmed page, y grows downwards.
package page

// Unit is a length of 1/1000 point.
type Unit = int32

// Pt is one point.
const Pt Unit = 1000

// Book is all pages of a print book, in order; the first is a recto.
type Book struct {
	Width, Height Unit // of the trimmed page
	Bleed         Unit
	Pages         []Page
	Fonts         []Font // Glyphs.Font counts into it
	Images        []Image
	Outline       []OutlineItem
	Info          Info
}

// Info is what the file says of the book.
type Info struct{ Title, Author, Subject, Language string }

// Page is one page.
type Page struct {
	Folio   string // as printed or as it would be ("iv", "12"); "" on a blank page without one
	Section string // id of the section that begins or goes on here, as EPUB names it
	Blank   bool
	Marks   []Mark
	Links   []Link
}

// Mark is Glyphs, Rule, Picture or Drawing.
type Mark interface{ mark() }

// Glyphs is a run of glyphs of one font and size on one baseline.
type Glyphs struct {
	Font   int
	Size   Unit
	X, Y   Unit  // of the baseline's start
	Gray   uint8 // 0 is black, 255 white
	Glyphs []Glyph
	Text   string // what the run says; Glyph.Text are parts of it
}

// Glyph is one glyph of a run.
type Glyph struct {
	ID      uint16
	Advance Unit   // to the next glyph's origin, with kerning, justification and letter space
	DX, DY  Unit   // of the glyph from its origin; DY grows downwards
	Text    string // the characters it stands for; "" for the later glyphs of a cluster
}

// Rule is a filled rectangle.
type Rule struct {
	X, Y, Width, Height Unit
	Gray                uint8
}

// Picture is an image placed in a rectangle.
type Picture struct {
	Image               int // index in Book.Images
	X, Y, Width, Height Unit
	Alt                 string
}

// Drawing is lines and areas, cut off at a rectangle. Sheets have drawings, books have none, and previews show none.
type Drawing struct {
	X, Y, Width, Height Unit
	Paths               []Path
}

// Path is lines of one look; its points are those of the page.
type Path struct {
	Lines        [][]Point
	Closed       bool   // rings, with holes where they overlap evenly
	Fill, Stroke Colour // an unset one is not drawn
	Thick        Unit
	Dash         []Unit
}

// Point is a place on the page.
type Point struct{ X, Y Unit }

// Colour is of light; the zero Colour is unset. Files for printers have its grey.
type Colour struct {
	R, G, B uint8
	Set     bool
}

// RGB is a colour as style sheets write it: 0xRRGGBB.
func RGB(v uint32) Colour { return Colour{uint8(v >> 16), uint8(v >> 8), uint8(v), true} }

// Gray is how bright it is: 0 is black, 255 white (ITU-R BT.601).
func (c Colour) Gray() uint8 { return uint8((299*int(c.R) + 587*int(c.G) + 114*int(c.B)) / 1000) }

func (Glyphs) mark()  {}
func (Rule) mark()    {}
func (Picture) mark() {}
func (Drawing) mark() {}

// Link is an area that leads to a page of the book or to an address.
type Link struct {
	X, Y, Width, Height Unit
	Page                int    // index in Book.Pages where URI is ""
	AtY                 Unit   // on that page
	URI                 string // https: or mailto:
}

// Font is a face of package font.
type Font struct{ Face, Style string }

// Image is the bytes of a picture; the same image may be placed often.
type Image struct {
	MediaType     string
	Bytes         []byte
	Width, Height int
}

// OutlineItem is a bookmark.
type OutlineItem struct {
	Title string
	Level int // from 1
	Page  int // index in Book.Pages
	Y     Unit
}
