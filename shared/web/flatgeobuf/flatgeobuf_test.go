package flatgeobuf

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	fgb "github.com/gogama/flatgeobuf/flatgeobuf"
	"github.com/gogama/flatgeobuf/flatgeobuf/flat"
	"github.com/gogama/flatgeobuf/packedrtree"

	"mappe/infra/oracles"
	"mappe/shared/geo/geom"
	"mappe/shared/web/format"
	"mappe/shared/web/format/formattest"
)

var areaType = format.NewRowType("area", "An area.", format.ShapeMultiPolygon,
	format.Column{Name: "area_id", Doc: "Its number."},
	format.Column{Name: "n", Type: format.TypeInt},
	format.Column{Name: "sqm", Type: format.TypeFloat, Decimals: 1, Unit: "m²", Doc: "How large it is."},
	format.Column{Name: "flat", Type: format.TypeBool},
	format.Column{Name: "uses", Type: format.TypeJSON},
	format.Column{Name: "lon", Type: format.TypeDegrees})

// areas are n areas in a grid of 100 columns: every third has two parts, every fifth a hole, every seventh no geometry.
func areas(n int) (list []formattest.Row) {
	for i := range n {
		x, y := 130_000_000+int32(i%100)*20_000, 470_000_000+int32(i/100)*20_000
		m := geom.MultiPolygon{{formattest.Square(x, y, 10_000)}}
		if i%3 == 0 {
			m = append(m, geom.Polygon{formattest.Square(x+12_000, y+12_000, 3_000)})
		}
		if i%5 == 0 {
			hole := formattest.Square(x+2_000, y+2_000, 2_000)
			slices.Reverse(hole)
			m[0] = append(m[0], hole)
		}
		if i%7 == 6 {
			m = nil
		}
		vals := []format.Value{format.String("ä-" + strconv.Itoa(i)), format.Int(int64(i)), format.Float(float64(i)+0.25, 1),
			format.Bool(i%2 == 0), format.RawJSON(`{"41":2}`), format.Degrees(x)}
		if i%4 == 3 {
			vals[1], vals[4] = format.Null, format.Null
		}
		list = append(list, formattest.Row{Of: areaType, Vals: vals, Shape: format.PolygonGeometry(m)})
	}
	return list
}

func written(t testing.TB, l Layer) (string, []byte) {
	t.Helper()
	dir := t.TempDir()
	path := filepath.Join(dir, "layer.fgb")
	if err := WriteFile(t.Context(), path, l); err != nil {
		t.Fatal(err)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) != 1 {
		t.Errorf("beside the file: %v, %v", left, err)
	}
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return path, b
}

func layer(n int) Layer {
	return Layer{Name: "areas", Title: "Areas", Description: "CC BY 4.0", Metadata: `{"stichtag":"2026-10-01"}`,
		Layout: format.NewLayout(nil, areaType), Rows: format.Rows(areas(n))}
}

// TestTheReaderOfTheLibrary reads the file back with code of others: header, order and offsets of the index.
func TestTheReaderOfTheLibrary(t *testing.T) {
	_, body := written(t, layer(1000))
	if _, again := written(t, layer(1000)); !bytes.Equal(body, again) {
		t.Error("the same rows give other bytes")
	}
	r := fgb.NewFileReader(bytes.NewReader(body))
	h, err := r.Header()
	if err != nil {
		t.Fatal(err)
	}
	if string(h.Name()) != "areas" || h.GeometryType() != flat.GeometryTypeMultiPolygon || h.FeaturesCount() != 1000 ||
		h.IndexNodeSize() != 16 || h.ColumnsLength() != 6 || string(h.Metadata()) != `{"stichtag":"2026-10-01"}` ||
		h.EnvelopeLength() != 4 || h.Envelope(0) != 13 || h.Crs(nil).Code() != 4326 {
		t.Errorf("header: %s, %v, %d", h.Name(), h.GeometryType(), h.FeaturesCount())
	}
	var types []string
	for i := range h.ColumnsLength() {
		var c flat.Column
		h.Columns(&c, i)
		types = append(types, string(c.Name())+" "+c.Type().String())
	}
	if got := strings.Join(types, ", "); got != "area_id String, n Long, sqm Double, flat Bool, uses Json, lon Double" {
		t.Errorf("columns %s", got)
	}
	// 15 squares reach into a box of the fourth and fifth row.
	found, err := r.IndexSearch(packedrtree.Box{XMin: 13.0200, YMin: 47.006, XMax: 13.0300, YMax: 47.0085})
	if err != nil {
		t.Fatal(err)
	}
	want := 0
	for i, a := range areas(1000) {
		if e, ok := (format.Projection{}).Envelope(a.Shape); ok && i%7 != 6 && e[0] <= 13.03 && e[2] >= 13.02 && e[1] <= 47.0085 &&
			e[3] >= 47.006 {
			want++
		}
	}
	if len(found) != want || want < 5 {
		t.Errorf("%d features in the box, want %d", len(found), want)
	}
}

