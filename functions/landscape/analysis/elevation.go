package analysis

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"sync"

	"golang.org/x/sync/errgroup"

	"mappe/artefacts/rasters"
	"mappe/functions/landscape/area"
	"mappe/shared/geo/crs"
	"mappe/shared/geo/geom"
	"mappe/shared/geo/raster"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/format"
	"mappe/shared/web/reply"
)

var featuresBody = endpoint.ParsedBody("Features of any type as "+area.Forms+": points, lines, polygons, each for itself, in Austria; at most 10,000, of which each may reach over 25 km². "+
	"In {geometry, params} and in forms params are the parameters of the address, which count before them.", area.MaxBytes, areaShape{}, area.Features)

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

type elevatedShape struct {
	Type     string `json:"type"`
	Features []struct {
		Type       string          `json:"type"`
		ID         json.RawMessage `json:"id,omitempty"`
		Geometry   any             `json:"geometry"`
		Properties heightsShape    `json:"properties"`
	} `json:"features"`
	Dataset string `json:"dataset"`
}

func elevation() endpoint.Endpoint {
	return endpoint.Endpoint{
		Method: "POST", Path: "/api/v1/elevation", ID: "elevation", Tag: tagTerrain,
		Summary: "Heights of features",
		Doc: `The features come back in their order with heights in their properties: dtm_m, dsm_m and height_m of a point, between the
four cells around it; least, mean and greatest of a line, every metre along it (a very long one in 200,000 places), and of an area, by its cells of 1 m. Metres above the
Adriatic; null where nothing is known. A property that has one of these names already is replaced.`,
		Params:      []endpoint.AnyParam{dataset},
		Body:        featuresBody,
		Answer:      endpoint.Answer{Body: elevatedShape{}, ContentType: "application/geo+json"},
		Example:     "/api/v1/elevation",
		ExampleBody: `{"type":"FeatureCollection","features":[{"type":"Feature","properties":{"name":"church"},"geometry":{"type":"Point","coordinates":[13.2274,47.3205]}}]}`,
		Serve:       serveElevation,
	}
}

const (
	// featuresAtOnce is how many features are looked up at the same time: each may read other tiles.
	featuresAtOnce = 8
	// largeFeature is the box in m² above which one is looked up at a time, since its cells are held.
	largeFeature = 1e6
)

func serveElevation(ctx context.Context, r *endpoint.Request) (reply.Answer, error) {
	in := featuresBody.Of(r)
	if err := known(in.Params, "dataset"); err != nil {
		return nil, err
	}
	date, err := param(dataset, "dataset", r, in.Params, parseDataset)
	if err != nil {
		return nil, err
	}
	s, err := open(ctx)
	if err != nil {
		return nil, err
	}
	ground, err := s.layer(rasters.DTM, date)
	if err != nil {
		return nil, err
	}
	both := &models{source: s, dtm: ground, dsm: s.list.Find(rasters.DSM, ground.Dataset())}
	out := make([]json.RawMessage, len(in.Features))
	work, ctx := errgroup.WithContext(ctx)
	work.SetLimit(featuresAtOnce)
	for i := range in.Features {
		work.Go(func() (err error) {
			out[i], err = both.enrich(ctx, &in.Features[i])
			return err
		})
	}
	if err := work.Wait(); err != nil {
		return nil, err
	}
	return &reply.Stream{Notice: notice(ground), ContentType: "application/geo+json", Write: func(j *format.JSON, _ *format.Layout) error {
		j.Member("type", "FeatureCollection")
		j.Member("features", out)
		j.Member("dataset", ground.Dataset())
		return j.Err()
	}}, nil
}

// models are the two models of a date; dsm may be nil.
type models struct {
	*source
	dtm, dsm *rasters.Layer
	large    sync.Mutex
}

// enrich is a feature with its heights.
func (m *models) enrich(ctx context.Context, f *area.Feature) (json.RawMessage, error) {
	properties := map[string]any{}
	if f.Properties != nil {
		var of map[string]json.RawMessage
		if err := json.Unmarshal(f.Properties, &of); err != nil {
			return nil, err
		}
		for name, value := range of {
			properties[name] = value
		}
	}
	if err := m.heightsOf(ctx, f, properties); err != nil {
		return nil, err
	}
	return json.Marshal(struct {
		Type       string          `json:"type"`
		ID         json.RawMessage `json:"id,omitempty"`
		Geometry   json.RawMessage `json:"geometry"`
		Properties map[string]any  `json:"properties"`
	}{"Feature", f.ID, geometryOf(f), properties})
}

