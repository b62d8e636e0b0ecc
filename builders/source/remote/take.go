package remote

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"mappe/artefacts/cog"
	"mappe/shared/cloud/spool"
	"mappe/shared/geo/crs"
	"mappe/shared/geo/raster"
)

// squareKm is the side of the office's files.
const squareKm = 50

// margin is how far beyond the area is taken, in metres: what is derived of a cell looks at those around it.
const margin = 100

// maxAreaKm2 bounds an area: a state has at most 19,000 km².
const maxAreaKm2 = 20_000

// Request says what is taken.
type Request struct {
	Template string     // URL with {N} and {E}, metres of the south-western corner of a file of 50 km in EPSG:3035
	Area     raster.Box // in EPSG:3035
	Out      string     // folder that the files are written to: rasters/20240915 of a raw source
}

// Taken is what came of a file.
type Taken struct {
	File    string `json:"file,omitempty"` // that was written, or is there already
	URL     string `json:"url"`
	Kept    bool   `json:"kept"`    // it is there and the server's has not changed
	Missing bool   `json:"missing"` // the server has no such file
	Bytes   int64  `json:"bytes"`   // of the file that is there
}

// note stands beside a file that was taken.
type note struct {
	URL  string     `json:"url"`
	Mark string     `json:"mark"`
	Area raster.Box `json:"area"`
}

// Take takes the area out of the files that it touches. Files that the server does not have are told of in what it gives;
// another failure ends it, and what was read stays for the next run.
func (c *Client) Take(ctx context.Context, r Request) ([]Taken, error) {
	if !strings.Contains(r.Template, "{N}") || !strings.Contains(r.Template, "{E}") {
		return nil, fmt.Errorf("the template %q names no {N} and {E}: metres of a file's south-western corner", r.Template)
	}
	area := r.Area.Grown(margin).Aligned(100)
	if !(r.Area.West < r.Area.East && r.Area.South < r.Area.North) {
		return nil, errors.New("the area has no extent")
	}
	if km2 := (area.East - area.West) * (area.North - area.South) / 1e6; !(km2 > 0 && km2 <= maxAreaKm2) {
		return nil, fmt.Errorf("an area of %.0f km², at most %d are taken", km2, maxAreaKm2)
	}
	const side = squareKm * 1000
	var out []Taken
	for n := math.Floor(area.South/side) * side; n < area.North; n += side {
		for e := math.Floor(area.West/side) * side; e < area.East; e += side {
			square := raster.Box{West: max(e, area.West), South: max(n, area.South), East: min(e+side, area.East),
				North: min(n+side, area.North)}
			url := strings.NewReplacer("{N}", fmt.Sprintf("%.0f", n), "{E}", fmt.Sprintf("%.0f", e)).Replace(r.Template)
			t, err := c.one(ctx, url, square, r.Out)
			if err != nil {
				return out, err
			}
			out = append(out, t)
		}
	}
	return out, nil
}

// one takes a part of a file.
func (c *Client) one(ctx context.Context, url string, area raster.Box, folder string) (Taken, error) {
	t := Taken{URL: url}
	base, _, _ := strings.Cut(path.Base(url), "?")
	stem := strings.TrimSuffix(strings.TrimSuffix(base, ".tiff"), ".tif")
	name := filepath.Join(folder, fmt.Sprintf("%s_%.0f_%.0f_%.0f_%.0f.tif", stem, area.West, area.South, area.East, area.North))
	aside := name + ".json"
	known := ""
	var was note
	if b, err := os.ReadFile(aside); err == nil && json.Unmarshal(b, &was) == nil && was.URL == url && was.Area == area {
		if info, err := os.Stat(name); err == nil {
			known, t.Bytes = was.Mark, info.Size()
		}
	}
	f, err := c.open(ctx, url, known)
	switch {
	case errors.Is(err, errSame):
		t.File, t.Kept = name, true
		return t, nil
	case errors.Is(err, ErrMissing):
		t.Missing = true
		return t, nil
	case err != nil:
		return t, err
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return t, err
	}
	if t.Bytes, err = f.cut(area, name); err != nil {
		return t, err
	}
	b, err := json.Marshal(note{url, f.mark, area})
	if err != nil {
		return t, err
	}
	if err := os.WriteFile(aside, append(b, '\n'), 0o644); err != nil {
		return t, err
	}
	t.File = name
	return t, os.RemoveAll(f.folder)
}

