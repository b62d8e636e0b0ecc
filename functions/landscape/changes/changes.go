package changes

import (
	"context"
	"fmt"
	"strconv"

	"mappe/functions/core/drawn"
	"mappe/functions/landscape/scans"
	"mappe/shared/landscape/change"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/format"
	"mappe/shared/web/reply"
)

var (
	dateA = endpoint.Parsed("date_a", "Date of the earlier laser scan as YYYYMMDD.", parseDate, endpoint.Default("20220915"))
	dateB = endpoint.Parsed("date_b", "Date of the later laser scan as YYYYMMDD.", parseDate, endpoint.Default("20240915"))
	least = endpoint.Float("min_change", "Metres by which the terrain, or what stands on it, has to differ; "+
		"ground that is levelled or sealed, and roads, count by less.",
		endpoint.Between(minLeast, maxLeast), endpoint.Default("1.0"))
)

// The bounds of min_change: below half a metre growth and crops of every year would be changes.
const (
	minLeast = 0.5
	maxLeast = 20
)

func parseLeast(text string) (float64, error) {
	v, err := strconv.ParseFloat(text, 64)
	if err != nil || !(v >= minLeast && v <= maxLeast) {
		return 0, fmt.Errorf("metres, %g to %d", minLeast, maxLeast)
	}
	return v, nil
}

// comparisonMeta is what meta says beyond the common.
type comparisonMeta struct {
	DateA            string           `json:"date_a"`
	DateB            string           `json:"date_b"`
	MinChange        float64          `json:"min_change_m"`
	Coverage         *float64         `json:"coverage" doc:"share of the area that has heights of both dates"`
	Registration     registrationMeta `json:"registration"`
	Missing          []string         `json:"evidence_missing" doc:"what would have made types surer, and is not at hand"`
	GeometryRepaired bool             `json:"geometry_repaired"`
	Warnings         []string         `json:"warnings"`
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

// besideChanges is what stands beside data and meta.
type besideChanges struct {
	Summary map[string]typeSummary `json:"summary" doc:"by type, those that occur"`
}

type typeSummary struct {
	Count         int      `json:"count"`
	Area          *float64 `json:"area_sqm"`
	TerrainVolume *float64 `json:"terrain_volume_m3"`
	SurfaceVolume *float64 `json:"surface_volume_m3"`
}

// exampleArea is a slope of the demonstration country.
const exampleArea = `{"geometry":{"type":"Polygon","coordinates":[[[13.2330,47.3228],[13.2350,47.3228],[13.2350,47.3242],` +
	`[13.2330,47.3242],[13.2330,47.3228]]]}}`

func (e *service) changes() endpoint.Endpoint {
	areaBody := e.body()
	return endpoint.Endpoint{
		Method: "POST", Path: "/api/v1/changes", ID: "changes", Tag: "Changes",
		Summary: "What has changed between two laser scans",
		Doc: `The changes of an area between two laser scans, each with its outline, area, volumes with their errors, heights before and
after, a confidence and the evidence its type was told by. The two dates are laid over each other first: a constant offset, a tilt and a
horizontal shift are estimated from open ground, taken off and told in meta.registration, so that none of them is a change. The types:
tree_growth, tree_felling, new_tree, forest_clearcut (above 0.3 ha), vegetation_growth and vegetation_loss (below 3 m, crops among them),
new_building, demolition, construction, earthwork_fill, earthwork_cut, earthwork_grading, earthwork_dam, earthwork_trench, earthwork_pond,
road_new, road_resurfaced, road_widened, surface_change, unclassified_change. Cars, lorries and bales are none. Types are told from heights
alone, so that a type is less sure than that something has changed. What the border of the area cuts off has cut_off: true, and counts by
the part inside. summary counts by type. A geometry that is not valid is repaired: meta.geometry_repaired and meta.warnings say so.`,
		Params: []endpoint.AnyParam{dateA, dateB, least},
		Body:   areaBody,
		Answer: endpoint.Answer{Rows: []*format.Kind{rows.Kind}, Page: endpoint.Page{None: true}, Meta: comparisonMeta{},
			Beside: besideChanges{}},
		Example:     "/api/v1/changes",
		ExampleBody: exampleArea,
		Serve: func(ctx context.Context, r *endpoint.Request) (reply.Answer, error) {
			return e.serve(ctx, r, areaBody.Of(r))
		},
	}
}

// asked are the parameters of a request.
func asked(r *endpoint.Request, a *drawn.Area) (p params, err error) {
	if err := known(a.Params, "date_a", "date_b", "min_change"); err != nil {
		return p, err
	}
	if p.before, err = param(dateA, r, a.Params, parseDate); err != nil {
		return p, err
	}
	if p.after, err = param(dateB, r, a.Params, parseDate); err != nil {
		return p, err
	}
	p.least, err = param(least, r, a.Params, parseLeast)
	return p, err
}

func (e *service) serve(ctx context.Context, r *endpoint.Request, a *drawn.Area) (reply.Answer, error) {
	p, err := asked(r, a)
	if err != nil {
		return nil, err
	}
	s, err := scans.Open(ctx)
	if err != nil {
		return nil, err
	}
	got, err := run(ctx, s, e.memory, a, p, nil)
	if err != nil {
		return nil, err
	}
	return got.answer(a, p), nil
}

// answer are the changes as rows.
func (got *result) answer(a *drawn.Area, p params) *reply.Rows {
	found := rowsOf(got.Events)
	coverage := float64(got.Known) / float64(max(got.Cells, 1))
	warnings := append([]string{}, a.Warnings...)
	if coverage < enough {
		warnings = append(warnings, fmt.Sprintf("heights of both dates, %s and %s, cover %.1f %% of the area",
			got.models[change.TerrainBefore].Date,
			got.models[change.TerrainAfter].Date, 100*coverage))
	}
	return &reply.Rows{
		Total: len(found), Kinds: []*format.Kind{rows.Kind}, Name: layer, Geometry: true,
		Meta: []reply.Member{{Name: "date_a", Value: p.before}, {Name: "date_b", Value: p.after}, {Name: "min_change_m", Value: p.least},
			{Name: "coverage", Value: scans.Round(coverage, 4)}, {Name: "registration", Value: registrationOf(&got.Registration)},
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
	}
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

func summaries(events []change.Event) map[string]typeSummary {
	sums := map[string][4]float64{}
	for i := range events {
		e := &events[i]
		v := sums[e.Kind.String()]
		sums[e.Kind.String()] = [4]float64{v[0] + 1, v[1] + e.Area, v[2] + e.TerrainVolume, v[3] + e.SurfaceVolume}
	}
	out := map[string]typeSummary{}
	for k, v := range sums {
		out[k] = typeSummary{int(v[0]), scans.Round(v[1], 0), scans.Round(v[2], 1), scans.Round(v[3], 1)}
	}
	return out
}
