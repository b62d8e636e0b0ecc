package endpoint

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"mappe/shared/web/reply"
)

// The text for programs says of each endpoint its parameters, its body and its rows; one without a body has none.
func TestTextOfAService(t *testing.T) {
	text, err := testService().Text("/cadastre")
	if err != nil {
		t.Fatal(err)
	}
	parts := map[string]string{}
	for _, p := range strings.Split(text, "\n### ")[1:] {
		name, rest, _ := strings.Cut(p, "\n")
		parts[name] = rest
	}
	for name, want := range map[string][]string{
		"GET /api/v1/places":             {"Places.", "- rows ", "- example: /api/v1/places?west=1\n"},
		"GET /api/v1/parcel/{parcel_id}": {"parcel_id"},
		"POST /api/v1/points":            {"- body, application/json, at most "},
		"GET /api/v1/debug/inflight":     nil,
	} {
		part, ok := parts[name]
		if !ok {
			t.Errorf("no %s in %s", name, text)
		}
		for _, w := range want {
			if !strings.Contains(part, w) {
				t.Errorf("%s: no %q in %s", name, w, part)
			}
		}
		for line := range strings.Lines(part) {
			if _, also, ok := strings.Cut(line, " Also written "); ok && strings.Trim(also, ".\n") == "" {
				t.Errorf("%s: %q names no other way to write it", name, line)
			}
		}
		if has := strings.Contains(part, "- body, "); has != strings.HasPrefix(name, "POST") {
			t.Errorf("%s: a body: %v", name, has)
		}
	}
}

// What a client may hold an answer for is described: 304 stands where a GET has an ETag, and nowhere else.
func TestOpenAPIOfWhatIsHeld(t *testing.T) {
	b, err := testService().OpenAPI("")
	if err != nil {
		t.Fatal(err)
	}
	var doc struct {
		Paths map[string]map[string]struct{ Responses map[string]any }
	}
	if err := json.Unmarshal(b, &doc); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]bool{"/api/v1/places": true, "/api/v1/parcel/{parcel_id}": true, "/api/v1/debug/inflight": false,
		"/api/v1/points": false} {
		for method, op := range doc.Paths[path] {
			if got := op.Responses["304"] != nil; got != want {
				t.Errorf("%s %s: 304 described %v, want %v", method, path, got, want)
			}
		}
	}
}

// An answer that depends on less than the whole data has an ETag of that; without a state of it it has no ETag, and an
// error is the answer.
func TestETagOfWhatAnAnswerDependsOn(t *testing.T) {
	for _, c := range []struct {
		state string
		err   error
		code  int
		tag   bool
	}{{"a", nil, 200, true}, {"", nil, 200, false}, {"", errors.New("no store"), 500, false}, {"a", errors.New("no store"), 500, false}} {
		s := testService()
		s.Endpoints[0].Depends = func(context.Context, *Request) (string, error) { return c.state, c.err }
		h, err := s.Handler()
		if err != nil {
			t.Fatal(err)
		}
		w := get(h, "/api/v1/places?west=1")
		if w.Code != c.code || (w.Header().Get("ETag") != "") != c.tag {
			t.Errorf("%q, %v: %d, ETag %q", c.state, c.err, w.Code, w.Header().Get("ETag"))
		}
	}
}

// An answer that is one page takes neither limit nor offset nor cursor.
func TestNoPage(t *testing.T) {
	for query, want := range map[string]int{"": 200, "&limit=5": 400, "&offset=5": 400, "&limit=5&offset=5": 400} {
		s := testService()
		s.Endpoints[0].Serve = func(_ context.Context, r *Request) (reply.Answer, error) {
			if err := r.NoPage("no limit and no offset beside it"); err != nil {
				return nil, err
			}
			return &reply.Document{Body: map[string]string{}}, nil
		}
		h, err := s.Handler()
		if err != nil {
			t.Fatal(err)
		}
		if w := get(h, "/api/v1/places?west=1"+query); w.Code != want {
			t.Errorf("%q: %d %s, want %d", query, w.Code, w.Body, want)
		}
	}
}
