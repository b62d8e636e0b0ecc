package products

import (
	"bufio"
	"context"
	"errors"
	"image"
	"image/color"
	"math"
	"os"

	"mappe/artefacts/cog"
	"mappe/artefacts/library/mosaic"
	"mappe/artefacts/rasters"
	"mappe/shared/cloud/landprocess"
	"mappe/shared/cloud/spool"
	"mappe/shared/geo/raster"
	"mappe/shared/web/gpkg"
)

// photoFiles are the orthophoto and its preview; none where no orthophoto reaches into the KG.
func (w *workshop) photoFiles() []product {
	if w.Photo == nil {
		return nil
	}
	g := w.photoGrid()
	return []product{
		{name: "ortho.tif", title: "Orthophoto: red, green, blue, near infrared", set: landprocess.Analysis, roles: []string{"data",
			"visual"},
			about: map[string]any{"data_type": "uint8", "nodata": 0, "gsd": g.Step, "proj:shape": []int{g.Rows, g.Cols},
				"proj:transform": []float64{g.Step, 0, g.West, 0, -g.Step, g.North}}, make: w.photo},
		{name: "ortho.png", title: "Orthophoto: preview", set: landprocess.Analysis, roles: []string{"overview"}, make: w.photoPreview},
	}
}

// photoGrid is where the cells of the orthophoto lie, which are those that the KG was analysed in.
func (w *workshop) photoGrid() *raster.Grid { return w.grid(&layer{step: w.PhotoStep}) }

// photo writes the orthophoto as a cloud optimised GeoTIFF of bytes; 0 in all bands says that nothing is known, or that the cell
// lies outside the KG.
func (w *workshop) photo(ctx context.Context, path string) (err error) {
	tiles, err := spool.NewFile(w.dir)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, tiles.Close()) }()
	at, none := w.photoGrid(), 0.0
	var names []string
	for _, b := range w.Photo.Bands {
		names = append(names, b.Name)
	}
	out, err := cog.NewWriter[uint8](at, len(names), cog.Options{Packing: cog.Deflate, EPSG: rasters.EPSG, NoData: &none, Names: names,
		Colours: true, About: w.about("Orthophoto", w.Photo.Date)}, tiles)
	if err != nil {
		return err
	}
	for row := 0; row < at.Rows; row += strip {
		n := min(strip, at.Rows-row)
		north := at.North - float64(row)*at.Step
		b := raster.Box{West: at.West, East: at.East(), North: north, South: north - float64(n)*at.Step}
		s, err := mosaic.Samples[uint8](ctx, w.Rasters, w.Photo, b, at.Step)
		if err != nil {
			return err
		}
		if err := out.Write(inside(s, w.Outline)); err != nil {
			return err
		}
	}
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	buffered := bufio.NewWriterSize(f, 1<<20)
	_, err = out.Close(buffered)
	return errors.Join(err, buffered.Flush(), f.Close())
}

// inside are the samples of the cells whose centres lie in polygons, 0 elsewhere.
func inside(s *raster.Samples[uint8], outline []raster.Polygon) []uint8 {
	out := make([]uint8, len(s.Pix))
	m := raster.MaskOf(s.Grid(), outline)
	for row := range s.Rows {
		m.Each(row, func(from, to int) {
			at := (row*s.Cols + from) * s.Bands
			copy(out[at:], s.Pix[at:(row*s.Cols+to)*s.Bands])
		})
	}
	return out
}

// pictures is the orthophoto as the full GeoPackage has it: its colours, without near infrared.
func (w *workshop) pictures(ctx context.Context) (list []gpkg.Picture, closing func(), err error) {
	if w.Photo == nil {
		return nil, func() {}, nil
	}
	o, err := w.open(ctx, &layer{name: "ortho"})
	if err != nil {
		return nil, nil, err
	}
	return []gpkg.Picture{{Name: "ortho", Description: "Orthophoto, " + w.Photo.Date + ". " + w.credit(landprocess.Analysis),
		Pyramid: o.pyramid(),
		Read:    o.colours}}, func() { o.in.Close() }, nil
}

// colours reads a window of a level; what is black in all bands is transparent.
func (o *opened) colours(_ context.Context, w gpkg.Window) (*image.NRGBA, error) {
	s, err := cog.ReadSamples[uint8](o.File, o.in, &o.Images[w.Level], cog.Window{Col: w.Col, Row: w.Row, Cols: w.Cols, Rows: w.Rows})
	if err != nil {
		return nil, err
	}
	img := image.NewNRGBA(image.Rect(0, 0, w.Cols, w.Rows))
	for i := range w.Cols * w.Rows {
		if p := s.Pix[i*s.Bands:]; p[0]|p[1]|p[2] != 0 {
			copy(img.Pix[4*i:], []uint8{p[0], p[1], p[2], 255})
		}
	}
	return img, nil
}

// photoPreview draws the orthophoto from the finest resolution that is small enough.
func (w *workshop) photoPreview(ctx context.Context, path string) error {
	o, err := w.open(ctx, &layer{name: "ortho"})
	if err != nil {
		return err
	}
	defer o.in.Close() // read only
	im := o.small()
	s, err := cog.ReadSamples[uint8](o.File, o.in, im, im.Whole())
	if err != nil {
		return err
	}
	img := w.canvas(s.Grid())
	for i := range s.Cols * s.Rows {
		if p := s.Pix[i*s.Bands:]; p[0]|p[1]|p[2] != 0 {
			img.SetRGBA(i%s.Cols, i/s.Cols, color.RGBA{p[0], p[1], p[2], 255})
		}
	}
	return save(path, framed(img, w.heading("orthophoto", w.Photo.Date), []entry{nothing}, s.Step))
}

// small is the finest resolution that fits into a preview.
func (o *opened) small() *cog.Image {
	level := 0
	for level < len(o.Images)-1 && math.Max(float64(o.Images[level].Width), float64(o.Images[level].Height)) > previewSide {
		level++
	}
	return &o.Images[level]
}
