package segment

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"mappe/shared/geo/raster"
)

// land is made-up ground with a hill, a wood that stands on the border of two squares, a hall and a hedge.
func made(w raster.Box) *Layers {
	l := &Layers{DTM: raster.New(w.West, w.North, 1, span, span), BuildingsKnown: true}
	l.DSM, l.Red, l.Green, l.Blue, l.NIR = raster.New(w.West, w.North, 1, span, span), raster.New(w.West, w.North, 1, span, span),
		raster.New(w.West, w.North, 1, span, span),
		raster.New(w.West, w.North, 1, span, span), raster.New(w.West, w.North, 1, span, span)
	for i := range l.DTM.Z {
		x, y := l.DTM.Centre(i%span, i/span)
		u, v := x-4_501_000, y-2_700_500
		noise := float32((uint64(x)*2654435761^uint64(y)*40503)>>3%97) / 970
		z := float32(500 + 0.05*u + 0.02*v + 3*math.Sin(u/90))
		h, colour := float32(0.05+noise/4), [4]float32{98, 124, 72, 165}
		switch {
		case math.Abs(u) < 220 && math.Abs(v) < 60: // over the border
			h, colour = float32(15+4*math.Sin(u/2.2)*math.Cos(v/2.7)), [4]float32{60, 85, 50, 150}
		case u > 40 && u < 70 && v > 100 && v < 118:
			h, colour = 6, [4]float32{160, 95, 72, 118}
		case int(math.Floor(u/70)+math.Floor(v/50))&1 == 0:
			colour = [4]float32{146, 122, 98, 132}
		}
		l.DTM.Z[i], l.DSM.Z[i] = z, z+h
		l.Red.Z[i], l.Green.Z[i], l.Blue.Z[i], l.NIR.Z[i] = colour[0]+noise*8, colour[1]+noise*6, colour[2], colour[3]+noise*9
	}
	l.Buildings = []raster.Polygon{{{{X: 4_501_040, Y: 2_700_600}, {X: 4_501_070, Y: 2_700_600}, {X: 4_501_070, Y: 2_700_618},
		{X: 4_501_040, Y: 2_700_618}}}}
	return l
}

func box(west, south, east, north float64) []raster.Polygon {
	return []raster.Polygon{{{{X: west, Y: south}, {X: east, Y: south}, {X: east, Y: north}, {X: west, Y: north}}}}
}

func quiet(context.Context) error { return nil }

