package national

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Each unusable source.json is refused with its file and the member that is wrong.
func TestSettingsRefused(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"no attribution":    {`{"stichtag":"2026-10-01"}`, "attribution is missing"},
		"blank attribution": {`{"stichtag":"2026-10-01","attribution":" "}`, "attribution is missing"},
		"no date":           {`{"stichtag":"2026-13-01","attribution":"x"}`, "stichtag"},
		"zoom":              {`{"stichtag":"2026-10-01","attribution":"x","parcel_zoom":99}`, "parcel_zoom 99"},
		"not JSON":          {`not`, "invalid character"},
		"without":           {`{"stichtag":"2026-10-01","attribution":"x","without_parcels":["9"]}`, "without_parcels"},
		"on demand":         {`{"stichtag":"2026-10-01","attribution":"x","on_demand":["99001","x"]}`, "on_demand"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			if err := os.WriteFile(filepath.Join(dir, "source.json"), []byte(c.text), 0o644); err != nil {
				t.Fatal(err)
			}
			if _, err := readSettings(dir, handed{}); err == nil || !strings.Contains(err.Error(), c.want) ||
				!strings.Contains(err.Error(), "source.json") {
				t.Errorf("want an error that names source.json and %q, got %v", c.want, err)
			}
		})
	}
}

// A source with thousands of faults says some and counts the others.
func TestWarningsAreBounded(t *testing.T) {
	var s Source
	for range maxWarnings + 50 {
		s.warn("a fault")
	}
	if n := len(s.Warnings); n != maxWarnings+1 || s.Warnings[n-1] != "and 50 more warnings" {
		t.Errorf("got %d warnings, the last %q", n, s.Warnings[n-1])
	}
}
