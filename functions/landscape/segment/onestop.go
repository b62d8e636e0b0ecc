package segment

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net/http"
	"slices"

	"mappe/functions/core/drawn"
	"mappe/functions/core/shares"
	"mappe/functions/core/tasks"
	"mappe/functions/landscape/scans"
	"mappe/shared/austria"
	land "mappe/shared/landscape/segment"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/fault"
	"mappe/shared/web/params"
	"mappe/shared/web/reply"
)

// The values of parameters.
const (
	asJSON, asGeoPackage, asKML = "json", "gpkg", "kml"
	asPoints, asPolygons        = "point", "polygon"
	byType, byHeight, byClass   = "type", "height", "height_class"
	above, below, within        = "gt", "lt", "between"
	ofTerrain, ofTrees          = "terrain", "trees"
)

var (
	stopBox  = params.Box("The area, at most 25 km². Required where no task_id is given.")
	stopName = endpoint.Parsed("name", "Name that the result is shared under for 7 days, beside auto-{task_id}: "+shares.NameForm+". One "+
		"that another result has is refused.", func(text string) (string, error) {
		if shares.CheckName(text) != nil {
			return "", errors.New(shares.NameForm)
		}
		return text, nil
	}, endpoint.Example("my-hillside"))
	stopSize  = minSize.With(endpoint.Default("10"))
	heightMin = endpoint.Float("height_min", "Only segments whose height_max_m is this or more; with height_op=gt more.",
		endpoint.Unit("m"), endpoint.Between(0, 10_000), endpoint.Example("5"))
	heightMax = endpoint.Float("height_max", "Only segments whose height_max_m is this or less; with height_op=lt less.",
		endpoint.Unit("m"), endpoint.Between(0, 10_000), endpoint.Example("30"))
	heightOp = endpoint.Enum("height_op", "How the bounds count: gt more than height_min, lt less than height_max, between both, and they "+
		"themselves. A segment whose height is not known is left out.", []string{above, below, within})
	stopForm = endpoint.Enum("format", "Form of the result.", []string{asJSON, asGeoPackage, asKML}, endpoint.Default(asJSON))
	layers   = endpoint.EnumList("layers", "What the JSON sums up beside segments: relief, trees.", []string{ofTerrain, ofTrees})
	vector   = endpoint.Bool("include_segments_vector", "Whether the JSON has the segments themselves; files have them always.",
		endpoint.Default("false"))
	terrainModel = endpoint.Bool("include_dtm",
		"Whether the JSON names the terrain model of the scan: dtm, the GeoTIFFs that reach into the "+
			"box. /lidar/geotiff gives cells of the box alone.", endpoint.Default("false"))
	drawnAs = endpoint.Enum("segment_geometry", "Whether segments are drawn as outlines or as a point in each; by default points in KML, "+
		"else outlines.", []string{asPoints, asPolygons})
	colours = endpoint.Enum("segment_geometry_style", "What the colours of a file tell; JSON has none.",
		[]string{byType, byHeight}, endpoint.Default(byType))
	grouped = endpoint.Enum("group_by", "Divides a file into layers (GeoPackage) or folders (KML), and the JSON has a summary by it: "+
		"grouped.", []string{byType, byClass})
	stopTask = tasks.ID("The task that is polled; where no bbox is given, nothing else is looked at. Beside a bbox a client may name " +
		"a task so that is not there yet, best by a UUID: it is begun. One that is of another question is refused.").
		With(endpoint.Example("5f0c3c1e-8d1b-4a53-9f0e-2b7c6d1e4f90"))
)

// stop is a question for an area by its box. Of the question that it widens explain and groups are never asked.
type stop struct {
	question
	Name      string   `json:"name,omitempty"`
	HeightMin *float64 `json:"height_min,omitempty"`
	HeightMax *float64 `json:"height_max,omitempty"`
	HeightOp  string   `json:"height_op,omitempty"`
	Format    string   `json:"format"`
	Layers    []string `json:"layers,omitempty"`
	Vector    bool     `json:"include_segments_vector,omitempty"`
	Terrain   bool     `json:"include_dtm,omitempty"`
	Geometry  string   `json:"segment_geometry"`
	Style     string   `json:"segment_geometry_style"`
	GroupBy   string   `json:"group_by,omitempty"`
}

