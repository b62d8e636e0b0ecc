package ask

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"mappe/shared/web/endpoint"
)

// answering is a server that gives one body, and a question to it.
func answering(t *testing.T, header map[string]string, bodies ...string) Question {
	t.Helper()
	n := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		for name, value := range header {
			w.Header().Set(name, value)
		}
		if n+1 < len(bodies) {
			w.Header().Set("Link", `</next>; rel="next"`)
		}
		_, _ = w.Write([]byte(bodies[min(n, len(bodies)-1)]))
		n++
	}))
	t.Cleanup(server.Close)
	return Question{Base: server.URL, Form: Table,
		Operation: Operation{Prefix: "/x", Endpoint: endpoint.Endpoint{Method: "GET", Path: "/y"}}}
}

func show(t *testing.T, q Question) (string, error) {
	t.Helper()
	var out, notes strings.Builder
	err := q.Answer(t.Context(), Output{Out: &out, Notes: &notes})
	return out.String() + "--\n" + notes.String(), err
}

// TestForms: what stands where, for the shapes that answers have.
func TestForms(t *testing.T) {
	for _, tt := range []struct {
		name  string
		body  string
		width int
		want  string
	}{
		{"rows", `{"data":[{"a":1,"b":null,"geometry":{"type":"Point"}},{"a":22,"b":"x"}],"meta":{"total":9}}`, 0,
			"a   b\n1\n22  x\n--\n2 of 9 rows\n"},
		{"no rows", `{"data":[],"meta":{"total":0}}`, 0, "--\nno rows\n"},
		{"a bare list", `[{"a":1}]`, 0, "a\n1\n--\n1 row\n"},
		{"facts", `{"data":{"b":{"c":[1,2],"d":["x","y"]},"a":null},"meta":{}}`, 0, "b.c  [1,2]\nb.d  x, y\na\n--\n"},
		{"rows and facts", `{"summary":{"n":1},"data":[{"a":1}]}`, 0, "a\n1\n\nsummary.n  1\n--\n1 row\n"},
		{"another list", `{"feedback":[{"id":"fb-1"}],"meta":{"total":1}}`, 0, "id\nfb-1\n--\n1 row\n"},
		{"a narrow terminal", `{"data":[{"name":"` + strings.Repeat("ä", 60) + `","b":"2","c":"3"}]}`, 43,
			"name                                      b\n" + strings.Repeat("ä",
				39) + "…  2\n--\n1 row; 1 columns do not fit: --json or --csv has them\n"},
		{"control characters", `{"data":[{"a":"x\u001b[31m\n\u202ey"}]}`, 0, "a\nx�[31m��y\n--\n1 row\n"},
	} {
		q := answering(t, nil, tt.body)
		q.Width = tt.width
		if got, err := show(t, q); err != nil || got != tt.want {
			t.Errorf("%s: want\n%s\ngot %v\n%s", tt.name, tt.want, err, got)
		}
	}
}

// TestWalks: the columns are those of the first page, and no page is asked of another host.
func TestWalks(t *testing.T) {
	q := answering(t, nil, `{"data":[{"a":1}]}`, `{"data":[{"b":5,"a":22}]}`, `{"data":[]}`)
	q.All = true
	if got, err := show(t, q); err != nil || got != "a\n1\n22\n--\n2 rows\n" {
		t.Errorf("got %v\n%s", err, got)
	}
	q = answering(t, map[string]string{"Link": `<http://elsewhere.example/>; rel="next"`}, `{"data":[{"a":1}]}`)
	q.All, q.Token = true, "secret"
	if _, err := show(t, q); err == nil || !strings.Contains(err.Error(), "another host: elsewhere.example") {
		t.Errorf("got %v", err)
	}
}

// TestAnswersThatAreNone: broken, or of something else.
func TestAnswersThatAreNone(t *testing.T) {
	for body, want := range map[string]string{`{"data":[`: "no JSON", `{"data":[{"a"`: "no JSON", ``: "no JSON",
		`7`: "neither an object nor a list", `<html>`: "no JSON"} {
		if got, err := show(t, answering(t, nil, body)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: want %q, got %v %s", body, want, err, got)
		}
	}
	q := answering(t, map[string]string{"Content-Type": "application/geopackage+sqlite3"}, "SQLite")
	if _, err := show(t, q); err == nil || !strings.Contains(err.Error(), "--output FILE") {
		t.Errorf("bytes on a terminal: %v", err)
	}
}

// FuzzPage: whatever a server answers is shown or refused.
func FuzzPage(f *testing.F) {
	for _, seed := range []string{`{"data":[{"a":1}]}`, `[{}]`, `{"a":{"b":{"c":[{}]}}}`, `{"data":null,"meta":[]}`, `[1,{}]`, `{"":""}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		p, err := readPage(body)
		if err != nil {
			return
		}
		var out strings.Builder
		table := tabling{out: &out, width: 80}
		if err := table.add(p.rows); err != nil {
			t.Error(err)
		}
		if err := list(&out, p.facts, 80); err != nil {
			t.Error(err)
		}
		if strings.ContainsAny(out.String(), "\x1b\r\a") {
			t.Errorf("control characters reach the terminal: %q", out.String())
		}
	})
}