func divided(t *testing.T, area []raster.Polygon) *Land {
	t.Helper()
	l, err := Divide(t.Context(), area, Default(), func(_ context.Context, w raster.Box) (*Layers, error) { return made(w), nil }, quiet)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// The objects of an area are the same on one processor and on several, and in a larger area those that lie within it.
func TestObjectsAreTheSameWhateverTheArea(t *testing.T) {
	wide := box(4_500_700, 2_700_300, 4_501_300, 2_700_700)
	before := runtime.GOMAXPROCS(1)
	one := divided(t, wide)
	runtime.GOMAXPROCS(4)
	two := divided(t, wide)
	runtime.GOMAXPROCS(before)
	if !slices.Equal(one.Labels, two.Labels) || len(one.Objects) < 60 {
		t.Fatalf("%d and %d objects", len(one.Objects), len(two.Objects))
	}
	for i := range one.Objects {
		if a, b := one.Objects[i], two.Objects[i]; !same(&a, &b) {
			t.Fatalf("object %d: %+v, %+v", i, a, b)
		}
	}
	narrow := divided(t, box(4_500_900, 2_700_430, 4_501_120, 2_700_660))
	at := map[[2]float64]*Object{}
	for i := range one.Objects {
		at[[2]float64{one.Objects[i].X, one.Objects[i].Y}] = &one.Objects[i]
	}
	whole := 0
	for i := range narrow.Objects {
		o := &narrow.Objects[i]
		if o.West <= narrow.West || o.North >= narrow.North || o.East >= narrow.West+float64(narrow.Cols) ||
			o.South <= narrow.North-float64(narrow.Rows) {
			continue // its border may be that of the area
		}
		whole++
		if w := at[[2]float64{o.X, o.Y}]; w == nil || !same(w, o) {
			t.Errorf("an object at %.1f, %.1f of %g m² is another one in the larger area: %+v", o.X, o.Y, o.Row[Area], w)
		}
	}
	if whole < 8 {
		t.Errorf("%d objects lie within the smaller area", whole)
	}
	acrossTheBorder(t, one)
}

// same compares objects but for their numbers; what is not known is the same.
func same(a, b *Object) bool {
	for i := range a.Row {
		if math.Float32bits(a.Row[i]) != math.Float32bits(b.Row[i]) && (a.Row[i] == a.Row[i] || b.Row[i] == b.Row[i]) {
			return false
		}
	}
	return a.X == b.X && a.Y == b.Y && a.West == b.West && a.South == b.South && a.Sector == b.Sector
}

// acrossTheBorder looks at objects on both sides of the border between two squares, and at the hall.
func acrossTheBorder(t *testing.T, l *Land) {
	t.Helper()
	both, hall := 0, 0
	for i := range l.Objects {
		o := &l.Objects[i]
		if o.Label != int32(i+1) {
			t.Fatalf("object %d has the label %d", i, o.Label)
		}
		if o.West < 4_501_000 && o.East > 4_501_000 {
			both++
			measured(t, l, o)
		}
		if o.Footprint > 0 {
			hall++
			if o.Row[Area] != 30*18 || o.Row[HeightMean] != 6 || o.Footprint != 1 || Decide(o).Type != Roof {
				t.Errorf("the hall has %g m², %g m: %+v", o.Row[Area], o.Row[HeightMean], Decide(o))
			}
		}
	}
	if both < 10 || hall != 1 {
		t.Errorf("%d objects lie across the border, the hall is %d", both, hall)
	}
}

// measured compares the figures of an object with those of its cells, summed anew.
func measured(t *testing.T, l *Land, o *Object) {
	t.Helper()
	n, sides, sum, most := 0.0, 0.0, 0.0, 0.0
	var heights []float64
	left, right := made(Window(4500, 2700)), made(Window(4501, 2700))
	for i, k := range l.Labels {
		if k != o.Label {
			continue
		}
		x, y := l.West+float64(i%l.Cols)+0.5, l.North-float64(i/l.Cols)-0.5
		from := left
		if x > 4_501_000 {
			from = right
		}
		h := float64(from.DSM.At(x, y) - from.DTM.At(x, y))
		n, sum, most = n+1, sum+h, max(most, h)
		heights = append(heights, h)
		for _, d := range [4][2]int{{0, -1}, {-1, 0}, {1, 0}, {0, 1}} {
			c, r := i%l.Cols+d[0], i/l.Cols+d[1]
			if c < 0 || r < 0 || c >= l.Cols || r >= l.Rows || l.Labels[r*l.Cols+c] != o.Label {
				sides++
			}
		}
	}
	slices.Sort(heights)
	p90 := heights[int(0.9*(n-1))]
	for _, c := range []struct {
		figure int
		want   float64
	}{{Area, n}, {Perimeter, sides * math.Pi / 4}, {HeightMean, sum / n}, {HeightMax, most}, {HeightP90, p90}} {
		if got := float64(o.Row[c.figure]); math.Abs(got-c.want) > 0.006*max(1, math.Abs(c.want)) {
			t.Errorf("%s of an object across the border is %g, of its cells %g", Features[c.figure].Name, got, c.want)
		}
	}
}

// Runs give back the labels that they were made of.
func TestRuns(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	var kept runs
	want := make([]int32, 5*Side)
	for row := range 5 {
		of := want[row*Side:][:Side]
		for i := range of {
			if of[i] = int32(r.IntN(3)); row > 1 && i > 0 && r.IntN(20) > 0 {
				of[i] = of[i-1]
			}
			if row == 1 {
				of[i] = 7 // one run
			}
		}
		kept.add(of)
	}
	kept.clip()
	kept.rows()
	got := make([]int32, len(want))
	kept.fill(0, 0, Side, 5, got)
	if !slices.Equal(got, want) || len(kept.labels) > 3*Side {
		t.Errorf("%d runs, other labels", len(kept.labels))
	}
	for range 200 { // parts that reach beyond the square on any side
		col0, row0, cols, rows := r.IntN(Side+40)-20, r.IntN(9)-4, 1+r.IntN(50), 1+r.IntN(5)
		part := make([]int32, cols*rows)
		kept.fill(col0, row0, cols, min(rows, 5-row0), part[:max(0, min(rows, 5-row0))*cols])
		for i, k := range part {
			c, q := col0+i%cols, row0+i/cols
			if c >= 0 && c < Side && q >= 0 && q < 5 && k != want[q*Side+c] || (c < 0 || c >= Side || q < 0 || q >= 5) && k != 0 {
				t.Fatalf("cell %d, %d is %d", c, q, k)
			}
		}
	}
}

// Outlines that are traced in the surroundings of an object are those that are traced in the labels of the whole area; a store that
// fails is an error, when it is written and when it is read.
func TestSurvey(t *testing.T) {
	source := func(_ context.Context, w raster.Box) (*Layers, error) { return made(w), nil }
	store := &held{}
	// of two squares
	d, err := Survey(t.Context(), box(4_500_900, 2_700_300, 4_501_100, 2_700_500), Default(), Course{source, store, quiet})
	if err != nil || d.Count() < 50 {
		t.Fatalf("%v", err)
	}
	l, err := d.land()
	if err != nil {
		t.Fatal(err)
	}
	whole, tracer := l.Partition(), d.Tracer()
	for i := range l.Objects {
		o := &l.Objects[i]
		if a, b := tracer.Outline(o), l.Outline(whole, o); !reflect.DeepEqual(a, b) {
			t.Fatalf("object %d at %.1f, %.1f: outline %v, want %v", i, o.X, o.Y, a, b)
		}
	}
	one := box(4_500_700, 2_700_300, 4_500_800, 2_700_400)
	if _, err := Survey(t.Context(), one, Default(), Course{source, &failing{}, quiet}); err == nil || !strings.Contains(err.Error(), "no space") {
		t.Errorf("a full store: %v", err)
	}
	store.b = store.b[:len(store.b)/2]
	if err := d.Each(func(*Object) error { return nil }); err == nil {
		t.Error("half of the store is gone, and nothing is told")
	}
}

// What is written of an object is read: every field of it but its label, which its place gives.
func TestRecords(t *testing.T) {
	var want, got Object
	v := reflect.ValueOf(&want).Elem()
	for i := range v.NumField() {
		switch f := v.Field(i); f.Kind() {
		case reflect.Float64:
			f.SetFloat(float64(i) + 0.25)
		case reflect.Int:
			f.SetInt(int64(i + 70_000))
		case reflect.Bool:
			f.SetBool(true)
		}
	}
	for i := range want.Row {
		want.Row[i] = float32(i) + 0.5
	}
	want.Sector, want.Way = "flat", "rail"
	b := want.append(nil)
	if got.read(b); len(b) != recordBytes || got != want {
		t.Errorf("%d bytes, %+v, want %+v", len(b), got, want)
	}
	want, got = Object{}, Object{}
	if got.read(want.append(nil)); got != want {
		t.Errorf("of nothing: %+v", got)
	}
}

// failing is a store that takes nothing.
type failing struct{ held }

func (f *failing) Write([]byte) (int, error) { return 0, errors.New("no space") }

// An error of the source, and the end of the context, end the work.
func TestDivideEnds(t *testing.T) {
	broken := errors.New("no disk")
	area := box(4_500_700, 2_700_300, 4_500_800, 2_700_400)
	if _, err := Divide(t.Context(), area, Default(), func(context.Context, raster.Box) (*Layers, error) { return nil, broken },
		quiet); !errors.Is(err, broken) {
		t.Errorf("%v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Divide(ctx, area, Default(), func(context.Context, raster.Box) (*Layers, error) {
		t.Error("read")
		return nil,
			broken
	}, quiet); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	wrong := func(_ context.Context, w raster.Box) (*Layers, error) {
		return &Layers{DTM: raster.New(w.West, w.North, 1, 10, 10)}, nil
	}
	if _, err := Divide(t.Context(), area, Default(), wrong, quiet); err == nil {
		t.Error("layers of another window are taken")
	}
}

// The table of figures, types and groups is whole and has no name twice.
func TestTables(t *testing.T) {
	names := map[string]bool{}
	for i, m := range Features {
		if m.Name == "" || m.Formula == "" || m.Source == "" || names[m.Name] {
			t.Errorf("figure %d: %+v", i, m)
		}
		names[m.Name] = true
	}
	numbered := 0
	letters := map[byte]bool{}
	for i := range Types {
		k := &Types[i]
		if got, err := ParseType(k.Name); err != nil || got != k.Type || letters[k.Letter] {
			t.Errorf("%+v", k)
		}
		letters[k.Letter] = true
		if k.Numbered {
			numbered++
		}
		if k.Group != 0 && !k.Type.In(k.Group) {
			t.Errorf("%s is no member of %s", k.Name, k.Group)
		}
		if k.Learnable && k.Learned != k.Type {
			t.Errorf("%s is learned as %s", k.Name, k.Learned)
		}
	}
	if FeatureCount != 57 || numbered != 25 || len(Groups) != 11 || len(Learnable()) != 16 {
		t.Errorf("%d figures, %d types, %d groups, %d classes", FeatureCount, numbered, len(Groups), len(Learnable()))
	}
	if _, err := ParseType("house"); err == nil {
		t.Error("house is a type")
	}
}

// Numbers are those of the standard library, within what they promise.
func TestNumbers(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	for range 2000 {
		x := math.Exp(r.Float64()*40 - 20)
		if math.Abs(ln(x)-math.Log(x)) > 1e-12*max(1, math.Abs(math.Log(x))) || math.Abs(atan(x)-math.Atan(x)*180/math.Pi) > 1e-6 {
			t.Fatalf("ln %g = %g, atan %g", x, ln(x), atan(x))
		}
		v := r.Float64()*20 - 10
		if math.Abs(exp(v)/math.Exp(v)-1) > 1e-12 {
			t.Fatalf("exp %g = %g", v, exp(v))
		}
		e, n := r.Float64()-0.5, r.Float64()-0.5
		want := math.Mod(math.Atan2(e, n)*180/math.Pi+360, 360)
		if math.Abs(direction(e, n)-want) > 1e-5 {
			t.Fatalf("direction %g, %g = %g, expected %g", e, n, direction(e, n), want)
		}
	}
}

// fixed is a model that is always as sure.
type fixed struct{ p float32 }

func (fixed) SureFrom() float64 { return SureFrom }
func (fixed) Classes() []Type   { return []Type{Roof, Shrub} }
func (f fixed) Probabilities(rows [][]float32) [][]float32 {
	return slices.Repeat([][]float32{{1 - f.p, f.p}}, len(rows))
}

// doubtful decides from 0.6 on.
type doubtful struct{ fixed }

func (doubtful) SureFrom() float64 { return 0.6 }

// A model decides from half on, or what it says; what rules alone may tell, and the map, it never overrules; among shrubs a hedge stays
// one.
func TestClassify(t *testing.T) {
	o := Object{Footprint: math.NaN(), HeightKnown: 1}
	for i := range o.Row {
		o.Row[i] = float32(math.NaN())
	}
	o.Row[NDVIMean], o.Row[HeightMean], o.Row[HeightP90], o.Row[HeightMax], o.Row[HeightRange] = 0.3, 2.5, 3, 3.4, 1.4
	o.Row[Area], o.Row[MajorAxis], o.Row[Elongation], o.Row[HighShare] = 60, 26, 0.85, 0.7
	if v := Decide(&o); v.Type != Hedge || v.By != ByRules || v.Rule != "hedge" {
		t.Fatalf("%+v", v)
	}
	for _, c := range []struct {
		p    float32
		want Type
		by   Told
	}{{0.45, Roof, ByModel}, {0.55, Hedge, ByModel}, {0.9, Hedge, ByModel}} {
		if a := Classify([]Object{o}, fixed{c.p})[0]; a.Type != c.want || a.By != c.by || a.Rules.Type != Hedge || a.ModelConfidence < 0.5 {
			t.Errorf("%g: %+v", c.p, a)
		}
	}
	if a := Classify([]Object{o}, doubtful{fixed{0.55}})[0]; a.By != ByRules || a.Model != Shrub {
		t.Errorf("a model that is to be surer: %+v", a)
	}
	type figures map[int]float32
	for want, set := range map[Type]figures{ // what no model is taught stays, however sure the model is
		Wall:        {HeightMean: 1.5, HeightP90: 2, HeightMax: 2.2, HeightRange: 0.6, Elongation: 0.95, MajorAxis: 30, NDVIMean: 0.01},
		Fence:       {HeightMean: 0.6, HeightP90: 1.2, HeightMax: 1.3, Elongation: 0.97, MajorAxis: 50, NDVIMean: 0.01},
		Mast:        {HeightMax: 20, HeightP50: 1, HeightP90: 12, Area: 20, NDVIMean: 0.01},
		WindTurbine: {HeightMax: 90, NDVIMean: 0.01},
	} {
		x := o
		for i, v := range set {
			x.Row[i] = v
		}
		if a := Classify([]Object{x}, fixed{0.99})[0]; a.Type != want || a.By != ByRules || a.Model != Shrub || a.Verdict != a.Rules {
			t.Errorf("%s: %+v", want, a)
		}
	}
	unknown := Object{Row: o.Row, Footprint: o.Footprint, HeightKnown: 1}
	for i := range unknown.Row {
		unknown.Row[i] = float32(math.NaN())
	}
	if a := Classify([]Object{unknown}, fixed{0.99})[0]; a.Rules.Type != Unclassified || a.Type != Shrub || a.By != ByModel {
		t.Errorf("what the rules know nothing of: %+v", a)
	}
	o.Way, o.WayShare, o.Row[Planarity] = "road", 0.8, 0.2
	if a := Classify([]Object{o}, fixed{0.99})[0]; a.Type != Bridge || a.By != ByInfra || a.Model != Shrub {
		t.Errorf("%+v", a)
	}
	if a := Classify([]Object{o}, nil)[0]; a.Type != Bridge || a.Model != Unclassified || !reflect.DeepEqual(a.Verdict, a.Rules) {
		t.Errorf("%+v", a)
	}
}

// changing is a model that takes all for a change, a second change for half as probable, and gardens for what is left.
type changing struct{ first, second, garden float32 }

func (changing) SureFrom() float64 { return SureFrom }
func (changing) Classes() []Type   { return []Type{TreeLoss, Earthwork, Garden} }
func (c changing) Probabilities(rows [][]float32) [][]float32 {
	return slices.Repeat([][]float32{{c.first, c.second, c.garden}}, len(rows))
}

// Tree loss and earthworks are changes: where both scans know that neither happened, the next class of the model is taken with its own
// probability, else the rules tell the type. Without an earlier scan nothing is forbidden. What the model says stays to be read.
func TestAChangeIsToldOfWhatChanged(t *testing.T) {
	meadow := Object{Footprint: math.NaN(), HeightKnown: 1}
	for i := range meadow.Row {
		meadow.Row[i] = float32(math.NaN())
	}
	meadow.Row[NDVIMean], meadow.Row[HeightMean], meadow.Row[HeightP90] = 0.3, 0, 0
	unknown := float32(math.NaN())
	loss, works := changing{0.7, 0.2, 0.1}, changing{0.2, 0.7, 0.1}
	for _, c := range []struct {
		name            string
		model           changing
		height, terrain float32
		want            Type
		sure            float64
		by              Told
	}{
		{"felled", loss, -9, 0, TreeLoss, 0.7, ByModel},
		{"felled in part", loss, -1, 0, TreeLoss, 0.7, ByModel},
		{"no earlier scan", loss, unknown, unknown, TreeLoss, 0.7, ByModel},
		{"unchanged", loss, 0, 0, Grass, 0.75, ByRules},
		{"grown", loss, 3, 0, Grass, 0.75, ByRules},
		{"lower by little", loss, -0.9, 0, Grass, 0.75, ByRules},
		{"unchanged, the next class sure", changing{0.505, 0, 0.5}, 0, 0, Garden, 0.5, ByModel},
		{"dug", works, 0, -0.4, Earthwork, 0.7, ByModel},
		{"filled", works, 0, 0.25, Earthwork, 0.7, ByModel},
		{"earthwork without an earlier scan", works, unknown, unknown, Earthwork, 0.7, ByModel},
		{"terrain as it was", works, 0, 0.15, Grass, 0.75, ByRules},
		{"terrain as it was, from below", works, 0, -0.15, Grass, 0.75, ByRules},
	} {
		o := meadow
		o.Row[HeightChange], o.Row[TerrainChange] = c.height, c.terrain
		a := Classify([]Object{o}, c.model)[0]
		if a.Type != c.want && a.Type.Info().Learned != c.want || math.Abs(a.Confidence-c.sure) > 1e-6 || a.By != c.by {
			t.Errorf("%s: want %s (%g) by %s, got %+v", c.name, c.want, c.sure, c.by, a)
		}
		said := TreeLoss
		if c.model.second > c.model.first {
			said = Earthwork
		}
		if a.Model != said {
			t.Errorf("%s: the model says %s, told %s", c.name, said, a.Model)
		}
	}
}
