// Package stagetest puts snapshots into the stores of countries that the tests of stages run over.
package stagetest

import (
	"testing"

	"mappe/artefacts/keys"
	"mappe/artefacts/kgfile"
	"mappe/artefacts/manifest"
	"mappe/builders/objects"
	"mappe/shared/cloud/store"
)

// Entry writes the file of a snapshot, under its date, and gives its entry in a manifest.
func Entry(tb testing.TB, st store.Store, s *kgfile.Snapshot) manifest.Entry {
	tb.Helper()
	body, err := kgfile.Encode(s)
	if err != nil {
		tb.Fatal(err)
	}
	key := keys.Snapshot{Code: s.KG.Code, Date: s.Build.Stichtag, Sum: keys.Sum(body), Form: keys.KGS}
	if err := objects.Put(tb.Context(), st, key, body); err != nil {
		tb.Fatal(err)
	}
	return manifest.Entry{Code: s.KG.Code, Stichtag: s.Build.Stichtag, Parcels: len(s.Parcels),
		Forms: manifest.Forms{KGS: objects.Of(key, body)}}
}
