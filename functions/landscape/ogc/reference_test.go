package ogc

import (
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"
)

// round answers in place of hosts.
type round func(*http.Request) (*http.Response, error)

func (f round) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// Inputs are taken from the addresses of the service, and of hosts that the operator names, and from nothing else: what is refused is
// told by its name, its address and what may be.
func TestInputsByReference(t *testing.T) {
	area := square(0, 0, 1, 1)
	hosts := map[string]func() *http.Response{
		"https://data.example.org/area":  func() *http.Response { return answered(200, area, "") },
		"https://data.example.org/moved": func() *http.Response { return answered(302, "", "https://data.example.org/area") },
		"https://data.example.org/away":  func() *http.Response { return answered(302, "", "https://10.0.0.1/area") },
		"https://data.example.org/large": func() *http.Response { return answered(200, strings.Repeat(" ", mostReferred+1), "") },
		"https://data.example.org/html":  func() *http.Response { return answered(200, "<html>", "") },
		"https://data.example.org/gone":  func() *http.Response { return answered(404, "", "") },
	}
	asked := map[string]bool{}
	r := open(t, 1, time.Minute, func(d *Deps) {
		d.InputHosts = []string{"data.example.org"}
		d.Transport = round(func(q *http.Request) (*http.Response, error) {
			asked[q.URL.String()] = true
			if f := hosts[q.URL.String()]; f != nil {
				return f(), nil
			}
			return nil, errors.New("unreachable")
		})
	})
	run := func(href string, status int) string {
		w := r.ask(t, "POST", "/processes/terrain/execution", `{"inputs":{"area":{"href":"`+href+`","type":"application/geo+json"}}}`,
			status)
		return w.Body.String()
	}
	const own = "https://land.example/landscape/api/v1/"
	at := r.ask(t, "POST", "/processes/elevation/execution", `{"inputs":{"features":`+area+`}}`, 201, "Prefer", "respond-async")
	id := decoded(t, at)["jobID"].(string)
	r.finish(t, id)
	at = r.ask(t, "POST", "/processes/terrain/execution", `{"inputs":{"area":`+area+`}}`, 201, "Prefer", "respond-async")
	about := decoded(t, at)["jobID"].(string)
	r.finish(t, about)
	for _, href := range []string{"https://data.example.org/area", "https://data.example.org/moved", own + "share/auto-" + about,
		own + "segment/result?task_id=" + id} {
		if got := run(href, 200); !strings.Contains(got, `"elevation_mean_m":500`) {
			t.Errorf("%s: %.300s", href, got)
		}
	}
	for href, says := range map[string]string{
		"https://data.example.org/away": "https:// at data.example.org", "https://data.example.org/large": "at most 4 MB",
		"https://data.example.org/html": "JSON", "https://data.example.org/gone": "404", "https://data.example.org/none": "answers",
		"https://other.example.org/area": "https:// at data.example.org", "http://data.example.org/area": "https:// at data.example.org",
		"https://data.example.org:8443/area": "https:// at", "https://u:p@data.example.org/area": "https:// at",
		"file:///etc/passwd":       "https:// at",
		own + "share/auto-nothing": "forgotten", own + "share/auto-" + id: "about none", own + "layers": own + "share/NAME",
		own + "segment/result?task_id=nothing":          "forgotten",
		"https://land.example/artefacts/latest/nothing": "artefact"} {
		if got := run(href, 400); !strings.Contains(got, says) || !strings.Contains(got, "area") {
			t.Errorf("%s: want %q, got %s", href, says, got)
		}
	}
	if asked["https://10.0.0.1/area"] || asked["https://other.example.org/area"] || asked["http://data.example.org/area"] {
		t.Errorf("asked %v", asked)
	}
}

// All inputs of an execution have the same 10 seconds: many slow hosts hold no function for minutes.
func TestReferencesShareTheirTime(t *testing.T) {
	var ends []time.Time
	r := open(t, 1, time.Minute, func(d *Deps) {
		d.InputHosts = []string{"data.example.org"}
		d.Transport = round(func(q *http.Request) (*http.Response, error) {
			end, _ := q.Context().Deadline()
			ends = append(ends, end)
			return answered(200, map[string]string{"/area": square(0, 0, 1, 1), "/date": `"20240915"`}[q.URL.Path], ""), nil
		})
	})
	r.ask(t, "POST", "/processes/terrain/execution",
		`{"inputs":{"area":{"href":"https://data.example.org/area"},"dataset":{"href":"https://data.example.org/date"}}}`, 200)
	if len(ends) != 2 || !ends[0].Equal(ends[1]) || time.Until(ends[0]) > timeReferred {
		t.Errorf("asked until %v", ends)
	}
}

// answered is the answer of a host.
func answered(status int, body, location string) *http.Response {
	return &http.Response{StatusCode: status, Header: http.Header{"Location": {location}}, Body: io.NopCloser(strings.NewReader(body))}
}

// Without a transport of its own a name that is allowed and leads into the house is not followed.
func TestPrivateHostsAreNotAsked(t *testing.T) {
	f := &references{s: &service{Deps: Deps{InputHosts: []string{"localhost"}}}, base: "https://land.example/landscape"}
	if _, err := f.read(t.Context(), "https://localhost/x"); !errors.Is(err, errForeign) {
		t.Errorf("%v", err)
	}
	for text, ok := range map[string]bool{"": true, "data.example.org, b.example": true, "127.0.0.1": false, "https://x.org": false,
		"x.org:443": false, "localhost": false, "x.org/path": false} {
		if _, err := InputHosts(text); (err == nil) != ok {
			t.Errorf("%q: %v", text, err)
		}
	}
}
