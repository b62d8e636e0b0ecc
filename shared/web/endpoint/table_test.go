package endpoint

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"mappe/shared/web/format"
	"mappe/shared/web/reply"
)

func TestOpenAPI(t *testing.T) {
	s := testService()
	a, err := s.OpenAPI("/cadastre")
	if err != nil {
		t.Fatal(err)
	}
	if b, _ := s.OpenAPI("/cadastre"); !bytes.Equal(a, b) {
		t.Error("two descriptions of one table differ")
	}
	var doc struct {
		OpenAPI string
		Paths   map[string]map[string]struct {
			OperationID string
			Parameters  []struct {
				Name, In string
				Required bool
				Schema   map[string]any
			}
			RequestBody map[string]any
			Responses   map[string]struct{ Content map[string]any }
		}
		Components struct{ Schemas map[string]any }
	}
	if err := json.Unmarshal(a, &doc); err != nil || doc.OpenAPI != "3.1.0" {
		t.Fatal(err, doc.OpenAPI)
	}
	op := doc.Paths["/api/v1/places"]["get"]
	if op.OperationID != "places" || len(op.Responses["200"].Content) != 9 || op.Responses["200"].Content["application/javascript"] == nil {
		t.Errorf("got %+v", op)
	}
	var names []string
	for _, p := range op.Parameters {
		names = append(names, p.Name)
		if p.Name == "west" && (!p.Required || p.In != "query" || p.Schema["minimum"] != -180.0) {
			t.Errorf("west: %+v", p)
		}
		if p.Name == "limit" && (p.Schema["maximum"] != 100000.0 || p.Schema["default"] != 100.0) {
			t.Errorf("limit: %+v", p)
		}
	}
	for _, n := range []string{"west", "count", "layers", "kg", "format", "fields", "limit", "offset", "cursor", "crs", "callback",
		"pretty", "nocache"} {
		if !slices.Contains(names, n) {
			t.Errorf("no parameter %s", n)
		}
	}
	if p := doc.Paths["/api/v1/parcel/{parcel_id}"]["get"].Parameters[0]; p.In != "path" || !p.Required {
		t.Errorf("path value: %+v", p)
	}
	if doc.Paths["/api/v1/points"]["post"].RequestBody == nil {
		t.Error("no request body")
	}
	for _, n := range []string{"Place", "Error", "Meta", "PointsBody"} {
		if doc.Components.Schemas[n] == nil {
			t.Errorf("no schema %s", n)
		}
	}
	for _, ref := range bytes.Split(a, []byte(`"$ref":"#/components/schemas/`))[1:] {
		if name := string(ref[:bytes.IndexByte(ref, '"')]); doc.Components.Schemas[name] == nil {
			t.Errorf("schema %s is named but not described", name)
		}
	}
}

// A function describes the whole service and routes its own part.
func TestEndpointsAnsweredElsewhere(t *testing.T) {
	s := testService()
	s.Endpoints, s.Described = s.Endpoints[:1], s.Endpoints[1:]
	s.Described[0].Serve = nil
	h, err := s.Handler()
	if err != nil {
		t.Fatal(err)
	}
	whole, err := testService().OpenAPI("/")
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.TrimSpace(get(h, "/openapi.json").Body.String()); got != string(whole) {
		t.Errorf("described: %s", got)
	}
	if w := get(h, "/api/v1/parcel/1-1"); w.Code != 404 || len(s.Routes()) != 3 {
		t.Errorf("%d, routes %v", w.Code, s.Routes())
	}
}

func TestDocsPageStandsAlone(t *testing.T) {
	w := get(handler(t), "/docs")
	if w.Code != 200 || w.Header().Get("Content-Type") != "text/html; charset=utf-8" {
		t.Errorf("%d %v", w.Code, w.Header())
	}
	for _, foreign := range []string{"http://", "https://", "src=", "@import", "{{"} {
		if strings.Contains(w.Body.String(), foreign) {
			t.Errorf("the page holds %s", foreign)
		}
	}
	s := testService()
	s.BaseURL = `"></a><script>alert(1)</script>`
	h, _ := s.Handler()
	if page := get(h, "/docs").Body.String(); strings.Contains(page, "<script>alert") ||
		!strings.Contains(page, `href="&#34;&gt;&lt;/a&gt;&lt;script&gt;alert(1)&lt;/script&gt;/openapi.json"`) {
		t.Error("the base URL can leave its attribute")
	}
}

