package national

import (
	"strings"
	"testing"

	"mappe/shared/cloud/store/mem"
)

// A KG that the tiles hold nothing of says so, and does not stop the others.
func TestAKGWithoutParcels(t *testing.T) {
	st := mem.New()
	source, err := OpenSource(t.Context(), SourceOptions{Dir: writeSample(t, three...), Reader: cutSource{}})
	if err != nil {
		t.Fatal(err)
	}
	task, err := source.Task(source.KGs[0], st)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := BuildKG(t.Context(), task); err == nil || !strings.Contains(err.Error(), "no parcel") {
		t.Errorf("want an error that no parcel was found, got %v", err)
	}
}
