package rows

import (
	"context"
	"slices"

	"mappe/artefacts/kgfile"
	"mappe/artefacts/register"
	"mappe/artefacts/rowschema"
	"mappe/shared/web/format"
)

// Source draws the rows of one table of a KG. It has one row value, which is used again for each row, so it
// belongs to one request and one goroutine.
type Source interface {
	// RowType is the type of the rows.
	RowType() *format.RowType
	// Open has the source stand on a KG, and says how many rows the table has there.
	Open(f *kgfile.File) (int, error)
	// Row is a row of the KG that is open.
	Row(i int) format.Row
}

// Windowed is a Source of a layer External that reads what it draws: before the rows from lo up to hi are drawn it
// is told so.
type Windowed interface {
	Source
	Window(ctx context.Context, lo, hi int) error
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

func (s *table[T]) RowType() *format.RowType { return s.row.RowType() }

func (s *table[T]) decode(f *kgfile.File) error {
	_, err := s.read(f)
	return err
}

// decoder decodes the table that a source draws, in any goroutine; nil where nothing is known of it.
func decoder(s Source) func(*kgfile.File) error {
	if t, ok := s.(interface{ decode(*kgfile.File) error }); ok {
		return t.decode
	}
	return nil
}

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

// Parcels draws parcels as this row.
func Parcels(r *format.Record[rowschema.ParcelRow]) Source {
	t := table[kgfile.Parcel]{
		row: r, read: (*kgfile.File).Parcels,
		open: func(_ *kgfile.File, kg *kgfile.KG) error { r.Item.KG = kg; return nil },
		set:  func(i int, p *kgfile.Parcel) { r.Item.P, r.Item.Over.Row = p, i },
	}
	rowType, all := r.RowType(), rowschema.ParcelOverlay
	if !slices.ContainsFunc(all, func(f format.Field[rowschema.ParcelRow]) bool { return rowType.Index(f.Name) >= 0 }) {
		return &t
	}
	first, last := rowType.Index(all[0].Name), rowType.Index(all[len(all)-1].Name)
	return &parcels{t, r, first, first >= 0 && last-first == len(all)-1}
}

// ParcelExports draws parcels with what stands on them as this row.
func ParcelExports(r *format.Record[rowschema.ParcelExportRow]) Source {
	var on *rowschema.ByParcel
	return &table[kgfile.Parcel]{
		row: r, read: (*kgfile.File).Parcels,
		open: func(f *kgfile.File, kg *kgfile.KG) error {
			parcels, err := f.Parcels()
			if err != nil {
				return err
			}
			r.Item.KG = kg
			r.Item.Buildings, err = f.Buildings()
			on = rowschema.BuildingsByParcel(parcels, r.Item.Buildings)
			return err
		},
		set: func(i int, p *kgfile.Parcel) { r.Item.P, r.Item.On = p, on.Of(i) },
	}
}

// Buildings draws address points as this row.
func Buildings(r *format.Record[rowschema.BuildingRow]) Source {
	var parcels []kgfile.Parcel
	return &table[kgfile.Building]{
		row: r, read: (*kgfile.File).Buildings,
		open: func(f *kgfile.File, kg *kgfile.KG) (err error) {
			r.Item.KG, r.Item.Joined = kg, rowschema.EpochID(f.Build().IngestGeneration).Has(rowschema.AddressPointJoin)
			parcels, err = f.Parcels()
			return err
		},
		set: func(_ int, b *kgfile.Building) { r.Item.B, r.Item.Parcel = b, rowschema.ParcelAt(parcels, b.Parcel) },
	}
}

// Footprints draws building footprints as this row.
func Footprints(r *format.Record[rowschema.FootprintRow]) Source {
	var parcels []kgfile.Parcel
	return &table[kgfile.Footprint]{
		row: r, read: (*kgfile.File).Footprints,
		open: func(f *kgfile.File, kg *kgfile.KG) (err error) {
			r.Item.KG = kg
			parcels, err = f.Parcels()
			return err
		},
		set: func(_ int, p *kgfile.Footprint) { r.Item.F, r.Item.Parcel = p, rowschema.ParcelAt(parcels, p.Parcel) },
	}
}

// LandUse draws land-use areas as this row.
func LandUse(r *format.Record[rowschema.LandUsePolygonRow]) Source {
	return &table[kgfile.LandUseArea]{
		row: r, read: (*kgfile.File).LandUse,
		open: func(_ *kgfile.File, kg *kgfile.KG) error { r.Item.KG = kg; return nil },
		set:  func(i int, u *kgfile.LandUseArea) { r.Item.U, r.Item.N = u, i+1 },
	}
}

// Symbols draws land-use symbols as this row.
func Symbols(r *format.Record[rowschema.LandUsePointRow]) Source {
	var parcels []kgfile.Parcel
	return &table[kgfile.Symbol]{
		row: r, read: (*kgfile.File).Symbols,
		open: func(f *kgfile.File, kg *kgfile.KG) (err error) {
			r.Item.KG = kg
			parcels, err = f.Parcels()
			return err
		},
		set: func(i int, y *kgfile.Symbol) {
			r.Item.S, r.Item.Parcel, r.Item.N = y, rowschema.ParcelAt(parcels, y.Parcel), i+1
		},
	}
}

// Folios draws land-register folios as this row.
func Folios(r *format.Record[rowschema.FolioRow]) Source {
	return &table[kgfile.Folio]{
		row: r, read: (*kgfile.File).Folios,
		open: func(_ *kgfile.File, kg *kgfile.KG) error { r.Item.KG = kg; return nil },
		set:  func(_ int, f *kgfile.Folio) { r.Item.F = f },
	}
}

// FolioDetails draws land-register folios with what is in them as this row.
func FolioDetails(r *format.Record[rowschema.FolioDetailRow]) Source {
	return &table[kgfile.Folio]{
		row: r, read: (*kgfile.File).Folios,
		open: func(f *kgfile.File, kg *kgfile.KG) (err error) {
			r.Item.KG = kg
			if r.Item.Parcels, err = f.Parcels(); err != nil {
				return err
			}
			r.Item.Buildings, err = f.Buildings()
			return err
		},
		set: func(_ int, f *kgfile.Folio) { r.Item.F = f },
	}
}

// Labels draws parcel-number labels as this row.
func Labels(r *format.Record[rowschema.LabelRow]) Source {
	return &table[kgfile.Label]{
		row: r, read: (*kgfile.File).Labels,
		open: func(_ *kgfile.File, kg *kgfile.KG) error { r.Item.KG = kg; return nil },
		set:  func(_ int, l *kgfile.Label) { r.Item.L = l },
	}
}

// kgs is a Source over KGs of the register.
type kgs struct {
	row  *format.Record[rowschema.KGRow]
	list []*register.KG
}

// KGs draws these KGs as this row, for a layer that is External: they are in the register, not in KG files.
func KGs(r *format.Record[rowschema.KGRow], reg *register.Register, list []*register.KG) Source {
	r.Item.Register = reg
	return &kgs{r, list}
}

func (s *kgs) RowType() *format.RowType       { return s.row.RowType() }
func (s *kgs) Open(*kgfile.File) (int, error) { return len(s.list), nil }

func (s *kgs) Row(i int) format.Row {
	s.row.Item.KG = s.list[i]
	return s.row
}
