package judged

import (
	"math"

	"mappe/localdev/demo/scene"
	"mappe/shared/geo/crs"
	"mappe/shared/geo/raster"
	"mappe/shared/landscape/canopy"
)

// Layers are those of a scene on a date.
func Layers(s *scene.Scene, date int, footprints bool) canopy.Layers {
	l := canopy.Layers{DTM: s.DTM(date), DSM: s.DSM(date), BuildingsKnown: footprints}
	for row := range s.Options().Rows {
		for col := range s.Options().Cols {
			for _, f := range s.Vectors(col, row).Footprints {
				var ring []raster.XY
				for _, p := range f.Ring {
					ring = append(ring, raster.XY{X: p.X, Y: p.Y})
				}
				l.Buildings = append(l.Buildings, raster.Polygon{ring})
			}
		}
	}
	return l
}

// Inner is the scene without the trees that its border cuts.
func Inner(s *scene.Scene) raster.Box { return s.Bounds().Grown(-20) }

// Photo is the orthophoto of a scene of one tile of 0.5 m in cells of 0.4 m, by the nearest pixel.
func Photo(s *scene.Scene, series int) canopy.Bands {
	o := s.Ortho(0, 0, series, 2)
	system := crs.System(o.RGB.EPSG)
	b := s.Bounds()
	const step = 0.4
	n := int(math.Round((b.East - b.West) / step))
	out := make(canopy.Bands, 4)
	for i := range out {
		out[i] = raster.New(b.West, b.North, step, n, n)
	}
	for row := range n {
		for col := range n {
			px, py := system.Forward(crs.LAEA.Inverse(out[0].Centre(col, row)))
			c, r := int(math.Floor((px-o.RGB.West)/o.RGB.Step)), int(math.Floor((o.RGB.North-py)/o.RGB.Step))
			if c < 0 || r < 0 || c >= o.RGB.Cols || r >= o.RGB.Rows {
				continue
			}
			at := r*o.RGB.Cols + c
			if o.NIR.Pix[at] == 0 {
				continue
			}
			for band := range 3 {
				out[band].Row(row)[col] = float32(o.RGB.Pix[3*at+band])
			}
			out[3].Row(row)[col] = float32(o.NIR.Pix[at])
		}
	}
	return out
}
