package toponyms

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"mappe/artefacts/internal/column/columntest"
	"mappe/artefacts/sectionfile"
	"mappe/shared/austria"
	"mappe/shared/geo/geom"
)

// made are n names of syllables, spread over some cells.
func made(n int) *Country {
	r := rand.New(rand.NewPCG(1, 2))
	syllables := []string{"ach", "alm", "berg", "dorf", "eck", "feld", "gra", "ho", "krum", "lehn", "moos", "nöd", "ried", "stein", "tal",
		"wies", "zell"}
	word := func() string {
		return strings.ToUpper(syllables[r.IntN(17)][:1]) + syllables[r.IntN(17)] + syllables[r.IntN(17)]
	}
	c := &Country{Stichtag: "2026-10-01", Attribution: "made up"}
	for i := range n {
		x := Name{ID: fmt.Sprintf("%08x", r.Uint32()), Layer: Layer(i % 7), Code: 7100 + 100*(i%7) + i%5,
			Feature: fmt.Sprint("feature ", i%5), Name: word(), Elevation: NoElevation,
			KG: austria.KGCode(fmt.Sprintf("%05d", 1000+i%90)), At: geom.Point{X: 139_000_000 + r.Int32N(4_000_000),
				Y: 474_000_000 + r.Int32N(3_000_000)}, Year: 2000 + i%25}
		switch i % 10 {
		case 1:
			x.Variant = word()
		case 2:
			x.Others = []Other{{"sl", word()}, {"hr", word() + " " + word()}}
		case 3:
			x.Elevation, x.KG = i-5, ""
		}
		c.Names = append(c.Names, x)
	}
	return c
}

func file(t testing.TB, c *Country) (*sectionfile.File, Head) {
	t.Helper()
	h, err := c.Head()
	if err != nil {
		t.Fatal(err)
	}
	head, err := h.Encode()
	if err != nil {
		t.Fatal(err)
	}
	all, err := sectionfile.EncodeFilled(Family, head, c.Fill)
	if err != nil {
		t.Fatal(err)
	}
	f, err := sectionfile.Open(bytes.NewReader(all), int64(len(all)))
	if err != nil {
		t.Fatal(err)
	}
	return f, h
}

