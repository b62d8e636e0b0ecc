package e2e

import (
	"context"
	"errors"
	"math"
	"reflect"
	"testing"

	"mappe/artefacts/overlays"
	"mappe/artefacts/rasters"
	"mappe/artefacts/register"
	"mappe/builders/kgbuild"
	"mappe/builders/national"
	builder "mappe/builders/overlays"
	"mappe/functions/fixture"
	"mappe/shared/austria"
	"mappe/shared/cloud/store"
	"mappe/shared/geo/crs"
	"mappe/shared/geo/geom"
	"mappe/shared/geo/raster"
)

// lay publishes what lies over the KG at the place the examples speak of: one shape for all, and a law that names a parcel.
func lay(ctx context.Context, t *testing.T, st store.Store, b geom.Box, id austria.ParcelID) {
	t.Helper()
	m := geom.MultiPolygon{{{{X: b.MinX, Y: b.MinY}, {X: b.MaxX, Y: b.MinY}, {X: b.MaxX, Y: b.MaxY}, {X: b.MinX, Y: b.MaxY}}}}
	s := &builder.Source{Sum: "contract", Source: overlays.Source{
		Sites: []overlays.Site{{Code: "AT3299001", Name: "Lorfachauen", Type: overlays.Habitats, AreaHa: 1, Features: 1, Box: b,
			Geometry: m}},
		Areas:          []overlays.Area{{Name: "Lorfachauen", Desig: "Landschaftsschutzgebiet", Box: b, Geometry: m}},
		Municipalities: []overlays.Municipality{{Code: "59902", Name: "Lorfach", Box: b, Geometry: m}},
		Laws:           []overlays.Law{{Name: "Verordnung", Context: "nature_protection"}},
		Refs:           []overlays.KGRefs{{KG: id.KG, Refs: []overlays.Ref{{GNR: id.GNR}}}},
	}}
	if _, err := national.Publish(ctx,
		national.Publication{Store: st, Country: national.Country{Overlays: s, Municipalities: []register.Municipality{
			{Code: "59902", Name: "Lorfach", DistrictCode: "599", DistrictName: "Bezirk 599",
				At: geom.Point{X: b.MinX/2 + b.MaxX/2, Y: b.MinY/2 + b.MaxY/2}, Outline: m},
		}}, Observer: quiet{}}); err != nil {
		t.Fatal(err)
	}
	at := fixture.At(2, 2)
	box := geom.Box{MinX: at.X, MinY: at.Y, MaxX: at.X, MaxY: at.Y}
	community, names := fixture.Community(), fixture.Toponyms()
	shift(reflect.ValueOf(community), exampleCentre(t), box)
	shift(reflect.ValueOf(names), exampleCentre(t), box)
	for i := range names.Names {
		names.Names[i].KG = id.KG
	}
	names.Names[0].Name, names.Names[0].ID = "Quettenach", "99999999-0000-4000-8000-000000000001"
	// The area that the examples of the landscape service draw.
	x, y := crs.LAEA.Forward(13.231, 47.3225)
	scanned := raster.Box{West: math.Round(x) - 700, South: math.Round(y) - 700, East: math.Round(x) + 700, North: math.Round(y) + 700}
	models := fixture.AddRasters(st, scans(scanned)...)
	if err := errors.Join(fixture.AddMap(st, community), fixture.AddNames(st, names), models); err != nil {
		t.Fatal(err)
	}
}

// scans are a hill with a wood on two dates: between them trees have grown and some were felled, and a place was filled up.
func scans(of raster.Box) (list []fixture.Raster) {
	hill := func(x, _ float64) float64 { return 700 + (x-of.West)/4 }
	filled := func(x, y float64) float64 {
		if math.Abs(x-of.West-850) < 20 && math.Abs(y-of.South-850) < 20 {
			return hill(x, y) + 3
		}
		return hill(x, y)
	}
	wooded := func(ground func(x, y float64) float64, height float64, after bool) func(x, y float64) float64 {
		return func(x, y float64) float64 {
			const apart = 15
			col, row := math.Floor((x-of.West)/apart), math.Floor((y-of.South)/apart)
			d := math.Hypot(x-of.West-(col+0.5)*apart, y-of.South-(row+0.5)*apart)
			if d > 3 || y-of.South > 820 || after && int(col+row)%9 == 0 {
				return ground(x, y)
			}
			return ground(x, y) + height*(1-0.2*d)
		}
	}
	return []fixture.Raster{{Layer: rasters.DTM, Date: "2022-09-15", Box: of, Height: hill},
		{Layer: rasters.DSM, Date: "2022-09-15", Box: of, Height: wooded(hill, 16, false)},
		{Layer: rasters.DTM, Date: "2024-09-15", Box: of, Height: filled},
		{Layer: rasters.DSM, Date: "2024-09-15", Box: of, Height: wooded(filled, 18, true)}}
}

// quiet is told of a publication and says nothing.
type quiet struct{}

func (quiet) Plan(int)                     {}
func (quiet) Done(kgbuild.Result)          {}
func (quiet) Phase(string)                 {}
func (quiet) Step(int, int)                {}
func (quiet) Abolished(national.Abolished) {}
