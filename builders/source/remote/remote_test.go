package remote

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"mappe/artefacts/cog"
	"mappe/artefacts/cog/cogtest"
	source "mappe/builders/source/rasters"
	"mappe/shared/geo/raster"
)

// server holds files as the office does, and counts.
type server struct {
	*httptest.Server
	mu       sync.Mutex
	files    map[string][]byte
	version  int
	gets     atomic.Int64 // answered with bytes
	bytes    atomic.Int64
	now, top atomic.Int64 // requests under way, and the most of them
	fail     func(n int64, w http.ResponseWriter) bool
	asked    atomic.Int64
}

func serve(t *testing.T, files map[string][]byte) *server {
	t.Helper()
	s := &server{files: files}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if n := s.now.Add(1); n > s.top.Load() {
			s.top.Store(n)
		}
		defer s.now.Add(-1)
		time.Sleep(2 * time.Millisecond) // so that requests meet
		s.mu.Lock()
		body, ok := s.files[r.URL.Path]
		mark := fmt.Sprintf(`"v%d"`, s.version)
		fail := s.fail
		s.mu.Unlock()
		if fail != nil && fail(s.asked.Add(1), w) {
			return
		}
		if !ok {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("ETag", mark)
		c := &counted{ResponseWriter: w}
		http.ServeContent(c, r, "", time.Time{}, bytes.NewReader(body))
		if c.n > 0 {
			s.gets.Add(1)
			s.bytes.Add(c.n)
		}
	}))
	t.Cleanup(s.Close)
	return s
}

type counted struct {
	http.ResponseWriter
	n int64
}

func (c *counted) Write(b []byte) (int, error) {
	n, err := c.ResponseWriter.Write(b)
	c.n += int64(n)
	return n, err
}

func (s *server) set(change func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	change()
}

// model is a height model of 3 x 2.5 km whose heights tell their place, rough so that it takes some MB.
func model(t *testing.T, west, north float64) (*raster.Grid, []byte) {
	t.Helper()
	g := raster.New(west, north, 1, 3000, 2500)
	r := rand.New(rand.NewPCG(1, 2))
	for i := range g.Z {
		g.Z[i] = float32(math.Round(100*(500+float64(i%3000)/7+9*r.Float64())) / 100)
	}
	b, err := cog.Encode(g, cog.Options{Packing: cog.Deflate, EPSG: 3035, Unit: "m"})
	if err != nil {
		t.Fatal(err)
	}
	return g, b
}

const dtmPath = "/20240915/ALS_DTM_CRS3035RES50000mN2650000E4450000.tif"

func request(s *server, dir string, area raster.Box) Request {
	return Request{Template: s.URL + "/20240915/ALS_DTM_CRS3035RES50000mN{N}E{E}.tif", Area: area, Out: filepath.Join(dir,
		"rasters", "20240915")}
}

// parts counts the files that are kept of unfinished ones.
func parts(t *testing.T, dir string) (n int) {
	t.Helper()
	if err := filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			n++
		}
		return err
	}); err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	return n
}

// A part of a large file is taken with a part of its bytes, two requests at once, and is a file of a source; where it has
// not changed nothing is read again.
func TestAPartOfALargeFile(t *testing.T) {
	g, body := model(t, 4_450_000, 2_653_000)
	s := serve(t, map[string][]byte{dtmPath: body})
	dir := t.TempDir()
	c := &Client{Cache: filepath.Join(dir, "parts"), Pause: time.Millisecond}
	area := raster.Box{West: 4_450_700, South: 2_651_300, East: 4_451_200, North: 2_651_600}
	got, err := c.Take(t.Context(), request(s, dir, area))
	if err != nil || len(got) != 1 || got[0].Missing || got[0].Kept || got[0].Bytes == 0 {
		t.Fatalf("%+v, %v", got, err)
	}
	if read := s.bytes.Load(); read > int64(len(body))/2 || s.top.Load() != atOnce {
		t.Errorf("%d of %d bytes are read, %d requests at once", read, len(body), s.top.Load())
	}
	files, passed, err := source.Find(os.DirFS(dir))
	if err != nil || len(files) != 1 || len(passed) > 0 || files[0].Layer != "dtm" || files[0].Date != "2024-09-15" {
		t.Fatalf("%v %v %v", files, passed, err)
	}
	written, err := os.ReadFile(got[0].File)
	if err != nil {
		t.Fatal(err)
	}
	cells := cogtest.Whole(t, written)
	if cells.West > area.West-margin || cells.East() < area.East+margin || cells.North < area.North+margin ||
		cells.South() > area.South-margin || cells.Cols > 900 {
		t.Errorf("%d x %d cells from %g, %g", cells.Cols, cells.Rows, cells.West, cells.North)
	}
	for row := range cells.Rows {
		for col := range cells.Cols {
			x, y := cells.Centre(col, row)
			if z := cells.Z[row*cells.Cols+col]; z != g.At(x, y) {
				t.Fatalf("at %g, %g: %g, expected %g", x, y, z, g.At(x, y))
			}
		}
	}
	before := s.bytes.Load()
	if got, err = c.Take(t.Context(), request(s, dir, area)); err != nil || !got[0].Kept || s.bytes.Load() != before {
		t.Errorf("again: %+v, %v, %d bytes", got, err, s.bytes.Load()-before)
	}
	s.set(func() { s.version++ })
	if got, err = c.Take(t.Context(), request(s, dir, area)); err != nil || got[0].Kept || s.bytes.Load() == before {
		t.Errorf("after a change: %+v, %v", got, err)
	}
	if n := parts(t, c.Cache); n != 0 {
		t.Errorf("%d downloaded files are left", n)
	}
}

