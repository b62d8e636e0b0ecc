package landprice

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"mappe/shared/austria"
)

func series(t testing.TB, values map[int]float64) Series {
	t.Helper()
	var points []Observation
	for y, v := range values {
		points = append(points, Observation{y, v})
	}
	s, err := NewSeries(points)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// Rule 1, code by code as it is written.
func TestClassesOfTheRule(t *testing.T) {
	want := map[Class][]austria.LandUse{
		Zoned: {40, 41, 42, 43, 44, 45, 46, 47, 91, 51, 62}, Acker: {50, 52, 53, 54, 55, 58, 61}, Gruen: {56, 57},
		Other: {59, 60, 64, 65, 87, 88, 92, 95}, Wald: {30, 99, 70},
	}
	for class, codes := range want {
		for _, l := range codes {
			if got := classOf[l]; got != class {
				t.Errorf("code %d: want %s, got %s", l, class, got)
			}
		}
	}
	if classOf[48] != Acker || classOf[83] != Zoned {
		t.Error("codes of 2012 that the rule does not name follow their meaning")
	}
}

func TestClassify(t *testing.T) {
	codes := func(list ...austria.LandUse) (s austria.LandUseSet) {
		for _, l := range list {
			s.Add(l)
		}
		return s
	}
	for name, c := range map[string]struct {
		built bool
		use   Use
		class Class
		basis Basis
	}{
		"a building decides":               {true, Use{Codes: codes(56)}, Built, Symbols},
		"a building without any use":       {true, Use{}, Built, BasisNone},
		"areas before symbols":             {false, Use{Areas: []CodeArea{{50, 10}, {56, 20}}, Codes: codes(41)}, Gruen, Areas},
		"areas of one class are summed":    {false, Use{Areas: []CodeArea{{50, 11}, {56, 20}, {53, 10}}}, Acker, Areas},
		"equal areas: the rule's order":    {false, Use{Areas: []CodeArea{{56, 20}, {50, 20}}}, Acker, Areas},
		"areas of 0 m² do not count":       {false, Use{Areas: []CodeArea{{56, 0}}, Codes: codes(50)}, Acker, Symbols},
		"symbols: the first of the rule":   {false, Use{Codes: codes(56, 50, 95)}, Acker, Symbols},
		"51 unbuilt is zoned":              {false, Use{Codes: codes(51, 56)}, Zoned, Symbols},
		"forest with a road through it":    {false, Use{Codes: codes(30, 95)}, Wald, Symbols},
		"only traffic":                     {false, Use{Codes: codes(95)}, Other, Symbols},
		"nothing known: what is left":      {false, Use{}, Wald, BasisNone},
		"a building on land that is zoned": {true, Use{Codes: codes(62)}, Built, Symbols},
	} {
		if class, basis := Classify(c.built, c.use); class != c.class || basis != c.basis {
			t.Errorf("%s: want %s by %q, got %s by %q", name, c.class, c.basis, class, basis)
		}
	}
}

// The year axis, with rates computed by hand.
func TestYearAxis(t *testing.T) {
	s := series(t, map[int]float64{2010: 100, 2012: 121, 2020: 121 * math.Pow(1.1, 8)}) // exactly 10 percent a year
	for year, want := range map[int]float64{2010: 100, 2011: 110, 2012: 121, 2016: 100 * math.Pow(1.1, 6), 2022: 100 * math.Pow(1.1, 12),
		2008: 100 / 1.21} {
		if v := s.At(year, Gemeinde, Rate{}); math.Abs(v.EUR-want) > 1e-9*want {
			t.Errorf("%d: want %v, got %+v", year, want, v)
		}
	}
	steep, falling := series(t, map[int]float64{2010: 100, 2011: 200}), series(t, map[int]float64{2010: 100, 2011: 50})
	if v := steep.At(2012, Gemeinde, Rate{}); math.Abs(v.EUR-200*1.18) > 1e-9 {
		t.Errorf("growth is clipped to 18 percent: got %v", v.EUR)
	}
	if v := falling.At(2012, Gemeinde, Rate{}); math.Abs(v.EUR-50*0.96) > 1e-9 {
		t.Errorf("decline is clipped to 4 percent: got %v", v.EUR)
	}
	one := series(t, map[int]float64{2020: 100})
	if v := one.At(2022, Gemeinde, Rate{0.05, State}); math.Abs(v.EUR-110.25) > 1e-9 || v.GrowthOf != State || v.Method != Extrapolated {
		t.Errorf("one year: the rate of the state, got %+v", v)
	}
}

func TestSeriesRefused(t *testing.T) {
	for name, points := range map[string][]Observation{"doubled": {{2020, 1}, {2020, 2}}, "zero": {{2020, 0}}, "negative": {{2020, -1}},
		"NaN":      {{2020, math.NaN()}},
		"infinite": {{2020, math.Inf(1)}}, "a year below": {{FirstYear - 1, 1}}, "a year above": {{LastYear + 1, 1}}} {
		if _, err := NewSeries(points); err == nil {
			t.Errorf("%s: want an error", name)
		}
	}
	if _, err := NewSeries([]Observation{{FirstYear, 1}, {LastYear, 1}}); err != nil {
		t.Error(err)
	}
}

// The baseline falls back level by level, and says which one it took.
func TestFallbacks(t *testing.T) {
	p := Place{"50101", "501", "5"}
	b := NewBook()
	for _, l := range []Level{National, State, Bezirk, Gemeinde} {
		code := p.code(l)
		b.Put(Key{l, code, BuildingLand}, series(t, map[int]float64{2024: 100 * float64(levelEnd-l)}))
		if v := b.Building(p, 2024); v.Source != l || v.Code != code || v.EUR != 100*float64(levelEnd-l) {
			t.Errorf("with a series of the %s: got %+v", l, v)
		}
	}
	if v := NewBook().Building(p, 2024); v.Known() {
		t.Errorf("without series: got %+v", v)
	}
}

// Vienna is the geometric mean of its districts 910 to 923.
func TestVienna(t *testing.T) {
	b := NewBook()
	put := func(code string, eur float64) {
		b.Put(Key{Bezirk, code, HousePost1991}, series(t, map[int]float64{2024: eur}))
	}
	put("909", 1)
	put("910", 4000)
	put("923", 9000)
	v := b.house(Place{"90001", "900", "9"}, Post1991, 2024)
	if math.Abs(v.EUR-6000) > 1e-6 || v.Parts != 2 || v.Source != Bezirk || v.Code != "900" {
		t.Errorf("want 6000 of two districts, got %+v", v)
	}
	put("900", 5000)
	if v := b.house(Place{"90001", "900", "9"}, Post1991, 2024); v.EUR != 5000 {
		t.Errorf("a series of its own counts first: got %+v", v)
	}
}

func TestFactorBounds(t *testing.T) {
	for _, c := range []struct{ got, want float64 }{
		{SizeFactor(600), 1}, {SizeFactor(1e7), 0.70}, {SizeFactor(0.01), 1.20}, {SizeFactor(1200), math.Exp(-0.15 * math.Ln2)},
		{SizeFactor(0), 1},
		{ShapeFactor(math.NaN()), 1}, {ShapeFactor(0), 1}, {ShapeFactor(1), 1.15}, {ShapeFactor(2), 1.15}, {ShapeFactor(-1), 1},
		{Urban.Factor(), 1.30}, {Suburban.Factor(), 1.08}, {RuralSettled.Factor(), 0.92}, {RuralAgrarian.Factor(), 0.78},
		{TypologyUnknown.Factor(), 1},
		{Urban.Storeys(), 2.4}, {Suburban.Storeys(), 1.7}, {RuralSettled.Storeys(), 1.4}, {RuralAgrarian.Storeys(), 1.2},
	} {
		if math.Abs(c.got-c.want) > 1e-12 {
			t.Errorf("want %v, got %v", c.want, c.got)
		}
	}
}

func someBook(t *rapid.T) *Book {
	b := NewBook()
	for _, k := range []Key{{Gemeinde, "50101", BuildingLand}, {State, "5", BuildingLand}, {State, "5", Arable}, {State, "5", Grassland},
		{State, "5", ArableRent},
		{LiteratureState, "5", ForestLow}, {LiteratureState, "5", ForestHigh}, {Bezirk, "501", House}} {
		years := rapid.SliceOfNDistinct(rapid.IntRange(2000, 2030), 1, 8, rapid.ID).Draw(t, "years")
		var points []Observation
		for _, y := range years {
			points = append(points, Observation{y, rapid.Float64Range(0.5, 5000).Draw(t, "eur")})
		}
		s, err := NewSeries(points)
		if err != nil {
			t.Fatal(err)
		}
		b.Put(k, s)
	}
	return b
}

func someInput(t *rapid.T) Input {
	in := Input{Place: Place{"50101", "501", "5"}, AreaSqm: rapid.Float64Range(1, 1e6).Draw(t, "area"),
		Buildings:   rapid.IntRange(0, 2).Draw(t, "buildings"),
		Compactness: rapid.Float64Range(0, 1).Draw(t, "compactness"), Typology: Typology(rapid.IntRange(0, 4).Draw(t, "typology")),
		Year:        rapid.IntRange(1995, 2035).Draw(t, "year"),
		FootprintM2: float64(rapid.IntRange(0, 200).Draw(t, "footprint")), Period: Period(rapid.IntRange(0, 3).Draw(t, "period"))}
	in.Use.Codes.Add(austria.LandUse(rapid.IntRange(30, 98).Draw(t, "code")))
	return in
}

// A larger plot never costs more a square metre and never less in all; the interval holds the estimate; the
// more compact one is never cheaper.
func TestMonotone(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b, in := someBook(t), someInput(t)
		e := b.Estimate(&in)
		if e.Class != Other && !(e.Interval.Low <= e.BuyPerSqm && e.BuyPerSqm <= e.Interval.High && e.BuyPerSqm > 0) {
			t.Fatalf("%v is not in %v", e.BuyPerSqm, e.Interval)
		}
		if (e.Class == Other) != math.IsNaN(e.BuyPerSqm) || (e.Confidence == ConfidenceNone) != (e.Class == Other) {
			t.Fatalf("class %s, price %v, confidence %s", e.Class, e.BuyPerSqm, e.Confidence)
		}
		larger := in
		larger.AreaSqm *= rapid.Float64Range(1, 10).Draw(t, "times")
		if l := b.Estimate(&larger); l.BuyPerSqm > e.BuyPerSqm*(1+1e-12) || l.BuyTotal < e.BuyTotal*(1-1e-12) {
			t.Fatalf("%v m² cost %v, %v m² cost %v", in.AreaSqm, e.BuyTotal, larger.AreaSqm, l.BuyTotal)
		}
		rounder := in
		rounder.Compactness = 1
		if r := b.Estimate(&rounder); r.BuyPerSqm < e.BuyPerSqm*(1-1e-12) {
			t.Fatalf("compactness %v costs %v, 1 costs %v", in.Compactness, e.BuyPerSqm, r.BuyPerSqm)
		}
	})
}

