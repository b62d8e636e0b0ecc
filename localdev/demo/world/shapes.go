package world

import "math"

// blob is a closed natural outline around c: n vertices at about radius r.
func blob(c P, r, rough float64, seed uint64, n int) []P {
	ring := make([]P, n)
	for i := range ring {
		d := direction(2 * math.Pi * float64(i) / float64(n))
		ring[i] = c.add(d.mul(r * (1 + rough*noise(d.mul(900), 700, seed) + 0.3*rough*noise(d.mul(900), 260, seed))))
	}
	return ring
}

// clearingTable lists the farms' and hamlets' open land on the slopes.
func clearingTable() []clearing {
	var out []clearing
	c := newChance(71)
	add := func(x0, x1, t0, t1 float64, n int, rmin, rmax float64) {
		for i := 0; i < n; i++ {
			s := x0 + (x1-x0)*(float64(i)+c.between(0.2, 0.8))/float64(n)
			out = append(out, clearing{mainFrame(s, c.between(t0, t1)), c.between(rmin, rmax)})
		}
	}
	add(-5600, -1700, 950, 1500, 9, 130, 230)
	add(-1300, 1300, 1480, 1900, 5, 120, 190)
	add(1500, 5600, 1080, 1700, 9, 130, 230)
	add(-5400, -1700, -1080, -820, 4, 90, 140)
	add(3900, 5500, -1040, -800, 3, 90, 130)
	return out
}

// hamletClearings opens the forest around the settlements of the slopes.
func hamletClearings() []clearing {
	return []clearing{
		{mainFrame(-450, 1270), 260}, {mainFrame(-50, 1250), 300}, {mainFrame(400, 1260), 260},
		{mainFrame(3150, 1510), 240}, {mainFrame(3550, 1520), 260},
		{P{sideAxis(-1900), -1900}, 330}, {P{sideAxis(-2250), -2250}, 280}, {P{sideAxis(-1500), -1500}, 250},
		{P{sideAxis(-2700), -2700}, 220},
	}
}
