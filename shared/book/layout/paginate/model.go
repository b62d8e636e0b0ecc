// Package paginate cuts a chapter into pages, all breaks together: by dynamic programming over the lines
// of its paragraphs, each of which may come in several lengths. Facing pages end on the same line first
// of all, then no paragraph leaves its last line alone on a page (widow), then none its first (orphan).
// Notes stand at the foot of the page that refers to them and are split where they must be.
//
// Heights are rows of the baseline grid. It knows nothing of words, widths or fonts.
package paginate

// Block is a thing that is set between two spaces: a paragraph, a heading, a figure.
type Block struct {
	Before   int // rows of space above; dropped at the top of a page unless Sink
	Sink     bool
	Variants []Variant // at least one; the first is the preferred
	KeepNext bool      // no page ends behind it (headings)
	Whole    bool      // never divided
	Top      bool      // a page begins with it
	Again    int       // rows above it where it begins a page or goes on on one: the head of a table
}

// Variant is a way to set a block.
type Variant struct {
	Lines []Line
	Cost  int64 // against the first variant
}

// Line is what cannot be divided further; most take one row.
type Line struct {
	Rows   int
	Notes  []int // indices of Chapter.Notes it refers to, in the order of the chapter
	Hyphen bool  // its last word goes on in the next line
	Runt   bool  // it is one word; as the last of a block it never opens a page
}

// Note is a footnote by its lines.
type Note struct{ Lines int }

// Chapter is what is cut.
type Chapter struct {
	Blocks []Block
	Notes  []Note
	Rows   int  // of a page
	Recto  bool // the first page is a right-hand one
	// NoteRows says how many rows the foot takes for that many lines of notes, with the space above.
	NoteRows func(lines int) int
}

// Pos is a place in a chapter: before line Line of a block in a variant. The end is block len(Blocks).
type Pos struct{ Block, Variant, Line int }

// Part is lines From up to To of a note.
type Part struct{ Note, From, To int }

// Page is one page of the result.
type Page struct {
	From, To Pos
	Variants []int  // of the blocks from From.Block on that end on this page or begin on it
	Notes    []Part // at its foot
	Short    int    // rows left free
	Reasons  Reasons
}

// Reason says why a page is not as it should be.
type Reason uint8

// The reasons, worst first.
const (
	Uneven Reason = iota // facing pages end on different lines
	Widow
	Orphan
	NoteSplit
	HyphenAtTurn // a word goes on behind a page turn
	ShortPage    // a page is left short because what follows did not fit
	TinyEnd      // fewer than four lines stand on the last page
)

var reasonNames = [...]string{"uneven", "widow", "orphan", "note_split", "hyphen_at_turn", "short_page", "tiny_end"}

// String names the reason.
func (r Reason) String() string {
	if int(r) < len(reasonNames) {
		return reasonNames[r]
	}
	return "unknown"
}

// Reasons is a set of reasons.
type Reasons uint8

// Has says whether a reason is in the set.
func (s Reasons) Has(r Reason) bool { return s>>r&1 == 1 }

// All are the reasons of the set, worst first.
func (s Reasons) All() (out []Reason) {
	for r := Uneven; r <= TinyEnd; r++ {
		if s.Has(r) {
			out = append(out, r)
		}
	}
	return out
}

// What the faults cost. Each is worth many of the next, so that the order holds.
const (
	costUneven    = 40_000_000
	costWidow     = 12_000_000
	costOrphan    = 2_000_000
	costHyphen    = 150_000
	costNoteSplit = 400_000
	costShort     = 30_000 // of both pages of a spread by one row each; grows with the square
	costTinyEnd   = 600_000
)
