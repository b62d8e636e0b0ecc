package view

import (
	"testing"

	"mappe/artefacts/kgfile"
	"mappe/artefacts/kgfile/kgtest"
)

// Each source that was read is named once, in the order of the texts; a snapshot that names none adds none.
func TestSourcesOfThePastAreNamedOnce(t *testing.T) {
	var p past
	if got := p.attribution(); got != "" {
		t.Errorf("nothing was read: want no attribution, got %q", got)
	}
	for _, source := range []string{"", "© BEV, 2026", "© BEV, 2025", "© BEV, 2026", ""} {
		s := kgtest.Snapshot(kgtest.Options{Code: "01004", Parcels: 8, Segments: 1, AreaKm2: 0.1, Seed: 1})
		s.Build.Source = source
		raw, err := kgfile.Encode(s)
		if err != nil {
			t.Fatal(err)
		}
		f, err := kgfile.Open(raw)
		if err != nil {
			t.Fatal(err)
		}
		p.read(f)
	}
	if got, want := p.attribution(), "© BEV, 2025; © BEV, 2026, modified"; got != want {
		t.Errorf("want %q, got %q", want, got)
	}
}
