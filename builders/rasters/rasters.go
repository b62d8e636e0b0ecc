// Package rasters makes the rasters of the country (artefacts/rasters) out of those of a raw source: tiles in EPSG:3035, each a
// GeoTIFF of its own, and their index. They are the layers of analyses; builders/relief makes the relief of the map, of the terrain
// models among them too. builders/source/rasters finds the files, builders/national runs the stage.
//
// Height models that lie in the cells of the tiles are copied; any others are resampled between the four cells around a
// place. Heights are rounded to centimetres, a tenth of what a laser scan is exact to, which halves the tiles. Orthophotos are
// laid out of the strips of the survey office, colours and near infrared each for itself (ortho.go); the layers of satellites lie on one
// grid of 10 m (satellite.go). Where several files hold a place the finest counts, of equal ones the first by name.
//
// One tile is held at a time, whatever the size of the country. A tile whose files did not change is not made again; one whose
// files did takes the place of the former, which is pruned with the generations that named it.
package rasters

import (
	"bytes"
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
	"mappe/artefacts/sectionfile"
	source "mappe/builders/source/rasters"
	"mappe/builders/stage"
	"mappe/shared/cloud/store"
	"mappe/shared/geo/crs"
	"mappe/shared/geo/raster"
)

// What in the program decides the bytes beside the files: of the index, and of tiles by layer.
const indexRecipe = "rasters-3"

var recipes = map[string]string{rasters.DTM: "rasters-2", rasters.DSM: "rasters-2", rasters.Ortho: "ortho-1",
	rasters.NDVI: "ndvi-1", rasters.LandCover: "landcover-1",
	rasters.SAR: "sar-1", rasters.Forest: "forest-1"}

// Source is the rasters of a raw source.
type Source struct {
	Files       []*source.File
	Attribution string                    // of the survey office's data
	Credits     map[string]rasters.Credit // by layer, where the source names them
	Sum         string
	Passed      []string     // files that are passed over, and why
	Warn        func(string) // is told of files that turn out to be damaged while they are read; nil: nobody is
}

// Read finds the files of the folder rasters; nil if the folder has no files. Files that cannot be used are named in Passed.
func Read(files fs.FS, attribution string) (*Source, error) {
	found, passed, err := source.Find(files)
	if err != nil || len(found)+len(passed) == 0 {
		return nil, err
	}
	s := &Source{Files: found, Attribution: attribution}
	if s.Credits, err = source.Credits(files); err != nil {
		return nil, err
	}
	for _, p := range passed {
		s.Passed = append(s.Passed, p.String())
	}
	h := sha256.New()
	fmt.Fprintln(h, attribution)
	for _, k := range rasters.AllLayerTypes() {
		fmt.Fprintln(h, recipes[k.Name], s.credit(&k))
	}
	for _, f := range found {
		fmt.Fprintln(h, f.Layer, f.Part, f.Date, f.System, f.Sum)
	}
	s.Sum = hex.EncodeToString(h.Sum(nil))
	return s, nil
}

// credit is whom to name for a layer.
func (s *Source) credit(k *rasters.LayerType) rasters.Credit {
	if c, ok := s.Credits[k.Name]; ok {
		return c
	}
	c := k.Credit
	if c.Attribution == "" {
		c.Attribution = s.Attribution
	}
	return c
}

// Stages make the index of a source and its tiles; none of no source, or of one without a file that can be used.
func Stages(s *Source) []stage.Stage {
	if s == nil || len(s.Files) == 0 {
		return nil
	}
	return []stage.Stage{{Artefact: rasters.Artefact, Recipe: indexRecipe + " " + s.Sum, Make: s.build}}
}

func (s *Source) build(ctx context.Context, c *stage.Country) (manifest.Object, error) {
	live, err := served(ctx, c)
	if err != nil {
		return manifest.Object{}, err
	}
	var all []rasters.Listed
	for _, group := range s.layers() {
		l, err := s.layer(ctx, c, group, live)
		if err != nil {
			return manifest.Object{}, err
		}
		if l != nil {
			all = append(all, *l)
		}
	}
	// Dates that the source does not hold any more stay served: changes are measured between them.
	for _, l := range live {
		if find(all, l.Layer.Layer, l.Date) == nil {
			all = append(all, l)
		}
	}
	head, err := rasters.Head(all)
	if err != nil {
		return manifest.Object{}, err
	}
	return c.WriteParts(ctx, rasters.Artefact, rasters.PartsFamily, head,
		func(b *sectionfile.Builder) error { return rasters.Fill(b, all) })
}

func find(all []rasters.Listed, layer, date string) *rasters.Listed {
	for i := range all {
		if all[i].Layer.Layer == layer && all[i].Date == date {
			return &all[i]
		}
	}
	return nil
}

