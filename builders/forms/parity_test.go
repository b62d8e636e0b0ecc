package forms

import (
	"testing"

	"mappe/artefacts/kgfile"
	"mappe/artefacts/kgfile/kgtest"
)

func TestParityOfWhatWasWritten(t *testing.T) {
	for name, s := range map[string]*kgfile.Snapshot{"sample": sample(), "average KG": kgtest.Snapshot(kgtest.Small)} {
		f, err := Write(s, 2)
		if err != nil {
			t.Fatal(err)
		}
		if err := Parity(s, f); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
