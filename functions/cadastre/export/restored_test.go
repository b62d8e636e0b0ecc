package export

import (
	"strings"
	"testing"
	"time"
)

// The file of an export is deleted: its job says so, and does not send to where nothing is; asked for again the export is written again.
func TestDrillTheFileOfAnExportIsLost(t *testing.T) {
	r := many(t, 51)
	id := r.ordered(t, "gpkg?state=3")
	s := r.finish(t, id)
	was := r.file(t, s)
	if err := r.store.Delete(t.Context(), strings.TrimPrefix(*s.FileURL, "/artefacts/")); err != nil {
		t.Fatal(err)
	}
	r.now.Add(int64(2 * time.Minute)) // what was seen is taken to be there for a minute
	for _, target := range []string{"jobs/" + id, "jobs/" + id + "?redirect=false"} {
		w := get(r, target)
		if w.Code != 200 || !strings.Contains(w.Body.String(), "ask for the export again") || w.Header().Get("Location") != "" {
			t.Errorf("%s: %d %s", target, w.Code, w.Body)
		}
	}
	again := r.ordered(t, "gpkg?state=3")
	if again == id {
		t.Errorf("the job is the one that was done")
	}
	if got := r.file(t, r.finish(t, again)); len(got) != len(was) {
		t.Errorf("%d bytes, the first file had %d", len(got), len(was))
	}
}
