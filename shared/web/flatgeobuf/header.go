package flatgeobuf

import (
	"strconv"

	"github.com/gogama/flatgeobuf/flatgeobuf/flat"
	flatbuffers "github.com/google/flatbuffers/go"

	"mappe/shared/web/format"
)

// shapeOf is the geometry type of the rows that can occur.
func shapeOf(l *format.Layout) flat.GeometryType {
	shape := flat.GeometryTypeUnknown
	for _, k := range l.RowTypes {
		s, ok := map[format.Shape]flat.GeometryType{format.ShapePoint: flat.GeometryTypePoint,
			format.ShapeMultiPolygon: flat.GeometryTypeMultiPolygon}[k.Shape]
		switch {
		case !ok || s == shape:
		case shape == flat.GeometryTypeUnknown:
			shape = s
		default:
			return flat.GeometryTypeUnknown
		}
	}
	return shape
}

// header is the table of the layer, with its length before it.
func (w *writer) header(indexed bool) []byte {
	b := flatbuffers.NewBuilder(4096)
	name, title, description := b.CreateString(w.l.Name), b.CreateString(w.l.Title), b.CreateString(w.l.Description)
	metadata := b.CreateString(w.l.Metadata)
	columns := w.columns(b)
	system := w.system(b)
	var envelope flatbuffers.UOffsetT
	if indexed {
		box := []float64{w.bounds.XMin, w.bounds.YMin, w.bounds.XMax, w.bounds.YMax}
		flat.HeaderStartEnvelopeVector(b, len(box))
		for i := len(box) - 1; i >= 0; i-- {
			b.PrependFloat64(box[i])
		}
		envelope = b.EndVector(len(box))
	}
	flat.HeaderStart(b)
	flat.HeaderAddName(b, name)
	if indexed {
		flat.HeaderAddEnvelope(b, envelope)
		flat.HeaderAddIndexNodeSize(b, nodeSize)
	} else {
		flat.HeaderAddIndexNodeSize(b, 0) // 16 is what an absent one means
	}
	flat.HeaderAddGeometryType(b, shapeOf(w.l.Layout))
	flat.HeaderAddColumns(b, columns)
	flat.HeaderAddFeaturesCount(b, uint64(len(w.ends)))
	flat.HeaderAddCrs(b, system)
	flat.HeaderAddTitle(b, title)
	flat.HeaderAddDescription(b, description)
	flat.HeaderAddMetadata(b, metadata)
	b.FinishSizePrefixed(flat.HeaderEnd(b))
	return b.FinishedBytes()
}

// columns are the columns of the layout: names, types and what they mean.
func (w *writer) columns(b *flatbuffers.Builder) flatbuffers.UOffsetT {
	names := w.l.Layout.Names()
	list := make([]flatbuffers.UOffsetT, len(names))
	for i, n := range names {
		c := w.l.Layout.Column(i)
		name, doc := b.CreateString(n), b.CreateString(described(c))
		flat.ColumnStart(b)
		flat.ColumnAddName(b, name)
		flat.ColumnAddType(b, columnType(c.Type))
		flat.ColumnAddDescription(b, doc)
		list[i] = flat.ColumnEnd(b)
	}
	flat.HeaderStartColumnsVector(b, len(list))
	for i := len(list) - 1; i >= 0; i-- {
		b.PrependUOffsetT(list[i])
	}
	return b.EndVector(len(list))
}

// described is what a column means, with its unit.
func described(c format.Column) string {
	if c.Unit == "" {
		return c.Doc
	}
	return c.Doc + " [" + c.Unit + "]"
}

// system is the coordinate system by its EPSG code.
func (w *writer) system(b *flatbuffers.Builder) flatbuffers.UOffsetT {
	epsg := w.l.Layout.Projection.EPSG
	if epsg == 0 {
		epsg = 4326
	}
	org, name := b.CreateString("EPSG"), b.CreateString("EPSG:"+strconv.Itoa(epsg))
	flat.CrsStart(b)
	flat.CrsAddOrg(b, org)
	flat.CrsAddCode(b, int32(epsg))
	flat.CrsAddName(b, name)
	return flat.CrsEnd(b)
}
