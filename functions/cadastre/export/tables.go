package export

import (
	"archive/zip"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"mappe/artefacts/keys"
	"mappe/artefacts/rowschema"
	"mappe/shared/geo/crs"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/fault"
	"mappe/shared/web/format"
	"mappe/shared/web/xlsx"
)

const (
	csvType  = "text/csv; charset=utf-8; header=present"
	zipType  = "application/zip"
	xlsxType = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
	readme   = "README"

	commaForm keys.Form = "csv"
)

const tablesDoc = `with the columns of the GeoPackage: lon and lat are degrees of WGS84. With another system in crs= there are x (east) and y (north) in it
behind the other columns. `

const csvDoc = `A CSV (RFC 4180, UTF-8 with byte-order mark, comma, decimal point, header) of one layer, or a zip (application/zip) of a CSV for each of several
layers and README.txt, which lists each column with unit and meaning, the licence, whom to name and the date of the data, ` + tablesDoc +
	`geometry=wkt gives a column geometry in the same system. `

const xlsxDoc = `A workbook (Office Open XML) of a sheet for each layer, ` + tablesDoc + `Codes are texts and keep their zeros. The sheet README lists each
column with unit and meaning, the licence, whom to name and the date of the data. A sheet has at most 1,048,576 rows: more is a 413. `

var wkt = endpoint.Enum("geometry", "none, or a column geometry as well-known text.", []string{"none", "wkt"}, endpoint.Default("none"))

// commaTables is the form of /export/csv: of several layers its files are zips.
var commaTables = &fileForm{
	form: commaForm, media: csvType, path: "csv", title: "CSV tables", doc: csvDoc,
	all: fileLayers(), usual: []layer{parcels}, layers: layersParam(fileLayers(), []layer{parcels}), wkt: wkt,
	system:  systemParam("System of the coordinates x and y, and of the geometry.", crs.WGS84),
	perByte: map[layer]float64{parcels: 1.1, buildings: 0.4, footprints: 0.32, labels: 0.47, landUsePolygons: 0.72, landUsePoints: 0.75},
	packed:  true, write: (*plan).writeCSV,
}

// workbooks is the form of /export/xlsx.
var workbooks = &fileForm{
	form: "xlsx", media: xlsxType, path: "xlsx", title: "XLSX workbooks", doc: xlsxDoc,
	all: fileLayers(), usual: []layer{parcels}, layers: layersParam(fileLayers(), []layer{parcels}),
	system:  systemParam("System of the coordinates x and y.", crs.WGS84),
	perByte: map[layer]float64{parcels: 1.5, buildings: 0.25, footprints: 0.4, labels: 0.5, landUsePolygons: 0.6, landUsePoints: 0.5},
	write:   (*plan).writeXLSX,
}

// zipped says whether the file of an order is a zip of CSVs.
func (o order) zipped() bool { return o.Form == commaForm && len(o.Layers) > 1 }

// placed are rows with their position in another system behind their columns.
type placed struct {
	format.Row
	rowType  *format.RowType
	at       format.Projection
	lon, lat int
}

func (r *placed) RowType() *format.RowType { return r.rowType }

func (r *placed) Value(i int) format.Value {
	n := len(r.rowType.Columns) - 2
	if i < n {
		return r.Row.Value(i)
	}
	lon, ok := r.Row.Value(r.lon).Float64()
	lat, there := r.Row.Value(r.lat).Float64()
	if !ok || !there {
		return format.Null
	}
	x, y := r.at.Forward(lon, lat)
	return format.Float(pick(i == n, x, y), 3)
}

// flat is a layer as a table: its rows and how they are written.
func (p *plan) flat(ctx context.Context, l layer, o order) (format.Seq, *format.Layout, error) {
	at, ok := endpoint.ProjectionOf(o.EPSG)
	of, err := rowschema.ParseLayer(string(l))
	if err != nil || !ok {
		return nil, nil, fmt.Errorf("a table of the layer %q in EPSG:%d", l, o.EPSG)
	}
	t := fileTable(of)
	seq, rowType := p.rows(ctx, t, new(int)), t.RowType()
	if at.Forward != nil {
		axis := func(name, way string) format.Column {
			return format.Column{Name: name, Type: format.TypeFloat, Decimals: 3, Unit: "m", Doc: way + " of lon and lat in " + at.URN() + "."}
		}
		r := &placed{at: at, lon: rowType.Index("lon"), lat: rowType.Index("lat")}
		r.rowType = format.NewRowType(rowType.Name, rowType.Doc, rowType.Shape,
			append(slices.Clip(rowType.Columns), axis("x", "Easting"), axis("y",
				"Northing"))...)
		rowType = r.rowType
		plain := seq
		seq = func(yield func(format.Row, error) bool) {
			for row, err := range plain {
				if r.Row = row; !yield(r, err) {
					return
				}
			}
		}
	}
	var names []string
	for _, c := range rowType.Columns {
		names = append(names, c.Name)
	}
	if o.WKT {
		names = append(names, "geometry")
	}
	layout := format.NewLayout(names, rowType)
	layout.Projection = at
	return seq, layout, nil
}

