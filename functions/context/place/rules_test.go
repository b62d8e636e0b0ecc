package place

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	artefact "mappe/artefacts/proximity"
	"mappe/artefacts/register"
	"mappe/functions/core/overlayindex"
	"mappe/functions/core/proximity"
	"mappe/functions/fixture"
	"mappe/shared/austria"
	"mappe/shared/cloud/store/mem"
	"mappe/shared/geo/geom"
	"mappe/shared/landprice"
	"mappe/shared/web/reply"
)

func ptr[T any](v T) *T { return &v }

// What a point of a batch may be, at each bound and beside it.
func TestPointsAtTheirBounds(t *testing.T) {
	at := func(lon, lat float64) pointIn { return pointIn{Lon: &lon, Lat: &lat} }
	with := func(edit func(*pointIn)) pointIn { p := at(15, 48); edit(&p); return p }
	area := func(v float64) pointIn { return with(func(p *pointIn) { p.Area = &v }) }
	id := func(text string) pointIn { return with(func(p *pointIn) { p.ID = json.RawMessage(text) }) }
	for _, c := range []struct {
		name string
		in   pointIn
		id   string // read; "" and bad: refused
		bad  string // member that the error names
	}{
		{"without an id its number", at(15, 48), "4", ""},
		{"the edges of the world", at(-180, -90), "4", ""},
		{"the other edges", at(180, 90), "4", ""},
		{"west of it", at(-180.1, 48), "", "points[4]"},
		{"north of it", at(15, 90.1), "", "points[4]"},
		{"no number", at(math.NaN(), 48), "", "points[4]"},
		{"no number north", at(15, math.NaN()), "", "points[4]"},
		{"no longitude", pointIn{Lat: ptr(48.0)}, "", "points[4]"},
		{"no latitude", pointIn{Lon: ptr(15.0)}, "", "points[4]"},
		{"swapped", at(48, 15), "", "points[4].lon"},
		{"the least area", area(0.01), "4", ""},
		{"less", area(0.0099), "", "points[4].area_sqm"},
		{"the greatest area", area(1e9), "4", ""},
		{"more", area(1e9 + 1), "", "points[4].area_sqm"},
		{"an area that is no number", area(math.NaN()), "", "points[4].area_sqm"},
		{"a text", id(`"a b"`), "a b", ""},
		{"a number", id(`7`), "7", ""},
		{"the least digit", id(`0`), "0", ""},
		{"the greatest digit", id(`9.5`), "9.5", ""},
		{"less than nothing", id(`-1`), "-1", ""},
		{"neither", id(`true`), "", "points[4].id"},
		{"none", id(`null`), "4", ""},
		{"a long one", id(`"` + strings.Repeat("x", 200) + `"`), strings.Repeat("x", 200), ""},
		{"too long", id(`"` + strings.Repeat("x", 201) + `"`), "", "points[4].id"},
		{"a KG", with(func(p *pointIn) { p.KG = "804" }), "4", ""},
		{"no KG", with(func(p *pointIn) { p.KG = "804a" }), "", "points[4].kg"},
	} {
		out, err := c.in.read(4)
		if (err == nil) != (c.bad == "") || err == nil && (out.id != c.id || out.at.Lon() != *c.in.Lon || out.at.Lat() != *c.in.Lat) {
			t.Errorf("%s: got %+v, %v", c.name, out, err)
		}
		if err != nil && !strings.Contains(err.Error(), c.bad+" ") && !strings.Contains(fmt.Sprintf("%+v", err), c.bad) {
			t.Errorf("%s: want %s named, got %v", c.name, c.bad, err)
		}
	}
	both := area(5)
	both.KG = "804"
	if p, err := both.read(0); err != nil || p.area != 5 || p.kg != "00804" {
		t.Errorf("area and KG: %+v, %v", p, err)
	}
}

