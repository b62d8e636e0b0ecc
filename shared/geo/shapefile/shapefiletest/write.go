// Package shapefiletest writes small shapefiles as tests need them. Only tests use it.
package shapefiletest

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"math"
	"os"
	"slices"
	"testing"

	"golang.org/x/text/encoding/charmap"

	"mappe/shared/geo/shapefile"
)

// File is a shapefile.
type File struct {
	Type    uint32 // 1, 3, 5, 8, 13, 15, 25; 0 means 5
	Columns []string
	Rows    []Row
	UTF8    bool // else the text is Latin-1
	Prj     string
	Cpg     string
}

// Row is a row; rings are closed by the writer. Nothing of them makes a null shape.
type Row struct {
	Rings   [][]shapefile.XY
	Lines   [][]shapefile.XY
	Points  []shapefile.XY
	Cells   []string
	Deleted bool
}

// MGILambert is what GDAL and the survey office write as .prj of EPSG:31287.
const MGILambert = `PROJCS["MGI_Austria_Lambert",GEOGCS["GCS_MGI",DATUM["D_MGI",SPHEROID["Bessel_1841",6377397.155,299.1528128]],PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]],PROJECTION["Lambert_Conformal_Conic"],UNIT["Meter",1.0]]`

const width = 60 // of every column

// SHP is the stream of shapes.
func (f *File) SHP() []byte {
	typ := f.Type
	if typ == 0 {
		typ = 5
	}
	out := make([]byte, 100)
	binary.BigEndian.PutUint32(out, 9994)
	binary.LittleEndian.PutUint32(out[28:], 1000)
	binary.LittleEndian.PutUint32(out[32:], typ)
	for i, r := range f.Rows {
		body := shape(typ, r)
		out = binary.BigEndian.AppendUint32(out, uint32(i+1))
		out = binary.BigEndian.AppendUint32(out, uint32(len(body)/2))
		out = append(out, body...)
	}
	binary.BigEndian.PutUint32(out[24:], uint32(len(out)/2))
	return out
}

func shape(typ uint32, row Row) []byte {
	if len(row.Rings)+len(row.Lines)+len(row.Points) == 0 {
		return make([]byte, 4)
	}
	b := binary.LittleEndian.AppendUint32(nil, typ)
	if typ == 1 {
		return put(b, row.Points[0])
	}
	b = append(b, make([]byte, 32)...) // the box: nobody reads it
	if typ == 8 {
		return put(binary.LittleEndian.AppendUint32(b, uint32(len(row.Points))), row.Points...)
	}
	n, starts, positions := 0, []byte(nil), []byte(nil)
	part := func(line []shapefile.XY) {
		starts = binary.LittleEndian.AppendUint32(starts, uint32(n))
		positions = put(positions, line...)
		n += len(line)
	}
	for _, r := range row.Rings {
		part(append(slices.Clone(r), r[0]))
	}
	for _, l := range row.Lines {
		part(l)
	}
	b = binary.LittleEndian.AppendUint32(b, uint32(len(row.Rings)+len(row.Lines)))
	b = binary.LittleEndian.AppendUint32(b, uint32(n))
	b = append(append(b, starts...), positions...)
	if typ == 13 || typ == 15 {
		b = append(b, make([]byte, 16+8*n)...) // heights, without measures
	}
	return b
}

func put(b []byte, positions ...shapefile.XY) []byte {
	for _, p := range positions {
		for _, v := range p {
			b = binary.LittleEndian.AppendUint64(b, math.Float64bits(v))
		}
	}
	return b
}

// DBF is the stream of attributes.
func (f *File) DBF() []byte {
	head := 32 + 32*len(f.Columns) + 1
	out := make([]byte, 32, head)
	out[0] = 3
	binary.LittleEndian.PutUint32(out[4:], uint32(len(f.Rows)))
	binary.LittleEndian.PutUint16(out[8:], uint16(head))
	binary.LittleEndian.PutUint16(out[10:], uint16(1+width*len(f.Columns)))
	for _, c := range f.Columns {
		d := make([]byte, 32)
		copy(d[:10], c)
		d[11], d[16] = 'C', width
		out = append(out, d...)
	}
	out = append(out, 0x0D)
	for _, r := range f.Rows {
		out = append(out, map[bool]byte{false: ' ', true: '*'}[r.Deleted])
		for i := range f.Columns {
			cell := ""
			if i < len(r.Cells) {
				cell = r.Cells[i]
			}
			b := []byte(cell)
			if !f.UTF8 {
				b, _ = charmap.ISO8859_1.NewEncoder().Bytes(b) // tests write what Latin-1 has
			}
			out = append(append(out, b...), bytes.Repeat([]byte{' '}, width-len(b))...)
		}
	}
	return append(out, 0x1A)
}

// WriteZip writes the file zipped, in a folder of the archive.
func (f *File) WriteZip(t testing.TB, path string) {
	t.Helper()
	if err := os.WriteFile(path, f.Zip(t), 0o644); err != nil {
		t.Fatal(err)
	}
}

// Zip is the archive that WriteZip writes.
func (f *File) Zip(t testing.TB) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, m := range []struct {
		ext  string
		body []byte
	}{{".shp", f.SHP()}, {".DBF", f.DBF()}, {".prj", []byte(f.Prj)}, {".cpg", []byte(f.Cpg)}} {
		if len(m.body) == 0 {
			continue
		}
		w, err := z.Create("VGD/Oesterreich_BEV_VGD_LAM" + m.ext)
		if err == nil {
			_, err = w.Write(m.body)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}
