package register

import (
	"bytes"
	"crypto/sha256"
	"encoding/csv"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"mappe/artefacts/kgfile"
	"mappe/infra/realdata"
	"mappe/shared/austria"
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
			DistrictName: fmt.Sprintf("Bezirk %d", i/100), Box: r.Bounds(), ParcelCount: 1300 + i, EZCount: 400,
			TotalAreaSqm:   float64(i) * 1000.25,
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
		switch i % 10 {
		case 0: // no snapshot
		case 2:
			k.Assembly, k.Ingest = "legacy", "bulk_v7_zenodo"
		default:
			k.Assembly, k.Ingest = "tile_partition_v1", "tile_partition_v1"
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
				GemeindeName: k.GemeindeName, KG: k.Code, PLZ: []austria.PLZ{austria.PLZ(fmt.Sprint(1000 + i)), "9999"}[:1+j],
				At: k.Centroid})
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
			t.Fatalf("KG %s: a distance that is not known came back as %g", c.KGs[i].Code, got.KGs[i].AvgNNDistanceM)
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
