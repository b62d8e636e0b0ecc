package worldtest

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"slices"
	"strings"

	"mappe/artefacts/directory"
	"mappe/artefacts/keys"
	"mappe/artefacts/kgfile"
	"mappe/artefacts/manifest"
	"mappe/artefacts/sectionfile"
	"mappe/shared/austria"
	"mappe/shared/cloud/store"
)

// AddDirectory gives the published generation a search directory of the KGs, without those that cold names.
func AddDirectory(s store.Store, snapshots []*kgfile.Snapshot, cold ...austria.KGCode) error {
	b := directory.NewBuilder()
	list := slices.SortedFunc(slices.Values(snapshots), func(a, b *kgfile.Snapshot) int {
		return strings.Compare(string(a.KG.Code), string(b.KG.Code))
	})
	for _, snap := range list {
		if slices.Contains(cold, snap.KG.Code) {
			continue
		}
		if err := b.Add(&snap.KG, snap.Parcels, snap.Buildings); err != nil {
			return err
		}
	}
	head, err := b.Head(directory.Sum{})
	if err != nil {
		return err
	}
	file, err := sectionfile.EncodeFilled(directory.Kind, head, b.Write)
	if err != nil {
		return err
	}
	return addArtefact(s, directory.Artefact, file)
}

// addArtefact names one more artefact of the country in the pointer.
func addArtefact(s store.Store, kind string, body []byte) error {
	return putArtefact(s, kind, keys.National{Name: kind, Sum: keys.Sum(body), Ext: "parts"}, body)
}

// putArtefact writes an artefact under a key and names it in the pointer.
func putArtefact(s store.Store, kind string, key keys.Key, body []byte) error {
	ctx := context.Background()
	if _, err := s.Put(ctx, key.String(), body, store.PutOptions{Immutable: true}); err != nil {
		return err
	}
	sum := sha256.Sum256(body)
	return Name(s, kind, manifest.Object{Key: key.String(), Bytes: int64(len(body)), SHA256: hex.EncodeToString(sum[:])})
}

// Name gives the published generation an artefact that lies in the store.
func Name(s store.Store, kind string, o manifest.Object) error {
	return editPointer(s, func(p *manifest.Pointer) { p.Artefacts = p.Artefacts.With(manifest.Artefacts{kind: o}) })
}

// editPointer changes the pointer in place.
func editPointer(s store.Store, edit func(*manifest.Pointer)) error {
	ctx := context.Background()
	raw, _, err := store.ReadAll(ctx, s, keys.Current{}.String(), 1<<20, store.GetOptions{})
	if err != nil {
		return err
	}
	var p manifest.Pointer
	if err := json.Unmarshal(raw, &p); err != nil {
		return err
	}
	edit(&p)
	if raw, err = manifest.Encode(p); err != nil {
		return err
	}
	_, err = s.Put(ctx, keys.Current{}.String(), raw, store.PutOptions{})
	return err
}
