package forms

import (
	"slices"
	"strings"
	"testing"

	"mappe/artefacts/kgfile"
	"mappe/artefacts/kgfile/kgtest"
	"mappe/shared/geo/geom"
)

func TestParityOfWhatWasWritten(t *testing.T) {
	for name, s := range map[string]*kgfile.Snapshot{"sample": sample(), "average KG": kgtest.Snapshot(kgtest.Small)} {
		f, err := Write(s, 2)
		if err != nil {
			t.Fatal(err)
		}
		if err := Parity(s, f); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Files of one snapshot are compared with a snapshot that differs in one thing: the forms that hold
// this thing must say so, the others must not.
func TestParityFindsOneDifference(t *testing.T) {
	f := write(t)
	every := []string{"kgs", "GeoParquet", "GeoJSON", "GeoPackage", "PMTiles"}
	for _, c := range []struct {
		name   string
		change func(s *kgfile.Snapshot)
		want   []string // forms that differ
	}{
		{"nothing", func(s *kgfile.Snapshot) {}, nil},
		{"a parcel less", func(s *kgfile.Snapshot) { s.Parcels = s.Parcels[:3] }, every[:4]},
		{"a drawn parcel less", func(s *kgfile.Snapshot) { s.Parcels = s.Parcels[1:] }, every},
		{"a parcel more", func(s *kgfile.Snapshot) { s.Parcels = append(s.Parcels, s.Parcels[0]) }, every},
		{"another number", func(s *kgfile.Snapshot) { s.Parcels[1].GNR = ".8" }, every},
		{"another area", func(s *kgfile.Snapshot) { s.Parcels[0].AreaSqm += 0.01 }, every},
		{"another folio", func(s *kgfile.Snapshot) { s.Parcels[2].EZ = 5 }, every},
		{"another status", func(s *kgfile.Snapshot) { s.Parcels[2].Status = 'G' }, every},
		{"another centroid", func(s *kgfile.Snapshot) { s.Parcels[0].Centroid.X++ }, every[:4]},
		{"another symbol count", func(s *kgfile.Snapshot) { s.Parcels[0].SymbolCounts[1].N++ }, every[:4]},
		{"another use area", func(s *kgfile.Snapshot) { s.Parcels[0].UseAreas[1].Sqm++ }, []string{"kgs", "GeoJSON"}},
		{"another ratio", func(s *kgfile.Snapshot) { s.Parcels[0].FAR += 0.0001 }, every[:4]},
		{"a vertex moved by a unit", func(s *kgfile.Snapshot) { s.Parcels[2].Geometry[1][1][2].Y++ }, every[:4]},
		{"a vertex moved by a pixel", func(s *kgfile.Snapshot) { s.Parcels[2].Geometry[1][1][2].Y += 100 }, every},
		{"a vertex less", func(s *kgfile.Snapshot) { s.Parcels[0].Geometry[0][0] = s.Parcels[0].Geometry[0][0][:3] }, every},
		{"a hole less", func(s *kgfile.Snapshot) { s.Parcels[0].Geometry[0] = s.Parcels[0].Geometry[0][:1] }, every},
		{"a part less", func(s *kgfile.Snapshot) { s.Parcels[2].Geometry = s.Parcels[2].Geometry[:1] }, every},
		{"a geometry more", func(s *kgfile.Snapshot) {
			s.Parcels[3].Geometry = geom.MultiPolygon{{square(156000000, 484000000, 500)}}
		}, every},
		{"another street", func(s *kgfile.Snapshot) { s.Buildings[0].Street = "Gasse" }, []string{"kgs", "GeoJSON", "GeoPackage"}},
		{"a building elsewhere", func(s *kgfile.Snapshot) { s.Buildings[2].At.Y-- }, []string{"kgs", "GeoPackage"}},
		{"a building on a parcel", func(s *kgfile.Snapshot) { s.Buildings[2].Parcel = 1 }, []string{"kgs", "GeoJSON", "GeoPackage"}},
		{"another footprint", func(s *kgfile.Snapshot) { s.Footprints[0].N = 2 }, []string{"kgs", "GeoPackage", "PMTiles"}},
		{"another use code", func(s *kgfile.Snapshot) { s.LandUse[1].NS = 55 }, []string{"kgs", "GeoPackage"}},
		{"a symbol less", func(s *kgfile.Snapshot) { s.Symbols = s.Symbols[:1] }, []string{"kgs", "GeoPackage"}},
		{"another rotation", func(s *kgfile.Snapshot) { s.Labels[1].Rotation = 13 }, []string{"kgs", "GeoPackage"}},
		{"another date", func(s *kgfile.Snapshot) { s.Build.Stichtag = "2026-04-01" }, []string{"kgs", "GeoParquet"}},
		{"another metric of the KG", func(s *kgfile.Snapshot) { s.KG.AvgFAR += 0.5 }, []string{"kgs"}},
	} {
		s := sample()
		c.change(s)
		var got []string
		if err := Parity(s, f); err != nil {
			for _, line := range strings.Split(err.Error(), "\n") {
				form, _, _ := strings.Cut(strings.TrimPrefix(line, "KG 99901: "), " differs")
				got = append(got, form)
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %v differ, want %v", c.name, got, c.want)
		}
	}
}

func TestParityOfForeignBytes(t *testing.T) {
	junk := []byte("no such file")
	err := Parity(sample(), Files{KGS: junk, GeoParquet: junk, GeoJSON: junk, GeoPackage: junk, PMTiles: junk})
	if err == nil || strings.Count(err.Error(), "differs from the snapshot") != 5 {
		t.Errorf("five foreign files give %v", err)
	}
}

func FuzzReadJSON(f *testing.F) {
	f.Add([]byte(`{"a":[1,-2.5e3,"x\u00e4\n",null,true],"b":{"c":{}}}`))
	f.Add([]byte(`[[[15.6000000,48.4]]]`))
	f.Fuzz(func(t *testing.T, b []byte) {
		r := jsonReader{b: b}
		r.skip(0)
		r = jsonReader{b: b}
		r.degrees()
		c := geoJSONCheck{s: sample(), r: jsonReader{b: b}}
		c.polygon()
	})
}

func FuzzReadWKB(f *testing.F) {
	s := sample()
	for i := range s.Parcels {
		f.Add(wkbOf(s.Parcels[i].Geometry))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		var r wkbReader
		r.readPoint(b)
		m, err := r.readArea(b)
		if err == nil && m.Vertices() > len(b)/16 {
			t.Fatalf("%d vertices from %d bytes", m.Vertices(), len(b))
		}
	})
}
