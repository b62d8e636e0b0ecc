package endpoint

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"mappe/shared/web/fault"
	"mappe/shared/web/reply"
)

// gateService has one endpoint behind a gate that asks for a token and holds the answer back.
func gateService(served *int) *Service {
	body := Body[struct {
		N int `json:"n"`
	}]("a number", 100).OnlyJSON()
	gate := func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Header.Get("Token") == "" {
				w.WriteHeader(http.StatusPaymentRequired)
				return
			}
			held := httptest.NewRecorder()
			next.ServeHTTP(held, r)
			w.Header().Set("Held", "yes")
			w.WriteHeader(held.Code)
			w.Write(held.Body.Bytes())
		})
	}
	return &Service{
		System: "t", Title: "t", Version: "1", FaultBody: struct{ Own string }{},
		Faults: func(f *fault.Fault) *fault.Fault { f.Errors = []string{"own form"}; return f },
		Endpoints: []Endpoint{{
			Method: "POST", Path: "/paid", ID: "paid", Summary: "Paid", Body: body, Cache: Live, Gate: gate,
			Extensions: map[string]any{"x-price": "1"},
			Answer:     Answer{Others: []Other{{Status: 402, Doc: "Payment is missing."}, {Status: 200, ContentType: "text/html"}}},
			Serve: func(_ context.Context, r *Request) (reply.Answer, error) {
				*served++
				return &reply.Document{Body: body.Of(r).N}, nil
			},
		}},
	}
}

func TestAGateStandsBeforeEverything(t *testing.T) {
	served := 0
	h, err := gateService(&served).Handler()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, token, contentType, body string
		status, served                 int
		holds                          string
	}{
		{"no token, an invalid body", "", "text/plain", "{", 402, 0, ""},
		{"token, an invalid body", "x", "", "{", 400, 0, `"errors":["own form"],"request_id":"r1"`},
		{"token, not JSON", "x", "text/plain", `{"n":1}`, 415, 0, "application/json"},
		{"token", "x", "application/json; charset=utf-8", `{"n":7}`, 200, 1, "7"},
		{"token, JSON of another name", "x", "application/problem+json", `{"n":7}`, 200, 1, "7"},
	} {
		served = 0
		r := httptest.NewRequest("POST", "/paid", strings.NewReader(c.body))
		for name, value := range map[string]string{"Token": c.token, "Content-Type": c.contentType, "X-Request-Id": "r1"} {
			if value != "" {
				r.Header.Set(name, value)
			}
		}
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		if w.Code != c.status || served != c.served || !strings.Contains(w.Body.String(), c.holds) {
			t.Errorf("%s: want %d, served %d, %q, got %d, %d, %s", c.name, c.status, c.served, c.holds, w.Code, served, w.Body)
		}
		if got := w.Header().Get("X-Request-Id"); got != "r1" {
			t.Errorf("%s: request id %q", c.name, got)
		}
	}
}

func TestWhatAGatedEndpointPromises(t *testing.T) {
	b, err := gateService(new(int)).OpenAPI("")
	if err != nil {
		t.Fatal(err)
	}
	var doc struct {
		Paths map[string]map[string]struct {
			Price     string                                      `json:"x-price"`
			Responses map[string]struct{ Content map[string]any } `json:"responses"`
		}
		Components struct {
			Schemas map[string]struct{ Properties map[string]any }
		}
	}
	if err := json.Unmarshal(b, &doc); err != nil {
		t.Fatal(err)
	}
	op := doc.Paths["/paid"]["post"]
	for status, media := range map[string]string{"200": "text/html", "402": "application/json", "415": "application/json"} {
		if op.Responses[status].Content[media] == nil {
			t.Errorf("%s %s is not described: %s", status, media, b)
		}
	}
	if op.Price != "1" || doc.Components.Schemas["Error"].Properties["Own"] == nil {
		t.Errorf("extension %q, error %v", op.Price, doc.Components.Schemas["Error"])
	}
}

// A dialect stands before the gate: it may write the query anew and tell a failure in a form of its own, and what it lets through is
// read as any request is.
func TestADialectStandsBeforeTheGate(t *testing.T) {
	n := Int("n", "A number.", Between(1, 9), Required)
	order := ""
	wrap := func(name string) func(http.Handler) http.Handler {
		return func(next http.Handler) http.Handler {
			return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				order += name
				u := *r.URL
				u.RawQuery = strings.ToLower(u.RawQuery)
				in := r.WithContext(r.Context())
				in.URL = &u
				held := httptest.NewRecorder()
				next.ServeHTTP(held, in)
				if held.Code >= 400 {
					held.Body.Reset()
					held.Body.WriteString("<failure/>")
				}
				w.WriteHeader(held.Code)
				w.Write(held.Body.Bytes())
			})
		}
	}
	e := Endpoint{
		Method: "GET", Path: "/spoken", ID: "spoken", Summary: "Spoken", Params: []AnyParam{n}, Answer: Answer{Body: 0}, Dialect: wrap("d"),
		Gate:  wrap("g"),
		Serve: func(_ context.Context, r *Request) (reply.Answer, error) { return &reply.Document{Body: n.Of(r)}, nil },
	}
	h, err := (&Service{System: "t", Title: "t", Version: "1", Endpoints: []Endpoint{e}}).Handler()
	if err != nil {
		t.Fatal(err)
	}
	if w := get(h, "/spoken?N=7"); w.Code != 200 || strings.TrimSpace(w.Body.String()) != "7" || order != "dg" {
		t.Errorf("%d %s, %s", w.Code, w.Body, order)
	}
	if w := get(h, "/spoken?N=70"); w.Code != 400 || w.Body.String() != "<failure/>" {
		t.Errorf("%d %s", w.Code, w.Body)
	}
}
