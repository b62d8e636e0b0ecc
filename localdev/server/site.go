package server

import (
	"errors"
	"fmt"
	"log/slog"
	"path"
	"regexp"

	"mappe/functions/families"
	"mappe/shared/cloud/store"
	"mappe/shared/web/htmlpage"
)

// SiteFile is a file of the site that the CDN serves beside services and artefacts.
type SiteFile struct {
	Key     string // below site/
	Body    []byte
	Headers store.Headers
}

// siteCache: names of the site stay the same when their contents change, so copies are short-lived.
const siteCache = "public, max-age=60, must-revalidate"

// siteTypes are the media types of the files a bundle may hold.
var siteTypes = map[string]string{
	".html": "text/html; charset=utf-8",
	".js":   "text/javascript; charset=utf-8",
	".mjs":  "text/javascript; charset=utf-8",
	".css":  "text/css; charset=utf-8",
	".json": "application/json",
	".svg":  "image/svg+xml",
	".png":  "image/png",
}

// hashed are the names that the bundler gives to files by their bytes.
var hashed = regexp.MustCompile(`-[A-Z0-9]{8}\.js$`)

// keptFor says how long a file of the bundle is kept: for good where its name changes with its bytes, else as others are.
func keptFor(name, others string) string {
	if hashed.MatchString(name) {
		return store.CacheImmutable
	}
	return others
}

// Site is the index page with its style sheet and the bundled map page, in the order they are
// to be written: what a page refers to comes before the page. The paths are those of the local cloud: /,
// /pages.css, /map/...; the CDN answers /map and /p/{id} with map/index.html, /national, /download and /tables with the page of that name,
// and /kg/{code} with map/kg.html.
func Site(b Bundle) ([]SiteFile, error) {
	bundle := b.Pages
	if !bundle.Bundled() {
		return nil, errors.New("the map page is not bundled")
	}
	names, err := bundle.Names()
	if err != nil {
		return nil, err
	}
	var pages, files []SiteFile
	for _, name := range names {
		typ := siteTypes[path.Ext(name)]
		if typ == "" {
			return nil, fmt.Errorf("%s: a file of the map page has one of the endings .html, .js, .mjs, .css, .json, .svg, .png", name)
		}
		packed, err := bundle.Packed(name)
		if err != nil {
			return nil, err
		}
		body, err := packed.Plain()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		f := SiteFile{"map/" + name, body, store.Headers{ContentType: typ, CacheControl: keptFor(name, siteCache)}}
		if path.Ext(name) == ".html" {
			pages = append(pages, f)
		} else {
			files = append(files, f)
		}
	}
	all := index{Bundled: true} // what is served changes without the site
	for _, s := range families.All(families.Deps{}) {
		all.Cards = append(all.Cards, cardOf(s))
	}
	files = append(files, SiteFile{BackgroundFile, b.Background.document(),
		store.Headers{ContentType: siteTypes[".json"], CacheControl: siteCache}})
	files = append(files, SiteFile{styleAddress[1:], []byte(htmlpage.Style),
		store.Headers{ContentType: siteTypes[".css"], CacheControl: siteCache}})
	pages = append(pages, SiteFile{"index.html", all.html(slog.New(slog.DiscardHandler)),
		store.Headers{ContentType: siteTypes[".html"], CacheControl: siteCache}})
	return append(files, pages...), nil
}
