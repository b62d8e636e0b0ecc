package products

import (
	"context"
	"errors"
	"math"
	"os"

	"mappe/artefacts/landscape"
	"mappe/shared/cloud/landprocess"
	"mappe/shared/web/format"
)

// document is the JSON that is being written.
type document struct{ *format.JSON }

// members writes the columns of a T.
func members[T any](d *document, t *T, fields format.Fields[T]) {
	for _, f := range fields {
		d.Key(f.Name)
		d.Value(f.Get(t))
	}
}

// list writes objects of a list, with what more writes into each.
func list[T any](d *document, name string, rows []T, fields format.Fields[T], more func(*T)) {
	d.Key(name)
	d.Array()
	for i := range rows {
		d.Object()
		members(d, &rows[i], fields)
		if more != nil {
			more(&rows[i])
		}
		d.EndObject()
	}
	d.EndArray()
}

func (d *document) number(v float32, decimals int) {
	if v != v {
		d.Null()
		return
	}
	d.Value(format.Float(float64(v), decimals))
}

// vertices writes corners with their heights.
func (d *document) vertices(list []landscape.Vertex, tall bool) {
	d.Key("vertex_heights")
	d.Array()
	for _, v := range list {
		d.Object()
		d.Key("lat")
		d.Value(format.Degrees(v.At.Y))
		d.Key("lon")
		d.Value(format.Degrees(v.At.X))
		d.Key("dtm_m")
		d.number(v.DTM, 2)
		if tall {
			d.Key("obj_height_m")
			d.number(v.Height, 2)
		}
		d.EndObject()
	}
	d.EndArray()
}

// shares writes areas by type.
func (d *document) shares(name string, list []landscape.Share) {
	d.Key(name)
	d.Object()
	for _, s := range list {
		d.Key(s.Type.String())
		d.Object()
		d.Key("area_sqm")
		d.Value(format.Float(s.AreaSqm, 1))
		d.Key("fraction")
		d.Value(format.Float(s.Fraction, 4))
		d.EndObject()
	}
	d.EndObject()
}

// The columns of the summary, whose places are two members where the GeoPackages have two columns.
var (
	parcelMembers = landscape.Flat(landscape.ParcelColumns.Fields(), "centroid", "centroid_lon", "centroid_lat", centroidOf)
	recordMembers = without(landscape.RecordColumns.Fields(), "zenodo_json_url", "zenodo_light_gpkg_url", "zenodo_full_gpkg_url")
)

// summary writes the record of the KG with its lists, its parcels and its buildings. The addresses in the research repository
// are not in it: it lies there itself.
func (w *workshop) summary(_ context.Context, path string) (err error) {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	d := &document{format.NewJSON(format.NewBuffer(f), false)}
	defer d.Close() // after Flush this does nothing
	k := w.KG
	d.Object()
	members(d, &k.Record, recordMembers)
	list(d, "landcover", k.Landcover, landscape.LandcoverColumns.Fields(), nil)
	list(d, "hansen_loss", k.HansenLoss, landscape.HansenLossColumns.Fields(), nil)
	list(d, "classification", k.Classification, landscape.ClassificationColumns.Fields(), nil)
	list(d, "divergence", k.Divergence, landscape.DivergenceColumns.Fields(), nil)
	list(d, "parcels", k.Parcels, parcelMembers, func(p *landscape.Parcel) {
		d.shares("area_summary", p.Types)
		list(d, "classification", p.Classification, landscape.ClassificationColumns.Fields(), nil)
		d.vertices(p.Vertices, false)
	})
	list(d, "buildings", k.Buildings, without(buildingRows.Fields, "vertex_heights"), func(b *landscape.Building) {
		d.shares("segment_types", b.Types)
		list(d, "classification", b.Classification, landscape.ClassificationColumns.Fields(), nil)
		d.vertices(b.Vertices, true)
	})
	d.Member("meta", map[string]string{"license": landprocess.Analysis.License(), "license_url": ccBY,
		"attribution": w.credit(landprocess.Analysis),
		"fingerprint": k.Fingerprint, "recipe": Recipe, "snapshot": w.Row.Snapshot.Date})
	d.EndObject()
	return d.Flush()
}

// finite is a number as JSON has it, nil of one that is not known.
func finite(v float64) any {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return nil
	}
	return v
}
