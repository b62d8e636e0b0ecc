package register

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/csv"
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"mappe/artefacts/internal/column/columntest"
	"mappe/artefacts/kgfile"
	"mappe/infra/realdata"
	"mappe/shared/austria"
	"mappe/shared/geo/crs"
	"mappe/shared/geo/geom"
)

// country makes a register of n KGs in a square of bent-edged cells with exactly shared borders.
func country(n, bends int) *Contents {
	rng := rand.New(rand.NewPCG(8, 8))
	side := int(math.Ceil(math.Sqrt(float64(n))))
	const w, h = 400_000, 270_000
	at := func(x, y int) geom.Point {
		return geom.Point{X: 100_000_000 + int32(x*w) + rng.Int32N(w/4), Y: 465_000_000 + int32(y*h) + rng.Int32N(h/4)}
	}
	bend := func(a, b geom.Point) []geom.Point {
		out := []geom.Point{a}
		for k := 1; k <= bends; k++ {
			t := float64(k) / float64(bends+1)
			out = append(out, geom.Point{
				X: a.X + int32(t*float64(b.X-a.X)) + rng.Int32N(w/20), Y: a.Y + int32(t*float64(b.Y-a.Y)) + rng.Int32N(h/20)})
		}
		return out
	}
	nodes := make([][]geom.Point, side+1)
	right, up := make([][][]geom.Point, side+1), make([][][]geom.Point, side+1)
	for x := range nodes {
		for y := range side + 1 {
			nodes[x] = append(nodes[x], at(x, y))
		}
	}
	for x := range nodes {
		for y := range side + 1 {
			right[x], up[x] = append(right[x], nil), append(up[x], nil)
			if x < side {
				right[x][y] = bend(nodes[x][y], nodes[x+1][y])
			}
			if y < side {
				up[x][y] = bend(nodes[x][y], nodes[x][y+1])
			}
		}
	}
	back := func(line []geom.Point, end geom.Point) []geom.Point {
		out := append([]geom.Point{end}, slices.Clone(line[1:])...)
		slices.Reverse(out[1:])
		return out
	}
	c := &Contents{Stichtag: "2026-10-01", Attribution: "© BEV, 2026", ToleranceM: 5}
	for i := range n {
		x, y := i%side, i/side
		var r geom.Ring
		r = append(append(r, right[x][y]...), up[x+1][y]...)
		r = append(append(r, back(right[x][y+1], nodes[x+1][y+1])...), back(up[x][y], nodes[x][y+1])...)
		k := KG{KG: kgfile.KG{
			Code: austria.KGCode(fmt.Sprintf("%05d", 1000+i*11)), Name: fmt.Sprintf("Katastralgemeinde %d", i*7919%100000),
			GemeindeCode: austria.GemeindeCode(fmt.Sprintf("%05d", 30101+i/4)), GemeindeName: fmt.Sprintf("Gemeinde %d", i/4),
			DistrictName: fmt.Sprintf("Bezirk %d", i/100), Box: r.Bounds(), ParcelCount: 1300 + i, EZCount: 400, TotalAreaSqm: float64(i) * 1000.25,
			AvgNNDistanceM: math.NaN(), Typology: kgfile.Suburban, DominantLandUse: 48, AvgFAR: 0.1234,
		}, Centroid: r[0], Outline: geom.MultiPolygon{{r}}}
		k.DistrictCode = k.GemeindeCode.District()
		k.Snapshot = Object{Date: "2026-10-01", Bytes: int64(1000 + i), SHA256: sha256.Sum256([]byte(k.Code))}
		switch i % 10 {
		case 0:
			k.Snapshot = Object{}
		case 1:
			k.Snapshot.Key = "kg/elsewhere.kgs"
		default:
			k.Snapshot.Key = usualKey(&k)
		}
		c.KGs = append(c.KGs, k)
		if i%4 == 0 {
			c.Municipalities = append(c.Municipalities, Municipality{Code: k.GemeindeCode, Name: k.GemeindeName,
				DistrictCode: k.DistrictCode, DistrictName: k.DistrictName, At: k.Centroid, Outline: k.Outline})
		}
		if i%100 == 0 {
			c.Districts = append(c.Districts, District{Code: k.DistrictCode, Name: k.DistrictName, State: "3"})
		}
		for j := range 2 {
			c.Localities = append(c.Localities, Locality{OKZ: uint32(2*i + j + 1), Name: "Ort " + k.Name, GemeindeCode: k.GemeindeCode,
				GemeindeName: k.GemeindeName, KG: k.Code, PLZ: []austria.PLZ{austria.PLZ(fmt.Sprint(1000 + i)), "9999"}[:1+j], At: k.Centroid})
		}
		c.PLZ = append(c.PLZ, PostalPlace{PLZ: austria.PLZ(fmt.Sprint(1000 + i)), Place: k.Name, GemeindeCode: k.GemeindeCode})
	}
	slices.SortFunc(c.Districts, func(a, b District) int { return strings.Compare(string(a.Code), string(b.Code)) })
	return c
}