// A table may leave out the columns that are not needed, and cells of those that it has.
func TestTablesOfPoints(t *testing.T) {
	for _, c := range []struct {
		table string
		want  []batchPoint
	}{
		{"lat,lon\n48,15\n", []batchPoint{{id: "0", at: geom.Point{X: 150_000_000, Y: 480_000_000}}}},
		{"lon;lat;kg;area_sqm;id\n15;48;804;12,5;x\n15;48;;;\n", []batchPoint{
			{id: "x", at: geom.Point{X: 150_000_000, Y: 480_000_000}, area: 12.5, kg: "00804"}, {id: "", at: geom.Point{X: 150_000_000,
				Y: 480_000_000}}}},
	} {
		got, err := readPoints([]byte(c.table))
		if err != nil || !reflect.DeepEqual(got, c.want) {
			t.Errorf("%q: want %+v, got %+v, %v", c.table, c.want, got, err)
		}
	}
	for table, n := range map[string]int{"lon,lat\n" + strings.Repeat("15,48\n", 1000): 1000, "lon,lat\n15,48\n": 1} {
		if got, err := readPoints([]byte(table)); err != nil || len(got) != n {
			t.Errorf("want %d points, got %d, %v", n, len(got), err)
		}
	}
	for _, table := range []string{"lon,id\n15,a\n", "id,lat\na,48\n", "lon,lat\n", "lon,lat\n15,\n"} {
		if got, err := readPoints([]byte(table)); err == nil {
			t.Errorf("%q was read as %+v", table, got)
		}
	}
}

// A cell of a table is quoted where it has to be; a text that a spreadsheet would compute is told from a number.
func TestCSVCells(t *testing.T) {
	for in, want := range map[string]string{"": "", "a": "a", "a,b": `"a,b"`, `a"b`: `"a""b"`, "a\nb": "\"a\nb\"", "a\rb": "\"a\rb\"",
		"-5": "-5", "+5.5": "+5.5", "-x": "'-x", "=1+1": "'=1+1",
		"@a": "'@a", "=a,b": `"'=a,b"`, "5=": "5="} {
		if got := csvCell(in); got != want {
			t.Errorf("%q: want %q, got %q", in, want, got)
		}
	}
}

// Members of a block become columns: lists are counted and named, numbers of a list stand in one column.
func TestFlatten(t *testing.T) {
	row := map[string]string{}
	flatten("b", map[string]any{"n": json.Number("1.50"), "s": "text", "yes": true, "no": false, "none": nil,
		"numbers": []any{json.Number("1"), json.Number("2.5")}, "empty": []any{}, "mixed": []any{json.Number("1"), "a"},
		"named": []any{map[string]any{"name": "A"}, map[string]any{"sitename": "B", "name": "C"}, map[string]any{"law": "D"},
			map[string]any{"x": "E"}},
		"deep": map[string]any{"er": "1"}}, row, map[string]bool{"b.empty.names": true, "b.mixed.names": true, "b.named.names": true})
	want := map[string]string{"b.n": "1.50", "b.s": "text", "b.yes": "true", "b.no": "false", "b.none": "", "b.numbers": "1 2.5",
		"b.empty": "0", "b.empty.names": "",
		"b.mixed": "2", "b.mixed.names": "a", "b.named": "4", "b.named.names": "A; B; D", "b.deep.er": "1"}
	if !reflect.DeepEqual(row, want) {
		t.Errorf("want %v, got %v", want, row)
	}
}

// Of several datasets the share-alike one's licence holds; each of them is named once.
func TestStrictest(t *testing.T) {
	by := func(a string) reply.Notice {
		return reply.Notice{License: ccBy, LicenseURL: ccByURL, Dataset: "d", Attribution: a}
	}
	alike := reply.Notice{License: "ODbL 1.0", LicenseURL: "https://odbl", Dataset: "map", Attribution: "mappers"}
	if strictest(nil) != nil {
		t.Error("of none the service's holds")
	}
	for _, c := range []struct {
		list        []reply.Notice
		license, of string
	}{
		{[]reply.Notice{by("a")}, ccBy, "a"},
		{[]reply.Notice{by("a"), by("b"), by("a"), by("")}, ccBy, "a; b"},
		{[]reply.Notice{by("a"), alike, by("b")}, "ODbL 1.0", "a; mappers; b"},
		{[]reply.Notice{alike, by("b")}, "ODbL 1.0", "mappers; b"},
		{[]reply.Notice{alike, {License: "CC BY-SA 4.0", LicenseURL: "https://sa", Attribution: "others"}}, "ODbL 1.0", "mappers; others"},
	} {
		if n := strictest(c.list); n.License != c.license || n.Attribution != c.of || n.Dataset != "Place context" ||
			(n.LicenseURL == ccByURL) != (c.license == ccBy) {
			t.Errorf("want %s of %s, got %+v", c.license, c.of, n)
		}
	}
}

