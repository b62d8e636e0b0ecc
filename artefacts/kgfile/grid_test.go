package kgfile_test

import (
	"math/rand/v2"
	"sync"
	"testing"

	"mappe/artefacts/kgfile"
	"mappe/artefacts/kgfile/kgtest"
	"mappe/shared/geo/geom"
)

// Roads and rivers span the whole KG: their boxes all overlap, and so would their entries in a naive grid.
func TestGridStaysSmallUnderLongParcels(t *testing.T) {
	const n = 3000
	s := &kgfile.Snapshot{}
	for i := range int32(n) {
		a := 2000 * i
		s.Parcels = append(s.Parcels, kgfile.Parcel{Geometry: geom.MultiPolygon{{geom.Ring{
			{X: a, Y: 0}, {X: a + 2000, Y: 0}, {X: a + 6_000_000, Y: 6_000_000}, {X: a + 5_998_000, Y: 6_000_000}}}}})
	}
	f, _ := open(t, s)
	var rows int64 = 400 * n // what parcels, their rows and indexes may take
	if f.Bytes() > rows+200*n {
		t.Errorf("the file takes %d bytes for %d parcels", f.Bytes(), n)
	}
	rng := rand.New(rand.NewPCG(2, 3))
	for range 4000 {
		p := geom.Point{X: rng.Int32N(12_100_000), Y: rng.Int32N(6_000_000)}
		want := -1
		for i := range s.Parcels {
			if s.Parcels[i].Geometry.Contains(p) {
				want = i
				break
			}
		}
		if got, ok := f.Locate(p); ok != (want >= 0) || (ok && got != want) {
			t.Fatalf("%v: want %d, got %d %v", p, want, got, ok)
		}
	}
}

// Crooked parcels are entered by rows; no row may miss a cell the parcel reaches.
func TestLocateInCrookedParcels(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 3))
	s := &kgfile.Snapshot{}
	for range 300 {
		var r geom.Ring
		for range 3 + rng.IntN(9) {
			r = append(r, geom.Point{X: rng.Int32N(1000) * 997, Y: rng.Int32N(1000) * 991})
		}
		s.Parcels = append(s.Parcels, kgfile.Parcel{Geometry: geom.MultiPolygon{{r}}})
	}
	for range 300 { // small ones make the grid fine
		x, y := rng.Int32N(990_000), rng.Int32N(990_000)
		s.Parcels = append(s.Parcels, kgfile.Parcel{Geometry: geom.MultiPolygon{{geom.Ring{{X: x, Y: y}, {X: x + 900, Y: y},
			{X: x, Y: y + 900}}}}})
	}
	f, _ := open(t, s)
	for k := range 20000 {
		p := geom.Point{X: rng.Int32N(1_000_000), Y: rng.Int32N(1_000_000)}
		if k%2 == 0 {
			r := s.Parcels[rng.IntN(600)].Geometry[0][0]
			p = r[rng.IntN(len(r))]
		}
		want := -1
		for i := range s.Parcels {
			if s.Parcels[i].Geometry.Contains(p) {
				want = i
				break
			}
		}
		if got, ok := f.Locate(p); ok != (want >= 0) || (ok && got != want) {
			t.Fatalf("%v: want %d, got %d %v", p, want, got, ok)
		}
	}
}

func TestAccessors(t *testing.T) {
	s := oddities()
	f, _ := open(t, s)
	if _, ok, err := f.ParcelByGNR("0815"); ok || err != nil {
		t.Error("found a parcel that does not exist before there is an index", err)
	}
	for i := range s.Parcels {
		want := i
		for k := range i {
			if s.Parcels[k].GNR == s.Parcels[i].GNR {
				want = k
				break
			}
		}
		if k, ok, err := f.ParcelByGNR(s.Parcels[i].GNR); err != nil || !ok || k != want {
			t.Errorf("parcel %q: want %d, got %d %v %v", s.Parcels[i].GNR, want, k, ok, err)
		}
	}
	if _, ok, _ := f.ParcelByGNR("0815"); ok {
		t.Error("a number no parcel has is found")
	}
	q := geom.Box{MinX: s.KG.Box.MinX, MinY: s.KG.Box.MinY, MaxX: (s.KG.Box.MinX + s.KG.Box.MaxX) / 2, MaxY: s.KG.Box.MaxY}
	last, n := -1, 0
	f.InBox(q, func(i int) bool {
		if i <= last || !f.ParcelBox(i).Intersects(q) {
			t.Errorf("parcel %d after %d", i, last)
		}
		last = i
		n++
		return true
	})
	want := 0
	for i := range s.Parcels {
		if g := s.Parcels[i].Geometry; g != nil && g.Bounds().Intersects(q) {
			want++
		}
	}
	if n != want || n == 0 || n == len(s.Parcels) {
		t.Errorf("box: want %d parcels, got %d", want, n)
	}
	rows, err := f.Buildings()
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	if err := f.BuildingsInBox(s.KG.Box, func(b int) bool {
		if !s.KG.Box.Contains(rows[b].At) {
			t.Errorf("building %d is outside", b)
		}
		found++
		return true
	}); err != nil || found == 0 {
		t.Errorf("%d buildings in the KG's box, %v", found, err)
	}
}

func TestTablesAreMadeOnceByMany(t *testing.T) {
	f, _ := open(t, kgtest.Snapshot(tiny))
	var wg sync.WaitGroup
	first := make([]*kgfile.Parcel, 8)
	for i := range first {
		wg.Go(func() {
			if err := touch(f); err != nil {
				t.Error(err)
			}
			p, _ := f.Parcels()
			first[i] = &p[0]
		})
	}
	wg.Wait()
	for _, p := range first {
		if p != first[0] {
			t.Error("the parcels were decoded twice")
		}
	}
}

// Every point of a parcel is found, to the unit: a row of cells is as wide as what it holds of the parcel, at whatever
// angle that crosses it. The first of the parcels that hold a point is the one that is found.
func TestLocateAtEveryPoint(t *testing.T) {
	const side = 200
	triangle := func(rng *rand.Rand) kgfile.Parcel {
		var r geom.Ring
		for range 3 {
			r = append(r, geom.Point{X: rng.Int32N(side), Y: rng.Int32N(side)})
		}
		return kgfile.Parcel{Geometry: geom.MultiPolygon{{r}}}
	}
	for seed := range uint64(60) {
		rng := rand.New(rand.NewPCG(seed, 11))
		s := &kgfile.Snapshot{Parcels: []kgfile.Parcel{triangle(rng)}}
		for range 150 { // they make the grid fine
			x, y := rng.Int32N(side-2), rng.Int32N(side-2)
			s.Parcels = append(s.Parcels, kgfile.Parcel{Geometry: geom.MultiPolygon{{geom.Ring{{X: x, Y: y}, {X: x + 2, Y: y},
				{X: x, Y: y + 2}}}}})
		}
		f, _ := open(t, s)
		for i := range int32(side * side) {
			p := geom.Point{X: i % side, Y: i / side}
			if !s.Parcels[0].Geometry.Contains(p) {
				continue
			}
			if got, ok := f.Locate(p); !ok || got != 0 {
				t.Fatalf("seed %d: %v of %v is in parcel %d %v", seed, p, s.Parcels[0].Geometry, got, ok)
			}
		}
	}
}
