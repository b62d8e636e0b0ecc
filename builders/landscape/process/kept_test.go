package process

import (
	"reflect"
	"testing"

	"mappe/shared/cloud/store/mem"
	"mappe/shared/landscape/change"
)

// Whatever a square has found can be kept: also what is known of none of its figures.
func TestSquaresAreKeptAsTheyAre(t *testing.T) {
	k := kept{mem.New(), "work/landscape/99001/f/"}
	p := part{E: 4565, N: 2695, Cells: 7, Objects: make([]object, 2), Trees: make([]tree, 2), Parcels: make([]parcelPart, 2),
		Buildings: make([]building, 2),
		Events:    make([]event, 2), Samples: make([]sample, 2), Vertices: make([]vertex, 2)}
	p.Events[1].Event = change.Event{Area: 12, Evidence: []string{"roughness"}}
	if err := k.write(t.Context(), &p, few); err != nil {
		t.Fatal(err)
	}
	got, err := k.read(t.Context(), [2]int{p.E, p.N})
	if err != nil || got == nil {
		t.Fatalf("%v, %v", got, err)
	}
	if !reflect.DeepEqual(got.Events, p.Events) || len(got.Objects) != 2 || len(got.Vertices) != 2 || got.Cells != 7 {
		t.Errorf("kept %+v, read %+v", p, *got)
	}
}
