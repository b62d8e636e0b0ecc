package world

// WayKind says what a way is.
type WayKind uint8

// The kinds of ways and waters.
const (
	MainRoad WayKind = iota
	StreetWay
	Track
	ForestRoad
	Railway
	River
	Brook
)

// Way is a road, railway or running water as a line with its width.
type Way struct {
	Name  string // "" none
	Kind  WayKind
	Line  []P
	Width float64 // m, of a water at its head
}

// Ways lists the roads, the railway and the waters: what later sources (roads, rail, names) are drawn from.
func (w *World) Ways() []Way {
	var out []Way
	for _, r := range w.roads {
		k := MainRoad
		switch r.kind {
		case streetRoad:
			k = StreetWay
		case track:
			k = Track
		case forestRoad:
			k = ForestRoad
		}
		out = append(out, Way{r.name, k, r.line.pts, 2 * r.half})
	}
	out = append(out, Way{"", Railway, w.rail.line.pts, 2 * w.rail.half})
	for _, s := range append([]stream{w.river}, w.streams...) {
		k := Brook
		if s.main {
			k = River
		}
		out = append(out, Way{s.name, k, s.line.pts, 2 * s.half(0)})
	}
	return out
}

// Peak is a summit: the highest point of its surroundings.
type Peak struct {
	At     P
	Height float64
}

// Peaks are the points of a 50 m grid that are highest within 500 m and above the forest.
func (w *World) Peaks() []Peak {
	const step, reach = 50.0, 10
	cols, rows := int((east-west)/step), int((north-south)/step)
	h := make([]float64, cols*rows)
	at := func(i, j int) P { return P{west + (float64(i)+0.5)*step, south + (float64(j)+0.5)*step} }
	for j := range rows {
		for i := range cols {
			h[j*cols+i] = w.Height(at(i, j))
		}
	}
	var out []Peak
	for j := reach; j < rows-reach; j++ {
		for i := reach; i < cols-reach; i++ {
			top := h[j*cols+i]
			if top > 1700 && highest(h, cols, i, j, reach) {
				out = append(out, Peak{at(i, j), top})
			}
		}
	}
	return out
}

func highest(h []float64, cols, i, j, reach int) bool {
	for y := j - reach; y <= j+reach; y++ {
		for x := i - reach; x <= i+reach; x++ {
			if (x != i || y != j) && h[y*cols+x] >= h[j*cols+i] {
				return false
			}
		}
	}
	return true
}

// Site is a plot that stands for itself, as an outline.
type Site struct {
	Name string // "" none
	Kind SiteKind
	Ring []P
}

// SiteKind says what a site is.
type SiteKind uint8

// The kinds of sites.
const (
	Lake SiteKind = iota
	ChurchYard
	Farm
	Moor
	Pit
	RailwayStation
	OtherSite
)

// Sites lists them: lakes, churches, farms, the moor, the station.
func (w *World) Sites() []Site {
	kinds := map[shapeKind]SiteKind{shapeLake: Lake, shapeChurch: ChurchYard, shapeFarm: Farm, shapeMoor: Moor, shapePit: Pit,
		shapeStation: RailwayStation}
	out := make([]Site, len(w.shapes))
	for i, s := range w.shapes {
		k, ok := kinds[s.kind]
		if !ok {
			k = OtherSite
		}
		out[i] = Site{s.name, k, s.ring}
	}
	return out
}

// Middle is the mean of the vertices of a site.
func (s Site) Middle() (m P) {
	for _, p := range s.Ring {
		m = m.add(p.mul(1 / float64(len(s.Ring))))
	}
	return m
}
