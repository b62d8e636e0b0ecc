package change_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"sync"
	"testing"
	"time"

	"mappe/infra/oracles"
	"mappe/localdev/demo/scene"
	"mappe/shared/geo/raster"
	"mappe/shared/landscape/change"
)

func find(t testing.TB, m change.Source, area []raster.Polygon, o change.Options) *change.Result {
	t.Helper()
	if o.MinChange == 0 {
		o.MinChange = 1
	}
	r, err := change.Find(context.Background(), m, area, o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// The types have the names of the truth.
func TestKinds(t *testing.T) {
	for _, k := range change.AllTypes() {
		if got, err := change.ParseType(k.String()); err != nil || got != k {
			t.Errorf("%s is read as %s: %v", k, got, err)
		}
		if _, err := scene.ParseChangeType(k.String()); err != nil {
			t.Error(err)
		}
	}
	if n := len(change.AllTypes()); n != len(scene.AllChangeTypes()) {
		t.Errorf("%d types", n)
	}
	if _, err := change.ParseType("flood"); err == nil {
		t.Error("an unknown type is read")
	}
}

// Landscapes of which the changes are known are judged by them: the types, and volumes with the errors that are told.
func TestLandscapesWithTruth(t *testing.T) {
	all, covered, volumes, rounds := score{}, 0, 0, 0
	for n := range oracles.Rounds(t, 2) {
		rounds++
		s := made(t, "gate", int(n), 1, func(o *scene.Options) { o.Events = 24 })
		r := find(t, modelsOf(s, 0, 2), whole(s), change.Options{})
		truth := inside(s.Bounds(), s.Events(0, 2, scene.LeastGrowth))
		tell := func(format string, args ...any) { t.Logf("seed %d: "+format, append([]any{n}, args...)...) }
		for _, p := range all.add(s.Bounds(), truth, r.Events, tell) {
			want, got := &truth[p.truth], &r.Events[p.found]
			if want.Type < scene.EarthworkFill || want.Type > scene.EarthworkPond || got.Edge {
				continue
			}
			volumes++
			if math.Abs(want.TerrainVolume-got.TerrainVolume) <= got.TerrainVolumeError {
				covered++
			} else {
				tell("%s of %.1f m³, found %.1f ± %.1f", want.Type, want.TerrainVolume, got.TerrainVolume, got.TerrainVolumeError)
			}
		}
	}
	t.Logf("\n%s\nvolumes of earthworks within their errors: %d of %d", &all, covered, volumes)
	if all.macro() < 0.7 {
		t.Errorf("macro-F1 %.3f, expected 0.7", all.macro())
	}
	// Of few volumes two may lie outside by chance where one in twenty does.
	if float64(volumes-covered) > 0.05*float64(volumes)+2 || volumes < 2*rounds {
		t.Errorf("%d of %d volumes lie within their errors", covered, volumes)
	}
}

// Where nothing has changed nothing is found, however the two scans lie to each other: at most one event in 4 km², counted over
// all scenes. They are 4 km² large where the search runs long.
func TestNothingHasChanged(t *testing.T) {
	found, km2, side := 0, 0, 1
	if oracles.Soak(t) > 0 {
		side = 2
	}
	for n := range oracles.Rounds(t, 2) {
		s := made(t, "gate", int(n), side*side, func(o *scene.Options) {
			o.Events = 0
			switch n % 4 {
			case 0:
				o.Survey.Offset[2] = 0.15
			case 1:
				o.Survey.Shift[2] = raster.XY{X: 0.3}
			case 2:
				o.Survey.Tilt[2] = [2]float64{1e-4, -1e-4}
			case 3:
				o.Survey.Shift[2] = raster.XY{X: -1.4, Y: 1.2}
			}
		})
		km2 += side * side
		for _, e := range find(t, modelsOf(s, 0, 2), whole(s), change.Options{}).Events {
			found++
			t.Logf("seed %d: %s %s", n, e.Kind, ofFound(&e))
		}
	}
	t.Logf("%d changes in %d km²", found, km2)
	if found > max(km2/4, 1) {
		t.Errorf("%d changes in %d km² that have not changed", found, km2)
	}
}

// Offset, tilt and shift are those that the survey was given, within what their errors say.
func TestRegistration(t *testing.T) {
	s := made(t, "gate", 40, 1, func(o *scene.Options) {
		o.Events, o.Survey.Traffic, o.Survey.Strips = 0, 0, 0
		o.Survey.Offset = [3]float64{0.05, 0, -0.09}
		o.Survey.Tilt = [3][2]float64{2: {8e-5, -6e-5}}
		o.Survey.Shift = [3]raster.XY{2: {X: 1.25, Y: -1.75}}
	})
	g := find(t, modelsOf(s, 0, 2), whole(s), change.Options{}).Registration
	pivot := s.Options().Survey.Pivot
	offset := -0.14 + 8e-5*(g.Pivot.X-pivot.X) - 6e-5*(g.Pivot.Y-pivot.Y)
	for _, c := range []struct {
		name           string
		got, want, err float64
		least          float64
	}{
		{"offset", g.Offset, offset, g.OffsetError, 0.005}, {"tilt to the east", g.Tilt[0], 8e-5, g.TiltError[0], 1e-5},
		{"tilt to the north", g.Tilt[1], -6e-5, g.TiltError[1], 1e-5}, {"shift to the east", g.Shift[0], 1.25, g.ShiftError[0], 0.02},
		{"shift to the north", g.Shift[1], -1.75, g.ShiftError[1], 0.02},
	} {
		t.Logf("%s %.6f ± %.6f, given %.6f", c.name, c.got, c.err, c.want)
		if math.Abs(c.got-c.want) > 3*c.err+c.least || !(c.err < 10*c.least) {
			t.Errorf("%s of %.6f ± %.6f, given %.6f", c.name, c.got, c.err, c.want)
		}
	}
	if !g.Applied || math.Abs(g.Open-0.07) > 0.02 || g.Wooded < g.Open {
		t.Errorf("%+v", g)
	}
}

func digest(t testing.TB, r *change.Result) string {
	t.Helper()
	b, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:8])
}

