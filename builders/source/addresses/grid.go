package addresses

import (
	"cmp"
	"fmt"
	"slices"
	"sort"

	"mappe/artefacts/kgfile"
	"mappe/shared/austria"
	"mappe/shared/geo/geom"
)

// cellSize is the side of a grid cell in grid units: 0.01 degree, about 1.1 by 0.75 km, a fraction of a
// KG.
const cellSize = 100_000

// cellStart is the first building of a cell. Cells without buildings are not listed.
type cellStart struct {
	row, col int32
	first    int32
}

func cellOf(p geom.Point) (row, col int32) {
	f := func(v int32) int32 { // towards minus infinity
		if v < 0 {
			return -((-v-1)/cellSize + 1)
		}
		return v / cellSize
	}
	return f(p.Y), f(p.X)
}

// index sorts the points by cell and takes out repeated ids; the first row of an id counts.
func (r *Register) index() {
	// The order of the file decides between repeated ids.
	if !slices.IsSortedFunc(r.buildings, byID) {
		slices.SortStableFunc(r.buildings, byID)
	}
	r.buildings = slices.CompactFunc(r.buildings, func(a, b building) bool { return a.address == b.address && a.sub == b.sub })
	r.byCell()
	r.cells = append(r.cells, cellStart{1<<31 - 1, 1<<31 - 1, int32(len(r.buildings))})
	r.Counts.Points = len(r.buildings)
	r.names.done()
}

// byCell sorts the points, which are in the order of their ids, by cell: all of a cell are counted first, so that each is moved
// once.
func (r *Register) byCell() {
	number := map[cellStart]int{} // of a cell
	of := make([]int32, len(r.buildings))
	var last cellStart
	n := -1
	for i := range r.buildings {
		row, col := cellOf(r.buildings[i].at)
		if cell := (cellStart{row: row, col: col}); n < 0 || cell != last { // neighbours have ids that are near each other
			known, ok := number[cell]
			if !ok {
				known = len(r.cells)
				number[cell] = known
				r.cells = append(r.cells, cell)
			}
			last, n = cell, known
		}
		of[i] = int32(n)
		r.cells[n].first++
	}
	slices.SortFunc(r.cells, func(a, b cellStart) int { return cmp.Or(cmp.Compare(a.row, b.row), cmp.Compare(a.col, b.col)) })
	next, start := make([]int32, len(r.cells)), int32(0)
	for i := range r.cells {
		c := &r.cells[i]
		next[number[cellStart{row: c.row, col: c.col}]] = start
		c.first, start = start, start+c.first
	}
	sorted := make([]building, len(r.buildings))
	for i, b := range r.buildings {
		sorted[next[of[i]]] = b
		next[of[i]]++
	}
	r.buildings = sorted
}

// byID orders buildings as their ids: addresses are sorted by ADRCD.
func byID(a, b building) int {
	return cmp.Or(cmp.Compare(a.address, b.address), cmp.Compare(a.sub, b.sub))
}

// In gives the points of the closed box, ordered by id.
func (r *Register) In(box geom.Box) []Address {
	if box.Empty() {
		return nil
	}
	var out []Address
	row0, col0 := cellOf(geom.Point{X: box.MinX, Y: box.MinY})
	row1, col1 := cellOf(geom.Point{X: box.MaxX, Y: box.MaxY})
	for i := r.cell(row0, col0); i < len(r.cells)-1; {
		c := r.cells[i]
		switch {
		case c.row > row1:
			i = len(r.cells)
		case c.col > col1:
			i = r.cell(c.row+1, col0)
		case c.col < col0:
			i = r.cell(c.row, col0)
		default:
			for _, b := range r.buildings[c.first:r.cells[i+1].first] {
				if box.Contains(b.at) {
					out = append(out, r.address(b))
				}
			}
			i++
		}
	}
	slices.SortFunc(out, func(a, b Address) int {
		return cmp.Or(cmp.Compare(a.ID.ADRCD, b.ID.ADRCD), cmp.Compare(a.ID.SUBCD, b.ID.SUBCD))
	})
	return out
}

