package kgbuild

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"mappe/artefacts/keys"
	"mappe/artefacts/rowschema"
	"mappe/builders/objects"
	"mappe/builders/source/sourcetest"
	"mappe/builders/source/tiles"
	"mappe/shared/austria"
	"mappe/shared/cloud/store"
	"mappe/shared/cloud/store/mem"
	"mappe/shared/cloud/store/storetest"
)

// facts are those of the first KG of the sample country.
var facts = Facts{Code: "99001", Name: "Probe 99001", GemeindeCode: "50999", GemeindeName: "Probe", DistrictName: "Probe",
	Outline: sourcetest.Outline(0)}

// taskOf is the build of the first KG, of which so many parcels are left out.
func taskOf(t testing.TB, st store.Store, drop int) Task {
	t.Helper()
	reader, err := tiles.Open(sourcetest.Write(t, sourcetest.KG{Code: string(facts.Code), Drop: drop}), tiles.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return Task{Facts: facts, Settings: Settings{Stichtag: "2026-10-01", Attribution: "© BEV, 2026", ParcelZoom: 15, LandUseZoom: 16},
		Tiles: reader, Store: st, Workers: 2}
}

func mustBuild(t testing.TB, task Task) Made {
	t.Helper()
	made, err := Build(t.Context(), task)
	if err != nil {
		t.Fatal(err)
	}
	return made
}

// The tiles hold nothing of the KG.
func TestAKGWithoutParcels(t *testing.T) {
	task := taskOf(t, mem.New(), 0)
	task.Tiles = cutSource{}
	if _, err := Build(t.Context(), task); !errors.Is(err, ErrNoParcels) || !strings.Contains(err.Error(), "no parcel") ||
		!strings.Contains(err.Error(), "KG 99001 Probe 99001") {
		t.Errorf("want an error that names the KG of which no parcel was found, got %v", err)
	}
}

// The same input is built once, whatever its date; another input, or force, builds again, to the same bytes and names.
func TestTheSameInputIsBuiltOnce(t *testing.T) {
	st := &storetest.Faulty{Store: mem.New()}
	task := taskOf(t, st, 0)
	first := mustBuild(t, task)
	if first.Reused || first.Digest.Entry.Parcels != sourcetest.Side*sourcetest.Side || first.Quality.Verdict != rowschema.Pass {
		t.Fatalf("got %+v", first)
	}
	writes := st.Writes()
	later := task
	later.Settings.Stichtag, later.Settings.Attribution = "2027-04-01", "© BEV, 2027"
	for _, again := range []Task{task, later} {
		made := mustBuild(t, again)
		if r := ResultOf(facts, made, nil); r.Outcome != Reused || made.Key != first.Key ||
			made.Digest.Entry.Forms != first.Digest.Entry.Forms || st.Writes() != writes {
			t.Errorf("%s: %s as %s, %d writes", again.Settings.Stichtag, r.Outcome, made.Key, st.Writes()-writes)
		}
	}
	forced := task
	forced.Force = true
	if made := mustBuild(t, forced); made.Reused || made.Key != first.Key || made.Digest.Entry.Forms != first.Digest.Entry.Forms {
		t.Errorf("by force: %+v", made)
	}
	for what, change := range map[string]func(*Task){
		"another name":        func(k *Task) { k.Facts.Name = "Öd" },
		"another attribution": func(k *Task) { k.Settings.Attribution = "made-up" },
		"another zoom":        func(k *Task) { k.Settings.LandUseZoom = 15 },
	} {
		changed := task
		change(&changed)
		if made := mustBuild(t, changed); made.Reused || made.Key == first.Key {
			t.Errorf("%s: it is taken for the same input", what)
		}
	}
}

// An earlier build is known to the store, and is judged against what is served now all the same.
func TestAnEarlierBuildIsJudgedAgain(t *testing.T) {
	st := mem.New()
	few := taskOf(t, st, 6)
	few.AcceptGaps = true // six parcels of the outline are in no tile
	if made := mustBuild(t, few); made.Quality.Verdict == rowschema.Refuse {
		t.Fatalf("got %+v", made.Quality)
	}
	full := mustBuild(t, taskOf(t, st, 0))
	few.Live = &full.Digest.Entry
	made := mustBuild(t, few)
	r := ResultOf(facts, made, nil)
	if r.Outcome != Refused || !strings.Contains(r.Err.Error(), "not fit to replace what is served: ") ||
		!strings.Contains(r.Err.Error(), "6 of 16 live parcels are lost") {
		t.Errorf("got %s: %v", r.Outcome, r.Err)
	}
	refusal := error(&Refusal{KG: facts.Code, Quality: made.Quality})
	if !errors.Is(refusal, ErrRefused) || !strings.Contains(refusal.Error(), "KG 99001: the build is refused: ") ||
		!strings.Contains(refusal.Error(), "; 6 of 16 live parcels are lost") {
		t.Errorf("got %v", refusal)
	}
	few.Accept = true
	if made := mustBuild(t, few); !made.Reused {
		t.Errorf("accepted: got %+v", made)
	}
}

// A refused build is written apart, for a person to look at, and no digest names it.
func TestARefusedBuildStandsApart(t *testing.T) {
	st := mem.New()
	made := mustBuild(t, taskOf(t, st, 6))
	if r := ResultOf(facts, made, nil); r.Outcome != Refused || !strings.Contains(r.Err.Error(), "(see refused/99001/") {
		t.Errorf("got %s: %v", r.Outcome, r.Err)
	}
	for info, err := range st.List(t.Context(), "") {
		if err != nil || !strings.HasPrefix(info.Key, "refused/") {
			t.Errorf("%s: %v", info.Key, err)
		}
	}
}

// What was lost of an earlier build is written again; what was cut short is named and left to a person.
func TestAnEarlierBuildIsWhole(t *testing.T) {
	st := mem.New()
	task := taskOf(t, st, 0)
	first := mustBuild(t, task)
	task.Live = &first.Digest.Entry
	for _, lost := range first.Digest.Entry.Forms.All() {
		if err := st.Delete(t.Context(), lost.Key); err != nil {
			t.Fatal(err)
		}
		if made := mustBuild(t, task); made.Reused || made.Digest.Entry.Forms != first.Digest.Entry.Forms {
			t.Errorf("%s: want the KG built again to the same forms, got %+v", lost.Key, made)
		}
		if ok, err := Whole(t.Context(), st, first.Digest.Entry); !ok || err != nil {
			t.Errorf("%s: it is missing: %v", lost.Key, err)
		}
	}
	cut := first.Digest.Entry.Forms.KGS.Key
	b, err := objects.Read(t.Context(), st, cut)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := st.Put(t.Context(), cut, b[:len(b)-1], store.PutOptions{}); err != nil {
		t.Fatal(err)
	}
	if _, err := Build(t.Context(), task); err == nil || !strings.Contains(err.Error(), cut) {
		t.Errorf("want the object that is cut short named, got %v", err)
	}
}

// What was lost comes back under the names that the digest and the country have for it, though the source has another date
// by now and its attribution another year.
func TestALaterSourceBringsBackWhatWasLost(t *testing.T) {
	for _, force := range []bool{false, true} {
		st := mem.New()
		task := taskOf(t, st, 0)
		first := mustBuild(t, task)
		want := map[string][]byte{}
		for _, o := range first.Digest.Entry.Forms.All() {
			b, _, err := store.ReadAll(t.Context(), st, o.Key, 1<<26, store.GetOptions{})
			if err != nil {
				t.Fatal(err)
			}
			want[o.Key] = b
		}
		if err := st.Delete(t.Context(), first.Digest.Entry.Forms.KGS.Key); err != nil {
			t.Fatal(err)
		}
		later := task
		later.Settings = Settings{Stichtag: "2027-04-01", Attribution: "© BEV, 2027", ParcelZoom: 15, LandUseZoom: 16}
		later.Live, later.Force = &first.Digest.Entry, force
		made := mustBuild(t, later)
		if made.Key != first.Key || made.Digest.Entry.Forms != first.Digest.Entry.Forms {
			t.Errorf("force %t: got %+v, want the forms of the first build %+v", force, made.Digest.Entry, first.Digest.Entry)
		}
		for info, err := range st.List(t.Context(), "kg/") {
			if err != nil {
				t.Fatal(err)
			}
			b, _, err := store.ReadAll(t.Context(), st, info.Key, 1<<26, store.GetOptions{})
			if was, ok := want[info.Key]; err != nil || ok && !bytes.Equal(b, was) || strings.Contains(info.Key, "2027") {
				t.Errorf("force %t: %s: %d bytes, before %d, %v", force, info.Key, len(b), len(was), err)
			}
			delete(want, info.Key)
		}
		if len(want) > 0 {
			t.Errorf("force %t: %d files are still lost", force, len(want))
		}
	}
}

// A store that fails at any write keeps no digest of what is not there, and a repeat ends as an undisturbed build does.
func TestABuildFailsAtEveryWrite(t *testing.T) {
	want := mustBuild(t, taskOf(t, mem.New(), 0))
	for n := int64(1); ; n++ {
		st := mem.New()
		f := &storetest.Faulty{Store: st, FailAt: n, Stored: n%2 == 0, Dead: true}
		task := taskOf(t, f, 0)
		_, err := Build(t.Context(), task)
		if f.Writes() < n {
			if n < 8 { // five forms, quality, digest
				t.Errorf("%d writes", n-1)
			}
			return
		}
		if err == nil {
			t.Errorf("write %d: want an error", n)
		}
		if d, err := ReadDigest(t.Context(), st, want.Key.String()); err == nil {
			if ok, err := Whole(t.Context(), st, d.Entry); !ok || err != nil {
				t.Errorf("write %d: the digest names what is missing: %v", n, err)
			}
		}
		task.Store = st
		if made := mustBuild(t, task); made.Key != want.Key || made.Digest.Entry.Forms != want.Digest.Entry.Forms {
			t.Errorf("write %d: got %+v", n, made)
		}
	}
}

// A snapshot that is written without a source has a digest like those that are built.
func TestAReadySnapshot(t *testing.T) {
	st := mem.New()
	made := mustBuild(t, taskOf(t, st, 0))
	snap, err := snapshotOf(t.Context(), st, &made.Digest.Entry)
	if err != nil {
		t.Fatal(err)
	}
	ready, err := WriteSnapshot(t.Context(), st, snap)
	if err != nil {
		t.Fatal(err)
	}
	if ready.Digest.Entry.Forms != made.Digest.Entry.Forms || ready.Key.Code != austria.KGCode(facts.Code) {
		t.Errorf("got %+v", ready)
	}
	if d, err := ReadDigest(t.Context(), st, ready.Key.String()); err != nil || d.Entry.Forms != ready.Digest.Entry.Forms {
		t.Errorf("got %+v, %v", d, err)
	}
	if _, err := ReadDigest(t.Context(), st, keys.Digest{Code: facts.Code, Input: "0123456789abcdef"}.String()); !errors.Is(err,
		store.ErrNotFound) {
		t.Errorf("another digest: %v", err)
	}
}
