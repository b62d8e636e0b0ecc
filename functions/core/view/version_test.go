package view_test

import (
	"context"
	"io"
	"net/http"
	"strings"
	"testing"

	"mappe/functions/core/generation"
	"mappe/functions/core/view"
	"mappe/functions/fixture"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/format"
	"mappe/shared/web/reply"
)

// seen is what an endpoint of the tests was asked.
type seen struct {
	depends, etags int
	tagDate        string // of the view that ETag saw
	memo           any    // that Serve found
}

// versioned is an endpoint that reads 88801 and answers in one of the three ways.
func versioned(s *seen, path string, answer func(g *view.Missing) reply.Answer) endpoint.Endpoint {
	return endpoint.Endpoint{
		Method: "GET", Path: "/api/v1/" + path, ID: path, Tag: "KG", Summary: "A KG", Doc: "One KG.", Example: "/api/v1/" + path,
		Answer: endpoint.Answer{Body: map[string]any{}},
		Serve: func(ctx context.Context, r *endpoint.Request) (reply.Answer, error) {
			s.memo = r.Memo
			v, err := view.Of(ctx)
			if err != nil {
				return nil, err
			}
			var g view.Missing
			if _, err := v.Read(ctx, "88801", &g); err != nil {
				return nil, err
			}
			return answer(&g), nil
		},
	}
}

func object(g *view.Missing) reply.Answer {
	return g.MarkStream(&reply.Stream{Write: func(*format.JSON, *format.Layout) error { return nil }})
}

func content(*view.Missing) reply.Answer {
	return &reply.Content{ContentType: "text/plain", Size: 2, Open: func(context.Context, int64, int64) (io.ReadCloser, error) {
		return io.NopCloser(strings.NewReader("ok")), nil
	}}
}

// versionedService serves four endpoints: with Depends, with ETag, with neither, and a file.
func versionedService(t *testing.T, s *seen) http.Handler {
	t.Helper()
	_, lib := pastWorld(t, false)
	depending := versioned(s, "depending", object)
	depending.Depends = func(context.Context, *endpoint.Request) (string, error) { s.depends++; return "its own state", nil }
	tagged := versioned(s, "tagged", object)
	tagged.ETag = func(ctx context.Context, r *endpoint.Request) (string, error) {
		s.etags++
		v, err := view.Of(ctx)
		if err != nil {
			return "", err
		}
		s.tagDate, r.Memo = v.Date(), "found out"
		return "tag of " + v.Date(), nil
	}
	service := endpoint.Service{Pin: generation.Pin(lib)}
	file := versioned(s, "file", content)
	file.Answer = endpoint.Answer{ContentType: "text/plain", Ranges: true}
	for _, e := range []endpoint.Endpoint{depending, tagged, versioned(s, "plain", object), file} {
		service.Endpoints = append(service.Endpoints, view.Versioned(e))
	}
	return fixture.Handler(t, &service)
}

// version= changes which snapshots are read, the answer says of which date it is and whom to name for it.
func TestAnswersNameTheirDate(t *testing.T) {
	var s seen
	h := versionedService(t, &s)
	for _, path := range []string{"depending", "tagged", "plain", "file"} {
		now := fixture.Ask(h, "GET", "/api/v1/"+path, "")
		then := fixture.Ask(h, "GET", "/api/v1/"+path+"?version=2026-09-30", "")
		before := fixture.Ask(h, "GET", "/api/v1/"+path+"?version=2025-09-30", "")
		if now.Code != 200 || then.Code != 200 || before.Code != 200 {
			t.Fatalf("%s: %d, %d, %d: %s", path, now.Code, then.Code, before.Code, then.Body)
		}
		if _, ok := now.Header()["X-Data-Version"]; ok || strings.Contains(now.Body.String(), `"version"`) {
			t.Errorf("%s: the present has no date: %v %s", path, now.Header(), now.Body)
		}
		if path != "file" && !strings.Contains(now.Body.String(), `"ready":true,"kgs_warming":[],"kgs_unavailable":[],`) {
			t.Errorf("%s: of what can be read all is ready: %s", path, now.Body)
		}
		if then.Header().Get("X-Data-Version") != "2026-09-30" || path != "file" && !strings.Contains(then.Body.String(),
			`"version":"2026-09-30"`) {
			t.Errorf("%s: want the date named, got %v %s", path, then.Header(), then.Body)
		}
		if who := then.Header().Get("X-Data-Attribution"); !strings.Contains(who, "BEV, 2025, modified") {
			t.Errorf("%s: want the source of the snapshot that was read, got %q", path, who)
		}
		if who := before.Header().Get("X-Data-Attribution"); strings.Contains(who, "2025") {
			t.Errorf("%s: nothing of 2025 was read, and it is named: %q", path, who)
		}
	}
	if w := fixture.Ask(h, "GET", "/api/v1/plain?version=2026-02-29", ""); w.Code != 400 {
		t.Errorf("no such day: %d", w.Code)
	}
}

// What an endpoint says of its state holds for the present; of a date the list of snapshots counts too.
func TestTagsOfADate(t *testing.T) {
	var s seen
	h := versionedService(t, &s)
	tag := func(target string) string {
		t.Helper()
		etag := fixture.Ask(h, "GET", "/api/v1/"+target, "").Header().Get("Etag")
		if etag == "" {
			t.Fatalf("%s has no ETag", target)
		}
		return etag
	}
	tag("depending")
	if s.depends != 1 {
		t.Errorf("the present depends on what the endpoint says: asked %d times", s.depends)
	}
	tag("depending?version=2026-09-30")
	if s.depends != 1 {
		t.Error("the state of an answer about a date is the generation")
	}
	now := tag("tagged")
	if s.tagDate != "" || s.memo != "found out" {
		t.Errorf("the present: tag of %q, and Serve finds %v", s.tagDate, s.memo)
	}
	then := tag("tagged?version=2026-09-30")
	if s.tagDate != "2026-09-30" || s.memo != nil || s.etags != 2 || now == then {
		t.Errorf("a date: tag of %q, Serve finds %v, asked %d times", s.tagDate, s.memo, s.etags)
	}
}

// Answers may share their meta and their header: the date goes into copies.
func TestTheDateIsWrittenIntoCopies(t *testing.T) {
	shared := make([]reply.Member, 1, 8)
	shared[0] = reply.Member{Name: "ready", Value: true}
	header := http.Header{"X-Own": {"1"}}
	e := endpoint.Endpoint{Method: "GET", Path: "/api/v1/shared", ID: "shared", Tag: "KG", Summary: "Shared", Doc: "Shared.",
		Example: "/api/v1/shared",
		Answer:  endpoint.Answer{Body: map[string]any{}},
		Serve: func(context.Context, *endpoint.Request) (reply.Answer, error) {
			return &reply.Stream{Write: func(*format.JSON, *format.Layout) error { return nil }, Meta: shared, Header: header}, nil
		}}
	_, lib := pastWorld(t, false)
	h := fixture.Handler(t, &endpoint.Service{Pin: generation.Pin(lib), Endpoints: []endpoint.Endpoint{view.Versioned(e)}})
	w := fixture.Ask(h, "GET", "/api/v1/shared?version=2026-09-30", "")
	if w.Header().Get("X-Own") != "1" || w.Header().Get("X-Data-Version") != "2026-09-30" {
		t.Errorf("want both headers, got %v", w.Header())
	}
	if len(header) != 1 || shared[:2][1].Name != "" {
		t.Errorf("what is shared was written to: %v %v", header, shared[:2])
	}
}
