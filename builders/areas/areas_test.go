package areas

import (
	"bytes"
	"math"
	"os"
	"reflect"
	"testing"
	"testing/fstest"

	"mappe/artefacts/kgfile"
	"mappe/artefacts/manifest"
	"mappe/artefacts/pmt"
	"mappe/artefacts/register"
	"mappe/builders/source/outlines"
	"mappe/builders/stage"
	"mappe/infra/realdata"
	"mappe/shared/austria"
	"mappe/shared/cloud/store"
	"mappe/shared/cloud/store/mem"
	"mappe/shared/geo/crs"
	"mappe/shared/geo/geom"
	"mappe/shared/geo/mvt"
)

// The places of a grid of four columns and two rows: two municipalities, a district, a state and nothing to its right.
//
//	50101 50102 50201 60101
//	50103 50104 50202 60102
var grid = [2][4]austria.GemeindeCode{{"50101", "50102", "50201", "60101"}, {"50103", "50104", "50202", "60102"}}

const (
	west, north   = 132000000, 473000000
	width, height = 40000, 30000 // about 3.0 km and 3.3 km
)

// quad is the area of a place; its corners are moved by up to about 10 m, each for itself, so that neighbours share none.
func quad(col, row int32, shake func() int32) geom.MultiPolygon {
	x, y := west+col*width, north-row*height
	corner := func(x, y int32) geom.Point { return geom.Point{X: x + shake(), Y: y + shake()} }
	return geom.MultiPolygon{{{corner(x, y-height), corner(x+width, y-height), corner(x+width, y), corner(x, y)}}}
}

func country() *register.Contents {
	n := int32(0)
	shake := func() int32 { n = (n*31 + 17) % 157; return n - 78 }
	r := &register.Contents{Attribution: "© Amt"}
	for row := range grid {
		for col, code := range grid[row] {
			m := register.Municipality{Code: code, Name: "G" + string(code), Outline: quad(int32(col), int32(row), shake)}
			if code == "60102" { // drawn by its KGs alone
				kg := kgfile.KG{Code: "60001", GemeindeCode: code, GemeindeName: m.Name}
				r.KGs = append(r.KGs, register.KG{KG: kg, Outline: m.Outline})
				m.Outline = nil
			}
			r.Municipalities = append(r.Municipalities, m)
		}
	}
	return r
}

// lengths are the sums of borders by level, in metres.
func lengths(list []border) map[level]float64 {
	out := map[level]float64{}
	for _, b := range list {
		for i := 1; i < len(b.line); i++ {
			r := crs.RulerAt(b.line[i-1])
			out[b.level] += r.Distance(b.line[i])
		}
	}
	return out
}

func TestBordersHaveTheHighestLevelOfWhatTheyPart(t *testing.T) {
	list := areasOf(country())
	if len(list) != 8 {
		t.Fatalf("%d municipalities", len(list))
	}
	corner := crs.RulerAt(geom.Point{X: west, Y: north - height})
	w, h := corner.Distance(geom.Point{X: west + width, Y: north - height}), corner.Distance(geom.Point{X: west, Y: north})
	got := lengths(mustBorders(t, list))
	// Each border inside is seen from both sides, that of the country from one.
	want := map[level]float64{
		municipality: 2*4*w + 2*2*h,         // between the rows, and between the first two columns
		district:     2 * 2 * h,             // between the second column and the third
		state:        2*2*h + 2*(4*w) + 4*h, // between the third and the fourth, and around
	}
	for l, metres := range want {
		if math.Abs(got[l]-metres) > 0.02*metres {
			t.Errorf("%s: %.0f m, want %.0f", l, got[l], metres)
		}
	}
}

// Two outlines of one municipality that touch have no border between them, and an exclave has one all around.
func TestPiecesOfOneMunicipality(t *testing.T) {
	still := func() int32 { return 0 }
	pieces := append(quad(0, 0, still), quad(1, 0, still)...)
	pieces = append(pieces, quad(3, 0, still)...)
	got := lengths(mustBorders(t, []area{{"50101", "A", pieces}, {"50102", "B", quad(2, 0, still)}}))
	r := crs.RulerAt(geom.Point{X: west, Y: north})
	w, h := r.Distance(geom.Point{X: west + width, Y: north}), r.Distance(geom.Point{X: west, Y: north - height})
	if want := 2 * 2 * h; math.Abs(got[municipality]-want) > 0.02*want { // both sides of B, each seen from both
		t.Errorf("%.0f m inside, want %.0f", got[municipality], want)
	}
	if want := 8*w + 2*h; math.Abs(got[state]-want) > 0.02*want {
		t.Errorf("%.0f m around, want %.0f", got[state], want)
	}
}

