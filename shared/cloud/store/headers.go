package store

import (
	"path"
	"strings"
)

// Cache classes that Derived tells apart. A name that carries the hash of its content never changes;
// everything else is asked for again.
const (
	CacheImmutable  = "public, max-age=31536000, immutable"
	CacheRevalidate = "no-cache"
)

// contentTypes by the last ending of a key, after a .gz or .zst that is the Content-Encoding.
var contentTypes = map[string]string{
	".json":    "application/json",
	".geojson": "application/geo+json",
	".ndjson":  "application/x-ndjson",
	".csv":     "text/csv; charset=utf-8",
	".txt":     "text/plain; charset=utf-8",
	".html":    "text/html; charset=utf-8",
	".css":     "text/css; charset=utf-8",
	".js":      "text/javascript; charset=utf-8",
	".svg":     "image/svg+xml",
	".png":     "image/png",
	".pbf":     "application/x-protobuf",
	".mvt":     "application/vnd.mapbox-vector-tile",
	".gpkg":    "application/geopackage+sqlite3",
	".parquet": "application/vnd.apache.parquet",
	".pmtiles": "application/vnd.pmtiles",
	".kgs":     "application/vnd.mappe.kgs",
	".reg":     "application/vnd.mappe.register",
	".parts":   "application/vnd.mappe.parts",
	".ne":      "application/vnd.ne-cells",
	".pdf":     "application/pdf",
	".epub":    "application/epub+zip",
}

var encodings = map[string]string{".gz": "gzip", ".zst": "zstd", ".br": "br"}

// Derived are the headers of an object that was stored without any: the type and encoding by its ending
// (application/octet-stream where unknown), the cache class by a content hash in its name.
func Derived(key string) Headers {
	name := path.Base(key)
	h := Headers{ContentEncoding: encodings[path.Ext(name)]}
	if h.ContentEncoding != "" {
		name = strings.TrimSuffix(name, path.Ext(name))
	}
	if h.ContentType = contentTypes[path.Ext(name)]; h.ContentType == "" {
		h.ContentType = "application/octet-stream"
	}
	h.CacheControl = CacheRevalidate
	if stem, _, _ := strings.Cut(name, "."); isHash(stem[strings.LastIndexByte(stem, '-')+1:]) {
		h.CacheControl = CacheImmutable
	}
	return h
}

// OrDerived is h, or what Derived says where h is empty. Every Put stores this.
func (h Headers) OrDerived(key string) Headers {
	if h == (Headers{}) {
		return Derived(key)
	}
	return h
}

// isHash: 12 to 64 lower-case hex digits, one of them a letter, so that a date or a number is not taken for one.
func isHash(s string) bool {
	letters := strings.Trim(s, "0123456789")
	return len(s) >= 12 && len(s) <= 64 && letters != "" && strings.Trim(s, "0123456789abcdef") == ""
}
