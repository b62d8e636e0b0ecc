package scene

import (
	"fmt"
	"math"
	"sync"

	"mappe/shared/geo/raster"
)

// Dates are those of the laser scans, YYYYMMDD; a date is named by its index.
var Dates = [3]string{"20220915", "20230915", "20240915"}

// Side of a tile in metres: scenes are whole tiles, which can be computed one by one.
const Side = 1000

// Options of New. Default gives usual ones.
type Options struct {
	East, North int // kilometres of the south-western corner in EPSG:3035
	Cols, Rows  int // tiles of 1 km
	Seed        uint64
	Relief      float64 // metres between valley and heights, 20 to 900; 0: drawn from the seed
	Forest      float64 // share of woodland, 0 to 1
	Stems       float64 // trees of the upper layer per hectare of closed stands, 150 to 1,500; 0: drawn for each stand
	Events      float64 // planted changes per km², at most 30; 0: none, crops and growth stay as at the first date
	Survey      Survey
}

// Survey is what the measuring adds to the truth. The zero value measures without error at one pulse pattern a cell.
type Survey struct {
	Open, Wooded float64       // standard deviation of heights in metres, of open ground and below trees
	Offset       [3]float64    // of all heights of a date, metres
	Tilt         [3][2]float64 // of a date, metres a metre to the east and to the north
	Pivot        raster.XY     // the place that tilts leave as it is
	Shift        [3]raster.XY  // by which what is seen at a cell lies beside it, metres, rounded to 1/1024
	Strips       float64       // standard deviation between flight strips, metres
	Holes        float64       // places without a value per km² and date, radius 2 to 6 m
	Traffic      float64       // cars, bales and scaffolds, 1 is usual; each date has its own
}

// Default are the usual options of a seed, for a square or box of so many km².
func Default(seed uint64, km2 int) Options {
	cols, rows := Box(km2)
	d := dice(mix(seed ^ 0x7363656e65))
	o := Options{East: 4550, North: 2700, Cols: cols, Rows: rows, Seed: seed, Forest: 0.4, Events: 14,
		Survey: Survey{Open: 0.05, Wooded: 0.15, Strips: 0.025, Holes: 4, Traffic: 1,
			Pivot: raster.XY{X: float64(4550+cols/2) * 1000, Y: float64(2700+rows/2) * 1000}}}
	for date := range Dates {
		if date > 0 {
			sign := float64(2*d.n(2) - 1)
			o.Survey.Offset[date] = sign * d.between(0.05, 0.15)
			o.Survey.Tilt[date] = [2]float64{d.between(-3e-5, 3e-5), d.between(-3e-5, 3e-5)}
			o.Survey.Shift[date] = raster.XY{X: d.between(-0.2, 0.2), Y: d.between(-0.2, 0.2)}
		}
	}
	return o
}

// Box are the columns and rows of the squarest box of so many km².
func Box(km2 int) (cols, rows int) {
	for rows = int(math.Sqrt(float64(km2))); rows > 1 && km2%rows != 0; rows-- {
	}
	rows = max(rows, 1)
	return km2 / rows, rows
}

// Seed names the n-th seed of a set: "tune" is what parameters may be fitted to, "gate" what tests hold figures to, and
// "sealed" what only a judge draws, from a word that no test holds; the other two ignore it.
func Seed(set, word string, n int) (uint64, error) {
	var h uint64
	switch set {
	case "tune":
		h = 0x74756e65
	case "gate":
		h = 0x67617465
	case "sealed":
		if word == "" {
			return 0, fmt.Errorf("scene: sealed seeds are derived from a word, which is missing")
		}
		h = 0x7365616c6564
		for _, c := range []byte(word) {
			h = mix(h ^ uint64(c))
		}
	default:
		return 0, fmt.Errorf("scene: no seed set %q: expected tune, gate or sealed", set)
	}
	return mix(mix(h) + uint64(n)), nil
}

// Scene is a made-up landscape. It is safe for concurrent use.
type Scene struct {
	opt     Options
	seed    uint64
	layout  layout
	octaves []octave // of the terrain, by falling wave length
	valley  float64  // metres by which the heights stand above the stream
	mu      sync.Mutex
	tiles   map[[2]int]*things
	order   [][2]int // of tiles, oldest first
	wide    *things  // of the tile wideAt and around it
	wideAt  [2]int
}

// New is a scene.
func New(o Options) (*Scene, error) {
	switch {
	case o.Cols < 1 || o.Rows < 1 || o.Cols*o.Rows > 100:
		return nil, fmt.Errorf("scene: %d x %d tiles of 1 km², expected 1 to 100", o.Cols, o.Rows)
	case o.East < 2000 || o.East > 7000 || o.North < 1000 || o.North > 6000:
		return nil, fmt.Errorf("scene: a corner at %d, %d km, expected 2000 to 7000 and 1000 to 6000", o.East, o.North)
	case !(o.Forest >= 0 && o.Forest <= 1):
		return nil, fmt.Errorf("scene: a share of woodland of %g, expected 0 to 1", o.Forest)
	case o.Stems != 0 && !(o.Stems >= 150 && o.Stems <= 1500):
		return nil, fmt.Errorf("scene: %g trees per hectare, expected 150 to 1500", o.Stems)
	case o.Relief != 0 && !(o.Relief >= 20 && o.Relief <= 900):
		return nil, fmt.Errorf("scene: a relief of %g m, expected 20 to 900", o.Relief)
	case !(o.Events >= 0 && o.Events <= 30):
		return nil, fmt.Errorf("scene: %g changes per km², expected 0 to 30", o.Events)
	}
	for date := range o.Survey.Shift {
		p := &o.Survey.Shift[date]
		if !(math.Abs(p.X) <= 2 && math.Abs(p.Y) <= 2) {
			return nil, fmt.Errorf("scene: a shift of %g, %g m, expected at most 2", p.X, p.Y)
		}
		*p = raster.XY{X: math.Round(p.X*1024) / 1024, Y: math.Round(p.Y*1024) / 1024}
	}
	s := &Scene{opt: o, seed: o.Seed, tiles: map[[2]int]*things{}}
	d := dice(key(o.Seed, forScene, 0, 0))
	relief := o.Relief
	if relief == 0 {
		relief = 30 + float64(220*d.f()*d.f())
	}
	s.layout = newLayout(s.seed, o.Forest, &d)
	s.terrain(relief, &d)
	return s, nil
}

// Options are those the scene was made with, shifts rounded.
func (s *Scene) Options() Options { return s.opt }

// Bounds is the square or box of the scene in EPSG:3035.
func (s *Scene) Bounds() raster.Box {
	west, south := float64(s.opt.East*1000), float64(s.opt.North*1000)
	return raster.Box{West: west, South: south, East: west + float64(s.opt.Cols*Side), North: south + float64(s.opt.Rows*Side)}
}

// window is a tile of the scene, counted from the south-western one, in cells of 1 m.
func (s *Scene) window(col, row int) window {
	return window{perMetre: 1, col0: (s.opt.East + col) * 1000, row0: (s.opt.North+row)*1000 + Side - 1, cols: Side, rows: Side}
}