// layer makes the tiles of the files of a layer and date. A file that turns out to be damaged is named and passed over,
// and the tiles are made without it; nil where none is left.
func (s *Source) layer(ctx context.Context, c *stage.Country, group []placed, live []rasters.Listed) (*rasters.Listed, error) {
	k := rasters.LayerTypeOf(group[0].Layer)
	for len(group) > 0 {
		l := &rasters.Listed{Layer: k.New(group[0].Date, s.credit(k))}
		describe(&l.Layer, group)
		old := find(live, l.Layer.Layer, l.Date)
		if old != nil && old.Step != l.Step {
			old = nil
		}
		err := tilesOf(ctx, c, l, group, old)
		var bad *damaged
		if !errors.As(err, &bad) || ctx.Err() != nil || !source.IsDamaged(err) && !errors.Is(err, errTooFine) {
			return l, err // of a disk or a store that fails nothing is known: the tiles are not made without the file
		}
		s.Tell(source.Unusable{Name: bad.file.Name, Why: bad.err}.String())
		group = slices.DeleteFunc(slices.Clone(group), func(p placed) bool { return p.File == bad.file })
	}
	return nil, nil
}

// Tell names what turns out to be damaged while the rasters are made or read.
func (s *Source) Tell(line string) {
	if s.Warn != nil {
		s.Warn(line)
	}
}

// describe says of a layer what its files decide.
func describe(l *rasters.Layer, group []placed) {
	finest := math.Inf(1)
	has := map[string]bool{}
	for _, f := range group {
		finest = min(finest, metres(f.File))
		has[f.Part] = true
	}
	l.SourceStep = math.Round(finest*1000) / 1000
	switch l.Layer {
	case rasters.Ortho:
		l.Bands[3].Missing = !has[source.NIR] && !has[source.CIR] && !has[source.RGBI]
		for i := range l.Bands[:3] {
			l.Bands[i].Missing = !has[source.RGB] && !has[source.RGBI]
		}
		if finest > coarseOrtho {
			l.Step, l.Resampling, l.Title = 1, rasters.Bilinear, "Orthophoto with near infrared, 1 m"
		}
	case rasters.SAR, rasters.Forest:
		for i := range l.Bands {
			l.Bands[i].Missing = !has[l.Bands[i].Name]
		}
	}
}

// coarseOrtho is the side of a cell in metres from which on a series is no better kept in cells of 0.4 m than of 1 m.
const coarseOrtho = 0.45

// tilesOf makes the tiles of a layer.
func tilesOf(ctx context.Context, c *stage.Country, l *rasters.Listed, group []placed, old *rasters.Listed) error {
	for _, at := range places(group, l.TileKm) {
		if !rasters.Within(at[0], at[1]) {
			continue // beyond the plane that is kept
		}
		t, err := tileOf(ctx, c, &l.Layer, inputsOf(&l.Layer, group, at), old)
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
func (d *damaged) Unwrap() error { return d.err }

// served are the layers that are served; empty if no layers are served or they cannot be read.
func served(ctx context.Context, c *stage.Country) ([]rasters.Listed, error) {
	o, ok := c.Live[rasters.Artefact]
	if !ok {
		return nil, nil
	}
	all, err := ReadIndex(ctx, c.Store, o)
	if errors.Is(err, store.ErrNotFound) || errors.Is(err, ErrIndex) {
		return nil, nil
	}
	return all, err
}

// ErrIndex is the error of an index that is damaged.
var ErrIndex = errors.New("index of rasters")

// ReadIndex reads an index of either form.
func ReadIndex(ctx context.Context, s store.Store, o manifest.Object) ([]rasters.Listed, error) {
	b, _, err := store.ReadAll(ctx, s, o.Key, maxIndex, store.GetOptions{Plain: true})
	if errors.Is(err, store.ErrTooLarge) {
		return nil, fmt.Errorf("%w: %w", ErrIndex, err)
	}
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", o.Key, err)
	}
	var all []rasters.Listed
	if k, err := keys.Parse(o.Key); err == nil && k.(keys.National).Ext == "json" {
		all, err = rasters.ParseList(b)
		if err != nil {
			return nil, fmt.Errorf("%w: %w", ErrIndex, err)
		}
		return all, nil
	}
	if all, err = rasters.All(bytes.NewReader(b), int64(len(b))); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrIndex, err)
	}
	return all, nil
}

// maxIndex bounds an index in bytes: the country in tiles of 1 km, ten layers of four dates, has 150 MB.
const maxIndex = 512 << 20

