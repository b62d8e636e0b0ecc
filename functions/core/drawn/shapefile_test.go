package drawn

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"mappe/infra/oracles"
	"mappe/shared/geo/crs"
	"mappe/shared/geo/geom"
	"mappe/shared/geo/shapefile"
	"mappe/shared/geo/shapefile/shapefiletest"
	"mappe/shared/web/fault"
)

type xy = shapefile.XY

// box is a clockwise rectangle.
func box(x0, y0, x1, y1 float64) []xy { return []xy{{x0, y0}, {x0, y1}, {x1, y1}, {x1, y0}} }

// turned is a ring the other way round.
func turned(r []xy) []xy {
	out := []xy{}
	for i := range r {
		out = append(out, r[len(r)-1-i])
	}
	return out
}

// packed are files in an archive: name, content, name, content.
func packed(t testing.TB, files ...any) string {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for i := 0; i < len(files); i += 2 {
		// to deflate a file takes longer than to read it
		w, err := z.CreateHeader(&zip.FileHeader{Name: files[i].(string), Method: zip.Store})
		if err == nil {
			_, err = fmt.Fprintf(w, "%s", files[i+1])
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// farthest is how far the vertices of two areas lie from each other, in metres.
func farthest(a, b geom.MultiPolygon) float64 {
	worst := 0.0
	of := func(from, to geom.MultiPolygon) {
		for _, r := range from.Rings() {
			for _, p := range r {
				near := math.Inf(1)
				for _, o := range to.Rings() {
					for _, q := range o {
						near = min(near, crs.Distance(p, q))
					}
				}
				worst = max(worst, near)
			}
		}
	}
	of(a, b)
	of(b, a)
	return worst
}

// written is what ogr2ogr makes of GeoJSON, without grids of the datum.
func written(t *testing.T, geojson, file string, args ...string) {
	t.Helper()
	tool := oracles.Program(t, "ogr2ogr")
	source := filepath.Join(t.TempDir(), "source.geojson")
	if err := os.WriteFile(source, []byte(geojson), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(tool, append(args, file, source)...)
	cmd.Env = append(os.Environ(), "PROJ_NETWORK=OFF")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("ogr2ogr %v: %v\n%s", args, err, out)
	}
}

// tolerance is how far a position may lie from that of GDAL, in metres: the grid is of 1e-7 degrees.
func tolerance(s crs.System) float64 {
	if strings.Contains(s.Name(), "MGI") {
		return 0.05
	}
	return 0.02
}

// An area of two parts with a hole in one, and a smaller square inside that hole.
const drawn = `{"type":"FeatureCollection","features":[{"type":"Feature","properties":{"n":1},"geometry":{"type":"MultiPolygon","coordinates":[` +
	`[[[13.28,47.32],[13.29,47.32],[13.29,47.33],[13.28,47.33],[13.28,47.32]],[[13.282,47.322],[13.282,47.328],[13.288,47.328],[13.288,47.322],[13.282,47.322]]],` +
	`[[[13.284,47.324],[13.286,47.324],[13.286,47.326],[13.284,47.326],[13.284,47.324]]],` +
	`[[[13.291,47.32],[13.294,47.32],[13.294,47.33],[13.291,47.33],[13.291,47.32]]]]}}]}`

// What GDAL writes in any system is the area that the GeoJSON is.
func TestShapefilesOfGDAL(t *testing.T) {
	sameInEverySystem(t, "a.zip", func(s crs.System) []byte {
		file := filepath.Join(t.TempDir(), "drawn.shz") // a zipped shapefile
		written(t, drawn, file, "-f", "ESRI Shapefile", "-t_srs", s.String())
		body, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		return body
	})
}

// sameInEverySystem reads what a program wrote of drawn, as a body and as a file of a form.
func sameInEverySystem(t *testing.T, file string, write func(crs.System) []byte) {
	t.Helper()
	want, err := Parse(t.Context(), []byte(drawn))
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range crs.AllSystems() {
		body := string(write(s))
		for name, body := range map[string]string{"body": body, "form": uploaded(t, file, body)} {
			got, err := Parse(t.Context(), []byte(body))
			if err != nil {
				t.Errorf("%v, %s: %v", s, name, err)
				continue
			}
			d := farthest(got.Geometry, want.Geometry)
			t.Logf("%v: %.4f m", s, d)
			if d > tolerance(s) || len(got.Geometry) != 3 || got.Repaired {
				t.Errorf("%v, %s: %.3f m from the GeoJSON, %d parts, repaired %v %v", s, name, d, len(got.Geometry), got.Repaired,
					got.Warnings)
			}
		}
	}
}

// Points, lines, several files and records are features, as in GeoJSON.
func TestShapesAreFeatures(t *testing.T) {
	line := append(box(13.28, 47.32, 13.29, 47.33), xy{13.28, 47.32})
	polygons := &shapefiletest.File{Columns: []string{"A"}, Rows: []shapefiletest.Row{
		{Rings: [][]xy{box(13.28, 47.32, 13.29, 47.33)}}, {}, {Rings: [][]xy{box(16, 48, 17, 49)}, Deleted: true},
	}}
	points := &shapefiletest.File{Type: 8, Rows: []shapefiletest.Row{{Points: []xy{{13.281, 47.321}, {13.282, 47.322}}}}}
	lines := &shapefiletest.File{Type: 13, Rows: []shapefiletest.Row{{Lines: [][]xy{line}}}}
	const prj = `GEOGCS["WGS 84",DATUM["WGS_1984",SPHEROID["WGS 84",6378137,298.257223563]],PRIMEM["Greenwich",0],UNIT["degree",0.0174532925199433]]`
	for name, c := range map[string]struct {
		body                            string
		features, polygons, lines, dots int
	}{
		"polygons, a null shape, a deleted row": {packed(t, "A.SHP", polygons.SHP(), "a.DBF", polygons.DBF(), "a.prj", prj), 1, 1, 0, 0},
		"without .prj": {packed(t, "d/a.shp", polygons.SHP(), "d/a.dbf", polygons.DBF(), "e/a.prj",
			"of another folder"), 1, 1, 0, 0},
		"points without a table": {packed(t, "a.shp", points.SHP(), "a.prj", prj), 1, 0, 0, 2},
		"lines":                  {packed(t, "a.shp", lines.SHP()), 1, 0, 1, 0},
		"two files and a document": {packed(t, "a.shp", lines.SHP(), "b.shp", points.SHP(), "c.kml", kml, "a.cpg", "x",
			"a.shx", "x"), 3, 1, 1, 2},
		"as macOS packs them": {packed(t, "a.shp", lines.SHP(), "__MACOSX/._a.shp", "x", "._a.kml", "x"), 1, 0, 1, 0},
	} {
		got, err := Features(t.Context(), []byte(c.body))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		var p, l, d int
		for _, f := range got.Features {
			p, l, d = p+len(f.Polygons), l+len(f.Lines), d+len(f.Points)
		}
		if len(got.Features) != c.features || p != c.polygons || l != c.lines || d != c.dots {
			t.Errorf("%s: want %+v, got %d features, %d polygons, %d lines, %d points", name, c, len(got.Features), p, l, d)
		}
	}
}

// Holes belong to the exterior around them; rings that run the wrong way are polygons all the same.
func TestAssembledRings(t *testing.T) {
	outer, hole, island, other := box(13.28, 47.32, 13.29, 47.33), turned(box(13.282, 47.322, 13.288, 47.328)),
		box(13.284, 47.324, 13.286, 47.326), box(13.291, 47.32, 13.292, 47.33)
	touching := turned([]xy{{13.28, 47.325}, {13.285, 47.327}, {13.285, 47.323}})
	for name, c := range map[string]struct {
		rings    [][]xy
		share    float64
		parts    int
		repaired bool
	}{
		"one":                         {[][]xy{outer}, 1, 1, false},
		"one the wrong way":           {[][]xy{turned(outer)}, 1, 1, false},
		"all the wrong way":           {[][]xy{turned(outer), turned(hole)}, 0.64, 1, true},
		"a hole":                      {[][]xy{outer, hole}, 0.64, 1, false},
		"a hole before its exterior":  {[][]xy{hole, other, outer}, 0.74, 2, false},
		"an island in a hole":         {[][]xy{island, hole, outer}, 0.68, 2, false},
		"a hole in an island":         {[][]xy{outer, hole, island, turned(box(13.2845, 47.3245, 13.2855, 47.3255))}, 0.67, 2, false},
		"a hole at the border":        {[][]xy{touching, other, outer}, 1, 2, false},
		"a hole outside":              {[][]xy{outer, other, turned(box(13.293, 47.32, 13.294, 47.33))}, 1.2, 3, false},
		"a hole as an exterior":       {[][]xy{outer, turned(hole)}, 0.64, 1, true},
		"a ring that crosses itself":  {[][]xy{{outer[0], outer[2], outer[1], outer[3]}, other}, 0.6, 3, true},
		"a ring of two points beside": {[][]xy{outer, {{13.28, 47.32}, {13.29, 47.32}}}, 1, 1, false},
	} {
		f := &shapefiletest.File{Rows: []shapefiletest.Row{{Rings: c.rings}}}
		a, err := Parse(t.Context(), []byte(packed(t, "a.shp", f.SHP())))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if got := a.M2 / square; math.Abs(got-c.share) > 0.015 || len(a.Geometry) != c.parts || a.Repaired != c.repaired {
			t.Errorf("%s: want %+v, got %.3f of the square in %d parts, repaired %v %v", name, c, got, len(a.Geometry), a.Repaired,
				a.Warnings)
		}
	}
}

func TestBadShapefiles(t *testing.T) {
	degrees := (&shapefiletest.File{Rows: []shapefiletest.Row{{Rings: [][]xy{box(13.28, 47.32, 13.29, 47.33)}}}}).SHP()
	metres := &shapefiletest.File{Columns: []string{"A"},
		Rows: []shapefiletest.Row{{Rings: [][]xy{box(395_000, 380_000, 396_000, 381_000)}}}}
	far := (&shapefiletest.File{Rows: []shapefiletest.Row{{Rings: [][]xy{box(395_000, 380_000, 1e9, 1e9)}}}}).SHP()
	table := metres.DBF()
	table[4] = 0 // rows
	lambert, err := os.ReadFile("testdata/31287.prj")
	if err != nil {
		t.Fatal(err)
	}
	points := func(n int) []byte {
		f := &shapefiletest.File{Type: 8, Rows: []shapefiletest.Row{{}}}
		for i := range n {
			f.Rows[0].Points = append(f.Rows[0].Points, xy{13.28, 47.32 + 1e-7*float64(i)})
		}
		return f.SHP()
	}
	nulls := func(n int) []byte {
		return (&shapefiletest.File{Rows: append(make([]shapefiletest.Row, n-1),
			shapefiletest.Row{Rings: [][]xy{box(13.28, 47.32, 13.29, 47.33)}})}).SHP()
	}
	rows := nulls(tableRows)
	for name, c := range map[string]struct {
		body   string
		status int // 0: is read
		want   string
	}{
		"no .prj, metres": {packed(t, "a.shp", metres.SHP()), 400, "no .prj and its positions are no degrees"},
		"no .prj, elsewhere": {packed(t, "a.shp",
			(&shapefiletest.File{Type: 1, Rows: []shapefiletest.Row{{Points: []xy{{2.35, 48.85}}}}}).SHP()), 400, "Austria lies"},
		"no .prj, swapped": {packed(t, "a.shp",
			(&shapefiletest.File{Type: 1, Rows: []shapefiletest.Row{{Points: []xy{{47.32, 13.28}}}}}).SHP()), 400, "axes look swapped"},
		"no numbers": {packed(t, "a.shp",
			(&shapefiletest.File{Type: 1, Rows: []shapefiletest.Row{{Points: []xy{{math.NaN(), math.Inf(1)}}}}}).SHP()), 400, "no degrees"},
		".prj of another system": {packed(t, "a.shp", degrees, "a.prj", `PROJCS["ETRS_1989_UTM_Zone_33N",UNIT["Meter",1.0]]`), 400,
			`"ETRS_1989_UTM_Zone_33N" is not known: expected EPSG:4326`},
		".prj of no system":          {packed(t, "a.shp", degrees, "a.prj", "hello"), 400, "PROJCS"},
		".prj that is large":         {packed(t, "a.shp", degrees, "a.prj", strings.Repeat("[", 1<<20)), 400, "at most 16384"},
		"degrees as metres":          {packed(t, "a.shp", degrees, "a.prj", lambert), 400, "Austria lies"},
		"far away":                   {packed(t, "a.shp", far, "a.prj", lambert), 400, "positions of EPSG:31287"},
		"shapes cut":                 {packed(t, "a.shp", degrees[:150]), 400, "ends too early"},
		"a table without rows":       {packed(t, "a.shp", metres.SHP(), "a.dbf", table, "a.prj", lambert), 400, "fewer rows"},
		"a file that is not a table": {packed(t, "a.shp", degrees, "a.dbf", "x"), 400, "dbf: the file ends too early"},
		"triangles":                  {packed(t, "a.shp", append(append(bytes.Clone(degrees[:32]), 31), degrees[33:]...)), 400, "type 31"},
		"100,000 vertices":           {packed(t, "a.shp", points(100_000)), 0, ""},
		"100,001 vertices":           {packed(t, "a.shp", points(100_001)), 413, "100000 vertices"},
		"10,000 records":             {packed(t, "a.shp", nulls(10_000)), 0, ""},
		"10,001 records":             {packed(t, "a.shp", nulls(10_001)), 413, "10000 records"},
		"10,001 records of two":      {packed(t, "a.shp", nulls(5_000), "b.shp", nulls(5_001)), 413, "10000 records"},
		"a shape of 5 MB":            {packed(t, "a.shp", points(320_000)), 400, "bytes: at most 4000000"},
		"32 MB unpacked":             {packed(t, "a.shp", rows, "a.dbf", tableOf(maxUnpacked-len(rows))), 0, ""},
		"32 MB and one unpacked":     {packed(t, "a.shp", rows, "a.dbf", tableOf(maxUnpacked-len(rows)+1)), 413, "more than 32 MB"},
		"32 MB and one of two": {packed(t, "a.shp", degrees, "b.shp", rows, "b.dbf", tableOf(maxUnpacked-len(degrees)-len(rows)+1)), 413,
			"more than 32 MB"},
		"an archive in a archive": {packed(t, "a.zip", packed(t, "a.shp", degrees)), 400, "holds no shapefile"},
	} {
		_, err := Features(t.Context(), []byte(c.body))
		var f *fault.Fault
		if c.status == 0 && err != nil || c.status != 0 && (!errors.As(err, &f) || f.Status() != c.status ||
			!strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: %v, expected %d with %q", name, err, c.status, c.want)
		}
	}
}

const tableRows = 670

// tableOf is a table of tableRows rows of one wide column in so many bytes; its head takes what the rows leave.
func tableOf(size int) []byte {
	const width = 50_001
	b := make([]byte, size-tableRows*width, size)
	b[0] = 3
	binary.LittleEndian.PutUint32(b[4:], tableRows)
	binary.LittleEndian.PutUint16(b[8:], uint16(len(b)))
	binary.LittleEndian.PutUint16(b[10:], width)
	copy(b[32:], "A")
	b[32+11] = 'C'
	binary.LittleEndian.PutUint16(b[32+16:], width-1)
	b[64] = 0x0D
	return append(b, bytes.Repeat([]byte{' '}, tableRows*width)...)
}

// FuzzShapefile reads shapefiles with any bytes.
func FuzzShapefile(f *testing.F) {
	s := &shapefiletest.File{Columns: []string{"A"},
		Rows: []shapefiletest.Row{{Rings: [][]xy{box(13.28, 47.32, 13.29, 47.33), turned(box(13.282, 47.322, 13.288, 47.328))}}}}
	f.Add(s.SHP(), s.DBF(), "")
	f.Add(s.SHP(), []byte{}, "GEOGCS[")
	s = &shapefiletest.File{Type: 8, Rows: []shapefiletest.Row{{Points: []xy{{13.28, 47.32}}}}}
	f.Add(s.SHP(), []byte{}, "")
	f.Fuzz(func(t *testing.T, shp, dbf []byte, prj string) {
		files := []any{"a.shp", shp}
		if len(dbf) > 0 {
			files = append(files, "a.dbf", dbf)
		}
		if prj != "" {
			files = append(files, "a.prj", prj)
		}
		a, err := Parse(t.Context(), []byte(packed(t, files...)))
		holdsBounds(t, a, err)
	})
}
