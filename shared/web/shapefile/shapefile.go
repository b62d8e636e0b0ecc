// Package shapefile writes zipped shapefiles: of each layer, or of each row type of an answer, one set of .shp, .shx, .dbf, .prj
// and .cpg, in one of the systems of shared/geo/crs. It owns how rows of shared/web/format become shapes and cells, and how their
// columns are named there.
// The reader is shared/geo/shapefile.
//
//	.shp  100 bytes of header, then records: number, length in 16-bit words (int32 BE) · type 0, 1, 3 or 5 · position, or box, parts,
//	      points
//	.shx  100 bytes of header, then 8 bytes a record: where it begins and its length, in words (int32 BE)
//	.dbf  header, 32 bytes a column, 0x0D, rows of fixed width, 0x1A; text is UTF-8, which the .cpg says
//
// Outer rings run clockwise, inner ones against it. Cells that are not known are blank. A text longer than 254 bytes ends there, at
// the end of a character. A name of a column has at most 10 bytes: see Names. What does not fit into a set, of which each file has
// at most 2 GB, goes on in a set NAME_2, NAME_3 and so on.
//
// Rows are written to files beside the archive and packed when their layer is over: the widths of the columns and the head of the
// .shp come before the rows and are known behind them. In memory are the current row and the widths. The same rows give the
// same bytes.
package shapefile

import (
	"bufio"
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"mappe/shared/geo/crs"
	"mappe/shared/web/format"
)

// ContentType is that of the archive.
const ContentType = "application/zip"

// MaxFile bounds each file of a set in bytes: beyond 2 GB readers differ.
const MaxFile = 1<<31 - 1

// firstDay is the earliest day that a zip can say.
var firstDay = time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC)

// Archive is the content of a file.
type Archive struct {
	Layers []Layer
	Texts  []Text    // further files: what is in it, licence, whom to name
	Time   time.Time // date of the members; zero: 1980-01-01
}

// Text is a file of plain text beside the layers.
type Text struct{ Name, Body string }

// Layer is one set of files. The layout has one row type.
type Layer struct {
	Name   string
	Layout *format.Layout
	Rows   format.Seq
}

// archive writes the members of a file.
type archive struct {
	zip     *packer
	dir     string // of the files beside
	time    time.Time
	maxFile int64
}

// WriteFile makes the file at a path where no file exists yet. The folder must have room for the unpacked files of the largest layer
// beside it.
func WriteFile(ctx context.Context, path string, a Archive) error {
	return writeFile(ctx, path, a, MaxFile)
}

func writeFile(ctx context.Context, path string, a Archive, maxFile int64) (err error) {
	file, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
	if err != nil {
		return fmt.Errorf("shapefile: %w", err)
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	out := bufio.NewWriterSize(file, 256<<10)
	w := &archive{zip: &packer{out: out}, dir: filepath.Dir(path), time: a.Time, maxFile: maxFile}
	if w.time.Before(firstDay) {
		w.time = firstDay
	}
	w.zip.day = w.time
	for _, t := range a.Texts {
		if err := w.text(t.Name, t.Body); err != nil {
			return err
		}
	}
	for _, l := range a.Layers {
		if err := w.layer(ctx, l); err != nil {
			return err
		}
	}
	if err := errors.Join(w.zip.finish(), out.Flush()); err != nil {
		return fmt.Errorf("shapefile: %w", err)
	}
	return nil
}

// member begins a member of the archive.
func (w *archive) member(name string) (io.Writer, error) {
	if err := w.zip.member(name); err != nil {
		return nil, fmt.Errorf("shapefile: %s: %w", name, err)
	}
	return w.zip, nil
}

func (w *archive) text(name, body string) error {
	m, err := w.member(name)
	if err == nil {
		_, err = io.WriteString(m, body)
	}
	return err
}

// layer writes the sets of a layer.
func (w *archive) layer(ctx context.Context, l Layer) (err error) {
	columns, shape, err := columnsOf(l.Layout)
	if err != nil {
		return fmt.Errorf("shapefile: layer %s: %w", l.Name, err)
	}
	name, number := l.Name, 1
	s, err := w.begin(l, columns, shape)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.close()) }()
	n := 0
	for r, rowErr := range l.Rows {
		if rowErr != nil {
			return rowErr
		}
		if n++; n&0xFFF == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if err := s.encode(r); err != nil {
			return err
		}
		if s.full(w.maxFile) {
			if err := errors.Join(w.pack(ctx, s), s.close()); err != nil {
				return err
			}
			number++
			l.Name = setName(name, number)
			row := s.pending
			if s, err = w.begin(l, columns, shape); err != nil {
				return err
			}
			s.pending = row
			if s.full(w.maxFile) {
				return fmt.Errorf("shapefile: layer %s: one row has more than %d bytes", l.Name, w.maxFile)
			}
		}
		if err := s.take(); err != nil {
			return err
		}
	}
	return w.pack(ctx, s)
}

// setName is the name of the n-th set of a layer.
func setName(layer string, n int) string {
	if n == 1 {
		return layer
	}
	return fmt.Sprintf("%s_%d", layer, n)
}

// pack writes the members of a set; one without shapes is a table alone.
func (w *archive) pack(ctx context.Context, s *set) error {
	if err := errors.Join(s.shapes.Flush(), s.index.Flush(), s.cells.Flush()); err != nil {
		return fmt.Errorf("shapefile: %s: %w", s.name, err)
	}
	members := []struct {
		ending string
		write  func(io.Writer) error
	}{
		{".shp", func(to io.Writer) error { return s.copyOf(ctx, to, s.header(100+s.shapeBytes), s.files[0]) }},
		{".shx", func(to io.Writer) error { return s.copyOf(ctx, to, s.header(100+8*int64(s.rows)), s.files[1]) }},
		{".dbf", func(to io.Writer) error { return s.writeDBF(ctx, to, w.time) }},
	}
	if s.shape == none {
		members = members[2:]
	}
	for _, m := range members {
		to, err := w.member(s.name + m.ending)
		if err == nil {
			err = m.write(to)
		}
		if err != nil {
			return fmt.Errorf("shapefile: %s%s: %w", s.name, m.ending, err)
		}
	}
	if s.shape != none {
		if err := w.text(s.name+".prj", crs.System(cmp.Or(s.layout.Projection.EPSG, int(crs.WGS84))).ESRI()); err != nil {
			return err
		}
	}
	return w.text(s.name+".cpg", "UTF-8")
}

// copyOf writes a head and a file behind it.
func (s *set) copyOf(ctx context.Context, to io.Writer, head []byte, f *os.File) error {
	if _, err := to.Write(head); err != nil {
		return err
	}
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return err
	}
	_, err := io.Copy(to, reader{ctx, f})
	return err
}

// reader ends with its context.
type reader struct {
	ctx context.Context
	r   io.Reader
}

func (r reader) Read(p []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	return r.r.Read(p)
}

// header is the head of a .shp or .shx of a size.
func (s *set) header(size int64) []byte {
	b := make([]byte, 100)
	binary.BigEndian.PutUint32(b, 9994)
	binary.BigEndian.PutUint32(b[24:], uint32(size/2))
	binary.LittleEndian.PutUint32(b[28:], 1000)
	binary.LittleEndian.PutUint32(b[32:], uint32(s.shape))
	if s.some {
		for i, v := range s.box {
			putFloat(b[36+8*i:], v)
		}
	}
	return b
}