// Distances are in steps of 0.1 m; what was not found has neither distance nor name, and whether the road is on the parcel is
// said only of a parcel.
func TestOSMBlock(t *testing.T) {
	n := artefact.None
	s := &proximity.Surroundings{Road: n(), MajorRoad: n(), Rail: n(), Water: n(), Stop: n(), Station: n(), Settlement: n()}
	none := osmBlockOf(s, 0)
	if none.Road != nil || none.RoadClass != nil || none.OnParcel != nil {
		t.Errorf("nothing around: %+v", none)
	}
	s.Road = artefact.Hit{Metres: 12.34, Name: "Dorfstraße", Class: artefact.AllClasses()[0]}
	b := osmBlockOf(s, math.Pi*12.3*12.3)
	if *b.Road != 12.3 || *b.RoadName != "Dorfstraße" || *b.RoadClass != artefact.AllClasses()[0].String() || b.MajorRef != nil ||
		b.OnParcel == nil || *b.OnParcel {
		t.Errorf("a road beside the circle: %+v", b)
	}
	if b = osmBlockOf(s, math.Pi*12.4*12.4); !*b.OnParcel {
		t.Error("the circle reaches the road")
	}
	if got := fmt.Sprint(tenth(0.04), tenth(0.05), tenth(12.34), tenth(12.36), *cents(0.004), *cents(0.006), *cents(1.999),
		*known(1.23456), known(math.NaN()) == nil, known(math.Inf(-1)) == nil); got != "0 0.1 12.3 12.4 0 0.01 2 1.2346 true true" {
		t.Errorf("rounded: %s", got)
	}
}

// The municipality of a point: by the true outlines where there are any, else by those of the register; Vienna's districts are
// one municipality of the registers.
func TestMunicipalityOfAPoint(t *testing.T) {
	for code, want := range map[austria.GemeindeCode]austria.GemeindeCode{"90101": "90001", "92301": "90001", "90001": "90001",
		"38801": "38801", "80901": "80901"} {
		if got := registered(code); got != want {
			t.Errorf("%s: want %s, got %s", code, want, got)
		}
	}
	bare := mem.New()
	if err := fixture.Publish(bare, fixture.Snapshots()); err != nil {
		t.Fatal(err)
	}
	// a register that has no outlines of municipalities does not know what lies outside
	q := &question{v: viewOf(t, bare), at: fixture.At(1, 1)}
	if g, known, err := gemeindeAt(t.Context(), q.v, overlayindex.Of(q.v.View), q.at); g != nil || known || err != nil {
		t.Errorf("without outlines: %+v, %v, %v", g, known, err)
	}
	// one that has them, of a generation without true outlines, knows what lies in them and what lies outside
	listed := mem.New()
	if err := fixture.PublishWith(listed, fixture.Snapshots(), func(c *register.Contents) {
		c.Municipalities = []register.Municipality{{Code: "38801", Name: "Westgemeinde", DistrictCode: "388", DistrictName: "Bezirk 388",
			Outline: geom.MultiPolygon{{fixture.Rect(0, 0, 8, 4)}}}}
	}); err != nil {
		t.Fatal(err)
	}
	q = &question{v: viewOf(t, listed)}
	for x, want := range map[float64]austria.GemeindeCode{1: "38801", 15: ""} {
		g, known, err := gemeindeAt(t.Context(), q.v, overlayindex.Of(q.v.View), fixture.At(x, 1))
		if err != nil || !known || (g == nil) != (want == "") || g != nil && (g.Code != want || g.DistrictName != "Bezirk 388") {
			t.Errorf("by the register at %v: %+v, %v, %v", x, g, known, err)
		}
	}
	full := viewOf(t, world(t))
	for _, c := range []struct {
		x, y float64
		want austria.GemeindeCode
	}{{1, 1, "38801"}, {1, -1, "38802"}, {15, 15, ""}} {
		g, known, err := gemeindeAt(t.Context(), full, overlayindex.Of(full.View), fixture.At(c.x, c.y))
		if err != nil || !known || (g == nil) != (c.want == "") || g != nil && (g.Code != c.want || g.Name == "" ||
			g.DistrictCode != c.want.District()) {
			t.Errorf("%v %v: want %s, got %+v, %v, %v", c.x, c.y, c.want, g, known, err)
		}
	}
}

