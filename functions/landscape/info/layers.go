package info

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"mappe/artefacts/rasters"
	"mappe/functions/core/pin"
	"mappe/functions/landscape/scans"
	"mappe/shared/geo/crs"
	"mappe/shared/geo/raster"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/format"
	"mappe/shared/web/reply"
)

// degrees are west, south, east, north.
type degrees [4]float64

var bbox = endpoint.Parsed("bbox", "Only what lies in this box: lon_min,lat_min,lon_max,lat_max in degrees (WGS84).", parseBox, endpoint.Example("13.22,47.31,13.24,47.33"))

func parseBox(text string) (degrees, error) {
	var b degrees
	parts := strings.Split(text, ",")
	if len(parts) != 4 {
		return b, errors.New("four numbers with commas between them: lon_min,lat_min,lon_max,lat_max")
	}
	for i, p := range parts {
		v, err := strconv.ParseFloat(strings.TrimSpace(p), 64)
		if err != nil || !(v >= -180 && v <= 180) {
			return b, errors.New("four numbers with commas between them: lon_min,lat_min,lon_max,lat_max")
		}
		b[i] = v
	}
	if b[0] >= b[2] || b[1] >= b[3] || b[1] < -90 || b[3] > 90 {
		return b, errors.New("a box with lon_min below lon_max and lat_min below lat_max")
	}
	return b, nil
}

// plane is a box in EPSG:3035 that holds the degrees.
func (d degrees) plane() raster.Box {
	var ring []raster.XY
	const parts = 8 // of each side: a parallel is curved in the plane
	for i := range parts + 1 {
		t := float64(i) / parts
		lon, lat := d[0]+t*(d[2]-d[0]), d[1]+t*(d[3]-d[1])
		for _, p := range [4][2]float64{{lon, d[1]}, {lon, d[3]}, {d[0], lat}, {d[2], lat}} {
			x, y := crs.LAEA.Forward(p[0], p[1])
			ring = append(ring, raster.XY{X: x, Y: y})
		}
	}
	return raster.BoxOf([]raster.Polygon{{ring}})
}

// layerRow is a raster of a date.
type layerRow struct {
	Layer       string      `json:"layer"`
	Dataset     string      `json:"dataset"`
	Date        string      `json:"date"`
	Title       string      `json:"title"`
	StepM       float64     `json:"step_m"`
	EPSG        int         `json:"epsg"`
	Available   bool        `json:"available" doc:"it has values in the box, told by squares of 100 m"`
	Tiles       []layerTile `json:"tiles"`
	License     string      `json:"license"`
	Attribution string      `json:"attribution"`
}

// layerTile is a tile in the box.
type layerTile struct {
	Key           string  `json:"key" doc:"of the object below /artefacts"`
	Bytes         int64   `json:"bytes"`
	E             int     `json:"e_km"`
	N             int     `json:"n_km"`
	KnownFraction float64 `json:"known_fraction" doc:"share of its 25 km² that has a height"`
}

type layersShape struct {
	Data []layerRow        `json:"data"`
	Meta reply.DatasetMeta `json:"meta"`
}

// maxTiles bounds the tiles of an answer.
const maxTiles = 1000

func layers() endpoint.Endpoint {
	return endpoint.Endpoint{
		Method: "GET", Path: "/api/v1/layers", ID: "layers", Tag: tag,
		Summary: "Which rasters there are",
		Doc: `The height models by layer and date, dtm (ground) and dsm (what is seen from above), and the tiles of 5 km that they are
published in: cloud optimised GeoTIFFs in EPSG:3035 below /artefacts, which QGIS and GDAL open by range (/vsicurl/). Of each layer the
first 1,000 tiles that have values in the box are named.`,
		Params:  []endpoint.AnyParam{bbox},
		Answer:  endpoint.Answer{Body: layersShape{}},
		Example: "/api/v1/layers?bbox=13.22,47.31,13.24,47.33",
		Serve:   serveLayers,
	}
}