func TestDeclarationsAreChecked(t *testing.T) {
	serve := func(context.Context, *Request) (reply.Answer, error) { return &reply.Document{}, nil }
	for name, e := range map[string]Endpoint{
		"no handler":              {Method: "GET", Path: "/a", ID: "a"},
		"no id":                   {Method: "GET", Path: "/a", Serve: serve},
		"unknown method":          {Method: "HEAD", Path: "/a", ID: "a", Serve: serve},
		"path value not declared": {Method: "GET", Path: "/a/{x}", ID: "a", Serve: serve},
		"two of one name":         {Method: "GET", Path: "/a", ID: "a", Serve: serve, Params: []AnyParam{pWest, pWest}},
		"alias taken":             {Method: "GET", Path: "/a", ID: "a", Serve: serve, Params: []AnyParam{pWest, Float("minlon", "")}},
		"default out of bounds": {Method: "GET", Path: "/a", ID: "a", Serve: serve,
			Params: []AnyParam{Int("n", "", Between(1, 5), Default("9"))}},
		"id taken":    {Method: "GET", Path: "/a", ID: "places", Serve: serve},
		"route taken": {Method: "GET", Path: "/api/v1/places", ID: "b", Serve: serve},
	} {
		s := testService()
		s.Endpoints = append(s.Endpoints, e)
		if _, err := s.Handler(); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
}

func TestParamWith(t *testing.T) {
	wide := pWest.With(Between(-10, 10), Default("3"))
	if pWest.spec().max != 180 || wide.spec().max != 10 || wide.Name() != "west" || pWest.spec().hasDefault {
		t.Errorf("%+v %+v", pWest.spec(), wide.spec())
	}
}

func TestCoverage(t *testing.T) {
	table := []byte("# comment\ncadastre\tGET\t/api/v1/places\twest\ncadastre\tGET\t/api/v1/parcel/{id}\t\nsibling\tGET\t/llm/kgs\tcodes\ncadastre\tPOST\t/api/v1/places\t\n")
	var out bytes.Buffer
	missing, err := Coverage(&out, table, append(testService().Routes(), Route{"cadastre", "GET", "/llm/kgs"}))
	want := "missing  cadastre   POST   /api/v1/places\n3 of 4 served\n"
	if err != nil || missing != 1 || out.String() != want {
		t.Errorf("%d %v\n%s\nwant\n%s", missing, err, out.String(), want)
	}
	if _, err := Coverage(&out, []byte("cadastre GET /x\n"), nil); err == nil {
		t.Error("a row without tabs is accepted")
	}
	declared, err := Declared([]byte("# comment\ncadastre\tPOST\t/api/v1/places\twhat it does\n"))
	if err != nil || len(declared) != 1 {
		t.Fatalf("%v, %v", declared, err)
	}
	if missing, err := Coverage(&out, table, append(declared, testService().Routes()...)); err != nil || missing != 1 {
		t.Errorf("with a declared route: %d missing, want only the sibling's, %v", missing, err)
	}
	if _, err := Declared([]byte("node GRPC X\n")); err == nil {
		t.Error("a declared route without tabs is accepted")
	}
	project, err := os.ReadFile("../../../infra/endpoints.tsv")
	if err != nil {
		t.Fatal(err)
	}
	out.Reset()
	if _, err := Coverage(&out, project, nil); err != nil || !strings.HasSuffix(out.String(), "0 of 194 served\n") {
		t.Errorf("the project's table: %v …%s", err, out.String()[max(0, out.Len()-60):])
	}
}

func BenchmarkRequest(b *testing.B) {
	h := handler(b)
	b.ReportAllocs()
	for b.Loop() {
		get(h, "/api/v1/places?west=1&count=1&layers=parcels")
	}
}

func BenchmarkNotModified(b *testing.B) {
	h := handler(b)
	tag := get(h, "/api/v1/places?west=1").Header().Get("ETag")
	b.ReportAllocs()
	for b.Loop() {
		get(h, "/api/v1/places?west=1", "If-None-Match", tag)
	}
}

func BenchmarkRows100000(b *testing.B) {
	h := handler(b)
	for _, form := range []string{"json", "geojson", "csv"} {
		for _, encoding := range []string{"identity", "gzip", "zstd"} {
			b.Run(form+"/"+encoding, func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					get(h, "/api/v1/places?west=1&count=100000&limit=100000&format="+form, "Accept-Encoding", encoding)
				}
			})
		}
	}
}

