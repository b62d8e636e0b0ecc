package relief

import (
	"bytes"
	"fmt"
	"image/png"
	"math"
	"strings"
	"testing"
	"testing/fstest"

	"mappe/artefacts/manifest"
	"mappe/artefacts/pmt"
	"mappe/builders/stage"
	"mappe/shared/cloud/store/mem"
	"mappe/shared/cloud/store/storetest"
)

// slope is a grid whose heights rise evenly to the east, with a hole.
func slope(cols int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "ncols %d\nnrows %d\nxllcenter 13.2\nyllcenter 47.2\ncellsize 0.0003\nNODATA_value -9999\n", cols, cols)
	for row := range cols {
		for col := range cols {
			if row > 40 && row < 60 && col > 40 && col < 60 {
				b.WriteString("-9999 ")
				continue
			}
			fmt.Fprintf(&b, "%d ", 500+col)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func opened(t testing.TB, grid string) *Source {
	t.Helper()
	s, err := Read(fstest.MapFS{"terrain/dgm.asc": {Data: []byte(grid)}}, "© BEV, 2026")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// Pixels hold the heights of their places; lower zooms the means; what is not known the height beside it.
func TestTilesHoldTheHeights(t *testing.T) {
	s := opened(t, slope(300))
	body, err := s.Encode(t.Context(), 2)
	if err != nil {
		t.Fatal(err)
	}
	if again, err := s.Encode(t.Context(), 1); err != nil || !bytes.Equal(body, again) {
		t.Errorf("one worker draws another archive: %v", err)
	}
	a, err := pmt.Open(bytes.NewReader(body), int64(len(body)))
	if err != nil {
		t.Fatal(err)
	}
	if h := a.Header; h.Type != pmt.PNG || h.MinZoom != minZoom || h.MaxZoom != maxZoom {
		t.Errorf("%+v", h)
	}
	checked := 0
	for z := uint8(minZoom); z <= maxZoom; z++ {
		x, y := tileAt(13.245, 47.245, z)
		id := pmt.ZXY{Z: z, X: x, Y: y}
		tile, err := a.Tile(id)
		if err != nil {
			t.Fatal(err)
		}
		img, err := png.Decode(bytes.NewReader(tile))
		if err != nil {
			t.Fatal(err)
		}
		for row := 0; row < side; row += 5 {
			for col := 0; col < side; col += 5 {
				lon, lat := place(id, col, row)
				want, ok := s.Model.At(lon, lat)
				if !ok {
					continue
				}
				r, g, b, _ := img.At(col, row).RGBA()
				got := float64(r>>8)*256 + float64(g>>8) + float64(b>>8)/256 - 32768
				// A pixel of a lower zoom is the mean of a wider stretch, at a border or a hole of a part of it.
				if math.Abs(got-want) > 1+1.2*math.Exp2(float64(maxZoom-z)) {
					t.Fatalf("zoom %d, %.4f %.4f: want %g m, got %g", z, lon, lat, want, got)
				}
				checked++
			}
		}
		for at := range side * side {
			r, g, _, _ := img.At(at%side, at/side).RGBA()
			if h := float64(r>>8)*256 + float64(g>>8) - 32768; h < 499 || h > 800 {
				t.Fatalf("zoom %d, pixel %d: %g m", z, at, h)
			}
		}
	}
	if checked < 1000 {
		t.Errorf("%d pixels were checked", checked)
	}
}

// The same terrain is drawn once.
func TestTheSameTerrainIsTakenOver(t *testing.T) {
	st := &storetest.Faulty{Store: mem.New()}
	run := func(s *Source, live manifest.Artefacts) manifest.Object {
		t.Helper()
		stages := Stages(s, nil)
		o, err := stages[0].Make(t.Context(), &stage.Country{Store: st, Live: live, Workers: 2})
		if err != nil {
			t.Fatal(err)
		}
		return o
	}
	s := opened(t, slope(60))
	first := run(s, nil)
	if again := run(s, manifest.Artefacts{Artefact: first}); again != first || st.Writes() != 1 {
		t.Errorf("%+v, %d writes", again, st.Writes())
	}
	if other := run(opened(t, slope(70)), manifest.Artefacts{Artefact: first}); other.Key == first.Key {
		t.Error("another terrain gives the same tiles")
	}
	before := st.Writes()
	if err := st.Store.Delete(t.Context(), first.Key); err != nil {
		t.Fatal(err)
	}
	if again := run(s, manifest.Artefacts{Artefact: first}); again != first || st.Writes() != before+1 {
		t.Errorf("what was lost is not made again: %d writes", st.Writes()-before)
	}
	if Stages(nil, nil) != nil {
		t.Error("no terrain makes a stage")
	}
}

func TestAGridWithoutHeights(t *testing.T) {
	s := opened(t, "ncols 2\nnrows 2\nxllcenter 13\nyllcenter 47\ncellsize 0.1\nNODATA_value 0\n0 0 0 0")
	if body, err := s.Encode(t.Context(), 1); body != nil || err != nil {
		t.Errorf("%d bytes, %v", len(body), err)
	}
}

func BenchmarkEncode(b *testing.B) {
	s := opened(b, slope(1500))
	for b.Loop() {
		body, err := s.Encode(b.Context(), 2)
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(len(body)), "bytes")
	}
}
