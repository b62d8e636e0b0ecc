package analysis

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"

	"golang.org/x/sync/errgroup"

	"mappe/artefacts/rasters"
	"mappe/functions/core/drawn"
	"mappe/functions/landscape/scans"
	"mappe/shared/geo/crs"
	"mappe/shared/geo/geom"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/fault"
	"mappe/shared/web/format"
	"mappe/shared/web/reply"
)

const featuresDoc = "Features of any type as " + drawn.Forms + ": points, lines, polygons, each for itself, in Austria; at most 10,000, of which each may reach over 25 km². " +
	"In {geometry, params} and in forms params are the parameters of the address; a value that both give differently is refused."

// heightsShape are the members that a feature's properties gain.
type heightsShape struct {
	DTM        *float64 `json:"dtm_m" doc:"of a point: the ground"`
	DSM        *float64 `json:"dsm_m" doc:"of a point: what is seen from above"`
	Height     *float64 `json:"height_m" doc:"of a point: dsm_m - dtm_m"`
	DTMMin     *float64 `json:"dtm_min_m,omitempty" doc:"of lines and areas"`
	DTMMean    *float64 `json:"dtm_mean_m,omitempty"`
	DTMMax     *float64 `json:"dtm_max_m,omitempty"`
	DSMMin     *float64 `json:"dsm_min_m,omitempty"`
	DSMMean    *float64 `json:"dsm_mean_m,omitempty"`
	DSMMax     *float64 `json:"dsm_max_m,omitempty"`
	HeightMean *float64 `json:"height_mean_m,omitempty"`
	HeightMax  *float64 `json:"height_max_m,omitempty"`
}

// heightsOfShape are the properties of a feature: its own beside the heights.
type heightsOfShape struct {
	heightsShape
	endpoint.Open
}

type elevatedShape struct {
	Type     string `json:"type"`
	Features []struct {
		Type       string          `json:"type"`
		ID         json.RawMessage `json:"id,omitempty"`
		Geometry   any             `json:"geometry"`
		Properties heightsOfShape  `json:"properties"`
	} `json:"features"`
	Dataset string `json:"dataset"`
	Meta    struct {
		reply.DatasetMeta
		Dataset  string   `json:"dataset" doc:"date of the laser scan: the newest that covers at least 95 % of what is asked for, else the newest that touches it"`
		Coverage *float64 `json:"coverage" doc:"share of the places and cells that has a height in it"`
		Warnings []string `json:"warnings"`
	} `json:"meta"`
}

func (e *service) elevation() endpoint.Endpoint {
	featuresBody := parsed(e, featuresDoc, drawn.Features)
	return endpoint.Endpoint{
		Method: "POST", Path: "/api/v1/elevation", ID: "elevation", Tag: tagTerrain,
		Summary: "Heights of features",
		Doc: `The features come back in their order with heights in their properties: dtm_m, dsm_m and height_m of a point, between the
four cells around it; least, mean and greatest of a line, every metre along it (a very long one in 200,000 places), and of an area, by its cells of 1 m. Metres above the
Adriatic; null where nothing is known. A property that has one of these names already is replaced. All features are answered from one
laser scan: the newest that covers at least 95 % of their places and cells, else the newest that touches them; meta.dataset and
meta.coverage say which and how much it covers. The lines of a request are looked up in at most 2,000,000 places.`,
		Params:      []endpoint.AnyParam{dataset},
		Body:        featuresBody,
		Answer:      endpoint.Answer{Body: elevatedShape{}, ContentType: "application/geo+json"},
		Example:     "/api/v1/elevation",
		ExampleBody: `{"type":"FeatureCollection","features":[{"type":"Feature","properties":{"name":"church"},"geometry":{"type":"Point","coordinates":[13.2274,47.3205]}}]}`,
		Serve: func(ctx context.Context, r *endpoint.Request) (reply.Answer, error) {
			return e.serveElevation(ctx, r, featuresBody.Of(r))
		},
	}
}

// featuresAtOnce is how many features are looked up at the same time: each may read other tiles.
const featuresAtOnce = 8

func (e *service) serveElevation(ctx context.Context, r *endpoint.Request, in *drawn.List) (reply.Answer, error) {
	s, err := e.open(ctx)
	if err != nil {
		return nil, err
	}
	layers, err := s.candidates(rasters.DTM, dataset.Of(r))
	if err != nil {
		return nil, err
	}
	need, where, err := extents(in.Features, layers[0].Step)
	if err != nil {
		return nil, err
	}
	release, err := s.memory.Take(ctx, need)
	if err != nil {
		return nil, err
	}
	defer release()
	got, err := choose(ctx, s, layers, where, func(l *rasters.Layer) ([]relief, coverage, error) {
		m := models{source: s, dtm: l, dsm: s.List.Find(rasters.DSM, l.Dataset())}
		return m.reliefs(ctx, in.Features)
	})
	if err != nil {
		return nil, err
	}
	l := got.layer
	meta := append(got.coverage.meta(l), reply.Member{Name: "warnings", Value: append(append([]string{}, in.Warnings...), got.coverage.warnings(l)...)})
	return &reply.Stream{Notice: scans.NoticeOf(l), Meta: meta, ContentType: "application/geo+json", Write: func(j *format.JSON, _ *format.Layout) error {
		j.Member("type", "FeatureCollection")
		j.Key("features")
		j.Array()
		for i := range in.Features {
			b, err := enriched(&in.Features[i], &got.of[i])
			if err != nil {
				return err
			}
			j.Any(b)
		}
		j.EndArray()
		j.Member("dataset", l.Dataset())
		return j.Err()
	}}, nil
}

