package national

import (
	"strings"
	"testing"

	"mappe/shared/cloud/store"
	"mappe/shared/cloud/store/mem"
)

// A source from before is known to the store, and is judged against what is served now all the same.
func TestAnEarlierBuildIsJudgedAgain(t *testing.T) {
	st := mem.New()
	few := writeSample(t, three[0], sampleKG{code: "99002", drop: 6}, three[2])
	mustBuild(t, few, st, Options{AcceptGaps: true}) // six parcels of the outline are in no tile
	full := mustBuild(t, writeSample(t, three...), st, Options{})
	s := mustBuild(t, few, st, Options{})
	if s.Count(Refused) != 1 || s.Published || s.Generation != full.Generation {
		t.Fatalf("want one refusal and nothing published, got %d refused, published %v", s.Count(Refused), s.Published)
	}
	if r := s.Results[1]; r.Outcome != Refused || !strings.Contains(r.Err.Error(), "6 of 16 live parcels are lost") {
		t.Errorf("got %s: %v", r.Outcome, r.Err)
	}
	if s = mustBuild(t, few, st, Options{Accept: true}); !s.Published || s.Count(Reused) != 3 {
		t.Errorf("accepted: got %d reused, published %v", s.Count(Reused), s.Published)
	}
}

// What was lost of an earlier build is written again; what was cut short is named and left to a person.
func TestAnEarlierBuildIsWhole(t *testing.T) {
	dir, st := writeSample(t, three...), mem.New()
	first := mustBuild(t, dir, st, Options{})
	live, err := ReadLive(t.Context(), st)
	if err != nil {
		t.Fatal(err)
	}
	for _, lost := range live.Manifest.KGs[0].Forms.All() {
		if err := st.Delete(t.Context(), lost.Key); err != nil {
			t.Fatal(err)
		}
		s := mustBuild(t, dir, st, Options{})
		if s.Count(Built) != 1 || s.Count(Reused) != 2 || s.Generation != first.Generation {
			t.Errorf("%s: want one KG built again for the same generation, got %d built, generation %s", lost.Key, s.Count(Built), s.Generation)
		}
		intact(t, st)
	}

	cut := live.Manifest.KGs[1].Forms.KGS.Key
	b, err := read(t.Context(), st, cut)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := st.Put(t.Context(), cut, b[:len(b)-1], store.PutOptions{}); err != nil {
		t.Fatal(err)
	}
	s := mustBuild(t, dir, st, Options{})
	if r := s.Results[1]; r.Outcome != Failed || !strings.Contains(r.Err.Error(), cut) {
		t.Errorf("want the object that is cut short named, got %s: %v", r.Outcome, r.Err)
	}
}
