package format

import (
	"slices"
	"strings"

	"mappe/shared/web/fault"
)

// Projection says which coordinates come out. The zero Projection is WGS84 degrees with 7 decimals.
type Projection struct {
	EPSG    int                                   // 0 means 4326
	Forward func(lon, lat float64) (x, y float64) // nil for WGS84: degrees to metres, easting and northing
	// Decimals of the coordinates that Forward gives; 0 means millimetres.
	Decimals uint8
}

// decimals are those of projected coordinates.
func (p *Projection) decimals() uint8 {
	if p.Decimals == 0 {
		return metreDecimals
	}
	return p.Decimals
}

// code is the EPSG code.
func (p Projection) code() int {
	if p.EPSG == 0 {
		return 4326
	}
	return p.EPSG
}

// Layout is what of the rows is written: the columns that fields= named, in the order of the row type,
// the geometry, the projection. Make it with NewLayout.
type Layout struct {
	RowTypes   []*RowType
	Geometry   bool // JSON rows carry a member geometry (GeoJSON rows always have theirs)
	Projection Projection
	// Pointed writes each number of a TypeFloat column with a decimal point, 0.0: QGIS takes the type of a column from the first features
	// of an OGC API and has no values where a column of whole numbers gets a fraction later.
	Pointed bool
	parts   []part
	tabled  bool     // names and slots are made
	names   []string // union of the chosen columns over all row types, in first-seen order
}

type part struct {
	rowType  *RowType
	columns  []int // chosen columns
	slots    []int // for each of names: the row type's column or -1
	geometry bool
}

// CheckFields says whether every name is a column of one of the row types, or "geometry" where one has a
// geometry. The fault lists the names.
func CheckFields(fields []string, rowTypes ...*RowType) error {
	if len(fields) == 0 {
		return nil
	}
	return CheckNames(fields, FieldNames(rowTypes...))
}

// CheckNames is CheckFields where FieldNames of the row types are at hand.
func CheckNames(fields, all []string) error {
	for _, f := range fields {
		if slices.Contains(all, f) {
			continue
		}
		expected := "a comma list of " + strings.Join(all, ", ")
		return fault.BadValue("fields", f, expected+fault.DidYouMean(f, all))
	}
	return nil
}

// NewLayout chooses the named columns of the row types; no names choose all. Where names are given without
// "geometry", JSON rows carry no geometry.
func NewLayout(fields []string, rowTypes ...*RowType) *Layout {
	l := &Layout{RowTypes: rowTypes, parts: make([]part, 0, len(rowTypes))}
	geometry := len(fields) == 0 || slices.Contains(fields, "geometry")
	for _, k := range rowTypes {
		p := part{rowType: k, geometry: geometry && k.Shape != ShapeNone}
		if len(fields) == 0 {
			p.columns = k.all
		} else {
			p.columns = make([]int, 0, min(len(fields), len(k.Columns)))
			for i := range k.Columns {
				if slices.Contains(fields, k.Columns[i].Name) {
					p.columns = append(p.columns, i)
				}
			}
		}
		l.parts = append(l.parts, p)
	}
	return l
}

// table lays the columns of the row types side by side, for flat forms. JSON needs none of it.
func (l *Layout) table() {
	if l.tabled {
		return
	}
	l.tabled = true
	for _, p := range l.parts {
		for _, i := range p.columns {
			if n := p.rowType.Columns[i].Name; !slices.Contains(l.names, n) {
				l.names = append(l.names, n)
			}
		}
	}
	for i := range l.parts {
		l.parts[i].place(l.names)
	}
}

// place finds the row type's column of every name.
func (p *part) place(names []string) {
	for _, n := range names {
		p.slots = append(p.slots, p.rowType.Index(n))
	}
}

// FieldNames lists the names fields= may hold for rows of these row types.
func FieldNames(rowTypes ...*RowType) []string {
	var names []string
	geometry := false
	for _, k := range rowTypes {
		geometry = geometry || k.Shape != ShapeNone
		for _, c := range k.Columns {
			if !slices.Contains(names, c.Name) {
				names = append(names, c.Name)
			}
		}
	}
	if geometry {
		names = append(names, "geometry")
	}
	return names
}

// part finds the part of a row type; there are at most a handful. A row type that was not declared is
// written whole.
func (l *Layout) part(k *RowType) *part {
	for i := range l.parts {
		if l.parts[i].rowType == k {
			return &l.parts[i]
		}
	}
	p := part{rowType: k, columns: k.all, geometry: k.Shape != ShapeNone}
	p.place(l.names)
	l.parts = append(l.parts, p)
	return &l.parts[len(l.parts)-1]
}

// Names is the union of the chosen columns over all row types: the header of flat formats.
func (l *Layout) Names() []string {
	l.table()
	return l.names
}

// Cell is the row's value under one of Names.
func (l *Layout) Cell(r Row, name int) Value {
	l.table()
	if c := l.part(r.RowType()).slots[name]; c >= 0 {
		return r.Value(c)
	}
	return Null
}

// Column is the declaration of one of Names.
func (l *Layout) Column(name int) Column {
	l.table()
	for i := range l.parts {
		if c := l.parts[i].slots[name]; c >= 0 {
			return l.parts[i].rowType.Columns[c]
		}
	}
	return Column{Name: l.names[name]}
}

// Only is the layout of the rows of one type: the columns that were chosen of it.
func (l *Layout) Only(t *RowType) *Layout {
	p := *l.part(t)
	p.slots = nil
	return &Layout{RowTypes: []*RowType{t}, Geometry: l.Geometry, Projection: l.Projection, Pointed: l.Pointed, parts: []part{p}}
}
