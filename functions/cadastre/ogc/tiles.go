package ogc

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"net/http"

	"github.com/klauspost/compress/gzip"

	"mappe/artefacts/pmt"
	"mappe/artefacts/rowschema"
	"mappe/functions/core/generation"
	"mappe/functions/core/view"
	"mappe/shared/geo/geom"
	"mappe/shared/web/coding"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/reply"
)

const tileType = "application/vnd.mapbox-vector-tile"

// tileJSON is TileJSON 3.0.0.
type tileJSON struct {
	Version     string          `json:"tilejson"`
	Name        string          `json:"name"`
	Attribution string          `json:"attribution"`
	Scheme      string          `json:"scheme"`
	Tiles       []string        `json:"tiles"`
	MinZoom     uint8           `json:"minzoom"`
	MaxZoom     uint8           `json:"maxzoom"`
	Bounds      [4]float64      `json:"bounds"`
	Center      [3]float64      `json:"center"`
	Layers      json.RawMessage `json:"vector_layers"`
}

func (s *service) tileJSON() endpoint.Endpoint {
	return endpoint.Endpoint{
		Method: "GET", Path: "/ogc/tiles.json", ID: "ogc_tilejson", Tag: tag, Summary: "The vector tiles as TileJSON",
		Doc:     "TileJSON 3.0 of the vector tiles of parcels, land use, footprints, KGs and labels, for MapLibre, QGIS and others. The same tiles are one PMTiles archive below /artefacts.",
		Answer:  endpoint.Answer{Body: tileJSON{}, Exact: true},
		Example: "/ogc/tiles.json",
		Serve: func(ctx context.Context, r *endpoint.Request) (reply.Answer, error) {
			a, err := view.TilesOf(ctx)
			if err != nil {
				return nil, err
			}
			h := a.Header
			body := tileJSON{
				Version: "3.0.0", Name: "Austrian cadastre", Attribution: r.Generation.Attribution, Scheme: "xyz",
				Tiles: []string{s.Base(r) + "/ogc/tiles/{z}/{x}/{y}"}, MinZoom: h.MinZoom, MaxZoom: h.MaxZoom,
				Bounds: [4]float64{degrees(h.MinLon), degrees(h.MinLat), degrees(h.MaxLon), degrees(h.MaxLat)},
				Center: [3]float64{degrees(h.CenterLon), degrees(h.CenterLat), float64(h.CenterZoom)}, Layers: json.RawMessage("[]"),
			}
			metadata, err := a.Metadata()
			if err != nil {
				return nil, generation.Fault(ctx, err)
			}
			var known struct {
				Layers json.RawMessage `json:"vector_layers"`
			}
			if json.Unmarshal(metadata, &known) == nil && known.Layers != nil {
				body.Layers = known.Layers
			}
			return &reply.Document{Body: body}, nil
		},
	}
}

func degrees(v int32) float64 { return float64(v) / geom.Scale }

func (s *service) tile() endpoint.Endpoint {
	z := endpoint.Int("z", "Zoom.", endpoint.Between(0, pmt.MaxZoom), endpoint.Required)
	x := endpoint.Int("x", "Column, from the west.", endpoint.Between(0, 1<<pmt.MaxZoom), endpoint.Required)
	y := endpoint.Int("y", "Row, from the north.", endpoint.Between(0, 1<<pmt.MaxZoom), endpoint.Required)
	return endpoint.Endpoint{
		Method: "GET", Path: "/ogc/tiles/{z}/{x}/{y}", ID: "ogc_tile", Tag: tag, Summary: "One vector tile",
		Doc:    "A Mapbox Vector Tile of the XYZ scheme of Web Mercator. 204 where nothing is.",
		Params: []endpoint.AnyParam{z, x, y},
		Answer: endpoint.Answer{ContentType: tileType, Exact: true,
			Others: []endpoint.Other{{Status: http.StatusNoContent, Doc: "The tile is empty."}}},
		Example: "/ogc/tiles/14/8796/5741",
		Serve: func(ctx context.Context, r *endpoint.Request) (reply.Answer, error) {
			t := pmt.ZXY{Z: uint8(z.Of(r)), X: uint32(x.Of(r)), Y: uint32(y.Of(r))}
			if !t.Valid() {
				return nil, x.Bad(r, "a column and a row below 2^z")
			}
			a, err := view.TilesOf(ctx)
			if err != nil {
				return nil, err
			}
			body, err := a.Tile(t)
			if errors.Is(err, pmt.ErrNoTile) {
				return &reply.Bytes{ContentType: tileType, Status: http.StatusNoContent}, nil
			}
			if err != nil {
				return nil, generation.Fault(ctx, err)
			}
			return tileAnswer(r, a, body)
		},
	}
}

