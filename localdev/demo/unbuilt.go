package demo

import (
	"errors"
	"fmt"
	"strconv"

	"mappe/builders/kg/tilecut"
	"mappe/localdev/demo/world"
	"mappe/shared/geo/geom"
	"mappe/shared/geo/mvt"
)

// Unbuilt is the code of a KG beyond the country's eastern ridge that source.json names in on_demand: a build leaves it out,
// so that it is listed and cold, its cells are not built, and answers about its border are partial, until the first request
// that touches it has it built.
const Unbuilt = "99206"

// Its parcels are the outline cut by a grid of so many columns and rows, pastures with wood and rock above.
const (
	unbuiltColumns = 5
	unbuiltRows    = 8
)

var unbuiltLandUse = [...]uint8{54, 54, 56, 54, 87}

const (
	unbuiltName     = "Karwiesen"
	unbuiltGemeinde = 2 // of world.Gemeinden: that of the KGs beside it
	unbuiltReach    = 130_000
)

// unbuiltOutline is its outline: between the north-eastern border of the country, vertex by vertex, and an arc about 1 km
// east of it.
func unbuiltOutline(country []geom.MultiPolygon) (geom.MultiPolygon, error) {
	whole, err := geom.Dissolve(country, 0)
	if err != nil || len(whole) == 0 {
		return nil, errors.Join(err, errors.New("the country has no outline"))
	}
	ring := whole.Largest()[0] // counter-clockwise: in the east it runs to the north
	box := ring.Bounds()
	height := box.MaxY - box.MinY
	from, to := eastmost(ring, box.MinY+height/20*12), eastmost(ring, box.MinY+height/20*17)
	var border geom.Ring
	for i := from; i != to; i = (i + 1) % len(ring) {
		border = append(border, ring[i])
	}
	border = append(border, ring[to])
	a, b, east := border[0], border[len(border)-1], border.Bounds().MaxX
	out := geom.Ring{a, {X: east + unbuiltReach/2, Y: a.Y}, {X: east + unbuiltReach, Y: a.Y/3*2 + b.Y/3},
		{X: east + unbuiltReach, Y: a.Y/3 + b.Y/3*2}, {X: east + unbuiltReach/2, Y: b.Y}}
	for i := len(border) - 1; i > 0; i-- {
		out = append(out, border[i])
	}
	m := geom.MultiPolygon{{out}}
	if fault := m.Validate(); fault != nil {
		return nil, fmt.Errorf("outline of KG %s: %v", Unbuilt, fault)
	}
	return m, nil
}

// eastmost is the number of the most eastern vertex within 200 m of a northing.
func eastmost(ring geom.Ring, y int32) int {
	const near = 18_000
	best := -1
	for i, p := range ring {
		if p.Y-y < near && y-p.Y < near && (best < 0 || p.X > ring[best].X) {
			best = i
		}
	}
	return best
}

// withUnbuilt is the outline of a municipality with that of the KG.
func (t *truth) withUnbuilt(gemeinde int, outline geom.MultiPolygon) (geom.MultiPolygon, error) {
	if gemeinde != unbuiltGemeinde {
		return outline, nil
	}
	return geom.Dissolve([]geom.MultiPolygon{outline, t.unbuilt}, 0)
}

// unbuiltRow is its row in registers/kg.csv.
func unbuiltRow(w *world.World) []any {
	g := w.Gemeinden[unbuiltGemeinde]
	return []any{Unbuilt, unbuiltName, g.Code, g.Name, world.DistrictCode, world.DistrictName, world.StateCode, world.StateName}
}

// unbuiltGrid gives the parcels of the KG, the south-western first.
func (t *truth) unbuiltGrid() []geom.MultiPolygon {
	b := t.unbuilt.Bounds()
	var parcels []geom.MultiPolygon
	at := func(from, to int32, i, n int) int32 { return from + int32(int64(to-from)*int64(i)/int64(n)) }
	for row := range unbuiltRows {
		for column := range unbuiltColumns {
			p := t.unbuilt.Clip(geom.Box{
				MinX: at(b.MinX, b.MaxX, column, unbuiltColumns), MinY: at(b.MinY, b.MaxY, row, unbuiltRows),
				MaxX: at(b.MinX, b.MaxX, column+1, unbuiltColumns), MaxY: at(b.MinY, b.MaxY, row+1, unbuiltRows),
			})
			if len(p) > 0 {
				parcels = append(parcels, p)
			}
		}
	}
	return parcels
}

// unbuiltParcels are its parcels in the tiles, and its name.
func (t *truth) unbuiltParcels() (fs []tilecut.Feature) {
	for i, p := range t.unbuiltGrid() {
		fs = append(fs, tilecut.Feature{Layer: "gst", Geometry: p, Attrs: []mvt.Attr{
			{Key: "kg", Value: kgValue(Unbuilt, i)}, {Key: "gnr", Value: mvt.String(strconv.Itoa(i + 1))},
			{Key: "rstatus", Value: mvt.String("E")},
		}})
	}
	attrs := []mvt.Attr{{Key: "kg", Value: mvt.String(unbuiltName)}, {Key: "kg_nr", Value: kgValue(Unbuilt, 0)}}
	return append(fs, tilecut.Feature{Layer: "kg", Geometry: t.unbuilt, Attrs: attrs})
}

// unbuiltUses are the land uses of its parcels.
func (t *truth) unbuiltUses() (fs []tilecut.Feature) {
	for i, p := range t.unbuiltGrid() {
		ns := unbuiltLandUse[i%len(unbuiltLandUse)]
		fs = append(fs, tilecut.Feature{Layer: "nfl", Geometry: p, Attrs: []mvt.Attr{{Key: "ns", Value: mvt.Uint(uint64(ns))}}})
	}
	return fs
}
