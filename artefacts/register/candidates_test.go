package register

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"mappe/artefacts/kgfile"
	"mappe/infra/realdata"
	"mappe/shared/austria"
	"mappe/shared/geo/crs"
	"mappe/shared/geo/geom"
)

// probe simplifies the outlines and asks for points inside and on the borders of the true ones.
func probe(t *testing.T, c *Contents, tolerance float64) {
	truth := make([]geom.MultiPolygon, len(c.KGs))
	before, after := 0, 0
	for i := range c.KGs {
		truth[i] = c.KGs[i].Outline
		c.KGs[i].Outline = Simplify(truth[i], tolerance)
		before, after = before+truth[i].Vertices(), after+c.KGs[i].Outline.Vertices()
	}
	c.ToleranceM = tolerance
	r, b := reopen(t, c)
	rng := rand.New(rand.NewPCG(3, 1))
	asked, single, most := 0, 0, 0
	ask := func(i int, p geom.Point, count bool) {
		got := r.Candidates(p)
		if !slices.Contains(got, c.KGs[i].Code) {
			t.Fatalf("%v lies in KG %s, candidates are %v", p, c.KGs[i].Code, got)
		}
		if most = max(most, len(got)); count {
			asked++
			if len(got) == 1 {
				single++
			}
		}
	}
	for i := range truth {
		b := truth[i].Bounds()
		for range 40 {
			p := geom.Point{X: b.MinX + rng.Int32N(b.MaxX-b.MinX), Y: b.MinY + rng.Int32N(b.MaxY-b.MinY)}
			if truth[i].Contains(p) {
				ask(i, p, true)
			}
		}
		for _, v := range truth[i][0][0] {
			if truth[i].Contains(v) {
				ask(i, v, false)
			}
		}
	}
	t.Logf("%d KGs: %d of %d vertices kept at %g m, %d bytes; %d of %d points have one candidate, at most %d",
		len(truth), after, before, tolerance, len(b), single, asked, most)
	if single*100 < asked*90 {
		t.Errorf("only %d of %d points have one candidate", single, asked)
	}
}

func TestTheTrueKGIsAlwaysACandidate(t *testing.T) { probe(t, country(100, 40), 8) }

// unsurveyed draws KGs without a snapshot as a coarse map does, up to 45 m beside the truth, and gives
// the true outlines of all.
func unsurveyed(c *Contents) (truth []geom.MultiPolygon) {
	c.ToleranceM = 5
	for i := range c.KGs {
		k := &c.KGs[i]
		truth = append(truth, k.Outline)
		if k.Snapshot.Key != "" {
			k.Outline = Simplify(k.Outline, 5)
			continue
		}
		k.Outline, k.ToleranceM = Simplify(k.Outline, 15), 45
		ring := slices.Clone(k.Outline[0][0])
		k.Outline = geom.MultiPolygon{{ring}}
		for j := range ring { // 30 m to the north-east
			ring[j].X, ring[j].Y = ring[j].X+2800, ring[j].Y+1900
		}
		k.Box = k.Outline.Bounds()
	}
	return truth
}

// A point near the border of a KG that is only coarsely drawn keeps its true KG, and one that lies in a
// surveyed KG beyond doubt is not said to be pending for its neighbour.
func TestCandidatesBesideCoarseOutlines(t *testing.T) {
	c := country(100, 8)
	truth := unsurveyed(c)
	r, _ := reopen(t, c)
	rng := rand.New(rand.NewPCG(6, 1))
	beside, alone := 0, 0
	for i, m := range truth {
		for _, v := range m[0][0] {
			p := geom.Point{X: v.X + rng.Int32N(10000) - 5000, Y: v.Y + rng.Int32N(6000) - 3000}
			if !m.Contains(p) {
				continue
			}
			got := r.Candidates(p)
			if !slices.Contains(got, c.KGs[i].Code) {
				t.Fatalf("%v lies in KG %s, candidates are %v", p, c.KGs[i].Code, got)
			}
			if c.KGs[i].Snapshot.Key == "" && !r.Outline(c.KGs[i].Code).Contains(p) {
				beside++
			}
			ruler := crs.RulerAt(p)
			if c.KGs[i].ToleranceM == 0 && !ruler.NearBorder(m, 10.1) {
				if alone++; len(got) != 1 {
					t.Fatalf("%v lies in the surveyed KG %s, more than 10 m from its border; candidates are %v", p, c.KGs[i].Code, got)
				}
			}
		}
	}
	if beside < 30 || alone < 300 {
		t.Errorf("only %d points lie beside the coarse outline of their KG, only %d surely in a surveyed one", beside, alone)
	}
	if got := r.OutlineToleranceM(c.KGs[0].Code); got != 45 {
		t.Errorf("tolerance of a coarse outline: want 45 m, got %g", got)
	}
	if got := r.OutlineToleranceM(c.KGs[1].Code); got != 5 {
		t.Errorf("tolerance of a surveyed outline: want 5 m, got %g", got)
	}
}

