package format

import (
	"slices"
	"strings"
)

// Format is an output form.
type Format string

// The forms.
const (
	FormJSON       Format = "json"
	FormGeoJSON    Format = "geojson"
	FormCSV        Format = "csv"
	FormGeoPackage Format = "gpkg"
	FormGeoJSONSeq Format = "geojsonseq"
	FormNDJSON     Format = "ndjson"
	FormParquet    Format = "parquet"
	FormKML        Format = "kml"
	FormShapefile  Format = "shapefile"
)

// AllFormats lists the forms that every list of rows has, the default first; FormKML some have too, FormShapefile those with shapes.
func AllFormats() []Format {
	return []Format{FormJSON, FormGeoJSON, FormCSV, FormGeoPackage, FormGeoJSONSeq, FormNDJSON, FormParquet}
}

// WithKML are those forms and KML.
func WithKML() []Format { return append(AllFormats(), FormKML) }

// WithShapefile are forms of rows of some types: where one of these has a shape, shapefiles are among them.
func WithShapefile(forms []Format, rowTypes []*RowType) []Format {
	if !HasShape(rowTypes) || slices.Contains(forms, FormShapefile) {
		return forms
	}
	return append(slices.Clip(forms), FormShapefile)
}

// MediaType is the Content-Type without parameters.
func (f Format) MediaType() string {
	switch f {
	case FormGeoJSON:
		return "application/geo+json"
	case FormCSV:
		return "text/csv"
	case FormGeoPackage:
		return "application/geopackage+sqlite3"
	case FormGeoJSONSeq:
		return "application/geo+json-seq"
	case FormNDJSON:
		return "application/x-ndjson"
	case FormParquet:
		return "application/vnd.apache.parquet"
	case FormKML:
		return "application/vnd.google-earth.kml+xml"
	case FormShapefile:
		return "application/zip"
	}
	return "application/json"
}

// ContentType is the Content-Type header.
func (f Format) ContentType() string {
	if f == FormCSV {
		return "text/csv; charset=utf-8; header=present"
	}
	return f.MediaType()
}

// Extension is the file extension without the dot.
func (f Format) Extension() string {
	switch f {
	case FormGeoJSONSeq:
		return "geojsons"
	case FormShapefile:
		return "zip"
	}
	return string(f)
}

// Attachment says whether the form is a file to save rather than an answer to read.
func (f Format) Attachment() bool {
	return f == FormCSV || f == FormGeoPackage || f == FormParquet || f == FormKML || f == FormShapefile
}

// Compresses says whether gzip makes the form smaller; Parquet pages and zip archives are compressed already.
func (f Format) Compresses() bool { return f != FormParquet && f != FormShapefile }

// OfMediaType finds the form of a media type, also by its older names.
func OfMediaType(t string) (Format, bool) {
	t = strings.ToLower(t)
	for _, f := range append(WithKML(), FormShapefile) {
		if f.MediaType() == t {
			return f, true
		}
	}
	switch t {
	case "application/vnd.geo+json":
		return FormGeoJSON, true
	case "application/x-sqlite3", "application/geopackage+vnd.sqlite3":
		return FormGeoPackage, true
	case "application/ndjson", "application/jsonl":
		return FormNDJSON, true
	case "application/x-parquet", "application/parquet":
		return FormParquet, true
	case "application/x-shapefile", "application/vnd.shp":
		return FormShapefile, true
	}
	return "", false
}
