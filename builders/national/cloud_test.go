package national

import (
	"testing"

	"mappe/builders/source/sourcetest"
)

// A function's process outlives a run: the next run reads the source as it is then.
func TestEveryCloudRunReadsTheSourceAnew(t *testing.T) {
	dir := sourcetest.Write(t, sourcetest.Three[:1]...)
	env := map[string]string{"MAPPE_STORE": "file://" + t.TempDir(), "MAPPE_RUNS": "file://" + t.TempDir(), "MAPPE_SOURCE": dir}
	c, err := OpenCloud(t.Context(), func(name string) string { return env[name] })
	if err != nil {
		t.Fatal(err)
	}
	list := func(run string) int {
		t.Helper()
		a, err := c.Do(t.Context(), CloudTask{Task: "list", Run: run})
		if err != nil {
			t.Fatal(err)
		}
		return a.KGs
	}
	if n := list("r1"); n != 1 {
		t.Fatalf("want 1 KG, got %d", n)
	}
	env["MAPPE_SOURCE"] = sourcetest.Write(t, sourcetest.Three...)
	if n := list("r1"); n != 1 {
		t.Errorf("the same run sees another source: %d KGs", n)
	}
	if n := list("r2"); n != 3 {
		t.Errorf("the next run: want 3 KGs, got %d", n)
	}
}
