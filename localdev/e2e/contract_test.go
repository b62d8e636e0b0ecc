package e2e

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"mappe/artefacts/kgfile"
	"mappe/artefacts/kgfile/kgtest"
	"mappe/artefacts/library"
	"mappe/builders/national"
	"mappe/functions/expander"
	"mappe/localdev/server"
	"mappe/shared/austria"
	"mappe/shared/cloud/pay"
	"mappe/shared/cloud/store/mem"
	"mappe/shared/geo/geom"
	"mappe/shared/web/endpoint"
)

// described is one operation with what its own description promises.
type described struct {
	mounted  server.Mounted
	endpoint endpoint.Endpoint
	op       operation
	doc      *document
	handler  http.Handler
	token    string // of the work feed; other services do not look at it
}

// document is an openapi.json as a client reads it.
type document struct {
	Paths      map[string]map[string]operation
	Components struct{ Schemas map[string]map[string]any }
}

type operation struct {
	Parameters []parameter
	Responses  map[string]struct {
		Content map[string]struct{ Schema map[string]any }
	}
}

type parameter struct {
	Name, In string
	Aliases  []string `json:"x-aliases"`
	Schema   struct {
		Type             string
		Enum             []any
		Items            struct{ Enum []any }
		Minimum, Maximum *float64
	}
}

