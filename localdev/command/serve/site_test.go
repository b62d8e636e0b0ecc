package serve

import (
	"bytes"
	"io"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"mappe/localdev/server"
	"mappe/localdev/server/web"
	"mappe/localdev/server/web/webtest"
	"mappe/shared/cloud/store"
	"mappe/shared/cloud/store/storeurl"
)

func TestSiteLiesBesideTheArtefacts(t *testing.T) {
	for data, want := range map[string]string{
		"s3://bucket/artefacts": "s3://bucket/site", "s3://bucket/artefacts/": "s3://bucket/site", "s3://bucket": "s3://bucket/site",
		"s3://bucket/a/artefacts": "s3://bucket/a/site", ".localdev/data": ".localdev/data/site", "/srv/artefacts": "/srv/site",
	} {
		if got := siteAddress(data); got != want {
			t.Errorf("%s: %s, want %s", data, got, want)
		}
	}
}

// A bundle arrives whole, with media types and short-lived copies, the index page among it; what is no
// page of the bundle is refused.
func TestPublishSite(t *testing.T) {
	folder := webtest.Bundle(t, map[string]string{"index.html": "<title>map</title>", "map.js": "1", "map.css": "a{}", ".sum": "x"})
	data := filepath.Join(t.TempDir(), "artefacts")
	var out bytes.Buffer
	for range 2 { // again is as good as once
		if err := publishSite(t.Context(), &out, data, server.Bundle{Pages: web.Of(folder)}); err != nil {
			t.Fatal(err)
		}
	}
	st, err := storeurl.Open(siteAddress(data))
	if err != nil {
		t.Fatal(err)
	}
	for key, want := range map[string]struct{ typ, holds string }{
		"index.html": {"text/html; charset=utf-8", "/cadastre/docs"}, "map/index.html": {"text/html; charset=utf-8", "<title>map</title>"},
		"map/map.js": {"text/javascript; charset=utf-8", "1"}, "map/map.css": {"text/css; charset=utf-8", "a{}"},
	} {
		o, err := st.Get(t.Context(), key, store.GetOptions{})
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(o.Body)
		o.Body.Close()
		if err != nil || !strings.Contains(string(body), want.holds) || strings.Contains(string(body), "/healthz") {
			t.Errorf("%s: %.200s %v", key, body, err)
		}
		if o.Headers.ContentType != want.typ || o.Headers.CacheControl != "public, max-age=60, must-revalidate" {
			t.Errorf("%s: %+v", key, o.Headers)
		}
	}
	if strings.Contains(out.String(), ".sum") {
		t.Error("a file that is no part of the page is published")
	}
	folder["tool.exe.gz"] = &fstest.MapFile{Data: webtest.Packed(t, "")}
	err = publishSite(t.Context(), io.Discard, data, server.Bundle{Pages: web.Of(folder)})
	if err == nil || !strings.Contains(err.Error(), "tool.exe") {
		t.Errorf("error %v, want one that names tool.exe", err)
	}
	if err := publishSite(t.Context(), io.Discard, data, server.Bundle{}); err == nil || !strings.Contains(err.Error(), "make program") {
		t.Errorf("without pages: %v", err)
	}
}