// An area over the border of files is taken from each that the server has; what it does not have is said.
func TestAnAreaOverSeveralFiles(t *testing.T) {
	_, body := model(t, 4_450_000, 2_652_000)
	s := serve(t, map[string][]byte{dtmPath: body})
	dir := t.TempDir()
	c := &Client{Cache: filepath.Join(dir, "parts")}
	got, err := c.Take(t.Context(), request(s, dir, raster.Box{West: 4_449_000, South: 2_650_500, East: 4_450_400, North: 2_650_900}))
	if err != nil || len(got) != 2 || !got[0].Missing || got[0].File != "" || got[1].Missing || got[1].File == "" {
		t.Errorf("%+v, %v", got, err)
	}
	for name, area := range map[string]raster.Box{"no area": {}, "a country": {West: 4_300_000, South: 2_600_000, East: 4_900_000,
		North: 2_900_000}} {
		if _, err := c.Take(t.Context(), request(s, dir, area)); err == nil {
			t.Errorf("%s is taken", name)
		}
	}
	if _, err := c.Take(t.Context(), Request{Template: s.URL + "/x.tif", Area: raster.Box{East: 1000, North: 1000}}); err == nil ||
		!strings.Contains(err.Error(), "{N}") {
		t.Errorf("a template without a place: %v", err)
	}
}

// A run that was stopped anywhere goes on where it was, and comes to the same file; a server that is busy is asked again.
func TestATransferThatWasStoppedGoesOn(t *testing.T) {
	_, body := model(t, 4_450_000, 2_653_000)
	s := serve(t, map[string][]byte{dtmPath: body})
	area := raster.Box{West: 4_450_200, South: 2_650_700, East: 4_452_700, North: 2_652_800}
	whole := t.TempDir()
	first, err := (&Client{Cache: filepath.Join(whole, "parts")}).Take(t.Context(), request(s, whole, area))
	if err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile(first[0].File)
	if err != nil {
		t.Fatal(err)
	}
	all := s.gets.Load()
	if all < 8 {
		t.Fatalf("%d requests: too few to be stopped between", all)
	}
	for stop := int64(2); stop < all; stop += 1 + all/2 {
		dir := t.TempDir()
		c := &Client{Cache: filepath.Join(dir, "parts"), Pause: time.Millisecond}
		ctx, cancel := context.WithCancel(t.Context())
		s.asked.Store(0)
		s.set(func() {
			s.fail = func(n int64, w http.ResponseWriter) bool {
				if n == stop {
					cancel()
				}
				return n >= stop
			}
		})
		if _, err := c.Take(ctx, request(s, dir, area)); err == nil {
			t.Fatalf("stopped at request %d it is done", stop)
		}
		cancel()
		var busy atomic.Int64
		s.set(func() {
			s.fail = func(n int64, w http.ResponseWriter) bool {
				if busy.Add(1) == 2 {
					w.WriteHeader(http.StatusServiceUnavailable)
					return true
				}
				return false
			}
		})
		before := s.gets.Load()
		got, err := c.Take(t.Context(), request(s, dir, area))
		if err != nil {
			t.Fatalf("stopped at request %d: %v", stop, err)
		}
		if again := s.gets.Load() - before; again > all-(stop-1)+atOnce+1 {
			t.Errorf("stopped at request %d of %d, %d requests were made then", stop, all, again)
		}
		b, err := os.ReadFile(got[0].File)
		if err != nil || !bytes.Equal(b, want) {
			t.Errorf("stopped at request %d: another file, %v", stop, err)
		}
	}
}

