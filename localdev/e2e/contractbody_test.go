package e2e

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"
)

// A body in which one member, wherever it stands, has been changed.
type changedBody struct{ text, member string }

// changed are the bodies made of a value by a change of each of its members. Members that free JSON or GeoJSON holds
// are the client's own.
func changed(v any, change func(o map[string]any, name string) []byte) []changedBody {
	var all []changedBody
	var walk func(v any, whole func([]byte) []byte)
	walk = func(v any, whole func([]byte) []byte) {
		switch v := v.(type) {
		case []any:
			for i := range v[:min(len(v), 1)] {
				walk(v[i], func(b []byte) []byte { return whole(slices.Concat([]byte("["), b, []byte("]"))) })
			}
		case map[string]any:
			for _, name := range slices.Sorted(maps.Keys(v)) {
				all = append(all, changedBody{string(whole(change(v, name))), name})
				if name == "geometry" || name == "properties" || name == "context" || name == "data" {
					continue
				}
				walk(v[name], func(b []byte) []byte {
					rest := maps.Clone(v)
					rest[name] = json.RawMessage(b)
					return whole(written(rest))
				})
			}
		}
	}
	walk(v, func(b []byte) []byte { return b })
	return all
}

func written(v any) []byte {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err) // it was read from JSON
	}
	return b
}

// TestContractBodies sends the example of each JSON body with one member under a name in capitals, one that stands
// twice, and one of another type: each is a 400 that names the member, in the words of the description.
func TestContractBodies(t *testing.T) {
	bodies := 0
	for _, d := range contract(t) {
		var v any
		if d.media != "" || strings.HasSuffix(d.endpoint.Path, "/feedback") || d.service.Prefix == "/mcp" ||
			json.Unmarshal([]byte(d.endpoint.ExampleBody), &v) != nil {
			continue // ten reports at once is all that a client may send; JSON-RPC has errors of its own
		}
		bodies++
		for how, change := range map[string]func(o map[string]any, name string) []byte{
			"in capitals": func(o map[string]any, name string) []byte {
				o = maps.Clone(o)
				o[strings.ToUpper(name)] = o[name]
				delete(o, name)
				return written(o)
			},
			"beside itself in capitals": func(o map[string]any, name string) []byte {
				o = maps.Clone(o)
				o[strings.ToUpper(name)] = o[name]
				return written(o)
			},
			"given twice": func(o map[string]any, name string) []byte {
				first := slices.Concat([]byte(`{`), written(name), []byte(`:`), written(o[name]), []byte(`,`))
				return slices.Concat(first, bytes.TrimPrefix(written(o), []byte("{")))
			},
			"of another type": func(o map[string]any, name string) []byte {
				o = maps.Clone(o)
				o[name] = [][]bool{{true}}
				return written(o)
			},
		} {
			for _, b := range changed(v, change) {
				if strings.HasSuffix(how, "capitals") && strings.Contains(b.text, `"type":"`) && (b.member != "geometry" ||
					how != "in capitals") {
					continue // members of GeoJSON that it does not define are foreign ones
				}
				if b.member == "properties" {
					continue
				}
				d.endpoint.ExampleBody = b.text
				w := d.ask(t, nil)
				d.refuses(t, b.member+" "+how, b, w.Code, w.Body.String())
			}
		}
	}
	for _, d := range contract(t) {
		if d.media == "" && !strings.HasSuffix(d.endpoint.Path, "/feedback") && d.service.Prefix != "/mcp" &&
			strings.HasPrefix(d.endpoint.ExampleBody, "{") {
			d.refusesBroken(t)
		}
	}
	if bodies < 15 {
		t.Errorf("only %d bodies were tried: the descriptions lost their examples", bodies)
	}
}

// refusesBroken sends the example cut in the middle, with something behind it, and with an invalid value: each is a 400
// that says at which byte.
func (d described) refusesBroken(t *testing.T) {
	t.Helper()
	whole := d.endpoint.ExampleBody
	for how, text := range map[string]string{"cut": whole[:len(whole)/2], "followed": whole + " }",
		"with an invalid value": `{"none":nil,` + whole[1:], "twice": whole + whole} {
		d.endpoint.ExampleBody = text
		w := d.ask(t, nil)
		if how == "twice" && w.Code == 200 && strings.Contains(whole, `"coordinates"`) {
			continue // features one after another are a sequence of GeoJSON, which areas are read from
		}
		if got := w.Body.String(); w.Code != 400 || !strings.Contains(got, "byte ") && !strings.Contains(got, "character ") &&
			!strings.Contains(got, "line ") && !strings.Contains(got, "end of the body") &&
			!strings.Contains(got, "parameter none is unknown") {
			t.Errorf("%s: %s: want 400 with the place, got %d %.400s", d.name(), how, w.Code, got)
		}
		for _, word := range programWords {
			if strings.Contains(w.Body.String(), word) {
				t.Errorf("%s: %s: the words of a program: %.400s", d.name(), how, w.Body)
			}
		}
	}
}

// programWords are those of the libraries that read JSON, numbers and times.
var programWords = []string{"unmarshal", "Go struct", "Go value", "json:", "invalid character", "top-level", "unexpected end of JSON",
	"unexpected EOF", "strconv.", "parsing time", "looking for beginning"}

// refuses holds a refusal to what a client is promised.
func (d described) refuses(t *testing.T, what string, b changedBody, status int, body string) {
	t.Helper()
	if status != 400 || !strings.Contains(strings.ToLower(body), strings.ToLower(b.member)) {
		t.Errorf("%s: %s: want 400 that names %s, got %d %.400s\n%.300s", d.name(), what, b.member, status, body, b.text)
	}
	for _, word := range programWords {
		if strings.Contains(body, word) {
			t.Errorf("%s: %s: the words of a program: %.400s", d.name(), what, body)
		}
	}
}
