package spatial

import (
	"context"
	"errors"
	"fmt"
	"math"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"mappe/artefacts/library/mosaic"
	"mappe/artefacts/proximity"
	"mappe/artefacts/rasters"
	"mappe/functions/fixture"
	"mappe/shared/book/sheet"
	"mappe/shared/cloud/store"
	"mappe/shared/cloud/store/mem"
	"mappe/shared/geo/crs"
	"mappe/shared/geo/geom"
	"mappe/shared/geo/onplane"
	"mappe/shared/geo/raster"
	"mappe/shared/landprice"
	"mappe/shared/web/htmlpage"
)

// sheetWorld answers over the made-up country with what lies over it and its prices.
func sheetWorld(t testing.TB) http.Handler {
	t.Helper()
	return fixture.Handler(t, New(Deps{Library: fixture.Library(t, sheetStore(t))}))
}

// sheetStore is the store of that world.
func sheetStore(t testing.TB) *mem.Store {
	t.Helper()
	s := mem.New()
	if err := fixture.PublishOver(s, nil); err != nil {
		t.Fatal(err)
	}
	if err := fixture.AddPrices(s, fixture.Snapshots(), fixture.PriceRows()); err != nil {
		t.Fatal(err)
	}
	return s
}

// TestSheet: what the page says in both languages, its policy, and what it refuses.
func TestSheet(t *testing.T) {
	h := sheetWorld(t)
	for target, wants := range map[string][]string{
		"/api/v1/parcels/88801-2/sheet": {`<html lang="de">`, "Grundstück 2", "KG 88801 Westdorf", "8.002\u00a0m²", "Moorverordnung",
			"Maßstab 1:", "Geschätzter Preis", "Klasse, Preisjahr",
			"Ackerland", "6,00\u00a0€", `<path class="own"`, `<path class="other"`, "/api/v1/parcels/88801-2/sheet?lang=de", "CC BY 4.0",
			"made-up prices"},
		"/api/v1/parcels/88801-2/sheet?lang=en&year=2024": {`<html lang="en">`, "Parcel 2", "8,002\u00a0m²", "Scale 1:", "arable land",
			"sheet?lang=en&amp;year=2024"},
		"/api/v1/parcels/88801-.6%2F1/sheet": {"Grundstück .6/1", "im Grenzkataster", "88801-.6%2F1/sheet"},
	} {
		w := fixture.Ask(h, "GET", target, "")
		page := w.Body.String()
		if w.Code != http.StatusOK || w.Header().Get("Content-Type") != htmlpage.ContentType {
			t.Fatalf("%s: %d %.300s", target, w.Code, page)
		}
		for _, want := range wants {
			if !strings.Contains(page, want) {
				t.Errorf("%s lacks %q", target, want)
			}
		}
		csp := w.Header().Get("Content-Security-Policy")
		if !strings.Contains(csp, htmlpage.Hash(htmlpage.StyleOf(page))) || strings.Contains(csp, "script-src") ||
			strings.Contains(page, "<script") || strings.Contains(page, " style=") {
			t.Errorf("%s: the policy %s", target, csp)
		}
	}
	for target, status := range map[string]int{"/api/v1/parcels/88801-777/sheet": 404, "/api/v1/parcels/x/sheet": 400,
		"/api/v1/parcels/88801-2/sheet?lang=fr": 400} {
		if w := fixture.Ask(h, "GET", target, ""); w.Code != status {
			t.Errorf("%s: want %d, got %d %.200s", target, status, w.Code, w.Body)
		}
	}
}

// TestPlanIsToScale: a metre on the ground is as long on the plan as the scale says.
func TestPlanIsToScale(t *testing.T) {
	shape := fixture.Snapshots()[1].Parcels[0].Geometry
	d := &planner{}
	d.plane = planeOf(shape)
	scale := d.fit(shape)
	minX, maxX := math.Inf(1), math.Inf(-1)
	for _, c := range shape[0][0] {
		p := d.at(c)
		minX, maxX = min(minX, p.X), max(maxX, p.X)
		if p.X < 0 || p.X > planWidth || p.Y < 0 || p.Y > planHeight {
			t.Errorf("%v lies outside of the plan", c)
		}
	}
	b := shape.Bounds()
	x0, _ := d.plane.Project(b.Center())
	b2 := b.Center()
	b2.X = b.MaxX
	x1, _ := d.plane.Project(b2)
	if want := 2 * (x1 - x0) * 1000 / float64(scale); math.Abs(maxX-minX-want) > 0.1 {
		t.Errorf("1:%d: %.2f mm, want %.2f", scale, maxX-minX, want)
	}
}

