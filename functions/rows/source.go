package rows

import (
	"mappe/artefacts/kgdocs"
	"mappe/artefacts/kgfile"
	"mappe/artefacts/register"
	"mappe/shared/web/format"
)

// Source draws the rows of one table of a KG. It has one row value, which is used again for each row, so it
// belongs to one request and one goroutine.
type Source interface {
	// Kind is the kind of the rows.
	Kind() *format.Kind
	// Open has the source stand on a KG, and says how many rows the table has there.
	Open(f *kgfile.File) (int, error)
	// Row is a row of the KG that is open.
	Row(i int) format.Row
}

// table is a Source over a table of T.
type table[T any] struct {
	row  format.Row
	read func(*kgfile.File) ([]T, error)
	open func(f *kgfile.File, kg *kgfile.KG) error // points the row at the KG
	set  func(i int, t *T)                         // points the row at a T
	kg   kgfile.KG
	rows []T
}

func (s *table[T]) Kind() *format.Kind { return s.row.Kind() }

func (s *table[T]) Open(f *kgfile.File) (n int, err error) {
	s.kg = f.KG()
	if s.rows, err = s.read(f); err != nil {
		return 0, err
	}
	return len(s.rows), s.open(f, &s.kg)
}

func (s *table[T]) Row(i int) format.Row {
	s.set(i, &s.rows[i])
	return s.row
}

// Parcels draws parcels.
func Parcels(s *format.Schema[kgdocs.ParcelRow]) Source {
	r := s.Record()
	return ParcelsIn(&r.Item, r)
}

// ParcelsIn draws parcels as rows of which they are a part: item is the part that is pointed at the parcel.
func ParcelsIn(item *kgdocs.ParcelRow, row format.Row) Source {
	return &table[kgfile.Parcel]{
		row: row, read: (*kgfile.File).Parcels,
		open: func(_ *kgfile.File, kg *kgfile.KG) error { item.KG = kg; return nil },
		set:  func(_ int, p *kgfile.Parcel) { item.P = p },
	}
}

// Buildings draws address points.
func Buildings(s *format.Schema[kgdocs.BuildingRow]) Source {
	r := s.Record()
	return BuildingsIn(&r.Item, r)
}

// BuildingsIn draws address points as rows of which they are a part.
func BuildingsIn(item *kgdocs.BuildingRow, row format.Row) Source {
	var parcels []kgfile.Parcel
	return &table[kgfile.Building]{
		row: row, read: (*kgfile.File).Buildings,
		open: func(f *kgfile.File, kg *kgfile.KG) (err error) {
			item.KG = kg
			parcels, err = f.Parcels()
			return err
		},
		set: func(_ int, b *kgfile.Building) { item.B, item.Parcel = b, kgdocs.ParcelAt(parcels, b.Parcel) },
	}
}

// Footprints draws building footprints.
func Footprints(s *format.Schema[kgdocs.FootprintRow]) Source {
	r := s.Record()
	return FootprintsIn(&r.Item, r)
}

// FootprintsIn draws building footprints as rows of which they are a part.
func FootprintsIn(item *kgdocs.FootprintRow, row format.Row) Source {
	var parcels []kgfile.Parcel
	return &table[kgfile.Footprint]{
		row: row, read: (*kgfile.File).Footprints,
		open: func(f *kgfile.File, kg *kgfile.KG) (err error) {
			item.KG = kg
			parcels, err = f.Parcels()
			return err
		},
		set: func(_ int, p *kgfile.Footprint) { item.F, item.Parcel = p, kgdocs.ParcelAt(parcels, p.Parcel) },
	}
}

// LandUse draws land-use areas.
func LandUse(s *format.Schema[kgdocs.LandUsePolygonRow]) Source {
	r := s.Record()
	return &table[kgfile.LandUseArea]{
		row: r, read: (*kgfile.File).LandUse,
		open: func(_ *kgfile.File, kg *kgfile.KG) error { r.Item.KG = kg; return nil },
		set:  func(i int, u *kgfile.LandUseArea) { r.Item.U, r.Item.N = u, i+1 },
	}
}

// Symbols draws land-use symbols.
func Symbols(s *format.Schema[kgdocs.LandUsePointRow]) Source {
	r := s.Record()
	var parcels []kgfile.Parcel
	return &table[kgfile.Symbol]{
		row: r, read: (*kgfile.File).Symbols,
		open: func(f *kgfile.File, kg *kgfile.KG) (err error) {
			r.Item.KG = kg
			parcels, err = f.Parcels()
			return err
		},
		set: func(i int, y *kgfile.Symbol) {
			r.Item.S, r.Item.Parcel, r.Item.N = y, kgdocs.ParcelAt(parcels, y.Parcel), i+1
		},
	}
}

// Labels draws parcel-number labels.
func Labels(s *format.Schema[kgdocs.LabelRow]) Source {
	r := s.Record()
	return &table[kgfile.Label]{
		row: r, read: (*kgfile.File).Labels,
		open: func(_ *kgfile.File, kg *kgfile.KG) error { r.Item.KG = kg; return nil },
		set:  func(_ int, l *kgfile.Label) { r.Item.L = l },
	}
}

// kgs is a Source over KGs of the register.
type kgs struct {
	row  format.Row
	item *kgdocs.KGRow
	list []*register.KG
}

// KGs draws these KGs, for a layer that is Apart: they are in the register, not in KG files.
func KGs(s *format.Schema[kgdocs.KGRow], reg *register.Register, list []*register.KG) Source {
	r := s.Record()
	return KGsIn(&r.Item, r, reg, list)
}

// KGsIn draws KGs as rows of which they are a part.
func KGsIn(item *kgdocs.KGRow, row format.Row, reg *register.Register, list []*register.KG) Source {
	item.Register = reg
	return &kgs{row, item, list}
}

func (s *kgs) Kind() *format.Kind             { return s.row.Kind() }
func (s *kgs) Open(*kgfile.File) (int, error) { return len(s.list), nil }

func (s *kgs) Row(i int) format.Row {
	s.item.KG = s.list[i]
	return s.row
}
