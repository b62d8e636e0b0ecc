package kgbuild

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"time"

	"mappe/artefacts/keys"
	"mappe/builders/source/filestate"
	"mappe/shared/geo/mvt"
)

// Looked is what a look at the source of a KG remembers for the next one: while the files of its tiles are in the same state,
// and all else that a build reads is the same, what was built of them stands without their being read. The zero value is no
// look.
type Looked struct {
	Input string `json:"input"` // of the digest that stood
	Files string `json:"files"` // fingerprint of the states of the files, and of all else
}

// Stater is a source of tiles that can tell the state of a tile's file; false: only its bytes tell whether it has changed.
type Stater interface {
	State(tileset string, id mvt.TileID) (filestate.State, bool)
}

// asLooked takes the build that stood at the last look where nothing has changed since then; nil where that is not so, or
// cannot be told: the tiles are read then.
func (t *Task) asLooked(ctx context.Context, facts []byte, cover []tileName) *Made {
	from, ok := t.Tiles.(Stater)
	if !ok || t.Looked.Input == "" || t.Force {
		return nil
	}
	key := keys.Digest{Code: t.Facts.Code, Input: t.Looked.Input}
	d, err := ReadDigest(ctx, t.Store, key.String())
	if err != nil {
		return nil
	}
	s := states{}
	for _, n := range append(cover[:len(cover):len(cover)], d.Extra...) {
		if !s.note(from, n) {
			return nil
		}
	}
	if s.fingerprint(facts, cover, d.Extra) != t.Looked.Files {
		return nil
	}
	if kept, err := Whole(ctx, t.Store, d.Entry); !kept || err != nil {
		return nil
	}
	made, err := t.reuse(ctx, d, key)
	if err != nil {
		return nil
	}
	made.Looked = t.Looked
	return &made
}

// states are those of files before they were read.
type states map[tileName]filestate.State

// note looks at the file of a tile; false where the state is not told.
func (s states) note(from Stater, n tileName) bool {
	one, ok := from.State(n.Tileset, n.ID)
	if ok {
		s[n] = one
	}
	return ok
}

// fingerprint covers the states of the files of a build, and what else it reads.
func (s states) fingerprint(facts []byte, cover, extra []tileName) string {
	h := sha256.New()
	fmt.Fprintln(h, Recipe)
	h.Write(facts)
	var line bytes.Buffer
	for _, n := range append(cover[:len(cover):len(cover)], extra...) {
		line.Reset()
		fmt.Fprintln(&line, n.Tileset, n.ID.Z, n.ID.X, n.ID.Y, s[n].Text)
		h.Write(line.Bytes())
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// remember is what this look is to remember of a build that stands, begun at a time. It is empty where a tile was taken for
// an empty one, which the next run may not accept, or where a file may change again unseen.
func (t *Task) remember(r *recorder, began time.Time, facts []byte, cover []tileName, m *Made) Looked {
	from, ok := t.Tiles.(Stater)
	if !ok || began.IsZero() || r.broken > 0 || m.Digest.Format == 0 {
		return Looked{}
	}
	for _, n := range append(cover[:len(cover):len(cover)], m.Digest.Extra...) {
		if one, ok := r.states[n]; !ok || !one.Settled(began) {
			return Looked{}
		}
	}
	if len(cover) > 0 {
		if _, ok := from.State(cover[0].Tileset, cover[0].ID); !ok { // what was drawn is not to be trusted
			return Looked{}
		}
	}
	return Looked{m.Key.Input, r.states.fingerprint(facts, cover, m.Digest.Extra)}
}