// What servers answer that cannot be gone on with is said, and nothing is written.
func TestServersThatCannotBeReadByRange(t *testing.T) {
	_, body := model(t, 4_450_000, 2_653_000)
	area := raster.Box{West: 4_450_700, South: 2_651_300, East: 4_451_200, North: 2_651_600}
	for name, c := range map[string]struct {
		fail func(n int64, w http.ResponseWriter) bool
		want string
	}{
		"no ranges": {func(n int64, w http.ResponseWriter) bool { _, _ = w.Write(body); return true }, "does not answer ranges"},
		"forbidden": {func(n int64, w http.ResponseWriter) bool { w.WriteHeader(403); return true }, "403"},
		"busy":      {func(n int64, w http.ResponseWriter) bool { w.WriteHeader(429); return true }, "429"},
		"another range": {func(n int64, w http.ResponseWriter) bool {
			w.Header().Set("Content-Range", "bytes 5-9/100")
			w.WriteHeader(206)
			return true
		}, "answers the range"},
		"no mark": {func(n int64, w http.ResponseWriter) bool {
			w.Header().Set("Content-Range", "bytes 0-9/10")
			w.WriteHeader(206)
			_, _ = w.Write(body[:10])
			return true
		}, "neither an entity tag nor a date"},
		"a page": {func(n int64, w http.ResponseWriter) bool {
			w.Header().Set("Content-Range", "bytes 0-99/100")
			w.Header().Set("ETag", `"page"`)
			w.WriteHeader(206)
			_, _ = w.Write(bytes.Repeat([]byte("<"), 100))
			return true
		}, "II or MM"},
	} {
		s := serve(t, map[string][]byte{dtmPath: body})
		s.fail = c.fail
		dir := t.TempDir()
		if got, err := (&Client{Cache: filepath.Join(dir, "parts"), Pause: time.Millisecond}).Take(t.Context(), request(s, dir,
			area)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %+v, %v, expected %q", name, got, err, c.want)
		}
		if files, _, _ := source.Look(os.DirFS(dir)); len(files) > 0 {
			t.Errorf("%s: %s is written", name, files[0].Name)
		}
	}
	// A file that is replaced while it is read is no mixture of both.
	s := serve(t, map[string][]byte{dtmPath: body})
	s.fail = func(n int64, w http.ResponseWriter) bool {
		if n == 3 {
			s.set(func() { s.version++ })
		}
		return false
	}
	dir := t.TempDir()
	if _, err := (&Client{Cache: filepath.Join(dir, "parts"), Pause: time.Millisecond}).Take(t.Context(), request(s, dir,
		area)); !errors.Is(err, errChanged) {
		t.Errorf("a file that was replaced: %v", err)
	}
}

// Pictures are taken with all their bands; what is not known of them is 0.
func TestAPartOfAPicture(t *testing.T) {
	p := &raster.Samples[uint8]{West: 4_450_000, North: 2_652_000, Step: 0.5, Cols: 1500, Rows: 1500, Bands: 3, Pix: make([]uint8,
		1500*1500*3)}
	for i := range p.Pix {
		p.Pix[i] = uint8(1 + (i/3%1500+i%3)%200)
	}
	none := 0.0
	body, err := cog.EncodeSamples(p, cog.Options{Packing: cog.Zstd, EPSG: 3035, Colours: true, NoData: &none})
	if err != nil {
		t.Fatal(err)
	}
	s := serve(t, map[string][]byte{"/N2650000E4450000_20240625_RGB.tif": body})
	dir := t.TempDir()
	got, err := (&Client{Cache: filepath.Join(dir, "parts")}).Take(t.Context(),
		Request{Template: s.URL + "/N{N}E{E}_20240625_RGB.tif", Out: filepath.Join(dir, "rasters"),
			Area: raster.Box{West: 4_450_200, South: 2_651_500, East: 4_450_300, North: 2_651_700}})
	if err != nil || len(got) != 1 {
		t.Fatalf("%+v, %v", got, err)
	}
	files, passed, err := source.Look(os.DirFS(dir))
	if err != nil || len(files) != 1 || files[0].Layer != "ortho" || files[0].Part != source.RGB {
		t.Fatalf("%+v, %v, %v", files, passed, err)
	}
	b, err := os.ReadFile(got[0].File)
	if err != nil {
		t.Fatal(err)
	}
	f, err := cog.Open(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		t.Fatal(err)
	}
	cells, err := cog.ReadSamples[uint8](f, bytes.NewReader(b), &f.Images[0], f.Images[0].Whole())
	if err != nil || cells.Cols != 600 || cells.Rows != 800 {
		t.Fatalf("%d x %d, %v", cells.Cols, cells.Rows, err)
	}
	for i, v := range cells.Row(10) {
		if col := int((cells.West-p.West)/0.5) + i/3; v != uint8(1+(col+i%3)%200) {
			t.Fatalf("column %d: %d", i/3, v)
		}
	}
}
