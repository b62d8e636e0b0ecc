package build

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"

	"mappe/artefacts/kgdocs"
	"mappe/builders/kgbuild"
	"mappe/builders/national"
	"mappe/builders/source/tiles"
)

// A build that is served with doubts says so where a person looks last.
func TestSummaryNamesWarnings(t *testing.T) {
	r := kgbuild.Result{Code: "09902", Name: "Brennzach", Outcome: kgbuild.Built}
	r.Quality.Reasons = []kgdocs.Reason{{Code: "missing_tile", Verdict: kgdocs.Warn, Message: "16 parcels are cut"}}
	var b bytes.Buffer
	printSummary(&b, national.Summary{Results: []kgbuild.Result{r}})
	if want := "warning: 09902 Brennzach: 16 parcels are cut"; !strings.Contains(b.String(), want) {
		t.Errorf("want %q in\n%s", want, b.String())
	}
}

// A build that is held back for missing tiles names the flag.
func TestSummaryNamesTheFlagForGaps(t *testing.T) {
	for name, r := range map[string]kgbuild.Result{
		"a missing tile":    {Outcome: kgbuild.Refused, Quality: kgdocs.Quality{Reasons: []kgdocs.Reason{{Code: "missing_tile", Verdict: kgdocs.Refuse}}}},
		"a failed download": {Outcome: kgbuild.Failed, Err: fmt.Errorf("KG 09902: %w", tiles.ErrBroken)},
		"lost parcels":      {Outcome: kgbuild.Refused, Quality: kgdocs.Quality{Reasons: []kgdocs.Reason{{Code: "parcels_lost", Verdict: kgdocs.Refuse}}}},
	} {
		var b bytes.Buffer
		printSummary(&b, national.Summary{Results: []kgbuild.Result{r}})
		if got, want := strings.Contains(b.String(), "--accept-gaps"), name != "lost parcels"; got != want {
			t.Errorf("%s: want the flag named %v, got\n%s", name, want, b.String())
		}
	}
}

func TestJobsOutOfRange(t *testing.T) {
	for _, jobs := range []string{"0", "-1"} {
		c := buildCommand()
		c.SetArgs([]string{"--source", t.TempDir(), "--data", t.TempDir(), "--jobs", jobs})
		c.SetOut(io.Discard)
		c.SetErr(io.Discard)
		if err := c.Execute(); err == nil || !strings.Contains(err.Error(), "--jobs is "+jobs) {
			t.Errorf("--jobs %s: want it named with its bound, got %v", jobs, err)
		}
	}
}