// heightsOf adds the heights of a feature to its properties.
func (m *models) heightsOf(ctx context.Context, f *area.Feature, to map[string]any) error {
	sites := sitesOf(f)
	if len(sites.points) == 0 && len(sites.polygons) == 0 {
		to["dtm_m"], to["dsm_m"], to["height_m"] = nil, nil, nil
		return nil
	}
	below, err := m.stretch(ctx, m.dtm, sites)
	if err != nil {
		return err
	}
	above := make([]float64, len(below))
	for i := range above {
		above[i] = math.NaN()
	}
	if m.dsm != nil {
		if above, err = m.stretch(ctx, m.dsm, sites); err != nil {
			return err
		}
	}
	if sites.single {
		to["dtm_m"], to["dsm_m"], to["height_m"] = round(below[0], 2), round(above[0], 2), round(above[0]-below[0], 2)
		return nil
	}
	height := make([]float64, len(below))
	for i := range below {
		height[i] = above[i] - below[i]
	}
	for name, values := range map[string][]float64{"dtm": below, "dsm": above, "height": height} {
		least, mean, most := extremes(values)
		if name != "height" {
			to[name+"_min_m"] = round(least, 2)
		}
		to[name+"_mean_m"], to[name+"_max_m"] = round(mean, 2), round(most, 2)
	}
	return nil
}

// extremes are least, mean and greatest of what is known; NaN where nothing is.
func extremes(values []float64) (least, mean, most float64) {
	least, most = math.Inf(1), math.Inf(-1)
	sum, n := 0.0, 0
	for _, v := range values {
		if v == v {
			least, most, sum, n = min(least, v), max(most, v), sum+v, n+1
		}
	}
	if n == 0 {
		return math.NaN(), math.NaN(), math.NaN()
	}
	return least, sum / float64(n), most
}

// sites are the places in EPSG:3035 whose heights are asked for.
type sites struct {
	points   []raster.XY
	polygons []raster.Polygon
	single   bool // one point alone
}

// sitesOf are the points of a feature, its lines every metre, and its areas.
func sitesOf(f *area.Feature) (s sites) {
	s.single = len(f.Points) == 1 && len(f.Lines) == 0 && len(f.Polygons) == 0
	at := func(p geom.Point) raster.XY {
		x, y := crs.EqualArea(p)
		return raster.XY{X: x, Y: y}
	}
	for _, p := range f.Points {
		s.points = append(s.points, at(p))
	}
	step := lineStep(f.Lines, at)
	for _, l := range f.Lines {
		for i, p := range l {
			b := at(p)
			if i > 0 {
				a := at(l[i-1])
				for d, n := 1, int(math.Hypot(b.X-a.X, b.Y-a.Y)/step); d <= n; d++ {
					t := float64(d) / float64(n+1)
					s.points = append(s.points, raster.XY{X: a.X + t*(b.X-a.X), Y: a.Y + t*(b.Y-a.Y)})
				}
			}
			s.points = append(s.points, b)
		}
	}
	s.polygons = area.Plane(f.Polygons)
	return s
}

// maxSamples bounds the places along the lines of a feature.
const maxSamples = 200_000

// lineStep is the distance of the places along lines in metres: one, more where they are very long.
func lineStep(lines [][]geom.Point, at func(geom.Point) raster.XY) float64 {
	length := 0.0
	for _, l := range lines {
		for i := 1; i < len(l); i++ {
			a, b := at(l[i-1]), at(l[i])
			length += math.Hypot(b.X-a.X, b.Y-a.Y)
		}
	}
	return max(1, length/maxSamples)
}

// stretch are the heights at the points, then those of the cells of the polygons, row by row.
func (m *models) stretch(ctx context.Context, l *rasters.Layer, s sites) ([]float64, error) {
	box := raster.BoxOf(append([]raster.Polygon{{s.points}}, s.polygons...))
	if (box.East-box.West)*(box.North-box.South) > largeFeature {
		m.large.Lock()
		defer m.large.Unlock()
	}
	g, err := m.Window(ctx, l, box.Grown(l.Step).Aligned(l.Step))
	if err != nil {
		return nil, unread(ctx, "the height model", err)
	}
	out := make([]float64, 0, len(s.points))
	for _, p := range s.points {
		out = append(out, float64(g.Bilinear(p.X, p.Y)))
	}
	if len(s.polygons) > 0 {
		mask := raster.MaskOf(g, s.polygons)
		for row := range g.Rows {
			line := g.Row(row)
			mask.Each(row, func(from, to int) {
				for _, z := range line[from:to] {
					out = append(out, float64(z))
				}
			})
		}
		if len(out) == 0 { // smaller than a cell
			out = append(out, float64(g.Bilinear((box.West+box.East)/2, (box.South+box.North)/2)))
		}
	}
	return out, nil
}

// geometryOf writes the geometry of a feature as GeoJSON; several kinds are a collection.
func geometryOf(f *area.Feature) json.RawMessage {
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
