package prices

import (
	"math"
	"os"
	"slices"
	"testing"

	"mappe/artefacts/prices"
	"mappe/infra/realdata"
	"mappe/shared/landprice"
)

// Each published value is left out and told from the others: how far the year axis and the fallbacks are off.
// docs/prices.md reports the figures; the bounds here are theirs, rounded up.
func TestDeviationFromAnchors(t *testing.T) {
	b, err := os.ReadFile(realdata.Path(t, "prices/published_anchor_values.csv"))
	if err != nil {
		t.Fatal(err)
	}
	s, _, err := Read(source(map[string]string{"anchors.csv": string(b)}))
	if err != nil {
		t.Fatal(err)
	}
	off := map[string][]float64{}
	for i, row := range s.Rows {
		if row.Kind != landprice.BuildingLand && row.Kind != landprice.House {
			continue
		}
		book, err := prices.Book(slices.Delete(slices.Clone(s.Rows), i, i+1))
		if err != nil {
			t.Fatal(err)
		}
		own := book.Series(landprice.Key{Level: row.Level, Code: row.Code, Kind: row.Kind})
		if own.Empty() {
			continue // nothing is left to tell it from
		}
		p := landprice.Place{State: row.Code[:1]}
		switch row.Level {
		case landprice.Gemeinde:
			p.Gemeinde = row.Code
		case landprice.Bezirk:
			p.Bezirk = row.Code
		case landprice.National:
			p.State = ""
		}
		v := book.Published(row.Kind, row.Level, p, row.Year)
		name := row.Level.String() + " " + v.Method.String()
		off[name] = append(off[name], math.Abs(v.EUR/row.EUR-1))
	}
	for name, bound := range map[string]struct{ median, largest float64 }{
		"state interpolated": {0.15, 0.50}, "state extrapolated": {0.15, 0.85}, "national interpolated": {0.07, 0.25},
		"gemeinde extrapolated": {0.40, 0.61},
	} {
		list := off[name]
		slices.Sort(list)
		if len(list) == 0 {
			t.Errorf("%s: no value", name)
			continue
		}
		t.Logf("%s: %d values, median %.1f percent, largest %.1f percent", name, len(list), 100*list[len(list)/2], 100*list[len(list)-1])
		if m, l := list[len(list)/2], list[len(list)-1]; m > bound.median || l > bound.largest {
			t.Errorf("%s: want at most %+v", name, bound)
		}
	}
}