// cell is the first listed cell at or after a row and column.
func (r *Register) cell(row, col int32) int {
	n := len(r.cells) - 1
	return sort.Search(n, func(i int) bool {
		c := r.cells[i]
		return c.row > row || (c.row == row && c.col >= col)
	})
}

// Posted is where addresses lie: a postal code in a locality of a municipality.
type Posted struct {
	PLZ          austria.PLZ
	GemeindeCode austria.GemeindeCode
	Ort          string // its name; "" where the register has none
}

// Posted counts the addresses of each postal code by where they lie; addresses without a postal code are left out. Codes of
// Vienna's districts are those of the city.
func (r *Register) Posted() map[Posted]int {
	type key struct{ plz, gkz, ort uint32 }
	counts := map[key]int{}
	for i := range r.addresses {
		if a := &r.addresses[i]; a.plz > 0 {
			counts[key{uint32(a.plz), a.gkz, a.ort}]++
		}
	}
	out := map[Posted]int{}
	for k, n := range counts {
		if k.gkz > 90000 && k.gkz < 99000 && k.gkz%100 == 1 {
			k.gkz = 90001
		}
		out[Posted{austria.PLZ(fmt.Sprintf("%04d", k.plz)), austria.GemeindeCode(fmt.Sprintf("%05d", k.gkz)), r.names.list[k.ort]}] += n
	}
	return out
}

func (r *Register) address(b building) Address {
	a := &r.addresses[b.address]
	out := Address{Building: kgfile.Building{
		ID:          austria.BuildingID{ADRCD: a.adrcd, SUBCD: b.sub},
		Parcel:      -1,
		HouseNumber: r.names.list[a.number] + r.names.list[b.suffix],
		Street:      r.names.list[a.street],
		Ort:         r.names.list[a.ort],
		ObjectType:  r.names.list[b.kind],
		At:          b.at,
	}}
	if out.Ort == "" {
		out.Ort = r.names.list[r.gemeinden[a.gkz]]
	}
	if a.plz > 0 {
		out.PLZ = austria.PLZ(fmt.Sprintf("%04d", a.plz))
	}
	if a.kg > 0 {
		out.KG = austria.KGCode(fmt.Sprintf("%05d", a.kg-1))
	}
	return out
}

// interner keeps each name once. Name 0 is "".
type interner struct {
	list []string
	at   map[string]uint32
}

// join adds the names of another, and gives by their numbers there those that they have here.
func (n *interner) join(o *interner) []uint32 {
	at := make([]uint32, max(len(o.list), 1))
	for i, s := range o.list {
		at[i] = n.add([]byte(s))
	}
	return at
}

func newInterner() interner { return interner{list: []string{""}, at: map[string]uint32{"": 0}} }

func (n *interner) add(b []byte) uint32 {
	if n.at == nil {
		*n = newInterner()
	}
	if i, ok := n.at[string(b)]; ok {
		return i
	}
	s := string(b)
	i := uint32(len(n.list))
	n.list = append(n.list, s)
	n.at[s] = i
	return i
}

// done frees what only adding needs.
func (n *interner) done() { n.at = nil }

// uses are the texts of EIGENSCHAFT, the main use of a building in the building register.
var uses = map[string]string{
	"01": "Gebäude mit einer Wohnung",
	"02": "Gebäude mit zwei oder mehr Wohnungen",
	"03": "Wohngebäude für Gemeinschaften",
	"04": "Hotels und ähnliche Gebäude",
	"05": "Bürogebäude",
	"06": "Groß- und Einzelhandelsgebäude",
	"07": "Gebäude des Verkehrs- und Nachrichtenwesens",
	"08": "Industrie- und Lagergebäude",
	"09": "Gebäude für Kultur- und Freizeitzwecke sowie das Bildungs- und Gesundheitswesen",
	"10": "Landwirtschaftliches Nutzgebäude",
	"11": "Privatgarage",
	"12": "Kirchen, sonstige Sakralbauten",
	"13": "Pseudobaulichkeit",
	"14": "Sonstiges Bauwerk",
}

// use is the text of a code; a cell that is no known code is text already and stays.
func use(b []byte) []byte {
	k := string(b)
	if len(k) == 1 {
		k = "0" + k
	}
	if s, ok := uses[k]; ok {
		return []byte(s)
	}
	return b
}
