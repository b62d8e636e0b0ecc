// Package rasters makes the rasters of the country (artefacts/rasters) out of the height models of a raw source: tiles of
// 5 km in EPSG:3035 with cells of 1 m, each a GeoTIFF of its own, smaller where the files end. builders/source/rasters finds the files,
// builders/national runs the stage.
//
// A model that lies in the cells of the tiles is copied; any other is resampled between the four cells around a place.
// Heights are rounded to centimetres, a tenth of what a laser scan is exact to, which halves the tiles. Where several
// files hold a place the finest counts, of equal ones the first by name. A tile whose files did not change is not made
// again.
package rasters

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"slices"

	"mappe/artefacts/cog"
	"mappe/artefacts/keys"
	"mappe/artefacts/manifest"
	"mappe/artefacts/rasters"
	source "mappe/builders/source/rasters"
	"mappe/builders/stage"
	"mappe/shared/cloud/store"
	"mappe/shared/geo/crs"
	"mappe/shared/geo/raster"
)

// recipe names what in the program decides the bytes beside the files.
const recipe = "rasters-2"

// step is the side of a cell in metres.
const step = 1

// Source is the height models of a raw source.
type Source struct {
	Files       []*source.File
	Attribution string
	Origin      string // who made them
	Sum         string
	Passed      []string     // files that are passed over, and why
	Warn        func(string) // is told of files that turn out to be damaged while they are read; nil: nobody is
}

// Read finds the files of the folder rasters; nil where there are none. Files that cannot be used are named in Passed.
func Read(files fs.FS, attribution string) (*Source, error) {
	found, passed, err := source.Find(files)
	if err != nil || len(found)+len(passed) == 0 {
		return nil, err
	}
	s := &Source{Files: found, Attribution: attribution}
	for _, p := range passed {
		s.Passed = append(s.Passed, p.String())
	}
	h := sha256.New()
	fmt.Fprintln(h, attribution)
	for _, f := range found {
		fmt.Fprintln(h, f.Layer, f.Date, f.System, f.Sum)
	}
	s.Sum = hex.EncodeToString(h.Sum(nil))
	return s, nil
}

// Stages make the list of a source; none of no source, or of one without a file that can be used.
func Stages(s *Source) []stage.Stage {
	if s == nil || len(s.Files) == 0 {
		return nil
	}
	return []stage.Stage{{Kind: rasters.Artefact, Recipe: recipe + " " + s.Sum, Make: s.build}}
}

// titles of the layers.
var titles = map[string]string{rasters.DTM: "Terrain, 1 m", rasters.DSM: "Surface, 1 m"}

func (s *Source) build(ctx context.Context, c *stage.Country) (manifest.Object, error) {
	live, err := served(ctx, c)
	if err != nil {
		return manifest.Object{}, err
	}
	x := rasters.Index{}
	for _, group := range s.layers() {
		l, err := s.layer(ctx, c, group, live)
		if err != nil {
			return manifest.Object{}, err
		}
		if l != nil {
			x.Layers = append(x.Layers, *l)
		}
	}
	// Dates that the source does not hold any more stay served: changes are measured between them.
	for _, l := range live.Layers {
		if x.Find(l.Layer, l.Dataset()) == nil {
			x.Layers = append(x.Layers, l)
		}
	}
	body, err := x.Encode()
	if err != nil {
		return manifest.Object{}, err
	}
	return c.Write(ctx, rasters.Artefact, "json", body)
}

// layer makes the tiles of the files of a layer and date. A file that turns out to be damaged is named and passed over,
// and the tiles are made without it; nil where none is left.
func (s *Source) layer(ctx context.Context, c *stage.Country, group []placed, live *rasters.Index) (*rasters.Layer, error) {
	for len(group) > 0 {
		l := rasters.Layer{Layer: group[0].Layer, Date: group[0].Date, Title: titles[group[0].Layer], Source: "laser scan", Attribution: s.Attribution, Step: step}
		err := tilesOf(ctx, c, &l, group, live.Find(l.Layer, l.Dataset()))
		var bad *damaged
		if !errors.As(err, &bad) || ctx.Err() != nil {
			return &l, err
		}
		if s.Warn != nil {
			s.Warn(source.Unusable{Name: bad.file.Name, Why: bad.err}.String())
		}
		group = slices.DeleteFunc(slices.Clone(group), func(p placed) bool { return p.File == bad.file })
	}
	return nil, nil
}

// tilesOf makes the tiles of a layer.
func tilesOf(ctx context.Context, c *stage.Country, l *rasters.Layer, group []placed, old *rasters.Layer) error {
	for _, at := range places(group) {
		t, err := tileOf(ctx, c, l, group, at, old)
		if err != nil {
			return err
		}
		if t.Known > 0 {
			l.Tiles = append(l.Tiles, t)
		}
	}
	return nil
}

// damaged is a file whose values cannot be read.
type damaged struct {
	file *source.File
	err  error
}

func (d *damaged) Error() string { return d.file.Name + ": " + d.err.Error() }

// served is the list that is served; an empty one where there is none or it cannot be read.
func served(ctx context.Context, c *stage.Country) (*rasters.Index, error) {
	o, ok := c.Live[rasters.Artefact]
	if !ok {
		return &rasters.Index{}, nil
	}
	b, _, err := store.ReadAll(ctx, c.Store, o.Key, rasters.MaxIndex, store.GetOptions{})
	if errors.Is(err, store.ErrNotFound) || errors.Is(err, store.ErrTooLarge) {
		return &rasters.Index{}, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", o.Key, err)
	}
	if x, err := rasters.Parse(b); err == nil {
		return x, nil
	}
	return &rasters.Index{}, nil
}