// cut writes the cells of the file in an area as a file of their own.
func (f *file) cut(area raster.Box, name string) (int64, error) {
	head, err := cog.Open(f, f.size)
	if err != nil {
		return 0, fmt.Errorf("%s: %w", f.url, err)
	}
	system, err := crs.ParseSource(fmt.Sprintf("EPSG:%d", head.EPSG))
	if err != nil {
		return 0, fmt.Errorf("%s: %w", f.url, err)
	}
	if head.StepX != head.StepY {
		return 0, fmt.Errorf("%s: cells of %g x %g m are not taken apart", f.url, head.StepX, head.StepY)
	}
	w := windowOf(head, system, area)
	if w.Cols < 1 || w.Rows < 1 {
		return 0, fmt.Errorf("%s: it does not reach the area", f.url)
	}
	tiles, err := spool.NewFile(f.folder)
	if err != nil {
		return 0, err
	}
	defer tiles.Close()
	out, err := os.Create(name + ".part")
	if err != nil {
		return 0, err
	}
	defer out.Close() // again where all is well
	c := &cut{f, head, w, tiles, out}
	var n int64
	switch im := &head.Images[0]; {
	case im.Form() == "uint8":
		n, err = copied(c, func(w cog.Window) (*raster.Samples[uint8], error) {
			s, err := cog.ReadSamples[uint8](head, f, im, w)
			if err != nil {
				return nil, err
			}
			return s, head.Blank(f, s, w)
		})
	case im.Bands == 1 || head.Values() == 1:
		n, err = copied(c, func(w cog.Window) (*raster.Samples[float32], error) {
			g, err := head.Read(f, im, 0, w)
			if err != nil {
				return nil, err
			}
			return raster.SamplesOf(g), nil
		})
	default:
		err = fmt.Errorf("%d bands of %s are not taken apart", im.Bands, im.Form())
	}
	if err != nil {
		return 0, fmt.Errorf("%s: %w", f.url, err)
	}
	if err := out.Close(); err != nil {
		return 0, err
	}
	return n, os.Rename(name+".part", name)
}

// windowOf is the part of a file that an area lies in.
func windowOf(head *cog.File, system crs.System, area raster.Box) cog.Window {
	im := &head.Images[0]
	x0, y0, x1, y1 := math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)
	const parts = 16 // of each side: a straight side of one plane is a curve of another
	for i := range parts + 1 {
		for j := range parts + 1 {
			x, y := area.West+(area.East-area.West)*float64(i)/parts, area.South+(area.North-area.South)*float64(j)/parts
			if system != crs.LAEA {
				x, y = system.Forward(crs.LAEA.Inverse(x, y))
			}
			x0, x1, y0, y1 = min(x0, x), max(x1, x), min(y0, y), max(y1, y)
		}
	}
	cell := func(v float64, most int) int { return min(max(int(v), 0), most) }
	west, east := cell(math.Floor((x0-head.West)/head.StepX+1e-6), im.Width), cell(math.Ceil((x1-head.West)/head.StepX-1e-6), im.Width)
	north, south := cell(math.Floor((head.North-y1)/head.StepY+1e-6), im.Height), cell(math.Ceil((head.North-y0)/head.StepY-1e-6),
		im.Height)
	return cog.Window{Col: west, Row: north, Cols: east - west, Rows: south - north}
}

// stripRows is how many rows are read at a time.
const stripRows = 512

// cut is a window of a file that is written as a file of its own, with the space that its tiles are kept in meanwhile.
type cut struct {
	of     *file
	head   *cog.File
	window cog.Window
	tiles  *spool.File
	out    *os.File
}

// copied writes a window of a file strip by strip; of each the blocks are fetched two at a time before.
func copied[T raster.Sample](c *cut, read func(cog.Window) (*raster.Samples[T], error)) (int64, error) {
	f, head, w := c.of, c.head, c.window
	im := &head.Images[0]
	g := head.Grid(im)
	at := &raster.Grid{West: g.West + float64(w.Col)*g.Step, North: g.North - float64(w.Row)*g.Step, Step: g.Step, Cols: w.Cols,
		Rows: w.Rows}
	o := cog.Options{Packing: cog.Deflate, EPSG: head.EPSG, Unit: head.Unit, About: map[string]string{"SOURCE": f.url}}
	bands := 1
	if im.Form() == "uint8" {
		if bands = im.Bands; head.Blanks() {
			o.NoData = new(float64) // what is not known was set to 0
		}
		o.Colours = bands >= 3
	}
	to, err := cog.NewWriter[T](at, bands, o, c.tiles)
	if err != nil {
		return 0, err
	}
	for row := 0; row < w.Rows; row += stripRows {
		part := cog.Window{Col: w.Col, Row: w.Row + row, Cols: w.Cols, Rows: min(stripRows, w.Rows-row)}
		if err := f.fetch(blocksOf(head, part)); err != nil {
			return 0, err
		}
		s, err := read(part)
		if err != nil {
			return 0, err
		}
		if err := to.Write(s.Pix); err != nil {
			return 0, err
		}
	}
	return to.Close(c.out)
}

// blocksOf are the blocks that hold the tiles of a window, rising.
func blocksOf(head *cog.File, w cog.Window) (blocks []int64) {
	im := &head.Images[0]
	for _, place := range head.Tiles(im, w) {
		offset, length := im.Tile(place.Col, place.Row, 0)
		for i := offset / blockBytes; length > 0 && i*blockBytes < offset+length; i++ {
			blocks = append(blocks, i)
		}
	}
	slices.Sort(blocks)
	return slices.Compact(blocks)
}
