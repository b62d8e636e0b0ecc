package analysis

import (
	"context"
	"encoding/json"
	"math"
	"slices"

	"mappe/artefacts/rasters"
	"mappe/functions/core/drawn"
	"mappe/functions/core/generation"
	"mappe/functions/core/shares"
	"mappe/functions/core/tasks"
	"mappe/functions/landscape/scans"
	"mappe/shared/geo/raster"
	"mappe/shared/landscape/terrain"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/format"
	"mappe/shared/web/qgis"
	"mappe/shared/web/reply"
)

// terrainData is what /terrain answers. A number is null where nothing of the area is known.
type terrainData struct {
	Dataset        string              `json:"dataset"`
	StepM          float64             `json:"step_m"`
	AreaSqm        float64             `json:"area_sqm"`
	Cells          int                 `json:"cells" doc:"cells whose centres lie in the area"`
	KnownFraction  *float64            `json:"known_fraction" doc:"share of them that have a height"`
	ElevationMean  *float64            `json:"elevation_mean_m"`
	ElevationMin   *float64            `json:"elevation_min_m"`
	ElevationMax   *float64            `json:"elevation_max_m"`
	ElevationRange *float64            `json:"elevation_range_m"`
	SlopeMean      *float64            `json:"slope_mean_deg"`
	SlopeMin       *float64            `json:"slope_min_deg"`
	SlopeMax       *float64            `json:"slope_max_deg"`
	SlopeSD        *float64            `json:"slope_sd_deg"`
	SlopeP90       *float64            `json:"slope_p90_deg"`
	AspectMean     *float64            `json:"aspect_mean_deg" doc:"0 to 360 clockwise from north, weighted by slope; -1 where the area is flat"`
	AspectDominant *string             `json:"aspect_dominant"`
	AspectShares   map[string]*float64 `json:"aspect_fractions" doc:"share of the cells by direction; flat is below 2 degrees"`
	TRIMean        *float64            `json:"tri_mean"`
	TRIMax         *float64            `json:"tri_max"`
	TPIMean        *float64            `json:"tpi_mean"`
	TPIMin         *float64            `json:"tpi_min"`
	TPIMax         *float64            `json:"tpi_max"`
	CurvatureMean  *float64            `json:"curvature_mean"`
	CurvatureMin   *float64            `json:"curvature_min"`
	CurvatureMax   *float64            `json:"curvature_max"`
	TerrainClass   *string             `json:"terrain_class"`
}

// repairMeta is what meta says of the dataset and of the geometry.
type repairMeta struct {
	reply.DatasetMeta
	Dataset          string   `json:"dataset" doc:"date of the laser scan: the newest that covers at least 95 % of the area, else the newest that touches it"`
	Coverage         *float64 `json:"coverage" doc:"share of the area that has a height in it"`
	GeometryRepaired bool     `json:"geometry_repaired"`
	Warnings         []string `json:"warnings"`
}

func (e *service) terrainOf() endpoint.Endpoint {
	areaBody := drawn.AreaBody(e.memory)
	return e.terrainTask().Endpoint(e.tasks, endpoint.Endpoint{
		Method: "POST", Path: "/api/v1/terrain", ID: "terrain", Tag: tagTerrain,
		Summary: "Slope, aspect, ruggedness and curvature of an area",
		Doc: `The terrain of an area from the terrain model of a laser scan, in cells of 1 m of EPSG:3035: slope and aspect by Horn's
formula, TRI by Riley's (m), TPI the height above the mean of the eight neighbours (m, positive on ridges), curvature by Zevenbergen
and Thorne (1/m, positive where convex). terrain_class is that of the mean TRI: level below 0.1 m, nearly_level below 0.3,
slightly_rugged below 0.8, intermediately_rugged below 1.5, moderately_rugged below 3, highly_rugged below 6, else extremely_rugged;
Riley's own limits are for cells of 1 km. aspect_dominant is flat where most cells are below 2 degrees, else the direction that most of
the others have. The newest laser scan that covers at least 95 % of the area is taken, else the newest that touches it: meta.dataset and
meta.coverage say which and how much of the area it covers. A geometry that is not valid is repaired: meta.geometry_repaired and meta.warnings say so.`,
		Params:      []endpoint.AnyParam{dataset},
		Body:        areaBody,
		Answer:      endpoint.Answer{Body: answerShape[terrainData]{}},
		Example:     "/api/v1/terrain",
		ExampleBody: drawn.Example,
	}, func(_ context.Context, r *endpoint.Request) (*areaQuestion, error) {
		return &areaQuestion{areaBody.Of(r), dataset.Of(r)}, nil
	})
}

// areaQuestion is what is asked of an area.
type areaQuestion struct {
	Area    *drawn.Area `json:"area"`
	Dataset string      `json:"dataset,omitempty"` // "" for the newest that covers it
}

// place is the area as GeoJSON.
func (q *areaQuestion) place() json.RawMessage {
	f := drawn.Feature{Polygons: q.Area.Geometry}
	return f.GeoJSON()
}

// terrainTask is the terrain of an area, at once or in the background.
func (e *service) terrainTask() *tasks.Task[areaQuestion] {
	return &tasks.Task[areaQuestion]{Name: "terrain", State: scans.State, Run: e.runTerrain, Place: (*areaQuestion).place,
		Layer: shares.Layer{Style: qgis.Style{Fill: "#d9b38c", Line: "#7a4b1e", Width: 0.4}}}
}

