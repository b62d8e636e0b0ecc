// Package terrain reads heights as grids of text (Esri ASCII grid, which GDAL writes as AAIGrid): the files terrain/*.asc
// of a raw source. It owns the raw form; the relief of the map is builders/terrain's.
//
// A file begins with the lines ncols, nrows, xllcorner or xllcenter, yllcorner or yllcenter, cellsize and, where some
// cells have no height, NODATA_value; the heights in metres follow, the rows from north to south. Coordinates are those of
// the system that the file's name holds (dgm_epsg31255.asc: one of shared/geo/crs). Without one they are degrees in WGS84,
// or metres in EPSG:31287 where these are in Austria, as the survey office and the states hand their models out.
package terrain

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

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

// Read reads the files of the folder; nil where there is none.
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

var coded = regexp.MustCompile(`(?i)epsg[-_ ]?([0-9]{4,5})`)

// systemOf is the reference system that a file's name holds; 0 where it holds none.
func systemOf(name string) (crs.System, error) {
	m := coded.FindStringSubmatch(path.Base(name))
	if m == nil {
		return 0, nil
	}
	return crs.Parse("EPSG:" + m[1])
}

// isPlace says whether a cell is a place on the earth, of a projection a place in or near Austria.
func (g *Grid) isPlace() bool {
	lon, lat := g.System.Inverse(g.X, g.Y)
	if g.System == crs.WGS84 {
		return lon >= -180 && lon <= 180 && lat >= -89 && lat <= 89
	}
	return lon >= 8 && lon <= 19 && lat >= 45 && lat <= 50
}

// Parse reads a grid of at most so many cells; size is that of the file in bytes, name its name.
func Parse(in io.Reader, size int64, name string, most int) (*Grid, error) {
	system, err := systemOf(name)
	if err != nil {
		return nil, err
	}
	s := &scanner{r: bufio.NewReaderSize(in, 1<<16)}
	head, first, err := s.head()
	if err != nil {
		return nil, err
	}
	g := &Grid{System: system}
	if err := g.about(head, most); err != nil {
		return nil, err
	}
	if cells := int64(g.Cols) * int64(g.Rows); size < 2*cells { // so that a head alone takes no memory
		return nil, fmt.Errorf("a file of %d bytes cannot hold the heights of %d columns and %d rows", size, g.Cols, g.Rows)
	}
	nodata, sparse := head["nodata_value"]
	g.heights = make([]uint16, g.Cols*g.Rows)
	for row := g.Rows - 1; row >= 0; row-- {
		for col := range g.Cols {
			v := first
			if row != g.Rows-1 || col > 0 {
				if v, err = s.number(); err != nil {
					return nil, fmt.Errorf("height %d of %d: %w", (g.Rows-1-row)*g.Cols+col+1, g.Cols*g.Rows, err)
				}
			}
			step := math.Round((v - lowest) * perM)
			switch {
			case sparse && v == nodata || math.IsNaN(v):
				step = unknown
			case !(step >= 0 && step < unknown):
				return nil, fmt.Errorf("height %d of %d is %g: want %g to %g m", (g.Rows-1-row)*g.Cols+col+1, g.Cols*g.Rows, v, lowest,
					lowest+(unknown-1)/perM)
			}
			g.heights[row*g.Cols+col] = uint16(step)
		}
	}
	if _, err := s.word(); !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("more follows the %d heights of %d columns and %d rows", g.Cols*g.Rows, g.Cols, g.Rows)
	}
	return g, nil
}

// about takes the head over and checks it.
func (g *Grid) about(head map[string]float64, most int) error {
	for _, name := range []string{"ncols", "nrows"} {
		if v := head[name]; !(v >= 2 && v <= 1e6) || v != math.Trunc(v) {
			return fmt.Errorf("%s is %g: want a whole number from 2 to 1000000", name, v)
		}
	}
	g.Cols, g.Rows, g.Step = int(head["ncols"]), int(head["nrows"]), head["cellsize"]
	if int64(g.Cols)*int64(g.Rows) > int64(most) {
		return fmt.Errorf("%d columns and %d rows: all grids together have at most %d cells; gdal_translate -tr makes them coarser", g.Cols,
			g.Rows, maxCells)
	}
	if !(g.Step > 0 && g.Step < 1e5) {
		return fmt.Errorf("cellsize is %g: want a number above 0", g.Step)
	}
	for _, axis := range []struct {
		name string
		to   *float64
	}{{"x", &g.X}, {"y", &g.Y}} {
		corner, ok := head[axis.name+"llcorner"]
		centre, has := head[axis.name+"llcenter"]
		switch {
		case has:
			*axis.to = centre
		case ok:
			*axis.to = corner + g.Step/2
		default:
			return fmt.Errorf("neither %sllcorner nor %sllcenter", axis.name, axis.name)
		}
	}
	named := g.System != 0
	if !named {
		g.System = crs.WGS84
	}
	if !named && !g.isPlace() {
		g.System = crs.LambertMGI
	}
	if !g.isPlace() {
		return fmt.Errorf("its south-western cell is at %g %g, which is neither in degrees nor in Austria in EPSG:31287 or what its name says: name the file after its reference system, such as terrain_epsg31255.asc", g.X, g.Y)
	}
	return nil
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

// scanner reads words.
type scanner struct {
	r   *bufio.Reader
	buf []byte
}

// maxWord bounds a word: numbers are shorter.
const maxWord = 64

// word is the next word, good until the one after it.
func (s *scanner) word() ([]byte, error) {
	s.buf = s.buf[:0]
	for {
		c, err := s.r.ReadByte()
		switch {
		case errors.Is(err, io.EOF) && len(s.buf) > 0:
			return s.buf, nil
		case err != nil:
			return nil, err
		case c == ' ' || c == '\n' || c == '\r' || c == '\t':
			if len(s.buf) > 0 {
				return s.buf, nil
			}
		case len(s.buf) == maxWord:
			return nil, fmt.Errorf("%.20q… is no number", s.buf)
		default:
			s.buf = append(s.buf, c)
		}
	}
}

func (s *scanner) number() (float64, error) {
	w, err := s.word()
	if errors.Is(err, io.EOF) {
		return 0, errors.New("the file ends before it")
	}
	if err != nil {
		return 0, err
	}
	v, err := strconv.ParseFloat(string(w), 64)
	if err != nil {
		return 0, fmt.Errorf("%q is no number", w)
	}
	return v, nil
}

// head reads the named values and the first height behind them.
func (s *scanner) head() (values map[string]float64, first float64, err error) {
	values = map[string]float64{}
	for {
		w, err := s.word()
		if errors.Is(err, io.EOF) {
			return nil, 0, errors.New("the file ends in its head")
		}
		if err != nil {
			return nil, 0, err
		}
		if first, err = strconv.ParseFloat(string(w), 64); err == nil {
			return values, first, nil
		}
		name := strings.ToLower(string(w))
		if !slices.Contains([]string{"ncols", "nrows", "xllcorner", "yllcorner", "xllcenter", "yllcenter", "cellsize", "nodata_value"},
			name) {
			return nil, 0, fmt.Errorf("%q is none of ncols, nrows, xllcorner, yllcorner, xllcenter, yllcenter, cellsize, NODATA_value: the file is no ASCII grid", name)
		}
		if values[name], err = s.number(); err != nil {
			return nil, 0, fmt.Errorf("%s: %w", name, err)
		}
	}
}