// Row types of one name are described together, and answers stay open for members added later.
func TestOpenAPIOfKindsAndBodies(t *testing.T) {
	place := format.NewRowType("place", "A place.", format.ShapeNone, format.Column{Name: "name"})
	near := format.NewRowType("place", "A place near the point.", format.ShapePoint, format.Column{Name: "name"},
		format.Column{Name: "distance_m", Type: format.TypeFloat})
	none := func(context.Context, *Request) (reply.Answer, error) { return nil, nil }
	type answer struct {
		Results []struct {
			ID string `json:"id"`
		} `json:"results"`
	}
	s := &Service{Title: "t", Endpoints: []Endpoint{
		{Method: "GET", Path: "/a", ID: "a", Answer: Answer{Rows: []*format.RowType{place}}, Serve: none},
		{Method: "GET", Path: "/b", ID: "b", Answer: Answer{Rows: []*format.RowType{near}, Body: answer{}}, Serve: none},
	}}
	b, err := s.OpenAPI("")
	if err != nil {
		t.Fatal(err)
	}
	var doc struct {
		Paths map[string]map[string]struct {
			Responses map[string]struct{ Content map[string]any }
		}
		Components struct {
			Schemas map[string]struct {
				Properties           map[string]any
				AdditionalProperties any
			}
		}
	}
	if err := json.Unmarshal(b, &doc); err != nil {
		t.Fatal(err)
	}
	if p := doc.Components.Schemas["Place"].Properties; p["distance_m"] == nil || p["geometry"] == nil {
		t.Errorf("Place lacks fields of its second kind: %v", p)
	}
	if g, _ := json.Marshal(doc.Components.Schemas["Place"].Properties["geometry"]); !bytes.Contains(g, []byte(`"null"`)) {
		t.Errorf("a row without a geometry is not described: %s", g)
	}
	if c := doc.Paths["/b"]["get"].Responses["200"].Content; c["text/csv"] == nil {
		t.Errorf("a body of its own leaves the other forms undescribed: %v", c)
	}
	for name, schema := range doc.Components.Schemas {
		if schema.Properties["results"] != nil && schema.AdditionalProperties == false {
			t.Errorf("%s is closed for members added later", name)
		}
	}
	if !bytes.Contains(b, []byte(`"results"`)) {
		t.Error("the body of its own is not described")
	}
}

// What an answer holds beside the common, another form of it and its own headers are described.
func TestOpenAPIOfWhatIsBeside(t *testing.T) {
	type flags struct {
		Ready bool `json:"ready"`
	}
	type batch struct {
		Results []Row `json:"results"`
		First   Row   `json:"first"`
	}
	s := &Service{Title: "t", Endpoints: []Endpoint{{
		Method: "GET", Path: "/a", ID: "a", Serve: func(context.Context, *Request) (reply.Answer, error) { return nil, nil },
		Answer: Answer{
			Rows: []*format.RowType{format.NewRowType("place", "A place.", format.ShapeNone, format.Column{Name: "name"})},
			Meta: flags{}, Beside: flags{}, Others: []Other{{Status: 200, Body: batch{}}, {Status: 413, Body: batch{}}},
			Headers: []Header{{"X-Data-Ready", "Says so."}},
		},
	}}}
	b, err := s.OpenAPI("")
	if err != nil {
		t.Fatal(err)
	}
	type schema struct {
		Ref        string `json:"$ref"`
		AnyOf      []schema
		AllOf      []schema
		Items      *schema
		Properties map[string]schema
	}
	var doc struct {
		Paths map[string]map[string]struct {
			Responses map[string]struct {
				Headers map[string]struct{ Description string }
				Content map[string]struct{ Schema schema }
			}
		}
		Components struct{ Schemas map[string]schema }
	}
	if err := json.Unmarshal(b, &doc); err != nil {
		t.Fatal(err)
	}
	responses := doc.Paths["/a"]["get"].Responses
	ok := responses["200"]
	if ok.Headers["X-Data-Ready"].Description != "Says so." || responses["413"].Content == nil {
		t.Errorf("got %+v", responses)
	}
	resolve := func(s schema) schema {
		if name, ref := strings.CutPrefix(s.Ref, "#/components/schemas/"); ref {
			return doc.Components.Schemas[name]
		}
		return s
	}
	holds := func(s schema, name string) bool { _, yes := resolve(s).Properties[name]; return yes }
	forms := ok.Content["application/json"].Schema.AnyOf
	if len(forms) != 2 || !holds(forms[1], "results") {
		t.Fatalf("want the envelope or the batch, got %+v", forms)
	}
	shape := resolve(forms[1]).Properties
	if items := shape["results"].Items; items == nil || !holds(*items, "name") {
		t.Errorf("rows of the batch are not described: %+v", shape["results"])
	}
	if one := shape["first"].AnyOf; len(one) != 2 || !holds(one[0], "name") {
		t.Errorf("a row on its own is not described: %+v", shape["first"])
	}
	if responses["413"].Content["application/json"].Schema.AnyOf != nil || !holds(responses["413"].Content["application/json"].Schema,
		"results") {
		t.Errorf("the form of a failure does not stand in place of the general one: %+v", responses["413"])
	}
	for name, s := range map[string]schema{"json": forms[0], "geojson": ok.Content["application/geo+json"].Schema} {
		if len(s.AllOf) != 2 || !holds(s.AllOf[1], "ready") {
			t.Fatalf("%s: no member beside data: %+v", name, s)
		}
		if meta := s.AllOf[0].Properties["meta"]; len(meta.AllOf) != 2 || !holds(meta.AllOf[0], "total") || !holds(meta.AllOf[1], "ready") {
			t.Errorf("%s: meta lacks its further member: %+v", name, meta)
		}
	}
}

// A length that is only declared makes no room for itself.
func TestDeclaredLength(t *testing.T) {
	b, err := readAll(strings.NewReader("x"), 6<<20)
	if err != nil || string(b) != "x" || cap(b) > 2*firstRead {
		t.Errorf("got %q, %v with room for %d bytes", b, err, cap(b))
	}
}