// answerShape is the shape of an answer, for the description of the service.
type answerShape[T any] struct {
	Data T          `json:"data"`
	Meta repairMeta `json:"meta"`
}

func (e *service) runTerrain(ctx context.Context, q *areaQuestion, p *tasks.Progress) (reply.Answer, error) {
	a := q.Area
	s, err := e.open(ctx)
	if err != nil {
		return nil, err
	}
	layers, err := s.Candidates(rasters.DTM, q.Dataset)
	if err != nil {
		return nil, err
	}
	box := a.Box().Grown(layers[0].Step)
	release, err := s.memory.Take(ctx, terrainBytes(box, layers[0].Step))
	if err != nil {
		return nil, err
	}
	defer release()
	got, err := scans.Choose(ctx, s.Source, layers, scans.Wanted{Boxes: []raster.Box{a.Box()}, M2: a.M2},
		func(l *rasters.Layer) (*terrain.Summary, scans.Coverage, error) {
			return s.terrain(ctx, l, a.Polygons, p)
		})
	if err != nil {
		return nil, err
	}
	l := got.Layer
	d := describe(got.Of)
	d.Dataset, d.StepM, d.AreaSqm = l.Dataset(), l.Step, *scans.Round(a.M2, 2)
	return answer(a, got.Coverage, l, d), nil
}

// terrainBytes is about what the terrain of a box takes: a strip, its blocks and what is derived of some rows.
func terrainBytes(box raster.Box, step float64) int64 { return 3 * stripBytes(box, step) }

// terrain sums the terrain of an area strip by strip.
func (s *source) terrain(ctx context.Context, l *rasters.Layer, polygons []raster.Polygon, p *tasks.Progress) (*terrain.Summary,
	scans.Coverage, error) {
	var sum terrain.Sum
	strips := slices.Collect(stripsOf(raster.BoxOf(polygons).Grown(l.Step).Aligned(l.Step), l.Step))
	if err := p.Step(ctx, "terrain of "+l.Date, len(strips)); err != nil {
		return nil, scans.Coverage{}, err
	}
	for _, part := range strips {
		g, err := s.Window(ctx, l, part.box)
		if err != nil {
			return nil, scans.Coverage{}, generation.FaultOf(ctx, "the terrain model", err)
		}
		sum.Add(g, raster.MaskOf(g, polygons), part.from, part.to)
		if err := p.Add(ctx, 1); err != nil {
			return nil, scans.Coverage{}, err
		}
	}
	out := sum.Summary()
	return out, scans.Coverage{Cells: out.Cells, Known: out.Known}, nil
}

// answer is {data, meta} with the dataset and what was repaired.
func answer(a *drawn.Area, c scans.Coverage, l *rasters.Layer, body any) *reply.Stream {
	meta := append(c.Meta(l), reply.Member{Name: "geometry_repaired", Value: a.Repaired},
		reply.Member{Name: "warnings", Value: append(append([]string{}, a.Warnings...), c.Warnings(l)...)})
	return &reply.Stream{Notice: scans.NoticeOf(l), Meta: meta, Write: func(j *format.JSON, _ *format.Layout) error {
		j.Member("data", body)
		return j.Err()
	}}
}

// describe rounds a summary: heights to centimetres, as they are stored, TRI to millimetres, angles to hundredths.
func describe(s *terrain.Summary) terrainData {
	d := terrainData{
		Cells: s.Cells, KnownFraction: scans.Round(float64(s.Known)/float64(s.Cells), 4),
		ElevationMean: scans.Round(s.Elevation.Mean, 2), ElevationMin: scans.Round(s.Elevation.Min, 2),
		ElevationMax:   scans.Round(s.Elevation.Max, 2),
		ElevationRange: scans.Round(s.Elevation.Max-s.Elevation.Min, 2),
		SlopeMean:      scans.Round(s.Slope.Mean, 2), SlopeMin: scans.Round(s.Slope.Min, 2), SlopeMax: scans.Round(s.Slope.Max, 2),
		SlopeSD: scans.Round(s.Slope.SD, 2), SlopeP90: scans.Round(s.SlopeP90, 2),
		AspectMean: scans.Round(s.AspectMean, 1),
		TRIMean:    scans.Round(s.TRI.Mean, 3), TRIMax: scans.Round(s.TRI.Max, 3),
		TPIMean: scans.Round(s.TPI.Mean, 4), TPIMin: scans.Round(s.TPI.Min, 3), TPIMax: scans.Round(s.TPI.Max, 3),
		CurvatureMean: scans.Round(s.Curvature.Mean, 5), CurvatureMin: scans.Round(s.Curvature.Min, 4),
		CurvatureMax: scans.Round(s.Curvature.Max, 4),
		AspectShares: map[string]*float64{},
	}
	for i, name := range terrain.Sectors {
		share := math.NaN()
		if s.Derived > 0 {
			share = float64(s.Aspects[i]) / float64(s.Derived)
		}
		d.AspectShares[name] = scans.Round(share, 4)
	}
	if s.Derived > 0 {
		d.AspectDominant, d.TerrainClass = &s.AspectDominant, &s.Class
	}
	return d
}
