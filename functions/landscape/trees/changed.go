package trees

import (
	"context"
	"encoding/json"
	"math"

	"mappe/artefacts/rasters"
	"mappe/functions/core/drawn"
	"mappe/functions/core/shares"
	"mappe/functions/core/tasks"
	"mappe/functions/core/view"
	"mappe/functions/landscape/scans"
	"mappe/shared/geo/raster"
	"mappe/shared/landscape/canopy"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/fault"
	"mappe/shared/web/format"
	"mappe/shared/web/reply"
)

// changedMeta is what meta says beyond the common.
type changedMeta struct {
	DateA string `json:"date_a"`
	DateB string `json:"date_b"`
	treesMeta
}

type changedBeside struct {
	Summary changedSummary `json:"summary"`
}

type changedSummary struct {
	Total    int                     `json:"total_trees"`
	ByStatus map[string]statusFigure `json:"by_status"`
}

type statusFigure struct {
	Count  int      `json:"count"`
	Change *float64 `json:"height_change_mean_m" doc:"null where the trees stand on one date alone"`
}

// changedQuestion is what is asked of an area and two dates.
type changedQuestion struct {
	Area   *drawn.Area `json:"area"`
	Before string      `json:"date_a"`
	After  string      `json:"date_b"`
	asked
}

func (q *changedQuestion) place() json.RawMessage {
	f := drawn.Feature{Polygons: q.Area.Geometry}
	return f.GeoJSON()
}

func (e *service) changed() endpoint.Endpoint {
	body := drawn.AreaBody(e.memory)
	return e.changedTask().Endpoint(e.tasks, endpoint.Endpoint{
		Method: "POST", Path: "/api/v1/changes/trees", ID: "changes_trees", Tag: tag,
		Summary: "What became of the trees of an area between two laser scans",
		Doc: `Each tree of either date, matched by place and height: grown by at least 0.5 m, stable, felled (its crown has lost more than
60 % of its height, and more than 3 m) or new. A tree that is told apart on one date alone while the canopy stands on both is stable or grown by the
canopy over its crown. summary counts by status.` + treesDoc,
		Params: []endpoint.AnyParam{dateA, dateB, minHeight, asPoints, rejectOther, useCadastre, minLikely},
		Body:   body,
		Answer: endpoint.Answer{Rows: []*format.RowType{changeRows.RowType}, Forms: format.WithKML(), Page: endpoint.Page{None: true},
			Meta: changedMeta{}, Beside: changedBeside{}, Headers: view.ReadyHeaders},
		Example:     "/api/v1/changes/trees",
		ExampleBody: drawn.Example,
	}, func(_ context.Context, r *endpoint.Request) (*changedQuestion, error) {
		return &changedQuestion{body.Of(r), dateA.Of(r), dateB.Of(r),
			asked{MinHeight: minHeight.Of(r), Outlines: asPoints.Of(r) == crownPolygon, Reject: rejectOther.Of(r),
				Cadastre: useCadastre.Of(r), MinLikely: minLikely.Of(r)}}, nil
	})
}

// changedTask are the changes of trees, at once or in the background.
func (e *service) changedTask() *tasks.Task[changedQuestion] {
	return &tasks.Task[changedQuestion]{Name: "changes-trees", State: scans.StateWithCadastre, Place: (*changedQuestion).place,
		Layer: shares.Layer{Type: "status", Height: []string{"height_after_m", "height_before_m"}, Style: changeStyle}, Run: e.runChanged}
}

// ordered refuses two dates of which the second is not the later one.
func (q *changedQuestion) ordered() error {
	switch {
	case q.Before == q.After:
		return fault.BadValue("date_b", q.After, "a date after date_a: what is compared with itself has not changed")
	case q.Before > q.After:
		return fault.BadValue("date_a", q.Before, "a date before date_b, "+q.After+": ask with the two dates exchanged")
	}
	return nil
}

