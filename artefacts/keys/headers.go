package keys

import (
	"slices"
	"strings"
)

// Headers are what an object is stored and served with.
type Headers struct {
	ContentType, ContentEncoding, CacheControl string
}

// HeadersOf derives the headers of a key from its ending and class.
func HeadersOf(k Key) Headers {
	h := Headers{ContentType: "application/octet-stream", CacheControl: k.Class().CacheControl()}
	name := k.String()
	for _, t := range contentTypes {
		if strings.HasSuffix(name, t.ending) {
			h.ContentType, h.ContentEncoding = t.contentType, t.encoding
			break
		}
	}
	if e, ok := k.(Export); ok && !slices.Contains([]string{"gpkg", "fgb", "zip", "xlsx"}, e.Ext) {
		h.ContentEncoding = "gzip"
	}
	return h
}

var contentTypes = []struct{ ending, contentType, encoding string }{
	{".geojson.gz", "application/geo+json", "gzip"},
	{".json.gz", "application/json", "gzip"},
	{".geojson", "application/geo+json", ""},
	{".json", "application/json", ""},
	{".parquet", "application/vnd.apache.parquet", ""},
	{".gpkg", "application/geopackage+sqlite3", ""},
	{".fgb", "application/flatgeobuf", ""},
	{".zip", "application/zip", ""},
	{".dxf", "image/vnd.dxf", ""},
	{".kml", "application/vnd.google-earth.kml+xml", ""},
	{".csv", "text/csv; charset=utf-8; header=present", ""},
	{".xlsx", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", ""},
	{".pmtiles", "application/vnd.pmtiles", ""},
	{".kgs", "application/vnd.mappe.kgs", ""},
	{".reg", "application/vnd.mappe.register", ""},
	{".parts", "application/vnd.mappe.parts", ""},
	{".ne", "application/vnd.ne-cells", ""},
	{".tif", "image/tiff", ""},
	{".png", "image/png", ""},
}
