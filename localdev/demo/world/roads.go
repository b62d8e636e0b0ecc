package world

import "math"

// roadKind says what a road is in the map.
type roadKind uint8

const (
	mainRoad   roadKind = iota
	streetRoad          // in a settlement
	track               // between fields
	forestRoad          // land use only, no parcel of its own
	alpRoad
)

// road is a way with its parcel's half width.
type road struct {
	name string
	kind roadKind
	line line
	half float64
}

// frame turns distances along and across a valley into a place.
type frame func(s, t float64) P

func mainFrame(s, t float64) P { return P{s, axis(s) + t} }
func sideFrame(s, t float64) P { return P{sideAxis(-s) + t, -s} }

// warped bends a frame a little, so that villages are not drawn with a ruler.
func warped(f frame, amp float64, seed uint64) frame {
	return func(s, t float64) P {
		p := f(s, t)
		return p.add(P{amp * noise(p, 260, seed), amp * noise(p, 240, seed+1)})
	}
}

// along samples a line of a frame from s0 to s1.
func along(f frame, s0, s1, step float64, t func(s float64) float64) []P {
	n := max(1, int(math.Ceil(math.Abs(s1-s0)/step)))
	pts := make([]P, 0, n+1)
	for i := 0; i <= n; i++ {
		s := s0 + (s1-s0)*float64(i)/float64(n)
		pts = append(pts, f(s, t(s)))
	}
	return simplify(pts, 0.35)
}

func level(t float64) func(float64) float64 { return func(float64) float64 { return t } }

func northRoad(s float64) float64 { return 300 + 14*math.Sin(s/700) }
func southRoad(s float64) float64 { return -290 + 12*math.Sin(s/620+1) }
func railway(s float64) float64   { return 428 }

// buildRoads lays everything outside the settlements.
func (w *World) buildRoads() {
	add := func(name string, k roadKind, half float64, pts []P) {
		w.roads = append(w.roads, road{name, k, newLine(pts), half})
	}
	w.rail = road{"", mainRoad, newLine(along(mainFrame, west-300, east+300, 60, railway)), 7.5}
	add(roadNames[0], mainRoad, 5.5, along(mainFrame, west-300, east+300, 25, northRoad))
	add(roadNames[1], mainRoad, 4, along(mainFrame, west-300, 5300, 25, southRoad))
	add(roadNames[2], mainRoad, 3.6, w.sideRoad())
	for i, x := range []float64{-4150, -640, 60, 730, 3350} {
		add(bridgeNames[i], streetRoad, 3.6, along(func(s, t float64) P { return mainFrame(t+0.1*s, s) }, southRoad(x), northRoad(x), 60,
			level(x)))
	}
	for _, h := range []struct {
		name string
		pts  []P
	}{
		{roadNames[3], []P{mainFrame(-250, 300), mainFrame(-300, 480), mainFrame(-420, 690), mainFrame(-60, 850), mainFrame(-560, 1010),
			mainFrame(-120, 1140), mainFrame(0, 1250)}},
		{roadNames[4], []P{mainFrame(3900, 300), mainFrame(3930, 640), mainFrame(3350, 860), mainFrame(3900, 1060), mainFrame(3300, 1250),
			mainFrame(3420, 1500)}},
		{roadNames[5], []P{mainFrame(-4000, 300), mainFrame(-4060, 620), mainFrame(-4700, 800), mainFrame(-4250, 1030),
			mainFrame(-4800, 1240), mainFrame(-4500, 1450)}},
	} {
		add(h.name, mainRoad, 2.8, simplify(chaikin(h.pts, 3), 0.4))
	}
	w.tracks(add)
	w.hairpins(add)
}

// sideRoad leads from the south road up the side valley to the last alp.
func (w *World) sideRoad() []P {
	var pts []P
	for y := axis(2250) - 290; y > -4250; y -= 22 {
		f := math.Min(1, (axis(2250)-290-y)/400)
		pts = append(pts, P{sideAxis(y) + 20*f + 22*math.Sin(y/260), y})
	}
	return simplify(pts, 0.35)
}

// tracks lead from the roads between the fields to the forest's edge, and along its foot.
func (w *World) tracks(add func(string, roadKind, float64, []P)) {
	c := newChance(31)
	for x := west + 260; x < east-200; x += c.between(330, 470) {
		lean := c.between(-0.25, 0.25)
		f := func(s, t float64) P { return warped(mainFrame, 9, 41)(t+lean*s, s) }
		if w.inSettlement(x, 300, 260) == nil {
			add("", track, 2, along(f, northRoad(x), 720+c.between(-60, 60), 45, level(x)))
			add("", track, 2, along(f, northRoad(x), riverOffset(x)+22, 45, level(x)))
		}
		x2 := x + c.between(-60, 60)
		f2 := func(s, t float64) P { return warped(mainFrame, 9, 43)(t+lean*s, s) }
		if w.inSettlement(x2, -300, 240) == nil && math.Abs(x2-2300) > 220 {
			add("", track, 2, along(f2, southRoad(x2), -690+c.between(-40, 40), 45, level(x2)))
			add("", track, 2, along(f2, southRoad(x2), riverOffset(x2)-22, 45, level(x2)))
		}
	}
	foot := warped(mainFrame, 26, 45)
	for _, r := range [][3]float64{{-5800, -1500, 590}, {1450, 5800, 570}, {-5800, -1300, -560}, {2900, 5800, -520}} {
		add("", track, 2, along(foot, r[0], r[1], 40, level(r[2])))
	}
}

// hairpins are the forest roads that climb the slopes.
func (w *World) hairpins(add func(string, roadKind, float64, []P)) {
	for i, r := range []struct{ x, t, rise float64 }{
		{-5200, 720, 230}, {-2500, 690, 250}, {1900, 700, 240}, {5000, 700, 240},
		{-5000, -660, -250}, {-3300, -700, -260}, {-500, -700, -250}, {4200, -680, -240},
	} {
		c := newChance(uint64(i), 51)
		pts := []P{mainFrame(r.x, math.Copysign(math.Abs(r.t)-150, r.t)), mainFrame(r.x, r.t)}
		dir := 1.0
		for k := 1; k <= 8; k++ {
			x := r.x + dir*c.between(330, 520)
			pts = append(pts, mainFrame(x, r.t+(float64(k)-0.35)*r.rise), mainFrame(x+dir*12, r.t+(float64(k)-0.1)*r.rise))
			dir = -dir
		}
		add("", forestRoad, 2.2, simplify(chaikin(pts, 3), 0.5))
	}
}
