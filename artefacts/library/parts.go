package library

import (
	"context"
	"fmt"
	"sync"

	"mappe/artefacts/keys"
	"mappe/artefacts/sectionfile"
	"mappe/shared/cloud/store"
)

// Parts is an artefact that is too large to hold: its directory is in memory, its sections are read by range.
type Parts struct {
	*sectionfile.Directory
	opened
	head *head
}

// head is the family's own head as a value: decoded once, and kept with the directory.
type head struct {
	once  sync.Once
	value any
	err   error
}

// held is a directory in memory.
type held struct {
	*sectionfile.Directory
	head head
}

// headPerByte is what a byte of a family's head takes once it is decoded, about.
const headPerByte = 16

// Head gives the value that decode makes of the family's head. It is decoded when it is first asked for, always by the
// same function, and shared by requests.
func Head[T any](p *Parts, decode func([]byte) (T, error)) (T, error) {
	p.head.once.Do(func() {
		p.head.err = Guarded(func() (err error) { p.head.value, err = decode(p.Directory.Head()); return err })
	})
	if p.head.err != nil {
		var none T
		return none, fmt.Errorf("%s: %w: %w", p.key, ErrDamaged, p.head.err)
	}
	return as[T](name{p.key, front}, p.head.value)
}

// frontGuess is what is read first of an artefact in parts: the whole front, unless it has thousands of
// sections.
const frontGuess = 64 << 10

// Parts opens an artefact in parts, from memory or with one read, two where its directory is large; fronts that the
// generation holds together (artefacts/headcache) take one read in all. The errors are those of Get.
func (v *View) Parts(ctx context.Context, key keys.Key, family sectionfile.Family) (*Parts, error) {
	if key.Class() != keys.Immutable {
		return nil, fmt.Errorf("library: %s is replaced from time to time: it is not kept", key)
	}
	d, err := v.directory(ctx, key.String())
	if err == nil && d.Family() != family {
		err = fmt.Errorf("%s: %w: it is of the family %s, not %s", key, ErrDamaged, d.Family(), family)
	}
	if err != nil {
		return nil, err
	}
	return &Parts{d.Directory, opened{d.Directory, v.l, key.String(), nil}, &d.head}, nil
}

// directory is the directory of an artefact in parts, from memory, from the fronts or read.
func (v *View) directory(ctx context.Context, key string) (*held, error) {
	n := name{key, front}
	if d, ok := v.l.cache.hit(n).(*held); ok {
		return d, nil
	}
	known, size := v.begun(ctx, key)
	got, err := v.l.cache.get(ctx, n, func(ctx context.Context) (any, int64, error) {
		d, err := sectionfile.Parse(known)
		if err != nil || d.Size() != size {
			d, err = v.l.front(ctx, key)
		}
		if err != nil {
			return nil, 0, err
		}
		return &held{Directory: d}, d.Memory() + int64(headPerByte*len(d.Head())) + entryBytes, nil
	})
	if err != nil {
		return nil, err
	}
	return as[*held](n, got)
}

// front reads head and directory.
func (l *Library) front(ctx context.Context, key string) (*sectionfile.Directory, error) {
	b, size, err := l.readFront(ctx, key, frontGuess, sectionfile.FrontLength)
	if err != nil {
		return nil, err
	}
	d, err := sectionfile.Parse(b)
	if err != nil {
		return nil, fmt.Errorf("%s: %w: %w", key, ErrDamaged, err)
	}
	if d.Size() != size {
		return nil, fmt.Errorf("%s: %w: it has %d bytes, its head says %d", key, ErrDamaged, size, d.Size())
	}
	return d, nil
}

// readFront reads what stands before the sections of an artefact, at least its first bytes, and the size of the whole
// object: mostly with one read, with two where the beginning says that the front is longer than first.
func (l *Library) readFront(ctx context.Context, key string, first int64, length func(beginning []byte) (int64, error)) ([]byte, int64,
	error) {
	b, size, err := l.readRange(ctx, key, 0, first)
	if err != nil {
		return nil, 0, err
	}
	n, err := length(b)
	if err == nil && n > size {
		err = fmt.Errorf("a front of %d bytes in a file of %d", n, size)
	}
	if err != nil {
		return nil, 0, fmt.Errorf("%s: %w: %w", key, ErrDamaged, err)
	}
	if n > int64(len(b)) {
		rest, _, err := l.readRange(ctx, key, int64(len(b)), n-int64(len(b)))
		if err != nil {
			return nil, 0, err
		}
		b = append(b, rest...)
	}
	return b, size, nil
}

// readRange gives length bytes of an object, fewer at its end, and the size of the whole object.
func (l *Library) readRange(ctx context.Context, key string, offset, length int64) ([]byte, int64, error) {
	ctx, cancel := context.WithTimeout(ctx, l.opt.LoadTimeout)
	defer cancel()
	b, info, err := store.ReadAll(ctx, l.store, key, length,
		store.GetOptions{Range: &store.Range{Offset: offset, Length: length}, Plain: true})
	if err != nil {
		return nil, 0, lost(storeError(key, err))
	}
	return b, info.Size, nil
}
