package index

import (
	"bytes"
	"context"
	"errors"
	"testing"
	"time"

	"mappe/artefacts/keys"
	"mappe/artefacts/kgfile/kgtest"
	"mappe/artefacts/landscape"
	"mappe/artefacts/landscape/landtest"
	"mappe/artefacts/parts"
	"mappe/artefacts/register"
	"mappe/builders/national"
	"mappe/builders/objects"
	"mappe/shared/austria"
	"mappe/shared/cloud/store"
	"mappe/shared/cloud/store/mem"
	"mappe/shared/geo/geom"
)

// country is two KGs, of which the second is processed.
func country(t *testing.T) (store.Store, *register.Register, Files) {
	t.Helper()
	st := mem.New()
	if _, err := national.PublishSnapshots(t.Context(), st,
		kgtest.Snapshot(kgtest.Options{Code: "99001", Parcels: 20, Segments: 1, AreaKm2: 1}),
		kgtest.Snapshot(kgtest.Options{Code: "99002", Parcels: 20, Segments: 1, AreaKm2: 1, East: 200_000})); err != nil {
		t.Fatal(err)
	}
	live, err := national.ReadLive(t.Context(), st)
	if err != nil {
		t.Fatal(err)
	}
	b, err := objects.Read(t.Context(), st, live.Pointer.Register)
	if err != nil {
		t.Fatal(err)
	}
	reg, err := register.Open(b)
	if err != nil {
		t.Fatal(err)
	}
	return st, reg, Files{"99002": {Key: put(t, st, "99002", reg, 3)}}
}

func put(t *testing.T, st store.Store, code austria.KGCode, reg *register.Register, buildings int) string {
	t.Helper()
	box := reg.KG(code).Box
	k := landtest.KG(landtest.Options{Code: code, Box: box, Parcels: map[string]geom.Point{"1": box.Center(), "2/1": box.Center()},
		Buildings: buildings, Trees: 1200, Samples: 3})
	body, err := landscape.Encode(k)
	if err != nil {
		t.Fatal(err)
	}
	key := keys.Landscape{Code: code, Date: "2026-10-01", Sum: keys.Sum(body)}
	if err := objects.Put(t.Context(), st, key, body); err != nil {
		t.Fatal(err)
	}
	return key.String()
}

func TestPublish(t *testing.T) {
	st, reg, files := country(t)
	done, unread, err := Publish(t.Context(), st, files, 2, nil)
	if err != nil || !done.Changed || len(unread) != 0 {
		t.Fatalf("%+v, %v", done, err)
	}
	live, err := national.ReadLive(t.Context(), st)
	if err != nil {
		t.Fatal(err)
	}
	o := live.Pointer.Artefacts[landscape.Artefact]
	entries, err := Served(t.Context(), st, o)
	if err != nil || len(entries) != 2 {
		t.Fatalf("%d entries, %v", len(entries), err)
	}
	plain, found := entries[0], entries[1]
	if plain.Processed || plain.ParcelCount != 20 || plain.File != "" || plain.SlopeMean == plain.SlopeMean {
		t.Errorf("%+v", plain)
	}
	if !found.Processed || found.File != files["99002"].Key || found.KGName != reg.KG("99002").Name || found.ParcelCount != 20 ||
		found.TreeCount != 1200 || found.QualityGrade == "" || len(found.Landcover) == 0 {
		t.Errorf("%+v", found)
	}
	b, err := objects.Read(t.Context(), st, o.Key)
	if err != nil {
		t.Fatal(err)
	}
	f, err := parts.Open(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		t.Fatal(err)
	}
	read := func(name string) []byte {
		i, ok := f.Find(name)
		if !ok {
			t.Fatalf("no section %s", name)
		}
		body, err := f.Section(i)
		if err != nil {
			t.Fatal(err)
		}
		return body
	}
	if top, _, err := landscape.TopTrees.Decode(read("top-trees")); err != nil || len(top) != landscape.Tops ||
		top[0].Item.Height < top[999].Item.Height || top[0].KG != "99002" {
		t.Errorf("%d trees, %v", len(top), err)
	}
	if list, _, err := landscape.Built.Decode(read("buildings-99002")); err != nil || len(list) != 3 {
		t.Errorf("%d buildings, %v", len(list), err)
	}
	ranges, _, err := landscape.DecodeRanges(landscape.Built, read("ranges-buildings"))
	if err != nil || len(ranges) != 1 || ranges[0].Rows != 3 || ranges[0].Bounds[0] != [2]float64{4, 6} {
		t.Errorf("%+v, %v", ranges, err)
	}
	// The same files publish nothing; another file is another index.
	if done, _, err := Publish(t.Context(), st, files, 1, nil); err != nil || done.Changed {
		t.Errorf("%+v, %v", done, err)
	}
	files["99001"] = File{Key: put(t, st, "99001", reg, 5), JSONURL: "https://r.example/1", LightURL: "https://r.example/2",
		FullURL: "https://r.example/3"}
	if done, _, err := Publish(t.Context(), st, files, 1, nil); err != nil || !done.Changed {
		t.Errorf("%+v, %v", done, err)
	}
	if live, err = national.ReadLive(t.Context(), st); err != nil {
		t.Fatal(err)
	}
	entries, err = Served(t.Context(), st, live.Pointer.Artefacts[landscape.Artefact])
	if err != nil || entries[0].JSONURL != "https://r.example/1" || entries[0].LightURL != "https://r.example/2" ||
		entries[0].FullURL != "https://r.example/3" ||
		entries[1].FullURL != "" {
		t.Errorf("addresses of products: %+v, %v", entries[0].Record, err)
	}
}

