// Package asciigrid reads grids of numbers as text (Esri ASCII grid, which GDAL writes as AAIGrid), the form in which terrain models
// are handed out. It owns the form, its limits and where a grid lies; what the numbers are for say builders/source/terrain, which
// holds whole grids, and builders/source/rasters, which reads windows of grids of any size.
//
// A file begins with the lines ncols, nrows, xllcorner or xllcenter, yllcorner or yllcenter, cellsize and, where some
// cells have no value, NODATA_value; the values follow, the rows from north to south. Coordinates are those of
// the system that the file's name holds (dgm_epsg31255.asc: one of shared/geo/crs). Without one they are degrees in WGS84,
// or metres in EPSG:31287 where these are in Austria, as the survey office and the states hand their models out.
package asciigrid

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"mappe/shared/geo/crs"
)

// ErrFormat is the error of a file that is no such grid, or is damaged.
var ErrFormat = errors.New("no ASCII grid that is read")

func failed(format string, args ...any) error { return formatError(fmt.Sprintf(format, args...)) }

// formatError is an ErrFormat that says what is wrong alone.
type formatError string

func (e formatError) Error() string        { return string(e) }
func (e formatError) Is(target error) bool { return target == ErrFormat }

// Head is what a file says before its values.
type Head struct {
	System     crs.System
	Cols, Rows int     // 2 to 1,000,000
	X, Y       float64 // centre of the south-western cell
	Step       float64 // from centre to centre
	NoData     float64 // of cells without a value; NaN: none is named
}

// Reader reads the values one after the other.
type Reader struct {
	Head
	s     scanner
	first float64
	n     int // values that were given
}

// NewReader reads the head of a file of a name.
func NewReader(in io.Reader, name string) (*Reader, error) {
	system, err := systemOf(name)
	if err != nil {
		return nil, err
	}
	r := &Reader{s: scanner{r: bufio.NewReaderSize(in, 1<<16)}}
	head, first, err := r.s.head()
	if err != nil {
		return nil, err
	}
	r.System, r.first, r.NoData = system, first, math.NaN()
	if v, ok := head["nodata_value"]; ok {
		r.NoData = v
	}
	if err := r.about(head); err != nil {
		return nil, err
	}
	return r, nil
}

// Fits refuses a head that a file of size bytes cannot hold the values of, so that a head alone takes no memory.
func (h *Head) Fits(size int64) error {
	if size < 2*h.Cells() {
		return failed("a file of %d bytes cannot hold the heights of %d columns and %d rows", size, h.Cols, h.Rows)
	}
	return nil
}

// Cells is how many values the file has.
func (h *Head) Cells() int64 { return int64(h.Cols) * int64(h.Rows) }

// Next is the next value, by rows from the north, each from the west; NaN where the grid has no data.
func (r *Reader) Next() (v float64, err error) {
	v = r.first
	if r.n > 0 {
		if v, err = r.s.number(); err != nil {
			return 0, fmt.Errorf("height %d of %d: %w", r.n+1, r.Cells(), err)
		}
	}
	r.n++
	if v == r.NoData {
		v = math.NaN()
	}
	return v, nil
}

// End says whether nothing follows.
func (r *Reader) End() error {
	if _, err := r.s.word(); err == nil {
		return failed("more follows the %d heights of %d columns and %d rows", r.Cells(), r.Cols, r.Rows)
	} else if !errors.Is(err, io.EOF) {
		return err
	}
	return nil
}

var coded = regexp.MustCompile(`(?i)epsg[-_ ]?([0-9]{4,5})`)

// systemOf is the reference system that a file's name holds; 0 where it holds none.
func systemOf(name string) (crs.System, error) {
	m := coded.FindStringSubmatch(path.Base(name))
	if m == nil {
		return 0, nil
	}
	return crs.ParseSource("EPSG:" + m[1])
}

// isPlace says whether a cell is a place on the earth, of a projection a place in or near Austria.
func (h *Head) isPlace() bool {
	lon, lat := h.System.Inverse(h.X, h.Y)
	if h.System == crs.WGS84 {
		return lon >= -180 && lon <= 180 && lat >= -89 && lat <= 89
	}
	return lon >= 8 && lon <= 19 && lat >= 45 && lat <= 50
}

