package view_test

import (
	"fmt"
	"slices"
	"testing"

	"mappe/artefacts/library"
	"mappe/functions/core/view"
	"mappe/functions/fixture"
	"mappe/shared/austria"
	"mappe/shared/cloud/store/mem"
)

// The table of what follows from an absence, as docs/absence.md has it.
func TestConsequences(t *testing.T) {
	for why, want := range map[view.Absence]string{
		view.Unbuilt:     "unbuilt exists stays 404 no",
		view.Cold:        "cold exists comes 503 3s",
		view.Evicted:     "evicted exists comes 503 3s",
		view.Lost:        "lost exists stays 404 no",
		view.Damaged:     "damaged exists stays 404 no",
		view.Unversioned: "without_version nothing stays 404 no",
	} {
		f := why.Fault("88801")
		got := fmt.Sprint(why, map[bool]string{true: " exists", false: " nothing"}[why.Exists()],
			map[bool]string{true: " comes", false: " stays"}[why.Coming()], " ", f.Status(), " ")
		if f.RetryAfter > 0 {
			got += f.RetryAfter.String()
		} else {
			got += "no"
		}
		if got != want || f.Members["reason"] != why.String() {
			t.Errorf("want %s, got %s, %v", want, got, f.Members)
		}
		if p, err := view.ParseAbsence(why.String()); p != why || err != nil {
			t.Errorf("%s is read as %v, %v", why, p, err)
		}
	}
	if len(view.AllAbsences()) != 6 {
		t.Error("a kind has no line here")
	}
}

// Of the whole country the KGs without a snapshot are noted from one list, with those that are missing beside it; 20 of each
// list are named, all are counted, and no more than 64 are loaded.
func TestCountry(t *testing.T) {
	for _, loads := range []bool{false, true} {
		s := mem.New()
		list := fixture.Many(120)
		var cold []austria.KGCode
		for _, snap := range list[20:] {
			cold = append(cold, snap.KG.Code)
		}
		if err := fixture.Publish(s, list, cold...); err != nil {
			t.Fatal(err)
		}
		asked := map[austria.KGCode]bool{}
		var o library.Options
		if loads {
			o.Warmup = func(code austria.KGCode) { asked[code] = true }
		}
		lib, err := library.Open(t.Context(), s, o)
		if err != nil {
			t.Fatal(err)
		}
		served, err := lib.View(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		v := view.At(t.Context(), served)
		if err := s.Delete(t.Context(), v.Register().KG("81001").Snapshot.Key); err != nil {
			t.Fatal(err)
		}
		var g view.Missing
		v.Country(t.Context(), &g)
		for _, code := range []austria.KGCode{"81001", "81050"} {
			if _, err := v.Read(t.Context(), code, &g); err != nil {
				t.Fatal(err)
			}
		}
		got := map[string]any{}
		for _, m := range g.Meta() {
			got[m.Name] = m.Value
		}
		named, count, reasons := "kgs_unavailable", "kgs_unavailable_count", view.MissingReasons{Unbuilt: 100, Lost: 1}
		if loads {
			named, count, reasons = "kgs_warming", "kgs_warming_count", view.MissingReasons{Cold: 100, Evicted: 1}
		}
		codes := got[named].([]austria.KGCode)
		if len(codes) != 20 || codes[0] != "81001" || codes[1] != "81021" || got[count] != 101 || got["ready"] != false ||
			got["missing_url"] == nil || *got["missing_by_reason"].(*view.MissingReasons) != reasons {
			t.Errorf("loads %v: %v", loads, got)
		}
		if want := map[bool]int{true: 65, false: 0}[loads]; len(asked) != want { // 64 of the country, and the one that left the store
			t.Errorf("want %d KGs asked for, got %d", want, len(asked))
		}
		if !g.Has("81099") || g.Has("81002") || g.Ready() {
			t.Error("Has")
		}
	}
}

// A request that comes upon cold KGs one by one has the first 64 loaded and notes all.
func TestNote(t *testing.T) {
	s := mem.New()
	list := fixture.Many(70)
	var cold []austria.KGCode
	for _, snap := range list[1:] {
		cold = append(cold, snap.KG.Code)
	}
	if err := fixture.Publish(s, list, cold...); err != nil {
		t.Fatal(err)
	}
	for _, loads := range []bool{true, false} {
		var asked []austria.KGCode
		var o library.Options
		if loads {
			o.Warmup = func(code austria.KGCode) { asked = append(asked, code) }
		}
		lib, err := library.Open(t.Context(), s, o)
		if err != nil {
			t.Fatal(err)
		}
		served, err := lib.View(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		var a view.WarmupBudget
		var g view.Missing
		for _, code := range cold {
			a.Note(t.Context(), view.At(t.Context(), served), code, &g)
		}
		want, noted := cold[:64], g.Warming()
		if !loads {
			want, noted = nil, g.Unavailable()
		}
		if !slices.Equal(asked, want) || !slices.Equal(noted, cold) {
			t.Errorf("loads %v: %d asked for, %d noted", loads, len(asked), len(noted))
		}
	}
}
