package server

import (
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
)

func TestBackgroundAddresses(t *testing.T) {
	for address, origin := range map[string]string{
		"https://mapsneu.wien.gv.at/basemap/geolandbasemap/normal/google3857/{z}/{y}/{x}.png": "https://mapsneu.wien.gv.at",
		"https://tiles.example:8443/{z}/{x}/{y}.png?key=a%20b":                                "https://tiles.example:8443",
		"https://wms.example?service=WMS&bbox={bbox-epsg-3857}":                               "https://wms.example",
		"http://127.0.0.1:9000/{z}/{x}/{y}.png":                                               "http://127.0.0.1:9000",
	} {
		b, err := ParseBackground(address, "", 19)
		if err != nil || b.Origin() != origin || b.Tiles != address {
			t.Errorf("%s: %+v, origin %q, %v", address, b, b.Origin(), err)
		}
		if b != nil && !strings.Contains(origin, b.Credit) {
			t.Errorf("%s is credited to %q", address, b.Credit)
		}
	}
	for address, why := range map[string]string{
		"https://tiles.example/a.png":                                   "names no tile",
		"https://tiles.example/{z}/{x}.png":                             "names no tile",
		"https://{s}.tiles.example/{z}/{x}/{y}.png":                     "has {s}",
		"https://{z}.tiles.example/{z}/{x}/{y}.png":                     "in its host",
		"http://tiles.example/{z}/{x}/{y}.png":                          "not encrypted",
		"ftp://tiles.example/{z}/{x}/{y}.png":                           "not encrypted",
		"javascript:alert(1)/{z}/{x}/{y}":                               "is no address",
		"//tiles.example/{z}/{x}/{y}.png":                               "not encrypted",
		"/tiles/{z}/{x}/{y}.png":                                        "is no address",
		"https://me:word@tiles.example/{z}/{x}/{y}.png":                 "has a user",
		"https://tiles.example/{z}/{x}/{y}.png#a":                       "has a user or a fragment",
		"https://tiles.example; script-src *;/{z}/{x}/{y}.png":          "is no address",
		"https://tiles.example/{z}/{x}/{y}}.png":                        "is no address",
		"https://tiles.example/{z}/{x}/{y/.png":                         "has {y/.png",
		"https://tiles.example/{z}/{x}/{y}" + strings.Repeat("a", 2000): "too long",
	} {
		if b, err := ParseBackground(address, "", 19); err == nil || !strings.Contains(err.Error(), why) ||
			!strings.Contains(err.Error(), "allowed is") {
			t.Errorf("%.80s: %+v, %v; want %q", address, b, err, why)
		}
	}
	if b, err := ParseBackground("", "", 0); b != nil || err != nil {
		t.Errorf("none: %+v, %v", b, err)
	}
	if _, err := ParseBackground("https://a.example/{z}/{x}/{y}", strings.Repeat("a", 301), 19); err == nil {
		t.Error("a long credit is taken")
	}
	if _, err := ParseBackground("https://a.example/{z}/{x}/{y}", "", 25); err == nil {
		t.Error("zoom 25 is taken")
	}
}

// The policy names the origin for tiles, and the site's own policy is not changed by it.
func TestBackgroundPolicyAndDocument(t *testing.T) {
	var none *Background
	before := sitePolicy.CSP()
	if got := none.policy().CSP(); got != before {
		t.Errorf("none: %s", got)
	}
	b := &Background{Tiles: "https://tiles.example/{z}/{x}/{y}.png", Credit: `<b>"A"</b>`, MaxZoom: 19}
	p := b.policy()
	named := slices.Contains(p.Connect, "https://tiles.example") && slices.Contains(p.Images, "https://tiles.example")
	if !named || sitePolicy.CSP() != before {
		t.Errorf("%s; the site's %s", p.CSP(), sitePolicy.CSP())
	}
	for want, of := range map[string]*Background{
		`{"background":null}`: nil,
		`{"background":{"tiles":"https://tiles.example/{z}/{x}/{y}.png","credit":"\u003cb\u003e\"A\"\u003c/b\u003e","max_zoom":19}}`: b,
	} {
		w := httptest.NewRecorder()
		of.serve(w, nil)
		if w.Body.String() != want || w.Header().Get("Content-Type") != "application/json" {
			t.Errorf("%s, %v", w.Body, w.Header())
		}
	}
}