// contract publishes one small KG at the place the examples speak of and reads every description.
func contract(t *testing.T) []described {
	t.Helper()
	id := exampleParcel(t)
	snapshot := kgtest.Snapshot(kgtest.Options{Code: id.KG, Parcels: 60, Segments: 2, AreaKm2: 1, Seed: 5})
	if !slices.ContainsFunc(snapshot.Parcels, func(p kgfile.Parcel) bool { return p.GNR == id.GNR }) {
		snapshot.Parcels[0].GNR = id.GNR
	}
	shift(reflect.ValueOf(snapshot), exampleCentre(t), snapshot.KG.Box)
	ctx, st := context.Background(), mem.New()
	if _, err := national.PublishSnapshots(ctx, st, snapshot); err != nil {
		t.Fatal(err)
	}
	lib, err := library.Open(ctx, st, library.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var all []described
	config := server.Config{Started: time.Unix(0, 0), Expander: expander.Deps{Gate: openGate{}}}
	var token string
	config.Work.Log, token = workLog(t)
	for _, m := range config.Services(lib) {
		if m.Prefix == "/books" {
			continue // its examples speak of a customer's project: its own tests hold it to its table
		}
		b, err := m.Service.OpenAPI(m.Prefix)
		if err != nil {
			t.Fatal(err)
		}
		var doc document
		if err := json.Unmarshal(b, &doc); err != nil {
			t.Fatal(err)
		}
		h, err := m.Service.Handler()
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range m.Service.Endpoints {
			op, ok := doc.Paths[e.Path][strings.ToLower(e.Method)]
			if !ok {
				t.Errorf("%s %s is not described", e.Method, e.Path)
				continue
			}
			all = append(all, described{m, e, op, &doc, endpoint.Mount(m.Prefix, h), token})
		}
	}
	return all
}

// openGate is a till that lets everybody through: what is bought has a contract too.
type openGate struct{}

func (openGate) Wrap(next http.Handler) http.Handler { return next }
func (openGate) Requirements() pay.Requirements      { return pay.Requirements{} }
func (openGate) OpenAPIExtensions() map[string]any   { return nil }

// exampleParcel is the parcel that the table's examples name, exampleCentre the point they ask about.
func exampleParcel(t *testing.T) austria.ParcelID {
	for _, q := range exampleQueries() {
		if id, err := austria.ParseParcelID(q.Get("ids")); err == nil {
			return id
		}
	}
	t.Fatal("no example names a parcel")
	return austria.ParcelID{}
}

func exampleCentre(t *testing.T) geom.Point {
	for _, q := range exampleQueries() {
		lon, errLon := strconv.ParseFloat(q.Get("lon"), 64)
		lat, errLat := strconv.ParseFloat(q.Get("lat"), 64)
		if errLon == nil && errLat == nil {
			return geom.Point{X: int32(lon * geom.Scale), Y: int32(lat * geom.Scale)}
		}
	}
	t.Fatal("no example names a point")
	return geom.Point{}
}

func exampleQueries() []url.Values {
	var all []url.Values
	for _, m := range server.Services(nil, nil, time.Unix(0, 0)) {
		for _, e := range m.Service.Endpoints {
			if u, err := url.Parse(e.Example); err == nil {
				all = append(all, u.Query())
			}
		}
	}
	return all
}

// shift moves every position of a snapshot so that the middle of its box lies at a place.
func shift(v reflect.Value, to geom.Point, box geom.Box) {
	dx, dy := to.X-(box.MinX/2+box.MaxX/2), to.Y-(box.MinY/2+box.MaxY/2)
	var walk func(v reflect.Value)
	walk = func(v reflect.Value) {
		switch {
		case v.Kind() == reflect.Pointer && !v.IsNil():
			walk(v.Elem())
		case v.Kind() == reflect.Slice:
			own := reflect.MakeSlice(v.Type(), v.Len(), v.Len()) // neighbours share their corners' memory
			reflect.Copy(own, v)
			v.Set(own)
			for i := range v.Len() {
				walk(v.Index(i))
			}
		case v.Kind() != reflect.Struct || !v.CanSet():
		case v.Type() == reflect.TypeFor[geom.Point]():
			p := v.Interface().(geom.Point)
			v.Set(reflect.ValueOf(geom.Point{X: p.X + dx, Y: p.Y + dy}))
		case v.Type() == reflect.TypeFor[geom.Box]():
			b := v.Interface().(geom.Box)
			v.Set(reflect.ValueOf(geom.Box{MinX: b.MinX + dx, MinY: b.MinY + dy, MaxX: b.MaxX + dx, MaxY: b.MaxY + dy}))
		default:
			for i := range v.NumField() {
				walk(v.Field(i))
			}
		}
	}
	walk(v)
}

// ask sends the example with some parameters given other values; aliases of theirs are taken out.
func (d described) ask(t *testing.T, set map[string]string) *httptest.ResponseRecorder {
	t.Helper()
	example := d.endpoint.Example
	if example == "" { // one that nobody is asked to try
		example = d.endpoint.Path
	}
	u, err := url.Parse(example)
	if err != nil {
		t.Fatal(err)
	}
	q := u.Query()
	for _, p := range d.op.Parameters {
		if _, ok := set[p.Name]; ok {
			for _, a := range p.Aliases {
				q.Del(a)
			}
		}
	}
	for name, value := range set {
		q.Set(name, value)
	}
	r := httptest.NewRequest(d.endpoint.Method, d.mounted.Prefix+u.EscapedPath()+"?"+q.Encode(), strings.NewReader(d.endpoint.ExampleBody))
	r.Header.Set("Authorization", "Bearer "+d.token)
	w := httptest.NewRecorder()
	d.handler.ServeHTTP(w, r)
	return w
}

func (d described) name() string { return d.endpoint.Method + " " + d.endpoint.Path }

// TestContractAnswers sends each example, and each example with every value of every closed parameter:
// the answer's status and media type are described, and what is JSON has the described shape.
func TestContractAnswers(t *testing.T) {
	for _, d := range contract(t) {
		t.Run(d.name(), func(t *testing.T) {
			if w := d.ask(t, nil); w.Code/100 != 2 || strings.Contains(w.Body.String(), `"data":[]`) || strings.Contains(w.Body.String(), `"matched":0`) {
				t.Fatalf("the example gives %d, or finds nothing: %.300s", w.Code, w.Body)
			}
			d.check(t, nil)
			for _, p := range d.op.Parameters {
				var texts []string
				for _, v := range slices.Concat(p.Schema.Enum, p.Schema.Items.Enum) {
					texts = append(texts, fmt.Sprint(v))
				}
				if p.Schema.Type == "array" && len(texts) > 0 {
					texts = append(texts, strings.Join(texts, ","))
				}
				if p.Schema.Type == "boolean" {
					texts = append(texts, "true", "false")
				}
				for _, text := range texts {
					d.check(t, map[string]string{p.Name: text})
				}
				if p.Name == "callback" {
					d.check(t, map[string]string{p.Name: "draw"})
				}
			}
			d.check(t, map[string]string{"no_such_parameter": "1"})
		})
	}
}

// check sends one request and holds its answer against the description.
func (d described) check(t *testing.T, set map[string]string) {
	t.Helper()
	w := d.ask(t, set)
	described, ok := d.op.Responses[strconv.Itoa(w.Code)]
	if !ok {
		t.Errorf("%v: status %d is not described: %.300s", set, w.Code, w.Body)
		return
	}
	media, _, _ := strings.Cut(w.Header().Get("Content-Type"), ";")
	content, ok := described.Content[media]
	if !ok {
		t.Errorf("%v: media type %s is not described", set, media)
		return
	}
	if media != "application/json" && media != "application/geo+json" {
		return
	}
	var v any
	if err := json.Unmarshal(w.Body.Bytes(), &v); err != nil {
		t.Errorf("%v: %v: %.200s", set, err, w.Body)
		return
	}
	if err := d.doc.fits(content.Schema, v, "answer"); err != nil {
		t.Errorf("%v: %v", set, err)
	}
}

// TestContractBounds asks below and above the bounds of every bounded number: each is a 400 whose
// error names the parameter, the value given and the bound that was broken.
func TestContractBounds(t *testing.T) {
	tried := 0
	for _, d := range contract(t) {
		for _, p := range d.op.Parameters {
			if p.Schema.Type != "number" && p.Schema.Type != "integer" || p.In != "query" {
				continue
			}
			wrong := map[string]string{} // value to the bound it breaks
			if b := p.Schema.Minimum; b != nil {
				wrong[plain(*b-1)] = plain(*b)
			}
			if b := p.Schema.Maximum; b != nil {
				wrong[plain(*b+1)] = plain(*b)
			}
			for value, bound := range wrong {
				tried++
				w := d.ask(t, map[string]string{p.Name: value})
				var body struct {
					Error  string
					Status int
					Errors []struct{ Parameter, Value, Expected string }
				}
				if err := json.Unmarshal(w.Body.Bytes(), &body); err != nil {
					t.Errorf("%s %s=%s: %v: %.200s", d.name(), p.Name, value, err, w.Body)
					continue
				}
				if w.Code != 400 || body.Status != 400 || !strings.Contains(body.Error, p.Name) || !strings.Contains(body.Error, value) || !strings.Contains(body.Error, bound) {
					t.Errorf("%s %s=%s: want 400 that names %s, %s and %s, got %d %s", d.name(), p.Name, value, p.Name, value, bound, w.Code, body.Error)
				}
				if len(body.Errors) == 0 || body.Errors[0].Parameter != p.Name || body.Errors[0].Value != value || !strings.Contains(body.Errors[0].Expected, bound) {
					t.Errorf("%s %s=%s: errors %+v", d.name(), p.Name, value, body.Errors)
				}
			}
		}
	}
	if tried < 20 {
		t.Errorf("only %d bounds were tried: the descriptions lost them", tried)
	}
}

func plain(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }

// TestContractUnknownNames misspells each parameter by a doubled last letter: a 400 that names the
// misspelled name and the one that was meant.
func TestContractUnknownNames(t *testing.T) {
	for _, d := range contract(t) {
		for _, p := range d.op.Parameters {
			if p.In != "query" || len(p.Name) < 4 {
				continue
			}
			wrong := p.Name + p.Name[len(p.Name)-1:]
			w := d.ask(t, map[string]string{wrong: "1"})
			if body := w.Body.String(); w.Code != 400 || !strings.Contains(body, "parameter "+wrong+" is unknown") || !strings.Contains(body, "did you mean "+p.Name+"?") {
				t.Errorf("%s: want 400 that names %s and %s, got %d %.300s", d.name(), wrong, p.Name, w.Code, body)
			}
		}
	}
}

// fits says how a value departs from a schema, nil when it fits. It knows the part of JSON Schema that
// the descriptions use. Beyond it, a resource (a schema of its own) that is not declared open holds no
// member that is not described.
func (doc *document) fits(s map[string]any, v any, at string) error {
	resource := false
	if ref, ok := s["$ref"].(string); ok {
		name := ref[strings.LastIndexByte(ref, '/')+1:]
		if s = doc.Components.Schemas[name]; s == nil {
			return fmt.Errorf("%s: schema %s does not exist", at, name)
		}
		resource = true
	}
	if choices, ok := s["anyOf"].([]any); ok {
		var errs []string
		for _, one := range choices {
			err := doc.fits(one.(map[string]any), v, at)
			if err == nil {
				return nil
			}
			errs = append(errs, err.Error())
		}
		return fmt.Errorf("none of %d schemas fits: %s", len(choices), strings.Join(errs, " | "))
	}
	if !ofType(s["type"], v) {
		return fmt.Errorf("%s: %v is not of type %v", at, v, s["type"])
	}
	if enum, ok := s["enum"].([]any); ok && !slices.ContainsFunc(enum, func(e any) bool { return reflect.DeepEqual(e, v) }) {
		return fmt.Errorf("%s: %v is none of %v", at, v, enum)
	}
	switch v := v.(type) {
	case []any:
		items, _ := s["items"].(map[string]any)
		for i, x := range v {
			if err := doc.fits(items, x, fmt.Sprintf("%s[%d]", at, i)); err != nil {
				return err
			}
		}
	case map[string]any:
		return doc.fitsObject(s, v, at, resource)
	}
	return nil
}

func (doc *document) fitsObject(s, v map[string]any, at string, resource bool) error {
	required, _ := s["required"].([]any)
	for _, name := range required {
		if _, ok := v[name.(string)]; !ok {
			return fmt.Errorf("%s: %s is missing", at, name)
		}
	}
	properties, _ := s["properties"].(map[string]any)
	extra, declared := s["additionalProperties"]
	for _, name := range slices.Sorted(maps.Keys(v)) {
		p, ok := properties[name].(map[string]any)
		if !ok {
			p, _ = extra.(map[string]any)
			if p == nil && (extra == false || resource && !declared && len(properties) > 0) {
				return fmt.Errorf("%s: %s is not described", at, name)
			}
		}
		if err := doc.fits(p, v[name], at+"."+name); err != nil {
			return err
		}
	}
	return nil
}

// ofType says whether a value is of the type, or of one of the types, that a schema names.
func ofType(types, v any) bool {
	switch t := types.(type) {
	case nil:
		return true
	case []any:
		return slices.ContainsFunc(t, func(one any) bool { return ofType(one, v) })
	}
	switch x := v.(type) {
	case nil:
		return types == "null"
	case bool:
		return types == "boolean"
	case string:
		return types == "string"
	case float64:
		return types == "number" || types == "integer" && x == float64(int64(x))
	case []any:
		return types == "array"
	}
	return types == "object"
}
