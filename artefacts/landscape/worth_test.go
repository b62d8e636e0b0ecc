package landscape

import (
	"math"
	"slices"
	"testing"
)

// The worth is what the specification's formulae give, worked out by hand to the hundredth.
func TestWorth(t *testing.T) {
	none := math.NaN()
	for name, c := range map[string]struct {
		vegetated, ndvi, canopy float64
		want                    Worth
		sum                     int
	}{
		"most":             {1, 0.8, 10_000, Worth{2000, 1500, 1500}, 5000},
		"more than most":   {1.5, 1, 1e9, Worth{2000, 1500, 1500}, 5000},
		"least":            {0, 0, 0, Worth{}, 0},
		"less than least":  {-1, -0.5, -3, Worth{}, 0},
		"between":          {0.25, 0.4, 99, Worth{500, 750, 750}, 2000},
		"to the hundredth": {0.333, 0.1234, 1, Worth{666, 231, 113}, 1010},
		"nobody knows":     {none, none, none, Worth{UnknownWorth, UnknownWorth, UnknownWorth}, 0},
		"some of it":       {1, none, 0, Worth{2000, UnknownWorth, 0}, 2000},
	} {
		got := WorthOf(&Parcel{VegetatedFraction: float32(c.vegetated), NDVIMean: float32(c.ndvi), TreeCanopySqm: c.canopy})
		if got != c.want || got.Sum() != c.sum {
			t.Errorf("%s: %+v, %d in all; want %+v, %d", name, got, got.Sum(), c.want, c.sum)
		}
	}
}

// The best of a KG is that of its parcels as the index has them, not the best of each column.
func TestBestWorth(t *testing.T) {
	k := sample(200)
	b, err := Land.Encode(Parcels.sorted(k.Parcels))
	if err != nil {
		t.Fatal(err)
	}
	kept, _, err := Land.Decode(b)
	if err != nil {
		t.Fatal(err)
	}
	want := 0
	for i := range kept {
		want = max(want, WorthOf(&kept[i]).Sum())
	}
	got := bestOf("56537", k.Parcels)
	if got != (Best{"56537", want}) || want == 0 {
		t.Errorf("%+v, want %d", got, want)
	}
	list := []Best{{"01004", 0}, got, {"99999", 5000}}
	body, err := encodeBest(list)
	if err != nil {
		t.Fatal(err)
	}
	if back, cost, err := DecodeBest(body); err != nil || !slices.Equal(back, list) || cost <= 0 {
		t.Errorf("%+v, %d, %v; want %+v", back, cost, err, list)
	}
	if over, err := encodeBest([]Best{{"01004", 10_001}}); err != nil {
		t.Error(err)
	} else if _, _, err := DecodeBest(over); err == nil {
		t.Error("a worth above 100 points was read")
	}
}
