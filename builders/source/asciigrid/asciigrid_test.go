package asciigrid

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"mappe/artefacts/cog"
	"mappe/artefacts/cog/cogtest"
	"mappe/infra/oracles"
	"mappe/shared/geo/crs"
	"mappe/shared/geo/raster"
)

// big is a grid of more rows than lie between two marks, with values that tell their place and one that is missing.
func big(cols, rows int, blank string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "ncols %d\nnrows %d\nxllcorner 400000\nyllcorner 400000\ncellsize 1\nNODATA_value -9999\n", cols, rows)
	for row := range rows {
		for col := range cols {
			if row == 20 && col == 3 {
				b.WriteString("-9999" + blank)
				continue
			}
			fmt.Fprintf(&b, "%.2f%s", float64(row)+float64(col)/100, blank)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func opened(t *testing.T, text string) (*File, *strings.Reader) {
	t.Helper()
	in := strings.NewReader(text)
	f, err := NewFile(in, int64(len(text)), "dgm.asc")
	if err != nil {
		t.Fatal(err)
	}
	return f, in
}

// Windows have the values of their cells, wherever they begin and however the text is broken into lines.
func TestWindows(t *testing.T) {
	const cols, rows = 30, 75
	for name, text := range map[string]string{"a line a row": big(cols, rows, " "), "a line a value": big(cols, rows, "\r\n"),
		"no blank at the end": strings.TrimSpace(big(cols, rows, "\t "))} {
		f, in := opened(t, text)
		if f.System != crs.LambertMGI || f.X != 400000.5 || f.Cols != cols || f.Rows != rows || f.NoData != -9999 {
			t.Fatalf("%s: %+v", name, f.Head)
		}
		for _, w := range []Window{{0, 0, cols, rows}, {3, 20, 1, 1}, {29, 74, 1, 1}, {5, 16, 7, 17}, {0, 15, 30, 1}} {
			g, err := f.Read(in, w)
			if err != nil {
				t.Fatalf("%s: %v: %v", name, w, err)
			}
			if g.West != 400000+float64(w.Col) || g.North != 400000+rows-float64(w.Row) || g.Step != 1 {
				t.Errorf("%s: %v lies at %g, %g", name, w, g.West, g.North)
			}
			for row := range w.Rows {
				for col := range w.Cols {
					want := float32(math.Round(100*(float64(w.Row+row)+float64(w.Col+col)/100)) / 100)
					got := g.Row(row)[col]
					if w.Row+row == 20 && w.Col+col == 3 {
						if got == got {
							t.Errorf("%s: a missing value is read as %g", name, got)
						}
					} else if got != want {
						t.Fatalf("%s: %v, row %d, column %d: %g, expected %g", name, w, row, col, got, want)
					}
				}
			}
		}
	}
}

// Damage is told apart from a disk that fails.
func TestDamagedFiles(t *testing.T) {
	text := big(30, 75, " ")
	for name, c := range map[string]struct{ text, want string }{
		"cut":       {text[:len(text)*9/10], "heights, expected 2250"},
		"too long":  {text + "1 2 3", "2253 heights, expected 2250"},
		"no number": {strings.Replace(text, "40.05", "fourty", 1), `"fourty" is no number`},
		"a page":    {strings.Replace(text, "40.05", strings.Repeat("x", 2000), 1), "is no number"},
	} {
		f, in := opened(t, c.text)
		for range 2 {
			_, err := f.Read(in, Window{0, 0, 30, 75})
			if !errors.Is(err, ErrFormat) || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
	f, in := opened(t, text)
	if _, err := f.Read(failing{}, Window{0, 0, 2, 2}); err == nil || errors.Is(err, ErrFormat) {
		t.Errorf("a disk that fails: %v", err)
	}
	if _, err := f.Read(in, Window{0, 0, 2, 2}); err != nil {
		t.Errorf("after a disk that failed: %v", err)
	}
}

type failing struct{}

func (failing) ReadAt([]byte, int64) (int, error) { return 0, io.ErrClosedPipe }

// Numbers are those of strconv.ParseFloat.
func TestNumbers(t *testing.T) {
	for _, word := range []string{"0", "-0", "1", "-1.5", "123456.789", ".5", "5.", "-.25", "1e3", "-9999", "3.40282e+38", "nan", "0.1",
		"0.30", "999999999999999", "9999999999999999", "0.000000000000001", "0.0000000000000001", "1234567.12345678", "--1", "1-2", "1.2.3",
		"-", ".", "1,5", "+3", "0x10", "inf"} {
		want, err := strconv.ParseFloat(word, 64)
		got, ok := parse([]byte(word))
		if ok != (err == nil) || ok && math.Float64bits(got) != math.Float64bits(want) && got == got {
			t.Errorf("%s: got %g, %v, want %g, %v", word, got, ok, want, err)
		}
	}
}

// GDAL writes what is read.
func TestGDALsGrids(t *testing.T) {
	translate := oracles.Program(t, "gdal_translate")
	g := raster.New(4_400_000, 2_700_000, 1, 50, 40)
	for i := range g.Z {
		g.Z[i] = float32(math.Round(100*(500+20*math.Sin(float64(i)/7))) / 100)
	}
	g.Z[77] = float32(math.NaN())
	b, err := cog.Encode(g, cog.Options{Packing: cog.Deflate, EPSG: 3035})
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	from, to, back := filepath.Join(dir, "a.tif"), filepath.Join(dir, "dgm_epsg3035.asc"), filepath.Join(dir, "b.tif")
	if err := os.WriteFile(from, b, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"-q", "-of", "AAIGrid", from, to}, {"-q", "-a_srs", "EPSG:3035", to, back}} {
		if out, err := exec.Command(translate, args...).CombinedOutput(); err != nil {
			t.Fatalf("%v: %v: %s", args, err, out)
		}
	}
	text, err := os.ReadFile(to)
	if err != nil {
		t.Fatal(err)
	}
	f, err := NewFile(bytes.NewReader(text), int64(len(text)), to)
	if err != nil {
		t.Fatal(err)
	}
	got, err := f.Read(bytes.NewReader(text), Window{0, 0, 50, 40})
	if err != nil {
		t.Fatal(err)
	}
	again, err := os.ReadFile(back)
	if err != nil {
		t.Fatal(err)
	}
	judged := cogtest.Whole(t, again)
	if f.System != crs.LAEA || got.West != judged.West || got.North != judged.North {
		t.Errorf("at %g, %g in %v, GDAL has %g, %g", got.West, got.North, f.System, judged.West, judged.North)
	}
	for i, z := range got.Z {
		if w := judged.Z[i]; z != w && (z == z || w == w) || z == z && z != g.Z[i] {
			t.Fatalf("cell %d: %g, GDAL has %g, written was %g", i, z, w, g.Z[i])
		}
	}
}

// A window of the whole is what the reader gives, and both refuse the same files.
func FuzzFile(f *testing.F) {
	f.Add([]byte(big(3, 20, " ")))
	f.Add([]byte("ncols 2 nrows 2 xllcenter 13 yllcenter 47 cellsize 1 1 2 3 nan"))
	f.Add([]byte("ncols 2\nnrows 2\nxllcorner 13\nyllcorner 47\ncellsize 0.1\nNODATA_value 2\n1 2\n3e0 4"))
	f.Fuzz(func(t *testing.T, text []byte) {
		g, err := NewFile(bytes.NewReader(text), int64(len(text)), "a.asc")
		if err != nil {
			return
		}
		r, err := NewReader(bytes.NewReader(text), "a.asc")
		if err != nil {
			t.Fatal(err)
		}
		want := make([]float64, 0, r.Cells())
		for range r.Cells() {
			v, e := r.Next()
			if err = e; err != nil {
				break
			}
			want = append(want, v)
		}
		if err == nil {
			err = r.End()
		}
		got, e := g.Read(bytes.NewReader(text), Window{0, 0, g.Cols, g.Rows})
		if e == nil && err != nil {
			t.Fatalf("read by a window: %v", err)
		}
		if e != nil {
			if err == nil {
				t.Fatalf("not read by a window: %v", e)
			}
			return
		}
		for i, v := range want {
			if z := got.Z[i]; z != float32(v) && (z == z || v == v) {
				t.Fatalf("value %d: %g, expected %g", i, z, v)
			}
		}
	})
}

func BenchmarkWindow(b *testing.B) {
	text := big(2000, 2000, " ")
	in := strings.NewReader(text)
	f, err := NewFile(in, int64(len(text)), "a.asc")
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		f.marks = nil
		if _, err := f.Read(in, Window{0, 0, 2000, 2000}); err != nil {
			b.Fatal(err)
		}
	}
}
