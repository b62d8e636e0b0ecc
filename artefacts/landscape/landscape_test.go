package landscape

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"mappe/artefacts/internal/column/columntest"
	"mappe/shared/geo/geom"
	"mappe/shared/landscape/segment"
)

// filled gives every column a value, every fourth none; what was stored once comes back as it is.
func filled[T any](r *rand.Rand, columns Columns[T], n int) []T {
	rows := make([]T, n)
	for i := range rows {
		columns.Clear(&rows[i])
		for k := range columns {
			c := &columns[k]
			if r.IntN(4) == 0 {
				continue
			}
			switch c.Type {
			case Number, Count:
				c.set(&rows[i], c.Round((r.Float64()-0.3)*900))
				c.set(&rows[i], c.Round(c.get(&rows[i])))
			case Text:
				*c.text(&rows[i]) = fmt.Sprint("text ", r.IntN(9))
			case Flag:
				*c.flag(&rows[i]) = true
			case Type:
				*c.code(&rows[i]) = segment.Types[r.IntN(len(segment.Types))].Type
			case Place:
				*c.place(&rows[i]) = somewhere(r)
			case Bounds:
				p := somewhere(r)
				*c.bounds(&rows[i]) = geom.Box{MinX: p.X, MinY: p.Y, MaxX: p.X + 9, MaxY: p.Y + 7}
			}
		}
	}
	return rows
}

func somewhere(r *rand.Rand) geom.Point {
	return geom.Point{X: 130000000 + r.Int32N(300000), Y: 470000000 + r.Int32N(300000)}
}

func triangle(r *rand.Rand) geom.MultiPolygon {
	p := somewhere(r)
	return geom.MultiPolygon{{{p, {X: p.X + 40, Y: p.Y}, {X: p.X, Y: p.Y + 30}}}}
}

func sample(seed uint64) *KG {
	r := rand.New(rand.NewPCG(seed, 24))
	k := &KG{Fingerprint: "made of this"}
	k.Record = filled(r, RecordColumns, 1)[0]
	k.KGCode = "56537"
	k.Landcover, k.HansenLoss = filled(r, LandcoverColumns, 5), filled(r, HansenLossColumns, 3)
	k.Classification, k.Divergence = filled(r, ClassificationColumns, 4), filled(r, DivergenceColumns, 2)
	k.Buildings, k.NewBuildings = filled(r, BuildingColumns, 40), filled(r, NewBuildingColumns, 3)
	for i := range k.Buildings {
		b := &k.Buildings[i]
		b.ID, b.Geometry = fmt.Sprint("56537-F", i), triangle(r)
		b.Vertices, b.Types, b.Classification = filled(r, VertexColumns, i%4), filled(r, ShareColumns, i%3),
			filled(r, ClassificationColumns, i%2)
	}
	k.NewBuildings[0].Geometry = triangle(r)
	k.Infrastructure = filled(r, InfrastructureColumns, 5)
	k.Segments, k.Trees = filled(r, SegmentColumns, Segments.rows+10), filled(r, TreeColumns, 50)
	for i := range k.Segments {
		k.Segments[i].ID, k.Segments[i].Geometry = fmt.Sprint("s", i), triangle(r)
	}
	for i := range k.Trees {
		k.Trees[i].ID = fmt.Sprint("t", i)
	}
	k.Samples, k.Changes = filled(r, SampleColumns, 60), filled(r, ChangeColumns, 7)
	k.Changes[2].Geometry = triangle(r)
	k.Parcels = filled(r, ParcelColumns, Parcels.rows+20)
	for i := range k.Parcels {
		p := &k.Parcels[i]
		p.ID = fmt.Sprintf("56537-%d/%d", i/3+1, i%3+1)
		p.Types, p.Classification, p.LossByYear = filled(r, ShareColumns, i%4), filled(r, ClassificationColumns, i%3),
			filled(r, HansenLossColumns, i%2)
		p.Vertices, p.TopObjects, p.TopTrees = filled(r, VertexColumns, 4), filled(r, TopObjectColumns, i%6), filled(r, TopTreeColumns, i%5)
		p.Heights = filled(r, heightColumns, 1)[0].Heights
	}
	return k
}

// same compares values in which a missing number, which differs from itself, is like another, and no list like an empty one.
func same(a, b reflect.Value) bool {
	switch a.Kind() {
	case reflect.Float32, reflect.Float64:
		return a.Float() == b.Float() || math.IsNaN(a.Float()) && math.IsNaN(b.Float())
	case reflect.Struct:
		for i := range a.NumField() {
			if !same(a.Field(i), b.Field(i)) {
				return false
			}
		}
		return true
	case reflect.Slice, reflect.Array:
		if a.Len() != b.Len() {
			return false
		}
		for i := range a.Len() {
			if !same(a.Index(i), b.Index(i)) {
				return false
			}
		}
		return true
	}
	return a.Equal(b)
}

