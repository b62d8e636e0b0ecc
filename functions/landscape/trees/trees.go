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
	"mappe/shared/landscape/canopy"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/format"
	"mappe/shared/web/reply"
)

// treesMeta is what meta says beyond the common.
type treesMeta struct {
	Dataset          string         `json:"dataset" doc:"date of the laser scan"`
	Ortho            *string        `json:"ortho" doc:"date of the orthophoto; null if none was used"`
	Coverage         *float64       `json:"coverage" doc:"share of the area that has heights"`
	Rejected         int            `json:"rejected_by_surface" doc:"crowns that are no trees by their surface"`
	RejectedByClass  map[string]int `json:"rejected_by_surface_class"`
	Mask             string         `json:"building_mask" enum:"cadastre,partial,none" doc:"which footprints told buildings"`
	Parameters       map[string]any `json:"parameters" doc:"as they were used"`
	GeometryRepaired bool           `json:"geometry_repaired"`
	Warnings         []string       `json:"warnings"`
	view.GapsMeta
}

const treesDoc = `
Trees are found in the height of the canopy above the ground in cells of 1 m: apexes that no higher place within 0.6 of the usual crown
radius rules out, crowns that grow from them as far as the canopy falls. What is a building (by footprints of the cadastre), hard surface, crop
or another flat structure by its surface is left out; meta.rejected_by_surface_class counts it. Heights are those of the highest
return and a share of the crown's steepness by which a laser misses the apex. Rows are ordered from the north, then from the west. An area
with more than 100,000 trees is refused. A geometry that is not valid is repaired: meta.geometry_repaired and meta.warnings say so.`

// question is what is asked of an area.
type question struct {
	Area    *drawn.Area `json:"area"`
	Dataset string      `json:"dataset,omitempty"` // "" for the newest
	asked
}

func (q *question) place() json.RawMessage {
	f := drawn.Feature{Polygons: q.Area.Geometry}
	return f.GeoJSON()
}

type firstBeside struct {
	Summary firstSummary `json:"summary"`
}

type firstSummary struct {
	Total     int            `json:"total_trees"`
	Stems     *float64       `json:"stems_per_ha"`
	ByLeaf    map[string]int `json:"by_leaf_type"`
	Mean      *float64       `json:"height_mean_m"`
	Max       *float64       `json:"height_max_m"`
	Top       *float64       `json:"top_height_m" doc:"mean of the 100 highest trees a hectare"`
	CrownArea *float64       `json:"crown_area_total_sqm"`
	Cover     *float64       `json:"crown_cover_pct"`
}

func (e *service) first() endpoint.Endpoint {
	body := drawn.AreaBody(e.memory)
	return e.firstTask().Endpoint(e.tasks, endpoint.Endpoint{
		Method: "POST", Path: "/api/v1/trees", ID: "trees", Tag: tag,
		Summary: "Single trees of an area",
		Doc:     `The trees of an area with their crowns, and a summary.` + treesDoc + ` /api/v2/trees says more of each.`,
		Params:  []endpoint.AnyParam{dataset, minHeight, minCrown, asPoints, useOrtho, rejectOther, useCadastre, minLikely},
		Body:    body,
		Answer: endpoint.Answer{Rows: []*format.RowType{firstRows.RowType}, Forms: format.WithKML(), Page: endpoint.Page{None: true},
			Meta: treesMeta{}, Beside: firstBeside{}, Headers: view.ReadyHeaders},
		Example:     "/api/v1/trees",
		ExampleBody: drawn.Example,
	}, func(_ context.Context, r *endpoint.Request) (*question, error) {
		return &question{body.Of(r), dataset.Of(r), asked{MinHeight: minHeight.Of(r), MinCrown: minCrown.Of(r),
			Outlines: asPoints.Of(r) == crownPolygon,
			Ortho:    useOrtho.Of(r), Reject: rejectOther.Of(r), Cadastre: useCadastre.Of(r), MinLikely: minLikely.Of(r)}}, nil
	})
}

