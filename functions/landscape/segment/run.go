package segment

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"slices"
	"strings"
	"sync"

	"mappe/artefacts/classifier"
	"mappe/artefacts/library/mosaic"
	"mappe/artefacts/rasters"
	"mappe/functions/core/drawn"
	"mappe/functions/core/nearby"
	"mappe/functions/core/pin"
	"mappe/functions/core/tasks"
	"mappe/functions/core/view"
	"mappe/functions/landscape/classes"
	"mappe/functions/landscape/scans"
	"mappe/shared/geo/geom"
	"mappe/shared/geo/raster"
	land "mappe/shared/landscape/segment"
	"mappe/shared/web/fault"
	"mappe/shared/web/format"
	"mappe/shared/web/reply"
)

const (
	// mostObjects bounds an answer.
	mostObjects = 250_000
	// squareBytes is about what a square in work takes, photoBytes what its orthophoto does, objectBytes what an object takes
	// that is held, of which there are at most so many a m².
	squareBytes = 190 << 20
	photoBytes  = 40 << 20
	objectBytes = 700
	objectsM2   = 0.012
)

// search is a question about segments, in work.
type search struct {
	s        *scans.Source
	v        *view.View
	q        *question
	progress *tasks.Progress
	ground   *rasters.Layer // nil: no heights
	top      *rasters.Layer
	earlier  [2]*rasters.Layer // terrain and surface of the date that is compared; nil: none
	photo    *rasters.Layer
	ndvi     *rasters.Layer
	sar      *rasters.Layer
	cover    *rasters.Layer
	forest   *rasters.Layer
	ways     *nearby.Nearby
	missing  []string

	mu    sync.Mutex
	gaps  view.Gaps
	known bool // of some KG the footprints were read
	used  bool // some way of the community map lies there
}

// wanted is where layers are looked for.
func (q *search) wanted() scans.Wanted {
	return scans.Wanted{Boxes: []raster.Box{q.q.Area.Box()}, M2: q.q.Area.M2}
}

// open chooses the layers.
func (e *service) open(ctx context.Context, q *question, p *tasks.Progress) (*search, error) {
	s, err := scans.Open(ctx)
	if err != nil {
		return nil, err
	}
	v, err := view.Of(ctx)
	if err != nil {
		return nil, err
	}
	out := &search{s: s, v: v, q: q, progress: p}
	if err := out.heights(ctx); err != nil {
		return nil, err
	}
	for _, l := range []struct {
		name   string
		wanted bool
		to     **rasters.Layer
	}{{rasters.Ortho, q.Ortho, &out.photo}, {rasters.NDVI, q.Copernicus, &out.ndvi}, {rasters.SAR, q.Copernicus, &out.sar},
		{rasters.LandCover, q.Copernicus, &out.cover},
		{rasters.Forest, q.Hansen, &out.forest}} {
		if !l.wanted {
			continue
		}
		if *l.to, err = s.Newest(ctx, l.name, out.wanted()); err != nil {
			return nil, err
		}
		if *l.to == nil {
			out.missing = append(out.missing, l.name)
		}
	}
	if out.ground == nil && out.photo == nil {
		return nil, fault.New(fault.NotFound, "no height model and no orthophoto reaches into the area: /layers says where there are some")
	}
	if out.ways, err = nearby.Of(ctx, v.View); err != nil {
		return nil, pin.Fault(ctx, err)
	}
	return out, nil
}

// heights chooses the scan: of those with both models in cells of 1 m the newest that may cover the area, else the newest
// that reaches into it; and the earliest one before it.
func (q *search) heights(ctx context.Context) error {
	var dates []string
	var grounds []*rasters.Layer
	for i := range q.s.List.Layers {
		l := &q.s.List.Layers[i]
		if l.Layer == rasters.DTM && q.surface(l) != nil {
			dates, grounds = append(dates, l.Dataset()), append(grounds, l)
		}
	}
	chosen := grounds
	if d := q.q.Dataset; d != "" {
		i := slices.Index(dates, d)
		if i < 0 {
			if len(dates) == 0 {
				return fault.BadValue("dataset", d, "no date: none with a terrain and a surface model in cells of 1 m is published")
			}
			return fault.BadValue("dataset", d, "a date of which both models are published in cells of 1 m: "+strings.Join(dates, ", "))
		}
		chosen = grounds[i : i+1]
	}
	var err error
	if q.ground, err = q.s.NewestOf(ctx, chosen, q.wanted()); err != nil {
		return err
	}
	if q.ground == nil {
		q.missing = append(q.missing, rasters.DTM, rasters.DSM)
		return nil
	}
	q.top = q.surface(q.ground)
	if q.q.Temporal {
		if first := grounds[0]; first.Dataset() < q.ground.Dataset() {
			q.earlier = [2]*rasters.Layer{first, q.surface(first)}
		} else {
			q.missing = append(q.missing, "earlier_scan")
		}
	}
	return nil
}

