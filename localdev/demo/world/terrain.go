package world

import "math"

// axis is the middle of the main valley at the eastern distance x.
func axis(x float64) float64 {
	return 380*math.Sin((x+800)/2300) + 120*math.Sin(x/900+0.5)
}

// sideAxis is the middle of the side valley at the northern distance y; it opens into the main valley.
func sideAxis(y float64) float64 { return 2300 + 300*math.Sin((y+900)/900) }

// floorHeight is the height of the main valley's floor: the river falls to the east.
func floorHeight(x float64) float64 { return 690 - 0.006*x }

func sideFloor(y float64) float64 {
	return floorHeight(sideAxis(y)) + 0.075*math.Max(0, -y-700)
}

// floorHalf is half the width of the main valley's floor.
func floorHalf(x float64) float64 { return 600 + 110*math.Sin(x/1700+1) }

// flank is the rise above the floor at distance d from the middle.
func flank(d, half, rise, width float64) float64 {
	if d < half {
		return 5 * (d / half) * (d / half)
	}
	return 5 + rise*(1-math.Exp(-math.Pow((d-half)/width, 1.25)))
}

// Height is the terrain in metres above the Adriatic at a place of the plane.
func (w *World) Height(p P) float64 {
	base, rel := bareHeight(p)
	amp := math.Min(1, math.Max(0, (rel-50)/600))
	// Ridges follow no smooth curve: the place is shifted a little before the ridge noise is asked.
	bent := p.add(P{210 * noise(p, 620, 6), 210 * noise(p, 580, 7)}).add(P{45 * noise(p, 190, 8), 45 * noise(p, 180, 9)})
	h := base + amp*(270*(1-2*math.Abs(noise(bent, 1700, 1)))+170*noise(bent, 760, 2)+55*noise(p, 310, 3)+18*noise(p, 120, 4))
	h += math.Min(1, math.Max(0, rel/40)) * 3 * noise(p, 90, 5)
	for _, s := range w.streams {
		if d, _, _ := s.line.dist(p, 200); d < 200 {
			h -= 38 * amp * math.Exp(-d*d/4200)
		}
	}
	return h
}

// Elevation is the terrain height in metres above the Adriatic at degrees.
func (w *World) Elevation(lon, lat float64) float64 { return w.Height(Place(lon, lat)) }

// bareHeight is the smooth shape of the valleys and the height above the nearer floor.
func bareHeight(p P) (h, rel float64) {
	d := math.Abs(p.Y-axis(p.X)) / 1.03
	f := floorHeight(p.X)
	// Behind the crest the land falls to the next valley.
	h = f + flank(d, floorHalf(p.X), 2050, 2300) - 0.4*math.Min(1000, math.Max(0, d-3400))
	rel = h - f
	if p.Y < axis(p.X) {
		sf := sideFloor(p.Y)
		s := sf + flank(math.Abs(p.X-sideAxis(p.Y)), 140, 1700, 1500)
		const soft = 70
		m := math.Max(0, soft-math.Abs(h-s)) / soft
		r := math.Min(rel, math.Max(0, s-sf))
		h, rel = math.Min(h, s)-m*m*soft/4, r
	}
	return h, rel
}

// clearing is a farm's or hamlet's open land in the forest.
type clearing struct {
	at P
	r  float64
}

// The five scalar fields whose zero lines bound the natural cover; inside is above zero.
type cover int

const (
	forestLine cover = iota
	alpLine
	shrubLine
	rockLine
	iceLine
	covers
)

// field is the value of a cover's scalar field.
func (w *World) field(c cover, p P) float64 {
	switch c {
	case forestLine:
		_, rel := bareHeight(p)
		f := rel - 45 - 30*noise(p, 520, 11) - 12*noise(p, 170, 12)
		for _, k := range w.clearings {
			d := p.dist(k.at)
			f = math.Min(f, d-k.r*(1+0.5*noise(p, 230, 13)+0.18*noise(p, 90, 14)))
		}
		return f
	case alpLine:
		return w.Height(p) - 1640 - 90*noise(p, 700, 15) - 30*noise(p, 210, 16)
	case shrubLine:
		a := w.field(alpLine, p)
		return math.Min(math.Min(a-15, 230-a), 260*(noise(p, 420, 17)-0.22))
	case rockLine:
		return w.Height(p) - 2190 - 110*noise(p, 520, 18) - 40*noise(p, 170, 19)
	default:
		return math.Min(w.Height(p)-2430-50*noise(p, 600, 20), -2800-p.Y)
	}
}

// coverAt is the land-use code of the natural cover.
func (w *World) coverAt(p P) uint8 {
	switch {
	case w.field(iceLine, p) > 0:
		return 88
	case w.field(rockLine, p) > 0:
		return 87
	case w.field(shrubLine, p) > 0:
		return 55
	case w.field(alpLine, p) > 0:
		return 54
	case w.field(forestLine, p) > 0:
		return 56
	}
	return 48
}
