package ne

import (
	"bytes"
	"maps"
	"math"
	"testing"

	"mappe/artefacts/kgfile"
	"mappe/artefacts/manifest"
	"mappe/artefacts/ne"
	"mappe/artefacts/pmt"
	"mappe/artefacts/register"
	"mappe/shared/cloud/store"
	"mappe/shared/cloud/store/mem"
	"mappe/shared/geo/hexgrid"
	"mappe/shared/geo/mvt"
)

// drawnAt are the features of a layer of the published tiles by zoom and a text that names them: their numbers by name.
func (p *publishes) drawnAt(layer, id string) map[uint8]map[string]map[string]float64 {
	p.t.Helper()
	b, _, err := store.ReadAll(p.t.Context(), p.st, p.live[ne.BaseArtefact].Key, 1<<26, store.GetOptions{})
	if err != nil {
		p.t.Fatal(err)
	}
	a, err := pmt.Open(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		p.t.Fatal(err)
	}
	out := map[uint8]map[string]map[string]float64{}
	for e, c := range a.All() {
		at, _ := pmt.Address(e.ID)
		tile, err := mvt.Decode(c.Bytes, mvt.Limits{})
		if err != nil || c.Err != nil {
			p.t.Fatal(err, c.Err)
		}
		l := tile.Layer(layer)
		if l == nil {
			continue
		}
		if out[at.Z] == nil {
			out[at.Z] = map[string]map[string]float64{}
		}
		for i := range l.Features {
			numbers := map[string]float64{}
			for k, key := range l.Keys {
				if v, ok := l.Value(&l.Features[i], k); ok && v.Kind != mvt.KindString {
					numbers[key], _ = v.Float64()
				}
			}
			if v, ok := l.Value(&l.Features[i], l.Key(id)); ok {
				out[at.Z][v.Text()] = numbers
			}
		}
	}
	return out
}

// The tiles of small zooms have, at each of them, all the ground that changed, and the KGs whose cells are not built.
func TestTilesOfWhatChanged(t *testing.T) {
	first, second := small(), small()
	for i := range second.LandUse {
		if i%3 == 0 && second.LandUse[i].NS == 48 {
			second.LandUse[i].NS = 83
		}
	}
	beside := small()
	beside.KG.Code, beside.KG.Name = "99109", "Anderswo"
	p := &publishes{t: t, st: mem.New(), live: manifest.Artefacts{}, cold: []register.KG{{KG: beside.KG, Outline: beside.Outline}}}
	pass := func(date string, s *kgfile.Snapshot) {
		t.Helper()
		if _, err := p.pass(date, s); err != nil {
			t.Fatal(err)
		}
	}
	pass("2024-10-01", first)
	for zoom, cells := range p.drawnAt("cells", "cell") {
		for cell, numbers := range cells {
			if numbers["candidate_m2"]+numbers["confirmed_m2"]+numbers["area_m2"] != 0 {
				t.Errorf("zoom %d: cell %s changed in the first pass: %v", zoom, cell, numbers)
			}
		}
	}
	for _, status := range []string{"candidate", "confirmed"} {
		pass("2025-10-01", second)
		whole := p.sums()[ne.Nation]
		by := map[string]map[string]float64{"candidate": whole.Candidate.Transitions, "confirmed": whole.Confirmed.Transitions}[status]
		want := 0.0
		for _, m2 := range by {
			want += m2
		}
		if want < 1000 {
			t.Fatalf("%s: %.1f m²", status, want)
		}
		drawn := p.drawnAt("cells", "cell")
		for zoom := uint8(8); zoom <= 14; zoom++ {
			got, other := 0.0, 0.0
			for cell, numbers := range drawn[zoom] {
				changed := numbers["candidate_m2"] + numbers["confirmed_m2"]
				got, other = got+numbers[status+"_m2"], other+changed-numbers[status+"_m2"]
				if (changed > 0) != (numbers["area_m2"] > 0) || changed > numbers["area_m2"] {
					t.Errorf("zoom %d: cell %s: %v", zoom, cell, numbers)
				}
				var c hexgrid.Cell
				if err := c.UnmarshalText([]byte(cell)); err != nil {
					t.Fatal(err)
				}
				if area := math.Round(ne.CellArea(c)); changed > 0 && numbers["area_m2"] != area {
					t.Errorf("zoom %d: cell %s has %.0f m², want %.0f", zoom, cell, numbers["area_m2"], area)
				}
			}
			if math.Abs(got-want) > 0.5*float64(len(drawn[zoom])) || other != 0 {
				t.Errorf("%s, zoom %d, %d cells: %.0f m², want %.1f; %.0f of the other", status, zoom, len(drawn[zoom]), got, want, other)
			}
		}
	}
	for zoom, kgs := range p.drawnAt("unbuilt", "kg_code") {
		if _, ok := kgs["99109"]; !ok || len(kgs) != 1 {
			t.Errorf("zoom %d: not built are %v", zoom, kgs)
		}
	}
	if n := len(p.drawnAt("unbuilt", "kg_code")); n != 7 {
		t.Errorf("what is not built is drawn at %d zooms, want 8 to 14", n)
	}
}

// A cell says in the tiles its shares in 255ths and its changed ground in m², each rounded; what is 0 then is left out.
func TestAttributesOfCells(t *testing.T) {
	cell, err := hexgrid.LatLngToCell(hexgrid.LatLng{Lat: 47.3, Lng: 13.2}, coarseRes)
	if err != nil {
		t.Fatal(err)
	}
	area := ne.CellArea(cell)
	c := ne.Coarse{Cell: cell, Cov: area / 2, Land: area * 1.01, Str: area * 0.4 / 255}
	c.Use[0], c.Use[3] = area*0.6/255, area*99.4/255
	shares := map[string]float64{"res": coarseRes, "cov": 128, "land": 255, ne.Uses[0]: 1, ne.Uses[3]: 99}
	for name, w := range map[string]struct {
		changed ne.Ground
		more    map[string]float64
	}{
		"unchanged":   {ne.Ground{}, nil},
		"confirmed":   {ne.Ground{Confirmed: 15}, map[string]float64{"confirmed_m2": 2, "area_m2": math.Round(area)}},
		"a candidate": {ne.Ground{Candidate: 14}, map[string]float64{"candidate_m2": 1, "area_m2": math.Round(area)}},
		"as much of both": {ne.Ground{Confirmed: 70, Candidate: 70}, map[string]float64{"confirmed_m2": 7, "candidate_m2": 7,
			"area_m2": math.Round(area)}},
		"less than half a m²": {ne.Ground{Confirmed: 4}, map[string]float64{"area_m2": math.Round(area)}},
	} {
		want := maps.Clone(shares)
		maps.Copy(want, w.more)
		got := map[string]float64{}
		for _, a := range attrsOf(&c, w.changed, coarseRes) {
			if v, ok := a.Value.Float64(); ok {
				got[a.Key] = v
			} else if a.Key != "cell" || a.Value.Text() != cell.String() {
				t.Errorf("%s: %s is %q", name, a.Key, a.Value.Text())
			}
		}
		if !maps.Equal(got, want) {
			t.Errorf("%s: want %v, got %v", name, want, got)
		}
	}
}
