// Command segment measures the steps of segmentation beside scikit-image, on a made-up square kilometre: processor time of the
// watershed from the same markers, of the components of Felzenszwalb & Huttenlocher, and of the graph of regions with their
// figures; and what 1 km² takes in all. Without python3-skimage it says so and measures its own alone.
package main

import (
	"context"
	_ "embed"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"time"

	"mappe/infra/bench/cputime"
	"mappe/localdev/demo/judged"
	"mappe/localdev/demo/scene"
	"mappe/shared/cloud/spool"
	"mappe/shared/geo/raster"
	"mappe/shared/landscape/segment"
)

//go:embed peer.py
var peer string

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

const side = segment.Side + 2*segment.Halo

// figures are the seconds of the steps.
type figures struct {
	Watershed        float64 `json:"watershed"`
	Felzenszwalb     float64 `json:"felzenszwalb"`
	Graph            float64 `json:"graph"`
	Features         float64 `json:"features"`
	Borders          int     `json:"borders"`
	Components       int     `json:"components"`
	WatershedRand    float64 `json:"watershed_rand"`
	FelzenszwalbRand float64 `json:"felzenszwalb_rand"`
}

func run() error {
	seed, err := scene.Seed("gate", "", 1)
	if err != nil {
		return err
	}
	s, err := scene.New(scene.Default(seed, 1))
	if err != nil {
		return err
	}
	source := judged.SegmentSource(s, 2, judged.Bare{})
	all := whole(s, source)
	fmt.Printf("1 km² with all layers: %.2f s of processor time\n", all)
	for _, km := range []int{4, 9, 16, 25} {
		seconds, held, n, err := large(s, source, km)
		if err != nil {
			return err
		}
		fmt.Printf("%d km² with all layers: %.1f s of processor time, %d segments, %d MB held at most beside the layers\n", km,
			seconds, n, held>>20)
	}
	dir, err := os.MkdirTemp("", "segment")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	own, err := steps(s, source, dir)
	if err != nil {
		return err
	}
	python := pythonWithPeer()
	if python == "" {
		fmt.Printf("watershed %.3f s, Felzenszwalb %.3f s, graph %.3f s, figures %.3f s\nskipped: scikit-image (Debian package "+
			"python3-skimage) is not installed\n",
			own.Watershed, own.Felzenszwalb, own.Graph, own.Features)
		return nil
	}
	theirs, err := peerSteps(python, dir)
	if err != nil {
		return err
	}
	compare(own, theirs)
	return nil
}

// pythonWithPeer is the Python that has scikit-image; "" where none has.
func pythonWithPeer() string {
	for _, name := range []string{"python3", "/usr/bin/python3"} { // Debian's, where another one comes first
		if exec.Command(name, "-c", "import skimage").Run() == nil {
			return name
		}
	}
	return ""
}

// peerSteps measures scikit-image on what steps has written into a folder.
func peerSteps(python, dir string) (f figures, err error) {
	cmd := exec.Command(python, "-c", peer, dir, strconv.Itoa(side))
	cmd.Stderr = os.Stderr
	cmd.Env = append(os.Environ(), "OMP_NUM_THREADS=1", "OPENBLAS_NUM_THREADS=1")
	out, err := cmd.Output()
	if err != nil {
		return f, fmt.Errorf("the peer: %w", err)
	}
	return f, json.Unmarshal(out, &f)
}

// compare prints both beside what is aimed at.
func compare(own, theirs figures) {
	for _, c := range []struct {
		name        string
		own, theirs float64
		aim         float64
		remark      string
	}{{"watershed", own.Watershed, theirs.Watershed, 0.4, fmt.Sprintf("adjusted Rand %.4f", theirs.WatershedRand)},
		{"Felzenszwalb", own.Felzenszwalb, theirs.Felzenszwalb, 0.35, fmt.Sprintf("adjusted Rand %.4f, %d and %d components",
			theirs.FelzenszwalbRand, own.Components, theirs.Components)},
		{"graph and figures", own.Graph + own.Features, theirs.Graph + theirs.Features, 0.1,
			fmt.Sprintf("57 figures beside 9, %d borders", own.Borders)}} {
		fmt.Printf("%-18s %.3f s, scikit-image %.3f s: %.3f of it (aim %.2f); %s\n", c.name, c.own, c.theirs, c.own/c.theirs, c.aim,
			c.remark)
	}
}

// cpu is the processor time of the process in seconds.
func cpu() float64 { return cputime.Used().Seconds() }

// best is the least processor time of three runs.
func best(work func()) float64 {
	least := 0.0
	for i := range 3 {
		runtime.GC()
		before := cpu()
		work()
		if t := cpu() - before; i == 0 || t < least {
			least = t
		}
	}
	return least
}

// whole is what the division of a scene takes.
func whole(s *scene.Scene, source segment.Source) float64 {
	return best(func() {
		land, err := segment.Divide(context.Background(), judged.All(s), segment.Default(), source,
			func(context.Context) error { return nil })
		if err == nil {
			segment.Classify(land.Objects, nil)
		}
	})
}

