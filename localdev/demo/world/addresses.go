package world

import (
	"math"
	"slices"
)

// Locality is an Ortschaft.
type Locality struct {
	OKZ      int
	Name     string
	Gemeinde int
	KG       int
	At       P
}

// Street is a name that addresses carry; one name has one code in a municipality.
type Street struct {
	SKZ      int
	Name     string
	Gemeinde int
}

// Address is one address; Building is -1 where no building stands yet.
type Address struct {
	ADRCD    int
	Gemeinde int
	Locality int // index into World.Localities
	Street   int // index into World.Streets
	Number   int
	Letter   string
	FarmName string
	Parcel   int
	Building int // index into World.Footprints, -1 none
	Units    int // buildings at the address
	At       P
}

// site of an address before it has a number.
type addressSite struct {
	street   int // index into w.streets, -1 none
	locality int
	along    float64
	left     bool
	parcel   int
	building int
	farm     string
	at       P
	extra    int
}

// buildAddresses numbers the houses along the streets, odd on the left and even on the right, and the
// farms and hamlets within their locality.
func (w *World) buildAddresses() {
	for i, v := range w.settlements {
		f := v.f
		if f == nil {
			f = mainFrame
		}
		w.Localities = append(w.Localities, Locality{19001 + i, v.name, w.KGs[v.kg].Gemeinde, v.kg, f((v.from+v.to)/2, v.lanes[0])})
	}
	sites := w.addressSites()
	groups := map[[2]int][]addressSite{}
	var keys [][2]int
	for _, s := range sites {
		name := w.Localities[s.locality].Name
		if s.street >= 0 {
			name = w.streets[s.street].name
		}
		key := [2]int{w.streetCode(name, w.Localities[s.locality].Gemeinde), s.locality}
		if groups[key] == nil {
			keys = append(keys, key)
		}
		groups[key] = append(groups[key], s)
	}
	slices.SortFunc(keys, func(a, b [2]int) int {
		if a[0] != b[0] {
			return a[0] - b[0]
		}
		return a[1] - b[1]
	})
	for _, k := range keys {
		w.numberStreet(k[0], groups[k])
	}
	w.completeStreets()
}

// streetCode is the index of the street of that name in the municipality.
func (w *World) streetCode(name string, gemeinde int) int {
	for i, s := range w.Streets {
		if s.Name == name && s.Gemeinde == gemeinde {
			return i
		}
	}
	w.Streets = append(w.Streets, Street{990001 + len(w.Streets), name, gemeinde})
	return len(w.Streets) - 1
}

// completeStreets adds the streets without addresses.
func (w *World) completeStreets() {
	for _, s := range w.streets {
		w.streetCode(s.name, w.Localities[s.st].Gemeinde)
	}
}

// addressSites lists what gets an address: houses, some of them two, and some empty plots.
func (w *World) addressSites() []addressSite {
	var out []addressSite
	built := map[int]bool{}
	for i, f := range w.Footprints {
		p := &w.Parcels[f.Parcel]
		built[f.Parcel] = true
		c := newChance(uint64(i), 6001)
		s := addressSite{street: -1, parcel: f.Parcel, building: i, at: f.At}
		switch f.Kind {
		case House, Church, Hall, Station, Farmhouse:
		case Hut:
			if c.unit() < 0.5 {
				continue
			}
		default:
			continue
		}
		if f.Kind == Farmhouse && p.shape >= 0 {
			s.farm = w.shapes[p.shape].name
		}
		if p.kind == buildBlock && w.inAnyCore(f.At) && c.unit() < 0.18 || c.unit() < 0.02 {
			s.extra = 1 + c.below(2)
		}
		out = append(out, w.sited(s))
	}
	for i := range w.Parcels {
		p := &w.Parcels[i]
		if p.kind == buildBlock && !built[i] && p.Area > 250 && newChance(uint64(i), 6002).unit() < 0.2 {
			out = append(out, w.sited(addressSite{street: -1, parcel: i, building: -1, at: p.Inside}))
		}
	}
	return out
}

func (w *World) inAnyCore(p P) bool {
	for i := range w.settlements {
		if w.inCore(p, i) {
			return true
		}
	}
	return false
}

// sited finds street and locality.
func (w *World) sited(s addressSite) addressSite {
	i, _ := w.onStreet(s.at, 75)
	gemeinde := w.KGs[w.Parcels[s.parcel].KG].Gemeinde
	if i >= 0 && w.Localities[w.streets[i].st].Gemeinde == gemeinde {
		_, along, side := w.streets[i].line.dist(s.at, 1e6)
		s.locality, s.along, s.left = w.streets[i].st, along, side > 0
		if w.settlements[s.locality].named {
			s.street = i
			return s
		}
		return s
	}
	best := math.Inf(1)
	for n, l := range w.Localities {
		if d := l.At.dist(s.at); l.Gemeinde == gemeinde && d < best {
			best, s.locality = d, n
		}
	}
	s.along = 1e5 + best
	return s
}

// numberStreet gives the numbers of one street or, without a street, of one locality.
func (w *World) numberStreet(street int, sites []addressSite) {
	slices.SortStableFunc(sites, func(a, b addressSite) int {
		switch {
		case a.along < b.along:
			return -1
		case a.along > b.along:
			return 1
		}
		return 0
	})
	last := [2]int{-1, 0}
	letter := [2]byte{}
	running := 0
	for _, s := range sites {
		c := newChance(uint64(s.parcel), uint64(s.building+1), 7001)
		side, step := 0, 2
		if !s.left {
			side = 1
		}
		if s.street < 0 {
			side, step = 0, 1
		}
		if s.street < 0 && running == 0 {
			last[0] = 0
		}
		running++
		for n := 0; n <= s.extra; n++ {
			lettered := (n > 0 || c.unit() < 0.05) && last[side] > 0 && letter[side] < 'f'
			if lettered {
				letter[side] = max('a', letter[side]+1)
			} else {
				last[side], letter[side] = last[side]+step, 0
			}
			a := Address{
				ADRCD: 9100001 + len(w.Addresses), Gemeinde: w.Streets[street].Gemeinde, Locality: s.locality, Street: street,
				Number: last[side], FarmName: s.farm, Parcel: s.parcel, Building: s.building, Units: 1, At: s.at,
			}
			if letter[side] > 0 {
				a.Letter = string(rune(letter[side]))
			}
			switch {
			case s.building < 0 || c.unit() < 0.03:
				a.Units = 0
			case c.unit() < 0.04:
				a.Units = 2
			}
			if n > 0 {
				a.At = a.At.add(P{1.5 * float64(n), -0.8 * float64(n)})
			}
			w.Addresses = append(w.Addresses, a)
		}
	}
}

// PLZ is the postal code of a locality: its municipality's, but the side valley has its own.
func (w *World) PLZ(l Locality) string {
	if l.KG == kgSide {
		return "5793"
	}
	return w.Gemeinden[l.Gemeinde].PLZ
}