// firstTask are the trees of an area, at once or in the background.
func (e *service) firstTask() *tasks.Task[question] {
	return &tasks.Task[question]{Name: "trees", State: scans.StateWithCadastre, Place: (*question).place,
		Layer: shares.Layer{Type: "leaf_type", Height: []string{"height_max_m"}, Style: treeStyle},
		Run: func(ctx context.Context, q *question, p *tasks.Progress) (reply.Answer, error) {
			got, err := e.find(ctx, q, p)
			if err != nil {
				return nil, err
			}
			return got.answer(q, drawnAs(q.Outlines, firstRows, firstPoints), firstBesideOf(got.sum)), nil
		}}
}

func firstBesideOf(s canopy.Summary) any {
	return firstSummary{s.Trees, scans.Round(s.StemsTotal, 1), s.Leaves, scans.Round(s.Mean, 2), scans.Round(s.Max, 2),
		scans.Round(s.Dominant, 2), scans.Round(s.CrownArea, 0), scans.Round(s.CoverTotal, 1)}
}

type secondBeside struct {
	Summary secondSummary `json:"summary"`
}

type secondSummary struct {
	Trees       int            `json:"n_trees"`
	Edge        int            `json:"n_trees_edge"`
	AreaHa      *float64       `json:"area_ha_total"`
	CanopyHa    *float64       `json:"area_ha_canopy" doc:"at least 2 m above the ground and no building"`
	StemsCanopy *float64       `json:"stems_per_ha_canopy"`
	StemsTotal  *float64       `json:"stems_per_ha_total"`
	Mean        *float64       `json:"h_mean_m"`
	P50         *float64       `json:"h_p50"`
	P90         *float64       `json:"h_p90"`
	P95         *float64       `json:"h_p95"`
	P99         *float64       `json:"h_p99"`
	Max         *float64       `json:"h_max"`
	Dominant    *float64       `json:"h_dom_m" doc:"mean of the 100 highest trees a hectare, by h_dom_basis; field inventories take the 100 thickest"`
	Top100      *float64       `json:"h_top100_m" doc:"mean of the 100 highest trees"`
	CrownArea   *float64       `json:"crown_area_total_sqm"`
	CoverCanopy *float64       `json:"crown_cover_pct_canopy"`
	CoverTotal  *float64       `json:"crown_cover_pct_total"`
	Volume      *float64       `json:"volume_total_m3_est"`
	Histogram   []int          `json:"height_histogram_2m" doc:"trees by 2 m of height, from 0"`
	Profile     []*float64     `json:"layer_profile_2m" doc:"share of the canopy's cells by 2 m of height, from 0"`
	Gaps        *float64       `json:"canopy_gap_fraction" doc:"share of the cells of stands that are below 2 m; a cell is of a stand where half of the 11 x 11 around it is canopy"`
	Understorey bool           `json:"understory_detectable" doc:"always false: a surface model shows the highest crowns alone"`
	ByLeaf      map[string]int `json:"by_leaf_type"`
	ByVitality  map[string]int `json:"by_vitality"`
	BySpecies   map[string]int `json:"by_species_hint"`
	BySource    map[string]int `json:"by_detection_source"`
	BySurface   map[string]int `json:"by_surface_class"`
}