// large divides so many km² of which each is the scene anew, and watches what the process holds.
func large(s *scene.Scene, source segment.Source, km2 int) (seconds float64, held uint64, n int, err error) {
	o := s.Options()
	b := s.Bounds()
	cols, rows := scene.Box(km2)
	again := func(ctx context.Context, w raster.Box) (*segment.Layers, error) {
		l, err := source(ctx, segment.Window(o.East, o.North))
		if err != nil {
			return nil, err
		}
		dx, dy := w.West+segment.Halo-b.West, w.South+segment.Halo-b.South
		for _, g := range []*raster.Grid{l.DTM, l.DSM, l.EarlierDTM, l.EarlierDSM, l.Red, l.Green, l.Blue, l.NIR} {
			g.West, g.North = w.West, w.North
			wrap(g)
		}
		for _, g := range []**raster.Grid{&l.Mean, &l.Cos, &l.Sin, &l.VV, &l.VH, &l.Cover, &l.Loss} {
			moved := **g
			moved.West, moved.North = moved.West+dx, moved.North+dy
			*g = &moved
		}
		for i, p := range l.Buildings {
			ring := make([]raster.XY, len(p[0]))
			for k, v := range p[0] {
				ring[k] = raster.XY{X: v.X + dx, Y: v.Y + dy}
			}
			l.Buildings[i] = raster.Polygon{ring}
		}
		l.Uses = nil
		return l, nil
	}
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	before, ended, watched := m.HeapInuse, make(chan struct{}), make(chan struct{})
	go func() {
		defer close(watched)
		for t := time.NewTicker(50 * time.Millisecond); ; {
			select {
			case <-ended:
				return
			case <-t.C:
				runtime.ReadMemStats(&m)
				held = max(held, m.HeapInuse-min(before, m.HeapInuse))
			}
		}
	}()
	area := []raster.Polygon{{{{X: b.West, Y: b.South}, {X: b.West + float64(cols)*1000, Y: b.South}, {X: b.West + float64(cols)*1000,
		Y: b.South + float64(rows)*1000},
		{X: b.West, Y: b.South + float64(rows)*1000}}}}
	start := cpu()
	n, err = told(area, again)
	seconds = cpu() - start
	close(ended)
	<-watched
	return seconds, held, n, err
}

// told divides an area as the service does, tells the types of its objects and traces their outlines.
func told(area []raster.Polygon, source segment.Source) (n int, err error) {
	store := spool.New(0)
	defer store.Close()
	d, err := segment.Survey(context.Background(), area, segment.Default(), segment.Course{Source: source, Store: store,
		Done: func(context.Context) error { return nil }})
	if err != nil {
		return 0, err
	}
	tracer := d.Tracer()
	return d.Count(), d.Each(func(o *segment.Object) error {
		segment.Decide(o)
		tracer.Outline(o)
		return nil
	})
}

// wrap fills the margin of a window with what lies on the opposite side of its square.
func wrap(g *raster.Grid) {
	at := func(i int) int { return (i-segment.Halo+segment.Side)%segment.Side + segment.Halo }
	for row := range side {
		for col := range side {
			if r, c := at(row), at(col); r != row || c != col {
				g.Z[row*side+col] = g.Z[r*side+c]
			}
		}
	}
}

// steps measures each step, and writes what the peer reads.
func steps(s *scene.Scene, source segment.Source, dir string) (f figures, err error) {
	o := s.Options()
	box := segment.Window(o.East, o.North)
	l, err := source(context.Background(), box)
	if err != nil {
		return f, err
	}
	for _, g := range []*raster.Grid{l.DTM, l.DSM, l.Red, l.Green, l.Blue, l.NIR} { // the margin lies beyond the scene
		fill(g)
	}
	level, _ := segment.Gradient(l, box)
	part := make([]int32, len(level)) // the peer knows no parts
	labels, n := segment.Basins(level, part, side, side)
	markers := make([]int32, len(level))
	seen := make([]bool, n+1)
	for i, k := range labels { // a cell of each basin
		if !seen[k] && level[i] <= level[max(i-1, 0)] {
			seen[k], markers[i] = true, k
		}
	}
	var flooded []int32
	f.Watershed = best(func() {
		flooded = append([]int32{}, markers...)
		segment.Flood(level, part, flooded, side, side)
	})
	bands := make([][]float32, 3)
	for i, g := range []*raster.Grid{l.Red, l.Green, l.Blue} {
		for _, v := range g.Z {
			bands[i] = append(bands[i], v/255)
		}
	}
	var components []int32
	f.Felzenszwalb = best(func() { components, f.Components = segment.Components(bands, side, side, 150.0/255, 30) })
	merged := append([]int32{}, labels...)
	f.Graph = best(func() {
		merged = append(merged[:0], labels...)
		f.Borders = segment.Adjacency(level, part, merged, side, 0.12*segment.Levels)
	})
	f.Features = best(func() { _, err = segment.Measured(l, o.East, o.North, merged) })
	if err != nil {
		return f, err
	}
	edges := make([]float32, len(level))
	for i, v := range level {
		edges[i] = float32(v) / segment.Levels
	}
	for name, data := range map[string]any{"edges": edges, "markers": markers, "labels": labels, "flooded": flooded,
		"components": components, "band0": bands[0], "band1": bands[1], "band2": bands[2]} {
		b, err := binary.Append(nil, binary.LittleEndian, data)
		if err != nil {
			return f, err
		}
		if err := os.WriteFile(filepath.Join(dir, name), b, 0o600); err != nil {
			return f, err
		}
	}
	return f, nil
}

// fill gives cells without a value that of the nearest in its row, then row.
func fill(g *raster.Grid) {
	last := float32(0)
	for _, v := range g.Z {
		if v == v {
			last = v
			break
		}
	}
	for i, v := range g.Z {
		if v == v {
			last = v
		} else {
			g.Z[i] = last
		}
	}
}
