package world

// Indexes of the twelve KGs.
const (
	kgWestNorth = iota
	kgWestSouth
	kgForest
	kgTiny
	kgTown
	kgSunny
	kgSuburb
	kgEastNorth
	kgEastSouth
	kgSide
	kgAlp
	kgHinter
	kgCount
)

// KG is a Katastralgemeinde of the made-up country.
type KG struct {
	Code, Name string
	Gemeinde   int // index into Gemeinden
	seed       P   // a place in it
}

// Gemeinde is a municipality.
type Gemeinde struct {
	Code, Name string
	PLZ        string
	Post       string // place of the post office
}

// The district and state the country is filed under.
const (
	DistrictCode = "599"
	DistrictName = "Lorfachtal"
	StateCode    = "5"
	StateName    = "Salzburg"
)

// Gemeinden lists the three municipalities.
func Gemeinden() []Gemeinde {
	return []Gemeinde{
		{"59901", "Ullnau im Lorfachtal", "5791", "Ullnau"},
		{"59902", "Lorfach", "5790", "Lorfach"},
		{"59903", "Pfarrnöd-Quettenach", "5792", "Pfarrnöd"},
	}
}

func kgTable() []KG {
	return []KG{
		kgWestNorth: {"09901", "Ullnau", 0, P{-3000, 900}},
		kgWestSouth: {"09902", "Brennzach", 0, P{-3000, -500}},
		kgForest:    {"09903", "Farmbachwald", 0, P{-3500, -2800}},
		kgTiny:      {"09904", "Zwieslwinkl", 0, mainFrame(-5030, -300)},
		kgTown:      {"99101", "Lorfach Markt", 1, mainFrame(0, 450)},
		kgSunny:     {"99102", "Sonnzerg", 1, P{0, 2500}},
		kgSuburb:    {"99103", "Lorfach Schattseite", 1, mainFrame(-300, -300)},
		kgEastNorth: {"99201", "Pfarrnöd", 2, mainFrame(3500, 600)},
		kgEastSouth: {"99202", "Oxnau", 2, mainFrame(4500, -500)},
		kgSide:      {"99203", "Quettenach", 2, P{2300, -2500}},
		kgAlp:       {"99204", "Quettenalpe", 2, P{4800, -3500}},
		kgHinter:    {"99205", "Hinterzwiesl", 2, P{3500, 2800}},
	}
}

// borders draws the KG borders: the river's middle from west to east, ridges outside, and lines over
// the slopes between them. Lines run past their ends a little; what sticks out bounds nothing.
func (w *World) borders(emit func([]P)) {
	emit(w.river.line.pts)
	path := func(seed uint64, amp float64, pts ...P) {
		for i := 0; i+1 < len(pts); i++ {
			emit(wiggle(pts[i], pts[i+1], amp, seed+uint64(i)))
		}
	}
	path(301, 0.09, P{west, south + 500}, P{-3300, south + 100}, P{-600, south + 250}, P{2200, south}, P{4300, south + 200},
		P{east, south + 700})
	path(311, 0.07, P{east, south + 700}, P{east - 150, -2200}, riverAt(east-60), P{east - 200, 2300}, P{east, north - 500})
	path(321, 0.09, P{east, north - 500}, P{3600, north}, P{800, north - 150}, P{-1500, north}, P{-3900, north - 250}, P{west, north - 600})
	path(331, 0.07, P{west, north - 600}, P{west + 180, 2100}, riverAt(west+60), P{west + 120, -2000}, P{west, south + 500})

	path(341, 0.05, riverAt(-1400), mainFrame(-1390, 760))
	path(342, 0.08, mainFrame(-1390, 760), P{-1650, 2600}, P{-1500, north})
	path(351, 0.05, riverAt(1400), mainFrame(1410, 760))
	path(352, 0.08, mainFrame(1410, 760), P{1450, 2500}, P{1200, north + 10})
	path(361, 0.05, mainFrame(-1390, 760), mainFrame(-500, 735), mainFrame(400, 750), mainFrame(1410, 760))
	path(371, 0.05, mainFrame(1410, 760), mainFrame(2300, 900), mainFrame(3600, 1000), mainFrame(4800, 930),
		P{east - 100, axis(east) + 1000})

	path(381, 0.05, riverAt(-1450), mainFrame(-1430, -620))
	path(382, 0.07, mainFrame(-1430, -620), mainFrame(-1500, -1250))
	path(391, 0.05, riverAt(1050), mainFrame(1020, -640))
	path(392, 0.07, mainFrame(1020, -640), mainFrame(1000, -1250))
	path(401, 0.06, P{west, axis(west) - 1200}, mainFrame(-4300, -1250), mainFrame(-2800, -1150), mainFrame(-1500, -1250),
		mainFrame(-200, -1150), mainFrame(1000, -1250))
	path(411, 0.07, mainFrame(-1500, -1250), P{-1300, -2900}, P{-1500, south + 200})
	path(421, 0.06, mainFrame(1020, -640), mainFrame(2200, -720), mainFrame(3500, -650))
	path(431, 0.06, mainFrame(3500, -650), mainFrame(4400, -1150), P{east - 100, axis(east) - 1150})
	path(441, 0.07, mainFrame(1000, -1250), P{900, -2600}, P{1500, -3700}, P{2500, -3900}, P{3400, -3500}, P{3700, -2300},
		mainFrame(3500, -650))

	tiny := []P{riverAt(-5260), mainFrame(-5255, -300), mainFrame(-5200, -440), mainFrame(-5000, -415), mainFrame(-4850, -430),
		mainFrame(-4830, -290), riverAt(-4815)}
	path(451, 0.04, tiny...)
}

