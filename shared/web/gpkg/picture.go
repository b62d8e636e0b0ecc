package gpkg

import (
	"bytes"
	"context"
	"database/sql"
	"fmt"
	"image"
	"image/jpeg"
	"image/png"
	"time"
)

// Picture is a raster of colours, written as tiles of 256 x 256 cells: as JPEG where all cells of a tile are there, as PNG where
// some are, and not at all where none is.
type Picture struct {
	Name        string // table name, as that of a Layer
	Title       string // identifier, unique in the file; "" means the name
	Description string // licence and attribution belong here
	Pyramid
	// Read gives a window of a level; a cell of which nothing is known is transparent. It is asked for as that of a Coverage.
	Read func(ctx context.Context, w Window) (*image.NRGBA, error)
}

// quality is that of tiles in JPEG.
const quality = 85

// writePictures writes the rasters of colours of a file.
func writePictures(ctx context.Context, tx *sql.Tx, f File) error {
	for i := range f.Pictures {
		p := &f.Pictures[i]
		if err := p.check(p.Name); err != nil {
			return err
		}
		if err := p.write(ctx, tx, f.Time); err != nil {
			return fmt.Errorf("%s: %w", p.Name, err)
		}
	}
	return nil
}

func (p *Picture) write(ctx context.Context, tx *sql.Tx, changed time.Time) error {
	if err := p.enter(ctx, tx, named{p.Name, p.Title, p.Description, "tiles"}, changed); err != nil {
		return err
	}
	tiles, err := tx.PrepareContext(ctx, "INSERT INTO "+quote(p.Name)+" (zoom_level, tile_column, tile_row, tile_data) VALUES (?,?,?,?)")
	if err != nil {
		return err
	}
	defer tiles.Close() // of a transaction
	return p.each(func(w Window) error {
		img, err := p.Read(ctx, w)
		if err != nil {
			return err
		}
		if size := img.Bounds().Size(); size.X != w.Cols || size.Y != w.Rows {
			return fmt.Errorf("a window of %d x %d cells instead of %d x %d", size.X, size.Y, w.Cols, w.Rows)
		}
		b, err := pictured(img)
		if err != nil || b == nil {
			return err
		}
		_, err = tiles.ExecContext(ctx, p.zoom(w.Level), w.Col/tileSide, w.Row/tileSide, b)
		return err
	})
}

// pictured codes a tile; nil where nothing is known.
func pictured(img *image.NRGBA) ([]byte, error) {
	size := img.Bounds().Size()
	known := 0
	for y := range size.Y {
		for x := range size.X {
			if img.Pix[img.PixOffset(x, y)+3] != 0 {
				known++
			}
		}
	}
	var b bytes.Buffer
	switch known {
	case 0:
		return nil, nil
	case tileSide * tileSide:
		err := jpeg.Encode(&b, img, &jpeg.Options{Quality: quality})
		return b.Bytes(), err
	}
	whole := image.NewNRGBA(image.Rect(0, 0, tileSide, tileSide))
	for y := range size.Y {
		copy(whole.Pix[whole.PixOffset(0, y):], img.Pix[img.PixOffset(0, y):img.PixOffset(0, y)+4*size.X])
	}
	err := png.Encode(&b, whole)
	return b.Bytes(), err
}
