package worldtest

import (
	"mappe/artefacts/keys"
	"mappe/artefacts/proximity"
	"mappe/artefacts/sectionfile"
	"mappe/shared/cloud/store"
	"mappe/shared/geo/geom"
)

// Community is a community map around the world:
//
//	primary road B1 Hauptstraße   along y = 0.5, x -10..20
//	residential Dorfstraße        along x = 2, y 0.5..3
//	railway                       along y = 8, x -10..20; Westdorf Bahnhof at x 2
//	bus stop Dorfplatz            at x 2, y 1
//	river Bach                    along x = 6, y -10..10
//	lake Teich                    x 3..4, y 3..4
//	village Westdorf              at x 2, y 2, of 1,204 inhabitants
func Community() *proximity.Country {
	class := func(c proximity.Category, name string) proximity.Class {
		k, ok := proximity.ParseClass(c, name)
		if !ok {
			panic("no class " + name)
		}
		return k
	}
	return &proximity.Country{
		Date: "2026-09-30", Attribution: "made-up contributors",
		Lines: []proximity.Line{
			{Class: class(proximity.Road, "primary"), Name: "Hauptstraße", Ref: "B1",
				Vertices: []geom.Point{At(-10, 0.5), At(2, 0.5), At(20, 0.5)}},
			{Class: class(proximity.Road, "residential"), Name: "Dorfstraße", Vertices: []geom.Point{At(2, 0.5), At(2, 3)}},
			{Class: class(proximity.Rail, "rail"), Vertices: []geom.Point{At(-10, 8), At(20, 8)}},
			{Class: class(proximity.Water, "river"), Name: "Bach", Vertices: []geom.Point{At(6, -10), At(6, 10)}},
		},
		Points: []proximity.Point{
			{Class: class(proximity.Transit, "bus_stop"), Name: "Dorfplatz", At: At(2, 1), Population: -1},
			{Class: class(proximity.Transit, "railway_station"), Name: "Westdorf Bahnhof", At: At(2, 8), Population: -1},
			{Class: class(proximity.Place, "village"), Name: "Westdorf", At: At(2, 2), Population: 1204},
		},
		Areas: []proximity.Area{{Class: class(proximity.Water, "water"), Name: "Teich", Geometry: geom.MultiPolygon{{Rect(3, 3, 4, 4)}}}},
	}
}

// AddMap gives the published generation a community map.
func AddMap(s store.Store, c *proximity.Country) error {
	head, err := c.Head().Encode()
	if err != nil {
		return err
	}
	if err := addParts(s, proximity.Artefact, proximity.Kind, head, c.Fill); err != nil {
		return err
	}
	n, err := proximity.NewNearest(c)
	if err != nil {
		return err
	}
	return addParts(s, proximity.NearestArtefact, proximity.NearestKind, head, n.Fill)
}

// addParts gives the published generation an artefact in parts.
func addParts(s store.Store, name string, kind sectionfile.Kind, head []byte, fill func(*sectionfile.Builder) error) error {
	file, err := sectionfile.EncodeFilled(kind, head, fill)
	if err != nil {
		return err
	}
	return putArtefact(s, name, keys.National{Name: name, Sum: keys.Sum(file), Ext: "parts"}, file)
}
