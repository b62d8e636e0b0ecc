package index

import (
	"bytes"
	"cmp"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"testing"

	"mappe/artefacts/landscape"
	"mappe/artefacts/library"
	"mappe/artefacts/sectionfile"
	"mappe/functions/fixture"
	"mappe/shared/austria"
)

// builtKGs are KGs with few buildings each, more KGs than a section of figures has. Every tenth has none.
func builtKGs(rng *rand.Rand, n int) (out []*landscape.KG) {
	for i := range n {
		k := &landscape.KG{Fingerprint: "made up"}
		k.Record = landscape.Empty(austria.KGCode(fmt.Sprintf("%05d", 10_000+7*i)))
		for j := range rng.IntN(5) * min(i%10, 1) {
			var b landscape.Building
			landscape.BuildingColumns.Clear(&b)
			b.ID = fmt.Sprintf("%s-F%d", k.KGCode, j)
			if b.FootprintSqm = float64(rng.IntN(4000)) / 10; rng.IntN(6) > 0 {
				b.MaxHeight, b.Stories = float32(rng.IntN(1500))/100, float32(rng.IntN(5))
				b.RoofType = landscape.RoofTypes[rng.IntN(2)]
			}
			k.Buildings = append(k.Buildings, b)
		}
		out = append(out, k)
	}
	return out
}

// builtWorld is the service over an index of such KGs; old: without the sections that an earlier program did not write.
func builtWorld(t *testing.T, kgs []*landscape.KG, old bool) http.Handler {
	t.Helper()
	x := landscape.NewIndexBuilder()
	for _, k := range kgs {
		if err := x.Add(k, "landscape/"+k.KGCode); err != nil {
			t.Fatal(err)
		}
	}
	body, err := x.Encode()
	if err != nil {
		t.Fatal(err)
	}
	if old {
		body = withoutSections(t, body, "figures-")
	}
	return servedIndex(t, body)
}

