package overlays

import (
	"bytes"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"mappe/artefacts/sectionfile"
	"mappe/shared/geo/geom"
)

func square(x, y int32) geom.MultiPolygon {
	return geom.MultiPolygon{{{{X: x, Y: y}, {X: x + 100, Y: y}, {X: x + 100, Y: y + 100}, {X: x, Y: y + 100}}}}
}

func sample() *Source {
	s := &Source{
		Sites: []Site{{Code: "AT0000001", Name: "Auen", Type: Both, AreaHa: 12.34, Tags: 2, Features: 2,
			Geometry: square(130_000_000, 470_000_000)}},
		Areas: []Area{{Name: "Park", Desig: "Naturpark", DesigEng: "Nature Park", DesigType: "National", IUCN: "V",
			RepArea: math.NaN(), GISArea: 0.5, Realm: "Terrestrial", Geometry: square(130_000_100, 470_000_000)}},
		Municipalities: []Municipality{{Code: "50101", Name: "Salzburg", Geometry: square(130_000_200, 470_000_000)}},
		Laws: []Law{{Name: "Verordnung", Date: "2005-01-01", URL: "https://example.org", Number: "7", State: "Salzburg",
			Context: "nature_park"}},
		Refs: []KGRefs{{KG: "01004", Refs: []Ref{{GNR: "1/2", Partial: true}, {List: BoundaryWalk}}}},
	}
	s.Sites[0].Box, s.Areas[0].Box, s.Municipalities[0].Box = s.Sites[0].Geometry.Bounds(), s.Areas[0].Geometry.Bounds(),
		s.Municipalities[0].Geometry.Bounds()
	return s
}

func sampleKG() *KG {
	return &KG{Made: Fingerprint{1, 2}, Snapshot: [32]byte{3}, Parcels: 5,
		Sites: []Brief{{Code: "AT0000001", Name: "Auen", Type: Birds, AreaHa: 12.5, Inside: true, Parcels: 2},
			{Code: "AT0000002", Type: Habitats, AreaHa: 1}},
		In:   []Membership{{Row: 1, Site: 0}, {Row: 4, Site: 0}, {Row: 4, Site: 1}},
		Laws: []Law{{Name: "Verordnung", Context: "zoning"}},
		Refs: []Named{{Ref: Ref{GNR: "9"}, Row: -1}, {Ref: Ref{GNR: "2", Partial: true}, Row: 1},
			{Ref: Ref{GNR: "2", List: BoundaryWalk}, Row: 1}}}
}

func TestSourceRoundTrip(t *testing.T) {
	want := sample()
	file, err := sectionfile.EncodeFilled(SourceFamily, nil, want.Fill)
	if err != nil {
		t.Fatal(err)
	}
	f, err := sectionfile.Open(bytes.NewReader(file), int64(len(file)))
	if err != nil {
		t.Fatal(err)
	}
	read := func(name string) []byte {
		i, ok := f.Find(name)
		if !ok {
			t.Fatalf("no section %s", name)
		}
		at, n := f.Range(i)
		raw, err := f.Decode(i, file[at:at+n])
		if err != nil {
			t.Fatal(err)
		}
		return raw
	}
	sites, err1 := DecodeSites(read("sites"))
	areas, err2 := DecodeAreas(read("areas"))
	gems, err3 := DecodeMunicipalities(read("municipalities"))
	laws, err4 := DecodeLaws(read("laws"))
	refs, err5 := DecodeRefs(read("refs/01004"), 1)
	for _, err := range []error{err1, err2, err3, err4, err5} {
		if err != nil {
			t.Fatal(err)
		}
	}
	if !math.IsNaN(areas[0].RepArea) {
		t.Errorf("an area that is not stated: got %g", areas[0].RepArea)
	}
	areas[0].RepArea, want.Areas[0].RepArea = 0, 0
	for _, c := range []struct {
		layer Layer
		to    *geom.MultiPolygon
	}{{SiteShapes, &sites[0].Geometry}, {AreaShapes, &areas[0].Geometry}, {MunicipalityShapes, &gems[0].Geometry}} {
		s, _, err := DecodeShape(read(ShapeSection(c.layer, 0)))
		if err != nil {
			t.Fatal(err)
		}
		*c.to = s.Geometry
	}
	got := &Source{sites, areas, gems, laws, []KGRefs{{"01004", refs}}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("want %+v\ngot %+v", want, got)
	}
	if _, err := DecodeRefs(read("refs/01004"), 0); err == nil {
		t.Error("a reference to a law that is not there was read")
	}
}

