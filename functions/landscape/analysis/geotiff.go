package analysis

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"

	"mappe/artefacts/cog"
	"mappe/artefacts/rasters"
	"mappe/functions/core/drawn"
	"mappe/functions/core/generation"
	"mappe/functions/core/shares"
	"mappe/functions/core/tasks"
	"mappe/functions/landscape/scans"
	"mappe/shared/geo/raster"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/fault"
	"mappe/shared/web/qgis"
	"mappe/shared/web/reply"
)

// The kinds of a raster.
const (
	kindDTM  = "dtm"
	kindDSM  = "dsm"
	kindNDSM = "ndsm"
)

// maxGeoTIFF bounds the area of a GeoTIFF: its file stays near 20 MB. maxGeoTIFFCells bounds the cells of the box around
// it, which are held: with the overviews some 160 MB.
const (
	maxGeoTIFF      = 10e6 // m²
	maxGeoTIFFCells = 30e6
)

var layerKind = endpoint.Enum("layer",
	"dtm: heights of the ground. dsm: heights of what is seen from above. ndsm: the difference, heights above the ground.",
	[]string{kindDTM, kindDSM, kindNDSM}, endpoint.Default(kindDTM))

func (e *service) geotiff() endpoint.Endpoint {
	areaBody := drawn.AreaBody(e.memory)
	return e.geotiffTask().Endpoint(e.tasks, endpoint.Endpoint{
		Method: "POST", Path: "/api/v1/lidar/geotiff", ID: "lidar_geotiff", Tag: tagTerrain,
		Summary: "The height model of an area as GeoTIFF",
		Doc: `The cells of 1 m whose centres lie in the area, in metres, as a cloud optimised GeoTIFF of float32 in EPSG:3035 with
overviews; cells outside and cells that are not known are NaN. X-Dataset is the date of the laser scan, the newest that covers at least
95 % of the area, else the newest that touches it; X-Coverage is the share of the area that has a height in it. At most 10 km² at a time: /layers names the tiles of 5 km that the
models are published in, which any program opens by range. X-Geometry-Repaired: true says that the geometry was repaired.`,
		Params: []endpoint.AnyParam{dataset, layerKind},
		Body:   areaBody,
		Answer: endpoint.Answer{ContentType: "image/tiff",
			Headers: []endpoint.Header{{Name: repairedHeader, Doc: "true where the geometry was not valid and was repaired."},
				{Name: datasetHeader, Doc: "Date of the laser scan as YYYYMMDD."},
				{Name: coverageHeader, Doc: "Share of the area that has a height in it, 0 to 1."}}},
		Example:     "/api/v1/lidar/geotiff",
		ExampleBody: drawn.Example,
	}, func(_ context.Context, r *endpoint.Request) (*rasterQuestion, error) {
		return rasterOf(r, areaBody.Of(r))
	})
}

// rasterQuestion is what is asked for the cells of an area.
type rasterQuestion struct {
	areaQuestion
	Layer string `json:"layer"`
}

// rasterOf is the question of a request.
func rasterOf(r *endpoint.Request, a *drawn.Area) (*rasterQuestion, error) {
	if err := fits(a); err != nil {
		return nil, err
	}
	return &rasterQuestion{areaQuestion{a, dataset.Of(r)}, layerKind.Of(r)}, nil
}

// geotiffTask is the height model of an area, at once or in the background.
func (e *service) geotiffTask() *tasks.Task[rasterQuestion] {
	return &tasks.Task[rasterQuestion]{Name: "lidar_geotiff", State: scans.State, Run: e.runGeoTIFF,
		Place: func(q *rasterQuestion) json.RawMessage { return q.place() },
		Layer: shares.Layer{Style: qgis.Style{Line: "#1f4e79", Width: 0.4}}}
}

// The headers say in an answer without meta what meta says elsewhere.
const (
	repairedHeader = "X-Geometry-Repaired"
	datasetHeader  = "X-Dataset"
	coverageHeader = "X-Coverage"
)

