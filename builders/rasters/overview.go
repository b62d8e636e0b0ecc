package rasters

import (
	"context"
	"fmt"
	"io"
	"math"

	"mappe/artefacts/cog"
	"mappe/artefacts/rasters"
	"mappe/shared/cloud/store"
	"mappe/shared/geo/raster"
)

// Overview are the heights of a tile in the cells of one of its overviews.
type Overview struct {
	*raster.Grid
	Extent raster.Box // of the file: the last column and row of an overview may reach beyond it
}

const (
	// frontBytes is what is read of a tile at first: the directories and the overview of 16 m, which stand in front, have up to
	// 300 KB of a whole tile of heights.
	frontBytes = 384 << 10
	// maxOverview bounds the cells of an overview: files of builders/rasters have overviews down to 512 x 512.
	maxOverview = 1 << 20
)

// ReadOverview reads the coarsest overview of a tile of heights whose cells are at most so many metres wide, with one read as a rule.
// The errors are those of the store, and cog.ErrFormat of a file that is damaged.
func ReadOverview(ctx context.Context, s store.Store, t *rasters.Tile, most float64) (*Overview, error) {
	in := &front{head: make([]byte, min(t.Bytes, frontBytes)), rest: store.InPlace(ctx, s, t.Key)}
	if _, err := in.rest.ReadAt(in.head, 0); err != nil && err != io.EOF {
		return nil, fmt.Errorf("read %s: %w", t.Key, err)
	}
	f, err := cog.Open(in, t.Bytes)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", t.Key, err)
	}
	im := &f.Images[0]
	for i := range f.Images {
		if f.Grid(&f.Images[i]).Step <= most {
			im = &f.Images[i]
		}
	}
	if im.Width*im.Height > maxOverview || im.Bands != 1 {
		return nil, fmt.Errorf("%s: %w: %d bands of %d x %d cells of at most %g m", t.Key, cog.ErrFormat, im.Bands, im.Width, im.Height,
			most)
	}
	g, err := f.Read(in, im, 0, im.Whole())
	if err != nil {
		return nil, fmt.Errorf("%s: %w", t.Key, err)
	}
	whole := f.Grid(&f.Images[0])
	return &Overview{Grid: g, Extent: raster.Box{West: whole.West, South: whole.South(), East: whole.East(), North: whole.North}}, nil
}

// At is the height at a place, between the centres of the four cells around it; beyond the outermost centres, up to the border
// of the file, it goes on as it does between the last two, so that neighbouring tiles meet. Where one of the four is unknown it is that
// of the cell that the place lies in; NaN outside.
func (o *Overview) At(x, y float64) float32 {
	if !(x >= o.Extent.West && x < o.Extent.East && y > o.Extent.South && y <= o.Extent.North) {
		return float32(math.NaN())
	}
	if o.Cols < 2 || o.Rows < 2 {
		return o.Grid.At(x, y)
	}
	col, u := between(x-o.West, o.Extent.East-o.West, o.Step, o.Cols)
	row, v := between(o.North-y, o.North-o.Extent.South, o.Step, o.Rows)
	a, b := o.Row(row)[col:], o.Row(row + 1)[col:]
	north := float64(float64(a[0])*(1-u)) + float64(float64(a[1])*u)
	south := float64(float64(b[0])*(1-u)) + float64(float64(b[1])*u)
	if z := float32(float64(north*(1-v)) + float64(south*v)); z == z {
		return z
	}
	return o.Grid.At(x, y)
}

// between is the first of the two cells of a line between whose centres a distance from its beginning lies, and how far from one
// to the other. The last cell ends where the line does.
func between(at, length, step float64, n int) (cell int, part float64) {
	centre := func(i int) float64 { return (float64(float64(i)*step) + min(float64(float64(i+1)*step), length)) / 2 }
	cell = min(max(int(at/step-0.5), 0), n-2)
	return cell, (at - centre(cell)) / (centre(cell+1) - centre(cell))
}

// front reads a file of which the beginning has been read.
type front struct {
	head []byte
	rest io.ReaderAt
}

// ReadAt reads a range.
func (f *front) ReadAt(b []byte, at int64) (int, error) {
	if at >= 0 && at+int64(len(b)) <= int64(len(f.head)) {
		return copy(b, f.head[at:]), nil
	}
	return f.rest.ReadAt(b, at)
}
