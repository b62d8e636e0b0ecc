package columns

import (
	"cmp"
	"math"
	"slices"
	"sort"
	"strconv"
	"strings"

	"mappe/artefacts/kgfile"
	"mappe/shared/austria"
	"mappe/shared/geo/geom"
)

// Table is rows of parcels as columns. A group that was not read has nil columns. It is never changed once it
// is shared.
type Table struct {
	N int // rows

	Areas []uint64 // 0.01 m² plus 1; 0 none

	Lon, Lat []int32 // centroid, 1e-7 degree

	Buildings, Footprints []uint32
	BuiltAreas            []uint64 // as Areas

	EZ []uint32 // 0 none

	Plots      []uint8  // kind of the parcel number: plot, sub
	Main, Subs []uint64 // numbers without leading zeros
	leads      []uint64 // what Numbered looks for first; nil: not at hand

	Rows []uint32 // in the KG's file

	ShareEnds  []uint32 // behind each row's entries
	ShareCodes []uint8
	ShareAreas []uint64 // as Areas

	Statuses []uint8 // 0 unknown, 1 E, 2 G

	Sets []austria.LandUseSet // distinct sets
	Use  []uint32             // set of each row
}

// The bits of Plots.
const (
	PlotBit = 1 // building plot: the number has a leading dot
	SubBit  = 2 // the number has a sub-number
)

// Hundredths are an area as Areas holds it.
func Hundredths(sqm float64) uint64 {
	if math.IsNaN(sqm) || sqm < 0 {
		return 0
	}
	return uint64(math.Round(sqm*100)) + 1
}

// Sqm is the inverse of Hundredths: m², NaN for none.
func Sqm(h uint64) float64 {
	if h == 0 {
		return math.NaN()
	}
	return float64(h-1) / 100
}

// StatusCode is a status as Statuses holds it.
func StatusCode(s austria.Status) uint8 {
	switch s {
	case austria.StatusE:
		return 1
	case austria.StatusG:
		return 2
	}
	return 0
}

// ParseNumber takes a parcel number apart: its kind, main and sub-number.
func ParseNumber(n austria.GNR) (kind uint8, main, sub uint64) {
	text, plot := strings.CutPrefix(string(n), ".")
	if plot {
		kind |= PlotBit
	}
	text, rest, has := strings.Cut(text, "/")
	if has {
		kind |= SubBit
	}
	main, _ = strconv.ParseUint(text, 10, 64) // a parcel number has at most 16 digits
	sub, _ = strconv.ParseUint(rest, 10, 64)
	return kind, main, sub
}

// CanonicalNumber is a parcel number without leading zeros.
func CanonicalNumber(n austria.GNR) string {
	kind, main, sub := ParseNumber(n)
	return string(appendNumber(make([]byte, 0, 16), kind, main, sub))
}

// Of are the parcels of a KG, by parcel number as text without leading zeros.
func Of(f *kgfile.File) (*Table, error) {
	parcels, err := f.Parcels()
	if err != nil {
		return nil, err
	}
	order := make([]uint32, len(parcels))
	for i := range order {
		order[i] = uint32(i)
	}
	texts := make([]string, len(parcels))
	for i := range parcels {
		texts[i] = CanonicalNumber(parcels[i].GNR)
	}
	slices.SortFunc(order, func(a, b uint32) int {
		return cmp.Or(cmp.Compare(texts[a], texts[b]), cmp.Compare(parcels[a].GNR, parcels[b].GNR), cmp.Compare(a, b))
	})
	b := builder{t: &Table{}, sets: map[austria.LandUseSet]uint32{}}
	for _, i := range order {
		b.parcel(i, &parcels[i])
	}
	b.t.lead()
	return b.t, nil
}

// builder appends rows to a table.
type builder struct {
	t    *Table
	sets map[austria.LandUseSet]uint32
}

func (b *builder) parcel(row uint32, p *kgfile.Parcel) {
	t := b.t
	t.N++
	t.Areas = append(t.Areas, Hundredths(p.AreaSqm))
	t.Lon, t.Lat = append(t.Lon, p.Centroid.X), append(t.Lat, p.Centroid.Y)
	t.Buildings, t.Footprints = append(t.Buildings, uint32(p.BuildingCount)), append(t.Footprints, uint32(p.FootprintCount))
	t.BuiltAreas = append(t.BuiltAreas, Hundredths(p.BuildingAreaSqm))
	t.EZ = append(t.EZ, uint32(p.EZ))
	kind, main, sub := ParseNumber(p.GNR)
	t.Plots, t.Main, t.Subs = append(t.Plots, kind), append(t.Main, main), append(t.Subs, sub)
	t.Rows = append(t.Rows, row)
	var set austria.LandUseSet
	for _, c := range p.SymbolCounts {
		set.Add(c.Code)
	}
	for _, c := range p.UseAreas {
		set.Add(c.Code)
		t.ShareCodes, t.ShareAreas = append(t.ShareCodes, uint8(c.Code)), append(t.ShareAreas, Hundredths(c.Sqm))
	}
	t.ShareEnds = append(t.ShareEnds, uint32(len(t.ShareCodes)))
	t.Statuses = append(t.Statuses, StatusCode(p.Status))
	t.Use = append(t.Use, b.set(set))
}