func (e *service) runGeoTIFF(ctx context.Context, q *rasterQuestion, p *tasks.Progress) (reply.Answer, error) {
	a, kind := q.Area, q.Layer
	s, err := e.open(ctx)
	if err != nil {
		return nil, err
	}
	box := a.Box()
	layers, err := s.kinds(kind, q.Dataset)
	if err != nil {
		return nil, err
	}
	release, err := s.memory.Take(ctx, geotiffBytes(a, layers[0].Step))
	if err != nil {
		return nil, err
	}
	defer release()
	got, err := scans.Choose(ctx, s.Source, layers, scans.Wanted{Boxes: []raster.Box{box}, M2: a.M2},
		func(l *rasters.Layer) (struct{}, scans.Coverage, error) {
			c, err := s.count(ctx, l, a.Polygons, p)
			return struct{}{}, c, err
		})
	if err != nil {
		return nil, err
	}
	if got.Coverage.Known == 0 {
		return nil, fault.New(fault.NotFound, "no height model covers the area: /layers says where there is one")
	}
	l := got.Layer
	if err := p.Step(ctx, "heights of "+l.Date, 2); err != nil {
		return nil, err
	}
	g, err := s.heights(ctx, kind, l, box)
	if err != nil {
		return nil, err
	}
	g.Keep(a.Polygons)
	if err := p.Add(ctx, 1); err != nil {
		return nil, err
	}
	body, err := cog.Encode(g, cog.Options{Packing: cog.Deflate, EPSG: rasters.EPSG, Unit: "m", About: map[string]string{
		"TIFFTAG_IMAGEDESCRIPTION": kind + " " + l.Date, "TIFFTAG_COPYRIGHT": l.Attribution + ", modified; " + scans.Notice.License,
		"ACQUISITION_DATE": l.Date}})
	if err != nil {
		return nil, err
	}
	b := &reply.Bytes{ContentType: "image/tiff", Body: body, Filename: kind + "-" + l.Dataset() + ".tif",
		Header: map[string][]string{datasetHeader: {l.Dataset()}, coverageHeader: {fmt.Sprintf("%.4f", got.Coverage.Share())}}}
	if a.Repaired {
		b.Header[repairedHeader] = []string{"true"}
	}
	return b, nil
}

// fits refuses an area that is too large for one file.
func fits(a *drawn.Area) error {
	if a.M2 > maxGeoTIFF {
		return fault.New(fault.TooLarge,
			"the area has %.2f km²: at most %.0f km² are written as one GeoTIFF; /layers names the tiles of 5 km, which can be read whole or by range", a.M2/1e6, maxGeoTIFF/1e6)
	}
	box := a.Box()
	if cells := (box.East - box.West) * (box.North - box.South); cells > maxGeoTIFFCells {
		return fault.New(fault.TooLarge,
			"the area reaches over %.1f x %.1f km: at most %.0f km² in all are written as one GeoTIFF; ask for its parts one by one",
			(box.East-box.West)/1000, (box.North-box.South)/1000, maxGeoTIFFCells/1e6)
	}
	return nil
}

// geotiffBytes is about what a GeoTIFF takes: the cells of the box, a third more for the overviews, a strip of the other
// model, and the file twice, of 2 bytes a cell of the area.
func geotiffBytes(a *drawn.Area, step float64) int64 {
	b := a.Box().Aligned(step)
	cells := (b.East - b.West) * (b.North - b.South) / step / step
	return int64(cells*4*4/3+a.M2/step/step*4) + stripBytes(b, step)
}

// kinds are the layers that a kind can be made of, by rising date: for heights above the ground those whose ground is known.
func (s *source) kinds(kind, date string) ([]*rasters.Layer, error) {
	if kind == kindDTM {
		return s.Candidates(rasters.DTM, date)
	}
	layers, err := s.Candidates(rasters.DSM, date)
	if err != nil || kind == kindDSM {
		return layers, err
	}
	ground := s.List.Dates(rasters.DTM)
	layers = slices.DeleteFunc(layers, func(l *rasters.Layer) bool { return !slices.Contains(ground, l.Dataset()) })
	if len(layers) == 0 {
		return nil, fault.BadValue("dataset", date, "a date of both models: one of "+strings.Join(ground, ", ")+" has the ground")
	}
	return layers, nil
}

// heights are the cells of a kind in a box.
func (s *source) heights(ctx context.Context, kind string, l *rasters.Layer, box raster.Box) (*raster.Grid, error) {
	box = box.Aligned(l.Step)
	g, err := s.Window(ctx, l, box)
	if err != nil || kind != kindNDSM {
		return g, generation.FaultOf(ctx, "the height model", err)
	}
	ground := s.List.Find(rasters.DTM, l.Dataset())
	row := 0
	for part := range stripsOf(box, l.Step) {
		below, err := s.Window(ctx, ground, part.box)
		if err != nil {
			return nil, generation.FaultOf(ctx, "the terrain model", err)
		}
		for r := part.from; r < part.to; r++ {
			line := g.Row(row)
			for i, z := range below.Row(r) {
				line[i] = float32(math.Round(float64(line[i]-z)*100) / 100)
			}
			row++
		}
	}
	return g, nil
}
