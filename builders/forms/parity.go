package forms

import (
	"errors"
	"fmt"
	"math"
	"strconv"

	"mappe/artefacts/kgfile"
	"mappe/artefacts/rowschema"
	"mappe/shared/geo/geom"
	"mappe/shared/web/format"
)

// Parity reads all five forms back and compares every row with the snapshot: ids, attributes and
// coordinates, each form in one pass. The readers share no code with the writers. It gives the first
// difference of every form that differs. The tiles are compared at their highest zoom, within their
// pixel grid.
func Parity(s *kgfile.Snapshot, f Files) error {
	var errs []error
	for _, form := range []struct {
		name  string
		check func() error
	}{
		{"kgs", func() error { return sameKGS(s, f.KGS) }},
		{"GeoParquet", func() error { return sameGeoParquet(s, f.GeoParquet) }},
		{"GeoJSON", func() error { return sameGeoJSON(s, f.GeoJSON) }},
		{"GeoPackage", func() error { return sameGeoPackage(s, f.GeoPackage) }},
		{"PMTiles", func() error { return samePMTiles(s, f.PMTiles) }},
	} {
		if err := form.check(); err != nil {
			errs = append(errs, fmt.Errorf("KG %s: %s differs from the snapshot: %w", s.KG.Code, form.name, err))
		}
	}
	return errors.Join(errs...)
}

// difference names row, column and both values.
func difference(id, column string, got, want any) error {
	return fmt.Errorf("%s: %s is %v, want %v", id, column, got, want)
}

// cell is a value as a form holds it, read back.
type cell struct {
	kind cellKind
	num  float64
	text string
}

type cellKind uint8

const (
	none cellKind = iota
	number
	text
)

func (c cell) String() string {
	switch c.kind {
	case number:
		return strconv.FormatFloat(c.num, 'g', -1, 64)
	case text:
		if len(c.text) > 200 {
			return strconv.Quote(c.text[:200]) + "…"
		}
		return strconv.Quote(c.text)
	}
	return "null"
}

// cellOf is what a form must hold for a value.
func cellOf(v format.Value, t format.Type) cell {
	if v.IsNull() {
		return cell{}
	}
	if t == format.TypeString || t == format.TypeJSON {
		s, _ := v.Str()
		return cell{kind: text, text: s}
	}
	f, _ := v.Float64()
	return cell{kind: number, num: f}
}

// e7 is the coordinate that a decimal stands for. Two coordinates never fall together: the grid is
// 1e-7 degrees and a double is finer than 1e-13 there.
func e7(degrees float64) int32 { return int32(math.Round(degrees * geom.Scale)) }

// sameArea compares polygons ring by ring and vertex by vertex.
func sameArea(id string, got, want geom.MultiPolygon) error {
	if len(got) != len(want) {
		return difference(id, "number of parts", len(got), len(want))
	}
	for i := range want {
		if len(got[i]) != len(want[i]) {
			return difference(id, fmt.Sprintf("number of rings of part %d", i), len(got[i]), len(want[i]))
		}
		for k := range want[i] {
			a, b := got[i][k], want[i][k]
			if len(a) != len(b) {
				return difference(id, fmt.Sprintf("number of vertices of part %d ring %d", i, k), len(a), len(b))
			}
			for v := range b {
				if a[v] != b[v] {
					return difference(id, fmt.Sprintf("vertex %d of part %d ring %d", v, i, k), a[v], b[v])
				}
			}
		}
	}
	return nil
}

// parcelName is the id of a parcel for messages.
func parcelName(s *kgfile.Snapshot, i int) string {
	r := rowschema.ParcelRow{KG: &s.KG, P: &s.Parcels[i]}
	return r.ID()
}
