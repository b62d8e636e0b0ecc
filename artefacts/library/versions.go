package library

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"mappe/artefacts/kgdocs"
	"mappe/artefacts/kgfile"
	"mappe/artefacts/manifest"
	"mappe/shared/austria"
	"mappe/shared/cloud/store"
)

// ErrNoVersion: the KG has no snapshot on or before the date.
var ErrNoVersion = errors.New("no snapshot on or before the date")

// KGAt gives the file of a KG's newest snapshot on or before a date, YYYY-MM-DD, as KG does for the present
// one. The first earlier snapshot asked of a generation costs one read of its manifest, the first of a KG one
// of its list of versions; both are remembered as long as the generation is held. ErrNoVersion says that
// every snapshot is younger.
func (v *View) KGAt(ctx context.Context, code austria.KGCode, date string) (*kgfile.File, error) {
	k := v.g.register.KG(code)
	if k == nil || k.Snapshot.Key == "" || k.Snapshot.Date <= date {
		return v.KG(ctx, code)
	}
	versions, err := v.versions(ctx, code)
	if err != nil {
		return nil, err
	}
	for _, s := range versions { // newest first
		if s.date <= date {
			return v.l.file(ctx, code, s.key, s.bytes)
		}
	}
	return nil, fmt.Errorf("KG %s: %w %s", code, ErrNoVersion, date)
}

// version is one dated snapshot of a KG.
type version struct {
	date, key string
	bytes     int64
}

// versionIndex is what a generation has learned of its dated snapshots.
type versionIndex struct {
	turn  chan struct{} // one token: whoever holds it reads and writes what follows
	lists map[austria.KGCode]string
	known map[austria.KGCode][]version
}

func newVersionIndex() *versionIndex { return &versionIndex{turn: make(chan struct{}, 1)} }

const maxVersionList = 4 << 20

// maxManifest is what manifest.ParseManifest reads at most.
const maxManifest = 64 << 20

// versions lists the snapshots of a KG, newest first; a KG without a list has its present one.
func (v *View) versions(ctx context.Context, code austria.KGCode) ([]version, error) {
	x := v.g.versions
	select {
	case x.turn <- struct{}{}:
		defer func() { <-x.turn }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	if list, ok := x.known[code]; ok {
		return list, nil
	}
	if x.lists == nil {
		lists, err := v.l.versionLists(ctx, v.g.pointer)
		if err != nil {
			return nil, err
		}
		x.lists, x.known = lists, map[austria.KGCode][]version{}
	}
	s := v.g.register.KG(code).Snapshot
	list := []version{{s.Date, s.Key, s.Bytes}}
	if key := x.lists[code]; key != "" {
		body, _, err := v.l.read(ctx, key, store.GetOptions{}, maxVersionList)
		if err != nil {
			return nil, err
		}
		doc, err := kgdocs.ParseVersions(body)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", key, err)
		}
		list = list[:0]
		for _, s := range doc.Snapshots {
			list = append(list, version{s.Date, s.Key, s.Size})
		}
	}
	x.known[code] = list
	return list, nil
}

// versionLists reads from the manifest which object lists each KG's snapshots. The rest of the manifest,
// some 20 MB for the country, is not held.
func (l *Library) versionLists(ctx context.Context, p manifest.Pointer) (map[austria.KGCode]string, error) {
	body, _, err := l.read(ctx, p.Manifest, store.GetOptions{}, maxManifest)
	if err != nil {
		return nil, err
	}
	if err := checkSum(p.Manifest, body, p.ManifestSHA256); err != nil {
		return nil, err
	}
	var doc struct {
		KGs []struct {
			Code     austria.KGCode  `json:"kg_code"`
			Versions manifest.Object `json:"versions"`
		} `json:"kgs"`
	}
	if err := json.Unmarshal(body, &doc); err != nil {
		return nil, fmt.Errorf("%s: %w", p.Manifest, err)
	}
	lists := make(map[austria.KGCode]string, len(doc.KGs))
	for _, k := range doc.KGs {
		lists[k.Code] = k.Versions.Key
	}
	return lists, nil
}
