package dxf

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"mappe/infra/oracles"
	"mappe/shared/geo/crs"
	"mappe/shared/geo/geom"
	"mappe/shared/web/format"
)

type thing struct {
	name string
	at   geom.Point
}

var things = format.NewSchema("things", "Things.", format.Drawing[thing]{
	Point: func(t *thing) geom.Point { return t.at },
	Polygons: func(t *thing) geom.MultiPolygon {
		return geom.MultiPolygon{{{t.at, {X: t.at.X + 1000, Y: t.at.Y}, {X: t.at.X, Y: t.at.Y + 1000}}, {{X: t.at.X + 100,
			Y: t.at.Y + 100}, {X: t.at.X + 100, Y: t.at.Y + 200}, {X: t.at.X + 200, Y: t.at.Y + 100}}}}
	},
}, format.Fields[thing]{{Column: format.Column{Name: "name"}, Get: func(t *thing) format.Value { return format.String(t.name) }}})

func drawing(at format.Projection) Drawing {
	seq := func(s *format.Schema[thing]) (format.Seq, *format.Record[thing]) {
		r := s.Record()
		return func(yield func(format.Row, error) bool) {
			for _, r.Item = range []thing{{".1/2", geom.Point{X: 130_000_000, Y: 470_000_000}}, {"Öd\nž", geom.Point{X: 131_000_000,
				Y: 471_000_000}}} {
				if !yield(r, nil) {
					return
				}
			}
		}, r
	}
	areas, a := seq(things)
	points, _ := seq(things.Shaped(format.ShapePoint))
	return Drawing{
		Comments: []string{"Licence ©"}, Layers: []Layer{{"GG", 7}, {"GN", 7}, {"HN", 1}}, Projection: at,
		Box: geom.Box{MinX: 130_000_000, MinY: 470_000_000, MaxX: 131_001_000, MaxY: 471_001_000},
		Parts: []Part{{Rows: areas, Outline: "GG", Text: "GN", Write: func(format.Row) (Text, bool) {
			return Text{Text: a.Item.name, At: a.Item.at, Height: 2, Turn: 15}, true
		}}, {Rows: points, Point: "HN"}},
	}
}

// GDAL reads the layers, the closed rings, texts with their characters, and positions to the millimetre.
func TestOpenedByGDAL(t *testing.T) {
	var b bytes.Buffer
	if err := Write(t.Context(), &b, drawing(format.Projection{EPSG: 31287, Forward: crs.LambertMGI.Forward})); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "a.dxf")
	if err := os.WriteFile(path, b.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(oracles.Program(t, "ogrinfo"), "-ro", "-al", path).CombinedOutput()
	text := string(out)
	if err != nil || strings.Contains(text, "ERROR") || strings.Contains(text, "Warning") {
		t.Fatalf("%v\n%s", err, text)
	}
	x, y := crs.LambertMGI.Forward(13, 47)
	for want, n := range map[string]int{
		// which AutoCAD reads as ž
		"Feature Count: 8": 1, "Layer (String) = GG": 4, "Layer (String) = GN": 2, "Layer (String) = HN": 2, "Text (String) = .1/2": 1,
		`Text (String) = Öd \U+017E`: 1,
		"LINESTRING Z (":             4, "a:15": 2, "s:2g": 2, "p:5": 2,
	} {
		if got := strings.Count(text, want); got != n {
			t.Errorf("%q stands %d times, want %d:\n%s", want, got, n, text)
		}
	}
	if !strings.Contains(text, trim(x)+" "+trim(y)) {
		t.Errorf("%.3f %.3f is missing from\n%s", x, y, text)
	}
	if !strings.HasPrefix(b.String(), "999\r\nLicence \xa9\r\n  0\r\nSECTION\r\n") || !strings.HasSuffix(b.String(), "  0\r\nEOF\r\n") {
		t.Errorf("%.60q", b.String())
	}
}

// Release 12 reads lines of at most 255 bytes: a long comment is folded between its words, and nothing of it is lost.
func TestLongCommentsAreFolded(t *testing.T) {
	long := "KG " + strings.Repeat("99101, 99102 ", 80) + strings.Repeat("x", 600)
	d := drawing(format.Projection{})
	d.Comments = []string{long, ""}
	var b bytes.Buffer
	if err := Write(t.Context(), &b, d); err != nil {
		t.Fatal(err)
	}
	var said []string
	lines := strings.Split(b.String(), "\r\n")
	for i, line := range lines {
		if len(line) > 255 {
			t.Errorf("a line of %d bytes", len(line))
		}
		if line == "999" {
			said = append(said, lines[i+1])
		}
	}
	joined := strings.NewReplacer(" ", "", "\r\n", "")
	if got := joined.Replace(strings.Join(said, "")); len(said) < 6 || got != joined.Replace(long) {
		t.Errorf("%d comments: %.200s", len(said), got)
	}
}

func trim(v float64) string {
	b := strings.TrimRight(strconv.FormatFloat(v, 'f', 3, 64), "0")
	return strings.TrimSuffix(b, ".")
}

func TestFaults(t *testing.T) {
	d := drawing(format.Projection{})
	for _, bad := range []Layer{{"", 7}, {"gg", 7}, {"GG", 0}, {"GG", 256}, {strings.Repeat("G", 32), 7}} {
		d.Layers = []Layer{bad}
		if err := Write(t.Context(), &bytes.Buffer{}, d); err == nil {
			t.Errorf("%v is taken", bad)
		}
	}
	broken := errors.New("broken")
	d.Layers, d.Parts = nil, []Part{{Rows: func(yield func(format.Row, error) bool) { yield(nil, broken) }}}
	if err := Write(context.Background(), &bytes.Buffer{}, d); !errors.Is(err, broken) {
		t.Error(err)
	}
}
