package view_test

import (
	"fmt"
	"maps"
	"slices"
	"sync"
	"testing"
	"testing/synctest"

	"mappe/artefacts/library"
	"mappe/functions/core/view"
	"mappe/functions/fixture"
	"mappe/shared/austria"
	"mappe/shared/cloud/store/mem"
)

// From the second file on the next ones are read before they are asked for: Width are on their way with the one that is
// asked for, none a second time, none that is in memory, none behind the end.
func TestAhead(t *testing.T) {
	s := mem.New()
	list := fixture.Many(12)
	if err := fixture.Publish(s, list, "81010"); err != nil {
		t.Fatal(err)
	}
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		read := map[austria.KGCode]int{}
		lib, err := library.Open(t.Context(), s, library.Options{Used: func(code austria.KGCode) {
			mu.Lock()
			defer mu.Unlock()
			read[code]++
		}})
		if err != nil {
			t.Fatal(err)
		}
		served, err := lib.View(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		v := view.At(t.Context(), served)
		if _, err := v.KG(t.Context(), "81004"); err != nil || !v.InMemory("81004") || v.InMemory("81005") {
			t.Fatalf("81004 alone is in memory: %v", err)
		}
		clear(read)
		var codes []austria.KGCode
		for i := range list {
			codes = append(codes, list[i].KG.Code)
		}
		a := v.Ahead(codes)
		want := map[austria.KGCode]int{}
		for i := range codes {
			a.Next(t.Context())
			synctest.Wait()
			for k := 1; k < min(i+view.Width, len(codes)); k++ { // 81010 has no snapshot: its read ends at once
				if codes[k] != "81004" && codes[k] != "81010" {
					want[codes[k]] = 1
				}
			}
			if !maps.Equal(read, want) {
				t.Fatalf("file %d is asked for: want %v read, got %v", i, slices.Sorted(maps.Keys(want)), fmt.Sprint(read))
			}
		}
		a.Next(t.Context()) // behind the end
		synctest.Wait()
		if !maps.Equal(read, want) {
			t.Errorf("behind the end: %v", read)
		}
	})
}
