package prices_test

import (
	"context"
	"testing"

	"mappe/artefacts/kgfile"
	"mappe/artefacts/prices"
	"mappe/builders/national"
	"mappe/functions/fixture"
	"mappe/shared/cloud/store"
	"mappe/shared/cloud/store/mem"
	"mappe/shared/landprice"
)

// served are the contents of the published artefact.
func served(t *testing.T, st store.Store) *prices.Contents {
	t.Helper()
	live, err := national.ReadLive(t.Context(), st)
	if err != nil {
		t.Fatal(err)
	}
	b, _, err := store.ReadAll(context.Background(), st, live.Pointer.Artefacts[prices.Artefact].Key, prices.MaxFile, store.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	c, err := prices.Decode(b)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// A publication tallies every parcel of every KG once; a KG that changed is tallied anew, others are kept.
func TestPublicationTalliesItsKGs(t *testing.T) {
	st := mem.New()
	list := fixture.Snapshots()
	publish := func(s ...*kgfile.Snapshot) {
		t.Helper()
		if _, err := national.PublishSnapshots(t.Context(), st, s...); err != nil {
			t.Fatal(err)
		}
	}
	publish(list...)
	count := func(c *prices.Contents) (n int, sqm float64) {
		for i := range c.KGs {
			for _, class := range landprice.AllClasses() {
				n += c.KGs[i].Tally.Of(class).Parcels
				sqm += c.KGs[i].Tally.Of(class).AreaSqm
			}
		}
		return n, sqm
	}
	want, area := 0, 0.0
	for _, s := range list {
		want += len(s.Parcels)
		for i := range s.Parcels {
			area += s.Parcels[i].AreaSqm
		}
	}
	n, sqm := count(served(t, st))
	if n != want || sqm < area-1 || sqm > area+1 {
		t.Errorf("want %d parcels of %.0f m², got %d of %.0f", want, area, n, sqm)
	}
	list[1].Parcels[0].AreaSqm += 1000
	publish(list[1])
	if _, after := count(served(t, st)); after < sqm+999 || after > sqm+1001 {
		t.Errorf("a parcel grew by 1,000 m²: want %.0f m², got %.0f", sqm+1000, after)
	}
}
