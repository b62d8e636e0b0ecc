package scene

import "math"

// Place is a position in EPSG:3035, metres.
type Place struct{ X, Y float64 }

// wavesOf the terrain in metres. Those from roughest on are what laser scans lose below a canopy.
var wavesOf = [...]float64{2048, 1024, 512, 256, 128, 64, 32, 16, 8}

const (
	roughest = 7
	finest   = 0.16 // metres that the shortest wave may have: more is rubble
)

// terrain draws the spectrum of the heights: each wave has a share of the amplitude of that before, 0.41 to 0.57, which are
// slopes of the spectrum of 4.6 to 3.6.
func (s *Scene) terrain(relief float64, d *dice) {
	gain, amplitude := d.between(0.406, 0.574), relief*0.6
	for amplitude*power(gain, float64(len(wavesOf)-1)) > finest {
		gain *= 0.98
	}
	for _, wave := range wavesOf {
		s.octaves = append(s.octaves, octave{s.seed, forTerrain, wave, amplitude})
		amplitude *= gain
	}
	s.valley = relief * 0.3
}

// valleySide is how far the sides of a valley rise from its stream, metres.
const valleySide = 560

// base is the height about which the terrain moves, metres above the Adriatic.
const base = 640

// ground are heights without error, in cells of 1 m, and the bent coordinates of its places.
type ground struct {
	window
	z    []float64
	fine []float64 // part of z that is lost below a canopy
	u, v []float64
}

// margin is what the ground of a window needs around it: a way is levelled by the height at its middle.
const margin = 14

// groundOf are the heights of a window on a date, with a margin around it.
func (s *Scene) groundOf(w window, date int, changes []*change) *ground {
	w = w.grown(margin)
	g := &ground{window: w, z: make([]float64, w.cols*w.rows), fine: make([]float64, w.cols*w.rows)}
	g.u, g.v = s.layout.bends(&w)
	waves := make([]*wave, len(s.octaves))
	for i, o := range s.octaves {
		waves[i] = o.over(&w)
	}
	for row := range w.rows {
		at, y := row*w.cols, w.y(row)
		z, fine := g.z[at:at+w.cols], g.fine[at:at+w.cols]
		for i, v := range waves {
			if i < roughest {
				v.add(z, y)
			} else {
				v.add(fine, y)
			}
		}
		for c := range z {
			off := math.Abs(s.layout.stream(g.u[at+c], g.v[at+c], valleySide))
			z[c] += base + fine[c] + float64(s.valley*smooth(0, valleySide, off)) - float64(1.6*smooth(streamWidth/2+2.6, streamWidth/2-0.4,
				off))
		}
	}
	s.level(g, changes, date)
	for _, c := range changes {
		if date >= c.when && c.shape.box(&s.layout).meets(w.box()) {
			c.dig(s, g)
		}
	}
	return g
}

// bends are the bent coordinates of the cells of a window.
func (l *layout) bends(w *window) (u, v []float64) {
	u, v = make([]float64, w.cols*w.rows), make([]float64, w.cols*w.rows)
	var waves [4]*wave
	for i := range 2 {
		waves[i], waves[2+i] = l.bendU[i].over(w), l.bendV[i].over(w)
	}
	for row := range w.rows {
		at, y := row*w.cols, w.y(row)
		for i := range 2 {
			waves[i].add(u[at:at+w.cols], y)
			waves[2+i].add(v[at:at+w.cols], y)
		}
		for c := at; c < at+w.cols; c++ {
			u[c], v[c] = l.turn(w.x(c-at), y, u[c], v[c])
		}
	}
	return u, v
}