// shape is a plot with its own outline: church, cemetery, works, farm, pit, pond.
type shape struct {
	kind shapeKind
	use  uint8
	ring []P
	name string
	axis P // direction of its buildings
}

type shapeKind uint8

const (
	shapeLake shapeKind = iota
	shapeChurch
	shapeCemetery
	shapeWorks
	shapeFarm
	shapeHut
	shapePit
	shapeSport
	shapeParking
	shapeMoor
	shapeStation
	shapeTransformer
	shapeGarden
)

// buildShapes places the plots that stand for themselves.
func (w *World) buildShapes() {
	add := func(k shapeKind, use uint8, name string, d P, ring []P) {
		w.shapes = append(w.shapes, shape{k, use, ring, name, d})
	}
	rect := func(k shapeKind, use uint8, name string, c P, angle, long, short float64) {
		d := direction(angle)
		add(k, use, name, d, box(c, d, long, short))
	}
	add(shapeLake, 60, "Lorfacher Badesee", P{1, 0}, blob(mainFrame(1800, 150), 95, 0.25, 81, 40))
	add(shapeLake, 60, "Quettenlacke", P{1, 0}, blob(P{sideAxis(-3350) + 150, -3350}, 48, 0.3, 82, 28))
	add(shapeMoor, 61, "", P{1, 0}, blob(mainFrame(-2350, -180), 85, 0.3, 83, 30))
	add(shapePit, 84, "", P{1, 0}, blob(mainFrame(5250, 560), 120, 0.22, 84, 22))
	slope := func(x float64) float64 { return (axis(x+20) - axis(x-20)) / 40 }
	churches := []struct {
		c P
		x float64
	}{{mainFrame(10, 333), 10}, {mainFrame(-3980, 334), -3980}, {mainFrame(3560, 334), 3560}, {mainFrame(-180, 1290),
		-180}, {P{sideAxis(-1990) + 62, -1990}, 2300}}
	for i, c := range churches {
		d := direction(slope(c.x))
		short := []float64{44, 40, 40, 34, 34}[i]
		at := w.freeSpot(c.c, d, 54, short)
		rect(shapeChurch, 83, "", at, slope(c.x), 52, short)
		beside := at.add(d.mul(52))
		if w.blocked(beside, d, 40, short) > w.blocked(at.sub(d.mul(52)), d, 40, short) {
			beside = at.sub(d.mul(52))
		}
		rect(shapeCemetery, 72, "", beside, slope(c.x), 52, short)
	}
	rect(shapeWorks, 63, "", mainFrame(-1000, 496), slope(-1000), 330, 88)
	rect(shapeWorks, 63, "", mainFrame(4700, 365), slope(4700), 420, 90)
	rect(shapeWorks, 63, "", mainFrame(-2900, 365), slope(-2900), 210, 84)
	rect(shapeStation, 92, "", mainFrame(150, 448), slope(150), 240, 26)
	rect(shapeSport, 96, "", mainFrame(1120, -330), slope(1120), 130, 95)
	rect(shapeSport, 96, "", mainFrame(-4650, 380), slope(-4650), 120, 80)
	rect(shapeParking, 42, "", mainFrame(-170, 455), slope(-170), 90, 30)
	w.buildFarms(rect)
}

