package library

import (
	"context"
	"fmt"
	"io"

	"mappe/artefacts/keys"
	"mappe/artefacts/pmt"
)

// tileBlock is how much of an archive of tiles is read at once. Neighbouring tiles lie together, so that the next
// ones are often in memory.
const tileBlock = 128 << 10

// Tiles opens the vector tiles of the country, from memory or with one read. ErrGone says that the generation has
// none; the other errors are those of Get. An archive reads tiles by blocks, which count against the library's
// budget; its reads do not end with the request, others may wait for the same block.
func (v *View) Tiles(ctx context.Context) (*pmt.Archive, error) {
	key, err := keys.Parse(v.g.pointer.Tiles)
	if err != nil {
		return nil, fmt.Errorf("%w: the generation names no tiles", ErrGone)
	}
	return v.archive(ctx, key)
}

// TilesOf opens a further artefact of the country that holds tiles, the relief for example, as Tiles does.
func (v *View) TilesOf(ctx context.Context, kind string) (*pmt.Archive, error) {
	key, ok := v.Artefact(kind)
	if !ok {
		return nil, fmt.Errorf("%w: the generation names no %s", ErrGone, kind)
	}
	return v.archive(ctx, key)
}

func (v *View) archive(ctx context.Context, key keys.Key) (*pmt.Archive, error) {
	n := name{key.String(), front}
	got, err := v.l.cache.get(ctx, n, func(ctx context.Context) (any, int64, error) {
		_, size, err := v.l.readRange(ctx, n.object, 0, 1)
		if err != nil {
			return nil, 0, err
		}
		a, err := pmt.Open(&blocks{context.WithoutCancel(ctx), v.l, n.object, size}, size)
		if err != nil {
			return nil, 0, fmt.Errorf("%s: %w: %w", n.object, ErrDamaged, err)
		}
		return a, archiveBytes, nil
	})
	if err != nil {
		return nil, err
	}
	return as[*pmt.Archive](n, got)
}

// archiveBytes is what an open archive takes, about: its root directory.
const archiveBytes = 1 << 20

// blocks reads an object in blocks, which the cache keeps.
type blocks struct {
	ctx  context.Context
	l    *Library
	key  string
	size int64
}

// ReadAt is io.ReaderAt.
func (b *blocks) ReadAt(p []byte, at int64) (int, error) {
	n := 0
	for n < len(p) && at < b.size {
		block, err := b.block(at / tileBlock)
		if err != nil {
			return n, err
		}
		from := int(at % tileBlock)
		if from >= len(block) {
			return n, fmt.Errorf("%s: %w: it ends early", b.key, ErrDamaged)
		}
		k := copy(p[n:], block[from:])
		n, at = n+k, at+int64(k)
	}
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}

func (b *blocks) block(number int64) ([]byte, error) {
	n := name{b.key, int(number)}
	got, err := b.l.cache.get(b.ctx, n, func(ctx context.Context) (any, int64, error) {
		body, _, err := b.l.readRange(ctx, b.key, number*tileBlock, tileBlock)
		return body, int64(len(body)) + entryBytes, err
	})
	if err != nil {
		return nil, err
	}
	return as[[]byte](n, got)
}