func TestAKGComesBack(t *testing.T) {
	want := sample(1)
	b, err := Encode(want)
	if err != nil {
		t.Fatal(err)
	}
	f, err := Open(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		t.Fatal(err)
	}
	got, err := f.Whole()
	if err != nil {
		t.Fatal(err)
	}
	want.Buildings, want.NewBuildings, want.Infrastructure = Buildings.sorted(want.Buildings), NewBuildings.sorted(want.NewBuildings),
		Infrastructures.sorted(want.Infrastructure)
	want.Segments, want.Parcels, want.Trees, want.Samples = Segments.sorted(want.Segments), Parcels.sorted(want.Parcels),
		Trees.sorted(want.Trees), Samples.sorted(want.Samples)
	want.Changes = Changes.sorted(want.Changes)
	g, w := reflect.ValueOf(*got), reflect.ValueOf(*want)
	for i := range g.NumField() {
		if !same(g.Field(i), w.Field(i)) {
			t.Errorf("%s is not what was written", g.Type().Field(i).Name)
		}
	}
	// What is given in another order makes the same bytes.
	slices.Reverse(want.Trees)
	slices.Reverse(want.Parcels)
	if again, err := Encode(want); err != nil || !bytes.Equal(again, b) {
		t.Errorf("the same content in another order: other bytes (%v)", err)
	}
	if n := f.Rows("segments"); n != Segments.rows+10 || len(f.Of("segments")) != 2 {
		t.Errorf("%d segments in %d sections", n, len(f.Of("segments")))
	}
	for _, c := range f.Chunks {
		if c.Box.Empty() {
			t.Errorf("%s from %s has no box", c.Layer, c.First)
		}
	}
}

func TestEncodeRefuses(t *testing.T) {
	for name, spoil := range map[string]func(*KG){
		"no code":                func(k *KG) { k.KGCode = "" },
		"a parcel of another KG": func(k *KG) { k.Parcels[3].ID = "01004-1" },
		"infinity":               func(k *KG) { k.SlopeMean = math.Inf(1) },
		"a number too large":     func(k *KG) { k.Segments[0].AreaSqm = 1e17 },
	} {
		k := sample(2)
		spoil(k)
		if _, err := Encode(k); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// Empty records have what is known and nothing else.
func TestEmpty(t *testing.T) {
	r := Empty("01004")
	s := RecordColumns
	for i := range s {
		if v := s[i].Field().Get(&r); s[i].Name != "kg_code" && s[i].Name != "processed" &&
			v != (s[i].Field().Get(&Record{KGCode: "x", BBox: geom.EmptyBox, Centroid: NoPlace, SlopeMean: math.NaN()})) &&
			s[i].Type > Count {
			t.Errorf("%s of an empty record is %v", s[i].Name, v)
		}
		if s[i].Numeric() && !math.IsNaN(s[i].Number(&r)) {
			t.Errorf("%s of an empty record is %g", s[i].Name, s[i].Number(&r))
		}
	}
}

func FuzzOpen(f *testing.F) {
	small := sample(3)
	small.Segments, small.Parcels, small.Buildings = small.Segments[:5], small.Parcels[:5], small.Buildings[:5]
	b, err := Encode(small)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(b)
	f.Add(b[:len(b)/2])
	f.Fuzz(func(t *testing.T, b []byte) {
		columntest.Bounded(t, len(b), func() {
			if k, err := Open(bytes.NewReader(b), int64(len(b))); err == nil {
				_, _ = k.Whole()
			}
		})
	})
}

// Sections are guarded by checksums: what is behind them is fuzzed by itself.
func FuzzSection(f *testing.F) {
	k := sample(4)
	add := func(b []byte, err error) {
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
	add(Segments.Encode(k.Segments[:3]))
	add(Parcels.Encode(k.Parcels[:3]))
	add(Buildings.Encode(k.Buildings[:3]))
	add(EncodeSummaries([]Summary{k.Summary}))
	f.Fuzz(func(t *testing.T, b []byte) {
		columntest.Bounded(t, len(b), func() {
			if rows, _, err := Segments.Decode(b); err == nil {
				if _, err := Segments.Encode(rows); err != nil {
					t.Error(err)
				}
			}
			_, _, _ = Parcels.Decode(b)
			_, _, _ = Buildings.Decode(b)
			_, _ = DecodeSummaries(b)
		})
	})
}
