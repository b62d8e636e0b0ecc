package demo

import (
	"bufio"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"mappe/builders/kg"
	"mappe/builders/source/registers"
	"mappe/builders/source/tiles"
	"mappe/shared/austria"
	"mappe/shared/geo/geom"
)

// sources is one demo country for all tests of the package.
var sources = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "mappe-demo-")
	if err != nil {
		return "", err
	}
	madeDir = dir
	_, err = Generate(context.Background(), dir, Options{})
	return dir, err
})

// madeDir is what TestMain has to remove, "" when no test asked for the sources.
var madeDir string

func TestMain(m *testing.M) {
	code := m.Run()
	if madeDir != "" {
		os.RemoveAll(madeDir)
	}
	os.Exit(code)
}

func sourceDir(t testing.TB) string {
	t.Helper()
	dir, err := sources()
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

func readTruth(t testing.TB) Truth {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(sourceDir(t), "truth", "summary.json"))
	if err != nil {
		t.Fatal(err)
	}
	var out Truth
	if err := json.Unmarshal(b, &out); err != nil {
		t.Fatal(err)
	}
	return out
}

// trueFeature is a line of a truth file.
type trueFeature struct {
	Properties struct {
		ParcelID string  `json:"parcel_id"`
		KG       string  `json:"kg_code"`
		EZ       uint32  `json:"ez"`
		Status   string  `json:"status"`
		NS       uint8   `json:"ns"`
		AreaSqm  float64 `json:"area_sqm"`
		Defect   string  `json:"defect"`
	} `json:"properties"`
	Geometry struct {
		Coordinates [][][][2]float64 `json:"coordinates"`
	} `json:"geometry"`
}

func (f *trueFeature) geometry() geom.MultiPolygon {
	var m geom.MultiPolygon
	for _, p := range f.Geometry.Coordinates {
		var q geom.Polygon
		for _, r := range p {
			var ring geom.Ring
			for _, c := range r[:len(r)-1] {
				v, _ := geom.PointAt(c[0], c[1])
				ring = append(ring, v)
			}
			q = append(q, ring)
		}
		m = append(m, q)
	}
	return m
}

func readFeatures(t testing.TB, name string) []trueFeature {
	t.Helper()
	f, err := os.Open(filepath.Join(sourceDir(t), "truth", name))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var out []trueFeature
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 8<<20)
	for lines.Scan() {
		var v trueFeature
		if err := json.Unmarshal(lines.Bytes(), &v); err != nil {
			t.Fatal(err)
		}
		out = append(out, v)
	}
	return out
}

// What the builders put together from the tiles is what the generator drew, vertex by vertex in area.
func TestAssemblyGivesTheTruthBack(t *testing.T) {
	dir := sourceDir(t)
	reader, err := tiles.Open(dir, tiles.Options{})
	if err != nil {
		t.Fatal(err)
	}
	byKG := map[string]map[string]*trueFeature{}
	boxes := map[string]geom.Box{}
	features := readFeatures(t, "parcels.ndjson")
	for i := range features {
		f := &features[i]
		k := f.Properties.KG
		if byKG[k] == nil {
			byKG[k], boxes[k] = map[string]*trueFeature{}, geom.EmptyBox
		}
		byKG[k][f.Properties.ParcelID] = f
		boxes[k] = boxes[k].Union(f.geometry().Bounds())
	}
	for _, want := range readTruth(t).PerKG {
		snap, _, err := kg.Assemble(context.Background(), kg.Input{
			Code: austria.KGCode(want.Code), Name: want.Name, Box: boxes[want.Code], Tiles: reader, Stichtag: Stichtag,
			Attribution: Attribution, Workers: 2,
		})
		if err != nil {
			t.Errorf("KG %s: %v", want.Code, err)
			continue
		}
		if len(snap.Parcels) != want.Parcels || len(snap.Footprints) != want.Footprints {
			t.Errorf("KG %s: want %d parcels and %d footprints, got %d and %d", want.Code, want.Parcels, want.Footprints, len(snap.Parcels),
				len(snap.Footprints))
		}
		bad := 0
		for i := range snap.Parcels {
			p := &snap.Parcels[i]
			f := byKG[want.Code][want.Code+"-"+string(p.GNR)]
			switch {
			case f == nil:
				t.Errorf("KG %s: parcel %s is not in the truth", want.Code, p.GNR)
			case uint32(p.EZ) != f.Properties.EZ || p.Status.String() != f.Properties.Status:
				t.Errorf("KG %s, parcel %s: want EZ %d status %s, got %d %s", want.Code, p.GNR, f.Properties.EZ, f.Properties.Status, p.EZ,
					p.Status)
			case !near(p.AreaSqm, f.Properties.AreaSqm, 0.05+f.Properties.AreaSqm*1e-5):
				if bad++; bad < 6 {
					t.Errorf("KG %s, parcel %s (%s): want %.2f m², got %.2f", want.Code, p.GNR, f.Properties.Defect, f.Properties.AreaSqm,
						p.AreaSqm)
				}
			}
		}
		if bad > 0 {
			t.Errorf("KG %s: %d areas differ", want.Code, bad)
		}
	}
}

func near(a, b, tol float64) bool { return a-b <= tol && b-a <= tol }

func TestRegistersAreRead(t *testing.T) {
	r, problems, err := registers.Read(os.DirFS(sourceDir(t)))
	if err != nil {
		t.Fatal(err)
	}
	if problems.Total != 0 {
		t.Errorf("%d problems, the first: %v", problems.Total, problems.First)
	}
	for _, c := range []struct {
		what      string
		got, want int
	}{{"KGs", len(r.KGs), 13}, {"municipalities", len(r.Gemeinden), 3}, {"districts", len(r.Districts), 1}, {"localities",
		len(r.Localities), 12}, {"areas", len(r.Areas), 12}} {
		if c.got != c.want {
			t.Errorf("%s: want %d, got %d", c.what, c.want, c.got)
		}
	}
	truth := map[austria.KGCode]KGTruth{}
	for _, k := range readTruth(t).PerKG {
		truth[austria.KGCode(k.Code)] = k
	}
	differ := 0
	for _, a := range r.Areas {
		k := truth[a.KG]
		if a.ParcelCount != k.Parcels || !near(a.Sqm, k.AreaSqm, 0.04*k.AreaSqm) {
			t.Errorf("area row of %s: %v, truth %v", a.KG, a, k)
		}
		if !near(a.Sqm, k.AreaSqm, 1) {
			differ++
		}
	}
	if differ != 3 {
		t.Errorf("want 3 KGs whose register area differs, got %d", differ)
	}
}

func TestForeignSourcesAreNotOverwritten(t *testing.T) {
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "tiles"), 0o755); err != nil {
		t.Fatal(err)
	}
	if _, err := Generate(context.Background(), dir, Options{}); err == nil {
		t.Error("a directory with other tiles must be refused")
	}
}

func TestAStepThatIsNoneIsNotLeftOut(t *testing.T) {
	_, err := Generate(context.Background(), t.TempDir(), Options{Without: []string{"terrain", "scans"}})
	if err == nil || !strings.Contains(err.Error(), `"scans"`) || !strings.Contains(err.Error(), "laser scans") {
		t.Errorf("got %v", err)
	}
}

func BenchmarkGenerate(b *testing.B) {
	dir := b.TempDir()
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Generate(context.Background(), dir, Options{}); err != nil {
			b.Fatal(err)
		}
	}
}
