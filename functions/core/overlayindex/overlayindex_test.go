package overlayindex

import (
	"fmt"
	"math"
	"testing"

	"mappe/artefacts/overlays"
	"mappe/artefacts/register"
	"mappe/functions/fixture"
	"mappe/shared/austria"
	"mappe/shared/cloud/store/mem"
	"mappe/shared/cloud/store/storetest"
	"mappe/shared/geo/geom"
)

func world(t testing.TB) *Overlays {
	t.Helper()
	s := mem.New()
	if err := fixture.PublishOver(s, func(*register.Contents) {}, "88803"); err != nil {
		t.Fatal(err)
	}
	v := fixture.View(t, s)
	return Of(v)
}

// passing lists the parcels of the KGs that the directory names, 16 at most of each.
func passing(t *testing.T, o *Overlays, f Filter) string {
	t.Helper()
	codes, all, err := o.KGs(t.Context(), f)
	if err != nil {
		t.Fatal(err)
	}
	if all {
		return "all"
	}
	out := ""
	for _, code := range codes {
		k, err := o.KG(t.Context(), code)
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for row := range k.Parcels {
			if f.Passes(k, row) {
				n++
			}
		}
		out += fmt.Sprintf("%s:%d ", code, n)
	}
	return out
}

func TestFilters(t *testing.T) {
	o := world(t)
	yes, no := true, false
	for _, c := range []struct {
		name string
		f    Filter
		want string
	}{
		{"nothing asked", Filter{}, "all"},
		{"in a site", Filter{Natura: &yes}, "88801:10 88802:1 "},
		{"in no site", Filter{Natura: &no}, "all"},
		{"named", Filter{LegalRefs: &yes}, "88801:2 88802:0 "},
		{"context", Filter{Context: "nature_protection"}, "88801:2 "},
		{"context of a boundary", Filter{Context: "admin_boundary"}, "88801:1 88802:0 "},
		{"site", Filter{Site: "AT0000002"}, "88801:1 88802:1 "},
		{"site that is near only", Filter{Site: "AT0000003"}, ""},
		{"birds: a site of both is one", Filter{Type: overlays.Birds}, "88801:10 88802:1 "},
		{"habitats", Filter{Type: overlays.Habitats}, "88801:9 "},
		{"both", Filter{Type: overlays.Both}, "88801:9 "},
		{"tag", Filter{Habitat: "forest"}, "88801:1 88802:1 "},
		{"tag and type of one site", Filter{Habitat: "forest", Type: overlays.Habitats}, ""},
		{"named and in a site", Filter{Natura: &yes, LegalRefs: &yes}, "88801:2 88802:0 "},
		{"named and in no site", Filter{Natura: &no, LegalRefs: &yes}, "88801:0 88802:0 "},
	} {
		if got := passing(t, o, c.f); got != c.want {
			t.Errorf("%s: want %q, got %q", c.name, c.want, got)
		}
	}
	if !(Filter{Natura: &no}).Passes(nil, 0) || (Filter{Natura: &yes}).Passes(nil, 0) {
		t.Error("a parcel of a KG over which nothing lies is in no site")
	}
}

// near are the KGs whose box comes near the areas.
func near(o *Overlays, s *Surroundings) string {
	var codes []austria.KGCode
	for _, k := range o.view.Register().KGs() {
		if s.Near(k.Box) {
			codes = append(codes, k.Code)
		}
	}
	return fmt.Sprint(codes)
}

func TestSurroundings(t *testing.T) {
	o := world(t)
	park, err := o.AreasNamed(t.Context(), "PARK")
	if err != nil || len(park) != 1 {
		t.Fatalf("want the park, got %v, %v", park, err)
	}
	s, err := o.Around(t.Context(), park, 60)
	if err != nil {
		t.Fatal(err)
	}
	if got := near(o, s); got != "[88801]" {
		t.Errorf("60 m around the park: want Westdorf alone, got %s", got)
	}
	far, err := o.Around(t.Context(), park, 100)
	if err != nil {
		t.Fatal(err)
	}
	if got := near(o, far); got != "[88801 88802]" {
		t.Errorf("100 m around the park, 75 m from Ostdorf: got %s", got)
	}
	for _, c := range []struct {
		name         string
		x, y         float64
		within, near bool
		metres       float64
	}{
		{"inside", 1.2, 1.2, true, false, 0},
		{"in the hole, half a cell from its border", 2, 2, false, true, 37.2},
		{"south of it", 2, 0.6, false, true, 44.5},
		{"too far", 2, 0.4, false, false, 0},
	} {
		got := s.Place(fixture.At(c.x, c.y))
		if got.Within != c.within || got.Near != c.near || math.Abs(got.Metres-c.metres) > 0.2 {
			t.Errorf("%s: got %+v", c.name, got)
		}
	}
}

// What holds a point is the same by the grid and by the shapes of the country, with fewer reads.
func TestHereByGridAndByShapes(t *testing.T) {
	s := mem.New()
	if err := fixture.PublishOver(s, func(*register.Contents) {}); err != nil {
		t.Fatal(err)
	}
	counted := &storetest.Counting{Store: s}
	open := func() *Overlays {
		v := fixture.View(t, counted)
		counted.Reset()
		return Of(v)
	}
	here := func(o *Overlays, p geom.Point) string {
		m, known, err := o.Here(p).Municipality(t.Context())
		if err != nil || !known {
			t.Fatal(known, err)
		}
		out := "none"
		if m != nil {
			out = string(m.Code) + " " + m.Name
		}
		sites, err := o.Here(p).Sites(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for _, x := range sites {
			out += fmt.Sprintf(" %+v", *x)
		}
		areas, err := o.Here(p).Areas(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for _, x := range areas {
			out += fmt.Sprintf(" %+v", *x)
		}
		for _, l := range []overlays.Layer{overlays.AreaShapes, overlays.MunicipalityShapes, overlays.SiteShapes} {
			rows, err := o.At(t.Context(), l, p)
			if err != nil {
				t.Fatal(err)
			}
			out += fmt.Sprint(rows)
		}
		return out
	}
	without := open()
	if err := fixture.AddGrid(s, fixture.Over()); err != nil {
		t.Fatal(err)
	}
	with := open()
	for y := -5.0; y < 6; y += 0.25 { // cells and borders alike
		for x := -1.0; x < 22; x += 0.25 {
			p := fixture.At(x, y)
			if want, got := here(without, p), here(with, p); got != want {
				t.Fatalf("%g %g:\nwant %s\ngot  %s", x, y, want, got)
			}
		}
	}
	fresh := open()
	if here(fresh, fixture.At(1.2, 1.2)); counted.Reads().Gets != 2 {
		t.Errorf("want the directory and one cell, got %+v", counted.Reads())
	}
}
