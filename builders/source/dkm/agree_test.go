package dkm_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"sync"
	"testing"

	"mappe/artefacts/kgfile"
	"mappe/builders/kg"
	"mappe/builders/kg/tilecut"
	"mappe/builders/source/dkm"
	"mappe/builders/source/geopackage/geopackagetest"
	"mappe/infra/oracles"
	"mappe/infra/realdata"
	"mappe/infra/realdata/areas"
	"mappe/shared/geo/crs"
	"mappe/shared/geo/geom"
	"mappe/shared/geo/mvt"
	"mappe/shared/geo/wkb"
)

// neighbours are the pairs of parcels that have two vertices in common.
func neighbours(s *kgfile.Snapshot) map[[2]string]bool {
	at := map[geom.Point][]string{}
	for _, p := range s.Parcels {
		for _, poly := range p.Geometry {
			for _, r := range poly {
				for _, v := range r {
					if n := at[v]; !slices.Contains(n, string(p.GNR)) {
						at[v] = append(n, string(p.GNR))
					}
				}
			}
		}
	}
	shared := map[[2]string]int{}
	for _, all := range at {
		slices.Sort(all)
		for i, a := range all {
			for _, b := range all[i+1:] {
				shared[[2]string{a, b}]++
			}
		}
	}
	out := map[[2]string]bool{}
	for pair, n := range shared {
		if n >= 2 {
			out[pair] = true
		}
	}
	return out
}

// agree compares two builds of one KG: numbers, folios, status, neighbours, and areas within what the coarser
// grid moves: half the diagonal of a pixel of 0.2 m along the border, here and there to the same side.
func agree(t *testing.T, exact, coarse *kgfile.Snapshot) {
	t.Helper()
	a, b := byNumber(exact), byNumber(coarse)
	if len(a) != len(b) {
		t.Errorf("%d parcels and %d", len(a), len(b))
	}
	for number, p := range a {
		q := b[number]
		if q == nil {
			t.Errorf("parcel %s is missing", number)
			continue
		}
		if p.EZ != q.EZ || p.Status != q.Status {
			t.Errorf("parcel %s: %v %v and %v %v", number, p.EZ, p.Status, q.EZ, q.Status)
		}
		if off, allowed := math.Abs(p.AreaSqm-q.AreaSqm), 0.15*p.Geometry.Perimeter(plane)/2+0.05; off > allowed {
			t.Errorf("parcel %s: %.2f m² and %.2f m², more than %.2f apart", number, p.AreaSqm, q.AreaSqm, allowed)
		}
	}
	if off := math.Abs(exact.KG.TotalAreaSqm/coarse.KG.TotalAreaSqm - 1); off > 0.0002 {
		t.Errorf("total %.1f m² and %.1f m²", exact.KG.TotalAreaSqm, coarse.KG.TotalAreaSqm)
	}
	if x, y := neighbours(exact), neighbours(coarse); !reflect.DeepEqual(x, y) {
		for pair := range x {
			if !y[pair] {
				t.Errorf("%v are neighbours in the exact build only", pair)
			}
		}
		for pair := range y {
			if !x[pair] {
				t.Errorf("%v are neighbours in the coarse build only", pair)
			}
		}
	}
}

// drawing is a KG as both forms are written from it.
type drawing struct {
	parcels, uses []geom.MultiPolygon
	codes         []uint64
	box           geom.Box
}

// town is n parcels of some 30 m with bent borders, and land use: a building in every second one.
func town(n int) drawing {
	side := int(math.Ceil(math.Sqrt(float64(n))))
	r := rand.New(rand.NewPCG(3, 4))
	o, _ := crs.LambertMGI.Point(east, north)
	corner, across, up := map[[2]int]geom.Point{}, map[[2]int]geom.Point{}, map[[2]int]geom.Point{}
	spot := func(m map[[2]int]geom.Point, i, j int, dx, dy float64) geom.Point {
		if p, ok := m[[2]int{i, j}]; ok {
			return p
		}
		p := geom.Point{X: o.X + int32(4000*(float64(i)+dx)) + r.Int32N(800), Y: o.Y + int32(2700*(float64(j)+dy)) + r.Int32N(500)}
		m[[2]int{i, j}] = p
		return p
	}
	d := drawing{box: geom.EmptyBox}
	for k := range n {
		i, j := k%side, k/side
		ring := geom.Ring{spot(corner, i, j, 0, 0), spot(across, i, j, 0.5, 0), spot(corner, i+1, j, 0, 0), spot(up, i+1, j, 0, 0.5),
			spot(corner, i+1, j+1, 0, 0), spot(across, i, j+1, 0.5, 0), spot(corner, i, j+1, 0, 0), spot(up, i, j, 0, 0.5)}
		m := geom.MultiPolygon{{ring}}
		d.parcels = append(d.parcels, m)
		d.uses, d.codes = append(d.uses, m), append(d.codes, []uint64{48, 52, 56}[k%3])
		if k%2 == 0 {
			c, _ := m.Inside()
			foot := geom.Ring{{X: c.X - 500, Y: c.Y - 400}, {X: c.X + 500, Y: c.Y - 400}, {X: c.X + 500, Y: c.Y + 400},
				{X: c.X - 500, Y: c.Y + 400}}
			d.uses, d.codes = append(d.uses, geom.MultiPolygon{{foot}}), append(d.codes, 41)
		}
		d.box = d.box.Union(m.Bounds())
	}
	return d
}

