package demo

import (
	"os"
	"testing"

	"mappe/artefacts/toponyms"
	tables "mappe/builders/source/table"
	reader "mappe/builders/source/toponyms"
)

// The names are read without a problem: all seven layers, two languages, a peak with its height.
func TestToponymsAreRead(t *testing.T) {
	var p tables.Problems
	list, err := reader.Read(os.DirFS(sourceDir(t)), &p)
	if err != nil || p.Total > 0 {
		t.Fatal(err, p.First)
	}
	layers, slovene, high, variants := map[toponyms.Layer]int{}, 0, 0, 0
	for _, n := range list {
		layers[n.Layer]++
		slovene += len(n.Others)
		if n.Code == 7302 && n.Elevation > 1700 {
			high++
		}
		if n.Variant != "" {
			variants++
		}
	}
	for _, l := range toponyms.AllLayers() {
		if layers[l] == 0 {
			t.Errorf("no name of the layer %s", l)
		}
	}
	if slovene < 4 || high < 3 || variants < 2 || layers[toponyms.Ried] != len(fieldNames) {
		t.Errorf("%d names in another language, %d summits, %d variants, %v", slovene, high, variants, layers)
	}
}