func (e *service) second() endpoint.Endpoint {
	body := drawn.AreaBody(e.memory)
	return e.secondTask().Endpoint(e.tasks, endpoint.Endpoint{
		Method: "POST", Path: "/api/v2/trees", ID: "trees_v2", Tag: tag,
		Summary: "Single trees of an area by their apexes, as an inventory",
		Doc: `The trees of an area with crown, stem, leaf type, vitality, a hint at the species and what was measured of their surface, and the
figures of a stand.` + treesDoc + ` Diameters are estimated from height and crown (Jucker et al. 2017), volumes of stems by the form factors of
Pollanschütz (1974). tree_id is the same in every answer that finds the apex at that place.`,
		Params: []endpoint.AnyParam{dataset, minHeight, rejectOther, useCadastre, minLikely, radiusA, radiusB, smoothSigma, capFactor,
			maxCrown, asPolygons, useOrtho,
			detection, seedStep, prominence, leafConf, basis},
		Body: body,
		Answer: endpoint.Answer{Rows: []*format.RowType{secondRows.RowType}, Forms: format.WithKML(), Page: endpoint.Page{None: true},
			Meta: treesMeta{}, Beside: secondBeside{}, Headers: view.ReadyHeaders},
		Example:     "/api/v2/trees",
		ExampleBody: drawn.Example,
	}, func(_ context.Context, r *endpoint.Request) (*question, error) {
		return &question{body.Of(r), dataset.Of(r), asked{MinHeight: minHeight.Of(r), Outlines: asPolygons.Of(r) == crownPolygon,
			Ortho: useOrtho.Of(r), Reject: rejectOther.Of(r),
			Cadastre: useCadastre.Of(r), MinLikely: minLikely.Of(r), RadiusA: radiusA.Of(r), RadiusB: radiusB.Of(r),
			Sigma: smoothSigma.Of(r), CapFactor: capFactor.Of(r),
			MaxCrown: maxCrown.Of(r), Prominence: prominence.Of(r), LeafConf: leafConf.Of(r), Basis: basis.Of(r),
			Fused: detection.Of(r) == fused && useOrtho.Of(r), SeedStep: seedStep.Of(r)}}, nil
	})
}

// secondTask is the inventory, at once or in the background.
func (e *service) secondTask() *tasks.Task[question] {
	return &tasks.Task[question]{Name: "trees-v2", State: scans.StateWithCadastre, Place: (*question).place,
		Layer: shares.Layer{Type: "leaf_type", Height: []string{"height_m"}, Style: treeStyle},
		Run: func(ctx context.Context, q *question, p *tasks.Progress) (reply.Answer, error) {
			got, err := e.find(ctx, q, p)
			if err != nil {
				return nil, err
			}
			return got.answer(q, drawnAs(q.Outlines, secondRows, secondPoints), secondBesideOf(got.sum)), nil
		}}
}

func secondBesideOf(s canopy.Summary) any {
	r := scans.Round
	out := secondSummary{Trees: s.Trees, Edge: s.Edge, AreaHa: r(s.AreaHa, 4), CanopyHa: r(s.CanopyHa, 4), StemsCanopy: r(s.StemsCanopy, 1),
		StemsTotal: r(s.StemsTotal, 1),
		Mean:       r(s.Mean, 2), P50: r(s.P50, 2), P90: r(s.P90, 2), P95: r(s.P95, 2), P99: r(s.P99, 2), Max: r(s.Max, 2),
		Dominant: r(s.Dominant, 2), Top100: r(s.Top100, 2),
		CrownArea: r(s.CrownArea, 0), CoverCanopy: r(s.CoverCanopy, 1), CoverTotal: r(s.CoverTotal, 1), Volume: r(s.VolumeM3, 1),
		Histogram: append([]int{}, s.Histogram...),
		Profile:   []*float64{}, Gaps: r(s.GapFraction, 4), ByLeaf: s.Leaves, ByVitality: s.Vitalities, BySpecies: s.SpeciesHints,
		BySource: s.Sources, BySurface: s.Surfaces}
	for _, v := range s.Profile {
		out.Profile = append(out.Profile, r(v, 4))
	}
	return out
}

// inventory is what was found in an area.
type inventory struct {
	*search
	dtm      *rasters.Layer
	trees    *kept[found]
	leafConf float64 // below it leaves are not told
	sum      canopy.Summary
	rejected map[string]int
	notes    []string // warnings
	release  func()   // gives back what it holds, when it is written
}

// each gives the trees in order as they are told, until f says that it is enough.
func (got *inventory) each(f func(i int, t *found) bool) error {
	return got.trees.each(func(i int, t *found) bool {
		if t.LeafConf < got.leafConf {
			t.Leaf = canopy.UnknownLeaf
		}
		return f(i, t)
	})
}

