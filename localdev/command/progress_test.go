package command

import (
	"bytes"
	"io"
	"strings"
	"testing"

	"mappe/artefacts/kgdocs"
	"mappe/builders/national"
)

// A build that is served with doubts says so where a person looks last.
func TestSummaryNamesWarnings(t *testing.T) {
	r := national.Result{Code: "09902", Name: "Brennzach", Outcome: national.Built}
	r.Quality.Reasons = []kgdocs.Reason{{Code: "missing_tile", Verdict: kgdocs.Warn, Message: "16 parcels are cut"}}
	var b bytes.Buffer
	printSummary(&b, national.Summary{Results: []national.Result{r}})
	if want := "warning: 09902 Brennzach: 16 parcels are cut"; !strings.Contains(b.String(), want) {
		t.Errorf("want %q in\n%s", want, b.String())
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
