package national

import (
	"strings"
	"testing"

	"mappe/shared/cloud/store/mem"
)

// A source from before is known to the store, and is judged against what is served now all the same.
func TestAnEarlierBuildIsJudgedAgain(t *testing.T) {
	st := mem.New()
	few := writeSample(t, three[0], sampleKG{code: "99002", drop: 6}, three[2])
	mustBuild(t, few, st, Options{})
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