// Of a KG without outline the municipality is known.
func TestCandidatesWithoutOutline(t *testing.T) {
	c := country(40, 3)
	for i := range c.Municipalities { // each is four KGs
		c.Municipalities[i].Outline = nil
		for _, k := range c.KGs[4*i : 4*i+4] {
			c.Municipalities[i].Outline = append(c.Municipalities[i].Outline, k.Outline...)
		}
	}
	inside, _ := c.KGs[10].Outline.Inside()
	drawn, _ := c.KGs[8].Outline.Inside()
	for _, i := range []int{9, 10} {
		c.KGs[i].Outline, c.KGs[i].Box, c.KGs[i].Snapshot = nil, geom.EmptyBox, Object{}
	}
	r, _ := reopen(t, c)
	if got, want := r.Candidates(inside), []austria.KGCode{c.KGs[9].Code, c.KGs[10].Code}; !slices.Equal(got, want) {
		t.Errorf("in a KG without outline: want %v, got %v", want, got)
	}
	if got := r.Candidates(drawn); len(got) != 1 || got[0] != c.KGs[8].Code {
		t.Errorf("in a drawn KG of the same municipality: got %v", got)
	}
	if got := r.Candidates(geom.Point{X: 50_000_000, Y: 465_000_000}); len(got) != 0 {
		t.Errorf("abroad: got %v", got)
	}
}

func TestTheTrueKGIsACandidateInSalzburg(t *testing.T) {
	raw, err := os.ReadFile(realdata.Path(t, "admin/salzburg_kg_vgd50_wgs84.geojson"))
	if err != nil {
		t.Fatal(err)
	}
	var fc struct {
		Features []struct {
			Properties struct {
				Code string `json:"kg_code"`
			}
			Geometry struct {
				Type        string
				Coordinates json.RawMessage
			}
		}
	}
	if err := json.Unmarshal(raw, &fc); err != nil {
		t.Fatal(err)
	}
	c := &Contents{}
	for _, f := range fc.Features {
		var multi [][][][2]float64
		if f.Geometry.Type == "Polygon" {
			multi = make([][][][2]float64, 1)
			err = json.Unmarshal(f.Geometry.Coordinates, &multi[0])
		} else {
			err = json.Unmarshal(f.Geometry.Coordinates, &multi)
		}
		if err != nil {
			t.Fatal(err)
		}
		var m geom.MultiPolygon
		for _, poly := range multi {
			var p geom.Polygon
			for _, ring := range poly {
				var r geom.Ring
				for _, v := range ring[:len(ring)-1] {
					r = append(r, geom.Point{X: int32(math.Round(v[0] * geom.Scale)), Y: int32(math.Round(v[1] * geom.Scale))})
				}
				p = append(p, r)
			}
			m = append(m, p)
		}
		c.KGs = append(c.KGs, KG{KG: kgfile.KG{Code: austria.KGCode(f.Properties.Code), Box: m.Bounds()}, Outline: m})
	}
	slices.SortFunc(c.KGs, func(a, b KG) int { return strings.Compare(string(a.Code), string(b.Code)) })
	probe(t, c, 5)
}

func BenchmarkCandidates(b *testing.B) {
	c := country(7850, 19)
	r, _ := reopen(b, c)
	rng := rand.New(rand.NewPCG(5, 5))
	points := make([]geom.Point, 4096)
	for i := range points {
		k := c.KGs[rng.IntN(len(c.KGs))].Box
		points[i] = geom.Point{X: k.MinX + rng.Int32N(k.MaxX-k.MinX), Y: k.MinY + rng.Int32N(k.MaxY-k.MinY)}
	}
	b.ReportAllocs()
	i := 0
	for b.Loop() {
		r.Candidates(points[i%len(points)])
		i++
	}
}
