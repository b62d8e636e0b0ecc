package server

import (
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"

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

// Site is the index page with its style sheet and the bundled map page of a directory, in the order they are
// to be written: what a page refers to comes before the page. The paths are those of the local cloud: /,
// /pages.css, /map/...; the CDN answers /map and /p/{id} with map/index.html, /national, /download and /tables with the page of that name,
// and /kg/{code} with map/kg.html.
func Site(web string) ([]SiteFile, error) {
	entries, err := os.ReadDir(web)
	if err != nil {
		return nil, fmt.Errorf("the map page is not bundled: %w", err)
	}
	var pages, files []SiteFile
	for _, e := range entries { // in the order of names
		if e.IsDir() || strings.HasPrefix(e.Name(), ".") {
			continue
		}
		typ := siteTypes[filepath.Ext(e.Name())]
		if typ == "" {
			return nil, fmt.Errorf("%s: a file of the map page has one of the endings .html, .js, .mjs, .css, .json, .svg, .png", e.Name())
		}
		body, err := os.ReadFile(filepath.Join(web, e.Name()))
		if err != nil {
			return nil, err
		}
		f := SiteFile{"map/" + e.Name(), body, store.Headers{ContentType: typ, CacheControl: siteCache}}
		if filepath.Ext(e.Name()) == ".html" {
			pages = append(pages, f)
		} else {
			files = append(files, f)
		}
	}
	if len(pages) == 0 || len(files) == 0 {
		return nil, fmt.Errorf("%s holds no bundled map page", web)
	}
	var all index // what is served changes without the site
	for _, s := range families.All(families.Deps{}) {
		all.Cards = append(all.Cards, cardOf(s))
	}
	files = append(files, SiteFile{styleAddress[1:], []byte(htmlpage.Style),
		store.Headers{ContentType: siteTypes[".css"], CacheControl: siteCache}})
	pages = append(pages, SiteFile{"index.html", all.html(slog.New(slog.DiscardHandler)),
		store.Headers{ContentType: siteTypes[".html"], CacheControl: siteCache}})
	return append(files, pages...), nil
}
