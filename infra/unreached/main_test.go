package main

import (
	"strings"
	"testing"
)

const answer = `[{"Name":"a","Path":"mappe/shared/a","Funcs":[{"Name":"T.M","Position":{"File":"shared/a/a.go","Line":7}},
{"Name":"G","Position":{"File":"shared/a/a.go","Line":9}}]},{"Path":"mappe/atest","Funcs":[{"Name":"X"},{"Name":"Y"}]}]`

// What is not named is told with its place, and so is what is named and not found.
func TestJudge(t *testing.T) {
	found, err := read([]byte(answer))
	if err != nil || len(found) != 4 {
		t.Fatalf("%v %v", found, err)
	}
	for _, c := range []struct {
		list string
		want []string
	}{
		{"shared/a\tT.M\twhy\nshared/a\tG\twhy\n# a heading\n\natest\t*\twhy\n", nil},
		{"shared/a\tT.M\twhy\natest\t*\twhy\n", []string{"shared/a/a.go:9: no program reaches shared/a G"}},
		{"shared/a\t*\twhy\natest\tX\twhy\natest\tY\twhy\natest\tZ\twhy\nbtest\t*\twhy\n", []string{"atest Z", "btest *"}},
		{"shared/a\t*\twhy\nshared/a\tG\twhy\natest\t*\twhy\n", nil},
	} {
		a, err := parse(c.list)
		if err != nil {
			t.Fatal(err)
		}
		got := a.judge(found)
		if len(got) != len(c.want) {
			t.Errorf("%q: %q, want %q", c.list, got, c.want)
			continue
		}
		for i, want := range c.want {
			if !strings.Contains(got[i], want) {
				t.Errorf("%q: %q, want %q", c.list, got[i], want)
			}
		}
	}
}

func TestParse(t *testing.T) {
	for _, bad := range []string{"a\tb\n", "a\t\twhy", "a\tb\twhy\na\tb\twhy\n", "a b why"} {
		if _, err := parse(bad); err == nil {
			t.Errorf("%q is read", bad)
		}
	}
	if _, err := parse(list); err != nil {
		t.Error(err)
	}
	if _, err := read([]byte("{")); err == nil {
		t.Error("half an answer is read")
	}
}
