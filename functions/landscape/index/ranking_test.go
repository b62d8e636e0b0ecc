package index

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"testing"

	"mappe/artefacts/keys"
	"mappe/artefacts/kgfile"
	"mappe/artefacts/kgfile/kgtest"
	"mappe/artefacts/landscape"
	"mappe/artefacts/library"
	"mappe/artefacts/sectionfile"
	"mappe/functions/fixture"
	"mappe/shared/austria"
	"mappe/shared/cloud/store/mem"
)

// analysed is the service over KGs of eight parcels that were all analysed. Their worth has few values, so that many are alike; the
// index says the greatest of each KG, or as one of an earlier program does, nothing. The snapshots of some KGs are lost.
func analysed(t *testing.T, kgs int, earlier bool, lost ...austria.KGCode) http.Handler {
	t.Helper()
	var snaps []*kgfile.Snapshot
	for i := range kgs {
		snaps = append(snaps, kgtest.Snapshot(kgtest.Options{Code: austria.KGCode(fmt.Sprint(10_001 + i)), Parcels: 8, Segments: 1,
			AreaKm2: 0.1, Seed: uint64(i), East: int32(i) * 100_000}))
	}
	s := mem.New()
	if err := fixture.Publish(s, snaps); err != nil {
		t.Fatal(err)
	}
	reg, random := fixture.View(t, s).Register(), rand.New(rand.NewPCG(1, 2))
	x := landscape.NewIndexBuilder()
	for _, snap := range snaps {
		k := fixture.ProcessedOf(reg, snap)
		for i := range k.Parcels {
			p := &k.Parcels[i]
			p.VegetatedFraction, p.NDVIMean = float32(random.IntN(4))/4, float32(random.IntN(4))/5
			p.TreeCanopySqm = float64(random.IntN(3) * 50)
		}
		if err := x.Add(k, keys.Landscape{Code: k.Code(), Date: fixture.Stichtag, Sum: "0123456789abcdef"}.String()); err != nil {
			t.Fatal(err)
		}
	}
	body, err := x.Encode()
	if err != nil {
		t.Fatal(err)
	}
	if earlier {
		body = lacking(t, body, landscape.WorthSection)
	}
	if err := fixture.AddLandscapeIndex(s, body); err != nil {
		t.Fatal(err)
	}
	for _, code := range lost {
		if err := s.Delete(t.Context(), reg.KG(code).Snapshot.Key); err != nil {
			t.Fatal(err)
		}
	}
	lib, err := library.Open(t.Context(), s, library.Options{})
	if err != nil {
		t.Fatal(err)
	}
	h, err := New(Deps{Library: lib}).Handler()
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// lacking is a file without one of its sections.
func lacking(t *testing.T, body []byte, name string) []byte {
	t.Helper()
	f, err := sectionfile.Open(bytes.NewReader(body), int64(len(body)))
	if err != nil {
		t.Fatal(err)
	}
	var rest []sectionfile.Section
	for i := range f.Len() {
		n := f.Name(i)
		if n == name {
			continue
		}
		b, err := f.Section(i)
		if err != nil {
			t.Fatal(err)
		}
		rest = append(rest, sectionfile.Section{Name: n, Body: b})
	}
	out, err := sectionfile.Encode(f.Family(), f.Head(), rest)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// Whichever KGs are left out, each page is that of the ranking of all; few KGs are read where the index says what each is worth.
func TestARankingReadsFewKGs(t *testing.T) {
	const kgs = 40
	for _, earlier := range []bool{false, true} {
		h := analysed(t, kgs, earlier)
		for _, sort := range []string{"conservation_score", "ndvi", "tree_canopy"} {
			all := askSurvey(t, h, "query/nature?with_total=true&limit=1000&sort="+sort, 200)
			ids := strings.Fields(all.ids())
			if *all.Total != 8*kgs || all.Read != kgs || len(ids) != 8*kgs {
				t.Fatalf("%s: %d of %d rows from %d KGs", sort, len(ids), *all.Total, all.Read)
			}
			for offset := 0; offset < 40; offset += 5 {
				page := askSurvey(t, h, fmt.Sprintf("query/nature?limit=5&offset=%d&sort=%s", offset, sort), 200)
				if got, want := strings.Fields(page.ids()), ids[offset:offset+5]; !slices.Equal(got, want) {
					t.Errorf("%s, rows from %d: %v, want %v", sort, offset, got, want)
				}
			}
			if first := askSurvey(t, h, "query/nature?limit=5&sort="+sort, 200); !earlier && first.Read > 24 {
				t.Errorf("%s: %d KGs of %d were read for five rows", sort, first.Read, kgs)
			}
		}
	}
}

// A KG that cannot be read is not counted among those that were.
func TestARankingCountsWhatItReads(t *testing.T) {
	got := askSurvey(t, analysed(t, 3, false, "10002"), "query/nature?with_total=true", 200)
	if got.Meta.Ready || got.Read != 2 || got.Matching != 3 || *got.Total != 16 {
		t.Errorf("%d of %d KGs read, %d parcels, ready %v", got.Read, got.Matching, *got.Total, got.Meta.Ready)
	}
}
