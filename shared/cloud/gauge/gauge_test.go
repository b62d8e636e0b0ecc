package gauge

import (
	"bytes"
	"math"
	"testing"
	"time"
)

// The line is that of the specification: milliseconds, the dimension beside the values, a metric for each.
func TestTell(t *testing.T) {
	var b bytes.Buffer
	at := time.Date(2026, 11, 1, 0, 0, 0, 5e6, time.UTC)
	if err := Tell(&b, "mine", at, map[string]Figure{"B": {2, "Count"}, "A": {1.5, "Seconds"}}); err != nil {
		t.Fatal(err)
	}
	const want = `{"A":1.5,"B":2,"Stack":"mine","_aws":{"CloudWatchMetrics":[{"Namespace":"Mappe","Dimensions":[["Stack"]],"Metrics":[{"Name":"A","Unit":"Seconds"},{"Name":"B","Unit":"Count"}]}],"Timestamp":1793491200005}}` + "\n"
	if b.String() != want {
		t.Errorf("want %s, got %s", want, b.String())
	}
	for _, figures := range []map[string]Figure{nil, {"Stack": {}}, {"_aws": {}}, {"A": {math.NaN(), "None"}}} {
		if err := Tell(&b, "mine", at, figures); err == nil {
			t.Errorf("%v is told", figures)
		}
	}
}
