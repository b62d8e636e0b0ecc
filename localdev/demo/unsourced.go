package demo

import (
	"fmt"

	"mappe/localdev/demo/world"
	"mappe/shared/geo/geom"
)

// UnsourcedKG is the code of a KG that Options.Unsourced adds, east of Unbuilt and apart from it: its outline is drawn, its
// parcels are in no tile.
const UnsourcedKG = "99207"

const (
	unsourcedName  = "Hinterkar"
	unsourcedApart = 40_000 // of 1e-7 degree, some 300 m
)

// unsourcedRow is its row in registers/kg.csv.
func unsourcedRow(w *world.World) []any {
	row := unbuiltRow(w)
	row[0], row[1] = UnsourcedKG, unsourcedName
	return row
}

// unsourcedOutline is a rectangle.
func unsourcedOutline(t *truth) geom.MultiPolygon {
	b := t.unbuilt.Bounds()
	w, e := b.MaxX+unsourcedApart, b.MaxX+unsourcedApart+unbuiltReach
	return geom.MultiPolygon{{{{X: w, Y: b.MinY}, {X: e, Y: b.MinY}, {X: e, Y: b.MaxY}, {X: w, Y: b.MaxY}}}}
}

// appendUnsourced writes its outline into kg.geojson.
func appendUnsourced(b []byte, w *world.World, t *truth) []byte {
	g := w.Gemeinden[unbuiltGemeinde]
	b = fmt.Appendf(b, `,
{"type":"Feature","properties":{"kg_code":"%s","kg_name":"%s","gemeinde_code":"%s","gemeinde_name":"%s","district_code":"%s","district_name":"%s","state_code":"%s","state_name":"%s","meridian":31},"geometry":`,
		UnsourcedKG, unsourcedName, g.Code, g.Name, world.DistrictCode, world.DistrictName, world.StateCode, world.StateName)
	return append(appendGeometry(b, unsourcedOutline(t)), '}')
}