// TestTheFeaturesAreTheRows: whole, in whatever order.
func TestTheFeaturesAreTheRows(t *testing.T) {
	_, body := written(t, layer(200))
	r := fgb.NewFileReader(bytes.NewReader(body))
	if _, err := r.Header(); err != nil {
		t.Fatal(err)
	}
	if _, err := r.Index(); err != nil {
		t.Fatal(err)
	}
	rows := areas(200)
	seen := map[int]bool{}
	features, err := r.DataRem()
	if err != nil && !errors.Is(err, io.EOF) {
		t.Fatal(err)
	}
	for k := range features {
		f := &features[k]
		id := string(f.PropertiesBytes()[6:])
		id, _, _ = strings.Cut(id[:slices.IndexFunc([]byte(id+"\x00"), func(b byte) bool { return b < ' ' })], "\x00")
		n, err := strconv.Atoi(strings.TrimPrefix(id, "ä-"))
		if err != nil || seen[n] {
			t.Fatalf("feature %d: %q", k, id)
		}
		seen[n] = true
		var g flat.Geometry
		m := rows[n].Shape.Polygons
		if f.Geometry(&g) == nil || g.PartsLength() != len(m) || len(m) == 0 && k < 200-200/7 {
			t.Fatalf("row %d at %d: %d parts, want %d", n, k, g.PartsLength(), len(m))
		}
		for i := range m {
			var p flat.Geometry
			g.Parts(&p, i)
			vertices := 0
			for _, ring := range m[i] {
				vertices += len(ring) + 1
			}
			if p.XyLength() != 2*vertices || p.Xy(0) != float64(m[i][0][0].X)/1e7 ||
				len(m[i]) > 1 && (p.EndsLength() != len(m[i]) || p.Ends(0) != 5) {
				t.Errorf("row %d, part %d: %d numbers, %d ends", n, i, p.XyLength(), p.EndsLength())
			}
		}
	}
	if len(seen) != 200 {
		t.Errorf("%d of 200 rows", len(seen))
	}
}

// TestGDALReadsTheFile: rows, values and shapes as GDAL has them, whole and by a box through the index.
func TestGDALReadsTheFile(t *testing.T) {
	ogr2ogr, ogrinfo := oracles.Program(t, "ogr2ogr"), oracles.Program(t, "ogrinfo")
	path, _ := written(t, layer(1000))
	out, err := exec.Command(ogrinfo, "-ro", "-so", "-al", path).CombinedOutput()
	text := string(out)
	if err != nil || strings.Contains(text, "Warning") || strings.Contains(text, "ERROR") {
		t.Fatalf("%v\n%s", err, text)
	}
	for _, want := range []string{"Feature Count: 1000\n", "Geometry: Multi Polygon", "n: Integer64", "sqm: Real", "flat: Integer(Boolean)",
		"area_id: String", `ID["EPSG",4326]`, "Extent: (13.000000, 47.000000) - (13.199500, 47.019500)"} {
		if !strings.Contains(text, want) {
			t.Errorf("GDAL's description lacks %q:\n%s", want, text)
		}
	}
	read := func(args ...string) map[string]map[string]any {
		t.Helper()
		out, err := exec.Command(ogr2ogr, append([]string{"-f", "GeoJSONSeq", "/vsistdout/", path}, args...)...).Output()
		if err != nil {
			t.Fatal(err)
		}
		all := map[string]map[string]any{}
		for line := range strings.Lines(string(out)) {
			var f struct {
				Properties map[string]any
				Geometry   map[string]any
			}
			if err := json.Unmarshal([]byte(line), &f); err != nil {
				t.Fatal(err)
			}
			f.Properties["geometry"] = f.Geometry
			all[f.Properties["area_id"].(string)] = f.Properties
		}
		return all
	}
	all := read("-lco", "RS=NO")
	if len(all) != 1000 {
		t.Fatalf("GDAL brings %d rows", len(all))
	}
	for i, r := range areas(1000) {
		f := all["ä-"+strconv.Itoa(i)]
		if sqm, _ := r.Vals[2].Float64(); f["sqm"] != sqm || f["flat"] != (i%2 == 0) || (f["n"] == nil) != (i%4 == 3) {
			t.Errorf("row %d: %v", i, f)
		}
		g, _ := f["geometry"].(map[string]any)
		if i%7 == 6 {
			if parts, _ := g["coordinates"].([]any); g["type"] != "MultiPolygon" || len(parts) != 0 {
				t.Errorf("row %d has a geometry: %v", i, g)
			}
			continue
		}
		if parts := g["coordinates"].([]any); len(parts) != len(r.Shape.Polygons) || len(parts[0].([]any)) != len(r.Shape.Polygons[0]) {
			t.Errorf("row %d: %v", i, g)
		}
	}
	if some := read("-spat", "13.02", "47.006", "13.03", "47.0085"); len(some) == 0 || len(some) > 20 || some["ä-310"] == nil {
		t.Errorf("%d rows in a box: %v", len(some), some)
	}
}

