package e2e

import (
	"context"
	"slices"
	"strings"
	"sync"
	"testing"

	"mappe/functions/family"
	"mappe/shared/cloud/store"
)

// recording notes what is read of a store.
type recording struct {
	store.Store
	mu   sync.Mutex
	keys []string
}

func (r *recording) Get(ctx context.Context, key string, o store.GetOptions) (*store.Object, error) {
	r.mu.Lock()
	r.keys = append(r.keys, key)
	r.mu.Unlock()
	return r.Store.Get(ctx, key, o)
}

// take gives what was read since the last time.
func (r *recording) take() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	keys := r.keys
	r.keys = nil
	return keys
}

// common are the objects that every family with Needs.Store may read; template.yaml gives the rights, which infra/floors
// compares with the needs.
var common = []string{"current.json", "availability.json", "manifests", "register", "national", "kg",
	"refused"} // only here: the KG of these tests is no sound one, and published all the same

// TestFamiliesReadWhatTheyNeed asks every example: what is read of the artefacts stands in the needs of the endpoint's
// family, from which its function has its rights. A local store refuses nothing, so that a missing right would show in the
// cloud only.
func TestFamiliesReadWhatTheyNeed(t *testing.T) {
	read := map[string]bool{} // "family folder"
	for _, d := range contract(t) {
		f := familyOf(t, d)
		d.read.take()
		d.ask(t, nil)
		for _, key := range d.read.take() {
			folder, _, _ := strings.Cut(key, "/")
			read[f.Name+" "+folder] = true
			if !slices.Contains(common, folder) && !slices.Contains(f.Needs.Reads, folder) {
				t.Errorf("%s of the family %s reads %s, which its needs do not name", d.name(), f.Name, key)
			}
		}
	}
	for _, want := range []string{"context-cells cells", "context-place prices", "context-place cells", "landscape-analysis rasters", "cadastre-spatial refused"} {
		if !read[want] {
			t.Errorf("no example reads %s: the test sees nothing", want)
		}
	}
}

// familyOf is the family of an endpoint.
func familyOf(t *testing.T, d described) family.Family {
	t.Helper()
	for _, m := range d.service.Members {
		for _, e := range m.Service.Endpoints {
			if e.Method == d.endpoint.Method && e.Path == d.endpoint.Path {
				return m.Family
			}
		}
	}
	t.Fatalf("%s belongs to no family", d.name())
	return family.Family{}
}
