package manifest

import (
	"crypto/sha256"
	"encoding/hex"
	"reflect"
	"testing"

	"mappe/shared/austria"
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
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("want %+v, got %+v, %v", want, got, err)
	}
}

func TestPointerOfANewerFormatIsRefused(t *testing.T) {
	for _, s := range []string{`{"format":3}`, `{"format":0}`, `{`, `{"format":1,"manifest":"../x","register":"y"}`} {
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

// A manifest comes back from its parts; a KG that changed changes its part alone.
func TestSplitAndJoin(t *testing.T) {
	entry := func(code austria.KGCode, stichtag string) Entry {
		o := Object{Key: "kg/" + string(code) + "/" + string(code) + "-2026-10-01-" + sum + ".kgs", Bytes: 3, SHA256: "aa"}
		return Entry{Code: code, Stichtag: stichtag, Forms: Forms{o, o, o, o, o}}
	}
	m := Manifest{Format: Format, Stichtag: "2026-10-01", KGCount: 4}
	for _, code := range []austria.KGCode{"01004", "01005", "14168", "99101"} {
		m.KGs = append(m.KGs, entry(code, "2026-10-01"))
	}
	split := func() (Manifest, [][]byte, []string) {
		t.Helper()
		blobs, err := m.Split()
		if err != nil {
			t.Fatal(err)
		}
		var bodies [][]byte
		var names []string
		for _, b := range blobs[:len(blobs)-1] {
			bodies, names = append(bodies, b.Body), append(names, b.Key.String())
		}
		head, err := ParseManifest(blobs[len(blobs)-1].Body)
		if err != nil || len(head.KGs) != 0 {
			t.Fatalf("%v, %d KGs in the head", err, len(head.KGs))
		}
		return head, bodies, names
	}
	head, bodies, names := split()
	if len(bodies) != 3 {
		t.Fatalf("want 3 parts, got %v", names)
	}
	got := head
	if err := got.Join(bodies); err != nil || !reflect.DeepEqual(got.KGs, m.KGs) {
		t.Errorf("joined: %+v, %v", got.KGs, err)
	}
	if p, ok := head.PartOf("14999"); !ok || p.Key != names[1] || p.KGs != 1 {
		t.Errorf("part of 14999: %+v, %v", p, ok)
	}
	if p, ok := head.PartOf("50001"); ok {
		t.Errorf("part of 50001: %+v", p)
	}
	m.KGs[2].Stichtag = "2026-11-01"
	if _, _, after := split(); after[0] != names[0] || after[1] == names[1] || after[2] != names[2] {
		t.Errorf("one KG changed: parts %v, before %v", after, names)
	}
	for name, spoil := range map[string]func(b [][]byte) [][]byte{
		"a part is missing":   func(b [][]byte) [][]byte { return b[:2] },
		"parts in disorder":   func(b [][]byte) [][]byte { return [][]byte{b[1], b[0], b[2]} },
		"a part that changed": func(b [][]byte) [][]byte { return [][]byte{b[0], append(b[1][:0:0], b[1][1:]...), b[2]} },
	} {
		h := head
		if err := h.Join(spoil(bodies)); err == nil {
			t.Errorf("%s: want an error", name)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(`{"format":1,"kgs":[{"kg_code":"01004"}]}`))
	f.Add([]byte(`{"format":2,"parts":[{"prefix":"01","key":"manifests/kgs-0123456789abcdef.json","sha256":"0123456789abcdef"}]}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		_, _ = ParseManifest(b)
		_, _ = ParsePointer(b)
		h := sha256.Sum256(b)
		_, _ = Part{Object: Object{SHA256: hex.EncodeToString(h[:])}}.Parse(b)
	})
}
