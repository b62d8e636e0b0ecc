package ne

import (
	"math"
	"math/rand/v2"
	"testing"

	"mappe/shared/geo/hexgrid"
)

// coarseRows are made-up rows around a place, of which two KGs share some cells.
func coarseRows(t testing.TB) (a, b []LURow, m2 [9]float64, covered float64) {
	t.Helper()
	r := rand.New(rand.NewPCG(3, 4))
	centre, err := hexgrid.LatLngToCell(hexgrid.LatLng{Lat: 47.32, Lng: 13.27}, LURes)
	if err != nil {
		t.Fatal(err)
	}
	disk, err := centre.GridDisk(40)
	if err != nil {
		t.Fatal(err)
	}
	for i, c := range disk {
		row := LURow{Cell: c, Cov: 255, Land: 255, StrCover: 51} // a fifth is built on
		k := r.IntN(9)
		row.Use[k] = 200
		row.Use[(k+1)%9] = 55
		m2[k] += 200. / 255 * CellArea(c)
		m2[(k+1)%9] += 55. / 255 * CellArea(c)
		covered += CellArea(c)
		share := uint8(255)
		switch {
		case i%7 == 0:
			share = uint8(1 + r.IntN(254))
			other := row
			other.KGShare = 255 - share
			b = append(b, other)
		case i%2 == 0:
			row.KGShare = 255
			b = append(b, row)
			continue
		}
		row.KGShare = share
		a = append(a, row)
	}
	return a, b, m2, covered
}

// Summed over KGs and lifted to any resolution, no area is lost and none is counted twice.
func TestCoarseSumsKeepTheArea(t *testing.T) {
	a, b, want, covered := coarseRows(t)
	var parts []Coarse
	for _, rows := range [][]LURow{a, b} {
		c, err := CoarseOf(rows, cellAreas(rows), 9)
		if err != nil {
			t.Fatal(err)
		}
		read, err := ParseCoarse(EncodeCoarse(c))
		if err != nil || len(read) != len(c) {
			t.Fatalf("%d rows of %d, %v", len(read), len(c), err)
		}
		parts = append(parts, read...)
	}
	for _, res := range []int{9, 8, 7} {
		lifted, err := Lift(parts, res)
		if err != nil {
			t.Fatal(err)
		}
		var got [9]float64
		var cov, built, land float64
		for _, c := range lifted {
			if c.Cell.Resolution() != res {
				t.Errorf("cell %s of resolution %d", c.Cell, c.Cell.Resolution())
			}
			cov, built, land = cov+c.Cov, built+c.Str, land+c.Land
			for k, v := range c.Use {
				got[k] += v
			}
		}
		for k := range got {
			if math.Abs(got[k]-want[k]) > want[k]*1e-5 {
				t.Errorf("resolution %d, %s: %.1f m², want %.1f", res, Uses[k], got[k], want[k])
			}
		}
		if math.Abs(built-covered/5) > covered*1e-5 || math.Abs(land-covered) > covered*1e-5 {
			t.Errorf("resolution %d: %.1f m² are built on, %.1f have a use; %.1f are covered", res, built, land, covered)
		}
		if math.Abs(cov-covered) > covered*1e-5 {
			t.Errorf("resolution %d: %.1f m² covered, want %.1f", res, cov, covered)
		}
	}
}

func FuzzParseCoarse(f *testing.F) {
	a, _, _, _ := coarseRows(f)
	c, err := CoarseOf(a, cellAreas(a), 9)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(EncodeCoarse(c))
	f.Add([]byte{1, 2, 3})
	f.Fuzz(func(t *testing.T, b []byte) {
		if list, err := ParseCoarse(b); err == nil && string(EncodeCoarse(list)) != string(b) {
			t.Errorf("%d rows are written otherwise", len(list))
		}
	})
}

// cellAreas are the areas of the cells of rows.
func cellAreas(rows []LURow) []float64 {
	out := make([]float64, len(rows))
	for i := range rows {
		out[i] = CellArea(rows[i].Cell)
	}
	return out
}
