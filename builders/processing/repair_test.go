package processing

import (
	"testing"
	"time"

	"mappe/artefacts/kgfile"
	"mappe/artefacts/rowschema"
	"mappe/builders/national"
	"mappe/shared/cloud/jobs"
	"mappe/shared/cloud/processing"
	"mappe/shared/cloud/store"
	"mappe/shared/cloud/store/storetest"
)

// unjoin serves small as data of an earlier ingest generation has it: no address point knows its parcel.
func unjoin(t testing.TB, st store.Store) {
	t.Helper()
	old := snapshotIn(t, st)
	for i := range old.Buildings {
		old.Buildings[i].Parcel = -1
	}
	for i := range old.Parcels {
		old.Parcels[i].BuildingCount = 0
	}
	for i := range old.Folios {
		old.Folios[i].BuildingCount = 0
	}
	old.Build.IngestGeneration = string(rowschema.BulkV7Zenodo)
	if _, err := national.PublishSnapshots(t.Context(), st, old); err != nil {
		t.Fatal(err)
	}
}

// snapshotIn is the snapshot of small that a store serves.
func snapshotIn(t testing.TB, st store.Store) *kgfile.Snapshot {
	t.Helper()
	live, err := national.ReadLive(t.Context(), st)
	if err != nil {
		t.Fatal(err)
	}
	e, _ := live.Manifest.Find(small)
	b, _, err := store.ReadAll(t.Context(), st, e.Forms.KGS.Key, 1<<30, store.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	f, err := kgfile.Open(b)
	if err != nil {
		t.Fatal(err)
	}
	s, err := f.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func (r *rig) snapshot(t testing.TB) *kgfile.Snapshot {
	t.Helper()
	return snapshotIn(t, r.mem)
}

// A repair gives what the builder gives: the same parcels of address points, the same counts; and says that it was done.
func TestARepairJoinsAddressPoints(t *testing.T) {
	r := newRigUnjoined(t)
	want := snapshotIn(t, country.first)
	was, _ := r.entry(t, small)
	res := r.done(t, processing.Repair, processing.Order{KG: small})
	got := r.snapshot(t)
	in := 0
	for i, b := range got.Buildings {
		if b.Parcel != want.Buildings[i].Parcel {
			t.Errorf("address point %v is in parcel %d, the builder has %d", b.ID, b.Parcel, want.Buildings[i].Parcel)
		}
		if b.Parcel >= 0 {
			in++
		}
	}
	for i := range got.Parcels {
		if got.Parcels[i].BuildingCount != want.Parcels[i].BuildingCount {
			t.Errorf("parcel %s: %d address points, the builder has %d", got.Parcels[i].GNR, got.Parcels[i].BuildingCount,
				want.Parcels[i].BuildingCount)
		}
	}
	for i := range got.Folios {
		if got.Folios[i].BuildingCount != want.Folios[i].BuildingCount {
			t.Errorf("folio %d: %d address points, the builder has %d", got.Folios[i].EZ, got.Folios[i].BuildingCount,
				want.Folios[i].BuildingCount)
		}
	}
	if !res.Changed || res.Joined != in || in == 0 || res.Outside != len(got.Buildings)-in {
		t.Errorf("%+v, %d of %d lie in a parcel", res, in, len(got.Buildings))
	}
	id := rowschema.EpochID(got.Build.IngestGeneration)
	if id.Generation() != rowschema.BulkV7Zenodo || !id.Has(rowschema.AddressPointJoin) || id.Has(rowschema.LandUseAreaCalc) {
		t.Errorf("the snapshot carries %q", id)
	}
	now, _ := r.entry(t, small)
	if now.Forms == was.Forms || now.Stichtag != was.Stichtag {
		t.Errorf("%+v", now)
	}
	if again := r.done(t, processing.Repair, processing.Order{KG: small}); again.Changed || again.Joined != in {
		t.Errorf("a second time: %+v", again)
	}
	r.whole(t)
}

func TestARepairFailsAtEveryWrite(t *testing.T) {
	for n := int64(1); ; n += every(t, 9) {
		r := newRigUnjoined(t)
		f := &storetest.Faulty{Store: r.mem, FailAt: n, Stored: n%2 == 0, Dead: true}
		r.over(f)
		j := r.order(t, processing.Repair, processing.Order{KG: small})
		_ = r.queue.RunOne(t.Context(), j.ID) // it may be through before the last writes
		r.whole(t)
		r.over(r.mem)
		r.ahead.Add(int64(time.Hour))
		if got := r.finish(t, j.ID); got.State != jobs.Done ||
			!rowschema.EpochID(r.snapshot(t).Build.IngestGeneration).Has(rowschema.AddressPointJoin) {
			t.Fatalf("write %d: %s %s", n, got.State, got.Error)
		}
		r.whole(t)
		if f.Writes() < n {
			return
		}
	}
}
