package library

import (
	"context"
	"errors"
	"fmt"

	"mappe/artefacts/kgfile"
	"mappe/artefacts/manifest"
	"mappe/artefacts/rowschema"
	"mappe/shared/austria"
)

// ErrNoVersion: the KG has no snapshot on or before the date.
var ErrNoVersion = errors.New("no snapshot on or before the date")

// KGAt gives the file of a KG's newest snapshot on or before a date, YYYY-MM-DD, as KG does for the present
// one. The first earlier snapshot asked of a generation costs a read of its manifest, the first of a part of
// it another, the first of a KG one of its list of versions; all are remembered as long as the generation is
// held. ErrNoVersion says that every snapshot is younger.
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
	turn    chan struct{} // one token: whoever holds it reads and writes what follows
	head    *manifest.Manifest
	entries map[austria.KGCode]listed // of the parts that were read
	read    map[string]bool           // the parts, by prefix
	known   map[austria.KGCode][]version
}

// listed is what is remembered of a KG's entry in the manifest.
type listed struct {
	versions  string // key of the list
	artefacts manifest.Artefacts
	forms     manifest.Forms // of the served snapshot
}

func newVersionIndex() *versionIndex {
	return &versionIndex{turn: make(chan struct{}, 1), entries: map[austria.KGCode]listed{}, read: map[string]bool{},
		known: map[austria.KGCode][]version{}}
}

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
	entry, err := v.entryIn(ctx, x, code)
	if err != nil {
		return nil, err
	}
	key := entry.versions
	s := v.g.register.KG(code).Snapshot
	list := []version{{s.Date, s.Key, s.Bytes}}
	if key != "" {
		body, err := v.l.read(ctx, key, maxVersionList)
		if err != nil {
			return nil, err
		}
		doc, err := rowschema.ParseVersions(body)
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

// entry is what the manifest says of a KG; nothing of one that it does not name.
func (v *View) entry(ctx context.Context, code austria.KGCode) (listed, error) {
	x := v.g.versions
	select {
	case x.turn <- struct{}{}:
		defer func() { <-x.turn }()
	case <-ctx.Done():
		return listed{}, ctx.Err()
	}
	return v.entryIn(ctx, x, code)
}

// entryIn is entry for one who has the turn.
func (v *View) entryIn(ctx context.Context, x *versionIndex, code austria.KGCode) (listed, error) {
	if x.head == nil {
		p := v.g.pointer
		body, err := v.l.read(ctx, p.Manifest, maxManifest)
		if err != nil {
			return listed{}, err
		}
		if err := checkSum(p.Manifest, body, p.ManifestSHA256); err != nil {
			return listed{}, err
		}
		head, err := manifest.ParseManifest(body)
		if err != nil {
			return listed{}, fmt.Errorf("%s: %w", p.Manifest, err)
		}
		x.note(head.KGs) // of a manifest without parts
		head.KGs = nil
		x.head = &head
	}
	part, ok := x.head.PartOf(code)
	if ok && !x.read[part.Prefix] {
		body, err := v.l.read(ctx, part.Key, maxManifest)
		if err != nil {
			return listed{}, err
		}
		kgs, err := part.Parse(body)
		if err != nil {
			return listed{}, err
		}
		x.note(kgs)
		x.read[part.Prefix] = true
	}
	return x.entries[code], nil
}

// note remembers what is asked for of KGs; the rest of a manifest is not held.
func (x *versionIndex) note(kgs []manifest.Entry) {
	for _, k := range kgs {
		x.entries[k.Code] = listed{k.Versions.Key, k.Artefacts, k.Forms}
	}
}