// The result has the same bytes whatever the squares, the processors and the order in which rows are read, on every machine.
func TestTilesDoNotMatter(t *testing.T) {
	const recorded = "289aafca0845631a"
	s := made(t, "gate", 41, 2, func(o *scene.Options) { o.Events, o.East, o.North = 24, 4549, 2699 })
	b := s.Bounds()
	// An area with a crooked border over squares of all sizes.
	area := []raster.Polygon{{{{X: b.West + 37.3, Y: b.South + 90}, {X: b.East - 211, Y: b.South + 15.5},
		{X: b.East - 40, Y: b.North - 140},
		{X: b.West + 700, Y: b.North - 20}, {X: b.West + 650, Y: b.North - 400}}}}
	m := modelsOf(s, 0, 2)
	want := find(t, m, area, change.Options{Core: 1000})
	if len(want.Events) < 15 {
		t.Fatalf("%d changes", len(want.Events))
	}
	if d := digest(t, want); d != recorded {
		t.Errorf("digest %s, recorded %s", d, recorded)
	}
	for _, core := range []int{125, 250, 500} {
		for _, processors := range []int{1, 3} {
			before := runtime.GOMAXPROCS(processors)
			got := find(t, m, area, change.Options{Core: core})
			runtime.GOMAXPROCS(before)
			if digest(t, got) != digest(t, want) {
				t.Errorf("squares of %d m on %d processors: %d changes, others than %d", core, processors, len(got.Events),
					len(want.Events))
			}
		}
	}
}

// Each row of a large area is read once, but for the sample, and no more of them at a time than the source says.
func TestRowsAreReadOnce(t *testing.T) {
	p := &plane{}
	box := raster.Box{West: 4_500_000, South: 2_700_000, East: 4_502_600, North: 2_702_300}
	find(t, p, boxed(box), change.Options{})
	if cells := (box.East - box.West) * (box.North - box.South); p.cells < 4*cells || p.cells > 4*1.5*cells {
		t.Errorf("%.0f cells of four models of %.0f were read", p.cells, cells)
	}
}

// plane is level ground without noise. It counts what is read.
type plane struct{ cells float64 }

var counted sync.Mutex

func (p *plane) Window(_ context.Context, _ change.Layer, b raster.Box) (*raster.Grid, error) {
	g, err := raster.Over(b, 1)
	if err != nil {
		return nil, err
	}
	for i := range g.Z {
		g.Z[i] = 500
	}
	counted.Lock()
	defer counted.Unlock()
	p.cells += float64(len(g.Z))
	return g, nil
}

func (p *plane) Below(north float64) float64 { return north - 300 }

// What cannot be compared is told, and the work ends when it is not wanted any more.
func TestFaults(t *testing.T) {
	square := boxed(raster.Box{West: 4_500_000, South: 2_700_000, East: 4_500_300, North: 2_700_300})
	if _, err := change.Find(context.Background(), &plane{}, nil, change.Options{MinChange: 1}); err == nil {
		t.Error("no area is taken")
	}
	if _, err := change.Find(context.Background(), &plane{}, square, change.Options{MinChange: 1, Core: 300}); err == nil {
		t.Error("squares of 300 m are taken")
	}
	if _, err := change.Find(context.Background(), &coarse{}, square, change.Options{MinChange: 1}); err == nil {
		t.Error("cells of 2 m are taken")
	}
	r := find(t, &unknown{}, square, change.Options{})
	if r.Known != 0 || len(r.Events) > 0 || r.Cells != 90_000 {
		t.Errorf("%d cells, %d known, %d changes", r.Cells, r.Known, len(r.Events))
	}
	lost := errors.New("lost")
	if _, err := change.Find(context.Background(), failing{lost}, square, change.Options{MinChange: 1}); !errors.Is(err, lost) {
		t.Errorf("a source that fails: %v", err)
	}
	for _, step := range []string{change.StepRegister, change.StepCompare, change.StepEvents} {
		ctx, cancel := context.WithCancel(context.Background())
		_, err := change.Find(ctx, &plane{}, square, change.Options{MinChange: 1, Core: 125, Progress: func(at string, share float64) {
			if at == step && share < 1 {
				cancel()
			}
			if share < 0 || share > 1 {
				t.Errorf("%s: %g are done", at, share)
			}
		}})
		cancel()
		if !errors.Is(err, context.Canceled) {
			t.Errorf("ended at %q: %v", step, err)
		}
	}
}