// layers are the files by layer and date, the coarsest first: those behind it are laid over it.
func (s *Source) layers() [][]placed {
	files := slices.Clone(s.Files)
	slices.SortStableFunc(files, func(a, b *source.File) int {
		return cmp.Or(cmp.Compare(a.Layer, b.Layer), cmp.Compare(a.Date, b.Date), cmp.Compare(metres(b), metres(a)), cmp.Compare(b.Name, a.Name))
	})
	var out [][]placed
	for _, file := range files {
		f := placed{file, boxOf(file)}
		if n := len(out); n > 0 && out[n-1][0].Layer == f.Layer && out[n-1][0].Date == f.Date {
			out[n-1] = append(out[n-1], f)
		} else {
			out = append(out, []placed{f})
		}
	}
	return out
}

// metres is about the side of a cell of a file.
func metres(f *source.File) float64 {
	if f.System == crs.WGS84 {
		return f.Head.StepY * 111_000
	}
	return f.Head.StepY
}

// boxOf is a box in the plane of the tiles that holds a file.
func boxOf(f *source.File) raster.Box {
	g := f.Head.Grid(&f.Head.Images[0])
	if f.System == crs.LAEA {
		return raster.Box{West: g.West, South: south(f), East: g.East(), North: g.North}
	}
	b := raster.Box{West: math.Inf(1), South: math.Inf(1), East: math.Inf(-1), North: math.Inf(-1)}
	const parts = 16 // of each side: a straight side of one plane is a curve of another
	for i := range parts + 1 {
		for j := range parts + 1 {
			lon, lat := f.System.Inverse(g.West+(g.East()-g.West)*float64(i)/parts, south(f)+(g.North-south(f))*float64(j)/parts)
			x, y := crs.LAEA.Forward(lon, lat)
			b = raster.Box{West: min(b.West, x), South: min(b.South, y), East: max(b.East, x), North: max(b.North, y)}
		}
	}
	return b
}

// south is the southern border of a file: its cells need not be square.
func south(f *source.File) float64 {
	return f.Head.North - float64(f.Head.Images[0].Height)*f.Head.StepY
}

// placed is a file with a box in the plane of the tiles that holds it.
type placed struct {
	*source.File
	box raster.Box
}

// places are the tiles that files reach.
func places(files []placed) [][2]int {
	seen := map[[2]int]bool{}
	var out [][2]int
	for _, f := range files {
		for _, at := range rasters.Cover(f.box) {
			if !seen[at] {
				seen[at] = true
				out = append(out, at)
			}
		}
	}
	slices.SortFunc(out, func(a, b [2]int) int { return cmp.Or(cmp.Compare(a[1], b[1]), cmp.Compare(a[0], b[0])) })
	return out
}

// tileOf makes a tile, or takes over the served one that was made of the same files.
func tileOf(ctx context.Context, c *stage.Country, l *rasters.Layer, files []placed, at [2]int, old *rasters.Layer) (rasters.Tile, error) {
	box := rasters.BoxOf(at[0], at[1])
	h := sha256.New()
	fmt.Fprintln(h, recipe, l.Attribution)
	var over []*source.File
	held := raster.Box{West: box.East, South: box.North, East: box.West, North: box.South} // what of the tile the files reach
	for _, f := range files {
		if b := f.box; b.Overlaps(box) {
			over = append(over, f.File)
			fmt.Fprintln(h, f.System, f.Sum)
			held = raster.Box{West: min(held.West, max(b.West, box.West)), South: min(held.South, max(b.South, box.South)),
				East: max(held.East, min(b.East, box.East)), North: max(held.North, min(b.North, box.North))}
		}
	}
	t := rasters.Tile{E: at[0], N: at[1], Inputs: hex.EncodeToString(h.Sum(nil)[:8])}
	if old != nil {
		if before := old.At(t.E, t.N); before != nil && before.Inputs == t.Inputs {
			if _, err := c.Store.Head(ctx, before.Key); err == nil {
				return *before, nil
			}
		}
	}
	if held = held.Aligned(step); !(held.West < held.East && held.South < held.North) {
		return t, nil // a border that lies in the next tile by a millionth of a cell
	}
	g, err := raster.Over(held, step)
	if err != nil {
		return t, err
	}
	for _, f := range over {
		if err := ctx.Err(); err != nil {
			return t, err
		}
		if err := lay(g, f); err != nil {
			return t, &damaged{f, err}
		}
	}
	for i, z := range g.Z {
		if z == z {
			g.Z[i] = float32(math.Round(float64(z)*100) / 100)
			t.Known++
		}
	}
	if t.Known == 0 {
		return t, nil
	}
	t.Cover = rasters.CoverOf(t, g)
	body, err := cog.Encode(g, cog.Options{Packing: cog.Zstd, EPSG: rasters.EPSG, Unit: "m",
		About: map[string]string{"TIFFTAG_IMAGEDESCRIPTION": l.Title, "TIFFTAG_COPYRIGHT": l.Attribution, "ACQUISITION_DATE": l.Date}})
	if err != nil {
		return t, err
	}
	t.Object, err = c.Put(ctx, keys.Raster{Layer: l.Layer, Date: l.Date, E: t.E, N: t.N, Sum: keys.Sum(body)}, body)
	return t, err
}
