package process

import (
	"bytes"
	"context"
	"encoding/gob"
	"errors"
	"fmt"
	"time"

	"github.com/klauspost/compress/zstd"

	"mappe/shared/austria"
	"mappe/shared/cloud/store"
)

// kept are the squares of a KG that are done, of one fingerprint: another worker goes on from them.
type kept struct {
	store  store.Store
	prefix string
	now    func() time.Time

	since time.Time // the last writing, or the beginning
	wait  []*part   // that are not written
}

// keptAfter is how much work a worker that dies may cost. To write a square takes a twentieth of what making it takes, and most KGs
// are done before.
const keptAfter = time.Minute

// flushTime is how long squares are written when the work on a KG ends before it is done: what follows has to be noted, too.
const flushTime = 8 * time.Second

// keptOf is what the keys of the squares of a KG begin with.
func keptOf(code austria.KGCode) string { return fmt.Sprintf("work/landscape/%s/", code) }

// maxPart bounds what a square is kept in: one with 12,000 segments takes some 5 MB.
const maxPart = 256 << 20

func (k *kept) key(at [2]int) string { return fmt.Sprintf("%sE%dN%d.gob.zst", k.prefix, at[0], at[1]) }

// read gives a square that is kept, nil of one that is not, or that cannot be read: it is made anew.
func (k *kept) read(ctx context.Context, at [2]int) (*part, error) {
	b, _, err := store.ReadAll(ctx, k.store, k.key(at), maxPart, store.GetOptions{Plain: true})
	if errors.Is(err, store.ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	d, err := zstd.NewReader(bytes.NewReader(b), zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(maxPart))
	if err != nil {
		return nil, err
	}
	defer d.Close()
	var p part
	if err := gob.NewDecoder(d).Decode(&p); err != nil || p.E != at[0] || p.N != at[1] {
		return nil, nil
	}
	return &p, nil
}

// few is how many squares a KG has at least of which squares are kept: of less the work is done as soon again.
const few = 3

// add takes up a square of a KG of so many, and writes what waits where that is long.
func (k *kept) add(ctx context.Context, p *part, squares int) error {
	if squares < few {
		return nil
	}
	k.wait = append(k.wait, p)
	if k.now().Sub(k.since) < keptAfter {
		return nil
	}
	return k.flush(ctx)
}

// ended writes what waits when the work on a KG has ended before it is done. That it cannot costs the work alone.
func (k *kept) ended(ctx context.Context) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), flushTime)
	defer cancel()
	_ = k.flush(ctx)
}

// flush writes what waits.
func (k *kept) flush(ctx context.Context) error {
	for len(k.wait) > 0 {
		if err := k.write(ctx, k.wait[0]); err != nil {
			return err
		}
		k.wait = k.wait[1:]
	}
	k.since = k.now()
	return nil
}

// write keeps a square.
func (k *kept) write(ctx context.Context, p *part) error {
	var b bytes.Buffer
	w, err := zstd.NewWriter(&b, zstd.WithEncoderConcurrency(1), zstd.WithEncoderLevel(zstd.SpeedFastest))
	if err != nil {
		return err
	}
	if err := errors.Join(gob.NewEncoder(w).Encode(p), w.Close()); err != nil {
		return err
	}
	key := k.key([2]int{p.E, p.N})
	_, err = k.store.Put(ctx, key, b.Bytes(), store.PutOptions{})
	return err
}

// clearKept forgets the squares of a KG of whatever fingerprint: when its result is noted, so that a worker that dies before goes on
// from them.
func clearKept(ctx context.Context, st store.Store, code austria.KGCode) error {
	var list []string
	for info, err := range st.List(ctx, keptOf(code)) {
		if err != nil {
			return err
		}
		list = append(list, info.Key)
	}
	for _, key := range list {
		if err := st.Delete(ctx, key); err != nil {
			return err
		}
	}
	return nil
}