func serveLayers(ctx context.Context, r *endpoint.Request) (reply.Answer, error) {
	s, err := scans.Open(ctx)
	if err != nil {
		return nil, err
	}
	out := []layerRow{}
	within := bbox.Of(r).plane()
	for i := range s.List.Layers {
		l := &s.List.Layers[i]
		row := layerRow{Layer: l.Layer, Dataset: l.Dataset(), Date: l.Date, Title: l.Title, StepM: l.Step, EPSG: rasters.EPSG, Tiles: []layerTile{}, License: scans.Notice.License, Attribution: l.Attribution}
		for _, t := range l.Tiles {
			if bbox.Given(r) && !t.Covers(within) {
				continue
			}
			row.Available = true
			if len(row.Tiles) < maxTiles {
				cells := float64(rasters.TileKm*1000) / l.Step
				row.Tiles = append(row.Tiles, layerTile{t.Key, t.Bytes, t.E, t.N, *scans.Round(float64(t.Known)/cells/cells, 4)})
			}
		}
		out = append(out, row)
	}
	return &reply.Stream{Write: func(j *format.JSON, _ *format.Layout) error {
		j.Member("data", out)
		return j.Err()
	}}, nil
}

// credit is whom to name for what.
type credit struct {
	Source      string   `json:"source"`
	Used        []string `json:"used_in"`
	Attribution string   `json:"attribution"`
	License     string   `json:"license"`
	LicenseURL  string   `json:"license_url"`
	ShareAlike  bool     `json:"share_alike"`
}

var asText = endpoint.Enum("format", "text: the credits as lines to be printed beside a map.", []string{"json", "text"}, endpoint.Default("json"))

func attribution() endpoint.Endpoint {
	return endpoint.Endpoint{
		Method: "GET", Path: "/api/v1/attribution", ID: "attribution", Tag: tag,
		Summary: "Whom to name",
		Doc:     `The credits of the data that the answers are made of, for programs and, with format=text, for people.`,
		Params:  []endpoint.AnyParam{asText},
		Answer: endpoint.Answer{Body: struct {
			Data []credit          `json:"data"`
			Meta reply.DatasetMeta `json:"meta"`
		}{}, Others: []endpoint.Other{{Status: 200, ContentType: "text/plain", Doc: "With format=text."}},
			Timed: func(r *endpoint.Request) bool { return asText.Of(r) != "text" }},
		Example: "/api/v1/attribution",
		Serve:   serveAttribution,
	}
}

func serveAttribution(ctx context.Context, r *endpoint.Request) (reply.Answer, error) {
	s, err := scans.Open(ctx)
	if err != nil {
		return nil, err
	}
	all := []credit{}
	seen := map[string]int{}
	for i := range s.List.Layers {
		l := &s.List.Layers[i]
		at, ok := seen[l.Attribution]
		if !ok {
			at = len(all)
			seen[l.Attribution] = at
			all = append(all, credit{Source: "laser scans: terrain and surface models", Attribution: l.Attribution + ", bearbeitet", License: scans.Notice.License, LicenseURL: scans.Notice.LicenseURL})
		}
		all[at].Used = append(all[at].Used, l.Layer+" "+l.Dataset())
	}
	if g := pin.Generation(s.View); g.Attribution != "" {
		all = append(all, credit{Source: "cadastre, registers and overlays", Used: []string{"/cadastre"}, Attribution: s.Register().Attribution() + ", bearbeitet", License: scans.Notice.License, LicenseURL: scans.Notice.LicenseURL})
	}
	if asText.Of(r) == "text" {
		var b strings.Builder
		for _, c := range all {
			fmt.Fprintf(&b, "%s (%s): %s\n", c.Attribution, c.License, c.Source)
		}
		return &reply.Bytes{ContentType: "text/plain; charset=utf-8", Body: []byte(b.String())}, nil
	}
	return &reply.Stream{Write: func(j *format.JSON, _ *format.Layout) error {
		j.Member("data", all)
		return j.Err()
	}}, nil
}