func (e *service) runChanged(ctx context.Context, q *changedQuestion, p *tasks.Progress) (_ reply.Answer, err error) {
	if err := q.ordered(); err != nil {
		return nil, err
	}
	s, err := e.open(ctx, q.Area, &q.asked, p)
	if err != nil {
		return nil, err
	}
	grounds, err := s.both(q)
	if err != nil {
		return nil, err
	}
	working, held := s.bytes(2)
	release, err := e.memory.TakeParts(ctx, working, held)
	if err != nil {
		return nil, err
	}
	defer release[0]()
	var rows *kept[changeRow]
	done := func() {
		if rows != nil {
			_ = rows.close() // a file that cannot be removed is the folder's that is emptied with the process
		}
		release[1]()
	}
	defer func() {
		if err != nil {
			done()
		}
	}()
	rejected := map[string]int{}
	rows, err = each(ctx, s, "comparing trees", (*changeRow).place, func(ctx context.Context, square raster.Box) ([]changeRow, error) {
		return s.compare(ctx, square, grounds, q, rejected)
	})
	if err != nil {
		return nil, err
	}
	summary, err := byStatus(rows)
	if err != nil {
		return nil, err
	}
	warnings, err := s.warnings(grounds[1])
	if err != nil {
		return nil, err
	}
	schema := drawnAs(q.Outlines, changeRows, changePoints)
	first := []reply.Member{{Name: "date_a", Value: q.Before}, {Name: "date_b", Value: q.After}, {Name: "dataset", Value: q.After}}
	return s.gaps.Mark(&reply.Rows{
		Total: rows.len(), Done: done, RowTypes: []*format.RowType{schema.RowType}, Name: changeLayer, Geometry: true,
		Attribution: grounds[1].Attribution,
		Meta:        s.meta(q.Area, first, q.asked, rejected, warnings),
		Members:     []reply.Member{{Name: "summary", Value: summary}},
		Rows:        changesOf(rows, schema),
	}), nil
}

// changesOf are kept rows as those of an answer.
func changesOf(rows *kept[changeRow], schema *format.Schema[changeRow]) func(yield func(format.Row, error) bool) {
	return func(yield func(format.Row, error) bool) {
		rec := schema.Record()
		if err := rows.each(func(_ int, row *changeRow) bool {
			rec.Item = *row
			return yield(rec, nil)
		}); err != nil {
			yield(nil, err)
		}
	}
}

// both are the terrain models of the two dates of a question.
func (s *search) both(q *changedQuestion) (grounds [2]*rasters.Layer, err error) {
	for i, d := range [2][2]string{{"date_a", q.Before}, {"date_b", q.After}} {
		found, err := s.grounds(d[0], d[1])
		if err != nil {
			return grounds, err
		}
		grounds[i] = found[0]
	}
	return grounds, nil
}

// compare is what became of the trees of a square.
func (s *search) compare(ctx context.Context, square raster.Box, grounds [2]*rasters.Layer, q *changedQuestion,
	rejected map[string]int) ([]changeRow, error) {
	var layers [2]canopy.Layers
	var trees [2][]canopy.Tree
	var dropped []canopy.Class
	around := square.Grown(pairReach)
	var err error
	if layers[0], err = s.layers(ctx, around, grounds[0]); err == nil {
		layers[1], err = s.heights(ctx, around.Grown(canopy.Halo), grounds[1])
	}
	if err != nil {
		return nil, err
	}
	layers[1].Buildings, layers[1].BuildingsKnown = layers[0].Buildings, layers[0].BuildingsKnown // of the cadastre's own date
	mask := raster.MaskOf(layers[1].DSM, s.area.Polygons)
	f := s.finders.take()
	defer s.finders.give(f)
	for i, l := range layers {
		f.On(l)
		for _, t := range f.Find(around, s.params) {
			if q.keeps(&t) {
				trees[i] = append(trees[i], t)
			} else if i == 1 && t.Class.Rejected() && mask.Has(t.Col, t.Row) && t.X >= square.West && t.X < square.East &&
				t.Y >= square.South && t.Y < square.North {
				dropped = append(dropped, t.Class)
			}
		}
	}
	var ground canopy.Ground
	f.AddTo(&ground, mask, square)
	var out []changeRow
	for _, c := range canopy.Pairs(trees[0], trees[1], layers[0], layers[1], square) {
		t := c.Tree()
		if mask.Has(t.Col, t.Row) {
			out = append(out, changeRow{c, t.ID(), shape(t, layers[1].DSM, q.Outlines)})
			last := &out[len(out)-1]
			last.Before, last.After = nil, nil // whose cells would stay in memory
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ground.Merge(&ground)
	for _, c := range dropped {
		rejected[string(c)]++
	}
	return out, nil
}

// pairReach is how far around a square trees are found that those in it may be matched with, metres.
const pairReach = 24

func byStatus(rows *kept[changeRow]) (changedSummary, error) {
	out := changedSummary{rows.len(), map[string]statusFigure{}}
	sums := map[canopy.Status][2]float64{}
	err := rows.each(func(_ int, r *changeRow) bool {
		v := sums[r.Status]
		if d := r.HeightAfter - r.HeightBefore; !math.IsNaN(d) {
			v[1] += d
		}
		v[0]++
		sums[r.Status] = v
		return true
	})
	for s, v := range sums {
		f := statusFigure{Count: int(v[0])}
		if s == canopy.Grown || s == canopy.Stable {
			f.Change = scans.Round(mean(v[1], int(v[0])), 2)
		}
		out.ByStatus[string(s)] = f
	}
	return out, err
}
