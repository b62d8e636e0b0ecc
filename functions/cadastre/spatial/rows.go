package spatial

import (
	"strconv"
	"unsafe"

	"mappe/artefacts/kgdocs"
	"mappe/artefacts/kgfile"
	"mappe/shared/austria"
	"mappe/shared/web/format"
)

// Columns whose text is put together here, without an allocation a row, and where each kind's own
// columns end.
var (
	colParcelID = kgdocs.Parcel.Index("parcel_id")
	colCodes    = kgdocs.Parcel.Index("landuse_codes")
	colSummary  = kgdocs.Parcel.Index("landuse_summary")
	colStatus   = kgdocs.Parcel.Index("status")
	ownParcel   = len(kgdocs.Parcel.Columns)
	ownBuilding = len(kgdocs.Building.Columns)
)

// text is a string over scratch bytes: a row's texts live until the row is set anew, as format.Seq
// allows.
func text(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }

// parcelRow is a parcel in any of the parcel kinds.
type parcelRow struct {
	kind               *format.Kind
	kg                 kgfile.KG // of the open file
	base               kgdocs.ParcelRow
	distance           float64
	centroid           bool // the geometry is the centroid
	id, codes, summary []byte
}

func (r *parcelRow) open(f *kgfile.File) {
	r.kg = f.KG()
	r.base.KG = &r.kg
}

// set makes the row stand for a parcel of the open KG.
func (r *parcelRow) set(p *kgfile.Parcel) { r.base.P = p }

func (r *parcelRow) Kind() *format.Kind { return r.kind }

func (r *parcelRow) Geometry() format.Geometry {
	if r.centroid {
		return format.PointGeometry(r.base.P.Centroid)
	}
	return r.base.Geometry()
}

func (r *parcelRow) Value(c int) format.Value {
	switch c {
	case colParcelID:
		r.id = append(append(append(r.id[:0], r.base.KG.Code...), '-'), r.base.P.GNR...)
		return format.String(text(r.id))
	case colCodes:
		r.codes = kgdocs.AppendLandUseCodes(r.codes[:0], r.base.P)
		if len(r.codes) == 0 {
			return format.Null
		}
		return format.String(text(r.codes))
	case colSummary:
		r.summary = kgdocs.AppendLandUseSummary(r.summary[:0], r.base.P.SymbolCounts)
		return format.RawJSON(text(r.summary))
	case colStatus:
		switch r.base.P.Status {
		case austria.StatusE:
			return format.String("E")
		case austria.StatusG:
			return format.String("G")
		}
		return format.Null
	case ownParcel:
		return format.String("parcel")
	case ownParcel + 1:
		return format.Float(r.distance, distanceColumn.Decimals)
	}
	return r.base.Value(c)
}

// buildingRow is an address point in any of the building kinds.
type buildingRow struct {
	kind     *format.Kind
	kg       kgfile.KG
	parcels  []kgfile.Parcel
	base     kgdocs.BuildingRow
	distance float64
}

func (r *buildingRow) open(f *kgfile.File) (err error) {
	r.kg = f.KG()
	r.base.KG = &r.kg
	r.parcels, err = f.Parcels()
	return err
}

func (r *buildingRow) set(b *kgfile.Building) {
	r.base.B, r.base.Parcel = b, parcelAt(r.parcels, b.Parcel)
}

func parcelAt(p []kgfile.Parcel, i int32) *kgfile.Parcel {
	if i < 0 || int(i) >= len(p) {
		return nil
	}
	return &p[i]
}

func (r *buildingRow) Kind() *format.Kind        { return r.kind }
func (r *buildingRow) Geometry() format.Geometry { return r.base.Geometry() }

func (r *buildingRow) Value(c int) format.Value {
	switch c {
	case ownBuilding:
		return format.String("building")
	case ownBuilding + 1:
		return format.Float(r.distance, distanceColumn.Decimals)
	case ownBuilding + 2:
		return format.Bool(true)
	}
	return r.base.Value(c)
}

// geometryRow is a row of parcelGeometryKind, or of parcelBareKind.
type geometryRow struct{ parcelRow }

// geometryColumns are the kind's columns in kgdocs.Parcel.
var geometryColumns = func() (at []int) {
	for _, c := range parcelGeometryKind.Columns {
		at = append(at, kgdocs.Parcel.Index(c.Name))
	}
	return at
}()

func (r *geometryRow) Value(c int) format.Value { return r.parcelRow.Value(geometryColumns[c]) }

func (r *geometryRow) Geometry() format.Geometry {
	if r.kind.Shape == format.ShapeNone {
		return format.Geometry{}
	}
	return r.parcelRow.Geometry()
}

// footprintRow is a row of footprintGeometryKind, or of footprintBareKind.
type footprintRow struct {
	kind    *format.Kind
	kg      kgfile.KG
	parcels []kgfile.Parcel
	base    kgdocs.FootprintRow
	id      []byte
	parcel  []byte
}

var (
	colFootprintID     = kgdocs.Footprint.Index("footprint_id")
	colFootprintParcel = kgdocs.Footprint.Index("parcel_id")
)

func (r *footprintRow) open(f *kgfile.File) (err error) {
	r.kg = f.KG()
	r.base.KG = &r.kg
	r.parcels, err = f.Parcels()
	return err
}

func (r *footprintRow) set(p *kgfile.Footprint) {
	r.base.F, r.base.Parcel = p, parcelAt(r.parcels, p.Parcel)
}

func (r *footprintRow) Kind() *format.Kind { return r.kind }

func (r *footprintRow) Geometry() format.Geometry {
	if r.kind.Shape == format.ShapeNone {
		return format.Geometry{}
	}
	return r.base.Geometry()
}

func (r *footprintRow) Value(c int) format.Value {
	switch c {
	case colFootprintParcel:
		if r.base.Parcel == nil {
			return format.Null
		}
		r.parcel = append(append(append(r.parcel[:0], r.kg.Code...), '-'), r.base.Parcel.GNR...)
		return format.String(text(r.parcel))
	case colFootprintID:
		r.id = strconv.AppendUint(append(append(r.id[:0], r.kg.Code...), "_fp_"...), uint64(r.base.F.N), 10)
		return format.String(text(r.id))
	}
	return r.base.Value(c)
}
