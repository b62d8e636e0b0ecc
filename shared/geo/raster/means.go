package raster

import "math"

// Means are the means of samples over cells of 1 m in a box whose borders are whole metres, a grid for each band: each sample
// counts by the part of it that lies in the cell. Samples whose number in the band valid is 0 do not count; cells without
// any are NaN.
func Means(s *Samples[uint8], w Box, valid int) []*Grid {
	out := make([]*Grid, s.Bands)
	cols, rows := int(w.East-w.West), int(w.North-w.South)
	for b := range out {
		out[b] = &Grid{West: w.West, North: w.North, Step: 1, Cols: cols, Rows: rows, Z: make([]float32, cols*rows)}
	}
	across, down := overlaps(w.West-s.West, s.Step, cols, s.Cols), overlaps(s.North-w.North, s.Step, rows, s.Rows)
	if s.Bands == 4 {
		meansOfFour(s, out, across, down, valid)
		return out
	}
	sum := make([]float32, s.Bands)
	for row := range rows {
		for col := range cols {
			clear(sum)
			var weight float32
			for _, y := range down[row] {
				for _, x := range across[col] {
					p := s.Pix[(y.at*s.Cols+x.at)*s.Bands:][:s.Bands]
					if p[valid] == 0 {
						continue
					}
					k := float32(x.weight * y.weight)
					weight += k
					for b := range sum {
						sum[b] += float32(k * float32(p[b]))
					}
				}
			}
			for b, g := range out {
				g.Z[row*cols+col] = sum[b] / weight // 0/0 is NaN
			}
		}
	}
	return out
}

// meansOfFour is Means of four bands, as orthophotos have: the sums of a cell stay in registers.
func meansOfFour(s *Samples[uint8], out []*Grid, across, down [][]overlap, valid int) {
	cols := len(across)
	for row, ys := range down {
		a, b, c, d := out[0].Row(row), out[1].Row(row), out[2].Row(row), out[3].Row(row)
		for col, xs := range across[:cols] {
			var e, f, g, h, weight float32
			for _, y := range ys {
				line := s.Pix[y.at*s.Cols*4:][:s.Cols*4]
				for _, x := range xs {
					p := line[x.at*4:][:4]
					if p[valid] == 0 {
						continue
					}
					k := float32(x.weight * y.weight)
					weight += k
					e += float32(k * float32(p[0]))
					f += float32(k * float32(p[1]))
					g += float32(k * float32(p[2]))
					h += float32(k * float32(p[3]))
				}
			}
			a[col], b[col], c[col], d[col] = e/weight, f/weight, g/weight, h/weight // 0/0 is NaN
		}
	}
}

// overlap is a sample and how much of it lies in a cell.
type overlap struct {
	at     int
	weight float32
}

// overlaps are the samples that each of n cells of 1 m overlaps along an axis; the first cell begins so many metres behind the
// first sample.
func overlaps(offset, step float64, n, samples int) [][]overlap {
	out := make([][]overlap, n)
	for i := range out {
		from, to := (offset+float64(i))/step, (offset+float64(i)+1)/step
		for k := max(int(math.Floor(from+1e-9)), 0); float64(k) < to-1e-9 && k < samples; k++ {
			part := min(to, float64(k+1)) - max(from, float64(k))
			out[i] = append(out[i], overlap{k, float32(math.Round(part*1e6) / 1e6)})
		}
	}
	return out
}

// Clipped are the parts of polygons in a box. Parts of a ring that fall apart hang together along the border of the box: what
// an odd number of rings holds stays inside, so masks of cells, whose centres are not on the border, are right.
func Clipped(polygons []Polygon, b Box) (out []Polygon) {
	for _, p := range polygons {
		var kept Polygon
		for _, ring := range p {
			r := ring
			for side := range 4 {
				r = clipSide(r, b, side)
			}
			if len(r) > 2 {
				kept = append(kept, r)
			}
		}
		if len(kept) > 0 {
			out = append(out, kept)
		}
	}
	return out
}

// clipSide keeps what of a ring lies on the inner side of a border (Sutherland & Hodgman 1974).
func clipSide(ring []XY, b Box, side int) (out []XY) {
	in := func(p XY) bool {
		switch side {
		case 0:
			return p.X >= b.West
		case 1:
			return p.X <= b.East
		case 2:
			return p.Y >= b.South
		}
		return p.Y <= b.North
	}
	cut := func(p, q XY) XY {
		switch side {
		case 0, 1:
			x := b.West
			if side == 1 {
				x = b.East
			}
			return XY{x, p.Y + float64((q.Y-p.Y)*((x-p.X)/(q.X-p.X)))}
		}
		y := b.South
		if side == 3 {
			y = b.North
		}
		return XY{p.X + float64((q.X-p.X)*((y-p.Y)/(q.Y-p.Y))), y}
	}
	for i, q := range ring {
		p := ring[(i+len(ring)-1)%len(ring)]
		switch {
		case in(q) && in(p):
			out = append(out, q)
		case in(q):
			out = append(out, cut(p, q), q)
		case in(p):
			out = append(out, cut(p, q))
		}
	}
	return out
}

// Part is a copy of the cells of a grid in a box whose borders are borders of its cells; what lies outside of the grid is left
// out.
func (g *Grid) Part(b Box) *Grid {
	c0, c1 := max(int(math.Round((b.West-g.West)/g.Step)), 0), min(int(math.Round((b.East-g.West)/g.Step)), g.Cols)
	r0, r1 := max(int(math.Round((g.North-b.North)/g.Step)), 0), min(int(math.Round((g.North-b.South)/g.Step)), g.Rows)
	out := &Grid{West: g.West + float64(float64(c0)*g.Step), North: g.North - float64(float64(r0)*g.Step), Step: g.Step,
		Cols: max(c1-c0, 0), Rows: max(r1-r0, 0)}
	out.Z = make([]float32, 0, out.Cols*out.Rows)
	for row := r0; row < r1 && out.Cols > 0; row++ {
		out.Z = append(out.Z, g.Row(row)[c0:c1]...)
	}
	return out
}
