package prices

import (
	"bytes"
	"flag"
	"math"
	"os"
	"reflect"
	"testing"

	"mappe/artefacts/internal/column"
	"mappe/artefacts/internal/column/columntest"
	"mappe/artefacts/sectionfile"
	"mappe/shared/austria"
	"mappe/shared/landprice"
)

// sample are contents of every kind of row.
func sample(kgs int) *Contents {
	c := &Contents{Attribution: "an office", Model: "m"}
	for i := range kgs {
		k := KG{Code: austria.KGCode([]byte{'0', '1', '0' + byte(i/100), '0' + byte(i/10%10), '0' + byte(i%10)}), GemeindeCode: "50101",
			File: [8]byte{byte(i), 1, 2}}
		for n, class := range landprice.AllClasses() {
			*k.Tally.Of(class) = landprice.Sums{Parcels: n + i, AreaSqm: float64(i) * 10.25, WeightedSqm: float64(i) * 9.5,
				LogFactors: 0.25 * float64(n-3)}
		}
		k.Tally.FootprintSqm, k.Tally.LivingSqm = 12.5, 20.25
		c.KGs = append(c.KGs, k)
	}
	for _, code := range []string{"50101", "50102"} {
		for _, year := range []int{landprice.FirstYear, 2020, landprice.LastYear} {
			c.Rows = append(c.Rows, Row{landprice.Gemeinde, code, landprice.BuildingLand, year, 1379.3})
		}
	}
	c.Rows = append(c.Rows, Row{landprice.National, "AT", landprice.House, 2024, 0.001},
		Row{landprice.National, "AT", landprice.House, 2025, MaxEUR})
	return c
}

func encoded(t testing.TB, c *Contents) []byte {
	t.Helper()
	b, err := Encode(c)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestContentsComeBack(t *testing.T) {
	for _, n := range []int{0, 1, 300} {
		want := sample(n)
		got, err := Decode(encoded(t, want))
		if n == 0 {
			want.KGs = []KG{}
		}
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%d KGs: want %+v, got %+v, %v", n, want, got, err)
		}
	}
	if b := encoded(t, sample(9)); !bytes.Equal(b, encoded(t, sample(9))) {
		t.Error("the same contents give other bytes")
	}
}

func TestRowsRefused(t *testing.T) {
	for name, edit := range map[string]func(c *Contents){
		"KGs out of order":             func(c *Contents) { c.KGs[0].Code = "99999" },
		"a KG without a code":          func(c *Contents) { c.KGs[0].Code = "x" },
		"rows out of order":            func(c *Contents) { c.Rows[0], c.Rows[1] = c.Rows[1], c.Rows[0] },
		"a doubled row":                func(c *Contents) { c.Rows[1] = c.Rows[0] },
		"no level":                     func(c *Contents) { c.Rows[0].Level = 0 },
		"no kind":                      func(c *Contents) { c.Rows[0].Kind = 0 },
		"a year below":                 func(c *Contents) { c.Rows[0].Year = landprice.FirstYear - 1 },
		"no price":                     func(c *Contents) { c.Rows[0].EUR = 0 },
		"NaN":                          func(c *Contents) { c.Rows[0].EUR = math.NaN() },
		"a price above":                func(c *Contents) { c.Rows[len(c.Rows)-1].EUR = MaxEUR + 1 },
		"an area that is not a number": func(c *Contents) { c.KGs[0].Tally.FootprintSqm = math.NaN() },
	} {
		c := sample(2)
		edit(c)
		if _, err := Encode(c); err == nil {
			t.Errorf("%s: want an error", name)
		}
	}
}

func TestBook(t *testing.T) {
	b, err := Book(sample(0).Rows)
	if err != nil || b.Len() != 3 || b.Latest() != landprice.LastYear {
		t.Fatalf("got %v, %v", b, err)
	}
	s := b.Series(landprice.Key{Level: landprice.Gemeinde, Code: "50102", Kind: landprice.BuildingLand})
	if len(s.Points()) != 3 || s.Points()[1].EUR != 1379.3 {
		t.Errorf("got %+v", s.Points())
	}
}

func TestAnotherKindIsRefused(t *testing.T) {
	b, err := sectionfile.Encode(sectionfile.Family{'o', 't', 'h', 'r'}, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Decode(b); err == nil {
		t.Error("want an error")
	}
	whole := encoded(t, sample(3))
	if _, err := Decode(whole[:len(whole)-1]); err == nil {
		t.Error("a cut file: want an error")
	}
}

var freeze = flag.Bool("freeze", false, "write the frozen file of a new version")

// The file of version 1 opens for ever.
func TestFrozen(t *testing.T) {
	const name = "testdata/frozen/prices-1.parts"
	if *freeze {
		if err := os.WriteFile(name, encoded(t, sample(5)), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := Decode(b); err != nil || !reflect.DeepEqual(got, sample(5)) {
		t.Errorf("got %+v, %v", got, err)
	}
}

// FuzzSections reads sections of any bytes; the file around them is that of artefacts/sectionfile, which has a fuzz test of its own.
func FuzzSections(f *testing.F) {
	good, err := Decode(encoded(f, sample(3)))
	if err != nil {
		f.Fatal(err)
	}
	d, err := sectionfile.Parse(encoded(f, good))
	if err != nil {
		f.Fatal(err)
	}
	body := func(i int) []byte {
		at, n := d.Range(i)
		b, err := d.Decode(i, encoded(f, good)[at:at+n])
		if err != nil {
			f.Fatal(err)
		}
		return b
	}
	f.Add(body(0), body(1))
	f.Add([]byte{255, 255, 255, 0, 9, 0, 0, 0}, []byte(nil))
	f.Fuzz(func(t *testing.T, kgs, series []byte) {
		columntest.Bounded(t, len(kgs)+len(series), func() {
			var c Contents
			if unseal(kgsName, kgs, maxKGs, func(r *column.Reader, n int) { c.KGs = readKGs(r, n) }) != nil ||
				unseal(seriesTab, series, maxSeries, func(r *column.Reader, n int) { c.Rows = readSeries(r, n) }) != nil {
				return
			}
			if _, err := Book(c.Rows); err == nil && len(c.KGs) < 1000 {
				Encode(&c)
			}
		})
	})
}

func BenchmarkDecode(b *testing.B) {
	data := encoded(b, sample(999))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Decode(data); err != nil {
			b.Fatal(err)
		}
	}
}
