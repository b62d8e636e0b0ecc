package processing

import (
	"sync"
	"testing"

	"mappe/builders/kgbuild"
	"mappe/builders/national"
	"mappe/builders/source/sourcetest"
	"mappe/shared/austria"
	"mappe/shared/cloud/store/mem"
)

// What many workers of a process have built at once is published together: nobody fights for the pointer, each is told the
// generation that has its KG, and the country is that of one build.
func TestManyPublishTogether(t *testing.T) {
	st := mem.New()
	source, err := national.OpenSource(t.Context(), national.SourceOptions{Dir: sourcetest.Write(t, sourcetest.Three...)})
	if err != nil {
		t.Fatal(err)
	}
	defer source.Close()
	var all together
	var counted sync.Mutex
	generations := map[string]bool{}
	var wait sync.WaitGroup
	ready := make(chan struct{})
	for _, kg := range sourcetest.Three {
		made := builtOf(t, source, st, austria.KGCode(kg.Code))
		wait.Go(func() {
			<-ready
			done, err := all.publish(t.Context(), national.Publication{Store: st, Country: source.Country, Digests: []kgbuild.Made{made},
				Stichtag: source.Settings.Stichtag})
			if err != nil {
				t.Errorf("KG %s: %v", kg.Code, err)
				return
			}
			counted.Lock()
			defer counted.Unlock()
			generations[done.Generation] = true
		})
	}
	close(ready)
	wait.Wait()
	live, err := national.ReadLive(t.Context(), st)
	if err != nil || len(live.Manifest.KGs) != len(sourcetest.Three) || !generations[live.Pointer.Generation] {
		t.Errorf("%d KGs are served, want %d; generation %s of %v; %v", len(live.Manifest.KGs), len(sourcetest.Three),
			live.Pointer.Generation, generations, err)
	}
	if len(generations) > 2 {
		t.Errorf("%d publications of three KGs that were ready at once, want at most two", len(generations))
	}
	if all.busy || len(all.waiting) > 0 {
		t.Error("somebody still waits")
	}
}

func builtOf(t *testing.T, source *national.Source, st *mem.Store, code austria.KGCode) kgbuild.Made {
	t.Helper()
	facts, err := source.Facts(code)
	if err != nil {
		t.Fatal(err)
	}
	task, err := source.Task(facts, st)
	if err != nil {
		t.Fatal(err)
	}
	made, err := kgbuild.Build(t.Context(), task)
	if err != nil {
		t.Fatal(err)
	}
	return made
}
