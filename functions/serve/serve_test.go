package serve

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"testing"

	"github.com/aws/aws-lambda-go/events"

	"mappe/shared/cloud/funcurl"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/reply"
)

// TestTheAccessLogNamesRouteAndGeneration goes the whole way of a request: Function URL, prefix, table.
func TestTheAccessLogNamesRouteAndGeneration(t *testing.T) {
	id := endpoint.String("id", "Name.")
	thing := func(path, name string, cache endpoint.CacheClass, serve endpoint.Handler) endpoint.Endpoint {
		e := endpoint.Endpoint{Method: "GET", Path: path, ID: name, Tag: "Things", Summary: "Things", Cache: cache, Serve: serve}
		if path == "/things/{id}" {
			e.Params = []endpoint.AnyParam{id}
		}
		return e
	}
	answer := func(context.Context, *endpoint.Request) (reply.Answer, error) {
		return &reply.Document{Body: "here"}, nil
	}
	s := &endpoint.Service{
		System: "test", Title: "Test",
		Endpoints: []endpoint.Endpoint{
			thing("/things", "things", endpoint.Cached, answer), thing("/things/{id}", "thing", endpoint.Cached, answer),
			thing("/live", "live", endpoint.Live, answer),
			thing("/broken", "broken", endpoint.Cached, func(context.Context, *endpoint.Request) (reply.Answer, error) { panic("broken") }),
		},
		Pin: func(ctx context.Context) (context.Context, reply.Generation, error) {
			return ctx, reply.Generation{ID: "g7"}, nil
		},
	}
	h, err := s.Handler()
	if err != nil {
		t.Fatal(err)
	}
	secrets, err := funcurl.NewSecrets("a-secret-of-the-tests")
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	invoke := funcurl.Wrap(funcurl.Config{Handler: endpoint.Mount("/test", h), Secrets: secrets,
		Log: slog.New(slog.NewJSONHandler(&out, nil))})
	cold := true
	for _, c := range []struct {
		path, route, generation string
		status                  int
	}{
		{"/test/things", "GET /things", "g7", 200},
		{"/test/things/a%2Fb", "GET /things/{id}", "g7", 200},
		{"/test/things?nothing=1", "GET /things", "", 400},
		{"/test/live", "GET /live", "", 200},
		{"/test/broken", "GET /broken", "g7", 500},
		{"/test/openapi.json", "GET /openapi.json", "", 200},
		{"/test/nowhere", "", "", 404},
	} {
		out.Reset()
		e := &events.LambdaFunctionURLRequest{RawPath: c.path, Headers: map[string]string{"x-origin-verify": "a-secret-of-the-tests"}}
		e.RequestContext.HTTP.Method = http.MethodGet
		if path, query, ok := bytes.Cut([]byte(c.path), []byte("?")); ok {
			e.RawPath, e.RawQueryString = string(path), string(query)
		}
		response, err := invoke(t.Context(), e)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.Copy(io.Discard, response.Body); err != nil {
			t.Fatal(err)
		}
		var line struct {
			Route, Generation string
			Status            int
			Cold              bool
		}
		if err := json.Unmarshal(out.Bytes(), &line); err != nil {
			t.Fatalf("%s: want one line, got %v: %s", c.path, err, &out)
		}
		if line.Route != c.route || line.Generation != c.generation || line.Status != c.status || line.Cold != cold {
			t.Errorf("%s: want %q %q %d cold %v, got %s", c.path, c.route, c.generation, c.status, cold, &out)
		}
		cold = false
	}
}
