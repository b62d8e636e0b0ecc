package server

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"net/http"
	"path"
	"slices"
	"strconv"

	"mappe/localdev/server/web"
	"mappe/shared/web/coding"
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
	maps.Copy(w.Header(), sitePolicy.Header())
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
		htmlpage.Error{Fault: f, German: "hier gibt es keine Seite " + fault.Shorten(r.URL.Path),
			Links: []htmlpage.Link{{Text: "All services", To: "/"}, {Text: "Map", To: "/map"}}}.Write(w, r)
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

// Bundle is the pages with the map that they may draw in the background.
type Bundle struct {
	Pages      web.Pages
	Background *Background // nil: none
}

// mount serves the pages, and the files of the bundle under /map.
func (b Bundle) mount(mux *http.ServeMux) {
	mux.HandleFunc("GET /"+BackgroundFile, b.Background.serve)
	for _, p := range sitePages {
		for _, path := range p.paths {
			mux.HandleFunc("GET "+path, func(w http.ResponseWriter, r *http.Request) { b.page(w, r, p.file) })
		}
	}
	mux.HandleFunc("GET /map/{file}", func(w http.ResponseWriter, r *http.Request) {
		name := r.PathValue("file")
		packed, err := b.Pages.Packed(name)
		switch {
		case siteTypes[path.Ext(name)] == "" || errors.Is(err, fs.ErrNotExist):
			lost(w, r)
		case err != nil:
			reply.Fault(w, fault.From(err), "")
		default:
			b.send(w, r, name, packed)
		}
	})
}

// page sends a page of the bundle, or says that there is no bundle.
func (b Bundle) page(w http.ResponseWriter, r *http.Request, file string) {
	packed, err := b.Pages.Packed(file)
	if errors.Is(err, fs.ErrNotExist) {
		f := fault.New(fault.NotFound, "the map page is left out of this program: run make demo in the checkout, or make program for a program that has it")
		htmlpage.Error{Fault: f, Links: []htmlpage.Link{{Text: "All services", To: "/"}}}.Write(w, r)
		return
	}
	if err != nil {
		htmlpage.Error{Fault: fault.From(err)}.Write(w, r)
		return
	}
	b.send(w, r, file, packed)
}

// brotli is the name of the coding that the bundle is kept in beside gzip.
const brotli = "br"

// form is a file of the bundle as it is kept for a client: by Brotli where the client names that, by gzip, or for no coding as gzip that
// is unpacked before it is sent.
func (b Bundle) form(r *http.Request, name string, packed web.Packed) (body []byte, kept string) {
	takesBrotli := func(e coding.Element) bool { return e.Name == brotli && e.Q > 0 }
	if slices.ContainsFunc(coding.Elements(r.Header["Accept-Encoding"]), takesBrotli) {
		if small, err := b.Pages.Small(name); err == nil {
			return small, brotli
		}
	}
	if coding.Takes(r.Header, coding.Gzip) {
		return packed, coding.Gzip.String()
	}
	return packed, coding.Identity.String()
}

// send sends a file of the bundle, compressed as it is kept to who takes that. A page has the policy of the site.
func (b Bundle) send(w http.ResponseWriter, r *http.Request, name string, packed web.Packed) {
	policy := b.Background.policy()
	h := w.Header()
	body, kept := b.form(r, name, packed)
	etag := reply.ETag("bundle", kept, policy.CSP(), string(body))
	if path.Ext(name) == ".html" {
		maps.Copy(h, policy.Header())
	}
	h.Set("Cache-Control", keptFor(name, "no-cache"))
	h.Add("Vary", "Accept-Encoding")
	h.Set("ETag", etag)
	if reply.Matches(r.Header, etag) {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	if kept != coding.Identity.String() {
		h.Set("Content-Encoding", kept)
	} else if plain, err := packed.Plain(); err == nil {
		body = plain
	} else {
		reply.Fault(w, fault.From(fmt.Errorf("%s: %w", name, err)), "")
		return
	}
	h.Set("Content-Type", siteTypes[path.Ext(name)])
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Content-Length", strconv.Itoa(len(body)))
	if r.Method != http.MethodHead {
		_, _ = w.Write(body) // as above
	}
}
