package scene

import (
	"image"
	"image/color"
	"math"
)

// Picture shows a date from above: the surface shaded by light from the north-west, canopy and roofs coloured by height,
// other ground by its class, holes black. A pixel is a metre.
func (s *Scene) Picture(date int) *image.RGBA {
	img := image.NewRGBA(image.Rect(0, 0, s.opt.Cols*Side, s.opt.Rows*Side))
	for row := range s.opt.Rows {
		for col := range s.opt.Cols {
			t := s.Tile(col, row, date)
			for i := range t.DSM.Z {
				c, r := i%Side, i/Side
				img.SetRGBA(col*Side+c, (s.opt.Rows-1-row)*Side+r, t.pixel(c, r))
			}
		}
	}
	return img
}

// pixel is the colour of a cell of a tile.
func (t *Tile) pixel(col, row int) color.RGBA {
	z := t.DSM.Z
	east, west := min(col+1, Side-1), max(col-1, 0)
	north, south := max(row-1, 0), min(row+1, Side-1)
	gx := float64(z[row*Side+east]-z[row*Side+west]) / 2
	gy := float64(z[north*Side+col]-z[south*Side+col]) / 2
	light := min(max((0.5*gx-0.5*gy+0.707)/math.Sqrt(1+gx*gx+gy*gy), 0), 1)
	if light != light {
		return color.RGBA{0, 0, 0, 255}
	}
	i := row*Side + col
	above := float64(t.Surface.Z[i] - t.Ground.Z[i])
	c, k := shades[t.Classes[i]], min(max(above/30, 0), 1)
	if t.Classes[i] == TreeClass {
		c = [3]float64{120 - 80*k, 190 - 60*k, 90 - 50*k}
	}
	shade := func(v float64) uint8 { return uint8(min(v*(0.25+light), 255)) }
	return color.RGBA{shade(c[0]), shade(c[1]), shade(c[2]), 255}
}

// shades are the colours of classes in a picture.
var shades = [256][3]float64{
	unclassified: {200, 180, 200}, ShrubClass: {130, 180, 80}, Grass: {190, 210, 140}, Hedge: {110, 160, 70}, Water: {110, 160, 220},
	RoofClass:  {215, 120, 95},
	Greenhouse: {200, 225, 225}, Mast: {90, 90, 90}, Road: {170, 170, 175}, Path: {205, 195, 170}, Parking: {185, 180, 180},
	Bridge: {150, 150, 155},
	Crop:   {225, 210, 110}, Orchard: {170, 200, 110}, Vineyard: {180, 170, 100}, Garden: {200, 220, 160}, BareSoil: {205, 180, 140},
	Rock:       {190, 185, 180},
	Excavation: {190, 150, 110}, FillClass: {200, 165, 125}, TreeLoss: {200, 185, 130}, BuildingSite: {215, 190, 165},
}