// level shapes what people and water have made of the terrain: ways, terraces, ditches, ponds, pits.
func (s *Scene) level(g *ground, changes []*change, date int) {
	before := append([]float64(nil), g.z...)
	f := finder{l: &s.layout}
	levels := map[[2]int]float64{} // of the water or rim of ponds and pits
	for row := range g.rows {
		for col := range g.cols {
			i := row*g.cols + col
			u, v := g.u[i], g.v[i]
			p := f.at(u, v)
			b := p.block
			if w, off, side := b.onWay(u, v, bank); w != noWay {
				half := widths[w] / 2
				for _, c := range changes {
					if c.kind == RoadWidened && date >= c.when && c.on(b, side, u, v) {
						half += c.height
					}
				}
				foot := g.foot(before, col, row, off, side)
				g.z[i] = lerp(foot, g.z[i], smooth(half, half+bank, math.Abs(off)))
				continue
			}
			switch p.use {
			case arable:
				if p.id%3 == 0 {
					g.z[i] = terraced(g.z[i], smooth(2, 10, p.depth(u, v)))
				}
			case meadow:
				if d := v - p.v0; p.id%4 == 1 && d < 3 {
					g.z[i] -= float64(0.6 * smooth(1.3, 0.2, math.Abs(d-1.5)))
				}
			case pond, quarry:
				at := [2]int{b.i, b.j}
				if _, known := levels[at]; !known {
					x, y := s.layout.xy(b.middle())
					levels[at] = s.plain(x, y, levelled)
				}
				g.basin(b, i, levels[at])
			}
		}
	}
}

// bank is the width of the slope beside a way in metres.
const bank = 2.5

// terraced is a height drawn to steps of 2.5 m by a share.
func terraced(z, share float64) float64 {
	const step = 2.5
	k := math.Floor(z / step)
	return lerp(z, float64(step*(k+smooth(0.55, 1, float64(z/step)-k))), share)
}

// foot is the height in the middle of a way, abeam of a cell.
func (g *ground) foot(z []float64, col, row int, off float64, side int) float64 {
	coord := g.u
	if side%2 == 1 {
		coord = g.v
	}
	c, r := min(max(col, 1), g.cols-2), min(max(row, 1), g.rows-2)
	gx := (coord[r*g.cols+c+1] - coord[r*g.cols+c-1]) / 2
	gy := (coord[(r-1)*g.cols+c] - coord[(r+1)*g.cols+c]) / 2
	n := dot(gx, gy, gx, gy)
	// Columns and rows of the middle: a metre is a cell.
	x, y := float64(col)-float64(off*gx)/n, float64(row)+float64(off*gy)/n
	x, y = min(max(x, 0), float64(g.cols-2)), min(max(y, 0), float64(g.rows-2))
	i, j := int(x), int(y)
	at := j*g.cols + i
	return lerp(lerp(z[at], z[at+1], x-float64(i)), lerp(z[at+g.cols], z[at+g.cols+1], x-float64(i)), y-float64(j))
}

// round is how far a place lies from the middle of a block: 1 at an ellipse inside of it.
func (b *block) round(u, v float64) float64 {
	mu, mv := b.middle()
	return length((u-mu)/(0.36*(b.u1-b.u0)), (v-mv)/(0.36*(b.v1-b.v0)))
}

// basin levels the water of a pond, or the floor and benches of a pit.
func (g *ground) basin(b *block, i int, level float64) {
	rho := b.round(g.u[i], g.v[i])
	if rho > 1.3 {
		return
	}
	if b.use == pond {
		g.z[i] = lerp(level-0.8, g.z[i], smooth(1.0, 1.3, rho))
		return
	}
	depth := float64(9 * smooth(1.02, 0.98, rho)) // two faces with a bench between them
	depth += float64(8 * smooth(0.74, 0.7, rho))
	g.z[i] = lerp(level-depth, g.z[i]-depth, smooth(0.5, 1.1, rho))
}

// Waves that are left where ground is levelled widely, and where it is only made even.
const (
	levelled = 5
	even     = 7
)

// plain is the height of the first, longest waves at a place.
func (s *Scene) plain(x, y float64, waves int) float64 {
	z := float64(base)
	for _, o := range s.octaves[:waves] {
		z += o.at(x, y)
	}
	u, v := s.layout.uv(x, y)
	return z + float64(s.valley*smooth(0, valleySide, math.Abs(s.layout.stream(u, v, valleySide))))
}