// servedIndex is the service over an index.
func servedIndex(t *testing.T, body []byte) http.Handler {
	t.Helper()
	s, err := fixture.World()
	if err != nil {
		t.Fatal(err)
	}
	if err := fixture.AddLandscapeIndex(s, body); err != nil {
		t.Fatal(err)
	}
	lib, err := library.Open(t.Context(), s, library.Options{})
	if err != nil {
		t.Fatal(err)
	}
	h, err := New(Deps{Library: lib}).Handler()
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// withoutSections is an index without the sections of some names.
func withoutSections(t *testing.T, index []byte, prefix string) []byte {
	t.Helper()
	left := 0
	out := rewritten(t, index, func(s sectionfile.Section) (sectionfile.Section, bool) {
		if strings.HasPrefix(s.Name, prefix) {
			left++
			return s, false
		}
		return s, true
	})
	if left == 0 {
		t.Fatalf("no section of the index begins with %s", prefix)
	}
	return out
}

// withSection is an index with another body of a section.
func withSection(t *testing.T, index []byte, name string, body []byte) []byte {
	t.Helper()
	return rewritten(t, index, func(s sectionfile.Section) (sectionfile.Section, bool) {
		if s.Name == name {
			s.Body = body
		}
		return s, true
	})
}

// sectionOf is the body of a section of an index.
func sectionOf(t *testing.T, index []byte, name string) (body []byte) {
	t.Helper()
	rewritten(t, index, func(s sectionfile.Section) (sectionfile.Section, bool) {
		if s.Name == name {
			body = s.Body
		}
		return s, true
	})
	if body == nil {
		t.Fatalf("the index has no section %s", name)
	}
	return body
}

// rewritten is an index with the sections that change gives.
func rewritten(t *testing.T, index []byte, change func(sectionfile.Section) (s sectionfile.Section, keep bool)) []byte {
	t.Helper()
	f, err := sectionfile.Open(bytes.NewReader(index), int64(len(index)))
	if err != nil {
		t.Fatal(err)
	}
	var kept []sectionfile.Section
	for i := range f.Len() {
		b, err := f.Section(i)
		if err != nil {
			t.Fatal(err)
		}
		if s, keep := change(sectionfile.Section{Name: f.Name(i), Body: b}); keep {
			kept = append(kept, s)
		}
	}
	out, err := sectionfile.Encode(landscape.IndexFamily, f.Head(), kept)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// builtFilter is a request and what it means, on the decimal numbers that answers write: nil is open.
type builtFilter struct {
	bounds [3][2]string // of height, storeys, area
	roof   string
}

func someFilter(rng *rand.Rand) (f builtFilter) {
	number := func(most, decimals int) string {
		return fmt.Sprintf("%.*f", decimals, float64(rng.IntN(most))/math.Pow10(decimals))
	}
	for i, c := range []struct{ most, decimals int }{{1500, 2}, {5, 0}, {4000, 1}} {
		for side := range 2 {
			if rng.IntN(3) == 0 {
				f.bounds[i][side] = number(c.most, c.decimals)
			}
		}
	}
	if rng.IntN(3) == 0 {
		f.roof = landscape.RoofTypes[rng.IntN(2)]
	}
	return f
}

func (f *builtFilter) query() string {
	q := ""
	for i, name := range []string{"height", "stories", "area"} {
		for side, word := range []string{"min_", "max_"} {
			if v := f.bounds[i][side]; v != "" {
				q += "&" + word + name + "=" + v
			}
		}
	}
	if f.roof != "" {
		q += "&roof_type=" + f.roof
	}
	return q
}

func (f *builtFilter) passes(b *landscape.Building) bool {
	if f.roof != "" && b.RoofType != f.roof {
		return false
	}
	written := [3]string{fmt.Sprintf("%.2f", b.MaxHeight), fmt.Sprintf("%.0f", b.Stories), fmt.Sprintf("%.1f", b.FootprintSqm)}
	for i, bound := range f.bounds {
		if bound == [2]string{} {
			continue
		}
		v, ok := new(big.Rat).SetString(written[i])
		if !ok { // NaN
			return false
		}
		if low, ok := new(big.Rat).SetString(bound[0]); ok && v.Cmp(low) < 0 {
			return false
		}
		if high, ok := new(big.Rat).SetString(bound[1]); ok && v.Cmp(high) > 0 {
			return false
		}
	}
	return true
}

// TestBuildingsOfTheCountry asks random ranges of many KGs, with bounds that are exactly what answers write of some building; what
// passes is decided on decimal numbers. An index without figures answers the same.
func TestBuildingsOfTheCountry(t *testing.T) {
	rng := rand.New(rand.NewPCG(24, 7))
	kgs := builtKGs(rng, 2*landscape.FigureKGs+90)
	now, old := builtWorld(t, kgs, false), builtWorld(t, kgs, true)
	matched := 0
	for round := range 150 {
		f := someFilter(rng)
		var want []string
		for _, k := range kgs {
			rows := slices.Clone(k.Buildings)
			slices.SortFunc(rows, func(a, b landscape.Building) int { return cmp.Compare(a.ID, b.ID) }) // all at one place
			for i := range rows {
				if f.passes(&rows[i]) {
					want = append(want, rows[i].ID)
				}
			}
		}
		matched += len(want)
		from := rng.IntN(len(want) + 3)
		limit := 1 + rng.IntN(40)
		path := fmt.Sprintf("/api/v1/buildings/search?offset=%d&limit=%d%s", from, limit, f.query())
		page := want[min(from, len(want)):min(from+limit, len(want))]
		for name, h := range map[string]http.Handler{"with figures": now, "without figures": old} {
			got := get(t, h, path, 200)
			if ids := got.codes("building_id"); got.Total != len(want) || !slices.Equal(ids, page) {
				t.Fatalf("round %d, %s, %s: %d in all, %v; expected %d, %v", round, name, path, got.Total, ids, len(want), page)
			}
		}
	}
	if matched < 1000 {
		t.Errorf("%d buildings matched in all rounds: expected more, or the filters say nothing", matched)
	}
}

// TestFiguresOfOtherBuildings: figures that are not of the buildings beside them are damage that is said, no other building's numbers.
func TestFiguresOfOtherBuildings(t *testing.T) {
	kgs := builtKGs(rand.New(rand.NewPCG(24, 8)), 40)
	body := func(kgs []*landscape.KG) []byte {
		x := landscape.NewIndexBuilder()
		for _, k := range kgs {
			if err := x.Add(k, "landscape/"+k.KGCode); err != nil {
				t.Fatal(err)
			}
		}
		b, err := x.Encode()
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	name := landscape.FigureSection(0)
	few := sectionOf(t, body(kgs[:20]), name)
	h := servedIndex(t, withSection(t, body(kgs), name, few))
	if got := get(t, h, "/api/v1/buildings/search?min_area=0", http.StatusServiceUnavailable); !strings.Contains(got.Error, "cannot be read") {
		t.Errorf("%q: expected that the buildings cannot be read", got.Error)
	}
}