func (d *drawing) tiles(t testing.TB) memory {
	var parcels, uses []tilecut.Feature
	for i, m := range d.parcels {
		parcels = append(parcels, tilecut.Feature{Layer: "gst", Geometry: m, Attrs: []mvt.Attr{{Key: "kg", Value: mvt.Uint(1004)},
			{Key: "gnr", Value: mvt.String(fmt.Sprint(i + 1))}, {Key: "ez", Value: mvt.Uint(uint64(i + 1))},
			{Key: "rstatus", Value: mvt.String("E")}}})
	}
	for i, m := range d.uses {
		uses = append(uses, tilecut.Feature{Layer: "nfl", Geometry: m, Attrs: []mvt.Attr{{Key: "ns", Value: mvt.Uint(d.codes[i])}}})
	}
	out := cut(t, parcels, 15)
	for id, b := range cut(t, uses, 16)["kataster"] {
		out["kataster"][id] = b
	}
	return out
}

func (d *drawing) geopackage() []geopackagetest.Table {
	gst := parcels("gst", true, true, nil)
	for i, m := range d.parcels {
		gst.Rows = append(gst.Rows, geopackagetest.Areas(projected(m), "1004", fmt.Sprint(i+1), i+1, "E"))
	}
	nfl := geopackagetest.Table{Name: "nfl", Type: "MULTIPOLYGON", SRS: 31287, Index: true, Columns: []string{"NS"}}
	for i, m := range d.uses {
		nfl.Rows = append(nfl.Rows, geopackagetest.Areas(projected(m), int64(d.codes[i])))
	}
	return []geopackagetest.Table{gst, nfl}
}

func projected(m geom.MultiPolygon) (out [][][]wkb.XY) {
	for _, p := range m {
		var rings [][]wkb.XY
		for _, r := range p {
			var ring []wkb.XY
			for _, v := range r {
				x, y := crs.LambertMGI.Project(v)
				ring = append(ring, wkb.XY{x, y})
			}
			rings = append(rings, ring)
		}
		out = append(out, rings)
	}
	return out
}

// TestGeoPackageAndTilesAgree: the same drawing in both forms gives the same KG.
func TestGeoPackageAndTilesAgree(t *testing.T) {
	d := town(400)
	exact, rep := assemble(t, open(t, d.geopackage()...), dkm.Zoom, d.box)
	coarse, _, err := kg.Assemble(t.Context(), kg.Input{Code: "01004", Box: d.box, Tiles: d.tiles(t), Stichtag: "2026-10-01"})
	if err != nil {
		t.Fatal(err)
	}
	agree(t, exact, coarse)
	if rep.OpenShapes != 0 || len(exact.Build.Repairs) != 0 {
		t.Errorf("%d open shapes, repairs %v", rep.OpenShapes, exact.Build.Repairs)
	}
	if len(exact.Footprints) != 200 || len(coarse.Footprints) != 200 {
		t.Errorf("want 200 footprints, got %d and %d", len(exact.Footprints), len(coarse.Footprints))
	}
	for i, m := range d.parcels { // the grid of the file is a centimetre
		if p := byNumber(exact)[fmt.Sprint(i+1)]; math.Abs(p.AreaSqm-m.Area(crs.EqualArea)) > 0.02*p.Geometry.Perimeter(plane)/2 {
			t.Errorf("parcel %d: want %.3f m², got %.3f", i+1, m.Area(crs.EqualArea), p.AreaSqm)
		}
	}
}

