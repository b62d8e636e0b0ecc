package main

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"mappe/infra/golist"
)

const source = `package x

import (
	"os"
	"testing"

	"mappe/infra/oracles"
	"pgregory.net/rapid"
)

func FuzzDecode(f *testing.F) {}

func TestPlain(t *testing.T) {}

func TestSearched(t *testing.T) { for range rounds(t) {} }

func rounds(t *testing.T) func(func(uint64) bool) { return oracles.Rounds(t, 3) }

func TestDrawn(t *testing.T) { oracles.QGIS(t, nil) }

func TestByItself(t *testing.T) { _ = os.Getenv("MAPPE_SOAK") }

func TestKilled(t *testing.T) { child(t) }

func child(t *testing.T) { p, _ := os.FindProcess(1); p.Kill() }

func TestManyAtOnce(t *testing.T) {}

func TestInverse(t *testing.T) { rapid.Check(t, nil) }

func TestMain(m *testing.M) { os.Getenv("MAPPE_SOAK") }
`

// What is soaked follows from the tests: by their names and by what they and their helpers name.
func TestFind(t *testing.T) {
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "x_test.go"), []byte(source), 0o600); err != nil {
		t.Fatal(err)
	}
	rows, err := find(golist.Package{ImportPath: "mappe/x", Dir: folder, TestGoFiles: []string{"x_test.go"}})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, r := range rows {
		got = append(got, string(r.kind)+" "+r.name())
	}
	want := []string{
		"fuzz x FuzzDecode", "search x TestByItself", "search x TestDrawn", "property x TestInverse", "kill x TestKilled",
		"load x TestManyAtOnce", "search x TestSearched",
	}
	if !slices.Equal(got, want) {
		t.Errorf("want\n%q, got\n%q", want, got)
	}
}
