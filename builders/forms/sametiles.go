package forms

import (
	"bytes"
	"fmt"
	"slices"

	"mappe/artefacts/kgfile"
	"mappe/artefacts/pmt"
	"mappe/artefacts/rowschema"
	"mappe/builders/tiles"
	"mappe/shared/austria"
	"mappe/shared/geo/geom"
	"mappe/shared/geo/mvt"
)

// samePMTiles reads the tiles of the highest zoom. Inside a tile every vertex of a parcel or footprint
// must be the pixel of one of its vertices, and every pixel that its rings have with area must be drawn
// in the tile that holds it.
func samePMTiles(s *kgfile.Snapshot, b []byte) error {
	a, err := pmt.Open(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		return err
	}
	parcels, footprints := newDrawn(len(s.Parcels)), newDrawn(len(s.Footprints))
	row := rowschema.ParcelRow{KG: &s.KG}
	for i := range s.Parcels {
		row.P = &s.Parcels[i]
		parcels.add(row.ID(), s.Parcels[i].Geometry)
	}
	for i := range s.Footprints {
		id := austria.FootprintID{KG: s.KG.Code, N: s.Footprints[i].N}
		footprints.add(id.String(), s.Footprints[i].Geometry)
	}
	for e, c := range a.All() {
		if c.Err != nil {
			return c.Err
		}
		if at, _ := pmt.Address(e.ID); at.Z != tiles.MaxZoom {
			continue
		}
		t, err := mvt.Decode(c.Bytes, mvt.Limits{})
		if err != nil {
			return err
		}
		for n := range uint64(e.Run) {
			at, _ := pmt.Address(e.ID + n)
			if err := parcels.tile(at, t.Layer("parcels"), "parcel_id", func(l *mvt.Layer, f *mvt.Feature, i int) error {
				row.P = &s.Parcels[i]
				return sameAttributes(l, f, &row)
			}); err != nil {
				return err
			}
			if err := footprints.tile(at, t.Layer("footprints"), "footprint_id", nil); err != nil {
				return err
			}
		}
	}
	if err := parcels.complete(); err != nil {
		return err
	}
	return footprints.complete()
}

// inTiles are the attributes that parcels have in the tiles.
var inTiles = rowschema.Parcel.Fields.Only("gnr", "ez", "status", "area_sqm")

// sameAttributes compares the attributes a parcel has in the tiles with the columns of its row.
func sameAttributes(l *mvt.Layer, f *mvt.Feature, row *rowschema.ParcelRow) error {
	for _, field := range inTiles {
		name := field.Name
		want := cellOf(field.Get(row), field.Type)
		var got cell
		if v, ok := l.Value(f, l.Key(name)); ok {
			if x, isNumber := v.Float64(); isNumber {
				got = cell{kind: number, num: x}
			} else {
				got = cell{kind: text, text: v.Text()}
			}
		}
		if got != want {
			return difference(row.ID(), name, got, want)
		}
	}
	return nil
}

// drawn holds the pixels of a layer's features: for each feature a sorted run of pixels, and which of
// them were met. Pixels of rings without area are allowed but need not be drawn.
type drawn struct {
	index  map[string]int
	ids    []string
	start  []int
	pixels []uint64 // x<<32 | y<<1 | 1 when the pixel must be drawn
	met    []bool
	buf    []uint64
}

func newDrawn(n int) *drawn {
	return &drawn{index: make(map[string]int, n), ids: make([]string, 0, n), start: append(make([]int, 0, n+1), 0)}
}

var pixelGrid = mvt.Grid{Z: tiles.MaxZoom, Extent: tiles.Extent}

func (d *drawn) add(id string, m geom.MultiPolygon) {
	d.index[id] = len(d.ids)
	d.ids = append(d.ids, id)
	d.buf = d.buf[:0]
	var ring []mvt.Point
	for _, p := range m {
		hidden := false
		for k, r := range p {
			at := len(d.buf)
			ring = ring[:0]
			for _, q := range r {
				x, y := pixelGrid.Snap(q)
				ring = append(ring, mvt.Point{X: int32(x), Y: int32(y)})
				d.buf = append(d.buf, uint64(x)<<32|uint64(y)<<1)
			}
			area := mvt.Area2(ring)
			hidden = hidden || k == 0 && area == 0
			if !hidden && area != 0 {
				for i := at; i < len(d.buf); i++ {
					d.buf[i] |= 1
				}
			}
		}
	}
	// Of equal pixels the one that must be drawn is kept: it sorts behind.
	slices.Sort(d.buf)
	for i, v := range d.buf {
		if i+1 == len(d.buf) || d.buf[i+1]>>1 != v>>1 {
			d.pixels = append(d.pixels, v)
		}
	}
	d.start = append(d.start, len(d.pixels))
}

// tile compares the features of one layer of one tile.
func (d *drawn) tile(at pmt.ZXY, l *mvt.Layer, key string, attributes func(l *mvt.Layer, f *mvt.Feature, i int) error) error {
	if l == nil {
		return nil
	}
	if d.met == nil {
		d.met = make([]bool, len(d.pixels))
	}
	id := l.Key(key)
	x0, y0 := uint64(at.X)*tiles.Extent, uint64(at.Y)*tiles.Extent
	for k := range l.Features {
		f := &l.Features[k]
		v, _ := l.Value(f, id)
		i, ok := d.index[v.Text()]
		if !ok {
			return fmt.Errorf("tile %d/%d/%d: %s %q is not in the snapshot", at.Z, at.X, at.Y, key, v.Text())
		}
		if attributes != nil {
			if err := attributes(l, f, i); err != nil {
				return fmt.Errorf("tile %d/%d/%d: %w", at.Z, at.X, at.Y, err)
			}
		}
		own := d.pixels[d.start[i]:d.start[i+1]]
		for _, part := range f.Parts {
			for _, p := range part {
				if p.X < 0 || p.Y < 0 || p.X >= tiles.Extent || p.Y >= tiles.Extent {
					continue // another tile's
				}
				want := (x0+uint64(p.X))<<32 | (y0+uint64(p.Y))<<1
				n, _ := slices.BinarySearch(own, want)
				if n == len(own) || own[n]&^1 != want {
					return fmt.Errorf("tile %d/%d/%d: %s has a vertex at pixel %v that the snapshot does not have", at.Z, at.X, at.Y,
						d.ids[i], p)
				}
				d.met[d.start[i]+n] = true
			}
		}
	}
	return nil
}

// complete says which pixel was met in no tile.
func (d *drawn) complete() error {
	for i, id := range d.ids {
		for n := d.start[i]; n < d.start[i+1]; n++ {
			if d.pixels[n]&1 == 1 && (d.met == nil || !d.met[n]) {
				x, y := d.pixels[n]>>32, d.pixels[n]&(1<<32-1)>>1
				return fmt.Errorf("%s: vertex at pixel (%d, %d) of zoom %d is drawn in no tile", id, x, y, tiles.MaxZoom)
			}
		}
	}
	return nil
}
