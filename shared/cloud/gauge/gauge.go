// Package gauge tells figures of a function to CloudWatch by its log: a line in the embedded metric format, which the log service
// reads without a call of its own. It owns the line's form; what is told the callers know.
package gauge

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"time"
)

// Namespace is that of all figures, which the dashboard of template.yaml shows.
const Namespace = "Mappe"

// Figure is a value with its unit as CloudWatch names it: Count, Seconds, None.
type Figure struct {
	Value float64
	Unit  string
}

// maxFigures is how many figures a line of the format holds.
const maxFigures = 100

// Tell writes one line: figures by their names, of a stack, at an instant. A name is its own metric, by the dimension Stack.
func Tell(w io.Writer, stack string, at time.Time, figures map[string]Figure) error {
	if len(figures) == 0 || len(figures) > maxFigures || stack == "" {
		return fmt.Errorf("gauge: %d figures of the stack %q: want 1 to %d of a stack", len(figures), stack, maxFigures)
	}
	type metric struct{ Name, Unit string }
	type directive struct {
		Namespace  string
		Dimensions [][]string
		Metrics    []metric
	}
	line := map[string]any{"Stack": stack}
	var metrics []metric
	for _, name := range slices.Sorted(maps.Keys(figures)) {
		if _, taken := line[name]; taken || name == "_aws" {
			return fmt.Errorf("gauge: no figure may be called %s", name)
		}
		metrics = append(metrics, metric{name, figures[name].Unit})
		line[name] = figures[name].Value
	}
	line["_aws"] = map[string]any{"Timestamp": at.UnixMilli(),
		"CloudWatchMetrics": []directive{{Namespace, [][]string{{"Stack"}}, metrics}}}
	b, err := json.Marshal(line)
	if err != nil {
		return fmt.Errorf("gauge: %w", err) // a value that is no number
	}
	_, err = w.Write(append(b, '\n'))
	return err
}