// tileAnswer sends a tile as it is stored to clients that take it so.
func tileAnswer(r *endpoint.Request, a *pmt.Archive, body []byte) (reply.Answer, error) {
	if a.Header.TileCompression != pmt.Gzip {
		return &reply.Bytes{ContentType: tileType, Body: body}, nil
	}
	if coding.Takes(r.HTTP.Header, coding.Gzip) {
		return &reply.Bytes{ContentType: tileType, Body: body, Header: http.Header{"Content-Encoding": {"gzip"}}}, nil
	}
	z, err := gzip.NewReader(bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	var plain bytes.Buffer
	_, err = plain.ReadFrom(z)
	return &reply.Bytes{ContentType: tileType, Body: plain.Bytes()}, err
}

// styleText is a MapLibre style whose last layer has letters, without addresses. Its colours are
// those of the map page.
//
//go:embed style.json
var styleText []byte

// mapStyle is a MapLibre style, as far as it is changed here.
type mapStyle struct {
	Version  int               `json:"version"`
	Name     string            `json:"name"`
	Metadata map[string]string `json:"metadata"`
	Sources  map[string]struct {
		Type string `json:"type"`
		URL  string `json:"url"`
	} `json:"sources"`
	Layers []json.RawMessage `json:"layers"`
}

// styleShape is its shape, for the description of the service.
type styleShape struct {
	Version  int    `json:"version" doc:"8, that of the MapLibre style specification"`
	Name     string `json:"name"`
	Metadata struct {
		License string `json:"license"`
	} `json:"metadata"`
	Sources map[string]struct {
		Type string `json:"type" doc:"vector"`
		URL  string `json:"url" doc:"address of the TileJSON"`
	} `json:"sources"`
	Layers []styleLayer `json:"layers" doc:"from the lowest on"`
}

// styleLayer is the shape of a layer.
type styleLayer struct {
	ID          string         `json:"id"`
	Type        string         `json:"type" doc:"background, fill, line or symbol"`
	Source      string         `json:"source,omitempty"`
	SourceLayer string         `json:"source-layer,omitempty" doc:"layer of the vector tiles"`
	MinZoom     float64        `json:"minzoom,omitempty"`
	Filter      []any          `json:"filter,omitempty"`
	Layout      map[string]any `json:"layout,omitempty"`
	Paint       map[string]any `json:"paint,omitempty"`
}

func (s *service) style() endpoint.Endpoint {
	labels := endpoint.Bool("labels", "true adds the parcel numbers from zoom 16 on. The style names no address of glyphs: QGIS, "+
		"OpenLayers and MapLibre GL JS from 5.11 on write in fonts of their own; older ones refuse it.", endpoint.Default("false"))
	return endpoint.Endpoint{
		Method: "GET", Path: "/ogc/style.json", ID: "ogc_style", Tag: tag, Summary: "A MapLibre style of the vector tiles",
		Doc: "Land use by class, parcels, footprints and KGs, and on request parcel numbers, in the colours of the map page. It asks for " +
			"no fonts and no icons.",
		Params:  []endpoint.AnyParam{labels},
		Answer:  endpoint.Answer{Body: styleShape{}, ContentType: "application/vnd.mapbox.style+json", Exact: true},
		Example: "/ogc/style.json",
		Serve: func(_ context.Context, r *endpoint.Request) (reply.Answer, error) {
			var style mapStyle
			if err := json.Unmarshal(styleText, &style); err != nil {
				return nil, err
			}
			land := style.Sources["land"]
			land.URL = s.Base(r) + "/ogc/tiles.json"
			style.Sources["land"], style.Metadata["license"] = land, rowschema.LicenseURL
			if !labels.Of(r) {
				style.Layers = style.Layers[:len(style.Layers)-1]
			}
			body, err := json.Marshal(style)
			return &reply.Bytes{ContentType: "application/vnd.mapbox.style+json", Body: body}, err
		},
	}
}