// surface is the surface model of the date of a terrain model, both in cells of 1 m; nil where there is none.
func (q *search) surface(ground *rasters.Layer) *rasters.Layer {
	if l := q.s.List.Find(rasters.DSM, ground.Dataset()); l != nil && l.Step == 1 && ground.Step == 1 {
		return l
	}
	return nil
}

// bytes is about what the division takes.
func (q *search) bytes(squares int) int64 {
	one := squareBytes
	if q.photo != nil {
		one += photoBytes
	}
	b := q.q.Area.Box()
	return int64(min(squares, runtime.GOMAXPROCS(0),
		land.Workers)*one) + int64(5*(b.East-b.West)*(b.North-b.South)) + int64(q.q.Area.M2*objectsM2*objectBytes)
}

// divided is an area with its objects.
type divided struct {
	*search
	*land.Land
	told    []land.Answer
	model   *classifier.OfSegments // nil: the rules told all
	unusual string                 // why a model that is there is not used; ""
}

// divide finds the objects of the area of a question, and tells their types.
func (e *service) divide(ctx context.Context, q *question, p *tasks.Progress) (*divided, error) {
	s, err := e.open(ctx, q, p)
	if err != nil {
		return nil, err
	}
	model, unusual, err := classes.Of(ctx, s.v.View)
	if err != nil {
		return nil, err
	}
	squares := len(squaresOf(q.Area))
	release, err := e.memory.Take(ctx, s.bytes(squares))
	if err != nil {
		return nil, err
	}
	defer release()
	if err := p.Step(ctx, "finding segments", squares); err != nil {
		return nil, err
	}
	params := land.Params{MinSize: q.MinSize, Threshold: q.Threshold, FelzScale: q.FelzScale}
	l, err := land.Divide(ctx, q.Area.Polygons, params, s.layers, func(ctx context.Context) error { return p.Add(ctx, 1) })
	if err != nil {
		return nil, err
	}
	switch {
	case l.Found == 0:
		return nil, fault.New(fault.NotFound, "no layer has a value in the area: /layers says where there are some")
	case len(l.Objects) > mostObjects:
		return nil, fault.New(fault.TooLarge, "the area has %d segments, at most %d are given: ask for smaller parts, or a larger "+
			"min_object_size", len(l.Objects), mostObjects)
	}
	if err := p.Step(ctx, "telling types", 1); err != nil {
		return nil, err
	}
	d := &divided{search: s, Land: l, model: model, unusual: unusual}
	var tells land.Classifier
	if d.model != nil {
		tells = d.model
	}
	d.told = land.Classify(l.Objects, tells)
	return d, p.Add(ctx, 1)
}

// squaresOf are the squares of 1 km that an area is worked on in.
func squaresOf(a *drawn.Area) [][2]int {
	box := a.Box().Aligned(1)
	g := raster.Grid{West: box.West, North: box.North, Step: 1, Cols: int(box.East - box.West), Rows: int(box.North - box.South)}
	return land.Squares(box, raster.MaskOf(&g, a.Polygons))
}

// answer are the segments as rows.
func (d *divided) answer(q *question) *reply.Rows {
	schema := rows
	if q.Explain {
		schema = explained
	}
	kept := d.pick(func(i int) bool { return q.keeps(d.told[i].Type) })
	return d.gaps.Mark(&reply.Rows{
		Total: len(kept), Kinds: []*format.Kind{schema.Kind}, Name: layer, Geometry: true, Attribution: d.attribution(), Meta: d.meta(),
		Members: []reply.Member{{Name: "summary", Value: d.summary(d.pick(nil), d.typeOf)}},
		Rows:    d.seq(schema, kept),
	})
}

// pick gives the numbers of the segments that are kept; nil keeps all.
func (d *divided) pick(keep func(i int) bool) []int {
	kept := make([]int, 0, len(d.Objects))
	for i := range d.Objects {
		if keep == nil || keep(i) {
			kept = append(kept, i)
		}
	}
	return kept
}

func (d *divided) typeOf(i int) string { return d.told[i].Type.String() }

// summary sums segments up by a class of theirs.
func (d *divided) summary(kept []int, class func(i int) string) map[string]typeSummary {
	sums := map[string][3]float64{}
	for _, i := range kept {
		s := sums[class(i)]
		sums[class(i)] = [3]float64{s[0] + 1, s[1] + float64(d.Objects[i].Row[land.Area]), s[2] + d.told[i].Confidence}
	}
	out := map[string]typeSummary{}
	for name, s := range sums {
		out[name] = typeSummary{int(s[0]), scans.Round(s[1], 0), scans.Round(s[2]/s[0], 3)}
	}
	return out
}