func TestNumbersByLanguage(t *testing.T) {
	for _, tt := range []struct {
		v        float64
		decimals int
		unit     string
		de, en   string
	}{
		{1234567.891, 2, "€", "1.234.567,89\u00a0€", "1,234,567.89\u00a0€"}, {-1000, 0, "", "−1.000", "−1,000"},
		{-0.001, 2, "", "0,00", "0.00"},
		{999.5, 1, "m²", "999,5\u00a0m²", "999.5\u00a0m²"}, {math.NaN(), 0, "m", "–", "–"},
	} {
		if de, en := german.figure(tt.v, tt.decimals, tt.unit), english.figure(tt.v, tt.decimals, tt.unit); de != tt.de || en != tt.en {
			t.Errorf("%v: want %s and %s, got %s and %s", tt.v, tt.de, tt.en, de, en)
		}
	}
	if got := german.date("2026-04-01"); got != "1.\u00a04.\u00a02026" {
		t.Errorf("the date %q", got)
	}
}

// raised are height models of the world: ground that rises to the east by a metre in ten from 500 m, and a block of 12 m on the
// eastern half of Westdorf 1. The later scan ends in the middle of the parcel.
func raised(t testing.TB, s *mem.Store) {
	t.Helper()
	west, south := fixture.Plane(-1, -1)
	east, north := fixture.Plane(5, 5)
	box := raster.Box{West: west, South: south, East: east, North: north}.Aligned(1)
	middle, _ := fixture.Plane(0.5, 0.5)
	ground := func(x, _ float64) float64 { return 500 + (x-west)/10 }
	surface := func(x, y float64) float64 {
		if x > middle {
			return ground(x, y) + 12
		}
		return ground(x, y)
	}
	half := func(x, y float64) float64 {
		if x > middle {
			return math.NaN()
		}
		return 900
	}
	if err := fixture.AddRasters(s, fixture.Raster{Layer: rasters.DTM, Date: "2022-09-15", Box: box, Height: ground},
		fixture.Raster{Layer: rasters.DSM, Date: "2022-09-15", Box: box, Height: surface},
		fixture.Raster{Layer: rasters.DTM, Date: "2024-09-15", Box: box, Height: half}); err != nil {
		t.Fatal(err)
	}
}

// TestSheetHeights: the heights of the newest scan that covers the parcel, a profile along its longer axis; a generation without
// rasters says so in one line.
func TestSheetHeights(t *testing.T) {
	s := mem.New()
	if err := fixture.PublishOver(s, nil); err != nil {
		t.Fatal(err)
	}
	ask := func(target string) string {
		h := fixture.Handler(t, New(Deps{Library: fixture.Library(t, s)}))
		w := fixture.Ask(h, "GET", "/api/v1/parcels/"+target, "")
		if w.Code != http.StatusOK {
			t.Fatalf("%s: %d %.300s", target, w.Code, w.Body)
		}
		return w.Body.String()
	}
	if page := ask("88801-1/sheet"); !strings.Contains(page, "keine Höhenmodelle") || strings.Contains(page, "profile") &&
		strings.Contains(page, `class="profile"`) {
		t.Error("without rasters: no line, or a profile")
	}
	raised(t, s)
	page := ask("88801-1/sheet?lang=en")
	for _, want := range []string{"Laser scan 2022-09-15", fixture.RasterAttribution,
		"highest point above the ground (tree, building) 12.0", `<path class="axis"`, `<svg class="profile"`} {
		if !strings.Contains(page, want) {
			t.Errorf("the sheet lacks %q", want)
		}
	}
	// Of the parcel's width of 74.6 m, and of its tilt in the plane by 3.7 degrees over 111 m, the ground rises a tenth.
	m := regexp.MustCompile(`Ground ([\d.]+) – ([\d.]+)`).FindStringSubmatch(page)
	if m == nil {
		t.Fatalf("no heights in %.400s", page[strings.Index(page, "Heights"):])
	}
	low, _ := strconv.ParseFloat(m[1], 64)
	high, _ := strconv.ParseFloat(m[2], 64)
	x0, _ := fixture.Plane(-1, -1)
	x1, _ := fixture.Plane(0, 0)
	if want := 500 + (x1-x0)/10; math.Abs(low-want) > 1 || math.Abs(high-low-8.1) > 0.3 {
		t.Errorf("%v to %v, want from %.1f on, 8.1 m", low, high, want)
	}
}