func section(t testing.TB, f *sectionfile.File, name string) []byte {
	t.Helper()
	i, ok := f.Find(name)
	if !ok {
		t.Fatalf("no section %s", name)
	}
	b, err := f.Section(i)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// Every name is read as it was given: by its number, by its id, by its KG.
func TestRoundTrip(t *testing.T) {
	c := made(700)
	f, h := file(t, c)
	got, err := DecodeHead(f.Head())
	if err != nil || !reflect.DeepEqual(got, h) || got.Total != 700 {
		t.Fatalf("want %v, got %v, %v", h, got, err)
	}
	byKG := map[string]int{}
	for i := range c.Names {
		want := c.Names[i]
		p, ok := got.PartOf(i)
		if !ok {
			t.Fatalf("no part holds %d", i)
		}
		rows, cost, err := DecodeCell(p.Cell, section(t, f, p.Section()))
		if err != nil || len(rows) != p.N || cost <= 0 {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(rows[i-p.First], want) {
			t.Fatalf("want %+v, got %+v", want, rows[i-p.First])
		}
		refs, _, err := DecodeRefs(section(t, f, IDSection(want.ID)))
		if err != nil {
			t.Fatal(err)
		}
		found := false
		for _, r := range refs {
			found = found || r == Ref{want.ID, i}
		}
		if !found {
			t.Errorf("id %s is not found", want.ID)
		}
		byKG[string(want.KG)]++
	}
	refs, _, err := DecodeRefs(section(t, f, KGSection("01004")))
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, r := range refs {
		if r.Key == "01004" {
			if n++; c.Names[r.Number].KG != "01004" {
				t.Errorf("name %d is not in the KG", r.Number)
			}
		}
	}
	if n != byKG["01004"] || n == 0 {
		t.Errorf("want %d names of the KG, got %d", byKG["01004"], n)
	}
	if _, ok := got.PartOf(700); ok {
		t.Error("a part holds a number beyond the last")
	}
	counts, _, err := DecodeStats(section(t, f, StatsSection))
	sum := 0
	for _, x := range counts {
		sum += x.N
	}
	if err != nil || sum != 700 {
		t.Errorf("want 700 names counted, got %d, %v", sum, err)
	}
}

// score is the formula of pg_trgm by sets of texts.
func score(a, b string) float64 {
	set := func(s string) map[string]bool {
		m := map[string]bool{}
		for _, w := range strings.Fields(s) {
			w = "  " + w + " "
			for i := 0; i+3 <= len(w); i++ {
				m[w[i:i+3]] = true
			}
		}
		return m
	}
	x, y := set(a), set(b)
	shared := 0
	for t := range x {
		if y[t] {
			shared++
		}
	}
	return float64(shared) / float64(len(x)+len(y)-shared)
}

// A search finds what a look at every spelling finds, with the score of the formula.
func TestSearchBesideAllSpellings(t *testing.T) {
	c := made(3000)
	f, _ := file(t, c)
	s, _, err := DecodeSearch(section(t, f, SearchSection))
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(9, 9))
	hits := 0
	for range 150 {
		q := c.Names[r.IntN(len(c.Names))].Name
		if r.IntN(2) == 0 {
			q = q[:len(q)-1] + "s"
		}
		want := map[int]float64{}
		for i := range c.Names {
			n := &c.Names[i]
			all := []string{n.Name, n.Variant}
			for _, o := range n.Others {
				all = append(all, o.Name)
			}
			for _, text := range all {
				if text == "" {
					continue
				}
				v := score(Key(q), Key(text))
				if Key(q) == Key(text) {
					v = 1
				} else {
					v = min(v, 0.999)
				}
				if v >= LeastScore {
					want[i] = max(want[i], v)
				}
			}
		}
		got := s.Find(q, LeastScore, func(*Entry) bool { return true })
		if len(got) != len(want) {
			t.Fatalf("%s: want %d names, got %d", q, len(want), len(got))
		}
		for k, m := range got {
			if math.Abs(want[m.Number]-m.Score) > 1e-12 {
				t.Errorf("%s: %s: want %g, got %g", q, m.Key, want[m.Number], m.Score)
			}
			if k > 0 && got[k-1].Score < m.Score {
				t.Errorf("%s: out of order", q)
			}
		}
		hits += len(got)
	}
	if hits < 150 {
		t.Errorf("%d names found by 150 searches", hits)
	}
}

// The best of several names comes first, and of names alike the field name.
func TestSearchOrder(t *testing.T) {
	c := &Country{Names: []Name{
		{ID: "1", Name: "Sonnleiten", Layer: Gelaende, Elevation: NoElevation},
		{ID: "2", Name: "Sonnleiten", Layer: Ried, Elevation: NoElevation},
		{ID: "3", Name: "Sonnleitn", Layer: Ried, Elevation: NoElevation}, {ID: "4", Name: "Wörth", Variant: "Werth", Layer: Siedlung,
			Elevation: NoElevation},
		{ID: "5", Name: "Klagenfurt", Others: []Other{{"sl", "Celovec"}}, Elevation: NoElevation},
	}}
	f, _ := file(t, c)
	s, _, err := DecodeSearch(section(t, f, SearchSection))
	if err != nil {
		t.Fatal(err)
	}
	for q, want := range map[string]string{"Sonnleiten": "2 1 3", "sonnleitn": "3 2 1", "Woerth": "4", "WERTH": "4", "celovec": "5",
		"Celovecx": "5", "xyz": "", "-": ""} {
		var got []string
		for _, m := range s.Find(q, LeastScore, func(*Entry) bool { return true }) {
			got = append(got, c.Names[m.Number].ID)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: want %s, got %v", q, want, got)
		}
	}
}

func TestWhatCannotBeStored(t *testing.T) {
	for name, list := range map[string][]Name{"one id twice": {{ID: "1", Name: "a"}, {ID: "1", Name: "b"}}, "no id": {{Name: "a"}},
		"no name": {{ID: "1"}}} {
		if _, err := (&Country{Names: list}).Head(); err == nil {
			t.Errorf("%s: want an error", name)
		}
	}
}

func FuzzSections(f *testing.F) {
	made, h := file(f, made(60))
	f.Add(made.Head())
	f.Add(section(f, made, h.Parts[0].Section()))
	f.Add(section(f, made, SearchSection))
	f.Add(section(f, made, StatsSection))
	f.Add(section(f, made, KGSection("01004")))
	f.Fuzz(func(t *testing.T, b []byte) {
		columntest.Bounded(t, 5*len(b), func() { // an error or not
			_, _ = DecodeHead(b)
			_, _, _ = DecodeCell(h.Parts[0].Cell, b)
			_, _, _ = DecodeRefs(b)
			_, _, _ = DecodeStats(b)
			if s, _, err := DecodeSearch(b); err == nil {
				s.Find("Sonnleiten", LeastScore, func(*Entry) bool { return true })
			}
		})
	})
}