// smallRequest is what a request takes without waiting for a share.
const smallRequest = 8 << 20

// extents are where features lie and about how many bytes those that are looked up at once take; a fault where their
// lines are too long.
func extents(features []drawn.Feature, step float64) (need int64, w wanted, err error) {
	var largest [featuresAtOnce]int64
	total, places := 0.0, 0
	for i := range features {
		f := &features[i]
		s := sitesOf(f, 0)
		if s.empty() {
			continue
		}
		w.boxes = append(w.boxes, s.box())
		w.m2 += f.Polygons.Area(crs.EqualArea)
		places += len(s.points)
		length := min(lengthOf(f.Lines), maxSamples)
		total += length
		bytes := 4*stripBytes(s.box().Grown(step), step) + int64(32*(length+float64(len(s.points))))
		for k := range largest {
			if bytes > largest[k] {
				bytes, largest[k] = largest[k], bytes
			}
		}
	}
	if total > maxAllSamples {
		return 0, w, fault.New(fault.TooLarge, "the lines are %.0f km long together: at most %d km are looked up at a time", total/1000, maxAllSamples/1000)
	}
	for _, b := range largest {
		need += b
	}
	if need < smallRequest {
		need = 0
	}
	if places > 0 {
		w.m2 = 0 // not an area alone
	}
	return need, w, nil
}

// models are the two models of a date; dsm may be nil.
type models struct {
	*source
	dtm, dsm *rasters.Layer
}

// reliefs are the heights of features, and how much of them is known.
func (m *models) reliefs(ctx context.Context, features []drawn.Feature) ([]relief, coverage, error) {
	out := make([]relief, len(features))
	work, ctx := errgroup.WithContext(ctx)
	work.SetLimit(featuresAtOnce)
	for i := range features {
		work.Go(func() (err error) {
			out[i], err = m.relief(ctx, sitesOf(&features[i], 1))
			return err
		})
	}
	if err := work.Wait(); err != nil {
		return nil, coverage{}, err
	}
	var c coverage
	for i := range out {
		c.cells, c.known = c.cells+out[i].places, c.known+out[i].dtm.n
	}
	return out, c, nil
}

// enriched is a feature with its heights.
func enriched(f *drawn.Feature, of *relief) (json.RawMessage, error) {
	properties := map[string]any{}
	if f.Properties != nil {
		var given map[string]json.RawMessage
		if err := json.Unmarshal(f.Properties, &given); err != nil {
			return nil, err
		}
		for name, value := range given {
			properties[name] = value
		}
	}
	of.addTo(properties)
	return json.Marshal(struct {
		Type       string          `json:"type"`
		ID         json.RawMessage `json:"id,omitempty"`
		Geometry   json.RawMessage `json:"geometry"`
		Properties map[string]any  `json:"properties"`
	}{"Feature", f.ID, geometryOf(f), properties})
}

// geometryOf writes the geometry of a feature as GeoJSON; several kinds are a collection.
func geometryOf(f *drawn.Feature) json.RawMessage {
	var parts []string
	if n := len(f.Points); n == 1 {
		parts = append(parts, `{"type":"Point","coordinates":`+position(f.Points[0])+`}`)
	} else if n > 1 {
		parts = append(parts, `{"type":"MultiPoint","coordinates":`+list(f.Points, position)+`}`)
	}
	line := func(l []geom.Point) string { return list(l, position) }
	if n := len(f.Lines); n == 1 {
		parts = append(parts, `{"type":"LineString","coordinates":`+line(f.Lines[0])+`}`)
	} else if n > 1 {
		parts = append(parts, `{"type":"MultiLineString","coordinates":`+list(f.Lines, line)+`}`)
	}
	ring := func(r geom.Ring) string { return line(append(append([]geom.Point{}, r...), r[0])) }
	polygon := func(p geom.Polygon) string { return list(p, ring) }
	if n := len(f.Polygons); n == 1 {
		parts = append(parts, `{"type":"Polygon","coordinates":`+polygon(f.Polygons[0])+`}`)
	} else if n > 1 {
		parts = append(parts, `{"type":"MultiPolygon","coordinates":`+list(f.Polygons, polygon)+`}`)
	}
	switch len(parts) {
	case 0:
		return json.RawMessage("null")
	case 1:
		return json.RawMessage(parts[0])
	}
	return json.RawMessage(`{"type":"GeometryCollection","geometries":` + list(parts, func(s string) string { return s }) + `}`)
}

func position(p geom.Point) string {
	return fmt.Sprintf("[%s,%s]", strconv.FormatFloat(p.Lon(), 'f', -1, 64), strconv.FormatFloat(p.Lat(), 'f', -1, 64))
}

// list writes a JSON array.
func list[T any](of []T, write func(T) string) string {
	b := []byte{'['}
	for i, v := range of {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, write(v)...)
	}
	return string(append(b, ']'))
}
