package e2e

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// conditional asks the example in a form with headers.
func (d described) conditional(form string, headers ...string) *httptest.ResponseRecorder {
	path := d.endpoint.Example
	if form != "" {
		path += map[bool]string{true: "&", false: "?"}[strings.Contains(path, "?")] + "format=" + form
	}
	r := httptest.NewRequest(d.endpoint.Method, d.service.Prefix+path, nil)
	r.Header.Set("Authorization", "Bearer "+d.token)
	for i := 0; i < len(headers); i += 2 {
		r.Header.Add(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	d.handler.ServeHTTP(w, r)
	return w
}

// TestContractETags asks every GET with a validator in all its forms: a body that tells how long it took has a weak tag, a
// GeoPackage that is written for the request too, every other a strong one, and a strong tag is of the bytes. 304 is said of the tag
// itself, weak and strong, in a list and under "*"; what does not exist is not unmodified.
func TestContractETags(t *testing.T) {
	weak, strong := 0, 0
	for _, d := range contract(t) {
		if d.endpoint.Method != "GET" || d.endpoint.Example == "" || d.service.Prefix == "/books" {
			continue
		}
		forms := []string{""}
		for _, p := range d.op.Parameters {
			if p.Name == "format" {
				for _, v := range p.Schema.Enum {
					forms = append(forms, v.(string))
				}
			}
		}
		for _, form := range forms {
			w := d.conditional(form)
			tag := w.Header().Get("ETag")
			if w.Code != 200 || tag == "" {
				continue
			}
			name := d.name() + " " + form
			written := strings.Contains(w.Header().Get("Content-Type"), "geopackage") && w.Header().Get("Accept-Ranges") == ""
			times := written || bytes.Contains(w.Body.Bytes(), []byte(`"query_time_ms"`)) &&
				strings.Contains(w.Header().Get("Content-Type"), "json")
			if isWeak := strings.HasPrefix(tag, "W/"); isWeak != times {
				t.Errorf("%s: a body that tells its time: %v, and the tag is %s", name, times, tag)
			}
			opaque := strings.TrimPrefix(tag, "W/")
			if times {
				weak++
			} else if strong++; !bytes.Equal(d.conditional(form).Body.Bytes(), w.Body.Bytes()) {
				t.Errorf("%s: two bodies under %s", name, tag)
			}
			for _, list := range []string{tag, opaque, "W/" + opaque, `"a", W/"b",` + opaque, "*"} {
				same := d.conditional(form, "If-None-Match", list)
				if same.Code != http.StatusNotModified || same.Body.Len() > 0 || same.Header().Get("ETag") != tag ||
					same.Header().Get("Content-Type") != "" {
					t.Errorf("%s: If-None-Match %s: %d, tag %s, %d bytes", name, list, same.Code, same.Header().Get("ETag"),
						same.Body.Len())
				}
			}
			if other := d.conditional(form, "If-None-Match", `"`+strings.Trim(opaque, `"`)+`x", "y"`); other.Code != 200 {
				t.Errorf("%s: of other tags: %d", name, other.Code)
			}
			if fresh := d.conditional(form, "If-None-Match", "*", "Cache-Control", "no-cache"); fresh.Code != 200 {
				t.Errorf("%s: no-cache: %d", name, fresh.Code)
			}
		}
	}
	if weak < 50 || strong < 30 {
		t.Errorf("only %d weak and %d strong tags were seen", weak, strong)
	}
}

// What does not exist is no answer that a client could have.
func TestContractNothingIsNotUnmodified(t *testing.T) {
	tried := 0
	for _, d := range contract(t) {
		for _, p := range d.op.Parameters {
			if p.In != "path" || d.endpoint.Method != "GET" || d.service.Prefix == "/books" {
				continue
			}
			gone := d
			gone.handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				r.Header.Set("If-None-Match", "*")
				d.handler.ServeHTTP(w, r)
			})
			for _, value := range []string{"88899", "88899-1", "nothing"} {
				value := map[string]string{p.Name: value}
				w := d.ask(t, value)
				if w.Code != 404 && w.Code != 400 {
					continue
				}
				tried++
				if again := gone.ask(t, value); again.Code != w.Code {
					t.Errorf("%s %s: %d, and %d with If-None-Match: *", d.name(), value, w.Code, again.Code)
				}
			}
		}
	}
	if tried < 20 {
		t.Errorf("only %d paths were tried", tried)
	}
}
