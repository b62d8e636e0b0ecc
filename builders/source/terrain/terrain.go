// Package terrain reads heights as grids of text (Esri ASCII grid): the files terrain/*.asc of a raw source. It owns their place and
// holds them whole, for the relief of the map, which builders/relief makes; builders/source/asciigrid reads the text.
package terrain

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"path"
	"slices"
	"strings"

	"mappe/builders/source/asciigrid"
	"mappe/shared/geo/crs"
)

// Folder is its place in a raw source.
const Folder = "terrain"

// maxCells bounds the cells of all files, which are held: the country at 30 m has 190 million, 380 MB.
const maxCells = 200_000_000

// Grid is a file. A height is kept in steps of 0.1 m.
type Grid struct {
	System     crs.System
	Cols, Rows int
	X, Y       float64 // centre of the south-western cell
	Step       float64 // from centre to centre
	heights    []uint16
}

// The heights that are kept: from -500 to 6,053 m.
const (
	lowest  = -500.0
	perM    = 10
	unknown = math.MaxUint16
)

// Model is the terrain of a source.
type Model []*Grid

// Read reads the files of the folder; nil if the folder does not exist.
func Read(files fs.FS) (Model, error) {
	entries, err := fs.ReadDir(files, Folder)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var m Model
	left := maxCells
	for _, e := range entries {
		if e.IsDir() || !strings.EqualFold(path.Ext(e.Name()), ".asc") {
			continue
		}
		g, err := read(files, path.Join(Folder, e.Name()), left)
		if err != nil {
			return nil, err
		}
		left -= g.Cols * g.Rows
		m = append(m, g)
	}
	// Where several hold a place the finest counts.
	slices.SortStableFunc(m, func(a, b *Grid) int { return int(math.Copysign(1, a.metres()-b.metres())) })
	return m, nil
}

func read(files fs.FS, name string, left int) (*Grid, error) {
	in, err := files.Open(name)
	if err != nil {
		return nil, err
	}
	defer in.Close() // read only
	info, err := in.Stat()
	if err != nil {
		return nil, err
	}
	g, err := Parse(in, info.Size(), name, left)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return g, nil
}

// Parse reads a grid of at most so many cells; size is that of the file in bytes, name its name.
func Parse(in io.Reader, size int64, name string, most int) (*Grid, error) {
	r, err := asciigrid.NewReader(in, name)
	if err != nil {
		return nil, err
	}
	if r.Cells() > int64(most) {
		return nil, fmt.Errorf("%d columns and %d rows: all grids together have at most %d cells; gdal_translate -tr makes them coarser",
			r.Cols, r.Rows, maxCells)
	}
	if err := r.Fits(size); err != nil {
		return nil, err
	}
	g := &Grid{System: r.System, Cols: r.Cols, Rows: r.Rows, X: r.X, Y: r.Y, Step: r.Step}
	g.heights = make([]uint16, g.Cols*g.Rows)
	for row := g.Rows - 1; row >= 0; row-- {
		for col := range g.Cols {
			v, err := r.Next()
			if err != nil {
				return nil, err
			}
			step := math.Round((v - lowest) * perM)
			switch {
			case math.IsNaN(v):
				step = unknown
			case !(step >= 0 && step < unknown):
				return nil, fmt.Errorf("height %d of %d is %g: want %g to %g m", (g.Rows-1-row)*g.Cols+col+1, g.Cols*g.Rows, v, lowest,
					lowest+(unknown-1)/perM)
			}
			g.heights[row*g.Cols+col] = uint16(step)
		}
	}
	if err := r.End(); err != nil {
		return nil, err
	}
	return g, nil
}

// metres is the distance of two cells.
func (g *Grid) metres() float64 {
	if g.System == crs.WGS84 {
		return g.Step * 111_195
	}
	return g.Step
}

// StepMetres is the distance of two cells of the finest grid.
func (m Model) StepMetres() float64 { return m[0].metres() }

// Split are the grids whose cells are smaller than so many metres, and the others.
func (m Model) Split(metres float64) (finer, others Model) {
	n := 0
	for n < len(m) && m[n].metres() < metres {
		n++
	}
	return m[:n], m[n:]
}

// At is the height at a place, between the four cells around it; ok is false where one of them has none.
func (m Model) At(lon, lat float64) (metres float64, ok bool) {
	for _, g := range m {
		if h, ok := g.at(lon, lat); ok {
			return h, true
		}
	}
	return 0, false
}

func (g *Grid) at(lon, lat float64) (float64, bool) {
	x, y := lon, lat
	if g.System != crs.WGS84 {
		x, y = g.System.Forward(lon, lat)
	}
	x, y = (x-g.X)/g.Step, (y-g.Y)/g.Step
	col, row := math.Floor(x), math.Floor(y)
	if !(col >= 0 && row >= 0 && int(col) < g.Cols-1 && int(row) < g.Rows-1) {
		return 0, false
	}
	x, y = x-col, y-row
	at := int(row)*g.Cols + int(col)
	sw, se, nw, ne := g.heights[at], g.heights[at+1], g.heights[at+g.Cols], g.heights[at+g.Cols+1]
	if sw == unknown || se == unknown || nw == unknown || ne == unknown {
		return 0, false
	}
	h := (float64(sw)*(1-x)+float64(se)*x)*(1-y) + (float64(nw)*(1-x)+float64(ne)*x)*y
	return h/perM + lowest, true
}

// Write writes all of it, for a fingerprint.
func (m Model) Write(w io.Writer) error {
	for _, g := range m {
		if _, err := fmt.Fprintln(w, g.System, g.Cols, g.Rows, g.X, g.Y, g.Step); err != nil {
			return err
		}
		if err := binary.Write(w, binary.LittleEndian, g.heights); err != nil {
			return err
		}
	}
	return nil
}

// Mean is the mean height of all cells; 0 of none.
func (m Model) Mean() float64 {
	sum, n := 0.0, 0
	for _, g := range m {
		for _, h := range g.heights {
			if h != unknown {
				sum += float64(h)
				n++
			}
		}
	}
	if n == 0 {
		return 0
	}
	return sum/float64(n)/perM + lowest
}

// Area is about how many m² have a height, grid by grid.
func (m Model) Area() float64 {
	area := 0.0
	for _, g := range m {
		n := 0
		for _, h := range g.heights {
			if h != unknown {
				n++
			}
		}
		cell := g.metres() * g.metres()
		if g.System == crs.WGS84 {
			cell *= math.Cos((g.Y + float64(g.Rows)/2*g.Step) * math.Pi / 180)
		}
		area += float64(n) * cell
	}
	return area
}

// Box are the degrees that the grids lie in: west, south, east, north.
func (m Model) Box() (box [4]float64) {
	box = [4]float64{180, 90, -180, -90}
	for _, g := range m {
		for i := range 33 { // meridians bend: points of the border stand for it
			for _, p := range [][2]float64{{float64(i) / 32, 0}, {float64(i) / 32, 1}, {0, float64(i) / 32}, {1, float64(i) / 32}} {
				lon, lat := g.System.Inverse(g.X+p[0]*float64(g.Cols-1)*g.Step, g.Y+p[1]*float64(g.Rows-1)*g.Step)
				box = [4]float64{min(box[0], lon), min(box[1], lat), max(box[2], lon), max(box[3], lat)}
			}
		}
	}
	return box
}
