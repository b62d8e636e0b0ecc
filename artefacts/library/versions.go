package library

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"mappe/artefacts/kgdocs"
	"mappe/artefacts/kgfile"
	"mappe/artefacts/manifest"
	"mappe/shared/austria"
	"mappe/shared/cloud/store"
)

// VersionError says that a KG has no snapshot of a date, and which dates it has.
type VersionError struct {
	Code  austria.KGCode
	Date  string
	Dates []string // newest first, never empty
}

func (e *VersionError) Error() string {
	return fmt.Sprintf("KG %s has no snapshot of %s: it has %s", e.Code, e.Date, strings.Join(e.Dates, ", "))
}

// KGAt gives the file of a KG's snapshot of a date, YYYY-MM-DD, as KG does for the present one. The first
// earlier snapshot asked of a generation costs one read of its manifest, the first of a KG one of its list
// of versions; both are remembered as long as the generation is held. *VersionError says that there is no
// snapshot of the date.
func (v *View) KGAt(ctx context.Context, code austria.KGCode, date string) (*kgfile.File, error) {
	k := v.g.register.KG(code)
	if k == nil || k.Snapshot.Key == "" || k.Snapshot.Date == date {
		return v.KG(ctx, code)
	}
	versions, err := v.versions(ctx, code)
	if err != nil {
		return nil, err
	}
	missing := &VersionError{Code: code, Date: date}
	for _, s := range versions {
		if s.date == date {
			f, err := v.l.files.get(ctx, s.key, func(ctx context.Context) (*kgfile.File, error) {
				return v.l.openAs(ctx, code, s.key, s.bytes)
			})
			if errors.Is(err, store.ErrNotFound) {
				v.l.warmUp(code)
				return nil, fmt.Errorf("KG %s of %s: %w (%w)", code, date, ErrCold, err)
			}
			return f, err
		}
		missing.Dates = append(missing.Dates, s.date)
	}
	return nil, missing
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
	if sum := sha256.Sum256(body); hex.EncodeToString(sum[:]) != p.ManifestSHA256 {
		return nil, fmt.Errorf("%s has SHA-256 %x, the pointer says %s", p.Manifest, sum, p.ManifestSHA256)
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
