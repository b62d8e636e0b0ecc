package demo

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"mappe/artefacts/overlays"
	builder "mappe/builders/overlays"
	"mappe/builders/source/legal"
	"mappe/builders/source/outlines"
	"mappe/builders/source/registers"
	tables "mappe/builders/source/table"
	"mappe/shared/austria"
)

// What the builders read out of the sources is what the generator knows.
func TestOverlaysAreRead(t *testing.T) {
	dir := sourceDir(t)
	rows, _, err := registers.Read(os.DirFS(dir))
	if err != nil {
		t.Fatal(err)
	}
	_, drawn, _, err := outlines.Read(os.DirFS(dir))
	if err != nil {
		t.Fatal(err)
	}
	var kgs []legal.KG
	for _, k := range rows.KGs {
		kgs = append(kgs, legal.KG{Code: k.Code, Name: k.Name, GemeindeCode: k.GemeindeCode, GemeindeName: k.GemeindeName})
	}
	var p tables.Problems
	s, err := builder.Read(os.DirFS(dir), kgs, drawn, &p)
	if err != nil || p.Total > 0 {
		t.Fatal(err, p.First)
	}
	if len(s.Sites) != 3 || s.Sites[2].Type != overlays.Both || s.Sites[2].Features != 2 || len(s.Areas) != 3 ||
		len(s.Municipalities) != 3 || len(s.Laws) != 3 {
		t.Errorf("got %d sites, %d areas, %d municipalities, %d laws", len(s.Sites), len(s.Areas), len(s.Municipalities), len(s.Laws))
	}
	named := map[string][]string{}
	for _, k := range s.Refs {
		for _, r := range k.Refs {
			id := austria.ParcelID{KG: k.KG, GNR: r.GNR}.String()
			named[id] = append(named[id], s.Laws[r.Law].Number)
		}
	}
	f, err := os.Open(filepath.Join(dir, "truth", "overlays.ndjson"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	in := map[string]int{}
	for lines := bufio.NewScanner(f); lines.Scan(); {
		var want OverlayTruth
		if err := json.Unmarshal(lines.Bytes(), &want); err != nil {
			t.Fatal(err)
		}
		if got := named[want.Parcel]; !slices.Equal(got, want.Laws) {
			t.Errorf("%s: want the laws %v, got %v", want.Parcel, want.Laws, got)
		}
		delete(named, want.Parcel)
		for _, code := range want.Sites {
			in[code]++
		}
	}
	if len(named) > 0 {
		t.Errorf("parcels that no law names: %v", named)
	}
	for _, s := range s.Sites {
		if in[s.Code] < 3 {
			t.Errorf("want some parcels in %s %s, got %d", s.Code, s.Name, in[s.Code])
		}
	}
	t.Log(in)
}
