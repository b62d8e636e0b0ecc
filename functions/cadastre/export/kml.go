package export

import (
	"context"
	"fmt"
	"io"
	"strings"

	"mappe/artefacts/rowschema"
	"mappe/shared/austria"
	"mappe/shared/web/format"
)

// The layers of a KML beside those of rowschema.
const (
	kgOutlines layer = "kgs"
	boroughs   layer = "municipalities"
)

// fileOrder is the order of the layers in a file.
var fileOrder = append([]layer{boroughs, kgOutlines}, fileLayers()...)

const kmlDoc = `A KML 2.2 for Google Earth and others, with a folder for each layer: a placemark for each feature, named by its id, with its columns as data,
in degrees. Land use has the colours of the map. Beside the layers of the other forms there are kgs and municipalities: outlines, simplified, of what
lies in the area. The document's description holds the licence, whom to name and the date of the data. `

// places is the form of /export/kml.
var places = &fileForm{
	form: "kml", media: format.FormKML.MediaType(), path: "kml", title: "KML", doc: kmlDoc,
	all: append(fileLayers(), kgOutlines, boroughs), usual: []layer{parcels},
	layers: layersParam(append(fileLayers(), kgOutlines, boroughs), []layer{parcels}),
	perByte: map[layer]float64{parcels: 17, buildings: 2.6, footprints: 3.2, labels: 4.5, landUsePolygons: 11, landUsePoints: 5,
		kgOutlines: 0.2, boroughs: 0.1},
	packed: true,
	write:  (*plan).writeKML,
}

// writeKML writes the folders of an order.
func (p *plan) writeKML(ctx context.Context, path string, o order) error {
	doc := format.KML{Name: rowschema.Title + ", " + p.area(), About: fmt.Sprintf("%s, newest Stichtag %s. %s, %s (%s). %s.", p.area(),
		p.stichtag, strings.Join(p.sources, "; "), rowschema.License, rowschema.LicenseURL, rowschema.Changes)}
	for _, l := range o.Layers {
		switch l {
		case kgOutlines:
			doc.Folders = append(doc.Folders, format.KMLFolder{Name: string(l), Layout: format.NewLayout(nil, rowschema.KG.RowType),
				Rows: p.outlines()})
			continue
		case boroughs:
			doc.Folders = append(doc.Folders, format.KMLFolder{Name: string(l),
				Layout: format.NewLayout(nil, rowschema.Municipality.RowType), Rows: p.municipalities()})
			continue
		}
		of, err := rowschema.ParseLayer(string(l))
		if err != nil {
			return err
		}
		t := fileTable(of)
		folder := format.KMLFolder{Name: string(l), Layout: format.NewLayout(nil, t.RowType()), Rows: p.rows(ctx, t, new(int))}
		if classes := of.Style().Classes; len(classes) > 0 {
			code := t.RowType().Index("code")
			folder.Colour = func(r format.Row) string {
				n, _ := r.Value(code).Int64()
				return austria.LandUse(n).Class().String()
			}
			if len(doc.Colours) == 0 {
				for _, c := range classes {
					doc.Colours = append(doc.Colours, format.KMLColour{ID: c.Name, Fill: c.Fill})
				}
			}
		}
		doc.Folders = append(doc.Folders, folder)
	}
	return create(path, func(to io.Writer) error {
		b := format.NewBuffer(to)
		if err := doc.Write(b); err != nil {
			b.Close()
			return err
		}
		return b.Flush()
	})
}