// set is the number of a set.
func (b *builder) set(s austria.LandUseSet) uint32 {
	n, ok := b.sets[s]
	if !ok {
		n = uint32(len(b.t.Sets))
		b.sets[s] = n
		b.t.Sets = append(b.t.Sets, s)
	}
	return n
}

// Join puts the tables of KGs one after the other.
func Join(list []*Table) *Table {
	b := builder{t: &Table{}, sets: map[austria.LandUseSet]uint32{}}
	t := b.t
	for _, o := range list {
		t.N += o.N
		t.Areas = append(t.Areas, o.Areas...)
		t.Lon, t.Lat = append(t.Lon, o.Lon...), append(t.Lat, o.Lat...)
		t.Buildings, t.Footprints = append(t.Buildings, o.Buildings...), append(t.Footprints, o.Footprints...)
		t.BuiltAreas, t.EZ = append(t.BuiltAreas, o.BuiltAreas...), append(t.EZ, o.EZ...)
		t.Plots, t.Main, t.Subs = append(t.Plots, o.Plots...), append(t.Main, o.Main...), append(t.Subs, o.Subs...)
		t.Rows, t.Statuses = append(t.Rows, o.Rows...), append(t.Statuses, o.Statuses...)
		before := uint32(len(t.ShareCodes))
		for _, e := range o.ShareEnds {
			t.ShareEnds = append(t.ShareEnds, before+e)
		}
		t.ShareCodes, t.ShareAreas = append(t.ShareCodes, o.ShareCodes...), append(t.ShareAreas, o.ShareAreas...)
		for _, u := range o.Use {
			t.Use = append(t.Use, b.set(o.Sets[u]))
		}
	}
	t.lead()
	return t
}

// Part are the rows from lo up to hi, for Join; what they hold they share with the table, which has all columns.
func (t *Table) Part(lo, hi int) *Table {
	first, behind := uint32(0), uint32(0)
	if lo < hi {
		first, _ = t.Shares(lo)
		_, behind = t.Shares(hi - 1)
	}
	p := &Table{N: hi - lo, Areas: t.Areas[lo:hi], Lon: t.Lon[lo:hi], Lat: t.Lat[lo:hi], Buildings: t.Buildings[lo:hi],
		Footprints: t.Footprints[lo:hi], BuiltAreas: t.BuiltAreas[lo:hi], EZ: t.EZ[lo:hi], Plots: t.Plots[lo:hi], Main: t.Main[lo:hi],
		Subs: t.Subs[lo:hi], Rows: t.Rows[lo:hi], ShareCodes: t.ShareCodes[first:behind], ShareAreas: t.ShareAreas[first:behind],
		Statuses: t.Statuses[lo:hi], Sets: t.Sets, Use: t.Use[lo:hi]}
	for _, e := range t.ShareEnds[lo:hi] {
		p.ShareEnds = append(p.ShareEnds, e-first)
	}
	return p
}

// Shares are the entries of a row in ShareCodes and ShareAreas, from lo up to hi.
func (t *Table) Shares(row int) (lo, hi uint32) {
	if row > 0 {
		lo = t.ShareEnds[row-1]
	}
	return lo, t.ShareEnds[row]
}

// Point is the centroid of a row.
func (t *Table) Point(row int) geom.Point { return geom.Point{X: t.Lon[row], Y: t.Lat[row]} }

// Number is the parcel number of a row as text, without leading zeros.
func (t *Table) Number(row int) string { return string(t.AppendNumber(make([]byte, 0, 16), row)) }

// AppendNumber appends what Number gives.
func (t *Table) AppendNumber(b []byte, row int) []byte {
	return appendNumber(b, t.Plots[row], t.Main[row], t.Subs[row])
}

func appendNumber(b []byte, kind uint8, main, sub uint64) []byte {
	if kind&PlotBit != 0 {
		b = append(b, '.')
	}
	b = strconv.AppendUint(b, main, 10)
	if kind&SubBit != 0 {
		b = strconv.AppendUint(append(b, '/'), sub, 10)
	}
	return b
}

// NumberFrom is the first row from lo up to hi, which are of one KG, whose number as text is text or stands behind
// it; hi where none is.
func (t *Table) NumberFrom(lo, hi int, text string) int {
	var room [48]byte
	return lo + sort.Search(hi-lo, func(i int) bool { return string(t.AppendNumber(room[:0], lo+i)) >= text })
}
