package versions

import (
	"fmt"
	"testing"

	"mappe/artefacts/library"
	"mappe/functions/fixture"
	"mappe/shared/austria"
)

// missing=true lists every KG that cannot be read with its reason, and has none loaded.
func TestTheListOfMissingKGs(t *testing.T) {
	s := fixture.Store(t)
	if err := s.Delete(t.Context(), fixture.View(t, s).Register().KG("88802").Snapshot.Key); err != nil {
		t.Fatal(err)
	}
	asked := 0
	for _, c := range []struct {
		o    library.Options
		want string
	}{
		{library.Options{}, "[88802 lost false] [88803 unbuilt false] "},
		{library.Options{Warmup: func(austria.KGCode) { asked++ }}, "[88802 evicted true] [88803 cold true] "},
	} {
		lib, err := library.Open(t.Context(), s, c.o)
		if err != nil {
			t.Fatal(err)
		}
		m := get(t, fixture.Handler(t, New(Deps{Library: lib})), "/api/v1/kg_versions?missing=true", 200)
		got := ""
		for _, k := range m["missing"].([]any) {
			k := k.(map[string]any)
			got += fmt.Sprint([]any{k["kg_code"], k["reason"], k["coming"]}) + " "
		}
		if got != c.want || m["total"] != 2.0 {
			t.Errorf("want %s, got %s", c.want, got)
		}
	}
	if asked > 0 {
		t.Errorf("a list had %d KGs loaded", asked)
	}
}