// TestSheetHeightsOfOtherPlaces: scans of other places, however many and however new, take no place among those that are looked at.
func TestSheetHeightsOfOtherPlaces(t *testing.T) {
	s := mem.New()
	if err := fixture.PublishOver(s, nil); err != nil {
		t.Fatal(err)
	}
	raised(t, s)
	west, south := fixture.Plane(0, 0)
	away := raster.Box{West: west + 60_000, South: south, East: west + 60_050, North: south + 50}.Aligned(1)
	for i := range 2 * reliefDates {
		if err := fixture.AddRasters(s, fixture.Raster{Layer: rasters.DTM, Date: fmt.Sprintf("2025-09-%02d", i+1), Box: away,
			Height: func(float64, float64) float64 { return 300 }}); err != nil {
			t.Fatal(err)
		}
	}
	h := fixture.Handler(t, New(Deps{Library: fixture.Library(t, s)}))
	if page := fixture.Ask(h, "GET", "/api/v1/parcels/88801-1/sheet?lang=en", "").Body.String(); !strings.Contains(page,
		"Laser scan 2022-09-15") {
		t.Error("the scan of the place is not found behind newer ones of others")
	}
}

// unreadable is a store that cannot be read where keys contain a word.
type unreadable struct {
	store.Store
	word string
}

func (u *unreadable) Get(ctx context.Context, key string, opt store.GetOptions) (*store.Object, error) {
	if u.word != "" && strings.Contains(key, u.word) {
		return nil, errors.New("the disk does not answer")
	}
	return u.Store.Get(ctx, key, opt)
}

// TestSheetOfWhatCannotBeRead: what is published and cannot be read now is not told as absent, and the page is not kept.
func TestSheetOfWhatCannotBeRead(t *testing.T) {
	s := mem.New()
	if err := fixture.PublishOver(s, nil); err != nil {
		t.Fatal(err)
	}
	if err := fixture.AddPrices(s, fixture.Snapshots(), fixture.PriceRows()); err != nil {
		t.Fatal(err)
	}
	raised(t, s)
	for word, c := range map[string]struct{ has, lacks string }{
		"/dtm/":    {"The height models cannot be read", "No height models are published"},
		"rasters-": {"The height models cannot be read", "No height models are published"},
		"/dsm/":    {"Laser scan 2022-09-15", "highest point above"},
		"prices/":  {"The prices cannot be read", "No prices are published"},
	} {
		u := &unreadable{s, word}
		h := fixture.Handler(t, New(Deps{Library: fixture.Library(t, u)}))
		w := fixture.Ask(h, "GET", "/api/v1/parcels/88801-1/sheet?lang=en", "")
		page := w.Body.String()
		if w.Code != http.StatusOK || !strings.Contains(page, c.has) || strings.Contains(page, c.lacks) {
			t.Errorf("%s: %d, want %q and not %q", word, w.Code, c.has, c.lacks)
		}
		if w.Header().Get("Cache-Control") != "no-store" || w.Header().Get("ETag") != "" {
			t.Errorf("%s: it may be kept: %v", word, w.Header())
		}
	}
}