// begun is the body of a 202.
type begun struct {
	TaskID    string  `json:"task_id"`
	PollURL   string  `json:"poll_url" doc:"answers 202 until the result is there, and then is it"`
	Estimated float64 `json:"estimated_seconds" doc:"from the area alone: 2 s, and 2 s for each km²; tasks that wait before it come on top"`
}

// The rates of an estimate. Measured is one part of them: segments take 0.96 s a km² in areas of many squares on two cores of
// 2.9 GHz (infra/bench/segment). Reading of rasters and types are assumed to take as much again, and a worker 2 s to start.
const (
	secondsAtLeast = 2.0
	secondsKM2     = 2.0
)

// estimate is about how many seconds a question takes.
func (q *stop) estimate() float64 { return math.Ceil(secondsAtLeast + secondsKM2*q.Area.M2/1e6) }

func (e *service) oneStop() endpoint.Endpoint {
	accepted := endpoint.Other{Status: http.StatusAccepted, Doc: "The task that answers; Retry-After says when to poll.", Body: begun{}}
	return endpoint.Endpoint{
		Method: "GET", Path: "/api/v1/onestop", ID: "onestop", Tag: tag, Summary: "The objects of a box as one file",
		Doc: `An area from its box to a file: the first call begins a task and answers 202 with its poll_url, which answers 202 until the
result is there, and then is the result, for 7 days. The objects are those of /segment. Two tasks run at a time and four wait,
whoever asks; more are 503 with Retry-After. The same question is one task. Polls are never cached; /segment/progress and
/segment/abort serve the task too, and its result is the share auto-{task_id}, and that of name where one is given.
JSON is a GeoJSON collection with summary by type, before types and heights choose, and grouped by group_by, after; terrain and
trees are sums over the segments where layers asks for them: trees are the segments of type tree, /trees counts single ones. dtm
names the files of the terrain model where include_dtm asks for it. The
GeoPackage is in EPSG:3035, its points in degrees, with a style for QGIS; KML has colours. A result of more than 64 MB, which some
25,000 segments have as JSON, is a 303 to the store that it is kept in, where that has addresses.`,
		Params: []endpoint.AnyParam{stopBox, stopName, stopSize, useOrtho, useTime, satellites, cadastre, hansen, types, heightMin,
			heightMax,
			heightOp, stopForm, layers, vector, terrainModel, drawnAs, colours, grouped, stopTask},
		Cache: endpoint.Live,
		Answer: endpoint.Answer{Body: endpoint.Open{}, ContentType: "application/geo+json", Exact: true, Others: []endpoint.Other{accepted,
			{Status: http.StatusOK, Doc: "The file.", ContentType: "application/geopackage+sqlite3"},
			{Status: http.StatusOK, Doc: "The file.", ContentType: "application/vnd.google-earth.kml+xml"},
			{Status: http.StatusConflict, Doc: "task_id is of another question, or the name of another share.", Body: fault.Schema()},
			{Status: http.StatusServiceUnavailable, Doc: "Six tasks run or wait; Retry-After says when to try again.",
				Body: fault.Schema()}}},
		Example: "/api/v1/onestop?bbox=13.2330,47.3228,13.2350,47.3242&task_id=5f0c3c1e-8d1b-4a53-9f0e-2b7c6d1e4f90",
		Serve: func(ctx context.Context, r *endpoint.Request) (reply.Answer, error) {
			if e.tasks == nil {
				return nil, fault.New(fault.Unavailable, "there are no tasks here")
			}
			if !stopBox.Given(r) && stopTask.Given(r) {
				t, err := e.tasks.Find(ctx, stopTask.Of(r))
				if err != nil {
					return nil, tasks.FaultOf(err, stopTask.Of(r))
				}
				return e.poll(ctx, r, t)
			}
			q, err := readStop(ctx, r)
			if err != nil {
				return nil, err
			}
			return e.ask(ctx, r, q)
		},
	}
}

