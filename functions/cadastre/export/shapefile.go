package export

import (
	"context"
	"fmt"
	"strings"
	"time"

	"mappe/artefacts/rowschema"
	"mappe/shared/geo/crs"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/format"
	"mappe/shared/web/shapefile"
)

const shapefileDoc = `A zip of shapefiles, one set of .shp, .shx, .dbf, .prj and .cpg (UTF-8) for each layer, with the columns of the GeoPackage.
A name of a column has at most ten bytes there: it is cut behind the tenth (gemeinde_code is gemeinde_c), and where two of a layer would be
the same the later one ends in _2. README.txt in the zip lists each column with its whole name, unit and meaning, the licence, whom to name
and the date of the data. Text ends behind 254 bytes. A set of which a file would have more than 2 GB goes on in a set with _2 behind its
name. `

// shapefiles is the form of /export/shapefile.
var shapefiles = &fileForm{
	form: "zip", media: shapefile.ContentType, path: "shapefile", title: "shapefiles", doc: shapefileDoc,
	all: fileLayers(), usual: fileLayers(), layers: layersParam(fileLayers(), fileLayers()),
	system:  systemParam("System of the coordinates, which each .prj names.", crs.WGS84),
	perByte: map[layer]float64{parcels: 2.5, buildings: 0.2, footprints: 0.4, labels: 0.4, landUsePolygons: 2.3, landUsePoints: 0.4},
	most:    2 << 30, // a zip ends at 4 GB, an estimate is too low by a third at most, and the largest layer lies unpacked beside it
	write:   (*plan).writeShapefile,
}

// writeShapefile writes the layers of an order.
func (p *plan) writeShapefile(ctx context.Context, path string, o order) error {
	at, ok := endpoint.ProjectionOf(o.EPSG)
	if !ok {
		return fmt.Errorf("there is no system EPSG:%d", o.EPSG)
	}
	day, _ := time.Parse(time.DateOnly, p.stichtag) // of no KG: the zero time
	a := shapefile.Archive{Time: day}
	var about strings.Builder
	for _, l := range o.Layers {
		of, err := rowschema.ParseLayer(string(l))
		if err != nil {
			return err
		}
		t := fileTable(of)
		layout := format.NewLayout(nil, t.RowType())
		layout.Projection = at
		a.Layers = append(a.Layers, shapefile.Layer{Name: string(l), Layout: layout, Rows: p.rows(ctx, t, new(int))})
		shapefile.Describe(&about, p.describe(t.RowType()), string(l), layout)
	}
	a.Texts = []shapefile.Text{{Name: "README.txt", Body: rowschema.Title + "\r\n" + about.String()}}
	return shapefile.WriteFile(ctx, path, a)
}
