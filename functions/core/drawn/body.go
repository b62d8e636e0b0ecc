package drawn

import (
	"bytes"
	"context"

	"mappe/functions/core/memory"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/jsonin"
)

const paramsDoc = "In {geometry, params} and in forms params are the parameters of the address; a value that both give differently is refused."

// areaDoc says what an area is given as.
const areaDoc = "The area as " + Forms +
	". Several features, and the geometries of a collection, are united; a point is a circle of 100 m; " +
	"a recorded track whose ends lie within 25 m, or 2 % of its length, is closed, else it is a line with 100 m on either side: meta.warnings says so. " +
	"Another width is a polygon that the client grows. At most 25 km² in Austria. " + paramsDoc

// areaShape is the shape of the body that the description of a service shows.
type areaShape struct {
	Geometry any            `json:"geometry" doc:"GeoJSON of any type"`
	Params   map[string]any `json:"params,omitempty"`
}

// AreaBody is the body of an endpoint about an area. It is read while it has its share of the memory, and may hold
// parameters of the endpoint.
func AreaBody(m memory.Shares) *endpoint.BodyOf[*Area] {
	return endpoint.ParsedBodyIn(areaDoc, MaxBytes, areaShape{}, within(m, Parse)).Carrying("params", (*Area).Held)
}

// PlaceBody is the body of an endpoint whose place may be named by a parameter as well: an area, {params} alone, or nothing.
// Its Geometry is nil where it draws none.
func PlaceBody(m memory.Shares, doc string) *endpoint.BodyOf[*Area] {
	return endpoint.ParsedBodyIn(doc+" "+areaDoc, MaxBytes, areaShape{}, within(m, parsePlace)).Carrying("params", (*Area).Held).Optional()
}

// parsePlace is Parse, which also takes an object that has params alone.
func parsePlace(ctx context.Context, body []byte) (*Area, error) {
	if b := bytes.TrimSpace(decoded(body)); len(b) > 0 && b[0] == '{' {
		m, others, err := jsonin.Members(b, "", "params")
		if err == nil && len(others) == 0 && m["params"] != nil {
			in := &reading{ctx: ctx}
			err := in.readParams(m["params"])
			return &Area{Params: in.params}, err
		}
	}
	return Parse(ctx, body)
}

// FeaturesBody is that of an endpoint about features, each for itself; doc says what is done with them.
func FeaturesBody(m memory.Shares, doc string) *endpoint.BodyOf[*List] {
	return endpoint.ParsedBodyIn(doc+" "+paramsDoc, MaxBytes, areaShape{}, within(m, Features)).Carrying("params", (*List).Held)
}

// within reads a body while it has its share of the memory.
func within[T any](m memory.Shares, parse func(context.Context, []byte) (T, error)) func(context.Context, []byte) (T, error) {
	return func(ctx context.Context, body []byte) (out T, err error) {
		release, err := m.Take(ctx, MemoryOf(body))
		if err != nil {
			return out, err
		}
		defer release()
		return parse(ctx, body)
	}
}

// Example is a slope of the demonstration country, for the description of endpoints.
const Example = `{"geometry":{"type":"Polygon","coordinates":[[[13.2330,47.3228],[13.2350,47.3228],[13.2350,47.3242],[13.2330,47.3242],[13.2330,47.3228]]]}}`
