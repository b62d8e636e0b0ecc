package ne

import (
	"slices"
	"testing"

	"mappe/artefacts/kgfile"
	"mappe/artefacts/manifest"
	"mappe/shared/cloud/store"
	"mappe/shared/cloud/store/mem"
)

// The history of changes is in no source. Where the object of it is deleted it begins anew with the next publication: nothing fails, the
// container is the same, and what changes from then on is told. One that is damaged fails by its name until it is deleted.
func TestDrillTheHistoryOfCellsIsLost(t *testing.T) {
	first := small()
	at := slices.IndexFunc(first.Parcels, func(p kgfile.Parcel) bool { return p.DominantLandUse == 48 })
	second := built(first, at)
	p := &publishes{t: t, st: mem.New(), live: manifest.Artefacts{}}
	if _, err := p.pass("2024-10-01", first); err != nil {
		t.Fatal(err)
	}
	x, err := p.pass("2025-10-01", second)
	if err != nil {
		t.Fatal(err)
	}
	key, container := x.Find("99101").Changes, x.Find("99101").Key
	told := len(p.changes(x, "99101").Cells)
	if err := p.st.Delete(t.Context(), key); err != nil || told == 0 {
		t.Fatal(told, err)
	}
	if _, err := p.st.Put(t.Context(), key, []byte("{"), store.PutOptions{}); err != nil {
		t.Fatal(err)
	}
	live, kgs, last := p.live, p.kgs, p.last
	if _, err := p.pass("2025-10-01", second); err == nil {
		t.Error("a damaged history is taken for none")
	}
	p.live, p.kgs, p.last = live, kgs, last
	if err := p.st.Delete(t.Context(), key); err != nil {
		t.Fatal(err)
	}
	if x, err = p.pass("2025-10-01", second); err != nil || x.Find("99101").Key != container {
		t.Fatalf("%+v, %v", x, err)
	}
	if n := len(p.changes(x, "99101").Cells); n != 0 {
		t.Errorf("%d changes are told of a history that is lost", n)
	}
	if x, err = p.pass("2026-10-01", first); err != nil {
		t.Fatal(err)
	}
	if n := len(p.changes(x, "99101").Cells); n != told {
		t.Errorf("%d cells changed back, want %d", n, told)
	}
}