func TestKGRoundTrip(t *testing.T) {
	want := sampleKG()
	b, err := want.Encode()
	if err != nil {
		t.Fatal(err)
	}
	got, _, err := DecodeKG(b)
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("want %+v\ngot %+v, %v", want, got, err)
	}
	if f, ok := Made(b); !ok || f != want.Made {
		t.Errorf("want the fingerprint %v, got %v", want.Made, f)
	}
	if n := len(got.SitesOf(4)) + 10*len(got.SitesOf(0)) + 100*len(got.RefsOf(1)); n != 202 {
		t.Errorf("want 2 sites of parcel 4, none of 0, 2 references of 1, got %d", n)
	}
	x := want.Index("01004")
	if x.Parcels != 2 || x.Overlap != 2 || len(x.Inside()) != 1 || x.RefCount != 3 || !x.Contexts.Has("zoning") {
		t.Errorf("index: got %+v", x)
	}
	body, err := EncodeIndex([]Index{{Code: "00001", RefCount: 1}, x})
	if err != nil {
		t.Fatal(err)
	}
	rows, err := DecodeIndex(body)
	if err != nil || len(rows) != 2 || len(rows[0].Sites) != 0 || !reflect.DeepEqual(rows[1], x) {
		t.Errorf("want %+v, got %+v, %v", x, rows, err)
	}
}

// A point on a border that shapes share lies in one of them.
func TestBordersAreHalfOpen(t *testing.T) {
	shapes := []*Shape{NewShape(square(0, 0)), NewShape(square(100, 0)), NewShape(square(0, 100)), NewShape(square(100, 100))}
	r := rand.New(rand.NewPCG(1, 2))
	for range 1000 {
		p := geom.Point{X: 100, Y: r.Int32N(199) + 1}
		if r.IntN(2) == 0 {
			p = geom.Point{X: p.Y, Y: 100}
		}
		n := 0
		for _, s := range shapes {
			if s.Contains(p) {
				n++
			}
		}
		if n != 1 {
			t.Fatalf("%v lies in %d shapes", p, n)
		}
	}
}

// Any bytes give an error or rows that can be asked.
func FuzzDecode(f *testing.F) {
	kg, err := sampleKG().Encode()
	if err != nil {
		f.Fatal(err)
	}
	list, err := sample().sections()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(kg)
	for _, s := range list {
		b, err := s.body()
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
	index, err := EncodeIndex([]Index{sampleKG().Index("01004")})
	if err != nil {
		f.Fatal(err)
	}
	f.Add(index)
	f.Fuzz(func(t *testing.T, b []byte) {
		if k, _, err := DecodeKG(b); err == nil {
			for row := range min(k.Parcels, 100) {
				for _, m := range k.SitesOf(row) {
					_ = k.Sites[m.Site]
				}
				for _, n := range k.RefsOf(row) {
					_ = k.Laws[n.Law]
				}
			}
			k.Index("01004")
		}
		if s, _, err := DecodeShape(b); err == nil {
			s.Contains(geom.Point{X: s.Box.MinX/2 + s.Box.MaxX/2, Y: s.Box.MinY/2 + s.Box.MaxY/2})
		}
		_, _ = DecodeSites(b)
		_, _ = DecodeAreas(b)
		_, _ = DecodeMunicipalities(b)
		_, _ = DecodeLaws(b)
		_, _ = DecodeRefs(b, 10)
		_, _ = DecodeIndex(b)
	})
}