// TestOtherLayers: points, an empty layer, one in which nothing has a geometry, another system.
func TestOtherLayers(t *testing.T) {
	ogrinfo := oracles.Program(t, "ogrinfo")
	spots := []formattest.Row{formattest.Spot("a", 130_000_000, 470_000_000), formattest.Spot("b", 130_000_001, 470_000_000)}
	projected := format.NewLayout(nil, formattest.SpotType)
	projected.Projection = format.Projection{EPSG: 3857, Forward: func(lon, lat float64) (float64, float64) { return lon * 1e5, lat * 1e5 }}
	for name, c := range map[string]struct {
		layer Layer
		want  []string
	}{
		"points": {Layer{Name: "spots", Layout: format.NewLayout(nil, formattest.SpotType), Rows: format.Rows(spots)},
			[]string{"Geometry: Point", "Feature Count: 2", "POINT (13.0000001 47"}},
		"projected": {Layer{Name: "spots", Layout: projected, Rows: format.Rows(spots)},
			[]string{`ID["EPSG",3857]`, "POINT (1300000 4700000"}},
		"empty": {Layer{Name: "spots", Layout: format.NewLayout(nil, formattest.SpotType), Rows: format.Rows([]formattest.Row(nil))},
			[]string{"Feature Count: 0", "spot_id: String"}},
		"no geometry": {Layer{Name: "areas", Layout: format.NewLayout([]string{"n"}, areaType), Rows: format.Rows(areas(7)[6:])},
			[]string{"Feature Count: 1", "n (Integer64) = 6"}},
	} {
		path, _ := written(t, c.layer)
		out, err := exec.Command(ogrinfo, "-ro", "-al", path).CombinedOutput()
		if err != nil || strings.Contains(string(out), "ERROR") {
			t.Errorf("%s: %v\n%s", name, err, out)
		}
		for _, want := range c.want {
			if !strings.Contains(string(out), want) {
				t.Errorf("%s: GDAL does not say %q:\n%s", name, want, out)
			}
		}
	}
}

// TestRowsThatFail: an error of the rows and a request that is given up end the writing, and nothing is left.
func TestRowsThatFail(t *testing.T) {
	dir := t.TempDir()
	broken := errors.New("the store is gone")
	l := layer(10)
	l.Rows = func(yield func(format.Row, error) bool) { yield(nil, broken) }
	if err := WriteFile(t.Context(), filepath.Join(dir, "a.fgb"), l); !errors.Is(err, broken) {
		t.Errorf("%v", err)
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if err := WriteFile(gone, filepath.Join(dir, "b.fgb"), layer(10)); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("%v is left, %v", left, err)
	}
	path, _ := written(t, layer(1))
	if err := WriteFile(t.Context(), path, layer(1)); !errors.Is(err, os.ErrExist) {
		t.Errorf("a file that exists: %v", err)
	}
}

// TestTheJavaScriptReaderReadsTheFile: all rows with their values and shapes, and a box by ranges of the file.
func TestTheJavaScriptReaderReadsTheFile(t *testing.T) {
	path, body := written(t, layer(1000))
	var got struct {
		Header struct {
			Title, Metadata string
			Count, CRS      int
			Columns         []string
		}
		Features, Found []struct {
			Properties map[string]any
			Geometry   struct {
				Type        string
				Coordinates []json.RawMessage
			}
		}
		Ranges, Bytes int
	}
	if err := json.Unmarshal(oracles.Run(t, "flatgeobuf.mjs", path, "13.02", "47.006", "13.03", "47.0085"), &got); err != nil {
		t.Fatal(err)
	}
	if h := got.Header; h.Title != "Areas" || h.Metadata != `{"stichtag":"2026-10-01"}` || h.Count != 1000 || h.CRS != 4326 ||
		len(h.Columns) != 6 {
		t.Errorf("header %+v", h)
	}
	if len(got.Features) != 1000 {
		t.Fatalf("%d features", len(got.Features))
	}
	rows, bare := areas(1000), 0
	for _, f := range got.Features {
		n, err := strconv.Atoi(strings.TrimPrefix(f.Properties["area_id"].(string), "ä-"))
		if err != nil {
			t.Fatal(err)
		}
		if sqm, _ := rows[n].Vals[2].Float64(); f.Properties["sqm"] != sqm || f.Properties["flat"] != (n%2 == 0) {
			t.Errorf("row %d: %v", n, f.Properties)
		}
		if len(f.Geometry.Coordinates) == 0 {
			bare++
		}
		if f.Geometry.Type != "MultiPolygon" || len(f.Geometry.Coordinates) != len(rows[n].Shape.Polygons) {
			t.Errorf("row %d is a %s of %d parts", n, f.Geometry.Type, len(f.Geometry.Coordinates))
		}
	}
	if bare != 142 {
		t.Errorf("%d features have no parts, want 142", bare)
	}
	if n := len(got.Found); n < 5 || n > 20 || got.Ranges == 0 || got.Bytes >= len(body) {
		t.Errorf("%d features in the box, by %d ranges with %d of %d bytes", n, got.Ranges, got.Bytes, len(body))
	}
}