func TestRefusals(t *testing.T) {
	st, reg, files := country(t)
	if _, _, err := Build(t.Context(), st, reg, Files{"12345": files["99002"]}, 1); err == nil {
		t.Error("a KG that the register does not have: no error")
	}
	if _, _, err := Publish(t.Context(), mem.New(), nil, 1, nil); err == nil {
		t.Error("an index of nothing is published")
	}
}

// One file that cannot be read is named and keeps no other KG out; a store that gives no answer is an error.
func TestUnreadFiles(t *testing.T) {
	st, reg, files := country(t)
	damaged := put(t, st, "99001", reg, 4)
	if _, err := st.Put(t.Context(), damaged, []byte("damaged"), store.PutOptions{}); err != nil {
		t.Fatal(err)
	}
	for name, f := range map[string]File{"the file of another KG": files["99002"], "a damaged file": {Key: damaged},
		"a file that is not there": {Key: "landscape/99001/99001-2026-10-01-0123456789abcdef.parts"}} {
		o, unread, err := Build(t.Context(), st, reg, Files{"99001": f, "99002": files["99002"]}, 2)
		if err != nil || len(unread) != 1 || unread[0].KG != "99001" || !errors.Is(unread[0].Err, ErrUnreadable) {
			t.Fatalf("%s: %v, %v", name, unread, err)
		}
		entries, err := Served(t.Context(), st, o)
		if err != nil || len(entries) != 2 || entries[0].Processed || entries[0].File != "" || entries[0].ParcelCount != 20 ||
			!entries[1].Processed {
			t.Errorf("%s: %+v, %v", name, entries, err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := Build(ctx, st, reg, files, 1); err == nil {
		t.Error("a store without an answer: no error")
	}
}

// The files that a kept index names are kept, others go.
func TestPruningKeepsFiles(t *testing.T) {
	st, reg, files := country(t)
	if _, _, err := Publish(t.Context(), st, files, 1, nil); err != nil {
		t.Fatal(err)
	}
	stray := put(t, st, "99001", reg, 9)
	later := func() time.Time { return time.Now().Add(100 * 24 * time.Hour) }
	if _, err := national.Prune(t.Context(), st, national.PruneOptions{Now: later}); err != nil {
		t.Fatal(err)
	}
	if _, err := st.Head(t.Context(), files["99002"].Key); err != nil {
		t.Errorf("a file that is served: %v", err)
	}
	if _, err := st.Head(t.Context(), stray); err == nil {
		t.Error("a file that no index names is kept")
	}
}