// TestRealKGAsGDALWritesIt: GDAL makes the GeoPackage of a real KG, in the survey office's system.
func TestRealKGAsGDALWritesIt(t *testing.T) {
	ogr2ogr := oracles.Program(t, "ogr2ogr")
	raw := realdata.Path(t, "cadastre/kg14168_parcels_datum_corrected_wgs84.geojson")
	dir := t.TempDir()
	plane, path := filepath.Join(dir, "plane.gpkg"), filepath.Join(dir, "KAT_DKM_GST_epsg31287_20110101.gpkg")
	// The datum shift of the project: PROJ may know others.
	lambert := "+proj=lcc +lat_0=47.5 +lon_0=13.3333333333333 +lat_1=49 +lat_2=46 +x_0=400000 +y_0=400000 +ellps=bessel +towgs84=577.326,90.129,463.919,5.137,1.474,5.297,2.4232"
	for _, args := range [][]string{
		{"-f", "GPKG", "-t_srs", lambert, "-nln", "GST", "-nlt", "MULTIPOLYGON", "-dialect", "SQLite",
			"-sql", "SELECT geometry, CAST(kg_code AS INTEGER) AS KG, gnr AS GNR, CAST(ez AS TEXT) AS EZ, status AS RSTATUS FROM \"kg14168_parcels_datum_corrected_wgs84\"", plane, raw},
		{"-f", "GPKG", "-a_srs", "EPSG:31287", path, plane, "GST"},
	} {
		if out, err := exec.CommandContext(t.Context(), ogr2ogr, args...).CombinedOutput(); err != nil {
			t.Fatalf("%v: %v\n%s", args, err, out)
		}
	}
	source, err := dkm.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer source.Close()
	box, features := umbach(t, raw)
	in := kg.Input{Code: "14168", Box: box, Tiles: source, ParcelZoom: dkm.Zoom, LandUseZoom: dkm.Zoom, Stichtag: "2011-01-01"}
	exact, rep, err := kg.Assemble(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	in.Tiles, in.ParcelZoom, in.LandUseZoom = cut(t, features, 15), 15, 16
	coarse, _, err := kg.Assemble(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	agree(t, exact, coarse)
	t.Logf("%.2f m² of the file's 765,205.1, from tiles %.2f; %d tiles, repairs %v", exact.KG.TotalAreaSqm, coarse.KG.TotalAreaSqm,
		rep.Tiles, exact.Build.Repairs)
	if len(exact.Parcels) != 100 || math.Abs(exact.KG.TotalAreaSqm-765_205.1) > 8 {
		t.Errorf("want 100 parcels of 765,205.1 m², got %d of %.1f", len(exact.Parcels), exact.KG.TotalAreaSqm)
	}
}

// umbach is the real KG as features of tiles.
func umbach(t *testing.T, path string) (geom.Box, []tilecut.Feature) {
	t.Helper()
	box := geom.EmptyBox
	var out []tilecut.Feature
	for _, f := range areas.Read(t, path) {
		box = box.Union(f.Geometry.Bounds())
		out = append(out, tilecut.Feature{Layer: "gst", Geometry: f.Geometry, Attrs: []mvt.Attr{{Key: "kg", Value: mvt.Uint(14168)},
			{Key: "gnr", Value: mvt.String(f.Text("gnr"))}, {Key: "ez", Value: mvt.String(f.Text("ez"))},
			{Key: "rstatus", Value: mvt.String(f.Text("status"))}}})
	}
	return box, out
}

func benchmarkKG(b *testing.B, n int, fromTiles bool) {
	d := town(n)
	var in kg.Input
	if in = (kg.Input{Code: "01004", Box: d.box, Stichtag: "2026-10-01", Workers: 1}); fromTiles {
		in.Tiles = d.tiles(b)
	} else {
		in.Tiles, in.ParcelZoom, in.LandUseZoom = open(b, d.geopackage()...), dkm.Zoom, dkm.Zoom
	}
	b.ReportAllocs()
	tiles := in.Tiles
	for b.Loop() {
		in.Tiles = &once{from: tiles}
		if s, _, err := kg.Assemble(b.Context(), in); err != nil || len(s.Parcels) != n {
			b.Fatal(err, len(s.Parcels))
		}
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N)/float64(n), "µs/parcel")
}

// once asks for each tile once, as a national build does.
type once struct {
	from kg.TileReader
	got  sync.Map
}

func (o *once) Tile(ctx context.Context, tileset string, id mvt.TileID) ([]byte, error) {
	key := tileset + id.String()
	if b, ok := o.got.Load(key); ok {
		return b.([]byte), nil
	}
	b, err := o.from.Tile(ctx, tileset, id)
	o.got.Store(key, b)
	return b, err
}

// A KG from the GeoPackage beside the same from tiles in memory.
func BenchmarkKG1300FromTiles(b *testing.B)       { benchmarkKG(b, 1300, true) }
func BenchmarkKG1300FromGeoPackage(b *testing.B)  { benchmarkKG(b, 1300, false) }
func BenchmarkKG20000FromTiles(b *testing.B)      { benchmarkKG(b, 20000, true) }
func BenchmarkKG20000FromGeoPackage(b *testing.B) { benchmarkKG(b, 20000, false) }

// plane measures lengths.
func plane(p geom.Point) (x, y float64) { return crs.LambertETRS89.Project(p) }
