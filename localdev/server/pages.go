package server

import (
	"errors"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strings"

	"mappe/shared/web/fault"
	"mappe/shared/web/htmlpage"
	"mappe/shared/web/reply"
)

// styleAddress is the style sheet of the index page. The site's pages hold no style of their own, so that one
// policy fits all of them: the CDN cannot choose a policy by page.
const styleAddress = "/pages.css"

// sitePolicy is what the index page and the map may do; template.yaml has the same (a test compares).
// MapLibre draws its symbols from data: addresses and its tiles in a worker of its own file.
var sitePolicy = htmlpage.Policy{Files: true, Connect: []string{"'self'"}, Images: []string{"'self'", "data:", "blob:"}}

// servePage sends a page of the site.
func servePage(w http.ResponseWriter, body []byte) {
	for name, values := range sitePolicy.Header() {
		w.Header()[name] = values
	}
	w.Header().Set("Content-Type", htmlpage.ContentType)
	w.Header().Set("Cache-Control", "no-cache")
	_, _ = w.Write(body) // the client's own doing when it stops reading
}

func serveStyle(w http.ResponseWriter, _ *http.Request) {
	h := w.Header()
	h.Set("Content-Type", siteTypes[".css"])
	h.Set("Cache-Control", "no-cache")
	h.Set("X-Content-Type-Options", "nosniff")
	_, _ = w.Write([]byte(htmlpage.Style)) // as above
}

// lost answers a path that names nothing: a page for a person, the error of the services for a program.
func lost(w http.ResponseWriter, r *http.Request) {
	w.Header().Add("Vary", "Accept")
	f := fault.Missed("page", r.URL.Path)
	if htmlpage.Wanted(r) {
		htmlpage.Error{Fault: f, Links: []htmlpage.Link{{Text: "All services", To: "/"}, {Text: "Map", To: "/map"}}}.Write(w, r)
		return
	}
	reply.Fault(w, f, "")
}

// sitePages are the pages of the bundle by their file, and where they are found beside /map/{file}: the map with its deep links, the
// national page of the landscape, the download page, the profile of a KG, the page that completes tables. template.yaml has the same (a
// test compares).
var sitePages = []struct {
	file  string
	paths []string
}{
	{"index.html", []string{"/map", "/map/{$}", "/p/{id...}"}},
	{"national.html", []string{"/national", "/national/{$}"}},
	{"download.html", []string{"/download", "/download/{$}"}},
	{"kg.html", []string{"/kg/{code}"}},
	{"tables.html", []string{"/tables", "/tables/{$}"}},
}

// mountMap serves the pages of the bundle in dir, and its files under /map.
func mountMap(mux *http.ServeMux, dir string) {
	for _, p := range sitePages {
		for _, path := range p.paths {
			mux.HandleFunc("GET "+path, func(w http.ResponseWriter, r *http.Request) { bundledPage(w, r, dir, p.file) })
		}
	}
	mux.HandleFunc("GET /map/{file}", func(w http.ResponseWriter, r *http.Request) {
		name := r.PathValue("file")
		typ := siteTypes[filepath.Ext(name)]
		if dir == "" || typ == "" || strings.HasPrefix(name, ".") || name != filepath.Base(name) {
			lost(w, r)
			return
		}
		file := filepath.Join(dir, name)
		if info, err := os.Stat(file); err != nil || !info.Mode().IsRegular() {
			lost(w, r)
			return
		}
		if filepath.Ext(name) == ".html" {
			bundledPage(w, r, dir, name)
			return
		}
		w.Header().Set("Content-Type", typ)
		w.Header().Set("Cache-Control", "no-cache")
		w.Header().Set("X-Content-Type-Options", "nosniff")
		http.ServeFile(w, r, file)
	})
}

// bundledPage sends a page of the bundle with the policy of the site, or says that there is no bundle.
func bundledPage(w http.ResponseWriter, r *http.Request, dir, file string) {
	body, err := os.ReadFile(filepath.Join(dir, file))
	if dir == "" || errors.Is(err, fs.ErrNotExist) {
		f := fault.New(fault.NotFound, "the map page is not bundled: run make demo, or npm ci && npm run build in localdev/server/web")
		htmlpage.Error{Fault: f, Links: []htmlpage.Link{{Text: "All services", To: "/"}}}.Write(w, r)
		return
	}
	if err != nil {
		htmlpage.Error{Fault: fault.From(err)}.Write(w, r)
		return
	}
	servePage(w, body)
}
