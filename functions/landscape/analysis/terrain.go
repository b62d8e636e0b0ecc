package analysis

import (
	"context"
	"math"

	"mappe/artefacts/rasters"
	"mappe/functions/landscape/area"
	"mappe/shared/geo/raster"
	"mappe/shared/landscape/terrain"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/format"
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

// repairMeta is what meta says of the geometry.
type repairMeta struct {
	GeometryRepaired bool     `json:"geometry_repaired"`
	Warnings         []string `json:"warnings"`
}

func terrainOf() endpoint.Endpoint {
	return endpoint.Endpoint{
		Method: "POST", Path: "/api/v1/terrain", ID: "terrain", Tag: tagTerrain,
		Summary: "Slope, aspect, ruggedness and curvature of an area",
		Doc: `The terrain of an area from the terrain model of a laser scan, in cells of 1 m of EPSG:3035: slope and aspect by Horn's
formula, TRI by Riley's (m), TPI the height above the mean of the eight neighbours (m, positive on ridges), curvature by Zevenbergen
and Thorne (1/m, positive where convex). terrain_class is that of the mean TRI: level below 0.1 m, nearly_level below 0.3,
slightly_rugged below 0.8, intermediately_rugged below 1.5, moderately_rugged below 3, highly_rugged below 6, else extremely_rugged;
Riley's own limits are for cells of 1 km. A geometry that is not valid is repaired: meta.geometry_repaired and meta.warnings say so.`,
		Params:      []endpoint.AnyParam{dataset},
		Body:        areaBody,
		Answer:      endpoint.Answer{Body: answerShape[terrainData]{}},
		Example:     "/api/v1/terrain",
		ExampleBody: exampleArea,
		Serve:       serveTerrain,
	}
}

// answerShape is the shape of an answer, for the description of the service.
type answerShape[T any] struct {
	Data T          `json:"data"`
	Meta repairMeta `json:"meta"`
}

func serveTerrain(ctx context.Context, r *endpoint.Request) (reply.Answer, error) {
	a := areaBody.Of(r)
	if err := known(a.Params, "dataset"); err != nil {
		return nil, err
	}
	date, err := param(dataset, "dataset", r, a.Params, parseDataset)
	if err != nil {
		return nil, err
	}
	s, err := open(ctx)
	if err != nil {
		return nil, err
	}
	l, err := s.layer(rasters.DTM, date)
	if err != nil {
		return nil, err
	}
	g, err := s.Window(ctx, l, a.Box().Grown(l.Step).Aligned(l.Step))
	if err != nil {
		return nil, unread(ctx, "the terrain model", err)
	}
	d := describe(terrain.Summarise(g, raster.MaskOf(g, a.Polygons)))
	d.Dataset, d.StepM, d.AreaSqm = l.Dataset(), l.Step, *round(a.M2, 2)
	return answer(a, notice(l), d), nil
}

// answer is {data, meta} with what was repaired.
func answer(a *area.Area, n *reply.Notice, body any) *reply.Stream {
	return &reply.Stream{Notice: n, Meta: repairs(a), Write: func(j *format.JSON, _ *format.Layout) error {
		j.Member("data", body)
		return j.Err()
	}}
}

func repairs(a *area.Area) []reply.Member {
	return []reply.Member{{Name: "geometry_repaired", Value: a.Repaired}, {Name: "warnings", Value: append([]string{}, a.Warnings...)}}
}

// describe rounds a summary: heights to centimetres, as they are stored, TRI to millimetres, angles to hundredths.
func describe(s *terrain.Summary) terrainData {
	d := terrainData{
		Cells: s.Cells, KnownFraction: round(float64(s.Known)/float64(s.Cells), 4),
		ElevationMean: round(s.Elevation.Mean, 2), ElevationMin: round(s.Elevation.Min, 2), ElevationMax: round(s.Elevation.Max, 2),
		ElevationRange: round(s.Elevation.Max-s.Elevation.Min, 2),
		SlopeMean:      round(s.Slope.Mean, 2), SlopeMin: round(s.Slope.Min, 2), SlopeMax: round(s.Slope.Max, 2), SlopeSD: round(s.Slope.SD, 2), SlopeP90: round(s.SlopeP90, 2),
		AspectMean: round(s.AspectMean, 1),
		TRIMean:    round(s.TRI.Mean, 3), TRIMax: round(s.TRI.Max, 3),
		TPIMean: round(s.TPI.Mean, 4), TPIMin: round(s.TPI.Min, 3), TPIMax: round(s.TPI.Max, 3),
		CurvatureMean: round(s.Curvature.Mean, 5), CurvatureMin: round(s.Curvature.Min, 4), CurvatureMax: round(s.Curvature.Max, 4),
		AspectShares: map[string]*float64{},
	}
	for i, name := range terrain.Sectors {
		share := math.NaN()
		if s.Derived > 0 {
			share = float64(s.Aspects[i]) / float64(s.Derived)
		}
		d.AspectShares[name] = round(share, 4)
	}
	if s.Derived > 0 {
		d.AspectDominant, d.TerrainClass = &s.AspectDominant, &s.Class
	}
	return d
}
