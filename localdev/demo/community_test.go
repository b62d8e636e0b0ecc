package demo

import (
	"os"
	"testing"

	"mappe/artefacts/proximity"
	builder "mappe/builders/proximity"
)

// The extract is read whole, and holds what the country has: every category, names, a station, lakes.
func TestCommunityMapIsRead(t *testing.T) {
	s, err := builder.Open(os.DirFS(sourceDir(t)))
	if err != nil || s == nil {
		t.Fatal(s, err)
	}
	c, err := s.Read()
	if err != nil {
		t.Fatal(err)
	}
	if c.Date != Stichtag || c.Attribution != Attribution {
		t.Errorf("got %q %q", c.Date, c.Attribution)
	}
	h := c.Head()
	for _, k := range []struct {
		category proximity.Category
		class    string
		least    int
	}{
		{proximity.Road, "primary", 1}, {proximity.Road, "secondary", 1}, {proximity.Road, "tertiary", 1},
		{proximity.Road, "residential", 50}, {proximity.Road, "track", 20},
		{proximity.Rail, "rail", 1}, {proximity.Water, "river", 1}, {proximity.Water, "stream", 12}, {proximity.Water, "water", 2},
		{proximity.Transit, "bus_stop", 4}, {proximity.Transit, "railway_station", 1}, {proximity.Transit, "railway_halt", 1},
		{proximity.Place, "town", 1}, {proximity.Place, "village", 2}, {proximity.Place, "hamlet", 1},
	} {
		class, ok := proximity.ParseClass(k.category, k.class)
		if !ok || h.Counts[class] < k.least {
			t.Errorf("%s: want %d at least, got %d", k.class, k.least, h.Counts[class])
		}
	}
}
