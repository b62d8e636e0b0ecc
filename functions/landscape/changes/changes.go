package changes

import (
	"context"
	"encoding/json"
	"fmt"

	"mappe/functions/core/drawn"
	"mappe/functions/core/shares"
	"mappe/functions/core/tasks"
	"mappe/functions/core/view"
	"mappe/functions/landscape/scans"
	"mappe/shared/landscape/change"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/format"
	"mappe/shared/web/params"
	"mappe/shared/web/reply"
)

var (
	dateA = params.Date("date_a", "Date of the earlier laser scan as YYYYMMDD.", endpoint.Default("20220915"))
	dateB = params.Date("date_b", "Date of the later laser scan as YYYYMMDD.", endpoint.Default("20240915"))
	least = endpoint.Float("min_change",
		"Metres by which the terrain, or what stands on it, has to differ; ground that is levelled or sealed, and roads, count by less.",
		endpoint.Between(minLeast, maxLeast), endpoint.Default("1.0"))
	useCadastre = endpoint.Bool("include_cadastre", "Whether footprints of the cadastre are looked at as a hint.", endpoint.Default("true"))
	useOrtho    = endpoint.Bool("include_ortho",
		"Whether the orthophotos nearest to the two dates are looked at as a hint, where there are some within 200 days.",
		endpoint.Default("true"))
)

// The bounds of min_change: below half a metre growth and crops of every year would be changes.
const (
	minLeast = 0.5
	maxLeast = 20
)

// changesMeta is what meta says beyond the common.
type changesMeta struct {
	DateA            string           `json:"date_a"`
	DateB            string           `json:"date_b"`
	MinChange        float64          `json:"min_change_m"`
	Coverage         *float64         `json:"coverage" doc:"share of the area that has heights of both dates"`
	Registration     registrationMeta `json:"registration"`
	Mask             string           `json:"building_mask" enum:"cadastre,partial,none" doc:"which footprints were looked at"`
	OrthoA           *string          `json:"ortho_a" doc:"date of the orthophoto that ndvi_before is of, YYYYMMDD; null if none was used"`
	OrthoB           *string          `json:"ortho_b" doc:"that of ndvi_after"`
	Missing          []string         `json:"evidence_missing" doc:"layers that would make the types more certain, and are not available"`
	GeometryRepaired bool             `json:"geometry_repaired"`
	Warnings         []string         `json:"warnings"`
	view.GapsMeta
}

// registrationMeta is how the two dates lay to each other before they were compared.
type registrationMeta struct {
	Offset      *float64 `json:"offset_m" doc:"by which the later heights were too high; taken off"`
	OffsetError *float64 `json:"offset_error_m" doc:"standard deviation"`
	TiltEast    *float64 `json:"tilt_east_m_per_km" doc:"taken off"`
	TiltNorth   *float64 `json:"tilt_north_m_per_km"`
	ShiftEast   *float64 `json:"shift_east_m" doc:"by which the later date lay too far to the east"`
	ShiftNorth  *float64 `json:"shift_north_m"`
	ShiftErrorE *float64 `json:"shift_error_east_m" doc:"standard deviation"`
	ShiftErrorN *float64 `json:"shift_error_north_m"`
	Shifted     bool     `json:"shift_removed" doc:"whether the shift was larger than its error, and was taken off"`
	NoiseOpen   *float64 `json:"noise_open_m" doc:"standard deviation of the difference of the terrain on open ground"`
	NoiseWooded *float64 `json:"noise_wooded_m" doc:"below trees"`
	SampleCells int      `json:"sample_cells"`
}

// changesBeside is what stands beside data and meta.
type changesBeside struct {
	Summary map[string]changeSummary `json:"summary" doc:"by type, those that occur"`
}

type changeSummary struct {
	Count         int      `json:"count"`
	Area          *float64 `json:"area_sqm"`
	TerrainVolume *float64 `json:"terrain_volume_m3"`
	SurfaceVolume *float64 `json:"surface_volume_m3"`
}

func (e *service) changes() endpoint.Endpoint {
	areaBody := drawn.AreaBody(e.memory)
	return e.task().Endpoint(e.tasks, endpoint.Endpoint{
		Method: "POST", Path: "/api/v1/changes", ID: "changes", Tag: "Changes",
		Summary: "What has changed between two laser scans",
		Doc: `The changes of an area between two laser scans, each with its outline, area, volumes with their errors, heights before and
after, a confidence and the evidence its type was told by. The two dates are laid over each other first: a constant offset, a tilt and a
horizontal shift are estimated from open ground, taken off and told in meta.registration, so that none of them is a change. The types:
tree_growth, tree_felling, new_tree, forest_clearcut (above 0.3 ha), vegetation_growth and vegetation_loss (below 3 m, crops among them),
new_building, demolition, construction, earthwork_fill, earthwork_cut, earthwork_grading, earthwork_dam, earthwork_trench, earthwork_pond,
road_new, road_resurfaced, road_widened, surface_change, unclassified_change. Cars, lorries and bales are not changes. Types are told
from heights, buildings by footprints of the cadastre too, so that a type is less sure than that something has changed. Two hints stand beside
each change, in its members and in evidence: footprint_share, which part of it the cadastre has as buildings now, whatever the dates are, and
ndvi_before and ndvi_after, the vegetation index on the orthophotos that were taken nearest to the two dates; their seasons may differ. What the border of the area cuts off has cut_off: true, and counts by
the part inside. summary counts by type. A geometry that is not valid is repaired: meta.geometry_repaired and meta.warnings say so.`,
		Params: []endpoint.AnyParam{dateA, dateB, least, useCadastre, useOrtho},
		Body:   areaBody,
		Answer: endpoint.Answer{Rows: []*format.RowType{rows.RowType}, Forms: format.WithKML(), Page: endpoint.Page{None: true},
			Meta: changesMeta{}, Beside: changesBeside{}, Headers: view.ReadyHeaders},
		Example:     "/api/v1/changes",
		ExampleBody: drawn.Example,
	}, func(_ context.Context, r *endpoint.Request) (*question, error) {
		return &question{areaBody.Of(r), dateA.Of(r), dateB.Of(r), least.Of(r), useCadastre.Of(r), useOrtho.Of(r)}, nil
	})
}

