package scene

import (
	"math"

	"mappe/shared/geo/raster"
)

// Tile are the layers of 1 m of a tile on a date.
type Tile struct {
	DTM, DSM *raster.Grid // as measured: NaN in holes
	Ground   *raster.Grid // truth of the terrain at the middles of cells, unshifted
	Surface  *raster.Grid // truth of what is seen from above
	Classes  []Class      // of the truth, row by row from the north
	Trees    []uint64     // identity of the tree that is seen; 0: none
}

// DTM is the terrain model of a date over the whole scene, as measured, in cells of 1 m: 4 MB a km².
func (s *Scene) DTM(date int) *raster.Grid { return s.whole(date, true) }

// DSM is the surface model of a date over the whole scene.
func (s *Scene) DSM(date int) *raster.Grid { return s.whole(date, false) }

func (s *Scene) whole(date int, terrain bool) *raster.Grid {
	b := s.Bounds()
	g := raster.New(b.West, b.North, 1, s.opt.Cols*Side, s.opt.Rows*Side)
	for row := range s.opt.Rows {
		for col := range s.opt.Cols {
			dtm, dsm := s.Scan(col, row, date)
			if !terrain {
				dtm = dsm
			}
			for r := range Side {
				copy(g.Row((s.opt.Rows-1-row)*Side + r)[col*Side:], dtm.Row(r))
			}
		}
	}
	return g
}

// Scan is what the laser measures of a tile on a date: terrain and surface.
func (s *Scene) Scan(col, row, date int) (dtm, dsm *raster.Grid) {
	w := s.window(col, row)
	w.dx, w.dy = s.opt.Survey.Shift[date].X, s.opt.Survey.Shift[date].Y
	c := s.paint(w, date, s.tile(col, row), true)
	return c.measured()
}

// Tile is a tile on a date, measured and true.
func (s *Scene) Tile(col, row, date int) *Tile {
	w := s.window(col, row)
	t := &Tile{}
	things := s.tile(col, row)
	c := s.paint(w, date, things, true)
	if p := s.opt.Survey.Shift[date]; p == (raster.XY{}) {
		t.DTM, t.DSM = c.measured()
	} else {
		t.DTM, t.DSM = s.Scan(col, row, date)
	}
	t.Ground, t.Surface = c.grid(), c.grid()
	t.Classes, t.Trees = make([]Class, Side*Side), make([]uint64, Side*Side)
	c.core(func(from, to int) {
		t.Ground.Z[to], t.Surface.Z[to], t.Classes[to] = float32(c.z[from]), c.top[from], c.class[from]
		if k := c.tree[from]; k >= 0 {
			t.Trees[to] = things.trees[k].ID
		}
	})
	return t
}

// grid is a grid of the canvas without its margin.
func (c *canvas) grid() *raster.Grid {
	return raster.New(float64(c.col0+margin), float64(c.row0+1-margin), 1, c.cols-2*margin, c.rows-2*margin)
}

// core calls f with the cells of the canvas without its margin, and their place in a grid of that.
func (c *canvas) core(f func(from, to int)) {
	cols := c.cols - 2*margin
	for row := range c.rows - 2*margin {
		for col := range cols {
			f((row+margin)*c.cols+col+margin, row*cols+col)
		}
	}
}

// stripWidth is that of a flight strip in metres.
const stripWidth = 420

// measured is the canvas as the laser measures it, in centimetres as the survey office hands heights out.
func (c *canvas) measured() (dtm, dsm *raster.Grid) {
	s, q := c.s, &c.s.opt.Survey
	dtm, dsm = c.grid(), c.grid()
	seed := s.seed ^ uint64(c.date+1)<<32
	below := octave{seed, forCanopyGround, 5, 1}.over(&c.window)
	relief := make([]float64, c.cols)
	fx, fy := direction(unit(key(seed, forStrip, 0, 0)) / 4)
	cols := dtm.Cols
	for row := range dtm.Rows {
		y := c.y(row + margin)
		clear(relief)
		below.add(relief, y)
		for col := range cols {
			i := (row+margin)*c.cols + col + margin
			x := c.x(col + margin)
			k := key(seed, forNoise, c.col0+margin+col, c.row0-margin-row)
			off := q.Offset[c.date] + float64(q.Tilt[c.date][0]*(x-q.Pivot.X)) + float64(q.Tilt[c.date][1]*(y-q.Pivot.Y))
			if q.Strips > 0 {
				strip := math.Floor((float64(x*fx) + float64(y*fy)) / stripWidth)
				off += float64(q.Strips * normal(key(seed, forStrip, int(strip), 1)))
			}
			z, n := c.z[i], float64(q.Open*normal(k))
			if t := c.tree[i]; t >= 0 && q.Wooded > 0 {
				// Few pulses reach the ground below a canopy; what lies between them is interpolated: smooth, and wrong.
				z -= c.fine[i]
				n = float64(q.Wooded * 0.4 * normal(k))
				n += float64(q.Wooded * 2.9 * relief[col+margin])
			}
			ground := z + n
			dtm.Z[row*cols+col] = centimetres(ground + off)
			top := float64(c.first[i]) + float64(q.Open*normal(mix(k))*0.6)
			if float64(c.first[i])-c.z[i] < 0.06 {
				top = ground + math.Abs(float64(q.Open*normal(mix(k))*0.5)) + float64(c.first[i]) - c.z[i]
			}
			dsm.Z[row*cols+col] = centimetres(top + off)
		}
	}
	c.pierce(dtm, dsm, seed)
	return dtm, dsm
}

func centimetres(z float64) float32 { return float32(math.Floor(float64(z*100)+0.5) / 100) }

// pierce makes holes: discs without a return, and the water of every third pond.
func (c *canvas) pierce(dtm, dsm *raster.Grid, seed uint64) {
	q := &c.s.opt.Survey
	if q.Holes <= 0 {
		return
	}
	nan := float32(math.NaN())
	const apart = 100
	b := c.box()
	for j := int(math.Floor(b.south/apart)) - 1; j <= int(math.Floor(b.north/apart))+1; j++ {
		for i := int(math.Floor(b.west/apart)) - 1; i <= int(math.Floor(b.east/apart))+1; i++ {
			d := dice(key(seed, forHole, i, j))
			if !d.is(q.Holes / 100) {
				continue
			}
			x, y, r := float64((float64(i)+d.f())*apart), float64((float64(j)+d.f())*apart), d.between(2, 6)
			col0, row0, col1, row1 := c.span(box{x - r, y - r, x + r, y + r})
			for row := max(row0, margin); row < min(row1, c.rows-margin); row++ {
				for col := max(col0, margin); col < min(col1, c.cols-margin); col++ {
					if dx, dy := c.x(col)-x, c.y(row)-y; dot(dx, dy, dx, dy) <= r*r {
						at := (row-margin)*dtm.Cols + col - margin
						dtm.Z[at], dsm.Z[at] = nan, nan
					}
				}
			}
		}
	}
	f := finder{l: &c.s.layout}
	c.core(func(from, to int) {
		if c.class[from] == Water {
			if p := f.at(c.u[from], c.v[from]); p.use == pond && p.id%3 == 0 {
				dtm.Z[to], dsm.Z[to] = nan, nan
			}
		}
	})
}
