package main

import (
	"context"
	"errors"
	"fmt"
	"image/color"
	"math"
	"os"
	"os/exec"
	"path/filepath"

	"mappe/artefacts/cog"
	"mappe/shared/geo/raster"
	"mappe/shared/landscape/terrain"
)

// slopes draws the surface, the slopes of the terrain and those of gdaldem, and says how far the two are apart.
func (b *board) slopes(ctx context.Context) error {
	dtm, dsm := b.scene.DTM(2), b.scene.DSM(2)
	own := raster.New(dtm.West, dtm.North, 1, dtm.Cols, dtm.Rows)
	for row := range own.Rows {
		terrain.Slopes(dtm, row, own.Row(row))
	}
	theirs, err := gdaldem(ctx, dtm)
	if errors.Is(err, exec.ErrNotFound) {
		fmt.Println("gdaldem is not installed: no picture of slopes")
		return nil
	}
	if err != nil {
		return err
	}
	known, apart := 0, 0.0
	for i, v := range own.Z {
		if d := math.Abs(float64(v - theirs.Z[i])); d == d {
			known++
			apart = math.Max(apart, d)
		}
	}
	fmt.Printf("slopes: %d cells, at most %.6f degrees from those of gdaldem\n", known, apart)
	steep := func(g *raster.Grid) func(col, row int) color.RGBA {
		return func(col, row int) color.RGBA {
			return mixed(rgb(0xffffff), rgb(0x7a1026), float64(g.Z[row*g.Cols+col])/45)
		}
	}
	return b.save("landscape-slopes.jpg", b.panel(func(col, row int) color.RGBA {
		return mixed(rgb(0), rgb(0xffffff), shade(dsm, col, row))
	}),
		b.panel(steep(own)), b.panel(steep(theirs)))
}

// gdaldem has GDAL compute the slopes of a grid by Horn's formula.
func gdaldem(ctx context.Context, g *raster.Grid) (*raster.Grid, error) {
	program, err := exec.LookPath("gdaldem")
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "slopes")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir) // files of this call
	in, out := filepath.Join(dir, "in.tif"), filepath.Join(dir, "out.tif")
	file, err := cog.Encode(g, cog.Options{EPSG: 3035, Packing: cog.Deflate})
	if err != nil {
		return nil, err
	}
	if err := os.WriteFile(in, file, 0o644); err != nil {
		return nil, err
	}
	if said, err := exec.CommandContext(ctx, program, "slope", "-q", in, out).CombinedOutput(); err != nil {
		return nil, fmt.Errorf("gdaldem: %w: %s", err, said)
	}
	f, err := os.Open(out)
	if err != nil {
		return nil, err
	}
	defer f.Close() // read only
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	read, err := cog.Open(f, info.Size())
	if err != nil {
		return nil, err
	}
	im := &read.Images[0]
	return read.Read(f, im, 0, cog.Window{Cols: im.Width, Rows: im.Height})
}
