package forms

import (
	"bytes"

	"github.com/klauspost/compress/gzip"

	"mappe/artefacts/kgfile"
	"mappe/artefacts/rowschema"
	"mappe/shared/web/format"
)

// geoJSONLevel is the gzip level of the precompressed body.
const geoJSONLevel = 6

// GeoJSON writes the parcels with what stands on them as one gzipped FeatureCollection: the body of
// /export/geojson for one KG. A member meta carries licence, date and processing.
func GeoJSON(s *kgfile.Snapshot) ([]byte, error) {
	var out bytes.Buffer
	z, err := gzip.NewWriterLevel(&out, geoJSONLevel) // its header carries no time
	if err != nil {
		return nil, err
	}
	layout := format.NewLayout(nil, rowschema.ParcelExport.RowType)
	b := format.NewBuffer(z)
	defer b.Close()
	j := format.NewJSON(b, false)
	j.Object()
	j.Key("type")
	j.String("FeatureCollection")
	j.Member("meta", rowschema.MetaOf(s))
	j.Key("features")
	j.Array()
	for r, err := range rowschema.ParcelExportRows(s) {
		if err != nil {
			return nil, err
		}
		j.Feature(r, layout)
	}
	j.EndArray()
	j.EndObject()
	if err := b.Flush(); err != nil {
		return nil, err
	}
	if err := z.Close(); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}
