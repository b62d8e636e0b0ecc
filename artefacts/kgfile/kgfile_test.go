package kgfile_test

import (
	"bytes"
	"math/rand/v2"
	"reflect"
	"testing"

	"mappe/artefacts/kgfile"
	"mappe/artefacts/kgfile/kgtest"
	"mappe/shared/geo/geom"
)

func open(t testing.TB, s *kgfile.Snapshot) (*kgfile.File, []byte) {
	t.Helper()
	b, err := kgfile.Encode(s)
	if err != nil {
		t.Fatal(err)
	}
	f, err := kgfile.Open(b)
	if err != nil {
		t.Fatal(err)
	}
	return f, b
}

func TestSnapshotComesBack(t *testing.T) {
	for _, o := range []kgtest.Options{kgtest.Small, {Parcels: 60, Segments: 2, AreaKm2: 1, Seed: 3}} {
		s := kgtest.Snapshot(o)
		if len(s.Parcels) != o.Parcels {
			t.Fatalf("want %d parcels, got %d", o.Parcels, len(s.Parcels))
		}
		f, b := open(t, s)
		got, err := f.Snapshot()
		if err != nil {
			t.Fatal(err)
		}
		diff(t, s, got)
		again, _ := kgfile.Encode(got)
		if !bytes.Equal(again, b) {
			t.Error("encoding what was read gives other bytes")
		}
	}
}

func diff(t *testing.T, want, got *kgfile.Snapshot) {
	t.Helper()
	w, g := reflect.ValueOf(want).Elem(), reflect.ValueOf(got).Elem()
	for i := range w.NumField() {
		name := w.Type().Field(i).Name
		a, b := w.Field(i), g.Field(i)
		if a.Kind() == reflect.Slice && a.Len() == b.Len() {
			for k := range a.Len() {
				if !same(a.Index(k), b.Index(k)) {
					t.Errorf("%s[%d]:\nwant %+v\ngot  %+v", name, k, a.Index(k), b.Index(k))
					break
				}
			}
			continue
		}
		if !same(a, b) {
			t.Errorf("%s:\nwant %+v\ngot  %+v", name, a, b)
		}
	}
}

// same is DeepEqual with NaN equal to NaN.
func same(a, b reflect.Value) bool {
	if a.Type() != b.Type() {
		return false
	}
	switch a.Kind() {
	case reflect.Float64:
		return a.Float() == b.Float() || (a.Float() != a.Float() && b.Float() != b.Float())
	case reflect.Struct:
		for i := range a.NumField() {
			if !same(a.Field(i), b.Field(i)) {
				return false
			}
		}
		return true
	case reflect.Slice:
		if a.Len() != b.Len() || a.IsNil() != b.IsNil() {
			return false
		}
		for i := range a.Len() {
			if !same(a.Index(i), b.Index(i)) {
				return false
			}
		}
		return true
	default:
		return a.Interface() == b.Interface()
	}
}

func TestLocateIsExact(t *testing.T) {
	s := kgtest.Snapshot(kgtest.Small)
	f, _ := open(t, s)
	brute := func(p geom.Point) []int {
		var in []int
		for i := range s.Parcels {
			if s.Parcels[i].Geometry.Contains(p) {
				in = append(in, i)
			}
		}
		return in
	}
	rng := rand.New(rand.NewPCG(4, 4))
	b := s.KG.Box
	var points []geom.Point
	for range 3000 {
		points = append(points, geom.Point{
			X: b.MinX - 1000 + rng.Int32N(b.MaxX-b.MinX+2000), Y: b.MinY - 1000 + rng.Int32N(b.MaxY-b.MinY+2000)})
	}
	for i := range s.Parcels { // corners lie on shared borders
		points = append(points, s.Parcels[i].Geometry[0][0][i%3])
	}
	for _, p := range points {
		in := brute(p)
		got, ok := f.Locate(p)
		if len(in) > 1 {
			t.Fatalf("%v lies in %d parcels", p, len(in))
		}
		if ok != (len(in) == 1) || (ok && got != in[0]) {
			t.Fatalf("%v: want %v, got %d %v", p, in, got, ok)
		}
	}
}

var sizes = map[string]kgtest.Options{"1.3k": kgtest.Small, "20k": kgtest.Large}

func eachSize(b *testing.B, run func(b *testing.B, s *kgfile.Snapshot, data []byte)) {
	for _, name := range []string{"1.3k", "20k"} {
		s := kgtest.Snapshot(sizes[name])
		data, err := kgfile.Encode(s)
		if err != nil {
			b.Fatal(err)
		}
		b.Run(name, func(b *testing.B) { run(b, s, data) })
	}
}

func BenchmarkOpen(b *testing.B) {
	eachSize(b, func(b *testing.B, s *kgfile.Snapshot, data []byte) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := kgfile.Open(data); err != nil {
				b.Fatal(err)
			}
		}
		b.ReportMetric(float64(len(data))/float64(len(s.Parcels)), "fileB/parcel")
	})
}

func BenchmarkParcels(b *testing.B) {
	eachSize(b, func(b *testing.B, _ *kgfile.Snapshot, data []byte) {
		b.ReportAllocs()
		for b.Loop() {
			f, _ := kgfile.Open(data)
			if _, err := f.Parcels(); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func BenchmarkSnapshot(b *testing.B) {
	eachSize(b, func(b *testing.B, _ *kgfile.Snapshot, data []byte) {
		for b.Loop() {
			f, _ := kgfile.Open(data)
			if _, err := f.Snapshot(); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func BenchmarkLocate(b *testing.B) {
	eachSize(b, func(b *testing.B, s *kgfile.Snapshot, data []byte) {
		f, _ := kgfile.Open(data)
		rng := rand.New(rand.NewPCG(9, 9))
		box := s.KG.Box
		points := make([]geom.Point, 20000)
		for i := range points {
			points[i] = geom.Point{X: box.MinX + rng.Int32N(box.MaxX-box.MinX), Y: box.MinY + rng.Int32N(box.MaxY-box.MinY)}
		}
		b.ReportAllocs()
		i := 0
		for b.Loop() {
			f.Locate(points[i%len(points)])
			i++
		}
	})
}

func BenchmarkEncode(b *testing.B) {
	eachSize(b, func(b *testing.B, s *kgfile.Snapshot, _ []byte) {
		for b.Loop() {
			if _, err := kgfile.Encode(s); err != nil {
				b.Fatal(err)
			}
		}
	})
}
