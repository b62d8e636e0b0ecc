package export

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"mappe/artefacts/register"
	"mappe/artefacts/rowschema"
	"mappe/functions/core/rows"
	"mappe/shared/geo/crs"
	"mappe/shared/geo/geom"
	"mappe/shared/web/dxf"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/format"
)

const dxfDoc = `A drawing as DXF of AutoCAD release 12 (ASCII), as the survey office's drawings of the cadastre are. Its layers:

| layer | what | as |
|---|---|---|
| GG | parcel boundaries (Grundstücksgrenzen) | a closed polyline of each ring |
| GN | parcel numbers (Grundstücksnummern) | text at a point inside the parcel, 2 m high |
| HG | buildings (Gebäudegrenzen) | closed polylines |
| HN | address points (Orientierungsnummern) | point, and the house number as text, 1.5 m high |
| NG | land-use areas but buildings (Nutzungsgrenzen) | closed polylines |
| NF | what these areas are | abbreviation as text at a point inside |
| NS | land-use symbols (Nutzungssymbole) | abbreviation as text at the symbol |
| KG | outlines of the KGs, with any layer | closed polylines, simplified |

GN, HG, HN, NG and NS are named as the survey office's description of its DXF names them; GG, NF and KG are named in the same manner. Boundaries
that two parcels share are drawn with each of them. The first lines of the file hold the licence, whom to name and the date of the data as
comments. `

// The layers of a drawing, with their colours in AutoCAD's table.
var dxfLayers = []dxf.Layer{{Name: "KG", Colour: 6}, {Name: "GG", Colour: 7}, {Name: "GN", Colour: 7}, {Name: "HG", Colour: 1},
	{Name: "HN", Colour: 1}, {Name: "NG", Colour: 3}, {Name: "NF", Colour: 3}, {Name: "NS", Colour: 3}}

// Heights of texts in metres: two millimetres, and one and a half, at 1:1000.
const (
	numberHeight = 2
	smallHeight  = 1.5
)

// drawnLayers are the layers of a drawing: the numbers come with the parcels.
var drawnLayers = []layer{parcels, buildings, footprints, landUsePolygons, landUsePoints}

// drawings is the form of /export/dxf.
var drawings = &fileForm{
	form: "dxf", media: dxf.ContentType, path: "dxf", title: "DXF drawings", doc: dxfDoc,
	all: drawnLayers, usual: drawnLayers, layers: layersParam(drawnLayers, drawnLayers),
	system: systemParam("System of the coordinates: x goes east, y north. Drawings are planes: with 4326 they are in degrees.",
		crs.LambertMGI),
	perByte: map[layer]float64{parcels: 19, buildings: 1, footprints: 1.6, landUsePolygons: 19, landUsePoints: 1.8}, packed: true,
	write: (*plan).writeDXF,
}

// writeDXF writes the drawing of an order.
func (p *plan) writeDXF(ctx context.Context, path string, o order) error {
	at, ok := endpoint.ProjectionOf(o.EPSG)
	if !ok {
		return fmt.Errorf("there is no system EPSG:%d", o.EPSG)
	}
	d := dxf.Drawing{Layers: dxfLayers, Projection: at, Box: geom.EmptyBox, Comments: []string{rowschema.Title}}
	for _, k := range p.kgs {
		d.Box = d.Box.Union(k.Box)
	}
	d.Parts = append(d.Parts, dxf.Part{Rows: p.outlines(), Outline: "KG"})
	for _, l := range o.Layers {
		of, err := rowschema.ParseLayer(string(l))
		if err != nil {
			return err
		}
		d.Comments = append(d.Comments, p.describe(of.RowType()))
		d.Parts = append(d.Parts, p.drawn(ctx, of))
	}
	system := o.EPSG
	if system == 0 {
		system = int(crs.WGS84)
	}
	d.Comments = append(d.Comments, crs.System(system).String()+", "+crs.System(system).Name())
	return create(path, func(to io.Writer) error { return dxf.Write(ctx, to, d) })
}

// create writes a new file.
func create(path string, write func(io.Writer) error) (err error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	out := bufio.NewWriterSize(f, 256<<10)
	return errors.Join(write(out), out.Flush())
}

// outlines are the KGs of the plan that have an outline.
func (p *plan) outlines() format.Seq {
	return func(yield func(format.Row, error) bool) {
		s := rows.KGs(rowschema.KG.Record(), p.view.Register(), p.kgs)
		for i := range p.kgs {
			if !yield(s.Row(i), nil) {
				return
			}
		}
	}
}

// municipalities are those of the KGs of the plan, each once, by rising code.
func (p *plan) municipalities() format.Seq {
	return func(yield func(format.Row, error) bool) {
		reg := p.view.Register()
		r := rowschema.Municipality.Record()
		r.Item.Register = reg
		for i := range reg.Municipalities() {
			m := &reg.Municipalities()[i]
			if !slices.ContainsFunc(p.kgs, func(k *register.KG) bool { return k.GemeindeCode == m.Code }) {
				continue
			}
			if r.Item.M = m; !yield(r, nil) {
				return
			}
		}
	}
}

// drawn is what a layer is in a drawing.
func (p *plan) drawn(ctx context.Context, l rowschema.Layer) dxf.Part {
	switch l {
	case rowschema.Buildings:
		r := rowschema.Building.Record()
		return dxf.Part{Rows: p.rows(ctx, table{rows.Buildings(r), "building_id"}, new(int)), Point: "HN", Text: "HN",
			Write: func(format.Row) (dxf.Text, bool) {
				return dxf.Text{Text: r.Item.B.HouseNumber, At: r.Item.B.At, Height: smallHeight}, r.Item.B.HouseNumber != ""
			}}
	case rowschema.Footprints:
		return dxf.Part{Rows: p.rows(ctx, fileTable(l), new(int)), Outline: "HG"}
	case rowschema.LandUsePolygons:
		r := rowschema.LandUsePolygon.Record()
		return dxf.Part{Rows: without(p.rows(ctx, table{rows.LandUse(r), "code"}, new(int)),
			func() bool { return r.Item.U.NS == building }), Outline: "NG", Text: "NF",
			Write: func(format.Row) (dxf.Text, bool) {
				return dxf.Text{Text: r.Item.U.NS.Abbr(), At: r.Item.U.Inside, Height: smallHeight}, r.Item.U.NS.Abbr() != ""
			}}
	case rowschema.LandUsePoints:
		r := rowschema.LandUsePoint.Record()
		return dxf.Part{Rows: p.rows(ctx, table{rows.Symbols(r), "code"}, new(int)), Text: "NS",
			Write: func(format.Row) (dxf.Text, bool) {
				return dxf.Text{Text: r.Item.S.NS.Abbr(), At: r.Item.S.At, Height: smallHeight}, r.Item.S.NS.Abbr() != ""
			}}
	}
	r := rowschema.Parcel.Record()
	return dxf.Part{Rows: p.rows(ctx, table{rows.Parcels(r), ""}, new(int)), Outline: "GG", Text: "GN",
		Write: func(format.Row) (dxf.Text, bool) {
			return dxf.Text{Text: string(r.Item.P.GNR), At: r.Item.P.Inside, Height: numberHeight}, true
		}}
}

// building is the use of a building's area, which is drawn as the building.
const building = 41

// without leaves out the rows of which skip is true when they are drawn.
func without(all format.Seq, skip func() bool) format.Seq {
	return func(yield func(format.Row, error) bool) {
		for r, err := range all {
			if err == nil && skip() {
				continue
			}
			if !yield(r, err) {
				return
			}
		}
	}
}
