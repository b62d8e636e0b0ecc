package manifest

import (
	"reflect"
	"testing"
)

const sum = "0123456789abcdef"

func TestPointerRoundTrip(t *testing.T) {
	want := Pointer{Format: 1, Generation: sum, Manifest: "manifests/" + sum + ".json", Register: "register/" + sum + ".reg",
		Stichtag: "2026-10-01", KGCount: 12, UniverseHash: "ab"}
	b, err := Encode(want)
	if err != nil {
		t.Fatal(err)
	}
	got, err := ParsePointer(b)
	if err != nil || got != want {
		t.Errorf("want %+v, got %+v, %v", want, got, err)
	}
}

func TestPointerOfANewerFormatIsRefused(t *testing.T) {
	for _, s := range []string{`{"format":2}`, `{"format":0}`, `{`, `{"format":1,"manifest":"../x","register":"y"}`} {
		if _, err := ParsePointer([]byte(s)); err == nil {
			t.Errorf("ParsePointer(%s): want an error", s)
		}
	}
}

func TestManifestRoundTripAndFind(t *testing.T) {
	entry := func(code string) Entry {
		o := Object{Key: "kg/" + code + "/" + code + "-2026-10-01-" + sum + ".kgs", Bytes: 3, SHA256: "aa"}
		return Entry{Code: "01004", Forms: Forms{o, o, o, o, o}}
	}
	a, b := entry("01004"), entry("01004")
	b.Code = "14168"
	want := Manifest{Format: 1, KGs: []Entry{a, b}}
	raw, err := Encode(want)
	if err != nil {
		t.Fatal(err)
	}
	got, err := ParseManifest(raw)
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Fatalf("want %+v, got %+v, %v", want, got, err)
	}
	if e, ok := got.Find("14168"); !ok || e.Code != "14168" {
		t.Errorf("Find(14168): got %+v, %v", e, ok)
	}
	if _, ok := got.Find("99999"); ok {
		t.Error("Find(99999): want nothing")
	}
	want.KGs[0], want.KGs[1] = want.KGs[1], want.KGs[0]
	raw, _ = Encode(want)
	if _, err := ParseManifest(raw); err == nil {
		t.Error("KGs out of order: want an error")
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(`{"format":1,"kgs":[{"kg_code":"01004"}]}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		_, _ = ParseManifest(b)
		_, _ = ParsePointer(b)
	})
}