// writeCSV writes the tables of an order.
func (p *plan) writeCSV(ctx context.Context, path string, o order) error {
	return create(path, func(to io.Writer) error {
		if !o.zipped() {
			return p.writeTable(ctx, to, o.Layers[0], o)
		}
		day, _ := time.Parse(time.DateOnly, p.stichtag) // of no KG: the zero time
		z := zip.NewWriter(to)
		member := func(name string) (io.Writer, error) {
			return z.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Deflate, Modified: day})
		}
		about, err := member(readme + ".txt")
		if err != nil {
			return err
		}
		lines, err := p.describeTables(ctx, o)
		if err != nil {
			return err
		}
		for _, line := range lines {
			if _, err := io.WriteString(about, strings.TrimRight(strings.Join(line, "  "), " ")+"\r\n"); err != nil {
				return err
			}
		}
		for _, l := range o.Layers {
			w, err := member(string(l) + ".csv")
			if err == nil {
				err = p.writeTable(ctx, w, l, o)
			}
			if err != nil {
				return err
			}
		}
		return z.Close()
	})
}

func (p *plan) writeTable(ctx context.Context, to io.Writer, l layer, o order) error {
	rows, layout, err := p.flat(ctx, l, o)
	if err != nil {
		return err
	}
	b := format.NewBuffer(to)
	if err := format.WriteCSV(b, layout, rows); err != nil {
		b.Close()
		return err
	}
	return b.Flush()
}

// describeTables are lines about the tables: of each what it is and its columns with unit and meaning.
func (p *plan) describeTables(ctx context.Context, o order) (lines [][]string, err error) {
	lines = [][]string{{rowschema.Title}}
	for _, l := range o.Layers {
		_, layout, err := p.flat(ctx, l, o)
		if err != nil {
			return nil, err
		}
		lines = append(lines, nil, []string{string(l)}, []string{p.describe(layout.RowTypes[0])})
		for i, name := range layout.Names() {
			c := layout.Column(i)
			lines = append(lines, []string{name, c.Unit, c.Doc})
		}
	}
	return lines, nil
}

// writeXLSX writes the workbook of an order.
func (p *plan) writeXLSX(ctx context.Context, path string, o order) error {
	var sheets []xlsx.Sheet
	for _, l := range o.Layers {
		rows, layout, err := p.flat(ctx, l, o)
		if err != nil {
			return err
		}
		sheets = append(sheets, xlsx.Sheet{Name: string(l), Rows: cells(rows, layout)})
	}
	lines, err := p.describeTables(ctx, o)
	if err != nil {
		return err
	}
	sheets = append(sheets, xlsx.Sheet{Name: readme, Rows: func(yield func([]xlsx.Cell, error) bool) {
		for _, line := range lines {
			row := make([]xlsx.Cell, len(line))
			for i, text := range line {
				row[i].Text = text
			}
			if !yield(row, nil) {
				return
			}
		}
	}})
	return refusedSheet(create(path, func(to io.Writer) error { return xlsx.WriteSheets(to, sheets) }))
}

// refusedSheet says in words that a sheet is too large.
func refusedSheet(err error) error {
	if errors.Is(err, xlsx.ErrTooLarge) {
		return fault.New(fault.TooLarge,
			"a sheet of a workbook has at most %d rows, the header among them: ask for fewer KGs, or for /export/csv",
			xlsx.MaxRows).Because(err)
	}
	return err
}

// cells are the rows of a sheet, the names of the columns first. The row is used again.
func cells(rows format.Seq, l *format.Layout) func(func([]xlsx.Cell, error) bool) {
	return func(yield func([]xlsx.Cell, error) bool) {
		row := make([]xlsx.Cell, len(l.Names()))
		for i, name := range l.Names() {
			row[i].Text = name
		}
		if !yield(row, nil) {
			return
		}
		for r, err := range rows {
			if err == nil {
				for i := range row {
					row[i] = cellOf(l.Cell(r, i))
				}
			}
			if !yield(row, err) {
				return
			}
		}
	}
}

func cellOf(v format.Value) xlsx.Cell {
	if text, ok := v.Str(); ok {
		return xlsx.Cell{Text: text}
	}
	if n, ok := v.Int64(); ok {
		return xlsx.Cell{Text: strconv.FormatInt(n, 10), Number: true}
	}
	if f, ok := v.Float64(); ok && !math.IsNaN(f) && !math.IsInf(f, 0) {
		return xlsx.Cell{Text: strconv.FormatFloat(f, 'f', -1, 64), Number: true}
	}
	return xlsx.Cell{}
}
