// Package changes is what has changed in an area that a client draws between two laser scans. It owns the endpoint, its
// shapes and how the height models are read for it; what a change is shared/landscape/change decides, what an area is
// functions/core/drawn reads.
package changes

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
	"mappe/functions/landscape/scans"
	"mappe/shared/cloud/membudget"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/fault"
	"mappe/shared/web/gpkg"
	"mappe/shared/web/qgis"
)

// Deps are what the endpoint stands on. Library is required.
type Deps struct {
	Library *library.Library
	BaseURL string            // what stands before the paths in the outside world
	Version string            // of the software
	Now     func() time.Time  // default time.Now
	Started time.Time         // written as the date of GeoPackages
	Log     *slog.Logger      // default: silent
	Memory  *membudget.Budget // that requests share; default: that of the process
}

// New is the family as a service of its own.
func New(d Deps) *endpoint.Service {
	e := &service{memory.Of(d.Memory)}
	return &endpoint.Service{
		System: "landscape", Title: "Landscape: changes", Version: d.Version, BaseURL: d.BaseURL,
		Description: "What has changed in any area of up to 25 km² between two laser scans: trees, buildings, earthworks, roads.",
		Endpoints:   []endpoint.Endpoint{e.changes()},
		Notice:      scans.Notice, Pin: pin.To(d.Library), Repin: pin.Former(d.Library), Now: d.Now, Log: d.Log,
		GeoPackage: gpkg.Form{Time: d.Started, Styles: map[string]qgis.Style{layer: style}},
	}
}

// service is what requests share.
type service struct {
	memory memory.Shares
}

// comparedAreaShape is the shape of the body that the description of the service shows.
type comparedAreaShape struct {
	Geometry any            `json:"geometry" doc:"GeoJSON of any type"`
	Params   map[string]any `json:"params,omitempty"`
}

const areaDoc = "The area as " + drawn.Forms + ". Several features, and the geometries of a collection, are united; a point is a " +
	"circle of 100 m; a recorded track whose ends lie within 25 m, or 2 % of its length, is closed, else it is a line with 100 m on " +
	"either side: meta.warnings says so. At most 25 km² in Austria. In {geometry, params} and in forms params are the parameters of " +
	"the address, which count before them."

// body is an area that is read while it has its share of the memory.
func (e *service) body() *endpoint.BodyOf[*drawn.Area] {
	return endpoint.ParsedBodyIn(areaDoc, drawn.MaxBytes, comparedAreaShape{}, func(ctx context.Context, body []byte) (*drawn.Area, error) {
		release, err := e.memory.Take(ctx, drawn.MemoryOf(body))
		if err != nil {
			return nil, err
		}
		defer release()
		return drawn.Parse(ctx, body)
	})
}

func parseDate(text string) (string, error) {
	text = strings.ReplaceAll(text, "-", "")
	if _, err := time.Parse("20060102", text); err != nil {
		return "", fmt.Errorf("a date as YYYYMMDD, for example 20240915")
	}
	return text, nil
}

// param is a parameter: of the address, else of the body, else its default.
func param[T any](p *endpoint.Param[T], r *endpoint.Request, params map[string]json.RawMessage, parse func(string) (T, error)) (T, error) {
	raw, ok := params[p.Name()]
	if p.Given(r) || !ok || string(raw) == "null" {
		return p.Of(r), nil
	}
	var text string
	if json.Unmarshal(raw, &text) != nil {
		text = string(raw) // a number
	}
	value, err := parse(text)
	if err != nil {
		return value, fault.BadValue("params."+p.Name(), text, err.Error())
	}
	return value, nil
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
