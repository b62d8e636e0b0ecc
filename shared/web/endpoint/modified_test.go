package endpoint

import (
	"context"
	"net/http"
	"testing"
	"time"

	"mappe/shared/web/fault"
	"mappe/shared/web/reply"
)

// The validators of a list with a date, an answer that Accept shapes, and a refusal among them.
func TestLastModifiedAndVariants(t *testing.T) {
	changed := time.Date(2026, 11, 21, 6, 0, 0, 500, time.UTC)
	only := String("only", "One row.")
	s := &Service{System: "t", Title: "t", Version: "1",
		Pin: func(ctx context.Context) (context.Context, reply.Generation, error) {
			return ctx, reply.Generation{ID: "7", Modified: changed}, nil
		},
		Endpoints: []Endpoint{{Method: "GET", Path: "/list", ID: "list", Cache: Brief, Params: []AnyParam{only},
			Variant: func(r *Request) string { return reply.AcceptedType(r.HTTP.Header, "application/json", "text/plain") },
			Serve: func(_ context.Context, r *Request) (reply.Answer, error) {
				if only.Given(r) {
					return nil, fault.BadValue("only", "x", "something else")
				}
				return &reply.Document{Body: 1}, nil
			}}},
	}
	h, err := s.Handler()
	if err != nil {
		t.Fatal(err)
	}
	first := get(h, "/list")
	tag := first.Header().Get("ETag")
	if first.Code != 200 || first.Header().Get("Last-Modified") != "Sat, 21 Nov 2026 06:00:00 GMT" ||
		first.Header().Get("Cache-Control") != "max-age=10" || tag == "" {
		t.Fatalf("%d %v", first.Code, first.Header())
	}
	for _, c := range []struct {
		name    string
		headers []string
		want    int
	}{
		{"the tag", []string{"If-None-Match", tag}, 304},
		{"another tag decides, whatever the date", []string{"If-None-Match", `"x"`, "If-Modified-Since", changed.Format(http.TimeFormat)},
			200},
		{"the date", []string{"If-Modified-Since", changed.Format(http.TimeFormat)}, 304},
		{"a second before", []string{"If-Modified-Since", changed.Add(-time.Second).Format(http.TimeFormat)}, 200},
		{"no date", []string{"If-Modified-Since", "yesterday"}, 200},
		{"the tag of another form", []string{"If-None-Match", tag, "Accept", "text/plain"}, 200},
	} {
		w := get(h, "/list", c.headers...)
		if w.Code != c.want || w.Header().Get("Last-Modified") == "" {
			t.Errorf("%s: want %d with Last-Modified, got %d %q", c.name, c.want, w.Code, w.Header().Get("Last-Modified"))
		}
	}
	if w := get(h, "/list?only=x"); w.Code != 400 || w.Header().Get("Last-Modified") != "" {
		t.Errorf("a refusal has the date of the data: %d %v", w.Code, w.Header())
	}
}
