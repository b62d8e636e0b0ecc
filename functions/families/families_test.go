package families

import (
	"testing"

	"mappe/functions/family"
)

func TestTheFamiliesCanWork(t *testing.T) {
	all := All(Deps{})
	if err := family.Check(all); err != nil {
		t.Error(err)
	}
	for _, s := range all {
		if _, err := s.Handler(); err != nil {
			t.Error(err)
		}
	}
}

// Whoever answers from a generation tells of its objects that are lost or damaged, instead of a failure of the program.
func TestUnreadObjectsAreExplained(t *testing.T) {
	pinned := 0
	for _, s := range All(Deps{}) {
		for _, m := range s.Members {
			if m.Service.Pin == nil || s.Prefix == "/workfeed" { // which answers from its ledger
				continue
			}
			pinned++
			if m.Service.Explain == nil {
				t.Errorf("%s: %s pins a generation and explains no errors", s.Prefix, m.Service.Title)
			}
		}
	}
	if pinned == 0 {
		t.Error("no family pins a generation")
	}
}
