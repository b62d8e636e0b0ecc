package forms

import (
	"bytes"
	"fmt"

	"github.com/parquet-go/parquet-go"

	"mappe/artefacts/ne"
	"mappe/artefacts/rowschema"
	"mappe/shared/geo/geom"
	"mappe/shared/web/format"
)

// cellColumn is a whole number of a cell's row.
type cellColumn struct {
	name string
	bits int // of the unsigned number
	doc  string
	get  func(r *ne.LURow) uint64
}

// cellColumns are the fields of an LU row in their order, each use a column of its own.
func cellColumns() []cellColumn {
	share := func(name, doc string, get func(r *ne.LURow) uint8) cellColumn {
		return cellColumn{name, 8, doc + ", in 1/255 of the cell's area", func(r *ne.LURow) uint64 { return uint64(get(r)) }}
	}
	all := []cellColumn{
		{"cell_id", 64, "H3 index, resolution 12", func(r *ne.LURow) uint64 { return uint64(r.Cell) }},
		share("kg_share", "Share covered by the parcels of this KG", func(r *ne.LURow) uint8 { return r.KGShare }),
		share("land", "Share with a declared land use", func(r *ne.LURow) uint8 { return r.Land }),
		share("cov", "Share covered by parcels of any KG", func(r *ne.LURow) uint8 { return r.Cov }),
		{"flags", 8, "Bit 0: covered without a declared use; bit 1: uses overlapped and were normalised", func(r *ne.LURow) uint64 {
			return uint64(r.Flags)
		}},
	}
	for i, use := range ne.Uses {
		all = append(all, share(use, "Land use "+use, func(r *ne.LURow) uint8 { return r.Use[i] }))
	}
	return append(all,
		share("str_cover", "Share under building footprints", func(r *ne.LURow) uint8 { return r.StrCover }),
		cellColumn{"str_n", 16, "Footprints whose point on the surface lies in the cell", func(r *ne.LURow) uint64 {
			return uint64(r.StrN)
		}},
		share("gk", "Share of the parcel area with surveyed boundaries", func(r *ne.LURow) uint8 { return r.GK }),
		cellColumn{"n_units", 8, "Parcels that share area with the cell; 255 is 255 or more", func(r *ne.LURow) uint64 {
			return uint64(r.NUnits)
		}},
		cellColumn{"edge_m_ha", 16, "Parcel boundaries, m per ha", func(r *ne.LURow) uint64 { return uint64(r.EdgeMHa) }},
		cellColumn{"orient_coh", 8, "How far the boundaries have one direction, in 1/255", func(r *ne.LURow) uint64 {
			return uint64(r.OrientCoh)
		}},
		cellColumn{"orient_axis", 8, "That direction, as the layout of the containers says", func(r *ne.LURow) uint64 {
			return uint64(r.OrientAxis2)
		}})
}

// node is the column: ids rise, the other numbers repeat themselves.
func (c *cellColumn) node() parquet.Node {
	if c.bits == 64 {
		return parquet.Encoded(parquet.Uint(c.bits), &parquet.DeltaBinaryPacked)
	}
	return parquet.Encoded(parquet.Uint(c.bits), &parquet.RLEDictionary)
}

