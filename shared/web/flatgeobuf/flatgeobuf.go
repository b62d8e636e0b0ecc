// Package flatgeobuf writes FlatGeobuf 3.0 files: one layer of points or multipolygons with typed attributes and a
// spatial index, in WGS84 or one of the systems of shared/geo/crs. It owns how rows of shared/web/format become features;
// the tables of the format and its index are those of gogama/flatgeobuf.
//
//	magic   8 bytes, "fgb" 3 "fgb" 1
//	header  u32 length, table Header: name, envelope, geometry type, columns, count, node size, system, licence
//	index   packed Hilbert R-tree, 16 boxes a node; absent where no feature has a geometry
//	feature u32 length, table Feature: geometry, then for each value that is not null u16 column, value
//
// Features stand along the Hilbert curve, as the index does, so that a box is few ranges of the file; those without a
// position stand last, where no box finds them. They are written to a file beside first, because the header counts them
// and the index comes before them: in memory are some 100 bytes of each. The same rows give the same bytes.
package flatgeobuf

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/gogama/flatgeobuf/packedrtree"

	"mappe/shared/web/format"
)

// ContentType is what servers and clients of the format use; none is registered.
const ContentType = "application/flatgeobuf"

// Layer is the content of a file.
type Layer struct {
	Name        string
	Title       string
	Description string
	Metadata    string // JSON: licence, whom to name, date of the data
	Layout      *format.Layout
	Rows        format.Seq
}

// MaxBytes bounds the features of a file.
const MaxBytes = 64 << 30

// nodeSize is the boxes in a node of the index, as all writers of the format have it.
const nodeSize = 16

// magic is that of version 3.0.1.
var magic = []byte{'f', 'g', 'b', 3, 'f', 'g', 'b', 1}

// writer gathers the features of a file.
type writer struct {
	l      Layer
	beside *bufio.Writer     // the features in the order of the rows
	ends   []int64           // where each of them ends beside
	refs   []packedrtree.Ref // boxes with the number of the feature
	bare   []packedrtree.Ref // features without a geometry
	bounds packedrtree.Box
	f      feature
}

// WriteFile makes the file at a path where no file exists yet. The folder must have room for it twice.
func WriteFile(ctx context.Context, path string, l Layer) (err error) {
	beside, err := os.CreateTemp(filepath.Dir(path), "features")
	if err != nil {
		return fmt.Errorf("flatgeobuf: %w", err)
	}
	named := os.Remove(beside.Name()) != nil // a process that is killed leaves nothing behind; Windows keeps the name of an open file
	defer func() {
		if err = errors.Join(err, beside.Close()); named {
			err = errors.Join(err, os.Remove(beside.Name()))
		}
	}()
	w := &writer{l: l, beside: bufio.NewWriterSize(beside, 256<<10), bounds: packedrtree.EmptyBox}
	if err := w.gather(ctx); err != nil {
		return err
	}
	file, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
	if err != nil {
		return fmt.Errorf("flatgeobuf: %w", err)
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	return w.finish(ctx, file, beside)
}

// gather writes the features beside.
func (w *writer) gather(ctx context.Context) error {
	w.f.layout, w.f.shape = w.l.Layout, shapeOf(w.l.Layout)
	at := int64(0)
	for r, err := range w.l.Rows {
		if err != nil {
			return err
		}
		if len(w.ends)&0xFFF == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		g := r.Geometry()
		e, ok := w.l.Layout.Projection.Envelope(g)
		body, err := w.f.encode(r, g, ok)
		if err != nil {
			return err
		}
		ref := packedrtree.Ref{Box: packedrtree.EmptyBox, Offset: int64(len(w.ends))}
		if ok {
			ref.Box = packedrtree.Box{XMin: e[0], YMin: e[1], XMax: e[2], YMax: e[3]}
			w.bounds.Expand(&ref.Box)
			w.refs = append(w.refs, ref)
		} else {
			w.bare = append(w.bare, ref)
		}
		if at += int64(len(body)); at > MaxBytes {
			return fmt.Errorf("flatgeobuf: the features have more than %d bytes", int64(MaxBytes))
		}
		w.ends = append(w.ends, at)
		if _, err := w.beside.Write(body); err != nil {
			return fmt.Errorf("flatgeobuf: %w", err)
		}
	}
	if err := w.beside.Flush(); err != nil {
		return fmt.Errorf("flatgeobuf: %w", err)
	}
	return nil
}

// part is where a feature lies beside.
func (w *writer) part(n int64) (offset, length int64) {
	if n > 0 {
		offset = w.ends[n-1]
	}
	return offset, w.ends[n] - offset
}

// finish writes the file from the features beside.
func (w *writer) finish(ctx context.Context, file io.Writer, beside io.ReaderAt) error {
	out := bufio.NewWriterSize(file, 256<<10)
	indexed := len(w.refs) > 0
	packedrtree.HilbertSort(w.refs, w.bounds)
	refs := append(w.refs, w.bare...)
	order, at := make([]int64, len(refs)), int64(0)
	for i := range refs {
		order[i] = refs[i].Offset
		_, length := w.part(order[i])
		refs[i].Offset = at
		at += length
	}
	if _, err := out.Write(append(magic[:len(magic):len(magic)], w.header(indexed)...)); err != nil {
		return fmt.Errorf("flatgeobuf: %w", err)
	}
	if indexed {
		tree, err := packedrtree.New(refs, nodeSize)
		if err == nil {
			_, err = tree.Marshal(out)
		}
		if err != nil {
			return fmt.Errorf("flatgeobuf: index: %w", err)
		}
	}
	var body []byte
	for i, n := range order {
		if i&0xFFF == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		offset, length := w.part(n)
		body = slices.Grow(body[:0], int(length))[:length]
		if _, err := beside.ReadAt(body, offset); err != nil {
			return fmt.Errorf("flatgeobuf: %w", err)
		}
		if _, err := out.Write(body); err != nil {
			return fmt.Errorf("flatgeobuf: %w", err)
		}
	}
	if err := out.Flush(); err != nil {
		return fmt.Errorf("flatgeobuf: %w", err)
	}
	return nil
}
