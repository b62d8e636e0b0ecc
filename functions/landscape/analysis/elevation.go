package analysis

import (
	"context"
	"encoding/json"

	"golang.org/x/sync/errgroup"

	"mappe/artefacts/rasters"
	"mappe/functions/core/drawn"
	"mappe/functions/core/shares"
	"mappe/functions/core/tasks"
	"mappe/functions/landscape/scans"
	"mappe/shared/geo/crs"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/fault"
	"mappe/shared/web/format"
	"mappe/shared/web/qgis"
	"mappe/shared/web/reply"
)

const featuresDoc = "Features of any type as " + drawn.Forms +
	": points, lines, polygons, each for itself, in Austria; at most 10,000, of which each may reach over 25 km²."

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
	featuresBody := drawn.FeaturesBody(e.memory, featuresDoc)
	return e.elevationTask().Endpoint(e.tasks, endpoint.Endpoint{
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
	}, func(_ context.Context, r *endpoint.Request) (*featuresQuestion, error) {
		return &featuresQuestion{featuresBody.Of(r), dataset.Of(r)}, nil
	})
}

// featuresQuestion is what is asked of features, each for itself.
type featuresQuestion struct {
	In      *drawn.List `json:"in"`
	Dataset string      `json:"dataset,omitempty"` // "" for the newest that covers them
}

// elevationTask is the heights of features, at once or in the background.
func (e *service) elevationTask() *tasks.Task[featuresQuestion] {
	return &tasks.Task[featuresQuestion]{Name: "elevation", State: scans.State, Run: e.runElevation, Layer: shares.Layer{
		Height: []string{"height_m", "height_max_m"}, Style: qgis.Style{Fill: "#7fb069", Line: "#33691e", Width: 0.3, Size: 2}}}
}

// featuresAtOnce is how many features are looked up at the same time: each may read other tiles.
const featuresAtOnce = 8

func (e *service) runElevation(ctx context.Context, q *featuresQuestion, p *tasks.Progress) (reply.Answer, error) {
	in := q.In
	s, err := e.open(ctx)
	if err != nil {
		return nil, err
	}
	layers, err := s.Candidates(rasters.DTM, q.Dataset)
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
	got, err := scans.Choose(ctx, s.Source, layers, where, func(l *rasters.Layer) ([]relief, scans.Coverage, error) {
		m := models{source: s, progress: p, dtm: l, dsm: s.List.Find(rasters.DSM, l.Dataset())}
		return m.reliefs(ctx, in.Features)
	})
	if err != nil {
		return nil, err
	}
	l := got.Layer
	meta := append(got.Coverage.Meta(l),
		reply.Member{Name: "warnings", Value: append(append([]string{}, in.Warnings...), got.Coverage.Warnings(l)...)})
	return &reply.Stream{Notice: scans.NoticeOf(l), Meta: meta, ContentType: "application/geo+json",
		Write: func(j *format.JSON, _ *format.Layout) error {
			j.Member("type", "FeatureCollection")
			j.Key("features")
			j.Array()
			for i := range in.Features {
				b, err := enriched(&in.Features[i], &got.Of[i])
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
func extents(features []drawn.Feature, step float64) (need int64, w scans.Wanted, err error) {
	var largest [featuresAtOnce]int64
	total, places := 0.0, 0
	for i := range features {
		f := &features[i]
		s := sitesOf(f, 0)
		if s.empty() {
			continue
		}
		w.Boxes = append(w.Boxes, s.box())
		w.M2 += f.Polygons.Area(crs.EqualArea)
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
		return 0, w, fault.New(fault.TooLarge, "the lines are %.0f km long together: at most %d km are looked up at a time", total/1000,
			maxAllSamples/1000)
	}
	for _, b := range largest {
		need += b
	}
	if need < smallRequest {
		need = 0
	}
	if places > 0 {
		w.M2 = 0 // not an area alone
	}
	return need, w, nil
}

// models are the two models of a date; dsm may be nil.
type models struct {
	*source
	progress *tasks.Progress
	dtm, dsm *rasters.Layer
}

// reliefs are the heights of features, and how much of them is known.
func (m *models) reliefs(ctx context.Context, features []drawn.Feature) ([]relief, scans.Coverage, error) {
	out := make([]relief, len(features))
	strips := 0
	for i := range features {
		strips += m.strips(sitesOf(&features[i], 0))
	}
	if err := m.progress.Step(ctx, "heights of "+m.dtm.Date, strips); err != nil {
		return nil, scans.Coverage{}, err
	}
	work, ctx := errgroup.WithContext(ctx)
	work.SetLimit(featuresAtOnce)
	for i := range features {
		work.Go(func() (err error) {
			out[i], err = m.relief(ctx, sitesOf(&features[i], 1))
			return err
		})
	}
	if err := work.Wait(); err != nil {
		return nil, scans.Coverage{}, err
	}
	var c scans.Coverage
	for i := range out {
		c.Cells, c.Known = c.Cells+out[i].places, c.Known+out[i].dtm.n
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
	}{"Feature", f.ID, f.GeoJSON(), properties})
}
