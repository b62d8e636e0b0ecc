package library

import (
	"context"
	"fmt"

	"mappe/artefacts/keys"
	"mappe/artefacts/kgfile"
	"mappe/artefacts/rowschema"
	"mappe/shared/austria"
)

// versionLists decodes the lists of dated snapshots; a version takes about 300 bytes.
var versionLists = Decoder[rowschema.Versions]{Limit: maxVersionList, Decode: func(body []byte) (rowschema.Versions, int64, error) {
	doc, err := rowschema.ParseVersions(body)
	return doc, int64(2 * len(body)), err
}}

// Versions is the list of a KG's dated snapshots, false for a KG that has none: it was stored before snapshots were
// listed, or has no snapshot at all. ErrUnknownKG says that there is no such KG.
func (v *View) Versions(ctx context.Context, code austria.KGCode) (rowschema.Versions, bool, error) {
	if v.g.register.KG(code) == nil {
		return rowschema.Versions{}, false, fmt.Errorf("KG %s: %w", code, ErrUnknownKG)
	}
	e, err := v.entry(ctx, code)
	if err != nil || e.versions == "" {
		return rowschema.Versions{}, false, err
	}
	key, err := keys.Parse(e.versions)
	if err != nil {
		return rowschema.Versions{}, false, fmt.Errorf("KG %s: %w: %w", code, ErrDamaged, err)
	}
	doc, err := Get(ctx, v, key, versionLists)
	return doc, err == nil, err
}

// Snapshot gives the file of a listed snapshot of a KG. ErrCold says that it is not in the store.
func (v *View) Snapshot(ctx context.Context, code austria.KGCode, s rowschema.Version) (*kgfile.File, error) {
	if _, err := keys.Parse(s.Key); err != nil { // that the file is of the KG is seen when it is opened
		return nil, fmt.Errorf("KG %s: %w: %w", code, ErrDamaged, err)
	}
	return v.l.file(ctx, code, s.Key, s.Size)
}
