package searchindex_test

import (
	"errors"
	"net/http"
	"slices"
	"strings"
	"testing"

	"mappe/artefacts/kgfile"
	"mappe/artefacts/library"
	"mappe/functions/core/searchindex"
	"mappe/functions/core/view"
	"mappe/functions/fixture"
	"mappe/shared/austria"
	"mappe/shared/cloud/store"
	"mappe/shared/cloud/store/mem"
	"mappe/shared/web/fault"
)

// world is a view of a country whose directory covers all KGs but those that cold names.
func world(t *testing.T, list []*kgfile.Snapshot, cold ...austria.KGCode) (store.Store, *view.View) {
	t.Helper()
	s := mem.New()
	if err := errors.Join(fixture.Publish(s, list, cold...), fixture.AddDirectory(s, list, cold...)); err != nil {
		t.Fatal(err)
	}
	return s, open(t, s, "")
}

func open(t *testing.T, s store.Store, date string) *view.View {
	t.Helper()
	lib, err := library.Open(t.Context(), s, library.Options{})
	if err != nil {
		t.Fatal(err)
	}
	v, err := lib.View(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return view.Dated(v, date)
}

func index(t *testing.T, v *view.View) *searchindex.Index {
	t.Helper()
	x, err := searchindex.Required(t.Context(), v)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// codes are KGs of the head.
func codes(x *searchindex.Index, kgs []uint32) (list []austria.KGCode) {
	for _, kg := range kgs {
		list = append(list, x.Head.KGs[kg])
	}
	return list
}

// What the directory says of numbers and address points is what a look into every KG finds.
func TestNumbersAndBuildings(t *testing.T) {
	list := fixture.Snapshots()
	_, v := world(t, list, "88803")
	x := index(t, v)
	slices.SortFunc(list, func(a, b *kgfile.Snapshot) int { return strings.Compare(string(a.KG.Code), string(b.KG.Code)) })
	have := map[austria.GNR][]austria.KGCode{}
	for _, s := range list {
		if s.KG.Code == "88803" {
			continue
		}
		for i := range s.Parcels {
			have[s.Parcels[i].GNR] = append(have[s.Parcels[i].GNR], s.KG.Code)
		}
		for i := range s.Buildings {
			if code, err := x.Building(t.Context(), s.Buildings[i].ID); err != nil || code != s.KG.Code {
				t.Errorf("address point %v: want KG %s, got %q, %v", s.Buildings[i].ID, s.KG.Code, code, err)
			}
		}
	}
	for number, want := range have {
		if kgs, err := x.Having(t.Context(), number); err != nil || !slices.Equal(codes(x, kgs), want) {
			t.Errorf("%s: want %v, got %v, %v", number, want, codes(x, kgs), err)
		}
	}
	for _, prefix := range []string{"", "1", "1/", ".", ".6", "6", "9999", "z"} {
		found := map[austria.GNR][]austria.KGCode{}
		err := x.Beginning(t.Context(), prefix, func(number austria.GNR, kgs []uint32) { found[number] = codes(x, kgs) })
		if err != nil {
			t.Fatal(err)
		}
		for number, want := range have {
			if begins := strings.HasPrefix(string(number), prefix); begins != slices.Equal(found[number], want) {
				t.Errorf("beginning with %q: %s is found in %v", prefix, number, found[number])
			}
			delete(found, number)
		}
		if len(found) > 0 {
			t.Errorf("beginning with %q: %v do not exist", prefix, found)
		}
	}
	if kgs, err := x.Having(t.Context(), "4711/9"); kgs != nil || err != nil {
		t.Errorf("a number that nobody has: %v, %v", kgs, err)
	}
	if got := x.Uncovered(); !slices.Equal(got, []austria.KGCode{"88803"}) {
		t.Errorf("not covered: %v", got)
	}
	if x.Blocks("1", "1", "6") != 1 {
		t.Errorf("%d blocks of a directory that has one", x.Blocks("1", "1", "6"))
	}
}

// A generation without a directory, and a date, have none: that is no error but for a search that nothing else answers.
func TestWithoutADirectory(t *testing.T) {
	plain := mem.New()
	if err := fixture.Publish(plain, fixture.Snapshots()); err != nil {
		t.Fatal(err)
	}
	with, _ := world(t, fixture.Snapshots())
	for name, v := range map[string]*view.View{"without": open(t, plain, ""), "a date": open(t, with, "2026-10-01")} {
		if x, err := searchindex.Of(t.Context(), v); x != nil || err != nil {
			t.Errorf("%s: %v, %v", name, x, err)
		}
		_, err := searchindex.Required(t.Context(), v)
		if f := (*fault.Fault)(nil); !errors.As(err, &f) || f.Status() != http.StatusServiceUnavailable {
			t.Errorf("%s: want 503, got %v", name, err)
		}
	}
}