// From one year to the next a series changes by no more than its steepest observed step or its clipped growth.
func TestYearAxisIsContinuous(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := someBook(t).Series(Key{Gemeinde, "50101", BuildingLand})
		bound := math.Log(1 + MaxGrowth)
		for i := 1; i < len(s.points); i++ {
			d := float64(s.points[i].Year - s.points[i-1].Year)
			bound = max(bound, math.Abs(s.logs[i]-s.logs[i-1])/d)
		}
		for y := 1990; y < 2040; y++ {
			a, b := s.At(y, Gemeinde, Rate{}), s.At(y+1, Gemeinde, Rate{})
			if step := math.Abs(math.Log(b.EUR / a.EUR)); step > bound+1e-9 {
				t.Fatalf("%d to %d: from %v to %v, bound %v", y, y+1, a.EUR, b.EUR, bound)
			}
		}
		for _, p := range s.points {
			if v := s.At(p.Year, Gemeinde, Rate{}); v.EUR != p.EUR || v.Method != Observed {
				t.Fatalf("%d is published as %v: got %+v", p.Year, p.EUR, v)
			}
		}
	})
}

// The value of a tally is the sum of the estimates of its parcels, in any split.
func TestTallyIsTheSum(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := someBook(t)
		year := rapid.IntRange(1995, 2035).Draw(t, "of")
		var parts [2]Tally
		var value, rent, logs, n [classEnd]float64
		for i := range rapid.IntRange(1, 12).Draw(t, "parcels") {
			in := someInput(t)
			in.Year = year
			parts[i%2].Add(&in)
			e := b.Estimate(&in)
			if e.Class != Other {
				value[e.Class] += e.BuyTotal
				logs[e.Class] += math.Log(e.BuyPerSqm)
			}
			if !math.IsNaN(e.RentPerYear) {
				rent[e.Class] += e.RentPerYear
			}
			n[e.Class]++
		}
		parts[0].Merge(&parts[1])
		var a AreaValue
		b.AddValue(&a, &parts[0], Place{"50101", "501", "5"}, year)
		for _, c := range AllClasses() {
			v := a.Of(c)
			if float64(v.Parcels) != n[c] || math.Abs(v.Value-value[c]) > 1e-6*(1+value[c]) ||
				math.Abs(v.RentTotal-rent[c]) > 1e-6*(1+rent[c]) {
				t.Fatalf("%s: want %v parcels of %v EUR, rent %v, got %+v", c, n[c], value[c], rent[c], v)
			}
			if v.Priced > 0 && math.Abs(math.Log(v.Geomean())-logs[c]/n[c]) > 1e-9*(1+math.Abs(logs[c])) {
				t.Fatalf("%s: geometric mean %v", c, v.Geomean())
			}
		}
	})
}

func TestWordsComeBack(t *testing.T) {
	for _, k := range AllSeriesKinds() {
		if ParseSeriesKind(k.String()) != k || k.Unit() == "" || k.Doc() == "" {
			t.Errorf("kind %d %q", k, k)
		}
	}
	for _, l := range AllLevels() {
		if ParseLevel(l.String()) != l {
			t.Errorf("level %d %q", l, l)
		}
	}
	if _, ok := ParseTypology(""); ok {
		t.Error("no text is no typology")
	}
	if _, ok := ParsePeriod("1960"); ok {
		t.Error("1960 is no period")
	}
}

func BenchmarkEstimate(b *testing.B) {
	book := NewBook()
	book.Put(Key{Gemeinde, "50101", BuildingLand}, series(b, map[int]float64{2016: 100, 2017: 105, 2018: 111, 2020: 121, 2023: 150}))
	in := Input{Place: Place{"50101", "501", "5"}, AreaSqm: 800, Buildings: 1, Compactness: 0.7, Typology: Urban, Year: 2024}
	b.ReportAllocs()
	for b.Loop() {
		book.Estimate(&in)
	}
}