// at are the values of an attribute at a zoom.
func at(t *testing.T, a *pmt.Archive, zoom uint8, key string) map[string]bool {
	t.Helper()
	out := map[string]bool{}
	for e, content := range a.All() {
		if content.Err != nil {
			t.Fatal(content.Err)
		}
		place, _ := pmt.Address(e.ID)
		tile, err := mvt.Decode(content.Bytes, mvt.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		for i := range tile.Layers {
			l := &tile.Layers[i]
			for f := range l.Features {
				if v, ok := l.Value(&l.Features[f], l.Key(key)); ok && place.Z == zoom {
					out[v.S] = true
				}
			}
		}
	}
	return out
}

func TestTilesOfAreas(t *testing.T) {
	st := mem.New()
	c := &stage.Country{Store: st, Register: country(), Workers: 2}
	o, err := Stage().Make(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	b, _, err := store.ReadAll(t.Context(), st, o.Key, 1<<24, store.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	a, err := pmt.Open(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		t.Fatal(err)
	}
	for z, want := range map[uint8]struct{ areas, levels int }{5: {8, 2}, 6: {8, 2}, 8: {8, 3}, 11: {8, 3}} {
		codes, levels := at(t, a, z, "gemeinde_code"), at(t, a, z, "level")
		if len(codes) != want.areas || len(levels) != want.levels {
			t.Errorf("zoom %d: municipalities %v, levels %v", z, codes, levels)
		}
	}
	// The same outlines are taken over, also of another date, and others are not.
	c.Live = manifest.Artefacts{Artefact: o}
	c.Register.Stichtag = "2026-10-01"
	if again, err := Stage().Make(t.Context(), c); err != nil || again != o {
		t.Errorf("%v, %v", again, err)
	}
	c.Register.Municipalities[0].Name = "Umbenannt"
	if other, err := Stage().Make(t.Context(), c); err != nil || other == o {
		t.Errorf("a municipality of another name: %v, %v", other, err)
	}
}

func TestACountryWithoutOutlinesHasNone(t *testing.T) {
	r := &register.Contents{Municipalities: []register.Municipality{{Code: "50101"}}}
	c := &stage.Country{Store: mem.New(), Register: r, Workers: 1}
	if o, err := Stage().Make(t.Context(), c); err != nil || o.Key != "" {
		t.Errorf("%v, %v", o, err)
	}
}

// The municipalities of the country, as the statistics office draws them for maps of small scale. The judge joins the outlines as they
// are, before they are simplified: the perimeters of states are the borders of states, those of districts hold them
// and their own. Vienna is there as a whole and as its districts, so that its border counts once more.
func TestBordersOfTheRealCountry(t *testing.T) {
	file, err := os.ReadFile(realdata.Path(t, "admin/at2021_gemeinden_999_geo.json"))
	if err != nil {
		t.Fatal(err)
	}
	_, drawn, _, err := outlines.Read(fstest.MapFS{"gemeinden.geojson": {Data: file}})
	if err != nil {
		t.Fatal(err)
	}
	r := &register.Contents{}
	states, districts := map[austria.StateCode][]geom.MultiPolygon{}, map[austria.DistrictCode][]geom.MultiPolygon{}
	for _, g := range drawn {
		outline := register.Simplify(g.Geometry, 5)
		r.Municipalities = append(r.Municipalities, register.Municipality{Code: g.Code, Name: g.Name, Outline: outline})
		states[g.Code.State()] = append(states[g.Code.State()], g.Geometry)
		districts[g.Code.District()] = append(districts[g.Code.District()], g.Geometry)
	}
	got := lengths(mustBorders(t, areasOf(r)))
	near := func(what string, got, want float64) {
		if math.Abs(got-want) > 0.02*want {
			t.Errorf("%s: %.0f km, want %.0f", what, got/1000, want/1000)
		}
	}
	near("states", got[state], perimeters(t, states))
	near("districts", got[state]+got[district], perimeters(t, districts))
	o, err := Stage().Make(t.Context(), &stage.Country{Store: mem.New(), Register: r, Workers: 2})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d municipalities, %d bytes of tiles: %v", len(r.Municipalities), o.Bytes, got)
}

func perimeters[K comparable](t *testing.T, of map[K][]geom.MultiPolygon) (metres float64) {
	t.Helper()
	for _, list := range of {
		whole, err := geom.Dissolve(list, 500) // 5 m: vertices of neighbours differ a little
		if err != nil {
			t.Fatal(err)
		}
		for _, part := range whole {
			for _, ring := range part {
				for i := range ring {
					r := crs.RulerAt(ring[i])
					metres += r.Distance(ring[(i+1)%len(ring)])
				}
			}
		}
	}
	return metres
}

func mustBorders(t *testing.T, list []area) []border {
	t.Helper()
	one, err := bordersOf(t.Context(), 1, list)
	if err != nil {
		t.Fatal(err)
	}
	if many, err := bordersOf(t.Context(), 8, list); err != nil || !reflect.DeepEqual(one, many) {
		t.Errorf("8 workers see other borders than one: %v", err)
	}
	return one
}