func reopen(t testing.TB, c *Contents) (*Register, []byte) {
	t.Helper()
	b, err := Encode(c)
	if err != nil {
		t.Fatal(err)
	}
	r, err := Open(b)
	if err != nil {
		t.Fatal(err)
	}
	return r, b
}

func TestContentsComeBack(t *testing.T) {
	c := country(120, 5)
	r, b := reopen(t, c)
	got, err := r.Contents()
	if err != nil {
		t.Fatal(err)
	}
	again, err := Encode(got)
	if err != nil || !bytes.Equal(b, again) {
		t.Errorf("encoding what was read gives other bytes (%v)", err)
	}
	for i := range c.KGs {
		if !math.IsNaN(got.KGs[i].AvgNNDistanceM) {
			t.Fatalf("KG %s: a distance that is none came back as %g", c.KGs[i].Code, got.KGs[i].AvgNNDistanceM)
		}
		c.KGs[i].AvgNNDistanceM, got.KGs[i].AvgNNDistanceM = 0, 0
	}
	if !reflect.DeepEqual(c, got) {
		t.Errorf("want %+v\ngot  %+v", c.KGs[1], got.KGs[1])
	}
}

func TestLookups(t *testing.T) {
	c := country(120, 5)
	r, _ := reopen(t, c)
	k := c.KGs[17]
	if got, want := string(appendKey(nil, &k)), usualKey(&k); got != want {
		t.Errorf("key: want %s, got %s", want, got)
	}
	if got := r.KG(k.Code); got == nil || got.Name != k.Name || got.State() != "3" {
		t.Errorf("KG %s: got %+v", k.Code, got)
	}
	if r.KG("00000") != nil || r.Outline("00000") != nil || r.Municipality("99999") != nil || r.MunicipalityOutline("99999") != nil {
		t.Error("a code that nothing has finds something")
	}
	if got := r.ByGemeinde(k.GemeindeCode); len(got) != 4 || got[0] != c.KGs[16].Code {
		t.Errorf("municipality %s: got %v", k.GemeindeCode, got)
	}
	if got := r.ByDistrict(k.DistrictCode); !slices.Contains(got, k.Code) {
		t.Errorf("district %s: got %v", k.DistrictCode, got)
	}
	if got := r.ByState("3"); len(got) != 120 || len(r.ByState("9")) != 0 {
		t.Errorf("state 3: got %d KGs", len(got))
	}
	if got := r.KGsInBox(k.Box); !slices.Contains(got, k.Code) || len(got) > 9 || !slices.IsSorted(got) {
		t.Errorf("box of KG %s: got %v", k.Code, got)
	}
	m := c.Municipalities[3]
	if got := r.Municipality(m.Code); got == nil || got.Name != m.Name {
		t.Errorf("municipality %s: got %+v", m.Code, got)
	}
	b := m.Outline.Bounds()
	p := geom.Point{X: (b.MinX + b.MaxX) / 2, Y: (b.MinY + b.MaxY) / 2}
	if got := r.MunicipalityAt(p); got == nil || got.Code != m.Code {
		t.Errorf("municipality at %v: want %s, got %+v", p, m.Code, got)
	}
	if got := r.MunicipalityAt(geom.Point{}); got != nil {
		t.Errorf("municipality at 0,0: got %s", got.Code)
	}
	if len(r.Candidates(geom.Point{})) != 0 {
		t.Error("a KG at 0,0")
	}
}

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