// ask begins a question, or polls the task of it that the client names.
func (e *service) ask(ctx context.Context, r *endpoint.Request, q *stop) (reply.Answer, error) {
	if !stopTask.Given(r) {
		return e.begin(ctx, r, q)
	}
	id := stopTask.Of(r)
	t, err := e.tasks.Find(ctx, id)
	if errors.Is(err, tasks.ErrNotFound) {
		return e.begin(ctx, r, q)
	}
	if err == nil {
		var same bool
		if same, err = e.stopTask().Intake(e.tasks).Same(ctx, t, q); err == nil && !same {
			err = tasks.ErrOther
		}
	}
	if err != nil {
		return nil, tasks.FaultOf(err, id)
	}
	return e.poll(ctx, r, t)
}

// begin takes a question.
func (e *service) begin(ctx context.Context, r *endpoint.Request, q *stop) (reply.Answer, error) {
	var err error
	if ctx, r.Generation, err = e.pin(ctx); err != nil { // what is live is not pinned before
		return nil, err
	}
	t, err := e.stopTask().Intake(e.tasks).Begin(ctx, r, q, stopTask.Of(r), stopName)
	if err != nil {
		return nil, err
	}
	return waiting(r, t.ID, q.estimate()), nil
}

// waiting is the answer of a task that is not over.
func waiting(r *endpoint.Request, id string, estimated float64) *reply.Document {
	body := begun{TaskID: id, PollURL: endpoint.Prefix(r.HTTP) + "/api/v1/onestop?task_id=" + id, Estimated: estimated}
	return &reply.Document{Body: body, Status: http.StatusAccepted, Header: http.Header{"Location": {body.PollURL}, "Retry-After": {"1"},
		"Cache-Control": {"no-store"}, "Etag": nil}}
}

// poll answers with the result, or that the task has not ended yet.
func (e *service) poll(ctx context.Context, r *endpoint.Request, t tasks.Asked) (reply.Answer, error) {
	id := stopTask.Of(r)
	switch {
	case t.JobType() != tasks.OneStop:
		return nil, fault.Missed("task", id)
	case t.Status() != tasks.Running:
		return e.tasks.Result(ctx, t, true)
	}
	body, err := e.tasks.Question(ctx, t)
	if err != nil {
		return nil, tasks.FaultOf(err, id)
	}
	var q stop
	if err := json.Unmarshal(body, &q); err != nil {
		return nil, err
	}
	return waiting(r, id, q.estimate()), nil
}

// readStop understands a request, and refuses by name what does not go together.
func readStop(ctx context.Context, r *endpoint.Request) (*stop, error) {
	if !stopBox.Given(r) {
		return nil, fault.Of(fault.Missing, stopBox.Name(), "", "west,south,east,north in degrees (WGS84), or the task_id of a task")
	}
	area, err := boxArea(ctx, r)
	if err != nil {
		return nil, err
	}
	d := land.Default()
	q := &stop{question: question{Area: area, MinSize: stopSize.Of(r), FelzScale: d.FelzScale, Threshold: d.Threshold,
		Ortho:    useOrtho.Of(r),
		Temporal: useTime.Of(r), Copernicus: satellites.Of(r), Cadastre: cadastre.Of(r), Hansen: hansen.Of(r)},
		Name: stopName.Of(r), HeightOp: heightOp.Of(r), Format: stopForm.Of(r), Vector: vector.Of(r), Terrain: terrainModel.Of(r),
		Geometry: drawnAs.Of(r),
		Style:    colours.Of(r), GroupBy: grouped.Of(r)}
	if q.Types, err = named("types", types.Of(r), typeNames()); err != nil {
		return nil, err
	}
	q.Layers = slices.Clone(layers.Of(r))
	slices.Sort(q.Layers)
	q.Layers = slices.Compact(q.Layers)
	if err := q.readHeights(r); err != nil {
		return nil, err
	}
	switch {
	case q.Format != asJSON && len(q.Layers) > 0:
		return nil, layers.Clash(r, "format=json beside it")
	case q.Format != asJSON && q.Terrain:
		return nil, terrainModel.Clash(r, "format=json beside it")
	case q.Format == asJSON && !q.Vector && drawnAs.Given(r):
		return nil, drawnAs.Clash(r, "include_segments_vector=true beside it, or a file")
	case q.Format == asJSON && colours.Given(r):
		return nil, colours.Clash(r, "a file: format=gpkg or kml beside it")
	}
	usual := asPolygons
	if q.Format == asKML {
		usual = asPoints
	}
	q.Geometry = cmp.Or(q.Geometry, usual)
	return q, nil
}

