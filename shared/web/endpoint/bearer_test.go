package endpoint

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"mappe/shared/web/reply"
)

// maintenance is a service of one endpoint that an operator may call, and one that anybody may.
func maintenance(check func(context.Context, string) (bool, error), served *int) *Service {
	operator := Bearer{Name: "operator", Doc: "The operator's token.", Check: check}
	serve := func(context.Context, *Request) (reply.Answer, error) {
		*served++
		return &reply.Document{Body: map[string]bool{"done": true}}, nil
	}
	return &Service{System: "t", Title: "t", Version: "1", Endpoints: []Endpoint{
		operator.Protect(Endpoint{Method: "GET", Path: "/queue", ID: "queue", Summary: "Queue", Example: "/queue", Serve: serve}),
		{Method: "GET", Path: "/open", ID: "open", Summary: "Open", Example: "/open", Cache: Live, Serve: serve},
	}}
}

func TestOnlyTheBearerPasses(t *testing.T) {
	check := func(_ context.Context, text string) (bool, error) {
		if text == "unread" {
			return false, errors.New("the inner reason")
		}
		return text == "right", nil
	}
	for _, c := range []struct {
		name, authorization string
		check               func(context.Context, string) (bool, error)
		status              int
		challenge           string
	}{
		{"the token", "Bearer right", check, 200, ""},
		{"in another case", "bearer  right ", check, 200, ""},
		{"none", "", check, 401, `Bearer realm="operator"`},
		{"another scheme", "Basic right", check, 401, `Bearer realm="operator"`},
		{"an empty one", "Bearer ", check, 401, `Bearer realm="operator"`},
		{"a wrong one", "Bearer wrong", check, 401, `Bearer realm="operator", error="invalid_token"`},
		{"one that cannot be compared", "Bearer unread", check, 503, ""},
		{"one where nobody has one", "Bearer right", nil, 403, `Bearer realm="operator"`},
		{"none where nobody has one", "", nil, 403, `Bearer realm="operator"`},
	} {
		served := 0
		h, err := maintenance(c.check, &served).Handler()
		if err != nil {
			t.Fatal(err)
		}
		r := httptest.NewRequest("GET", "/queue?unknown=1", nil)
		if c.status == 200 {
			r = httptest.NewRequest("GET", "/queue", nil)
		}
		r.Header.Set("X-Request-Id", "r1")
		if c.authorization != "" {
			r.Header.Set("Authorization", c.authorization)
		}
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		if w.Code != c.status || w.Header().Get("WWW-Authenticate") != c.challenge || (served == 1) != (c.status == 200) ||
			w.Header().Get("Cache-Control") != "no-store" {
			t.Errorf("%s: %d, challenge %q, %q, served %d", c.name, w.Code, w.Header().Get("WWW-Authenticate"),
				w.Header().Get("Cache-Control"), served)
		}
		if (w.Header().Get("Retry-After") != "") != (c.status == 503) || strings.Contains(w.Body.String(), "inner reason") {
			t.Errorf("%s: Retry-After %q, %s", c.name, w.Header().Get("Retry-After"), w.Body)
		}
		if c.status != 200 && (!strings.Contains(w.Body.String(), "operator") || !strings.Contains(w.Body.String(), `"r1"`)) {
			t.Errorf("%s: %s", c.name, w.Body)
		}
	}
}

func TestTwoTokensAreNone(t *testing.T) {
	if text, ok := bearerOf(http.Header{"Authorization": {"Bearer a", "Bearer b"}}); ok {
		t.Errorf("got %q", text)
	}
}

// A gate that an endpoint has already stands behind the token.
func TestAGateBehindTheToken(t *testing.T) {
	var order []string
	note := func(name string) func(http.Handler) http.Handler {
		return func(next http.Handler) http.Handler {
			return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				order = append(order, name)
				next.ServeHTTP(w, r)
			})
		}
	}
	b := Bearer{Name: "operator", Check: func(context.Context, string) (bool, error) { order = append(order, "token"); return true, nil }}
	e := b.Protect(Endpoint{Gate: note("payment")})
	r := httptest.NewRequest("GET", "/", nil)
	r.Header.Set("Authorization", "Bearer x")
	e.Gate(http.NotFoundHandler()).ServeHTTP(httptest.NewRecorder(), r)
	if strings.Join(order, " ") != "token payment" {
		t.Errorf("got %v", order)
	}
}

func TestTheDescriptionShowsTheToken(t *testing.T) {
	served := 0
	b, err := maintenance(nil, &served).OpenAPI("https://host.example")
	if err != nil {
		t.Fatal(err)
	}
	var doc struct {
		Components struct {
			SecuritySchemes map[string]struct{ Type, Scheme, Description string }
		}
		Paths map[string]map[string]struct {
			Security  []map[string][]string
			Responses map[string]any
		}
	}
	if err := json.Unmarshal(b, &doc); err != nil {
		t.Fatal(err)
	}
	if s := doc.Components.SecuritySchemes["operator"]; len(doc.Components.SecuritySchemes) != 1 || s.Type != "http" ||
		s.Scheme != "bearer" || s.Description != "The operator's token." {
		t.Errorf("schemes: %+v", doc.Components.SecuritySchemes)
	}
	if got := doc.Paths["/queue"]["get"]; len(got.Security) != 1 || got.Security[0]["operator"] == nil || got.Responses["401"] == nil ||
		got.Responses["403"] == nil {
		t.Errorf("/queue: %+v", got)
	}
	if got := doc.Paths["/open"]["get"]; got.Security != nil || got.Responses["401"] != nil {
		t.Errorf("/open: %+v", got)
	}
}
