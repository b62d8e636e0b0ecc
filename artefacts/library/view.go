package library

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"

	"mappe/artefacts/kgfile"
	"mappe/artefacts/manifest"
	"mappe/artefacts/register"
	"mappe/shared/austria"
	"mappe/shared/cloud/store"
)

// View is one generation, for the time of one request.
type View struct {
	l *Library
	g *generation
}

// Generation names the generation; ETags derive from it.
func (v *View) Generation() string { return v.g.pointer.Generation }

// Pointer is the pointer of the generation: its keys, attribution and counts.
func (v *View) Pointer() manifest.Pointer { return v.g.pointer }

// dependsTogether is how many bytes Depends hashes at once.
const dependsTogether = 4 << 10

// Depends names the state of the data that an answer about these KGs is made from: it changes when a snapshot
// of one of them, or what the register knows of one without a snapshot, does, and with nothing else that is
// published. The order of the codes counts.
func (v *View) Depends(codes []austria.KGCode) string {
	h := sha256.New()
	var row []byte
	row = append(row, v.Register().Attribution()...)
	kgs, next := v.g.register.KGs(), 0
	for _, c := range codes {
		row = append(append(row, 0), c...)
		if next == len(kgs) || kgs[next].Code != c { // mostly the codes rise one by one
			next, _ = v.g.register.Index(c)
		}
		if next == len(kgs) || kgs[next].Code != c {
			continue
		}
		if k := &kgs[next]; k.Snapshot.Key != "" { // what the register says of the KG was made from the snapshot
			row = append(row, k.Snapshot.SHA256[:]...)
		} else {
			digest := v.g.register.Digest(next)
			row = append(row, digest[:]...)
		}
		next++
		if len(row) > dependsTogether { // a hash is quicker over many bytes at once
			h.Write(row)
			row = row[:0]
		}
	}
	h.Write(row)
	var sum [sha256.Size]byte
	return hex.EncodeToString(h.Sum(sum[:0])[:16])
}

// Register is the national register.
func (v *View) Register() *register.Register { return v.g.register }

// Warm says whether a snapshot of the KG is in the object store, as the register has it.
func (v *View) Warm(code austria.KGCode) bool {
	k := v.g.register.KG(code)
	return k != nil && k.Snapshot.Key != ""
}

// KG gives the file of a KG, from memory or with one read. ErrUnknownKG and ErrCold say that there is
// none (yet), ErrDamaged that it cannot be used, ErrStore that the store gives no answer.
func (v *View) KG(ctx context.Context, code austria.KGCode) (*kgfile.File, error) {
	k := v.g.register.KG(code)
	if k == nil {
		return nil, fmt.Errorf("KG %s: %w", code, ErrUnknownKG)
	}
	if k.Snapshot.Key == "" {
		v.l.warmUp(code)
		return nil, fmt.Errorf("KG %s: %w", code, ErrCold)
	}
	if v.l.opt.Used != nil {
		v.l.opt.Used(code)
	}
	if f, ok := v.l.cache.hit(name{k.Snapshot.Key, whole}).(*kgfile.File); ok {
		return f, nil
	}
	return v.l.file(ctx, code, k.Snapshot.Key, k.Snapshot.Bytes)
}

// InMemory says whether the file of a KG is in memory.
func (v *View) InMemory(code austria.KGCode) bool {
	k := v.g.register.KG(code)
	return k != nil && v.l.cache.has(name{k.Snapshot.Key, whole})
}

// file gives the file of a snapshot, from memory or with one read.
func (l *Library) file(ctx context.Context, code austria.KGCode, key string, size int64) (*kgfile.File, error) {
	n := name{key, whole}
	f, err := l.cache.get(ctx, n, func(ctx context.Context) (any, int64, error) {
		f, err := l.open(ctx, code, key, size)
		if err != nil {
			return nil, 0, err
		}
		return f, f.Bytes(), nil
	})
	if errors.Is(err, store.ErrNotFound) { // evicted or lost since the register was written
		l.present.lose(key)
		l.warmUp(code)
		return nil, fmt.Errorf("KG %s: %w (%w)", code, ErrCold, err)
	}
	if err != nil {
		return nil, err
	}
	return as[*kgfile.File](n, f)
}

// open reads an object of at most limit bytes and checks that it holds the KG.
func (l *Library) open(ctx context.Context, code austria.KGCode, key string, limit int64) (*kgfile.File, error) {
	body, err := l.read(ctx, key, limit)
	if errors.Is(err, store.ErrTooLarge) {
		return nil, fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	if err != nil {
		return nil, err
	}
	l.present.note(l.opt.Now(), key)
	f, err := kgfile.Open(body)
	if err != nil {
		return nil, fmt.Errorf("%s: %w: %w", key, ErrDamaged, err)
	}
	if got := f.KG().Code; got != code {
		return nil, fmt.Errorf("%s: %w: it holds KG %s", key, ErrDamaged, got)
	}
	return f, nil
}

// Warms says whether the KGs that are cold in this view will be made warm.
func (v *View) Warms() bool { return v.l.Warms() }
