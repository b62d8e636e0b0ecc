package worldtest

import (
	"cmp"
	"context"
	"crypto/md5"
	"crypto/sha256"
	"encoding/hex"
	"slices"

	"mappe/artefacts/keys"
	"mappe/artefacts/kgfile"
	"mappe/artefacts/manifest"
	"mappe/artefacts/rowschema"
	"mappe/shared/austria"
	"mappe/shared/cloud/store"
)

// putVersions writes the earlier snapshots and, for each KG that has any, the list of its snapshots.
func putVersions(ctx context.Context, s store.Store, p plan, entries *[]manifest.Entry) error {
	by := map[austria.KGCode][]*kgfile.Snapshot{}
	for _, e := range p.earlier {
		by[e.KG.Code] = append(by[e.KG.Code], e)
	}
	for _, now := range p.snapshots {
		past := by[now.KG.Code]
		if len(past) == 0 {
			continue
		}
		slices.SortFunc(past, func(a, b *kgfile.Snapshot) int { return cmp.Compare(a.Build.Stichtag, b.Build.Stichtag) })
		list := rowschema.Versions{KGCode: now.KG.Code, KGName: now.KG.Name}
		entry := manifest.Entry{Code: now.KG.Code, Name: now.KG.Name, Stichtag: Stichtag}
		for _, snap := range append(slices.Clone(past), now) {
			o, sum, err := putSnapshot(ctx, s, snap)
			if err != nil {
				return err
			}
			entry.Forms = manifest.Forms{KGS: o, GeoParquet: o, GeoJSON: o, GeoPackage: o, PMTiles: o} // readers of versions look at none
			list, err = list.With(rowschema.Version{Date: snap.Build.Stichtag,
				Filename: keys.Snapshot{Code: now.KG.Code, Date: snap.Build.Stichtag}.Name() + ".kgs",
				Key:      o.Key, Size: o.Bytes, MD5: sum, SHA256: o.SHA256, ParcelCount: len(snap.Parcels),
				ProcessingVersion: rowschema.ProcessingVersion},
				rowschema.StampOf(snap.Build.AssemblyVersion, snap.Build.IngestGeneration))
			if err != nil {
				return err
			}
		}
		body, err := manifest.Encode(list)
		if err != nil {
			return err
		}
		entry.Versions = manifest.Object{Key: keys.Versions{Code: now.KG.Code, Sum: keys.Sum(body)}.String(), Bytes: int64(len(body))}
		if _, err := s.Put(ctx, entry.Versions.Key, body, store.PutOptions{Immutable: true}); err != nil {
			return err
		}
		*entries = append(*entries, entry)
	}
	slices.SortFunc(*entries, func(a, b manifest.Entry) int { return cmp.Compare(a.Code, b.Code) })
	return nil
}

// putSnapshot writes a snapshot under the date of its build, and gives its MD5 too.
func putSnapshot(ctx context.Context, s store.Store, snap *kgfile.Snapshot) (manifest.Object, string, error) {
	body, err := kgfile.Encode(snap)
	if err != nil {
		return manifest.Object{}, "", err
	}
	key := keys.Snapshot{Code: snap.KG.Code, Date: snap.Build.Stichtag, Sum: keys.Sum(body), Form: keys.KGS}.String()
	_, err = s.Put(ctx, key, body, store.PutOptions{Immutable: true})
	sum, short := sha256.Sum256(body), md5.Sum(body)
	return manifest.Object{Key: key, Bytes: int64(len(body)), SHA256: hex.EncodeToString(sum[:])}, hex.EncodeToString(short[:]), err
}
