package judged

import (
	"context"
	"math"

	builder "mappe/builders/rasters"
	"mappe/localdev/demo/scene"
	"mappe/shared/geo/crs"
	"mappe/shared/geo/raster"
	"mappe/shared/landscape/segment"
)

// Bare leaves layers of a scene out.
type Bare struct{ Heights, Photo, Satellite, Earlier, Footprints bool }

// SegmentSource gives the layers of a scene on the last date as the service reads them: models, an orthophoto of the series,
// satellites, models of the first date, footprints. The layers are made once; it is safe for concurrent use.
func SegmentSource(s *scene.Scene, series int, bare Bare) segment.Source {
	const date = 2
	l := &segment.Layers{}
	if !bare.Heights {
		l.DTM, l.DSM = s.DTM(date), s.DSM(date)
		if !bare.Earlier {
			l.EarlierDTM, l.EarlierDSM = s.DTM(0), s.DSM(0)
		}
	}
	if !bare.Photo {
		c := segmentPhoto(s, series)
		l.Red, l.Green, l.Blue, l.NIR = c[0], c[1], c[2], c[3]
	}
	if !bare.Satellite {
		satellites(s, date, l)
	}
	if !bare.Footprints {
		l.Buildings, l.BuildingsKnown = Layers(s, date, true).Buildings, true
		for i := range s.Options().Cols * s.Options().Rows {
			for _, p := range s.Vectors(i%s.Options().Cols, i/s.Options().Cols).Parcels {
				var ring []raster.XY
				for _, v := range p.Ring {
					ring = append(ring, raster.XY{X: v.X, Y: v.Y})
				}
				l.Uses = append(l.Uses, segment.Use{Polygon: raster.Polygon{ring}, Code: p.Use})
			}
		}
	}
	return func(_ context.Context, w raster.Box) (*segment.Layers, error) {
		out := *l
		for _, g := range []**raster.Grid{&out.DTM, &out.DSM, &out.EarlierDTM, &out.EarlierDSM, &out.Red, &out.Green, &out.Blue, &out.NIR} {
			if *g == nil {
				continue
			}
			part := raster.New(w.West, w.North, 1, int(w.East-w.West), int(w.North-w.South))
			if err := part.Paste(*g); err != nil {
				return nil, err
			}
			*g = part
		}
		return &out, nil
	}
}

// satellites adds the layers of 10 m.
func satellites(s *scene.Scene, date int, l *segment.Layers) {
	b := s.Bounds()
	const step = 10
	grid := func() *raster.Grid {
		return raster.New(b.West, b.North, step, int((b.East-b.West)/step), int((b.North-b.South)/step))
	}
	l.Mean, l.Cos, l.Sin, l.VV, l.VH, l.Cover, l.Loss = grid(), grid(), grid(), grid(), grid(), grid(), grid()
	for row := range s.Options().Rows {
		for col := range s.Options().Cols {
			t := s.Satellite(col, row, date)
			mean, cos, sin := builder.Year(&t.NDVI)
			cover := raster.New(t.Prior.West, t.Prior.North, step, t.Prior.Cols, t.Prior.Rows)
			for i, v := range t.Prior.Pix {
				cover.Z[i] = float32(v)
			}
			for to, from := range map[*raster.Grid]*raster.Grid{l.Mean: mean, l.Cos: cos, l.Sin: sin, l.VV: t.VV, l.VH: t.VH,
				l.Cover: cover} {
				if err := to.Paste(from); err != nil {
					panic(err) // tiles of one scene have the same cells
				}
			}
		}
	}
	loss := s.ForestLoss()
	for i := range l.Loss.Z {
		x, y := l.Loss.Centre(i%l.Loss.Cols, i/l.Loss.Cols)
		c, r := int((x-loss.West)/loss.Step), int((loss.North-y)/loss.Step)
		l.Loss.Z[i] = float32(loss.Pix[r*loss.Cols+c])
	}
}

// segmentPhoto is the orthophoto of a scene in cells of 1 m: the mean of four pixels of 0.5 m, by the nearest.
func segmentPhoto(s *scene.Scene, series int) (out [4]*raster.Grid) {
	b := s.Bounds()
	cols, rows := int(b.East-b.West), int(b.North-b.South)
	for i := range out {
		out[i] = raster.New(b.West, b.North, 1, cols, rows)
	}
	for row := range s.Options().Rows {
		for col := range s.Options().Cols {
			o := s.Ortho(col, row, series, 2)
			system := crs.System(o.RGB.EPSG)
			c0, r0 := col*scene.Side, (s.Options().Rows-1-row)*scene.Side
			for r := r0; r < r0+scene.Side; r++ {
				for c := c0; c < c0+scene.Side; c++ {
					x, y := out[0].Centre(c, r)
					px, py := system.Forward(crs.LAEA.Inverse(x, y))
					var sum [4]float32
					n := float32(0)
					for k := range 4 {
						q := int(math.Floor((px + 0.5*float64(k&1) - 0.25 - o.RGB.West) / o.RGB.Step))
						p := int(math.Floor((o.RGB.North - py - 0.5*float64(k>>1) + 0.25) / o.RGB.Step))
						if q < 0 || p < 0 || q >= o.RGB.Cols || p >= o.RGB.Rows || o.NIR.Pix[p*o.RGB.Cols+q] == 0 {
							continue
						}
						at := p*o.RGB.Cols + q
						for band := range 3 {
							sum[band] += float32(o.RGB.Pix[3*at+band])
						}
						sum[3] += float32(o.NIR.Pix[at])
						n++
					}
					for band := range out {
						if n > 0 {
							out[band].Row(r)[c] = sum[band] / n
						}
					}
				}
			}
		}
	}
	return out
}

// All is the area of a scene.
func All(s *scene.Scene) []raster.Polygon {
	b := s.Bounds()
	return []raster.Polygon{{{{X: b.West, Y: b.South}, {X: b.East, Y: b.South}, {X: b.East, Y: b.North}, {X: b.West, Y: b.North}}}}
}

// ClassesOf are the true types of the cells of a scene on the last date, rows from the north.
func ClassesOf(s *scene.Scene) []segment.Type {
	o := s.Options()
	cols := o.Cols * scene.Side
	out := make([]segment.Type, cols*o.Rows*scene.Side)
	for row := range o.Rows {
		for col := range o.Cols {
			t := s.Tile(col, row, 2)
			for i, c := range t.Classes {
				out[((o.Rows-1-row)*scene.Side+i/scene.Side)*cols+col*scene.Side+i%scene.Side] = segment.Type(c) // the same codes
			}
		}
	}
	return out
}

// Truth is what an object of a scene really is: the type that most of its cells have, and their share.
type Truth struct {
	Type   segment.Type
	Purity float64
}

// TrueTypes are the true types of the objects that the whole of a scene was divided into.
func TrueTypes(s *scene.Scene, land *segment.Land) []Truth {
	classes := ClassesOf(s)
	counts := make([][64]int32, len(land.Objects))
	totals := make([]int32, len(land.Objects))
	for i, k := range land.Labels {
		if k > 0 {
			counts[k-1][classes[i]]++
			totals[k-1]++
		}
	}
	out := make([]Truth, len(counts))
	for i := range counts {
		best := 0
		for c, n := range counts[i] {
			if n > counts[i][best] {
				best = c
			}
		}
		out[i] = Truth{segment.Type(best), float64(counts[i][best]) / float64(max(totals[i], 1))}
	}
	return out
}