// readHeights reads the bounds of heights.
func (q *stop) readHeights(r *endpoint.Request) error {
	if heightMin.Given(r) {
		v := heightMin.Of(r)
		q.HeightMin = &v
	}
	if heightMax.Given(r) {
		v := heightMax.Of(r)
		q.HeightMax = &v
	}
	switch {
	case (q.HeightOp == above || q.HeightOp == within) && q.HeightMin == nil:
		return heightOp.Clash(r, "height_min beside "+q.HeightOp)
	case (q.HeightOp == below || q.HeightOp == within) && q.HeightMax == nil:
		return heightOp.Clash(r, "height_max beside "+q.HeightOp)
	case q.HeightOp == above && q.HeightMax != nil:
		return heightMax.Clash(r, "height_op lt or between beside it, or none")
	case q.HeightOp == below && q.HeightMin != nil:
		return heightMin.Clash(r, "height_op gt or between beside it, or none")
	case q.HeightMin != nil && q.HeightMax != nil && *q.HeightMin > *q.HeightMax:
		return heightMin.Bad(r, "at most height_max")
	}
	return nil
}

// boxArea is the box as an area.
func boxArea(ctx context.Context, r *endpoint.Request) (*drawn.Area, error) {
	b := stopBox.Of(r)
	const ring = `{"type":"Polygon","coordinates":[[[%[1]f,%[2]f],[%[3]f,%[2]f],[%[3]f,%[4]f],[%[1]f,%[4]f],[%[1]f,%[2]f]]]}`
	area, err := drawn.Parse(ctx, fmt.Appendf(nil, ring, b.West, b.South, b.East, b.North))
	var f *fault.Fault
	if errors.As(err, &f) && len(f.Details) > 0 && f.Status() < http.StatusInternalServerError {
		return nil, stopBox.Bad(r, "a box that has an area, "+austria.Where)
	}
	return area, err
}

// tall says whether a height in metres lies within the bounds.
func (q *stop) tall(height float64) bool {
	if q.HeightMin == nil && q.HeightMax == nil {
		return true
	}
	if math.IsNaN(height) {
		return false
	}
	low := q.HeightMin == nil || height > *q.HeightMin || q.HeightOp != above && height == *q.HeightMin
	return low && (q.HeightMax == nil || height < *q.HeightMax || q.HeightOp != below && height == *q.HeightMax)
}

// stopTask is the work of a one-stop.
func (e *service) stopTask() *tasks.Task[stop] {
	return &tasks.Task[stop]{Name: "onestop", State: scans.StateWithCadastre, Place: func(q *stop) json.RawMessage { return q.place() },
		Layer: shares.Layer{Type: "type", Height: []string{"height_max_m"}, Style: style},
		Run: func(ctx context.Context, q *stop, p *tasks.Progress) (reply.Answer, error) {
			d, err := e.divide(ctx, &q.question, p)
			if err != nil {
				return nil, err
			}
			kept := d.pick(func(i int) bool { return q.keeps(d.told[i].Type) && q.tall(float64(d.sizes[i].height)) })
			if err := p.Step(ctx, "writing "+q.Format, 1); err != nil {
				d.release()
				return nil, err
			}
			switch q.Format {
			case asGeoPackage:
				return d.geoPackage(q, kept), nil
			case asKML:
				return d.kml(q, kept), nil
			}
			answer, err := d.collection(ctx, q, kept)
			if err != nil {
				d.release()
			}
			return answer, err
		}}
}
