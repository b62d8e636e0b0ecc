package world

import "math"

// settlement is a place with streets and building plots around them.
type settlement struct {
	name     string
	kg       int // index of its KG
	f        frame
	from, to float64   // along the valley
	lanes    []float64 // across it; the first is the main street
	cross    float64   // distance between cross streets
	depth    float64   // of the building land beside a street
	plot     float64   // m² of a plot
	core     float64   // half length of the dense middle
	onRoad   func(float64) float64
	named    bool // streets carry names; else the locality's name serves
	keep     float64
}

// street is a way with houses.
type street struct {
	name string
	line line
	half float64
	st   int // settlement
}

// inSettlement is the settlement of the main valley that reaches within margin of the place.
func (w *World) inSettlement(s, t, margin float64) *settlement {
	for i := range w.settlements {
		v := &w.settlements[i]
		if v.kg == kgSide || s < v.from-90 || s > v.to+90 {
			continue
		}
		for _, l := range v.lanes {
			if math.Abs(l-t) < margin {
				return v
			}
		}
	}
	return nil
}

func settlementTable() []settlement {
	return []settlement{
		{kg: kgTown, from: -1240, to: 1240, lanes: []float64{300, 222, 365, 496, 560, 624}, cross: 104, depth: 37, plot: 620, core: 300,
			onRoad: northRoad, named: true, keep: 0.95},
		{kg: kgSuburb, from: -1080, to: 640, lanes: []float64{-290, -222, -358, -424}, cross: 112, depth: 36, plot: 740, core: 90,
			onRoad: southRoad, named: true, keep: 0.9},
		{kg: kgWestNorth, from: -4480, to: -3480, lanes: []float64{300, 232, 366, 490, 556}, cross: 118, depth: 34, plot: 800, core: 80,
			onRoad: northRoad, named: true, keep: 0.8},
		{kg: kgWestSouth, from: -3560, to: -2760, lanes: []float64{-290, -222, -360, -428}, cross: 120, depth: 34, plot: 850, core: 60,
			onRoad: southRoad, named: true, keep: 0.75},
		{kg: kgTiny, from: -5170, to: -4900, lanes: []float64{-290, -345}, cross: 130, depth: 32, plot: 920, onRoad: southRoad, keep: 1},
		{kg: kgEastNorth, from: 3080, to: 4080, lanes: []float64{300, 230, 366, 492, 556}, cross: 116, depth: 34, plot: 790, core: 80,
			onRoad: northRoad, named: true, keep: 0.8},
		{kg: kgEastSouth, from: 3900, to: 4700, lanes: []float64{-290, -224, -358, -426}, cross: 122, depth: 34, plot: 870, core: 50,
			onRoad: southRoad, named: true, keep: 0.75},
		{kg: kgSide, f: sideFrame, from: 1700, to: 2250, lanes: []float64{30, 96}, cross: 128, depth: 33, plot: 900, core: 40, keep: 0.8},
		{kg: kgSunny, from: -620, to: 520, lanes: []float64{1250, 1330, 1180}, cross: 150, depth: 34, plot: 980, keep: 0.6},
		{kg: kgHinter, from: 3080, to: 3700, lanes: []float64{1500, 1575}, cross: 150, depth: 34, plot: 1040, keep: 0.7},
		{kg: kgWestNorth, from: -2560, to: -2160, lanes: []float64{300, 366}, cross: 130, depth: 34, plot: 920, onRoad: northRoad,
			keep: 0.7},
		{kg: kgEastNorth, from: 1720, to: 2200, lanes: []float64{300, 232, 366}, cross: 130, depth: 34, plot: 900, onRoad: northRoad,
			keep: 0.7},
	}
}

// buildStreets lays the lanes and cross streets of every settlement.
func (w *World) buildStreets() {
	for i := range w.settlements {
		v := &w.settlements[i]
		c := newChance(uint64(i), 61)
		names := w.streetNamer(i)
		f := v.f
		if f == nil {
			f = mainFrame
		}
		bent := warped(f, 11, uint64(200+3*i))
		if v.onRoad != nil && v.kg == kgTown {
			bent = warped(f, 7, 200)
		}
		add := func(pts []P, half float64, own bool) {
			name := names()
			if own {
				w.roads = append(w.roads, road{name, streetRoad, newLine(pts), half})
			}
			w.streets = append(w.streets, street{name, newLine(pts), half, i})
		}
		mid, halfLen := (v.from+v.to)/2, (v.to-v.from)/2
		reach := make([][2]float64, len(v.lanes))
		for k, t := range v.lanes {
			shrink := 1 - 0.16*float64(k)*c.unit()
			reach[k] = [2]float64{mid - halfLen*shrink, mid + halfLen*shrink}
			if k == 0 {
				reach[k] = [2]float64{v.from, v.to}
				switch {
				case v.onRoad != nil:
					add(along(f, v.from, v.to, 25, v.onRoad), 5, false)
				default:
					add(along(bent, v.from, v.to, 25, level(t)), 3.2, true)
				}
				continue
			}
			add(along(bent, reach[k][0], reach[k][1], 25, level(t)), 2.9, true)
		}
		for s := v.from + c.between(8, 40); s < v.to; s += v.cross * c.between(0.8, 1.2) {
			lo, hi := v.lanes[0], v.lanes[0]
			for k, t := range v.lanes {
				if s > reach[k][0]+3 && s < reach[k][1]-3 && c.unit() < v.keep {
					lo, hi = math.Min(lo, t), math.Max(hi, t)
				}
			}
			if hi-lo < 30 {
				continue
			}
			lean := c.between(-9, 9)
			g := func(t, _ float64) P { return bent(s+lean*(t-lo)/100, t) }
			add(along(g, lo, hi, 25, level(0)), 2.8, true)
		}
	}
}

// onStreet is the street whose building land holds p and its distance, -1 none.
func (w *World) onStreet(p P, limit float64) (best int, dist float64) {
	best, dist = -1, math.Inf(1)
	for i, s := range w.streets {
		if d, _, _ := s.line.dist(p, s.half+limit); d-s.half < dist && d-s.half < limit {
			best, dist = i, d-s.half
		}
	}
	return best, dist
}