// freeSpot is the place nearest to c, along d, where a box of that size is least crossed by ways and waters.
func (w *World) freeSpot(c, d P, long, short float64) P {
	best, least := c, 1<<30
	for k := 0; k < 40; k++ {
		at := c.add(d.mul(6 * float64((k+1)/2) * float64(1-2*(k&1))))
		if n := w.blocked(at, d, long, short); n < least {
			if best, least = at, n; n == 0 {
				break
			}
		}
	}
	return best
}

// blocked counts the points of a box that lie on ways and waters.
func (w *World) blocked(c, d P, long, short float64) int {
	n := 0
	for i := -4.0; i <= 4; i++ {
		for j := -4.0; j <= 4; j++ {
			p := c.add(d.mul(i * long / 8)).add(d.left().mul(j * short / 8))
			if w.river.holds(p) || w.onWay(p) {
				n++
			}
			for _, s := range w.streams {
				if s.holds(p) {
					n++
				}
			}
		}
	}
	return n
}

// onWay says whether p lies on a road or the railway.
func (w *World) onWay(p P) bool {
	for _, r := range w.roads {
		if e, _, _ := r.line.dist(p, r.half); e < r.half {
			return true
		}
	}
	e, _, _ := w.rail.line.dist(p, w.rail.half)
	return e < w.rail.half
}

// buildFarms puts farmsteads into the fields and clearings, huts on the alps and shrines everywhere.
func (w *World) buildFarms(rect func(shapeKind, uint8, string, P, float64, float64, float64)) {
	c := newChance(91)
	n := 0
	for tries := 0; n < 74 && tries < 4000; tries++ {
		p := P{c.between(west+250, east-250), c.between(-4300, 2400)}
		if n < w.farmClearings {
			p = w.clearings[n].at
		} else if w.coverAt(p) != 48 || w.field(forestLine, p) > -12 || w.tooNear(p, 62) {
			continue
		}
		rect(shapeFarm, 83, farmNames[n%len(farmNames)], p, c.between(0, 6), c.between(52, 72), c.between(38, 48))
		n++
	}
	for n, tries := 0, 0; n < 30 && tries < 4000; tries++ {
		p := P{c.between(west+400, east-400), c.between(south+500, north-500)}
		if w.coverAt(p) != 54 || w.tooNear(p, 60) {
			continue
		}
		rect(shapeHut, 83, "", p, c.between(0, 6), c.between(22, 30), c.between(17, 22))
		n++
	}
	for n := 0; n < 40; {
		p := P{c.between(west+400, east-400), c.between(-1800, 1500)}
		if w.coverAt(p) == 48 && !w.tooNear(p, 14) {
			rect(shapeTransformer, 83, "", p, c.between(0, 6), c.between(2.4, 5), c.between(2.2, 3.4))
			n++
		}
	}
}

// tooNear says whether a way, water, building land or another shape lies within d metres.
func (w *World) tooNear(p P, d float64) bool {
	if s, _ := w.onStreet(p, d+35); s >= 0 {
		return true
	}
	for _, r := range w.roads {
		if e, _, _ := r.line.dist(p, d+r.half); e < d+r.half {
			return true
		}
	}
	for _, s := range append([]stream{w.river}, w.streams...) {
		if e, a, _ := s.line.dist(p, d+20); e < d+s.half(a) {
			return true
		}
	}
	if e, _, _ := w.rail.line.dist(p, d+8); e < d+8 {
		return true
	}
	for _, s := range w.shapes {
		for _, q := range s.ring {
			if q.dist(p) < d+30 {
				return true
			}
		}
	}
	return false
}