// find searches the area of a question in the newest scan that covers it, else in the newest that touches it.
func (e *service) find(ctx context.Context, q *question, p *tasks.Progress) (_ *inventory, err error) {
	s, err := e.open(ctx, q.Area, &q.asked, p)
	if err != nil {
		return nil, err
	}
	s.seedStep = q.SeedStep
	grounds, err := s.grounds("dataset", q.Dataset)
	if err != nil {
		return nil, err
	}
	working, held := s.bytes(1)
	release, err := e.memory.TakeParts(ctx, working, held)
	if err != nil {
		return nil, err
	}
	defer release[0]()
	var all []*inventory // of the dates that were looked at
	let := func(of []*inventory) {
		for _, one := range of {
			_ = one.trees.close() // a file that cannot be removed is the folder's that is emptied with the process
		}
		release[1]()
	}
	defer func() {
		if err != nil {
			let(all)
		}
	}()
	chosen, err := scans.Choose(ctx, s.s, grounds, s.wanted(), func(l *rasters.Layer) (*inventory, scans.Coverage, error) {
		got := &inventory{search: s.anew(), dtm: l, rejected: map[string]int{}, leafConf: q.LeafConf}
		var err error
		got.trees, err = got.search.trees(ctx, l, q.Outlines, q.keeps, func(t *canopy.Tree) {
			if t.Class.Rejected() {
				got.rejected[string(t.Class)]++
			}
		})
		if err == nil {
			all = append(all, got)
		}
		return got, got.covered(), err
	})
	if err != nil {
		return nil, err
	}
	got := chosen.Of
	got.release = func() { let(all) }
	if got.notes, err = got.warnings(got.dtm); err != nil {
		return nil, err
	}
	var unread error
	got.sum = canopy.Summarise(func(yield func(*canopy.Tree) bool) {
		unread = got.each(func(_ int, t *found) bool { return yield(&t.Tree) })
	}, &got.ground, q.Basis)
	return got, unread
}

// answer are the trees as rows of a kind.
func (got *inventory) answer(q *question, rows *format.Schema[treeRow], summary any) *reply.Rows {
	out := &reply.Rows{
		Total: got.trees.len(), Done: got.release, RowTypes: []*format.RowType{rows.RowType}, Name: treeLayer, Geometry: true,
		Attribution: got.dtm.Attribution,
		Meta:        got.meta(q.Area, []reply.Member{{Name: "dataset", Value: got.dtm.Dataset()}}, q.asked, got.rejected, got.notes),
		Members:     []reply.Member{{Name: "summary", Value: summary}},
		Rows: func(yield func(format.Row, error) bool) {
			rec := rows.Record()
			if err := got.each(func(i int, t *found) bool {
				rec.Item = treeRow{t, i + 1}
				return yield(rec, nil)
			}); err != nil {
				yield(nil, err)
			}
		},
	}
	return got.gaps.Mark(out)
}

// meta are the members that all three answers have.
func (s *search) meta(a *drawn.Area, first []reply.Member, p asked, rejected map[string]int, warnings []string) []reply.Member {
	var ortho *string
	if s.photo != nil {
		date := s.photo.Dataset()
		ortho = &date
	}
	n := 0
	for _, k := range rejected {
		n += k
	}
	used := s.params
	return append(first, reply.Member{Name: "ortho", Value: ortho},
		reply.Member{Name: "coverage", Value: scans.Round(s.covered().Share(), 4)},
		reply.Member{Name: "rejected_by_surface", Value: n}, reply.Member{Name: "rejected_by_surface_class", Value: rejected},
		reply.Member{Name: "building_mask", Value: s.mask()},
		reply.Member{Name: "parameters", Value: map[string]any{"min_tree_height": used.MinHeight, "crown_min_area": used.MinCrownArea,
			"crown_radius_a": used.RadiusA, "crown_radius_b": used.RadiusB,
			"smooth_sigma": used.SmoothSigma / sigmaPixel, "crown_cap_factor": used.CapFactor, "max_crown_area": used.MaxCrownArea,
			"min_apex_prominence_m": used.MinProminence,
			"min_tree_likelihood":   p.MinLikely, "reject_nonforest": p.Reject, "include_cadastre": p.Cadastre, "include_ortho": p.Ortho}},
		reply.Member{Name: "geometry_repaired", Value: a.Repaired},
		reply.Member{Name: "warnings", Value: append(append([]string{}, a.Warnings...), warnings...)})
}

// mean is that of values; NaN without any values.
func mean(sum float64, n int) float64 {
	if n == 0 {
		return math.NaN()
	}
	return sum / float64(n)
}
