package endpoint

import (
	"context"
	"encoding/json"
	"io"
	"strings"
	"testing"

	"mappe/shared/web/reply"
)

// fileService has one endpoint that answers a file whose path names its bytes, under a licence of its own.
func fileService() *Service {
	const body = "0123456789"
	s := testService()
	s.Endpoints = append(s.Endpoints, Endpoint{
		Method: "GET", Path: "/api/v1/chunks/{sum}", ID: "chunk", Tag: "Files", Summary: "A chunk", Cache: Immutable,
		Params: []AnyParam{String("sum", "Content sum.")}, Answer: Answer{ContentType: "application/octet-stream", Ranges: true,
			Exact: true},
		Notice: &reply.Notice{License: "ODbL 1.0", LicenseURL: "https://opendatacommons.org/licenses/odbl/1-0/",
			Attribution: "© OpenStreetMap contributors"},
		ETag: func(_ context.Context, r *Request) (string, error) { return r.HTTP.PathValue("sum"), nil },
		Serve: func(context.Context, *Request) (reply.Answer, error) {
			return &reply.Content{ContentType: "application/octet-stream", Size: int64(len(body)),
				Open: func(_ context.Context, offset, length int64) (io.ReadCloser, error) {
					return io.NopCloser(strings.NewReader(body[offset : offset+length])), nil
				}}, nil
		},
	})
	return s
}

func TestFilesInParts(t *testing.T) {
	h, err := fileService().Handler()
	if err != nil {
		t.Fatal(err)
	}
	const url = "/api/v1/chunks/ab12"
	w := get(h, url, "Accept-Encoding", "gzip, zstd")
	head := w.Header()
	if w.Code != 200 || w.Body.String() != "0123456789" || head.Get("Content-Encoding") != "" ||
		head.Get("Cache-Control") != "public, max-age=31536000, immutable" || head.Get("Accept-Ranges") != "bytes" {
		t.Errorf("%d %s %v", w.Code, w.Body, head)
	}
	if got, want := head.Get("X-Data-Attribution")+" "+strings.Join(head["Link"],
		","), `(c) OpenStreetMap contributors <https://opendatacommons.org/licenses/odbl/1-0/>; rel="license"`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	tag := head.Get("ETag")
	for _, c := range []struct {
		headers []string
		status  int
		body    string
	}{
		{[]string{"Range", "bytes=2-4"}, 206, "234"},
		{[]string{"Range", "bytes=2-4", "If-Range", tag}, 206, "234"},
		{[]string{"Range", "bytes=2-4", "If-Range", `"other"`}, 200, "0123456789"},
		{[]string{"Range", "bytes=2-4", "If-None-Match", tag}, 304, ""},
	} {
		if w := get(h, url, c.headers...); w.Code != c.status || w.Body.String() != c.body {
			t.Errorf("%v: %d %s", c.headers, w.Code, w.Body)
		}
	}
	if w := get(h, url, "Range", "bytes=10-"); w.Code != 416 || w.Header().Get("Content-Range") != "bytes */10" ||
		!json.Valid(w.Body.Bytes()) || !strings.Contains(w.Body.String(), "unsatisfiable_range") {
		t.Errorf("behind the end: %d %v %s", w.Code, w.Header(), w.Body)
	}
	doc := get(h, "/openapi.json").Body.String()
	for _, want := range []string{`"206"`, `"416"`, "ODbL 1.0"} {
		if !strings.Contains(doc, want) {
			t.Errorf("openapi.json does not hold %s", want)
		}
	}
	if got := get(h, "/api/v1/places?west=1").Header().Get("X-Data-Attribution"); got != "(c) BEV, 2026" {
		t.Errorf("another endpoint names %s", got)
	}
}

func TestRepeatedParameters(t *testing.T) {
	tags := Strings("tag", "Tags.", Repeated, Between(1, 3), Alias("t"))
	s := testService()
	s.Endpoints = []Endpoint{{
		Method: "GET", Path: "/x", ID: "x", Summary: "X", Params: []AnyParam{tags, pLayers}, Answer: Answer{Body: struct{}{}},
		Example: "/x?tag=a",
		Serve: func(_ context.Context, r *Request) (reply.Answer, error) {
			return &reply.Document{Body: tags.Of(r)}, nil
		},
	}}
	h, err := s.Handler()
	if err != nil {
		t.Fatal(err)
	}
	for query, want := range map[string]string{
		"tag=a": `["a"]`, "tag=a&tag=b": `["a","b"]`, "tag=a,b&tag=c": `["a","b","c"]`, "tag=a&t=b": `["a","b"]`,
		"tag=a&tag=b&tag=c&tag=d": "too_large", "tag=a&tag=": "invalid_value", "layers=parcels&layers=buildings": "duplicate_parameter",
	} {
		if w := get(h, "/x?"+query); !strings.Contains(w.Body.String(), want) {
			t.Errorf("%s: want %s, got %s", query, want, w.Body)
		}
	}
	one, two := get(h, "/x?tag=a,b").Header().Get("ETag"), get(h, "/x?tag=a&tag=b").Header().Get("ETag")
	if one != two || one == "" {
		t.Errorf("two spellings of one request have the tags %s and %s", one, two)
	}
	s.Endpoints[0].Params = []AnyParam{Int("n", "N.", Repeated)}
	if _, err := s.Handler(); err == nil || !strings.Contains(err.Error(), "n is no list") {
		t.Errorf("a number that is repeated: %v", err)
	}
}
