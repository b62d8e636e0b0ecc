package national

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"mappe/artefacts/kgfile"
	"mappe/artefacts/rowschema"
	"mappe/builders/kgbuild"
	"mappe/builders/objects"
	"mappe/builders/source/mirror"
	"mappe/builders/source/sourcetest"
	"mappe/shared/austria"
	"mappe/shared/cloud/store"
	"mappe/shared/cloud/store/mem"
	"mappe/shared/cloud/store/storetest"
)

// versionsOf is the list of a KG's versions, and the KG as it lies in the snapshot of each.
func versionsOf(t testing.TB, st store.Store, code austria.KGCode) (list []rowschema.Version, parcels []int) {
	t.Helper()
	live, err := ReadLive(t.Context(), st)
	if err != nil {
		t.Fatal(err)
	}
	e, _ := live.Manifest.Find(code)
	b, err := objects.Read(t.Context(), st, e.Versions.Key)
	if err != nil {
		t.Fatal(err)
	}
	v, err := rowschema.ParseVersions(b)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range v.Snapshots {
		b, err := objects.Read(t.Context(), st, s.Key)
		if err != nil {
			t.Fatal(err)
		}
		f, err := kgfile.Open(b)
		if err != nil || f.Build().Stichtag != s.Date || f.NumParcels() != s.ParcelCount {
			t.Fatalf("%s: %v, %+v", s.Key, err, s)
		}
		parcels = append(parcels, f.NumParcels())
	}
	return v.Snapshots, parcels
}

// Earlier snapshots are listed and not served; what is no snapshot is named and stops nothing; a file that was mended
// stands before what was made of it.
func TestEarlierEpochsAreListed(t *testing.T) {
	dir, st := sourcetest.Write(t, sourcetest.Three...), mem.New()
	sourcetest.File(t, dir, "epochs/99001-2024-10-01.geojson", sourcetest.Epoch("99001", 3))
	sourcetest.File(t, dir, "epochs/99001-2025-10-01.geojson", sourcetest.Epoch("99001", 5))
	sourcetest.File(t, dir, "epochs/99001-2026-10-01.geojson", sourcetest.Epoch("99001", 7)) // the date of what is served: no history
	sourcetest.File(t, dir, "epochs/99002-2025-10-01.geojson", "PK")
	sourcetest.File(t, dir, "epochs/99003-2025-10-01.geojson", strings.Replace(sourcetest.Epoch("99003", 2), `"gnr":"2"`, `"gnr":"two"`, 1))
	sourcetest.File(t, dir, "epochs/99009-2025-10-01.geojson", "of a KG that is not in the registers")
	s := mustBuild(t, dir, st, Options{})
	if len(s.Warnings) != 2 || !strings.HasPrefix(s.Warnings[0], "epochs/99002-2025-10-01.geojson: ") ||
		!strings.Contains(s.Warnings[0], "left out") || !strings.Contains(s.Warnings[1], "two") {
		t.Errorf("got %q", s.Warnings)
	}
	list, parcels := versionsOf(t, st, "99001")
	if !slices.Equal(parcels, []int{16, 5, 3}) || !list[0].Latest || list[1].Source != kgbuild.ImportedFrom ||
		list[1].IngestGeneration != rowschema.RingOrder || list[1].ProcessingVersion != "inspire-v2" {
		t.Errorf("%v, %+v", parcels, list)
	}
	if _, parcels := versionsOf(t, st, "99002"); !slices.Equal(parcels, []int{16}) {
		t.Errorf("a broken file: %v", parcels)
	}
	if _, parcels := versionsOf(t, st, "99003"); !slices.Equal(parcels, []int{16, 1}) {
		t.Errorf("a file with a bad feature: %v", parcels)
	}
	counted := &storetest.Faulty{Store: st}
	if s := mustBuild(t, dir, counted, Options{}); s.Published {
		t.Error("the same sources are published again")
	}
	again := counted.Writes()
	sourcetest.File(t, dir, "epochs/99001-2025-10-01.geojson", sourcetest.Epoch("99001", 6))
	mustBuild(t, dir, counted, Options{})
	if _, parcels := versionsOf(t, st, "99001"); !slices.Equal(parcels, []int{16, 6, 5, 3}) {
		t.Errorf("a mended file: %v", parcels)
	}
	if again != 0 {
		t.Errorf("%d writes where nothing is new", again)
	}
	intact(t, st)
}

// The cloud's rebuild imports what lies in the source's bucket, and ends with the generation of a build at home.
func TestTheCloudImportsEarlierEpochs(t *testing.T) {
	dir, here := sourcetest.Write(t, sourcetest.Three...), mem.New()
	raw := mem.New()
	put := func(name, body string) {
		t.Helper()
		sourcetest.File(t, dir, name, body)
		if _, err := raw.Put(t.Context(), name, []byte(body), store.PutOptions{}); err != nil {
			t.Fatal(err)
		}
	}
	put("epochs/99001-2024-10-01.geojson", sourcetest.Epoch("99001", 3))
	put("epochs/99003-2025-10-01.geojson", sourcetest.Epoch("99003", 5))
	want := mustBuild(t, dir, here, Options{})
	source, err := OpenSource(t.Context(), SourceOptions{Dir: sourcetest.Write(t, sourcetest.Three...), Epochs: mirror.Epochs{Store: raw}})
	if err != nil {
		t.Fatal(err)
	}
	there := mem.New()
	c := Cloud{Artefacts: there, Runs: mem.New(), Source: source}
	for _, task := range []CloudTask{{Task: "list"}, {Task: "kg", KGCode: "99003"}, {Task: "kg", KGCode: "99001"},
		{Task: "kg", KGCode: "99001"}, {Task: "kg", KGCode: "99002"}, {Task: "publish"}} {
		task.Run = "r1"
		a, err := c.Do(t.Context(), task)
		if err != nil || len(a.Warnings) != 0 {
			t.Fatalf("%+v: %+v, %v", task, a, err)
		}
		if task.Task == "publish" && a.Generation != want.Generation {
			t.Errorf("want generation %s, got %s", want.Generation, a.Generation)
		}
	}
	for _, code := range []austria.KGCode{"99001", "99002", "99003"} {
		if a, b := fmt.Sprint(versionsOf(t, here, code)), fmt.Sprint(versionsOf(t, there, code)); a != b {
			t.Errorf("%s: %s at home, %s in the cloud", code, a, b)
		}
	}
	intact(t, there)
}
