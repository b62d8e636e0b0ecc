package national

import (
	"context"
	"crypto/md5"
	"encoding/hex"
	"fmt"
	"io/fs"
	"slices"

	"golang.org/x/sync/errgroup"

	"mappe/artefacts/keys"
	"mappe/artefacts/kgdocs"
	"mappe/artefacts/kgfile"
	"mappe/artefacts/manifest"
	"mappe/builders/kg"
	"mappe/builders/source/epochs"
	"mappe/shared/austria"
	"mappe/shared/cloud/store"
)

// Earlier are snapshots of earlier epochs that stand in the store, by KG: a publication adds them to the lists of
// versions and serves none of them.
type Earlier map[austria.KGCode][]kgdocs.Version

// importedFrom is the source of a snapshot that was imported.
const importedFrom = "research_repository"

// importEpochs makes the snapshots of a source's epochs and writes them. The same file gives the same object, so that
// a repeat writes nothing. Files of KGs that are not known are told by the caller.
func importEpochs(ctx context.Context, st store.Store, files fs.FS, facts []Facts) (Earlier, error) {
	if files == nil {
		return nil, nil
	}
	list, err := epochs.Files(files)
	if err != nil || len(list) == 0 {
		return nil, err
	}
	known := map[austria.KGCode]*Facts{}
	for i := range facts {
		known[facts[i].Code] = &facts[i]
	}
	made := make([]kgdocs.Version, len(list))
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(2)
	for i, f := range list {
		if known[f.Code] == nil {
			continue
		}
		g.Go(func() (err error) {
			made[i], err = importEpoch(ctx, st, files, f, known[f.Code])
			return err
		})
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	out := Earlier{}
	for i, f := range list {
		if made[i].Key != "" {
			out[f.Code] = append(out[f.Code], made[i])
		}
	}
	return out, nil
}

// importEpoch makes one snapshot and writes it.
func importEpoch(ctx context.Context, st store.Store, files fs.FS, f epochs.File, of *Facts) (kgdocs.Version, error) {
	raw, _, err := epochs.Read(files, f)
	if err != nil {
		return kgdocs.Version{}, err
	}
	snap := kg.FromDrawn(kgfile.KG{Code: f.Code, Name: of.Name, GemeindeCode: of.GemeindeCode, GemeindeName: of.GemeindeName, DistrictName: of.DistrictName}, raw.Parcels,
		kgfile.Build{Stichtag: f.Date, AssemblyVersion: "legacy", IngestGeneration: string(raw.Generation), Source: raw.Credit})
	body, err := kgfile.Encode(snap)
	if err != nil {
		return kgdocs.Version{}, fmt.Errorf("%s: %w", f.Path, err)
	}
	key := keys.Snapshot{Code: f.Code, Date: f.Date, Sum: keys.Sum(body), Form: keys.KGS}
	if err := put(ctx, st, key, body); err != nil {
		return kgdocs.Version{}, err
	}
	sum := md5.Sum(body)
	version := raw.Processing
	if version == "" {
		version = "inspire-v2"
	}
	return kgdocs.Version{
		Date: f.Date, Filename: key.Name() + ".kgs", Key: key.String(), Size: int64(len(body)), MD5: hex.EncodeToString(sum[:]), SHA256: sha(body),
		ParcelCount: len(snap.Parcels), ProcessingVersion: version, Source: importedFrom, IngestGeneration: raw.Generation,
	}, nil
}

// addEarlier adds the earlier snapshots of a row's KG to its list of versions. Those that are not earlier than what is
// served are left out: they are no history.
func (p *Publication) addEarlier(ctx context.Context, r *row) error {
	more := p.Earlier[r.entry.Code]
	if len(more) == 0 || r.entry.Versions.Key == "" {
		return nil
	}
	b, err := read(ctx, p.Store, r.entry.Versions.Key)
	if err != nil {
		return err
	}
	v, err := kgdocs.ParseVersions(b)
	if err != nil {
		return err
	}
	before := len(v.Snapshots)
	for _, n := range slices.Clone(more) {
		if n.Date >= v.Latest {
			continue
		}
		if v, err = v.WithEarlier(n); err != nil {
			return err
		}
	}
	if len(v.Snapshots) == before {
		return nil
	}
	body, err := manifest.Encode(v)
	if err != nil {
		return err
	}
	key := keys.Versions{Code: r.entry.Code, Sum: keys.Sum(body)}
	r.entry.Versions = objectOf(key, body)
	return put(ctx, p.Store, key, body)
}