// seq are segments as rows of a schema.
func (d *divided) seq(schema *format.Schema[row], kept []int) format.Seq {
	return func(yield func(format.Row, error) bool) {
		outlines := &raster.Partition{Labels: d.Labels, Cols: d.Cols, Rows: d.Rows}
		rec := schema.Record()
		for _, i := range kept {
			o := &d.Objects[i]
			var drawn geom.MultiPolygon // drawn once, when it is asked for
			rec.Item = row{o, &d.told[i], d.model, func() geom.MultiPolygon {
				if drawn == nil {
					drawn = outlineOf(outlines, d.Land, o)
				}
				return drawn
			}}
			if !yield(rec, nil) {
				return
			}
		}
	}
}

// attribution names who made the layers, each once.
func (d *divided) attribution() string {
	var names []string
	for _, l := range []*rasters.Layer{d.ground, d.photo, d.ndvi, d.sar, d.cover, d.forest} {
		if l != nil && l.Attribution != "" && !slices.Contains(names, l.Attribution) {
			names = append(names, l.Attribution)
		}
	}
	if d.used && d.ways.Attribution != "" && !slices.Contains(names, d.ways.Attribution) {
		names = append(names, d.ways.Attribution)
	}
	return strings.Join(names, "; ")
}

func date(l *rasters.Layer) *string {
	if l == nil {
		return nil
	}
	d := l.Dataset()
	return &d
}

// meta are the members of meta beyond the common.
func (d *divided) meta() []reply.Member {
	q := d.q
	methods := map[string]int{}
	for m, n := range d.Squares {
		if m != land.Nothing {
			methods[string(m)] = n
		}
	}
	fused := []string{}
	for k, used := range d.Used {
		if used && d.Squares[land.Watershed] > 0 {
			fused = append(fused, land.Fused[k])
		}
	}
	var map_ *string
	if d.used {
		name := nearby.License
		map_ = &name
	}
	return []reply.Member{{Name: "dataset", Value: date(d.ground)}, {Name: "earlier_dataset", Value: date(d.earlier[0])},
		{Name: "ortho", Value: date(d.photo)},
		{Name: "coverage", Value: scans.Round(share(d.Known, d.Cells), 4)}, {Name: "segmented", Value: scans.Round(share(d.Found,
			d.Cells), 4)},
		{Name: "methods", Value: methods}, {Name: "gradient_layers", Value: fused}, {Name: "layers_missing", Value: append([]string{},
			d.missing...)},
		{Name: "model", Value: classes.AboutOf(d.model)}, {Name: "building_mask", Value: d.mask()}, {Name: "infrastructure", Value: map_},
		{Name: "parameters", Value: map[string]any{"min_object_size": q.MinSize, "felz_scale": q.FelzScale,
			"felz_k": math.Round(q.FelzScale/255*1e4) / 1e4, "rag_threshold": q.Threshold,
			"include_ortho": q.Ortho, "include_temporal": q.Temporal, "include_copernicus": q.Copernicus,
			"include_cadastre": q.Cadastre, "include_hansen": q.Hansen}},
		{Name: "geometry_repaired", Value: q.Area.Repaired}, {Name: "warnings", Value: append(append([]string{}, q.Area.Warnings...),
			d.warnings()...)}}
}

func share(n, of int) float64 { return float64(n) / float64(max(of, 1)) }

func (d *divided) warnings() (out []string) {
	if d.ground == nil {
		out = append(out, "no height model reaches into the area: segments follow the colours of the orthophoto, and types are less sure")
	} else {
		out = append(out, scans.Coverage{Cells: d.Cells, Known: d.Known}.Warnings(d.ground)...)
	}
	if d.q.Cadastre && d.mask() != "cadastre" {
		out = append(out, "footprints of buildings are not known everywhere")
	}
	if d.unusual != "" {
		out = append(out, d.unusual)
	}
	if len(d.missing) > 0 {
		out = append(out, fmt.Sprintf("layers that are not at hand make types less sure: %s", strings.Join(d.missing, ", ")))
	}
	return out
}

// mask says which footprints bounded segments.
func (q *search) mask() string {
	switch {
	case !q.q.Cadastre || !q.known:
		return "none"
	case !q.gaps.Ready():
		return "partial"
	}
	return "cadastre"
}

