package build

import (
	"strings"
	"testing"
)

// A phase of the country that takes long says twenty times how far it is, a short one nothing.
func TestStepsOfAPhase(t *testing.T) {
	for all, want := range map[int]int{7850: 20, 300: 20, 12: 0} {
		var out strings.Builder
		o := &lineObserver{out: &out}
		o.Phase("cells")
		for i := range all {
			o.Step(i+1, all)
		}
		lines := strings.Split(strings.TrimSpace(out.String()), "\n")[1:]
		if len(lines) != want {
			t.Errorf("%d KGs: expected %d lines, got %d: %.200s", all, want, len(lines), out.String())
		}
		if want > 0 && (!strings.HasPrefix(lines[0], "national: cells, ") || !strings.Contains(lines[len(lines)-1], " of ")) {
			t.Errorf("%q to %q", lines[0], lines[len(lines)-1])
		}
	}
}
