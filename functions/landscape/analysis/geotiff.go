package analysis

import (
	"context"
	"fmt"
	"math"

	"mappe/artefacts/cog"
	"mappe/artefacts/rasters"
	"mappe/functions/landscape/area"
	"mappe/shared/geo/raster"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/fault"
	"mappe/shared/web/reply"
)

// The kinds of a raster that can be had.
const (
	kindDTM  = "dtm"
	kindDSM  = "dsm"
	kindNDSM = "ndsm"
)

// maxGeoTIFF bounds the area of a GeoTIFF: its file stays near 20 MB.
const maxGeoTIFF = 10e6 // m²

var layerKind = endpoint.Enum("layer", "dtm: heights of the ground. dsm: heights of what is seen from above. ndsm: the difference, heights above the ground.",
	[]string{kindDTM, kindDSM, kindNDSM}, endpoint.Default(kindDTM))

func parseKind(text string) (string, error) {
	switch text {
	case kindDTM, kindDSM, kindNDSM:
		return text, nil
	}
	return "", fmt.Errorf("one of dtm, dsm, ndsm")
}

func geotiff() endpoint.Endpoint {
	return endpoint.Endpoint{
		Method: "POST", Path: "/api/v1/lidar/geotiff", ID: "lidar_geotiff", Tag: tagTerrain,
		Summary: "The height model of an area as GeoTIFF",
		Doc: `The cells of 1 m whose centres lie in the area, in metres, as a cloud optimised GeoTIFF of float32 in EPSG:3035 with
overviews; cells outside and cells that are not known are NaN. At most 10 km² at a time: /layers names the tiles of 5 km that the
models are published in, which any program opens by range. X-Geometry-Repaired: true says that the geometry was repaired.`,
		Params: []endpoint.AnyParam{dataset, layerKind},
		Body:   areaBody,
		Answer: endpoint.Answer{ContentType: "image/tiff", Exact: true,
			Headers: []endpoint.Header{{Name: repairedHeader, Doc: "true where the geometry was not valid and was repaired."}}},
		Example:     "/api/v1/lidar/geotiff",
		ExampleBody: exampleArea,
		Serve:       serveGeoTIFF,
	}
}

// repairedHeader says in an answer without meta what meta.geometry_repaired says elsewhere.
const repairedHeader = "X-Geometry-Repaired"

func serveGeoTIFF(ctx context.Context, r *endpoint.Request) (reply.Answer, error) {
	a := areaBody.Of(r)
	if err := known(a.Params, "dataset", "layer"); err != nil {
		return nil, err
	}
	if a.M2 > maxGeoTIFF {
		return nil, fault.New(fault.TooLarge, "the area has %.2f km²: at most %.0f km² are written as one GeoTIFF; /layers names the tiles of 5 km, which can be read whole or by range", a.M2/1e6, maxGeoTIFF/1e6)
	}
	date, err := param(dataset, "dataset", r, a.Params, parseDataset)
	if err != nil {
		return nil, err
	}
	kind := layerKind.Of(r)
	if given, err := param(layerKind, "layer", r, a.Params, parseKind); err != nil {
		return nil, err
	} else if given != "" {
		kind = given
	}
	s, err := open(ctx)
	if err != nil {
		return nil, err
	}
	g, l, err := s.heights(ctx, kind, date, a.Box())
	if err != nil {
		return nil, err
	}
	cut(g, a)
	body, err := cog.Encode(g, cog.Options{Packing: cog.Deflate, EPSG: rasters.EPSG, Unit: "m", About: map[string]string{
		"TIFFTAG_IMAGEDESCRIPTION": kind + " " + l.Date, "TIFFTAG_COPYRIGHT": l.Attribution + ", modified; " + Notice.License, "ACQUISITION_DATE": l.Date}})
	if err != nil {
		return nil, err
	}
	b := &reply.Bytes{ContentType: "image/tiff", Body: body, Filename: kind + "-" + l.Dataset() + ".tif"}
	if a.Repaired {
		b.Header = map[string][]string{repairedHeader: {"true"}}
	}
	return b, nil
}

// heights are the cells of a kind in a box, and the layer that they are of.
func (s *source) heights(ctx context.Context, kind, date string, box raster.Box) (*raster.Grid, *rasters.Layer, error) {
	name := rasters.DTM
	if kind != kindDTM {
		name = rasters.DSM
	}
	l, err := s.layer(name, date)
	if err != nil {
		return nil, nil, err
	}
	g, err := s.Window(ctx, l, box.Aligned(l.Step))
	if err != nil || kind != kindNDSM {
		return g, l, unread(ctx, "the height model", err)
	}
	ground, err := s.layer(rasters.DTM, l.Dataset())
	if err != nil {
		return nil, nil, err
	}
	below, err := s.Window(ctx, ground, box.Aligned(l.Step))
	if err != nil {
		return nil, nil, unread(ctx, "the terrain model", err)
	}
	for i, z := range below.Z {
		g.Z[i] = float32(math.Round(float64(g.Z[i]-z)*100) / 100)
	}
	return g, l, nil
}

// cut leaves only the cells of an area.
func cut(g *raster.Grid, a *area.Area) {
	m := raster.MaskOf(g, a.Polygons)
	nan := float32(math.NaN())
	for row := range g.Rows {
		line, at := g.Row(row), 0
		m.Each(row, func(from, to int) {
			for ; at < from; at++ {
				line[at] = nan
			}
			at = to
		})
		for ; at < g.Cols; at++ {
			line[at] = nan
		}
	}
}