// The sibling is asked once an hour and beside the requests; its last answer is shown with its age while it gives none.
func TestPeer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		asked := 0
		var fails error
		p := newPeer("sibling", func(context.Context) (PeerList, error) {
			asked++
			time.Sleep(time.Second)
			return PeerList{Count: 7850, Hash: "abc"}, fails
		}, time.Now)
		if c := p.check("abc"); c.Agree != nil || c.header() != "unknown" || c.Reason == "" || *c.Service != "sibling" {
			t.Errorf("before the first answer: %+v", c)
		}
		p.check("abc") // one is on its way
		time.Sleep(2 * time.Second)
		first := time.Now().Add(-time.Second).UTC().Format(time.RFC3339)
		if c := p.check("abc"); c.header() != "true" || *c.PeerCount != 7850 || *c.PeerHash != "abc" || *c.CheckedAt != first ||
			c.Reason != "" || asked != 1 {
			t.Errorf("after it: %+v, asked %d times", c, asked)
		}
		if c := p.check("other"); c.header() != "false" {
			t.Errorf("another hash: %+v", c)
		}
		fails = errors.New("no answer")
		time.Sleep(peerEvery - 2*time.Second - time.Nanosecond)
		if p.check("abc"); asked != 1 {
			t.Error("it was asked before an hour was over")
		}
		time.Sleep(time.Nanosecond)
		p.check("abc")
		time.Sleep(2 * time.Second)
		if c := p.check("abc"); asked != 2 || c.header() != "true" || *c.CheckedAt != first || c.Reason == "" {
			t.Errorf("it gives no answer: %+v, asked %d times", c, asked)
		}
		fails = nil
		time.Sleep(peerEvery)
		p.check("abc")
		time.Sleep(2 * time.Second)
		if c := p.check("abc"); asked != 3 || c.Reason != "" || *c.CheckedAt == first {
			t.Errorf("it answers again: %+v", c)
		}
	})
	if c := newPeer("", nil, time.Now).check("abc"); c.Reason == "" || c.Service != nil || c.header() != "unknown" {
		t.Errorf("without a sibling: %+v", c)
	}
}

// What is asked of a point decides which blocks it gets and why one is missing.
func TestWhyABlockIsMissing(t *testing.T) {
	whole, bare := over(t, world(t)), over(t, fixture.Store(t))
	for _, c := range []struct {
		name   string
		target string
		block  string
		want   string // part of the reason; "" for no reason
		there  bool
	}{
		{"no area", at(1, 1), "land_price", "area_sqm is not given", false},
		{"an area", at(1, 1) + "&area_sqm=800", "land_price", "", true},
		{"no KG, not asked for", at(1, 1), "legal", "", false},
		{"no KG, asked for", at(1, 1) + "&include=legal", "legal", "kg is not given", false},
		{"a KG", at(1, 1) + "&kg=88801", "legal", "", true},
		{"an unknown KG", at(1, 1) + "&kg=77777", "legal", "there is no KG 77777", false},
		{"not included", at(1, 1) + "&include=osm", "natura2000", "", false},
		{"outside", at(15, 15), "osm", outsideAustria, false},
		{"outside, not included", at(15, 15) + "&include=osm", "natura2000", "", false},
	} {
		d := ask(t, whole, "context?"+c.target, 200)["data"]
		reason, _ := dig(d, "missing."+c.block).(string)
		if (dig(d, c.block) != nil) != c.there || (reason == "") != (c.want == "") || !strings.Contains(reason, c.want) {
			t.Errorf("%s: %q, %v", c.name, reason, dig(d, c.block))
		}
	}
	d := ask(t, bare, "context?"+at(1, 1)+"&area_sqm=800&kg=88801", 200)["data"]
	for _, block := range []string{"municipality", "land_price", "natura2000", "protected_area", "osm", "toponyms", "legal"} {
		if reason, _ := dig(d, "missing."+block).(string); reason != notPublished {
			t.Errorf("%s of a generation without it: %q", block, reason)
		}
	}
	if got := dig(d, "sources"); got == nil {
		t.Error("sources are a list, though empty")
	}
}

// A published price says on what it rests; an area without a series has no price.
func TestPublishedAt(t *testing.T) {
	if publishedAt(landprice.Baseline{}, landprice.BuildingLand, 2024) != nil {
		t.Error("a price that is not known was given")
	}
}
