// Package analysis is what height models say of an area that a client draws. It owns the endpoints and their shapes; what
// an area is functions/core/drawn reads, the metrics are shared/landscape's, the rasters are read by windows through
// artefacts/library.
package analysis

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"time"

	"mappe/artefacts/library"
	"mappe/functions/core/drawn"
	"mappe/functions/core/memory"
	"mappe/functions/core/pin"
	"mappe/functions/core/tasks"
	"mappe/functions/landscape/scans"
	"mappe/shared/cloud/membudget"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/fault"
)

// Deps are what the endpoints stand on. Library is required.
type Deps struct {
	Library *library.Library
	BaseURL string            // what stands before the paths in the outside world
	Version string            // of the software
	Now     func() time.Time  // default time.Now
	Log     *slog.Logger      // default: silent
	Memory  *membudget.Budget // that requests share; default: that of the process
	Tasks   *tasks.Desk       // takes what is asked in the background; nil: nothing is
}

const tagTerrain = "Terrain"

// New is the family as a service of its own.
func New(d Deps) *endpoint.Service {
	e := &service{memory.Of(d.Memory), d.Tasks}
	return &endpoint.Service{
		System: "landscape", Title: "Landscape: terrain", Version: d.Version, BaseURL: d.BaseURL,
		Description: "Elevation, slope, aspect, ruggedness and curvature of any area of up to 25 km² that is drawn or uploaded, and the models themselves as GeoTIFF.",
		Endpoints:   []endpoint.Endpoint{e.elevation(), e.terrainOf(), e.geotiff()},
		Notice:      scans.Notice, Pin: pin.To(d.Library), Repin: pin.Former(d.Library), Now: d.Now, Log: d.Log,
	}
}

// Tasks are the questions that a worker answers too.
func Tasks(d Deps) []tasks.Runner {
	e := &service{memory: memory.Of(d.Memory)}
	return []tasks.Runner{e.terrainTask().Runner(), e.elevationTask().Runner(), e.geotiffTask().Runner()}
}

const areaDoc = "The area as " + drawn.Forms + ". Several features, and the geometries of a collection, are united; a point is a circle of 100 m; a recorded track whose ends lie within 25 m, or 2 % of its length, is closed, else it is a line with 100 m on either side: meta.warnings says so. At most 25 km² in Austria. In {geometry, params} and in forms params are the parameters of the address, which count before them."

// areaShape is the shape of the body that the description of the service shows.
type areaShape struct {
	Geometry any            `json:"geometry" doc:"GeoJSON of any type"`
	Params   map[string]any `json:"params,omitempty"`
}

// exampleArea is a slope of the demonstration country.
const exampleArea = `{"geometry":{"type":"Polygon","coordinates":[[[13.2330,47.3228],[13.2350,47.3228],[13.2350,47.3242],[13.2330,47.3242],[13.2330,47.3228]]]}}`

var dataset = endpoint.Parsed("dataset", "Date of the laser scan as YYYYMMDD; where it is not given the newest that covers at least 95 % of what is asked for, else the newest that touches it.", parseDataset, endpoint.Example("20240915"))

// parsed is a body that is read while it has its share of the memory.
func parsed[T any](e *service, doc string, parse func(context.Context, []byte) (T, error)) *endpoint.BodyOf[T] {
	return endpoint.ParsedBodyIn(doc, drawn.MaxBytes, areaShape{}, func(ctx context.Context, body []byte) (out T, err error) {
		release, err := e.memory.Take(ctx, drawn.MemoryOf(body))
		if err != nil {
			return out, err
		}
		defer release()
		return parse(ctx, body)
	})
}

func parseDataset(text string) (string, error) {
	text = strings.ReplaceAll(text, "-", "")
	if _, err := time.Parse("20060102", text); err != nil {
		return "", fmt.Errorf("a date as YYYYMMDD, for example 20240915")
	}
	return text, nil
}

// param is the text of a parameter: of the address, else of the body; "" where neither gives it.
func param(p *endpoint.Param[string], name string, r *endpoint.Request, params map[string]json.RawMessage, parse func(string) (string, error)) (string, error) {
	if p.Given(r) {
		return p.Of(r), nil
	}
	raw, ok := params[name]
	if !ok || string(raw) == "null" {
		return "", nil
	}
	var text string
	if json.Unmarshal(raw, &text) != nil {
		text = string(raw) // a number
	}
	value, err := parse(text)
	if err != nil {
		return "", fault.BadValue("params."+name, text, err.Error())
	}
	return value, nil
}

// datasetOf is the date that a request names, of the address or of the body; "" where it names none.
func datasetOf(r *endpoint.Request, params map[string]json.RawMessage) (string, error) {
	if err := known(params, "dataset"); err != nil {
		return "", err
	}
	return param(dataset, "dataset", r, params, parseDataset)
}

// known refuses parameters of a body that the endpoint does not have.
func known(params map[string]json.RawMessage, names ...string) error {
	for name := range params {
		if !slices.Contains(names, name) {
			return fault.UnknownName("params", name, names)
		}
	}
	return nil
}

// service is what the endpoints share.
type service struct {
	memory memory.Shares
	tasks  *tasks.Desk
}

// source is what a request reads.
type source struct {
	*scans.Source
	memory memory.Shares
}

func (e *service) open(ctx context.Context) (*source, error) {
	s, err := scans.Open(ctx)
	if err != nil {
		return nil, err
	}
	return &source{s, e.memory}, nil
}