// about takes the named values over and checks them.
func (h *Head) about(head map[string]float64) error {
	for _, name := range []string{"ncols", "nrows"} {
		if v := head[name]; !(v >= 2 && v <= 1e6) || v != math.Trunc(v) {
			return failed("%s is %g: want a whole number from 2 to 1000000", name, v)
		}
	}
	h.Cols, h.Rows, h.Step = int(head["ncols"]), int(head["nrows"]), head["cellsize"]
	if !(h.Step > 0 && h.Step < 1e5) {
		return failed("cellsize is %g: want a number above 0", h.Step)
	}
	for _, axis := range []struct {
		name string
		to   *float64
	}{{"x", &h.X}, {"y", &h.Y}} {
		corner, ok := head[axis.name+"llcorner"]
		centre, has := head[axis.name+"llcenter"]
		switch {
		case has:
			*axis.to = centre
		case ok:
			*axis.to = corner + h.Step/2
		default:
			return failed("neither %sllcorner nor %sllcenter", axis.name, axis.name)
		}
	}
	named := h.System != 0
	if !named {
		h.System = crs.WGS84
	}
	if !named && !h.isPlace() {
		h.System = crs.LambertMGI
	}
	if !h.isPlace() {
		return failed("its south-western cell is at %g %g, which is neither in degrees nor in Austria in EPSG:31287 or what its name "+
			"says: name the file after its reference system, such as terrain_epsg31255.asc", h.X, h.Y)
	}
	return nil
}

// scanner reads words.
type scanner struct {
	r   *bufio.Reader
	buf []byte
}

// maxWord bounds a word: numbers are shorter.
const maxWord = 64

func isBlank(c byte) bool { return c == ' ' || c == '\n' || c == '\r' || c == '\t' }

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
		case isBlank(c):
			if len(s.buf) > 0 {
				return s.buf, nil
			}
		case len(s.buf) == maxWord:
			return nil, failed("%.20q… is no number", s.buf)
		default:
			s.buf = append(s.buf, c)
		}
	}
}

func (s *scanner) number() (float64, error) {
	w, err := s.word()
	if errors.Is(err, io.EOF) {
		return 0, failed("the file ends before it")
	}
	if err != nil {
		return 0, err
	}
	v, ok := parse(w)
	if !ok {
		return 0, failed("%q is no number", w)
	}
	return v, nil
}

// powers of ten by which a whole number below 2^53 is divided exactly rounded.
var powers = [...]float64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15}

// parse is strconv.ParseFloat, which it leaves what is no plain decimal number of up to 15 digits: it takes a third of the time.
func parse(w []byte) (float64, bool) {
	digits, n, point := int64(0), 0, -1
	for i, c := range w {
		switch {
		case c >= '0' && c <= '9':
			digits, n = digits*10+int64(c-'0'), n+1
		case c == '.' && point < 0:
			point = n
		case c == '-' && i == 0:
		default:
			n = len(powers)
		}
		if n >= len(powers) {
			break
		}
	}
	if n == 0 || n >= len(powers) {
		v, err := strconv.ParseFloat(string(w), 64)
		return v, err == nil
	}
	v := float64(digits)
	if point >= 0 {
		v /= powers[n-point]
	}
	if w[0] == '-' {
		v = -v
	}
	return v, true
}

// head reads the named values and the first value behind them.
func (s *scanner) head() (values map[string]float64, first float64, err error) {
	values = map[string]float64{}
	for {
		w, err := s.word()
		if errors.Is(err, io.EOF) {
			return nil, 0, failed("the file ends in its head")
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
			return nil, 0, failed("%q is not one of ncols, nrows, xllcorner, yllcorner, xllcenter, yllcenter, cellsize, NODATA_value: "+
				"the file is no ASCII grid", name)
		}
		if values[name], err = s.number(); err != nil {
			return nil, 0, fmt.Errorf("%s: %w", name, err)
		}
	}
}
