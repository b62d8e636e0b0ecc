package change

import (
	"context"
	"fmt"
	"sync"

	"mappe/shared/geo/raster"
)

// Options of Find.
type Options struct {
	MinChange float64 // metres; what changes by less is left out, but for ground that was levelled or sealed
	Core      int     // metres of the squares that are worked at a time: 125, 250, 500 or 1000; 0: by the area
	// Footprints are the buildings of the cadastre, in EPSG:3035; nil: not known, and what is built is told by its roof alone.
	Footprints []raster.Polygon
	// Partly says that footprints are not known everywhere: their absence then tells nothing.
	Partly   bool
	Photos   Photos                              // orthophotos; nil: none are at hand
	Progress func(step string, fraction float64) // may be nil
}

// Result is what has changed.
type Result struct {
	Registration Registration
	Cells, Known int      // of the area; with all four heights
	Missing      []string // what would have made types surer, and was not given
	Events       []Event
}

// The steps that Progress names.
const (
	StepRegister = "register"
	StepCompare  = "compare"
	StepEvents   = "events"
)

// heldRows bounds the cells of the rows that are worked at a time.
const heldRows = 4 << 20

// Find finds what has changed in an area, polygons in EPSG:3035. It ends between two squares when the context does.
func Find(ctx context.Context, s Source, polygons []raster.Polygon, o Options) (*Result, error) {
	if len(polygons) == 0 {
		return nil, fmt.Errorf("change: no area")
	}
	if o.Progress == nil {
		o.Progress = func(string, float64) {}
	}
	area := cellsOf(raster.BoxOf(polygons))
	core := o.Core
	if core == 0 {
		// What is worked on has to stay near the processor: squares of 1 km take twice the time.
		for core = 250; core > blockSide && area.cols()*core > heldRows; core /= 2 {
		}
	}
	if core != 125 && core != 250 && core != 500 && core != 1000 {
		return nil, fmt.Errorf("change: squares of %d m, expected 125, 250, 500 or 1000", core)
	}
	o.Progress(StepRegister, 0)
	s, err := hold(ctx, s, area.grown(halo+reach))
	if err != nil {
		return nil, err
	}
	reg, err := register(ctx, s, area)
	if err != nil {
		return nil, err
	}
	f := finder{source: s, area: area, core: core, reg: reg, limits: limitsOf(reg, o.MinChange), field: newField(area.grown(halo), core)}
	cover := &raster.Grid{West: float64(area.x0), North: float64(area.y1), Step: 1, Cols: area.cols(), Rows: area.rows()}
	f.mask = raster.MaskOf(cover, polygons)
	if o.Footprints != nil {
		f.footprints = raster.MaskOf(cover, o.Footprints)
	}
	f.partly, f.photos = o.Partly, o.Photos
	f.lines, f.hard = make([]line, area.rows()), make([]bool, area.rows()*area.cols())
	for y := area.y1; y > area.y0; {
		o.Progress(StepCompare, float64(area.y1-y)/float64(area.rows()))
		south := max(floorTo(y-1, core), area.y0)
		if err := f.band(ctx, y, south); err != nil {
			return nil, err
		}
		y = south
	}
	o.Progress(StepEvents, 0)
	f.field = nil
	events, err := f.events(ctx)
	if err != nil {
		return nil, err
	}
	o.Progress(StepEvents, 1)
	r := &Result{Registration: *reg, Cells: f.mask.Count(), Known: f.known, Events: events}
	if o.Footprints == nil || o.Partly {
		r.Missing = append(r.Missing, "building footprints")
	}
	if o.Photos == nil {
		r.Missing = append(r.Missing, "orthophotos near both dates")
	}
	return r, nil
}

// finder is the work of Find.
type finder struct {
	source     Source
	area       cells
	core       int
	reg        *Registration
	limits     limits
	field      *field
	mask       *raster.Mask
	lines      []line // rows of the area
	known      int
	footprints *raster.Mask // nil: not known
	partly     bool         // some are not
	photos     Photos       // nil: none are at hand
	hard       []bool       // cells of the area whose ground was bare or sealed before: roads, yards
	benches    sync.Pool
}

// below is how far below a row the ground has to be known so that it can be levelled.
const below = 2 * blockSide

// band compares the rows from a northing down to another.
func (f *finder) band(ctx context.Context, north, south int) error {
	if err := f.field.extend(ctx, f.source, f.reg, south-below); err != nil {
		return err
	}
	if err := f.field.level(); err != nil {
		return err
	}
	var parts []cells
	for x := f.area.x0; x < f.area.x1; {
		east := min(floorTo(x, f.core)+f.core, f.area.x1)
		parts = append(parts, cells{x, south, east, north})
		x = east
	}
	done, known := make([][]line, len(parts)), make([]int, len(parts))
	err := each(len(parts), func(i int) error {
		w, _ := f.benches.Get().(*bench)
		if w == nil {
			w = &bench{}
		}
		defer f.benches.Put(w)
		w.size(parts[i].grown(halo))
		done[i] = make([]line, parts[i].rows())
		if !w.mark(f.mask, f.area) {
			return ctx.Err() // areas may reach over boxes of which they take little
		}
		w.load(f.field)
		w.classify(&f.limits)
		known[i] = w.emit(done[i], f.area.x0, func(row, col int) { f.hard[(f.area.y1-north+row)*f.area.cols()+col] = true })
		return ctx.Err()
	})
	if err != nil {
		return err
	}
	for _, n := range known {
		f.known += n
	}
	for r := range north - south {
		f.lines[f.area.y1-north+r] = joined(done, r)
	}
	f.field.drop(south + halo)
	return nil
}

// joined is a row of squares side by side, from the west.
func joined(parts [][]line, row int) (l line) {
	runs, records := 0, 0
	for _, p := range parts {
		runs, records = runs+len(p[row].runs), records+len(p[row].records)
	}
	l.runs, l.records = make([]run, 0, runs), make([]record, 0, records)
	for _, p := range parts {
		base := int32(len(l.records))
		l.records = append(l.records, p[row].records...)
		for i, r := range p[row].runs {
			r.at += base
			if n := len(l.runs); i == 0 && n > 0 && l.runs[n-1].class == r.class && l.runs[n-1].to == r.from {
				l.runs[n-1].to = r.to
				continue
			}
			l.runs = append(l.runs, r)
		}
		p[row] = line{}
	}
	return l
}