// CellsGeoParquet writes the cells of a KG as GeoParquet 1.1: kg_code, the fields of their rows, area_m2 (of the cell in
// EPSG:3035) and the cell's centre. rows are by rising cell, areas those of their cells.
func CellsGeoParquet(head ne.Header, attribution string, rows []ne.LURow, areas []float64) ([]byte, error) {
	if len(areas) != len(rows) {
		return nil, fmt.Errorf("cells of KG %s: %d areas of %d rows", head.KG, len(areas), len(rows))
	}
	list := cellColumns()
	var root ordered
	root.add("kg_code", parquet.Encoded(parquet.String(), &parquet.RLEDictionary))
	docs := []columnDoc{{"kg_code", "", "KG"}}
	for _, c := range list {
		root.add(c.name, c.node())
		docs = append(docs, columnDoc{c.name, "", c.doc})
	}
	root.add("area_m2", parquet.Encoded(parquet.Leaf(parquet.FloatType), &parquet.ByteStreamSplit))
	root.add("geometry", parquet.Geometry("OGC:CRS84"))
	docs = append(docs, columnDoc{"area_m2", "m²", "Area of the cell in EPSG:3035"}, columnDoc{"geometry", "", "Centre of the cell"})

	var out bytes.Buffer
	w := parquet.NewGenericWriter[any](&out, parquet.NewSchema("cells", root), parquet.Compression(&parquet.Zstd),
		parquet.CreatedBy("mappe", rowschema.ProcessingVersion, ""), parquet.PageBufferSize(1<<20))
	var g geoMetadata
	g.Version, g.PrimaryColumn = "1.1.0", "geometry"
	g.Columns.Geometry = geoColumn{Encoding: "WKB", GeometryTypes: []string{"Point"}, Edges: "planar"}
	for _, kv := range [][2]string{{"geo", plainJSON(g)}, {"columns", plainJSON(docs)}, {"kg_code", string(head.KG)},
		{"stichtag", head.Stichtag},
		{"generation", head.Generation}, {"layout", ne.Pin()}, {"license", rowschema.License}, {"attribution", attribution}} {
		w.SetKeyValueMetadata(kv[0], kv[1])
	}
	for at := 0; at < len(rows); at += cellRows {
		to := min(at+cellRows, len(rows))
		if err := writeCells(w, list, head, rows[at:to], areas[at:to]); err != nil {
			return nil, err
		}
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

// cellRows are compressed, indexed and skipped together: cells by rising id lie together.
const cellRows = 50_000

// writeCells writes one column after another of some rows.
func writeCells(w *parquet.GenericWriter[any], list []cellColumn, head ne.Header, rows []ne.LURow, areas []float64) error {
	values := make([]parquet.Value, len(rows))
	leaf := 0
	put := func(name string, value func(i int) parquet.Value) error {
		for i := range values {
			values[i] = value(i)
		}
		if _, err := w.ColumnWriters()[leaf].WriteRowValues(values); err != nil {
			return fmt.Errorf("column %s: %w", name, err)
		}
		leaf++
		return nil
	}
	code := []byte(head.KG)
	if err := put("kg_code", func(int) parquet.Value { return parquet.ByteArrayValue(code) }); err != nil {
		return err
	}
	for _, c := range list {
		value := func(i int) parquet.Value { return parquet.Int32Value(int32(c.get(&rows[i]))) }
		if c.bits == 64 {
			value = func(i int) parquet.Value { return parquet.Int64Value(int64(c.get(&rows[i]))) }
		}
		if err := put(c.name, value); err != nil {
			return err
		}
	}
	if err := put("area_m2", func(i int) parquet.Value { return parquet.FloatValue(float32(areas[i])) }); err != nil {
		return err
	}
	points := make([]byte, 0, len(rows)*wkbPointBytes)
	var bad error
	err := put("geometry", func(i int) parquet.Value {
		at := len(points)
		p, err := centre(&rows[i])
		if err != nil {
			bad = err
		}
		points = format.AppendWKB(points, format.PointGeometry(p), format.Projection{})
		return parquet.ByteArrayValue(points[at:len(points):len(points)])
	})
	if err == nil {
		err = bad
	}
	if err != nil {
		return err
	}
	return w.Flush()
}

// wkbPointBytes is the length of a point.
const wkbPointBytes = 21

func centre(r *ne.LURow) (geom.Point, error) {
	at, err := r.Cell.LatLng()
	if err != nil {
		return geom.Point{}, fmt.Errorf("cell %s: %w", r.Cell, err)
	}
	p, ok := geom.PointAt(at.Lng, at.Lat)
	if !ok {
		return p, fmt.Errorf("cell %s lies outside the world", r.Cell)
	}
	return p, nil
}
