package layout

// Measure is a kind of column that running text is set in. The narrower it is, the more words are divided.
type Measure uint8

// The kinds.
const (
	Whole   Measure = iota // the width of the page's text
	MovedIn                // quotations and lists
	Foot                   // notes: the whole width in smaller type
)

// AllMeasures are the kinds, widest first.
func AllMeasures() []Measure { return []Measure{Whole, MovedIn, Foot} }

var measureNames = [...]string{"text", "quotations and lists", "notes"}

// String names what is set in it.
func (m Measure) String() string {
	if int(m) < len(measureNames) {
		return measureNames[m]
	}
	return "unknown"
}

// Texture is how lines of running text came out. A space is loose above 1.5 times the norm, wide above 1.8
// times; a wide one is set only where no way to break the paragraph has none.
type Texture struct {
	Lines   int
	Hyphens int // lines that end in a divided word
	MaxRow  int // most hyphens in lines that follow each other
	Loose   int // lines with a loose word space
	Wide    int // lines with a wide one
	row     int
}

// line adds one.
func (t *Texture) line(space int32, hyphen bool) {
	t.Lines++
	if space > 1500 {
		t.Loose++
	}
	if space > 1800 {
		t.Wide++
	}
	if t.row++; !hyphen {
		t.row = 0
		return
	}
	t.Hyphens++
	t.MaxRow = max(t.MaxRow, t.row)
}

func (t *Texture) add(o Texture) {
	t.Lines, t.Hyphens, t.Loose, t.Wide = t.Lines+o.Lines, t.Hyphens+o.Hyphens, t.Loose+o.Loose, t.Wide+o.Wide
	t.MaxRow = max(t.MaxRow, o.MaxRow)
}

// Textures are those of the kinds of measure.
type Textures [len(measureNames)]Texture

// All is the texture of all running text.
func (t Textures) All() (sum Texture) {
	for _, x := range t {
		sum.add(x)
	}
	return sum
}
