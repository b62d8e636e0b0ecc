package national

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"mappe/builders/kgbuild"
	"mappe/builders/source/sourcetest"
	"mappe/shared/cloud/store/mem"
)

// known writes further KGs without an outline into a sample's register.
func known(t *testing.T, dir string, n int) {
	t.Helper()
	path := filepath.Join(dir, "registers/kg.csv")
	csv, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for i := range n {
		csv = fmt.Appendf(csv, "%05d,Bekannt,50999,Probe,509,Probe,5,Salzburg\n", 98000+i)
	}
	if err := os.WriteFile(path, csv, 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestAnAbolishedKGStaysUntilItsLossIsAccepted(t *testing.T) {
	st := mem.New()
	first := mustBuild(t, sourcetest.Write(t, sourcetest.Three...), st, Options{})
	without := sourcetest.Write(t, sourcetest.Three[:2]...)
	s := mustBuild(t, without, st, Options{})
	if s.Published || s.Generation != first.Generation || s.Count(kgbuild.Refused) != 1 || len(s.Results) != 3 {
		t.Fatalf("want nothing published and one refusal, got %+v", s)
	}
	if r := s.Results[2]; r.Code != "99003" || !strings.Contains(r.Err.Error(), "its 16 parcels stay served until the loss is accepted") {
		t.Errorf("got %s %s: %v", r.Code, r.Outcome, r.Err)
	}
	if served(t, st).KG("99003") == nil {
		t.Error("KG 99003 is gone")
	}
	s = mustBuild(t, without, st, Options{Accept: true})
	if !s.Published || s.Count(kgbuild.Dropped) != 1 || s.Count(kgbuild.Refused) != 0 || served(t, st).KG("99003") != nil {
		t.Errorf("accepted: got %+v", s)
	}
	if c := intact(t, st); c.KGs != 2 {
		t.Errorf("want 2 KGs served, got %d", c.KGs)
	}
	if s = mustBuild(t, without, st, Options{}); s.Published || len(s.Results) != 2 {
		t.Errorf("afterwards: got %+v", s)
	}
}

// KGs that were only listed vanish with a line each; too many at once are a register that was cut off.
func TestManyKGsDoNotVanishUnnoticed(t *testing.T) {
	st := mem.New()
	full := sourcetest.Write(t, sourcetest.Three...)
	known(t, full, maxAbolished+3)
	first := mustBuild(t, full, st, Options{})
	cut := sourcetest.Write(t, sourcetest.Three...)
	s, err := build(t, cut, st, Options{})
	if err == nil || !strings.Contains(err.Error(), "lack 28 KGs") || !strings.Contains(err.Error(), "98000") || s.Published {
		t.Fatalf("want a refusal that names them, got %+v, %v", s, err)
	}
	live, err := ReadLive(t.Context(), st)
	if err != nil || live.Pointer.Generation != first.Generation {
		t.Errorf("generation %s, %v", live.Pointer.Generation, err)
	}
	fewer := sourcetest.Write(t, sourcetest.Three...)
	known(t, fewer, 3)
	if s := mustBuild(t, fewer, st, Options{}); !s.Published || s.Count(kgbuild.Dropped) != maxAbolished {
		t.Errorf("want %d dropped, got %d", maxAbolished, s.Count(kgbuild.Dropped))
	}
	if n := len(served(t, st).KGs()); n != 6 {
		t.Errorf("want 6 KGs listed, got %d", n)
	}
	full = sourcetest.Write(t, sourcetest.Three...)
	known(t, full, maxAbolished+3)
	mustBuild(t, full, st, Options{})
	if s := mustBuild(t, cut, st, Options{Accept: true}); !s.Published || s.Count(kgbuild.Dropped) != maxAbolished+3 {
		t.Errorf("accepted: want %d dropped, got %d", maxAbolished+3, s.Count(kgbuild.Dropped))
	}
}

// The state machine's input carries the acceptance to both tasks.
func TestAcceptanceInTheCloud(t *testing.T) {
	ctx, st := context.Background(), mem.New()
	mustBuild(t, sourcetest.Write(t, sourcetest.Three...), st, Options{})
	source, err := OpenSource(ctx, SourceOptions{Dir: sourcetest.Write(t, sourcetest.Three[0], sourcetest.KG{Code: "99002", Drop: 6})})
	if err != nil {
		t.Fatal(err)
	}
	c := Cloud{Artefacts: st, Runs: mem.New(), Source: source}
	do := func(event string) CloudAnswer {
		t.Helper()
		var task CloudTask
		if err := json.Unmarshal([]byte(event), &task); err != nil {
			t.Fatal(err)
		}
		a, err := c.Do(ctx, task)
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
	for _, code := range []string{"99001", "99002"} {
		a := do(`{"task":"kg","run":"r1","kg_code":"` + code + `","input":{}}`)
		if refused := code == "99002"; refused != (a.Outcome == "refused") || refused != strings.Contains(a.Why, "6 of 16 live parcels") {
			t.Errorf("%s: got %+v", code, a)
		}
	}
	if a := do(`{"task":"publish","run":"r1","input":{}}`); a.Published || a.KGs != 1 || len(a.Abolished) != 1 || a.Abolished[0].Dropped {
		t.Errorf("not accepted: got %+v", a)
	}
	do(`{"task":"kg","run":"r2","kg_code":"99001","input":{"accept":true}}`)
	do(`{"task":"kg","run":"r2","kg_code":"99002","input":{"accept":true}}`)
	if a := do(`{"task":"publish","run":"r2","input":{"accept":true}}`); !a.Published || a.KGs != 2 || len(a.Abolished) != 1 ||
		!a.Abolished[0].Dropped {
		t.Errorf("accepted: got %+v", a)
	}
	if r := served(t, st); r.KG("99003") != nil || r.KG("99002").ParcelCount != 10 {
		t.Errorf("got %d KGs", len(r.KGs()))
	}
}
