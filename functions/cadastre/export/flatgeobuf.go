package export

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"mappe/artefacts/keys"
	"mappe/artefacts/rowschema"
	"mappe/functions/core/area"
	"mappe/functions/core/view"
	"mappe/shared/austria"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/flatgeobuf"
	"mappe/shared/web/format"
	"mappe/shared/web/reply"
)

// flatGeobuf is a form that no builder stores.
const flatGeobuf keys.Form = "fgb"

// fgbPerByte are the estimates of the layers of a FlatGeobuf: bytes for each byte of a KG's snapshot.
var fgbPerByte = map[rowschema.Layer]float64{
	rowschema.Parcels: 8, rowschema.Buildings: 1.4, rowschema.Footprints: 1.7, rowschema.Labels: 2.7, rowschema.LandUsePolygons: 6.3,
	rowschema.LandUsePoints: 3.2,
}

// fgbLayer is a layer of a FlatGeobuf, by its public name.
type fgbLayer string

func fgbLayers() (list []fgbLayer) {
	for _, l := range rowschema.AllLayers() {
		list = append(list, fgbLayer(l.String()))
	}
	return list
}

var oneLayer = endpoint.Enum("layer", "Layer of the file, which has one.", fgbLayers(),
	endpoint.Default(rowschema.Parcels.String()), endpoint.Synonym("parcel", "parcels"), endpoint.Synonym("building", "buildings"),
	endpoint.Synonym("address_points", "buildings"), endpoint.Synonym("footprints", "building_footprints"))

// of is the layer of a name that was checked.
func (l fgbLayer) of() rowschema.Layer {
	layer, err := rowschema.ParseLayer(string(l))
	if err != nil {
		return rowschema.Parcels
	}
	return layer
}

// fgbRowTypes are the row types, for the parameter fields and the description of the service.
var fgbRowTypes = []*format.RowType{
	rowschema.Parcel.Named("flatgeobuf_parcel", "A parcel.").RowType,
	rowschema.Building.Named("flatgeobuf_building", "An address point.").RowType,
	rowschema.Footprint.Named("flatgeobuf_footprint", "A building footprint.").RowType,
	rowschema.Label.Named("flatgeobuf_label", "A parcel number as the map prints it.").RowType,
	rowschema.LandUsePolygon.Named("flatgeobuf_landuse_polygon", "A land-use area.").RowType,
	rowschema.LandUsePoint.Named("flatgeobuf_landuse_point", "A land-use symbol.").RowType,
}

const flatGeobufDoc = `A FlatGeobuf of one layer with the columns of the GeoPackage: typed, with a packed Hilbert R-tree, by which clients read a box of a
file that lies on a server (GDAL's /vsicurl, QGIS, MapLibre with flatgeobuf.js). The header holds the licence, whom to name and the
date of the data (title, description, metadata as JSON). Features stand along the Hilbert curve. Where several KGs are asked, a
feature that two of them have is written once, with the smaller KG code. fields= leaves columns out, crs= projects. Parts can be asked
for by Range. The same data gives the same bytes.

` + jobDoc

func (d Deps) flatGeobuf(turn writers) endpoint.Endpoint {
	wanted := func(r *endpoint.Request) want {
		return want{form: flatGeobuf, size: estimate{fgbPerByte[oneLayer.Of(r).of()]}, job: asJob.Of(r), jobs: d.Queue != nil}
	}
	return view.Versioned(validated(endpoint.Endpoint{
		Method: "GET", Path: "/api/v1/export/flatgeobuf", ID: "export_flatgeobuf", Tag: tag,
		Summary: "Whole KGs as FlatGeobuf",
		Doc:     flatGeobufDoc + area.Doc + view.MissingDoc,
		Params:  append(slices.Clip(area.Params), oneLayer, asJob),
		Answer: endpoint.Answer{
			Rows: fgbRowTypes, JSONOnly: true, Page: endpoint.Page{None: true}, ContentType: flatgeobuf.ContentType, Ranges: true,
			Headers: view.ReadyHeaders,
			Others:  jobAnswers(),
		},
		Example: "/api/v1/export/flatgeobuf?kg=99101",
		Serve: func(ctx context.Context, r *endpoint.Request) (reply.Answer, error) {
			p, err := prepared(ctx, r, wanted(r))
			if err != nil {
				return nil, err
			}
			o := p.order(r, flatGeobuf)
			o.shape = shape{Layers: []layer{layer(oneLayer.Of(r))}, Fields: r.Fields}
			if err := o.check(); err != nil {
				return nil, err
			}
			if p.job {
				return d.take(ctx, r, p, o)
			}
			return turn.file(ctx, p, file{flatgeobuf.ContentType, ".fgb", func(path string) error {
				return p.writeFlatGeobuf(ctx, path, o)
			}})
		},
	}, wanted))
}

// check refuses fields that the layer does not have: the others have them.
func (o *order) check() error {
	return format.CheckFields(o.Fields, fgbLayer(o.Layers[0]).of().RowType())
}

// fgbMetadata is what a file says of itself.
type fgbMetadata struct {
	License     string           `json:"license"`
	LicenseURL  string           `json:"license_url"`
	Attribution []string         `json:"attribution"`
	Changes     string           `json:"changes"`
	Stichtag    string           `json:"stichtag"`
	KGs         int              `json:"kgs"`
	Version     string           `json:"version,omitempty"`
	Unavailable []string         `json:"kgs_unavailable"` // KGs that exist and could not be read
	Of          []austria.KGCode `json:"kg_codes"`
}

// writeFlatGeobuf writes the layer of an order.
func (p *plan) writeFlatGeobuf(ctx context.Context, path string, o order) error {
	at, ok := endpoint.ProjectionOf(o.EPSG)
	if !ok || len(o.Layers) != 1 {
		return fmt.Errorf("a FlatGeobuf of the layers %v in EPSG:%d", o.Layers, o.EPSG)
	}
	l := fgbLayer(o.Layers[0]).of()
	t, rowType := fileTable(l), l.RowType()
	m := fgbMetadata{rowschema.License, rowschema.LicenseURL, p.sources, rowschema.Changes, p.stichtag, len(p.kgs), o.Date,
		p.missing(), p.codes()}
	text, err := json.Marshal(m)
	if err != nil {
		return err
	}
	layout := format.NewLayout(o.Fields, t.RowType())
	layout.Projection = at
	return flatgeobuf.WriteFile(ctx, path, flatgeobuf.Layer{
		Name: rowType.Name, Title: rowschema.Title, Description: p.describe(rowType), Metadata: string(text), Layout: layout,
		Rows: p.rows(ctx, t, new(int)),
	})
}
