package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const source = `package x

type T[V any] struct{ on bool }

func (t *T[V]) f(a, b int) bool {
	t.on = true
	if a <= b && !t.on || a+b == -1 {
		return a < b
	}
	a -= b
	return a < b
}
`

// Each operator has its changes; a mutant is named by what it changes and not by where that stands.
func TestMutantsOf(t *testing.T) {
	file := filepath.Join(t.TempDir(), "x.go")
	if err := os.WriteFile(file, []byte(source), 0o600); err != nil {
		t.Fatal(err)
	}
	found, err := mutantsOf("mappe/x", file)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, m := range found {
		got = append(got, m.key())
	}
	want := []string{
		"t.on = true\ttrue → false",
		"a <= b && !t.on || a+b == -1\t|| → &&",
		"a <= b && !t.on\t&& → ||",
		"a <= b\t<= → <",
		"a <= b\t<= → >",
		"!t.on\t! → nothing",
		"a+b == -1\t== → !=",
		"a + b\t+ → -",
		"-1\t- → nothing",
		"a < b\t< → <=",
		"a < b\t< → >=",
		"a -= b\t-= → +=",
		"a < b\t< → <= #2",
		"a < b\t< → >= #2",
	}
	for i, w := range want {
		want[i] = "x\tT.f\t" + w
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("want\n%s\ngot\n%s", strings.Join(want, "\n"), strings.Join(got, "\n"))
	}
}

// The compiler sees the change at its place and nowhere else; the source stays as it is.
func TestWrite(t *testing.T) {
	folder := t.TempDir()
	file := filepath.Join(folder, "x.go")
	if err := os.WriteFile(file, []byte(source), 0o600); err != nil {
		t.Fatal(err)
	}
	found, err := mutantsOf("mappe/x", file)
	if err != nil {
		t.Fatal(err)
	}
	second := found[12] // a < b of the last line
	work := t.TempDir()
	overlay, err := second.write(work)
	if err != nil {
		t.Fatal(err)
	}
	if raw, err := os.ReadFile(overlay); err != nil || !strings.Contains(string(raw), file) {
		t.Errorf("the overlay does not name %s: %s, %v", file, raw, err)
	}
	i := strings.LastIndex(source, "a < b")
	want := source[:i] + "a <= b" + source[i+len("a < b"):]
	if got, err := os.ReadFile(filepath.Join(work, "x.go")); err != nil || string(got) != want {
		t.Errorf("want\n%s\ngot\n%s, %v", want, got, err)
	}
	if got, err := os.ReadFile(file); err != nil || string(got) != source {
		t.Errorf("the source was written: %s, %v", got, err)
	}
	if err := os.WriteFile(file, []byte("package x\n"+source[len("package x\n")+1:]), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := second.write(work); err == nil {
		t.Error("a source that has changed since was mutated")
	}
}

// The list of mutants that make no difference is of this source: each names a mutant and says why.
func TestEquivalentMutantsExist(t *testing.T) {
	known, err := readEquivalent("equivalent.tsv")
	if err != nil {
		t.Fatal(err)
	}
	m, err := loadModule()
	if err != nil {
		t.Fatal(err)
	}
	var all []mutant
	for _, folder := range strings.Split(packages, ",") {
		found, err := m.mutants("mappe/" + folder)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, found...)
	}
	if len(all) < 1000 {
		t.Errorf("only %d mutants were found", len(all))
	}
	for _, key := range known.unused(all) {
		t.Errorf("there is no mutant %q any more", key)
	}
	if got := (equivalent{all[0].key() + " of old": "none"}).unused(all); len(got) != 1 {
		t.Errorf("want a mutant that is no more reported, got %q", got)
	}
}

func TestEquivalentRefused(t *testing.T) {
	for _, text := range []string{"a\tb\tc\td\t\n", "a\tb\tc\td\n", "a\tb\tc\td\te\tf\n"} {
		file := filepath.Join(t.TempDir(), "e.tsv")
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := readEquivalent(file); err == nil {
			t.Errorf("%q was read", text)
		}
	}
}