// layers reads what is known of a window.
func (q *search) layers(ctx context.Context, w raster.Box) (*land.Layers, error) {
	l := &land.Layers{}
	for _, g := range []struct {
		from *rasters.Layer
		to   **raster.Grid
	}{{q.ground, &l.DTM}, {q.top, &l.DSM}, {q.earlier[0], &l.EarlierDTM}, {q.earlier[1], &l.EarlierDSM}} {
		if g.from == nil {
			continue
		}
		var err error
		if *g.to, err = q.s.Window(ctx, g.from, w); err != nil {
			return nil, scans.Unread(ctx, "the height models", err)
		}
	}
	if q.photo != nil {
		if err := q.colours(ctx, w, l); err != nil {
			return nil, err
		}
	}
	if err := q.coarse(ctx, w, l); err != nil {
		return nil, err
	}
	if q.q.Cadastre {
		if err := q.register(ctx, w, l); err != nil {
			return nil, err
		}
	}
	return l, q.infrastructure(ctx, w, l)
}

// photoStep is the side of cells of the orthophoto that are read: of its own and its overviews' the coarsest below 1 m of
// which whole ones fit into a kilometre and into the margin.
func photoStep(l *rasters.Layer) float64 {
	step := l.Step
	fits := func(s float64) bool {
		return isWhole(land.Side/s) && isWhole(land.Halo/s)
	}
	for 2*step <= 1+1e-9 && fits(2*step) {
		step *= 2
	}
	return step
}

func isWhole(v float64) bool { return math.Abs(v-math.Round(v)) < 1e-6 }

// colours reads the orthophoto as the means of cells of 1 m.
func (q *search) colours(ctx context.Context, w raster.Box, l *land.Layers) error {
	step := photoStep(q.photo)
	s, err := mosaic.Samples[uint8](ctx, q.s.Mosaic, q.photo, w.Aligned(step), step)
	if err != nil {
		return scans.Unread(ctx, "the orthophoto", err)
	}
	bands := shrunk(s, w)
	l.Red, l.Green, l.Blue, l.NIR = bands[0], bands[1], bands[2], bands[3]
	return nil
}

// shrunk are the means of samples over cells of 1 m, each by the part of it that lies in the cell. Samples without near
// infrared, the last band, which is 0 there, do not count.
func shrunk(s *raster.Samples[uint8], w raster.Box) [4]*raster.Grid {
	var out [4]*raster.Grid
	cols, rows := int(w.East-w.West), int(w.North-w.South)
	for b := range out {
		out[b] = raster.New(w.West, w.North, 1, cols, rows)
	}
	across, down := overlaps(w.West-s.West, s.Step, cols, s.Cols), overlaps(s.North-w.North, s.Step, rows, s.Rows)
	for row := range rows {
		for col := range cols {
			var sum [4]float32
			var weight float32
			for _, y := range down[row] {
				for _, x := range across[col] {
					p := s.Pix[(y.at*s.Cols+x.at)*s.Bands:][:s.Bands]
					if p[3] == 0 {
						continue
					}
					k := float32(x.weight * y.weight)
					weight += k
					for b := range sum {
						sum[b] += float32(k * float32(p[b]))
					}
				}
			}
			if weight > 0 {
				for b, g := range out {
					g.Z[row*cols+col] = sum[b] / weight
				}
			}
		}
	}
	return out
}

// overlap is a sample and how much of it lies in a cell.
type overlap struct {
	at     int
	weight float32
}

// overlaps are the samples that each of n cells of 1 m overlaps along an axis; the first cell begins so many metres behind the
// first sample.
func overlaps(offset, step float64, n, samples int) [][]overlap {
	out := make([][]overlap, n)
	for i := range out {
		from, to := (offset+float64(i))/step, (offset+float64(i)+1)/step
		for k := max(int(math.Floor(from+1e-9)), 0); float64(k) < to-1e-9 && k < samples; k++ {
			part := min(to, float64(k+1)) - max(from, float64(k))
			out[i] = append(out[i], overlap{k, float32(math.Round(part*1e6) / 1e6)})
		}
	}
	return out
}

// coarse reads the layers of satellites.
func (q *search) coarse(ctx context.Context, w raster.Box, l *land.Layers) error {
	read := func(from *rasters.Layer, to ...**raster.Grid) error {
		if from == nil {
			return nil
		}
		bands, err := q.s.Bands(ctx, from, w.Aligned(from.Step), from.Step)
		if err != nil {
			return scans.Unread(ctx, "the layers of satellites", err)
		}
		for i, g := range to {
			*g = bands[i]
		}
		return nil
	}
	if err := read(q.ndvi, &l.Mean, &l.Cos, &l.Sin); err != nil {
		return err
	}
	if err := read(q.sar, &l.VV, &l.VH); err != nil {
		return err
	}
	if err := read(q.cover, &l.Cover); err != nil {
		return err
	}
	return read(q.forest, &l.Loss)
}
