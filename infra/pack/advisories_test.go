package pack

import (
	"cmp"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

// advisory is a file of the database.
func advisory(id, module, events string, more ...string) *fstest.MapFile {
	return &fstest.MapFile{Data: []byte(`{"id":"` + id + `","summary":"made up"` + strings.Join(more, "") + `,"affected":[{"package":{"name":"` +
		module + `","ecosystem":"Go"},"ranges":[{"type":"SEMVER","events":[` + events + `]}]}]}`)}
}

// Of a database the advisories are named whose module is linked at a version that is affected, and no others.
func TestAdvisories(t *testing.T) {
	db := fstest.MapFS{
		"ID/GO-1.json": advisory("GO-1", "example.org/linked", `{"introduced":"0"},{"fixed":"1.2.4"}`),
		"ID/GO-2.json": advisory("GO-2", "example.org/other", `{"introduced":"0"}`),
		"ID/GO-3.json": advisory("GO-3", "example.org/linked", `{"introduced":"0"},{"fixed":"1.2.3"}`),
		"ID/GO-4.json": advisory("GO-4", "example.org/linked", `{"introduced":"0"},{"fixed":"1.0.0"},{"introduced":"1.2.0"}`),
		"ID/GO-5.json": advisory("GO-5", "example.org/linked", `{"introduced":"0"}`, `,"withdrawn":"2026-01-01T00:00:00Z"`),
		"ID/GO-6.json": advisory("GO-6", "stdlib", `{"introduced":"1.26.0-0"},{"fixed":"1.26.2"}`),
		"ID/GO-7.json": advisory("GO-7", "example.org/replaced", `{"introduced":"0"}`),
		"ID/GO-8.json": advisory("GO-8", "example.org/fork", `{"introduced":"0"},{"fixed":"0.0.0-20260101000000-000000000000"}`),
		"ID/GO-9.json": advisory("GO-9", "example.org/linked", `{"introduced":"1.3.0"}`),
	}
	info := &debug.BuildInfo{GoVersion: "go1.26.1 X:nothing", Deps: []*debug.Module{{Path: "example.org/linked", Version: "v1.2.3"},
		{Path: "example.org/replaced", Version: "v1.0.0", Replace: &debug.Module{Path: "example.org/fork",
			Version: "v0.0.0-20251231000000-abcdefabcdef"}}}}
	found, err := Advisories(db, info)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, a := range found {
		got = append(got, a.ID+" "+a.Module+"@"+a.Version+" "+a.Fixed)
	}
	want := []string{"GO-1 example.org/linked@v1.2.3 v1.2.4", "GO-4 example.org/linked@v1.2.3 ", "GO-6 stdlib@v1.26.1 v1.26.2",
		"GO-8 example.org/fork@v0.0.0-20251231000000-abcdefabcdef v0.0.0-20260101000000-000000000000"}
	if !slices.Equal(got, want) {
		t.Errorf("want %q, got %q", want, got)
	}
	for name, db := range map[string]fstest.MapFS{"an empty folder": {}, "another file": {"ID/GO-1.json": {Data: []byte("[")}},
		"another's id": {"ID/GO-1.json": advisory("GO-2", "m", "")}} {
		if found, err := Advisories(db, info); err == nil {
			t.Errorf("%s passes for a database: %v", name, found)
		}
	}
}

// Versions are ordered as semver.org has it.
func TestVersionsAreOrdered(t *testing.T) {
	order := []string{"v0.0.0-20250101000000-a", "0.9.9", "1.0.0-alpha", "1.0.0-alpha.1", "1.0.0-alpha.beta", "1.0.0-beta.2", "1.0.0-beta.11",
		"1.0.0-rc.1", "v1.0.0", "1.0.1+incompatible", "1.9.0", "1.10.0", "1.26rc1", "1.26"}
	for i, a := range order {
		for j, b := range order {
			if got, want := compare(a, b), cmp.Compare(i, j); got != want {
				t.Errorf("%s beside %s: %d, want %d", a, b, got, want)
			}
		}
	}
}
