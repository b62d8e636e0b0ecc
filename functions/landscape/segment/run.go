package segment

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"slices"
	"strings"

	"mappe/artefacts/classifier"
	"mappe/artefacts/rasters"
	"mappe/functions/core/drawn"
	"mappe/functions/core/proximity"
	"mappe/functions/core/tasks"
	"mappe/functions/landscape/classes"
	"mappe/functions/landscape/scans"
	"mappe/shared/cloud/spool"
	"mappe/shared/geo/geom"
	"mappe/shared/geo/onplane"
	"mappe/shared/geo/raster"
	land "mappe/shared/landscape/segment"
	"mappe/shared/web/fault"
	"mappe/shared/web/format"
	"mappe/shared/web/reply"
)

const (
	// mostObjects bounds an answer.
	mostObjects = 250_000
	// squareBytes is about what a square in work takes, photoBytes what its orthophoto does, cellBytes what is held of a m² and
	// objectBytes what is held of an object, of which there are at most so many a m². Objects themselves stand in a file.
	squareBytes = 190 << 20
	photoBytes  = 40 << 20
	cellBytes   = 2
	objectBytes = 200
	objectsM2   = 0.012
	// batch is how many objects are told their types at a time.
	batch = 1024
)

// bytes is about what the division takes while it is worked on, and what its result takes until it is written.
func (q *search) bytes(squares int) (working, held int64) {
	one := squareBytes
	if q.photo != nil {
		one += photoBytes
	}
	b := q.q.Area.Box()
	return int64(min(squares, runtime.GOMAXPROCS(0), land.Workers) * one),
		int64(cellBytes*(b.East-b.West)*(b.North-b.South)) + int64(q.q.Area.M2*objectsM2*objectBytes)
}

// divided is an area with its objects.
type divided struct {
	*search
	*land.Division
	told    []land.Answer
	sizes   []size
	model   *classifier.OfSegments // nil: the rules told all
	unusual string                 // why a model that is there is not used; ""
	release func()                 // gives back what it holds, when it is written
}

// size is what objects are chosen and summed by, beside their types.
type size struct{ area, height float32 } // m²; greatest height in metres, NaN: unknown

// divide finds the objects of the area of a question, and tells their types. The caller releases them.
func (e *service) divide(ctx context.Context, q *question, p *tasks.Progress) (_ *divided, err error) {
	s, err := e.open(ctx, q, p)
	if err != nil {
		return nil, err
	}
	model, unusual, err := classes.Of(ctx, s.v.View)
	if err != nil {
		return nil, err
	}
	squares := len(squaresOf(q.Area))
	working, held := s.bytes(squares)
	release, err := e.memory.TakeParts(ctx, working, held)
	if err != nil {
		return nil, err
	}
	d := &divided{search: s, model: model, unusual: unusual}
	found := spool.New(0)
	d.release = func() {
		release[1]()
		_ = found.Close() // a file that cannot be removed is the folder's that is emptied with the process
	}
	defer func() {
		if release[0](); err != nil {
			d.release()
		}
	}()
	if err := p.Step(ctx, "finding segments", squares); err != nil {
		return nil, err
	}
	params := land.Params{MinSize: q.MinSize, Threshold: q.Threshold, FelzScale: q.FelzScale}
	d.Division, err = land.Survey(ctx, q.Area.Polygons, params, land.Course{Source: s.layers, Store: found,
		Done: func(ctx context.Context) error { return p.Add(ctx, 1) }})
	if err != nil {
		return nil, err
	}
	switch {
	case d.Found == 0:
		return nil, fault.New(fault.NotFound, "no layer has a value in the area: /layers says where there are some")
	case d.Count() > mostObjects:
		return nil, fault.New(fault.TooLarge, "the area has %d segments, at most %d are given: ask for smaller parts, or a larger "+
			"min_object_size", d.Count(), mostObjects)
	}
	if err := p.Step(ctx, "telling types", 1); err != nil {
		return nil, err
	}
	if err := d.tell(ctx); err != nil {
		return nil, err
	}
	return d, p.Add(ctx, 1)
}

// tell tells the types of all objects.
func (d *divided) tell(ctx context.Context) error {
	var tells land.Classifier
	if d.model != nil {
		tells = d.model
	}
	d.told, d.sizes = make([]land.Answer, 0, d.Count()), make([]size, 0, d.Count())
	list := make([]land.Object, 0, batch)
	for i := range d.Count() {
		o, err := d.Object(i)
		if err != nil {
			return err
		}
		list = append(list, o)
		d.sizes = append(d.sizes, size{o.Row[land.Area], o.Row[land.HeightMax]})
		if len(list) == batch || i+1 == d.Count() {
			d.told = append(d.told, land.Classify(list, tells)...)
			list = list[:0]
			if err := ctx.Err(); err != nil {
				return context.Cause(ctx)
			}
		}
	}
	return nil
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
		Total: len(kept), RowTypes: []*format.RowType{schema.RowType}, Name: layer, Geometry: true, Attribution: d.attribution(),
		Meta:    d.meta(),
		Members: []reply.Member{{Name: "summary", Value: d.summary(d.pick(nil), d.typeOf)}},
		Rows:    d.seq(schema, kept),
		Done:    d.release,
	})
}

// pick gives the numbers of the segments that are kept; nil keeps all.
func (d *divided) pick(keep func(i int) bool) []int {
	kept := make([]int, 0, d.Count())
	for i := range d.Count() {
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
		sums[class(i)] = [3]float64{s[0] + 1, s[1] + float64(d.sizes[i].area), s[2] + d.told[i].Confidence}
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
		outlines := d.Tracer()
		rec := schema.Record()
		for _, i := range kept {
			o, err := d.Object(i)
			if err != nil {
				yield(nil, err)
				return
			}
			var drawn geom.MultiPolygon // drawn once, when it is asked for
			rec.Item = row{&o, &d.told[i], d.model, func() geom.MultiPolygon {
				if drawn == nil {
					drawn = onplane.Turned(outlines.Outline(&o))
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
	for _, l := range []*rasters.Layer{d.Ground, d.EarlierGround, d.photo, d.ndvi, d.sar, d.cover} {
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
		name := proximity.License
		map_ = &name
	}
	return []reply.Member{{Name: "dataset", Value: date(d.Ground)}, {Name: "earlier_dataset", Value: date(d.EarlierGround)},
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
	if d.Ground == nil {
		out = append(out, "no height model reaches into the area: segments follow the colours of the orthophoto, and types are less sure")
	} else {
		out = append(out, scans.Coverage{Cells: d.Cells, Known: d.Known}.Warnings(d.Ground)...)
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
