package national

import (
	"errors"
	"strings"
	"testing"

	"mappe/artefacts/library"
	"mappe/artefacts/rowschema"
)

// The generation before is served again, with its files below latest/, then the newer one; what is published next stands on what
// is served.
func TestRollback(t *testing.T) {
	_, st, of := history(t, 3, 2, 1)
	list, err := Generations(t.Context(), st)
	if err != nil || len(list) != 3 || list[0].ID != of[2] || !list[0].Served || list[1].ID != of[1] || !list[1].Former || list[2].Former ||
		list[1].KGs != 2 {
		t.Fatalf("%+v, %v", list, err)
	}
	for _, step := range []struct{ ask, want string }{{"", of[1]}, {"", of[2]}, {of[0], of[0]}, {of[0], of[0]}} {
		done, err := Rollback(t.Context(), st, step.ask, nil)
		if err != nil || done.Generation != step.want {
			t.Fatalf("%q: %+v, %v", step.ask, done, err)
		}
		report, err := Check(t.Context(), st, func(rowschema.Quality) {})
		if err != nil || len(report.Broken) > 0 || report.Generation != step.want || report.Latest != step.want {
			t.Errorf("%q: %+v, %v", step.ask, report, err)
		}
	}
	lib, err := library.Open(t.Context(), st, library.Options{})
	if err != nil {
		t.Fatal(err)
	}
	v, err := lib.View(t.Context())
	if err != nil || v.Generation() != of[0] {
		t.Errorf("served: %v, %v", v.Generation(), err)
	}
}

// A generation that is not whole, that never was, or that is not there is refused, and what is served stays.
func TestRollbackRefuses(t *testing.T) {
	_, st, of := history(t, 2, 1)
	if _, err := Rollback(t.Context(), st, "0123456789abcdef", nil); err == nil || !strings.Contains(err.Error(), "pruned") {
		t.Errorf("an unknown one: %v", err)
	}
	m, err := readManifest(t.Context(), st, of[0])
	if err != nil {
		t.Fatal(err)
	}
	live, err := readManifest(t.Context(), st, of[1])
	if err != nil {
		t.Fatal(err)
	}
	named := map[string]bool{}
	for _, o := range objectsOf(&live, nil) {
		named[o.Key] = true
	}
	for _, o := range objectsOf(&m, nil) {
		if !named[o.Key] {
			if err := st.Delete(t.Context(), o.Key); err != nil {
				t.Fatal(err)
			}
			break
		}
	}
	done, err := Rollback(t.Context(), st, of[0], nil)
	if !errors.Is(err, ErrIncomplete) || done.Generation != of[1] || done.Changed {
		t.Errorf("one that is not whole: %+v, %v", done, err)
	}
	if now, err := ReadLive(t.Context(), st); err != nil || now.Pointer.Generation != of[1] {
		t.Errorf("served: %s, %v", now.Pointer.Generation, err)
	}
	_, one, _ := history(t, 1)
	if _, err := Rollback(t.Context(), one, "", nil); err == nil || !strings.Contains(err.Error(), "before") {
		t.Errorf("the first one: %v", err)
	}
}
