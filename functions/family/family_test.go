package family

import (
	"context"
	"net/http/httptest"
	"strings"
	"testing"

	"mappe/shared/web/endpoint"
	"mappe/shared/web/reply"
)

// service is a family's service whose endpoints answer their own path.
func service(paths ...string) *endpoint.Service {
	s := &endpoint.Service{System: "cadastre", Title: "Cadastre"}
	for i, p := range paths {
		s.Endpoints = append(s.Endpoints, endpoint.Endpoint{
			Method: "GET", Path: p, ID: strings.Trim(strings.NewReplacer("/", "_", "{", "", "}", "").Replace(p), "_"), Tag: "t",
			Summary: "s", Example: p, Cache: endpoint.Live,
			Answer: endpoint.Answer{Body: struct {
				Path string `json:"path"`
			}{}},
			Serve: func(context.Context, *endpoint.Request) (reply.Answer, error) {
				return &reply.Document{Body: map[string]string{"path": paths[i]}}, nil
			},
		})
	}
	return s
}

func member(name string, paths []string, endpoints ...string) Member {
	return Member{Family{Name: name, Program: name + "/lambda", Prefix: "/cadastre", Paths: paths}, service(endpoints...)}
}

func TestPatternsAreThoseOfTheCDN(t *testing.T) {
	for _, tt := range []struct {
		pattern, path string
		want          bool
	}{
		{"/cadastre/*", "/cadastre/", true},
		{"/cadastre/*", "/cadastre", false},
		{"/cadastre/*", "/cadastre/api/v1/a/b", true},
		{"/cadastre/api/v1/search/*", "/cadastre/api/v1/search", false},
		{"/cadastre/api/v1/search/*", "/cadastre/api/v1/search/gnr", true},
		{"/cadastre/api/*/geojson", "/cadastre/api/v1/export/geojson", true},
		{"/cadastre/api/v?/x", "/cadastre/api/v1/x", true},
		{"/cadastre/api/v?/x", "/cadastre/api/v12/x", false},
		{"/cadastre/Api", "/cadastre/api", false},
	} {
		if got := (Family{Prefix: "/cadastre",
			Paths: []string{strings.TrimPrefix(tt.pattern, "/cadastre")}}).Matches(tt.path); got != tt.want {
			t.Errorf("%s, %s: want %v, got %v", tt.pattern, tt.path, tt.want, got)
		}
	}
}

func TestOnePrefixIsSeveralFamilies(t *testing.T) {
	all, err := Group([]Member{
		member("spatial", nil, "/api/v1/spatial/bbox"),
		member("search", []string{"/api/v1/search/*", "/api/v1/lookup"}, "/api/v1/search/gnr", "/api/v1/lookup"),
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := Check(all); err != nil {
		t.Fatal(err)
	}
	h, err := all[0].Handler()
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]int{
		"/api/v1/spatial/bbox": 200, "/api/v1/search/gnr": 200, "/api/v1/lookup": 200,
		"/api/v1/lookup/x": 404, "/api/v1/search/x": 404, "/openapi.json": 200, "/docs": 200,
	} {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest("GET", "/cadastre"+path, nil))
		if w.Code != want || want == 200 && strings.HasPrefix(path, "/api") && !strings.Contains(w.Body.String(), path) {
			t.Errorf("%s: want %d, got %d %s", path, want, w.Code, w.Body)
		}
		if path == "/openapi.json" && !(strings.Contains(w.Body.String(), `"/api/v1/lookup"`) && strings.Contains(w.Body.String(),
			`"/api/v1/spatial/bbox"`)) {
			t.Errorf("openapi.json does not describe every family: %.300s", w.Body)
		}
	}
	if n := len(all[0].Routes()); n != 5 { // three endpoints, openapi.json, docs
		t.Errorf("%d routes, want 5", n)
	}
}

func TestDeclarationsThatCannotWork(t *testing.T) {
	for want, members := range map[string][]Member{
		"both lead":       {member("a", nil, "/a"), member("b", nil, "/b")},
		"no family leads": {member("a", []string{"/a"}, "/a")},
		"reaches a":       {member("a", nil, "/a"), member("b", []string{"/b/*"}, "/b/x", "/c")},
		"reaches b":       {member("a", nil, "/b/y"), member("b", []string{"/b/*"}, "/b/x")},
		"name of its own": {member("a", nil, "/a"), member("a", []string{"/b/*"}, "/b/x")},
	} {
		all, err := Group(members)
		if err == nil {
			err = Check(all)
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("want %q, got %v", want, err)
		}
	}
}