// question is what is asked of an area.
type question struct {
	Area     *drawn.Area `json:"area"`
	Before   string      `json:"date_a"` // YYYYMMDD
	After    string      `json:"date_b"`
	Least    float64     `json:"min_change"`
	Cadastre bool        `json:"include_cadastre"`
	Ortho    bool        `json:"include_ortho"`
}

// place is the area as GeoJSON.
func (q *question) place() json.RawMessage {
	f := drawn.Feature{Polygons: q.Area.Geometry}
	return f.GeoJSON()
}

// task are the changes of an area, at once or in the background.
func (e *service) task() *tasks.Task[question] {
	return &tasks.Task[question]{Name: "changes", State: scans.StateWithCadastre, Run: e.answer, Place: (*question).place,
		Layer: shares.Layer{Type: "type", Height: []string{"height_after_m", "height_before_m"}, Style: style}}
}

func (e *service) answer(ctx context.Context, q *question, p *tasks.Progress) (reply.Answer, error) {
	s, err := scans.Open(ctx)
	if err != nil {
		return nil, err
	}
	got, err := run(ctx, s, e.memory, q, p)
	if err != nil {
		return nil, err
	}
	return got.answer(q), nil
}

// answer are the changes as rows.
func (got *result) answer(q *question) *reply.Rows {
	a := q.Area
	found, photos := rowsOf(got.Events), got.photos.datasets()
	coverage := float64(got.Known) / float64(max(got.Cells, 1))
	warnings := append([]string{}, a.Warnings...)
	if coverage < enough {
		warnings = append(warnings, fmt.Sprintf("heights of both dates, %s and %s, cover %.1f %% of the area",
			got.models[change.TerrainBefore].Date,
			got.models[change.TerrainAfter].Date, 100*coverage))
	}
	return got.gaps.Mark(&reply.Rows{
		Total: len(found), RowTypes: []*format.RowType{rows.RowType}, Name: layer, Geometry: true,
		Meta: []reply.Member{{Name: "date_a", Value: q.Before}, {Name: "date_b", Value: q.After}, {Name: "min_change_m", Value: q.Least},
			{Name: "coverage", Value: scans.Round(coverage, 4)}, {Name: "registration", Value: registrationOf(&got.Registration)},
			{Name: "building_mask", Value: got.mask()}, {Name: "ortho_a", Value: photos[0]}, {Name: "ortho_b", Value: photos[1]},
			{Name: "evidence_missing", Value: append([]string{}, got.Missing...)},
			{Name: "geometry_repaired", Value: a.Repaired}, {Name: "warnings", Value: warnings}},
		Members: []reply.Member{{Name: "summary", Value: summaries(got.Events)}},
		Rows: func(yield func(format.Row, error) bool) {
			rec := rows.Record()
			for i := range found {
				rec.Item = found[i]
				if !yield(rec, nil) {
					return
				}
			}
		},
	})
}

// enough is the share of the cells of an area from which on two dates cover it.
const enough = 0.95

func registrationOf(g *change.Registration) registrationMeta {
	return registrationMeta{
		Offset: scans.Round(g.Offset, 3), OffsetError: scans.Round(g.OffsetError, 3),
		TiltEast: scans.Round(1000*g.Tilt[0], 3), TiltNorth: scans.Round(1000*g.Tilt[1], 3),
		ShiftEast: scans.Round(g.Shift[0], 3), ShiftNorth: scans.Round(g.Shift[1], 3),
		ShiftErrorE: scans.Round(g.ShiftError[0], 3), ShiftErrorN: scans.Round(g.ShiftError[1], 3),
		Shifted: g.Applied, NoiseOpen: scans.Round(g.Open, 3), NoiseWooded: scans.Round(g.Wooded, 3), SampleCells: g.Sample,
	}
}

func summaries(events []change.Event) map[string]changeSummary {
	sums := map[string][4]float64{}
	for i := range events {
		e := &events[i]
		v := sums[e.Kind.String()]
		sums[e.Kind.String()] = [4]float64{v[0] + 1, v[1] + e.Area, v[2] + e.TerrainVolume, v[3] + e.SurfaceVolume}
	}
	out := map[string]changeSummary{}
	for k, v := range sums {
		out[k] = changeSummary{int(v[0]), scans.Round(v[1], 0), scans.Round(v[2], 1), scans.Round(v[3], 1)}
	}
	return out
}
