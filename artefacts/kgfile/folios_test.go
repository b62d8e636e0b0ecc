package kgfile_test

import (
	"reflect"
	"testing"

	"mappe/artefacts/kgfile"
	"mappe/artefacts/kgfile/kgtest"
	"mappe/shared/geo/geom"
)

// A folio whose only parcel has no area lies where that parcel stands.
func TestFolioOfAParcelWithoutArea(t *testing.T) {
	at := geom.Point{X: 132_000_000, Y: 473_000_000}
	got := kgfile.Folios([]kgfile.Parcel{{GNR: "1", EZ: 7, Inside: at, Centroid: at}})
	if want := (geom.Box{MinX: at.X, MinY: at.Y, MaxX: at.X, MaxY: at.Y}); len(got) != 1 || got[0].Box != want {
		t.Errorf("want one folio at %v, got %+v", want, got)
	}
}

// Folios that follow from their parcels take a byte; those that say anything else are kept as they are.
func TestFoliosThatDoNotFollow(t *testing.T) {
	s := kgtest.Snapshot(kgtest.Options{Parcels: 40, Segments: 2, AreaKm2: 1, Seed: 5})
	s.Folios = kgfile.Folios(s.Parcels)
	if len(s.Folios) < 2 {
		t.Fatalf("%d folios", len(s.Folios))
	}
	encoded := func() []byte {
		b, err := kgfile.Encode(s)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	derived := len(encoded())
	for what, change := range map[string]func(f *kgfile.Folio){
		"another area":          func(f *kgfile.Folio) { f.TotalAreaSqm += 5 },
		"another box":           func(f *kgfile.Folio) { f.Box.MaxX++ },
		"more buildings":        func(f *kgfile.Folio) { f.BuildingCount++ },
		"another number":        func(f *kgfile.Folio) { f.EZ += 1_000_000 },
		"other areas of uses":   func(f *kgfile.Folio) { f.UseAreas = append(f.UseAreas, kgfile.CodeArea{Code: 95, Sqm: 3}) },
		"other counts of signs": func(f *kgfile.Folio) { f.SymbolCounts = append(f.SymbolCounts, kgfile.CodeCount{Code: 95, N: 1}) },
	} {
		s.Folios = kgfile.Folios(s.Parcels)
		last := &s.Folios[len(s.Folios)-1]
		change(last)
		b := encoded()
		f, err := kgfile.Open(b)
		if err != nil {
			t.Fatal(err)
		}
		got, err := f.Folios()
		if err != nil || len(got) != len(s.Folios) || !reflect.DeepEqual(got[len(got)-1], *last) {
			t.Errorf("%s: %+v, want %+v (%v)", what, got[len(got)-1], *last, err)
		}
		if len(b) <= derived {
			t.Errorf("%s: %d bytes, and %d where all follows", what, len(b), derived)
		}
	}
}

// Every longitude and latitude is one, to the poles and both sides of 180°.
func TestBorderOfTheEarth(t *testing.T) {
	const x, y = 180 * geom.Scale, 90 * geom.Scale
	for _, c := range []struct {
		p  geom.Point
		ok bool
	}{{geom.Point{X: -x, Y: -y}, true}, {geom.Point{X: x, Y: y}, true}, {geom.Point{X: -x - 1}, false}, {geom.Point{X: x + 1},
		false}, {geom.Point{Y: -y - 1}, false}, {geom.Point{Y: y + 1}, false}} {
		s := &kgfile.Snapshot{Parcels: []kgfile.Parcel{{Geometry: geom.MultiPolygon{{geom.Ring{c.p, {X: 1}, {Y: 1}}}}}}}
		if _, err := kgfile.Encode(s); (err == nil) != c.ok {
			t.Errorf("%v: %v", c.p, err)
		}
	}
}