func TestUniverseHashOfTheRealRegister(t *testing.T) {
	f, err := os.Open(realdata.Path(t, "admin/kg_register_2023.csv"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var codes []austria.KGCode
	for _, r := range rows[1:] {
		k, err := austria.ParseKGCode(r[0])
		if err != nil {
			t.Fatal(err)
		}
		codes = append(codes, k)
	}
	slices.Reverse(codes) // order of the input does not count
	want, err := os.ReadFile(realdata.Path(t, "admin/kg_universe_hash.txt"))
	if err != nil {
		t.Fatal(err)
	}
	if got := UniverseHash(codes); len(codes) != 7850 || !strings.Contains(string(want), got) {
		t.Errorf("%d codes: want %s, got %s", len(codes), want, got)
	}
}

func TestEncodeRefusesDisorder(t *testing.T) {
	for want, spoil := range map[string]func(*Contents){
		"expected rising codes": func(c *Contents) { c.KGs[1].Code = c.KGs[0].Code },
		"expected 5 digits":     func(c *Contents) { c.KGs[0].Code = "1004" },
		"municipalities":        func(c *Contents) { c.Municipalities[0].Code = "99999" },
		"districts":             func(c *Contents) { c.Districts[0].Code = "999" },
		"rising OKZ":            func(c *Contents) { c.Localities[0].OKZ = 1 << 20 },
		"postal places":         func(c *Contents) { c.PLZ[0].PLZ = "9999" },
		"count -1":              func(c *Contents) { c.KGs[0].ParcelCount = -1 },
		"FAR":                   func(c *Contents) { c.KGs[0].AvgFAR = -1 },
	} {
		c := country(120, 1)
		spoil(c)
		if _, err := Encode(c); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("want an error with %q, got %v", want, err)
		}
	}
}

var freeze = flag.Bool("freeze", false, "write the frozen file of the current version anew")

// The frozen file of each version opens for ever and means what it meant.
func TestFrozenFiles(t *testing.T) {
	newest := fmt.Sprintf("testdata/v%d", format.Version)
	if *freeze {
		c := country(24, 3)
		for i := range c.KGs {
			if c.KGs[i].Snapshot.Key == "" {
				c.KGs[i].ToleranceM = 60
			}
		}
		_, b := reopen(t, c)
		if err := os.WriteFile(newest+".reg", b, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for v := 1; v <= int(format.Version); v++ {
		name := fmt.Sprintf("testdata/v%d", v)
		b, err := os.ReadFile(name + ".reg")
		if err != nil {
			t.Fatal(err)
		}
		if got := int(binary.LittleEndian.Uint16(b[8:])); got != v {
			t.Errorf("%s.reg is of version %d", name, got)
		}
		r, err := Open(b)
		if err != nil {
			t.Fatal(err)
		}
		c, err := r.Contents()
		if err != nil {
			t.Fatal(err)
		}
		got := fmt.Sprintf("%x\n", sha256.Sum256(fmt.Appendf(nil, "%+v", *c)))
		if *freeze && name == newest {
			if err := os.WriteFile(name+".sha256", []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if want, err := os.ReadFile(name + ".sha256"); err != nil || got != string(want) {
			t.Errorf("the contents of %s changed: want %s, got %s (%v)", name, want, got, err)
		}
	}
}

func TestEveryBrokenByteIsNoticed(t *testing.T) {
	_, good := reopen(t, country(12, 1))
	for i := range good {
		b := bytes.Clone(good)
		b[i] ^= 0x40
		if _, err := Open(b); err == nil {
			t.Fatalf("byte %d changed and nobody noticed", i)
		}
		if _, err := Open(good[:i]); err == nil {
			t.Fatalf("cut to %d bytes and nobody noticed", i)
		}
	}
}

func FuzzOpen(f *testing.F) {
	_, good := reopen(f, country(12, 1))
	f.Add(uint32(0), uint32(0), byte(0))
	f.Add(uint32(300), uint32(2), byte(9))
	f.Fuzz(func(t *testing.T, at, n uint32, v byte) {
		b := bytes.Clone(good)
		for k := range n % 8 {
			b[(at+k*37)%uint32(len(b))] ^= v + byte(k)
		}
		columntest.Bounded(t, len(b), func() {
			r, err := Open(reseal(b))
			if err != nil {
				return
			}
			r.Contents()
			r.Candidates(r.contents.KGs[0].Centroid)
			r.MunicipalityAt(r.contents.KGs[0].Centroid)
		})
	})
}

func BenchmarkOpen(b *testing.B) {
	_, data := reopen(b, country(7850, 19))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Open(data); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(len(data))/1e6, "MB")
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