type coarse struct{ plane }

func (*coarse) Window(_ context.Context, _ change.Layer, b raster.Box) (*raster.Grid, error) {
	return raster.Over(b.Aligned(2), 2)
}

type unknown struct{ plane }

func (*unknown) Window(_ context.Context, _ change.Layer, b raster.Box) (*raster.Grid, error) {
	return raster.Over(b, 1)
}

type failing struct{ err error }

func (f failing) Window(context.Context, change.Layer, raster.Box) (*raster.Grid, error) {
	return nil, f.err
}

func (failing) Below(north float64) float64 { return north - 100 }

// repeated is a landscape that repeats itself in all directions.
type repeated struct{ models }

func (r *repeated) Window(ctx context.Context, l change.Layer, b raster.Box) (*raster.Grid, error) {
	g, err := raster.Over(b, 1)
	if err != nil {
		return nil, err
	}
	m := r.models[l]
	for row := range g.Rows {
		y := (int(m.North) - int(g.North) + row + 100*m.Rows) % m.Rows
		for col := range g.Cols {
			x := (int(g.West) - int(m.West) + col + 100*m.Cols) % m.Cols
			g.Z[row*g.Cols+col] = m.Z[y*m.Cols+x]
		}
	}
	return g, nil
}

// watched is a context that notes the longest time in which nobody asked it whether to end.
type watched struct {
	context.Context
	mu      sync.Mutex
	last    time.Time
	longest time.Duration
}

func (w *watched) Err() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	now := time.Now()
	w.longest, w.last = max(w.longest, now.Sub(w.last)), now
	return w.Context.Err()
}

// BenchmarkFind compares two dates held in memory: 1 km², and 25 km² in which a landscape of 1 km² repeats itself.
// s-deaf is the longest time after which it notices that it is not wanted any more.
func BenchmarkFind(b *testing.B) {
	s := made(b, "gate", 0, 1, nil)
	m := &repeated{*modelsOf(s, 0, 2)}
	w := s.Bounds()
	for _, side := range []float64{1000, 5000} {
		area := boxed(raster.Box{West: w.West, South: w.South, East: w.West + side, North: w.South + side})
		b.Run(fmt.Sprintf("%.0fkm2", side*side/1e6), func(b *testing.B) {
			b.ReportAllocs()
			w := &watched{Context: context.Background()}
			for b.Loop() {
				w.last = time.Now()
				if _, err := change.Find(w, m, area, change.Options{MinChange: 1}); err != nil {
					b.Fatal(err)
				}
				w.Err()
			}
			b.ReportMetric(w.longest.Seconds(), "s-deaf")
		})
	}
}

// What stands in a footprint of the cadastre is surer to be a building; without footprints the answer is the same but for that.
func TestFootprints(t *testing.T) {
	var s *scene.Scene
	var built []scene.Event
	for n := 0; len(built) < 3; n++ { // a scene with three buildings that the cadastre may have
		s = made(t, "gate", n, 1, func(o *scene.Options) { o.Events, o.Forest = 30, 0.1 })
		built = slices.DeleteFunc(s.Events(0, 2, 1), func(e scene.Event) bool { return e.Type != scene.NewBuilding })
	}
	m := modelsOf(s, 0, 2)
	o := change.Options{Footprints: footprintsOf(s), Photos: photosOf(s)}
	without, with := find(t, m, whole(s), change.Options{}), find(t, m, whole(s), o)
	if len(without.Events) != len(with.Events) {
		t.Fatalf("%d changes, with footprints %d", len(without.Events), len(with.Events))
	}
	surer := 0
	for i := range with.Events {
		a, b := &without.Events[i], &with.Events[i]
		if b.Confidence > a.Confidence && b.Kind == change.NewBuilding {
			surer++
		} else if a.Confidence != b.Confidence && a.Kind == b.Kind {
			t.Errorf("%s: %.2f, with footprints %.2f", a.Kind, a.Confidence, b.Confidence)
		}
	}
	if surer == 0 {
		t.Error("no new building is surer for the cadastre")
	}
	truth := inside(s.Bounds(), s.Events(0, 2, scene.LeastGrowth))
	hintsFit(t, truth, with.Events, matched(s.Bounds(), truth, with.Events))
	hintsHold(t, m, s, o, with)
}
