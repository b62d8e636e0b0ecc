package natura

import (
	"encoding/csv"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"mappe/artefacts/overlays"
	"mappe/builders/source/table"
	"mappe/infra/oracles"
	"mappe/infra/realdata"
	"mappe/shared/geo/geom"
)

func realSites(t testing.TB) (path string, sites []overlays.Site) {
	t.Helper()
	path = realdata.Path(t, "overlays/salzburg_natura2000_parts_wgs84.geojson")
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var p table.Problems
	if sites, err = Read(f, &p); err != nil {
		t.Fatal(err)
	}
	return path, sites
}

// Points over the real sites: the site that holds each is that of GDAL (GEOS), which is given the file as it is.
func TestContainmentBesideGDAL(t *testing.T) {
	ogr := oracles.Program(t, "ogr2ogr")
	path, sites := realSites(t)
	var shapes []*overlays.Shape
	box := geom.EmptyBox
	for i := range sites {
		shapes = append(shapes, overlays.NewShape(sites[i].Geometry))
		box = box.Union(sites[i].Box)
	}
	for seed := range oracles.Rounds(t, 1) {
		r := rand.New(rand.NewPCG(seed, 11))
		points := make([]geom.Point, 600)
		for i := range points {
			if points[i] = (geom.Point{X: box.MinX + r.Int32N(box.MaxX-box.MinX), Y: box.MinY + r.Int32N(box.MaxY-box.MinY)}); i%2 == 0 {
				ring := sites[r.IntN(len(sites))].Geometry[0][0] // near a border, some 20 m
				at := ring[r.IntN(len(ring))]
				points[i] = geom.Point{X: at.X + r.Int32N(4001) - 2000, Y: at.Y + r.Int32N(4001) - 2000}
			}
		}
		want := asked(t, ogr, path, points)
		inside := 0
		for i, p := range points {
			var got []string
			for k, s := range shapes {
				if s.Contains(p) {
					got = append(got, sites[k].Code)
				}
			}
			inside += len(got)
			if !slices.Equal(got, want[fmt.Sprint(i)]) {
				t.Errorf("seed %d, %v: GDAL says %v, we %v", seed, p, want[fmt.Sprint(i)], got)
			}
		}
		if inside < len(points)/10 {
			t.Errorf("only %d of %d points lie in a site", inside, len(points))
		}
	}
}

// asked has GDAL join points and sites: the codes, rising, by the number of the point.
func asked(t *testing.T, ogr, path string, points []geom.Point) map[string][]string {
	t.Helper()
	dir := t.TempDir()
	var b strings.Builder
	b.WriteString("id,lon,lat\n")
	for i, p := range points {
		fmt.Fprintf(&b, "%d,%.7f,%.7f\n", i, float64(p.X)/geom.Scale, float64(p.Y)/geom.Scale)
	}
	file := func(name string) string { return filepath.Join(dir, name) }
	if err := os.WriteFile(file("points.csv"), []byte(b.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"-f", "GPKG", file("db.gpkg"), path, "-nln", "sites", "-nlt", "MULTIPOLYGON"},
		{"-f", "GPKG", "-update", file("db.gpkg"), file("points.csv"), "-nln", "points", "-oo", "X_POSSIBLE_NAMES=lon", "-oo",
			"Y_POSSIBLE_NAMES=lat", "-a_srs", "EPSG:4326"},
		{"-f", "CSV", file("out.csv"), file("db.gpkg"), "-dialect", "sqlite", "-sql",
			"SELECT p.id AS id, s.sitecode AS code FROM points p JOIN sites s ON ST_Intersects(p.geom, s.geom)"},
	} {
		if out, err := exec.Command(ogr, args...).CombinedOutput(); err != nil {
			t.Fatalf("ogr2ogr %v: %v\n%s", args, err, out)
		}
	}
	f, err := os.Open(file("out.csv"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	found := map[string][]string{}
	for _, row := range rows[1:] {
		found[row[0]] = append(found[row[0]], row[1])
	}
	for id := range found {
		slices.Sort(found[id])
		found[id] = slices.Compact(found[id]) // a site is several features
	}
	return found
}

func BenchmarkContains(b *testing.B) {
	_, sites := realSites(b)
	var shapes []*overlays.Shape
	box := geom.EmptyBox
	for i := range sites {
		shapes = append(shapes, overlays.NewShape(sites[i].Geometry))
		box = box.Union(sites[i].Box)
	}
	r := rand.New(rand.NewPCG(1, 1))
	points := make([]geom.Point, 1<<14)
	for i := range points {
		points[i] = geom.Point{X: box.MinX + r.Int32N(box.MaxX-box.MinX), Y: box.MinY + r.Int32N(box.MaxY-box.MinY)}
	}
	for _, c := range []struct {
		name     string
		contains func(int, geom.Point) bool
	}{
		{"index", func(i int, p geom.Point) bool { return shapes[i].Contains(p) }},
		{"rings", func(i int, p geom.Point) bool { return sites[i].Box.Contains(p) && sites[i].Geometry.Contains(p) }},
	} {
		b.Run(c.name, func(b *testing.B) {
			n, found := 0, 0
			for b.Loop() {
				p := points[n%len(points)]
				for k := range shapes {
					if c.contains(k, p) {
						found++
					}
				}
				n++
			}
			b.ReportMetric(float64(found)/float64(n), "sites/point")
		})
	}
}

func BenchmarkRead(b *testing.B) {
	path := realdata.Path(b, "overlays/salzburg_natura2000_parts_wgs84.geojson")
	b.ReportAllocs()
	for b.Loop() {
		f, err := os.Open(path)
		if err != nil {
			b.Fatal(err)
		}
		var p table.Problems
		if _, err := Read(f, &p); err != nil {
			b.Fatal(err)
		}
		f.Close()
	}
}
