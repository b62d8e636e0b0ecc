package endpoint

import (
	"context"
	"net/http/httptest"
	"testing"

	"mappe/shared/web/reply"
)

// TestAFixedPathBesideOneWithValues: each method finds its operation, the others are told which there are.
func TestAFixedPathBesideOneWithValues(t *testing.T) {
	id := String("id", "Name.")
	one := func(method, path, name string, params ...AnyParam) Endpoint {
		return Endpoint{Method: method, Path: path, ID: name, Params: params, Cache: Live,
			Serve: func(context.Context, *Request) (reply.Answer, error) {
				return &reply.Document{Body: name}, nil
			}}
	}
	h, err := (&Service{System: "t", Endpoints: []Endpoint{one("POST", "/things/new", "make"), one("GET", "/things/{id}", "read", id),
		one("PUT", "/things/{id}/x", "put", id)}}).Handler()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		method, path, body, allow string
		status                    int
	}{
		{"POST", "/things/new", "\"make\"\n", "", 200}, {"GET", "/things/7", "\"read\"\n", "", 200},
		{"GET", "/things/new", "", "OPTIONS, POST", 405},
		{"HEAD", "/things/new", "", "OPTIONS, POST", 405}, {"DELETE", "/things/new", "", "OPTIONS, POST", 405},
		{"POST", "/things/7", "", "GET, HEAD, OPTIONS", 405},
		{"OPTIONS", "/things/new", "", "OPTIONS, POST", 204}, {"PUT", "/things/new/x", "\"put\"\n", "", 200},
	} {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest(c.method, c.path, nil))
		if w.Code != c.status || c.body != "" && w.Body.String() != c.body || w.Header().Get("Allow") != c.allow {
			t.Errorf("%s %s: got %d, Allow %q, %s", c.method, c.path, w.Code, w.Header().Get("Allow"), w.Body)
		}
	}
}

// TestPathsThatCross: of two patterns that both take a path the first takes it, and each has its own methods.
func TestPathsThatCross(t *testing.T) {
	id, name := String("id", "Id."), String("name", "Name.")
	one := func(method, path, answer string, params ...AnyParam) Endpoint {
		return Endpoint{Method: method, Path: path, ID: answer, Params: params, Cache: Live,
			Serve: func(context.Context, *Request) (reply.Answer, error) {
				return &reply.Document{Body: answer}, nil
			}}
	}
	h, err := (&Service{System: "t", Endpoints: []Endpoint{
		one("GET", "/things/new/{name}", "named", name), one("GET", "/things/{id}/parts", "parts", id),
		one("POST", "/things/{id}/parts", "add", id), one("GET", "/things/{id}", "one", id),
	}}).Handler()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		method, path, body, allow string
		status                    int
	}{
		{"GET", "/things/new/x", "\"named\"\n", "", 200}, {"GET", "/things/7/parts", "\"parts\"\n", "", 200},
		{"POST", "/things/7/parts", "\"add\"\n", "", 200},
		{"GET", "/things/new/parts", "\"named\"\n", "", 200}, {"GET", "/things/7", "\"one\"\n", "", 200},
		{"GET", "/things/7/x", "", "", 404},
		{"PUT", "/things/7/parts", "", "GET, HEAD, OPTIONS, POST", 405}, {"OPTIONS", "/things/7/parts", "", "GET, HEAD, OPTIONS, POST",
			204}, {"POST", "/things/new/x", "", "GET, HEAD, OPTIONS", 405},
	} {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest(c.method, c.path, nil))
		if w.Code != c.status || c.body != "" && w.Body.String() != c.body || w.Header().Get("Allow") != c.allow {
			t.Errorf("%s %s: got %d, Allow %q, %s", c.method, c.path, w.Code, w.Header().Get("Allow"), w.Body)
		}
	}
}
