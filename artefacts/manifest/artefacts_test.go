package manifest

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"mappe/artefacts/keys"
)

// written is an object as a builder names it.
func written(key func(sum string) keys.Key, text string) Object {
	sum := sha256.Sum256([]byte(text))
	return Object{Key: key(keys.Sum([]byte(text))).String(), Bytes: int64(len(text)), SHA256: hex.EncodeToString(sum[:])}
}

func overlay(sum string) keys.Key {
	return keys.National{Name: "overlay-natura", Sum: sum, Ext: "parts"}
}

func cells(sum string) keys.Key { return keys.Cells{Code: "01004", Date: "2026-10-01", Sum: sum} }

func withArtefacts() (Pointer, Manifest) {
	form := written(func(sum string) keys.Key {
		return keys.Snapshot{Code: "01004", Date: "2026-10-01", Sum: sum, Form: keys.KGS}
	}, "kgs")
	a := Artefacts{"overlay-natura": written(overlay, "natura"), "prices-land": written(func(sum string) keys.Key {
		return keys.Prices{Name: "land", Sum: sum, Ext: "parts"}
	}, "prices")}
	p := Pointer{Format: Format, Generation: sum, Manifest: "manifests/" + sum + ".json", Register: "register/" + sum + ".reg",
		Stichtag: "2026-10-01", KGCount: 1, UniverseHash: "ab", Artefacts: a}
	m := Manifest{Format: 1, Stichtag: "2026-10-01", KGCount: 1, Artefacts: a,
		KGs: []Entry{{Code: "01004", Forms: Forms{form, form, form, form, form}, Artefacts: Artefacts{"cells": written(cells, "cells")}}}}
	return p, m
}

func TestArtefactsRoundTrip(t *testing.T) {
	p, m := withArtefacts()
	b, err := Encode(p)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := ParsePointer(b); err != nil || !reflect.DeepEqual(got, p) {
		t.Errorf("want %+v, got %+v, %v", p, got, err)
	}
	blobs, err := m.Split()
	if err != nil {
		t.Fatal(err)
	}
	head, err := ParseManifest(blobs[1].Body)
	if err != nil {
		t.Fatal(err)
	}
	if err := head.Join([][]byte{blobs[0].Body}); err != nil || !reflect.DeepEqual(head.Artefacts, m.Artefacts) ||
		!reflect.DeepEqual(head.KGs, m.KGs) {
		t.Errorf("want %+v, got %+v, %v", m, head, err)
	}
	national := map[string]bool{}
	for _, o := range head.National() {
		national[o.Key] = true
	}
	for kind, o := range m.Artefacts {
		if !national[o.Key] {
			t.Errorf("%s is not among the objects of the country", kind)
		}
	}
}

// A document of a builder that knows no artefacts has the bytes it always had.
func TestNoArtefactsNoMember(t *testing.T) {
	p, m := withArtefacts()
	p.Artefacts, m.Artefacts, m.KGs[0].Artefacts = Artefacts(nil).With(nil), nil, nil
	for _, doc := range []any{p, m} {
		if b, err := Encode(doc); err != nil || bytes.Contains(b, []byte("artefacts")) {
			t.Errorf("%s, %v", b, err)
		}
	}
}

func TestWithReplacesKindByKind(t *testing.T) {
	one, two, three := Object{Key: "1"}, Object{Key: "2"}, Object{Key: "3"}
	a, b := Artefacts{"a": one, "b": one}, Artefacts{"b": two, "c": three}
	if got := a.With(b); !reflect.DeepEqual(got, Artefacts{"a": one, "b": two, "c": three}) {
		t.Errorf("got %v", got)
	}
	if a["b"] != one || len(b) != 2 {
		t.Error("the operands were changed")
	}
}

func TestArtefactsThatAreNone(t *testing.T) {
	good := written(overlay, "natura")
	for name, c := range map[string]struct {
		kind   string
		change func(o *Object)
	}{
		"a kind with a capital":  {"Overlay", func(*Object) {}},
		"an empty kind":          {"", func(*Object) {}},
		"an invalid key":         {"overlay-natura", func(o *Object) { o.Key = "../x" }},
		"a key without content":  {"overlay-natura", func(o *Object) { o.Key = "current.json" }},
		"the sum of other bytes": {"overlay-natura", func(o *Object) { o.SHA256 = written(overlay, "x").SHA256 }},
		"a short sum":            {"overlay-natura", func(o *Object) { o.SHA256 = o.SHA256[:16] }},
		"a negative size":        {"overlay-natura", func(o *Object) { o.Bytes = -1 }},
	} {
		o := good
		c.change(&o)
		p, m := withArtefacts()
		p.Artefacts, m.Artefacts = Artefacts{c.kind: o}, Artefacts{c.kind: o}
		b, _ := Encode(p)
		if _, err := ParsePointer(b); err == nil {
			t.Errorf("%s: the pointer is read", name)
		}
		b, _ = Encode(m)
		if _, err := ParseManifest(b); err == nil {
			t.Errorf("%s: the manifest is read", name)
		}
		_, m = withArtefacts()
		m.KGs[0].Artefacts = Artefacts{c.kind: o}
		b, _ = Encode(m)
		if _, err := ParseManifest(b); err == nil {
			t.Errorf("%s: the entry of a KG is read", name)
		}
	}
	many := Artefacts{}
	for i := range maxArtefacts + 1 {
		many[strings.Repeat("a", i%20+1)+"-"+strings.Repeat("b", i/20+1)] = good
	}
	p, _ := withArtefacts()
	p.Artefacts = many
	b, _ := Encode(p)
	if _, err := ParsePointer(b); err == nil {
		t.Errorf("%d kinds are read", len(many))
	}
}

var freeze = flag.Bool("freeze", false, "write frozen documents that do not exist yet")

// Frozen documents open for ever: those without further artefacts as builders wrote them, and those with.
func TestFrozenDocumentsOpen(t *testing.T) {
	p, m := withArtefacts()
	plainP, plainM := p, m
	plainP.Artefacts, plainM.Artefacts = nil, nil
	plainM.KGs = []Entry{m.KGs[0]}
	plainM.KGs[0].Artefacts = nil
	for name, want := range map[string]any{"pointer-2": plainP, "pointer-2-artefacts": p, "manifest-1": plainM, "manifest-1-artefacts": m} {
		file := filepath.Join("testdata", "frozen", name+".json")
		if _, err := os.Stat(file); err != nil && *freeze {
			b, _ := Encode(want)
			if err := os.WriteFile(file, b, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		b, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var got any
		if strings.HasPrefix(name, "pointer") {
			got, err = ParsePointer(b)
		} else {
			got, err = ParseManifest(b)
		}
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: want %+v, got %+v, %v", name, want, got, err)
		}
	}
}

// earlierPointer is what a reader knew of the pointer before it could name further artefacts.
type earlierPointer struct {
	Format                         int
	Generation, Manifest, Register string
	KGCount                        int `json:"kg_count"`
}

func TestEarlierReadersPassOverArtefacts(t *testing.T) {
	p, _ := withArtefacts()
	b, err := Encode(p)
	if err != nil {
		t.Fatal(err)
	}
	var got earlierPointer
	if err := json.Unmarshal(b, &got); err != nil || got.Format > 2 ||
		fmt.Sprint(got.Generation, got.Manifest, got.Register, got.KGCount) != fmt.Sprint(p.Generation, p.Manifest, p.Register, p.KGCount) {
		t.Errorf("%+v, %v", got, err)
	}
}
