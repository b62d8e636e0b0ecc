package cells

import (
	"encoding/json"
	"strings"
	"testing"

	"mappe/functions/fixture"
)

// The block of a point is what the cell says, without the KGs that it lies in.
func TestBlock(t *testing.T) {
	tr := truthOf(builtOnes())
	s := world(t, fixture.CellsOf{Changes: changesOf(tr)})
	v := fixture.View(t, s)
	at := fixture.At(2, 2)
	b, missing, err := Block(t.Context(), v, at)
	if err != nil || missing != "" || strings.Contains(string(b), "kgs") {
		t.Fatalf("%s %q %v", b, missing, err)
	}
	var block, cell map[string]any
	if err := json.Unmarshal(b, &block); err != nil {
		t.Fatal(err)
	}
	cell = ask[map[string]any](t, over(t, s), "/cell/"+block["cell"].(string))
	for _, name := range []string{"lu", "k", "obs", "chg"} {
		x, _ := json.Marshal(block[name])
		y, _ := json.Marshal(cell[name])
		if string(x) != string(y) {
			t.Errorf("%s: %s, the cell says %s", name, x, y)
		}
	}
	if _, missing, err := Block(t.Context(), v, fixture.At(4, -2.5)); err != nil || missing != blockUnbuilt {
		t.Errorf("in the unbuilt KG: %q %v", missing, err)
	}
	if _, missing, err := Block(t.Context(), v, fixture.At(300, 300)); err != nil || missing != blockNone {
		t.Errorf("nowhere: %q %v", missing, err)
	}
}
