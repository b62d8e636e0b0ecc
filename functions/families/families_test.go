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
