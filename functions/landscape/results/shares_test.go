package results

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"mappe/functions/fixture"
)

// A share that an operator named is listed and stays; its old name leads to it.
func TestRenamedShares(t *testing.T) {
	r := open(t)
	id := r.ask(t, "", `{"n":3}`)
	r.finish(t, id)
	before := fixture.Ask(r, "GET", "/api/v1/share/auto-"+id, "").Body.String()
	s := r.desk.Shares()
	for range 2 {
		if h, err := s.Rename(t.Context(), "auto-"+id, "hillside_1"); err != nil || h.Name != "hillside_1" || !h.Expires.IsZero() {
			t.Fatalf("%+v %v", h, err)
		}
	}
	for _, bad := range [][2]string{{"auto-" + id, "other"}, {"hillside_1", "auto-x"}, {"hillside_1", "a b"}, {"nothing", "other"},
		{"hillside_1", ""}} {
		if _, err := s.Rename(t.Context(), bad[0], bad[1]); err == nil {
			t.Errorf("%v is renamed", bad)
		}
	}
	r.now.Add(int64(30 * 24 * time.Hour))
	if _, err := s.Rename(t.Context(), "hillside_1", "hillside_2"); err != nil {
		t.Fatal(err)
	}
	for path, to := range map[string]string{"auto-" + id: "hillside_1", "hillside_1": "hillside_2",
		"hillside_1/download.gpkg?types=oak": "hillside_2/download.gpkg?types=oak"} {
		if w := fixture.Ask(r, "GET", "/api/v1/share/"+path, ""); w.Code != 308 || w.Header().Get("Location") != "/api/v1/share/"+to {
			t.Errorf("%s: %d to %s", path, w.Code, w.Header().Get("Location"))
		}
	}
	w := fixture.Ask(r, "GET", "/api/v1/share/hillside_2", "")
	cut := func(text string) string { _, after, _ := strings.Cut(text, `"kind":`); return after }
	if w.Code != 200 || cut(w.Body.String()) != cut(before) || !strings.Contains(w.Body.String(), `"expires_at":null`) {
		t.Errorf("%d %s\nbefore: %s", w.Code, w.Body, before)
	}
	var list struct{ Data []struct{ Name string } }
	if err := json.Unmarshal(fixture.Ask(r, "GET", "/api/v1/shares", "").Body.Bytes(), &list); err != nil || len(list.Data) != 1 ||
		list.Data[0].Name != "hillside_2" {
		t.Errorf("%+v %v", list, err)
	}
	if left := r.objects(t); len(left) != 1 || !strings.HasPrefix(left[0], "named/hillside_2-") {
		t.Errorf("objects %v", left)
	}
	other := r.ask(t, "", `{"n":4}`)
	r.finish(t, other)
	if _, err := s.Rename(t.Context(), "auto-"+other, "hillside_2"); err == nil {
		t.Error("a name that is another's is taken")
	}
}

// A task whose share was renamed keeps its result.
func TestResultOfARenamedShare(t *testing.T) {
	r := open(t)
	id := r.ask(t, "&listed=true", `{"n":3}`)
	r.ask(t, "&listed=true&task_id="+uuid, `{"n":3}`)
	r.finish(t, id)
	name, err := r.desk.ShareName(t.Context(), "auto-"+uuid)
	if err != nil || name != "auto-"+id {
		t.Fatalf("%s is kept as %s, %v", uuid, name, err)
	}
	if _, err := r.desk.Shares().Rename(t.Context(), name, "kept"); err != nil {
		t.Fatal(err)
	}
	for _, old := range []string{"auto-" + id, "auto-" + uuid} {
		if w := fixture.Ask(r, "GET", "/api/v1/share/"+old, ""); w.Code != 308 || w.Header().Get("Location") != "/api/v1/share/kept" {
			t.Errorf("%s: %d to %s", old, w.Code, w.Header().Get("Location"))
		}
	}
	if w := fixture.Ask(r, "GET", "/api/v1/segment/result?task_id="+id, ""); w.Code != 200 || sumOf(t, w.Body.Bytes()) != 6 {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	if again := r.ask(t, "&listed=true", `{"n":3}`); again != id {
		t.Error("a question whose result has a name is computed again")
	}
	var list struct {
		Data []struct{ Name string }
		Meta struct{ Total int }
	}
	if err := json.Unmarshal(fixture.Ask(r, "GET", "/api/v1/shares?limit=1", "").Body.Bytes(), &list); err != nil ||
		list.Meta.Total != 1 || list.Data[0].Name != "kept" {
		t.Errorf("%+v %v", list, err)
	}
}