// TestHeightsOfASliver: a parcel that holds the middle of no cell has the heights along its axis.
func TestHeightsOfASliver(t *testing.T) {
	s := mem.New()
	if err := fixture.PublishOver(s, nil); err != nil {
		t.Fatal(err)
	}
	raised(t, s)
	v, err := fixture.Library(t, s).View(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	m, err := mosaic.Open(t.Context(), v)
	if err != nil {
		t.Fatal(err)
	}
	x, y := fixture.Plane(0.2, 0.2)
	x, y = math.Floor(x)+0.1, math.Floor(y)+0.1 // a strip between the middles of cells
	var ring geom.Ring
	for _, c := range [][2]float64{{0, 0}, {5, 0}, {5, 0.3}, {0, 0.3}} {
		ring = append(ring, onplane.Degrees(raster.XY{X: x + c[0], Y: y + c[1]}))
	}
	r, err := reliefOf(t.Context(), m, m.Index.Find(rasters.DTM, "20220915"), geom.MultiPolygon{{ring}})
	if err != nil || r == nil {
		t.Fatalf("no heights: %v", err)
	}
	west, _ := fixture.Plane(-1, -1)
	if want := 500 + (x-math.Floor(west))/10; math.Abs(r.least-want) > 0.02 || math.Abs(r.most-want-0.5) > 0.02 || r.known != 1 ||
		math.Abs(r.mean-want-0.25) > 0.02 {
		t.Errorf("%.2f to %.2f m, mean %.2f, of %.2f; want %.2f to %.2f", r.least, r.most, r.mean, r.known, want, want+0.5)
	}
}

// TestProfileIsWhereTheAxisIs: the axis is as long as the longer side, and heights stand where they are drawn.
func TestProfileIsWhereTheAxisIs(t *testing.T) {
	shape := fixture.Snapshots()[1].Parcels[0].Geometry
	r := &relief{}
	ends := r.layAxis(shape)
	if long := shape.SmallestBox(crs.EqualArea).Long; math.Abs(r.length-long) > 0.1 ||
		math.Abs(math.Hypot(ends[1].X-ends[0].X, ends[1].Y-ends[0].Y)-long) > 0.1 {
		t.Errorf("an axis of %.2f m, want %.2f", r.length, long)
	}
	for i := range 5 {
		r.profile = append(r.profile, profilePlace{along: float64(i) * r.length / 4, ground: 100 + float64(i), surface: math.NaN(),
			inside: i > 0 && i < 4})
	}
	r.profile[2].ground = math.NaN()
	s := r.scale()
	if s.low != 100 || s.high != 104 || s.step != 1 || math.Abs(s.times-19.0/4*r.length/77) > 1e-9 {
		t.Errorf("%+v", s)
	}
	drawing, _ := r.draw(german)
	w := &sheetWriter{}
	w.drawing(&drawing)
	svg := w.String()
	for _, want := range []string{"M11 21.5L30.25 16.75M68.75 7.25L88 2.5", "M30.25 21.5L68.75 21.5", ">104<"} {
		if !strings.Contains(svg, want) {
			t.Errorf("no %q in %s", want, svg)
		}
	}
	for _, c := range []struct {
		x, y float64
		want string
	}{{1, 0, "W – O"}, {1, 1.5, "SW – NO"}, {1, -1.5, "NW – SO"}, {0, 1, "S – N"}} {
		a, b := fixture.At(0, 0), fixture.At(c.x, c.y/1.5)
		if got := bearingWord([2]geom.Point{a, b}).de; got != c.want {
			t.Errorf("%v, %v: %s, want %s", c.x, c.y, got, c.want)
		}
	}
}

// TestSheetWords: every class of the community map and every level of a price has its words.
func TestSheetWords(t *testing.T) {
	for _, c := range proximity.AllClasses() {
		if w := featureWords[c.String()]; w.de == "" || w.en == "" {
			t.Errorf("no words for the class %s", c)
		}
	}
	for level := range basisWords {
		e := &landprice.Estimate{Class: landprice.Built, AppliesFactors: true, Baseline: landprice.Baseline{Source: level}}
		if levelWords[level.String()].de == "" || basisWord(e, 0, german) == "" || basisWord(e, 0, german) == basisWord(e, 0, english) {
			t.Errorf("no German words for what %s rests on", level)
		}
	}
	for l, want := range map[language]string{german: "BEV, verändert; Copernicus, verändert", english: "BEV, modified; Copernicus, modified"} {
		if got := l.credit("BEV, modified; Copernicus, bearbeitet"); got != want {
			t.Errorf("want %q, got %q", want, got)
		}
	}
}

// TestProfileTellsGaps: where no heights are known the profile says so.
func TestProfileTellsGaps(t *testing.T) {
	r := &relief{length: 100, least: 1, most: 3, mean: 2, known: 0.6, above: math.NaN()}
	for i := range 11 {
		p := profilePlace{along: float64(i) * 10, ground: float64(i), surface: math.NaN(), inside: true}
		if i < 5 {
			p.ground = math.NaN()
		}
		r.profile = append(r.profile, p)
	}
	d := sheetData{relief: r}
	s := d.heights(german)
	said := slices.ContainsFunc(s.Figure.Drawing.Shapes, func(x sheet.Shape) bool { return x.Text == wordsNotKnown[0].de })
	if !said || !strings.HasSuffix(s.Figure.Caption, wordGap.de) {
		t.Errorf("nothing is said of the gap: %s", s.Figure.Caption)
	}
}

// TestSheetSurroundings: the nearest of the community map and the names with their distances, licences and the neighbours; what cannot be
// read is not told as absent, and the page is not kept.
func TestSheetSurroundings(t *testing.T) {
	s := sheetStore(t)
	if err := errors.Join(fixture.AddMap(s, fixture.Community()), fixture.AddNames(s, fixture.Toponyms())); err != nil {
		t.Fatal(err)
	}
	ask := func(store store.Store, lang string) (string, http.Header) {
		h := fixture.Handler(t, New(Deps{Library: fixture.Library(t, store)}))
		w := fixture.Ask(h, "GET", "/api/v1/parcels/88801-1/sheet?lang="+lang, "")
		if w.Code != http.StatusOK {
			t.Fatalf("%d %.300s", w.Code, w.Body)
		}
		return w.Body.String(), w.Header()
	}
	row := func(page, name string) string {
		_, rest, _ := strings.Cut(page, `<th scope="row">`+name+`</th><td>`)
		value, _, _ := strings.Cut(rest, "</td>")
		return value
	}
	page, _ := ask(s, "de")
	for name, want := range map[string]string{"Straße": `\d m \(`, "Gewässer": `\d m \(`, "Siedlung": `\d m \((Ort|Stadt|Weiler)`,
		"Namen bis 500 m": `\(.+, [\d.]+`, "Umgebung": `ODbL 1\.0`} {
		if got := strings.ReplaceAll(row(page, name), noBreak, " "); !regexp.MustCompile(want).MatchString(got) {
			t.Errorf("%s: %q, want %s", name, got, want)
		}
	}
	if want := "<tr><td>2</td><td>"; !strings.Contains(page, want) || !strings.Contains(page, "Angrenzende Grundstücke") {
		t.Errorf("no neighbour %s", want)
	}
	for _, word := range []string{"osm-nearest", "toponyms"} {
		page, header := ask(&unreadable{s, word}, "en")
		if !strings.Contains(page, wordAroundUnread.en) || header.Get("Cache-Control") != "no-store" {
			t.Errorf("%s: nothing is said, or it may be kept: %v", word, header)
		}
	}
}

// TestNumbersDoNotOverlap: a number that would lie over another is left out, that of the larger parcel and the parcel's own stay.
func TestNumbersDoNotOverlap(t *testing.T) {
	d := &planner{numbers: []planNumber{{sheet.XY{X: 52, Y: 30}, "197", 100}, {sheet.XY{X: 80, Y: 30}, "12", 50},
		{sheet.XY{X: 81, Y: 31}, "9/1", 900}, {sheet.XY{X: 0.5, Y: 30}, "3", 900}}}
	d.write(inkMine, sheet.XY{X: 50, Y: 30}, "7")
	d.writeNumbers()
	var got []string
	for _, s := range d.shapes {
		got = append(got, s.Text)
	}
	if want := []string{"7", "9/1"}; !slices.Equal(got, want) {
		t.Errorf("written are %v, want %v", got, want)
	}
}