// layers are the files by layer and date, the coarsest first: those behind it are laid over it.
func (s *Source) layers() [][]placed {
	files := slices.Clone(s.Files)
	slices.SortStableFunc(files, func(a, b *source.File) int {
		return cmp.Or(cmp.Compare(a.Layer, b.Layer), cmp.Compare(a.Date, b.Date), cmp.Compare(metres(b), metres(a)),
			cmp.Compare(b.Name, a.Name))
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
func places(files []placed, km int) [][2]int {
	seen := map[[2]int]bool{}
	var out [][2]int
	for _, f := range files {
		for _, at := range rasters.Cover(f.box, km) {
			if !seen[at] {
				seen[at] = true
				out = append(out, at)
			}
		}
	}
	slices.SortFunc(out, func(a, b [2]int) int { return cmp.Or(cmp.Compare(a[1], b[1]), cmp.Compare(a[0], b[0])) })
	return out
}

// inputs are what a tile is made of.
type inputs struct {
	tile rasters.Tile
	over []*source.File // those that reach it
	held raster.Box     // what of the tile they reach
}

// inputsOf are those of the tile at a place, of the files of its layer.
func inputsOf(l *rasters.Layer, files []placed, at [2]int) *inputs {
	t := rasters.Tile{E: at[0], N: at[1], Km: l.TileKm}
	box := t.Box()
	h := sha256.New()
	fmt.Fprintln(h, recipes[l.Layer], l.Attribution)
	if l.Form != "float32" {
		fmt.Fprintln(h, l.Credit, l.Step)
	}
	var over []*source.File
	held := raster.Box{West: box.East, South: box.North, East: box.West, North: box.South}
	for _, f := range files {
		if b := f.box; b.Overlaps(box) {
			over = append(over, f.File)
			fmt.Fprintln(h, f.System, f.Sum)
			if f.Part != "" {
				fmt.Fprintln(h, f.Part)
			}
			held = raster.Box{West: min(held.West, max(b.West, box.West)), South: min(held.South, max(b.South, box.South)),
				East: max(held.East, min(b.East, box.East)), North: max(held.North, min(b.North, box.North))}
		}
	}
	t.Inputs = hex.EncodeToString(h.Sum(nil)[:8])
	return &inputs{t, over, held}
}

// tileOf makes a tile, or takes over the served one that was made of the same files.
func tileOf(ctx context.Context, c *stage.Country, l *rasters.Layer, in *inputs, old *rasters.Listed) (rasters.Tile, error) {
	t := in.tile
	if old != nil {
		if before := old.Tiles.At(t.E, t.N); before != nil && before.Inputs == t.Inputs {
			if _, err := store.Stat(ctx, c.Store, before.Key); err == nil {
				return *before, nil
			}
		}
	}
	held := in.held.Aligned(l.Step)
	if !(held.West < held.East && held.South < held.North) {
		return t, nil // a border that lies in the next tile by a millionth of a cell
	}
	body, err := bodyOf(ctx, l, &t, in.over, held)
	if err != nil || t.Known == 0 {
		return t, err
	}
	t.Object, err = c.Put(ctx, keys.Raster{Layer: l.Layer, Date: l.Date, E: t.E, N: t.N, Sum: keys.Sum(body)}, body)
	return t, err
}

// bodyOf makes the file of a tile out of those that reach it, the coarsest first, and says of the tile what is known.
func bodyOf(ctx context.Context, l *rasters.Layer, t *rasters.Tile, over []*source.File, held raster.Box) ([]byte, error) {
	switch l.Layer {
	case rasters.Ortho:
		return photoOf(ctx, l, t, over)
	case rasters.NDVI, rasters.SAR, rasters.LandCover, rasters.Forest:
		return satelliteOf(ctx, l, t, over)
	}
	return heightsOf(ctx, l, t, over, held)
}

// about is what the metadata of a tile says of its layer.
func about(l *rasters.Layer) map[string]string {
	m := map[string]string{"TIFFTAG_IMAGEDESCRIPTION": l.Title, "TIFFTAG_COPYRIGHT": l.Attribution, "ACQUISITION_DATE": l.Date}
	if l.Form != "float32" {
		m["TIFFTAG_COPYRIGHT"] += " (" + l.License + ")"
	}
	if l.Precision != rasters.Day {
		m["ACQUISITION_DATE"] = l.Dataset()
	}
	return m
}

// heightsOf makes the file of a tile of heights, as large as what the files reach.
func heightsOf(ctx context.Context, l *rasters.Layer, t *rasters.Tile, over []*source.File, held raster.Box) ([]byte, error) {
	g, err := raster.Over(held, l.Step)
	if err != nil {
		return nil, err
	}
	for _, f := range over {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if err := lay(g, f, heights); err != nil {
			return nil, &damaged{f, err}
		}
	}
	for i, z := range g.Z {
		if z == z {
			g.Z[i] = float32(math.Round(float64(z)*100) / 100)
			t.Known++
		}
	}
	if t.Known == 0 {
		return nil, nil
	}
	t.Cover = rasters.CoverOf(*t, g)
	return cog.Encode(g, cog.Options{Packing: cog.Zstd, EPSG: rasters.EPSG, Unit: "m", About: about(l)})
}
