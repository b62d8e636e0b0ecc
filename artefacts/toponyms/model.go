package toponyms

import (
	"fmt"
	"hash/fnv"
	"strings"

	"mappe/shared/austria"
	"mappe/shared/geo/geom"
)

// Layer is a kind of name. Its numbers are stored: they are never given another meaning.
type Layer uint8

// The layers.
const (
	Siedlung Layer = iota
	Gebiet
	Gelaende
	Gletscher
	Gewaesser
	Sonstige
	Ried // field names
)

var layers = [...]string{"siedlung", "gebiet", "gelaende", "gletscher", "gewaesser", "sonstige", "ried"}

// AllLayers lists the layers.
func AllLayers() []Layer {
	return []Layer{Siedlung, Gebiet, Gelaende, Gletscher, Gewaesser, Sonstige, Ried}
}

func (l Layer) String() string {
	if int(l) < len(layers) {
		return layers[l]
	}
	return ""
}

// ParseLayer reads the name of a layer.
func ParseLayer(s string) (Layer, error) {
	for i, name := range layers {
		if strings.EqualFold(s, name) {
			return Layer(i), nil
		}
	}
	return 0, fmt.Errorf("%.40q is no layer: expected one of %s", s, strings.Join(layers[:], ", "))
}

// Set is a set of layers.
type Set uint8

// AllNames are all layers.
const AllNames Set = 1<<len(layers) - 1

// SetOf is a set of these.
func SetOf(list ...Layer) (s Set) {
	for _, l := range list {
		s |= 1 << l
	}
	return s
}

// Has says whether a layer is in the set.
func (s Set) Has(l Layer) bool { return s>>l&1 == 1 }

// Other is a name in another language.
type Other struct {
	Language string `json:"language"` // ISO 639-1: sl, hr, hu, cs, sk
	Name     string `json:"name"`
}

// Name is a geographical name at a place.
type Name struct {
	ID        string // stable: that of the source
	Layer     Layer
	Code      int    // f_code
	Feature   string // f_name: what the code means
	Name      string
	Variant   string
	Others    []Other
	Elevation int // m; NoElevation not known
	KG        austria.KGCode
	At        geom.Point
	Year      int // of the last revision; 0 not known
}

// NoElevation stands for a height that is not known.
const NoElevation = -10_000

// Cell names a cell of the grid.
type Cell struct{ Row, Column int }

// step is the side of a cell in 1e-7 degrees.
const step = 1_000_000

// CellAt is the cell that holds a point.
func CellAt(p geom.Point) Cell {
	return Cell{int((int64(p.Y) + 90*geom.Scale) / step), int((int64(p.X) + 180*geom.Scale) / step)}
}

// corner is the south-west corner of the cell.
func (c Cell) corner() (x, y int64) {
	return int64(c.Column)*step - 180*geom.Scale, int64(c.Row)*step - 90*geom.Scale
}

// Section is the section of a cell.
func (c Cell) Section() string { return fmt.Sprintf("c%04d%04d", c.Row, c.Column) }

// IDSection is the section that knows an id.
func IDSection(id string) string {
	h := fnv.New32a()
	h.Write([]byte(id))
	return fmt.Sprintf("i%02x", byte(h.Sum32()))
}

// KGSection is the section that knows the names in a KG.
func KGSection(code austria.KGCode) string { return "k" + string(code[:3]) }

// The names of the other sections.
const (
	SearchSection = "search"
	StatsSection  = "stats"
)

// Part is a cell with its names in the order of the country.
type Part struct {
	Cell
	First, N int // number of the first name, and how many there are
}

// Head says what an artefact holds.
type Head struct {
	Stichtag, Attribution string
	Parts                 []Part // rising
	Total                 int
}

// PartOf is the part that holds a number; false where none does.
func (h *Head) PartOf(number int) (Part, bool) {
	lo, hi := 0, len(h.Parts)
	for lo < hi {
		if mid := (lo + hi) / 2; h.Parts[mid].First+h.Parts[mid].N <= number {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	if lo == len(h.Parts) || number < h.Parts[lo].First {
		return Part{}, false
	}
	return h.Parts[lo], true
}

// Country is the content of the artefact.
type Country struct {
	Stichtag, Attribution string
	Names                 []Name
}

// Entry is a spelling that a name is found by.
type Entry struct {
	Key    string // folded
	Number int
	Layer  Layer
	KG     austria.KGCode
	At     geom.Point
}

// Ref is a number under a text: an id, a KG code.
type Ref struct {
	Key    string
	Number int
}

// Count is how many names a code has.
type Count struct {
	Layer   Layer
	Code    int
	Feature string
	N       int
}
