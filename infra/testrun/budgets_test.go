package main

import (
	"strings"
	"testing"
	"time"
)

const file = "# a remark\n\n*\t10\nbuilders/kg\t2.5\n"

func TestBudgets(t *testing.T) {
	b, err := parseBudgets("b.tsv", strings.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name    string
		took    map[string]time.Duration
		slow    float64
		printed string
		failed  bool
	}{
		{"within", map[string]time.Duration{"mappe/builders/kg": 2 * time.Second, "mappe/shared/web": 9 * time.Second}, 1, "", false},
		{"a listed one", map[string]time.Duration{"mappe/builders/kg": 4 * time.Second}, 1,
			"over budget: builders/kg took 4.0 s, its budget is 2.5 s\n", true},
		{"one of the others", map[string]time.Duration{"mappe/shared/web": 16 * time.Second}, 1,
			"over budget: shared/web took 16.0 s, its budget is 10.0 s\n", true},
		{"within the tolerance", map[string]time.Duration{"mappe/shared/web": 14 * time.Second}, 1,
			"over budget: shared/web took 14.0 s, its budget is 10.0 s\n", false},
		{"on a machine half as fast", map[string]time.Duration{"mappe/builders/kg": 4 * time.Second}, 2, "", false},
	} {
		var got strings.Builder
		err := b.check(&got, c.took, c.slow)
		if (err != nil) != c.failed || !strings.HasSuffix(got.String(), "slowness\n"+c.printed) {
			t.Errorf("%s: want %q, got %q, %v", c.name, c.printed, got.String(), err)
		}
	}
}

func TestBudgetsRefused(t *testing.T) {
	for _, text := range []string{"builders/kg\t3\n", "*\t0\n", "*\tNaN\n", "*\tten\n", "*\t1\n*\t2\n", "*\t1\n\t2\n", "* 20\n"} {
		if _, err := parseBudgets("b.tsv", strings.NewReader(text)); err == nil {
			t.Errorf("%q was read", text)
		}
	}
}

// A machine is never taken for a faster one than the reference: the budgets are not made smaller.
func TestSlowness(t *testing.T) {
	if s := slowness(); s < 1 || s > 1000 {
		t.Errorf("got %g", s)
	}
}

// The packages with the largest budgets begin first.
func TestLongestFirst(t *testing.T) {
	b := budgets{seconds: map[string]float64{"*": 45, "localdev/e2e": 900, "shared/geo": 10}}
	list := []string{"mappe/artefacts/ne", "mappe/shared/geo", "mappe/localdev/e2e", "mappe/artefacts/cog"}
	b.longestFirst(list)
	if got := strings.Join(list, " "); got != "mappe/localdev/e2e mappe/artefacts/cog mappe/artefacts/ne mappe/shared/geo" {
		t.Errorf("%s", got)
	}
}

// What takes longest is tested beside all others, with the settings of the part that it is taken out of.
func TestApart(t *testing.T) {
	b := budgets{seconds: map[string]float64{"*": 45, "localdev/e2e": 900, "shared/geo": 10}}
	p := part{what: "plain", env: []string{"CGO_ENABLED=0"}, packages: []string{"mappe/shared/geo", "mappe/localdev/e2e",
		"mappe/artefacts/cog"}}
	beside, rest := b.apart(p)
	if strings.Join(beside.packages, " ") != "mappe/localdev/e2e" || strings.Join(beside.env, " ") != "CGO_ENABLED=0" {
		t.Errorf("beside: %+v", beside)
	}
	if strings.Join(rest.packages, " ") != "mappe/shared/geo mappe/artefacts/cog" || len(p.packages) != 3 {
		t.Errorf("the rest: %+v of %+v", rest, p)
	}
}

// Garbage is collected more rarely, unless the user has said how often.
func TestCollectRarely(t *testing.T) {
	for set, want := range map[string]string{"": "GOGC=200", "50": "", "off": ""} {
		t.Setenv("GOGC", set)
		if got := strings.Join(collectRarely(), " "); got != want {
			t.Errorf("GOGC=%s: want %q, got %q", set, want, got)
		}
	}
}
