package demo

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"mappe/artefacts/prices"
	series "mappe/builders/source/prices"
	"mappe/shared/landprice"
)

// The reader of raw sources finds every published value of the generator's truth, and the year axis tells the
// gap and the year behind the last from them.
func TestPriceSeries(t *testing.T) {
	dir := sourceDir(t)
	b, err := os.ReadFile(filepath.Join(dir, "truth", "prices.json"))
	if err != nil {
		t.Fatal(err)
	}
	var truth PriceTruth
	if err := json.Unmarshal(b, &truth); err != nil {
		t.Fatal(err)
	}
	s, problems, err := series.Read(os.DirFS(dir))
	if err != nil || problems.Total != 0 || s.Attribution == "" {
		t.Fatalf("%+v, %v", problems, err)
	}
	book, err := prices.Book(s.Rows)
	if err != nil {
		t.Fatal(err)
	}
	values := 0
	for i := range truth.Series {
		want := &truth.Series[i]
		values += len(want.Years)
		k := landprice.Key{Level: landprice.ParseLevel(want.Level), Code: want.Code, Kind: landprice.ParseSeriesKind(want.Kind)}
		got := book.Series(k)
		if len(got.Points()) != len(want.Years) {
			t.Fatalf("%+v: %v", want, got.Points())
		}
		for _, year := range []int{2016, 2019, 2023, 2024} {
			v := got.At(year, k.Level, landprice.Rate{})
			if ratio := v.EUR / want.at(year); ratio < 0.99 || ratio > 1.01 {
				t.Errorf("%s %s %s %d: want %v, got %+v", want.Level, want.Code, want.Kind, year, want.at(year), v)
			}
		}
	}
	if len(s.Rows) != values {
		t.Errorf("want %d values, got %d", values, len(s.Rows))
	}
}
