package gpkg

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/binary"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"mappe/infra/oracles"
)

// hill is a raster of 600 x 300 cells with a cliff of 900 m, which needs a coarser step than the others, a hole, and a corner
// of 256 x 256 cells where nothing is known.
func hill(col, row int) float32 {
	switch {
	case col < 256 && row < 256, col == 400 && row == 100:
		return float32(math.NaN())
	case col >= 512:
		return float32(col-512)*11.3 - 3.25
	}
	return 512.345 + 0.1*float32(col) - 0.037*float32(row)
}

func hillCoverage() Coverage {
	return Coverage{Name: "dtm", Pyramid: Pyramid{EPSG: 3035, West: 4500000, North: 2800300, Step: 1, Cols: 600, Rows: 300, Levels: 2},
		Unit: "m", Field: "Height", Quantum: 0.01, Read: func(_ context.Context, w Window) ([]float32, error) {
			var out []float32
			for r := range w.Rows {
				for c := range w.Cols {
					out = append(out, hill((w.Col+c)<<w.Level, (w.Row+r)<<w.Level))
				}
			}
			return out, nil
		}}
}

func coverageFile() File {
	f := file(20)
	f.Coverages = []Coverage{hillCoverage()}
	return f
}

func TestCoverageSameBytes(t *testing.T) {
	var a, b bytes.Buffer
	for _, w := range []*bytes.Buffer{&a, &b} {
		if err := Write(context.Background(), w, coverageFile()); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(a.Bytes(), b.Bytes()) {
		t.Fatal("two files of the same raster differ")
	}
}

func TestCoverageTables(t *testing.T) {
	db, err := sql.Open("sqlite", write(t, coverageFile()))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for query, want := range map[string]string{
		"SELECT count(*) FROM dtm WHERE zoom_level=1":                                                    "5", // of six one is empty
		"SELECT count(*) FROM dtm WHERE zoom_level=0":                                                    "2",
		"SELECT group_concat(matrix_width||'x'||matrix_height||'/'||pixel_x_size) FROM gpkg_tile_matrix": "4x2/1.0,2x1/2.0",
		"SELECT min_x||' '||min_y||' '||max_x||' '||max_y FROM gpkg_tile_matrix_set": "4500000.0 2799788.0 " +
			"4501024.0 2800300.0",
		"SELECT min_x||' '||min_y||' '||max_x||' '||max_y FROM gpkg_contents WHERE table_name='dtm'": "4500000.0 2800000.0 " +
			"4500600.0 2800300.0",
		"SELECT count(*) FROM gpkg_2d_gridded_tile_ancillary WHERE scale=0.01":                "4",
		"SELECT data_type FROM gpkg_contents WHERE table_name='dtm'":                          "2d-gridded-coverage",
		"SELECT count(*) FROM dtm JOIN gpkg_2d_gridded_tile_ancillary a ON a.tpudt_id=dtm.id": "7",
		"PRAGMA integrity_check":                        "ok",
		"SELECT count(*) FROM pragma_foreign_key_check": "0",
	} {
		var got string
		if err := db.QueryRow(query).Scan(&got); err != nil || got != want {
			t.Errorf("%s: %q, want %q (%v)", query, got, want, err)
		}
	}
}

func TestCoverageRefuses(t *testing.T) {
	for name, spoil := range map[string]func(*Coverage){
		"name":    func(c *Coverage) { c.Name = "gpkg_x" },
		"quantum": func(c *Coverage) { c.Quantum = 0 },
		"levels":  func(c *Coverage) { c.Levels = 0 },
		"system":  func(c *Coverage) { c.EPSG = 1 },
		"too few": func(c *Coverage) {
			c.Read = func(context.Context, Window) ([]float32, error) { return nil, nil }
		},
		"infinite": func(c *Coverage) { c.Cols, c.Rows, c.Levels = 1, 1, 1; c.Read = infinite },
	} {
		f := coverageFile()
		spoil(&f.Coverages[0])
		if err := WriteFile(context.Background(), filepath.Join(t.TempDir(), "x.gpkg"), f); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func infinite(context.Context, Window) ([]float32, error) {
	return []float32{float32(math.Inf(1))}, nil
}

// GDAL reads what was written, to half of the quantum, where the steps of a tile allow it, and knows what is not known.
func TestCoverageReadByGDAL(t *testing.T) {
	translate, info := oracles.Program(t, "gdal_translate"), oracles.Program(t, "gdalinfo")
	path := write(t, coverageFile())
	out, err := exec.Command(info, path).CombinedOutput()
	text := string(out)
	if err != nil || strings.Contains(text, "Warning") || strings.Contains(text, "ERROR") {
		t.Fatalf("gdalinfo: %v\n%s", err, text)
	}
	for _, want := range []string{"Size is 600, 300", "Origin = (4500000.000000000000000,2800300.000000000000000)", "Pixel Size = (1.0",
		"Type=Float32", "Overviews: 300x150",
		"AREA_OR_POINT=Area", "Unit Type: m"} {
		if !strings.Contains(text, want) {
			t.Errorf("gdalinfo does not say %q:\n%s", want, text)
		}
	}
	raw := filepath.Join(t.TempDir(), "raw.bin")
	if out, err := exec.Command(translate, "-q", "-of", "ENVI", path, raw).CombinedOutput(); err != nil || len(out) > 0 {
		t.Fatalf("gdal_translate: %v\n%s", err, out)
	}
	b, err := os.ReadFile(raw)
	if err != nil || len(b) != 600*300*4 {
		t.Fatalf("%d bytes, %v", len(b), err)
	}
	none := math.Float32frombits(binary.LittleEndian.Uint32(b)) // the corner
	for row := range 300 {
		for col := range 600 {
			got, want := math.Float32frombits(binary.LittleEndian.Uint32(b[4*(row*600+col):])), hill(col, row)
			if known := got != none && got == got; known != (want == want) {
				t.Fatalf("cell %d, %d: %g, want %g", col, row, got, want)
			}
			by := 0.00501
			if col >= 512 {
				by = 988.0 / 65534
			}
			if want == want && math.Abs(float64(got-want)) > by {
				t.Fatalf("cell %d, %d: %g, want %g", col, row, got, want)
			}
		}
	}
}
