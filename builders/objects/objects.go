// Package objects writes and reads what builders keep in a store: an object's headers, and whether other bytes may
// take its place, follow from its key. Every builder writes by it; readers have artefacts/library.
package objects

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"

	"mappe/artefacts/keys"
	"mappe/artefacts/manifest"
	"mappe/shared/cloud/store"
)

// Max bounds an object that is read whole, in bytes.
const Max = 1 << 30

// Options are those of writing under a key.
func Options(key keys.Key) store.PutOptions {
	return store.PutOptions{Headers: store.Headers(keys.HeadersOf(key)), Immutable: key.Class() == keys.Immutable}
}

// Put writes an object. Equal bytes may be there already; other bytes under an immutable key are store.ErrPrecondition.
func Put(ctx context.Context, st store.Store, key keys.Key, body []byte) error {
	if _, err := st.Put(ctx, key.String(), body, Options(key)); err != nil {
		return fmt.Errorf("write %s: %w", key, err)
	}
	return nil
}

// PutFrom is Put for what does not fit in memory.
func PutFrom(ctx context.Context, st store.Store, key keys.Key, r io.ReaderAt, size int64) error {
	if _, err := st.PutFrom(ctx, key.String(), r, size, Options(key)); err != nil {
		return fmt.Errorf("write %s: %w", key, err)
	}
	return nil
}

// PutSummed is PutFrom under a key that is named by the bytes: name gives it for their sum. It says how a manifest names them. A
// store that can tell the sum while it writes reads them once.
func PutSummed(ctx context.Context, st store.Store, r io.ReaderAt, size int64, name func(sum string) keys.Key) (manifest.Object, error) {
	var o manifest.Object
	as := func(sum []byte) (string, store.PutOptions) {
		o = manifest.Object{Bytes: size, SHA256: hex.EncodeToString(sum)}
		key := name(o.SHA256[:16])
		o.Key = key.String()
		return o.Key, Options(key)
	}
	if s, ok := st.(store.Summing); ok {
		_, err := s.PutSummed(ctx, r, size, as)
		if err != nil {
			err = fmt.Errorf("write %s: %w", cmp.Or(o.Key, "an object that is named by its bytes"), err)
		}
		return o, err
	}
	h := sha256.New()
	if _, err := io.CopyBuffer(h, stopping{ctx, io.NewSectionReader(r, 0, size)}, make([]byte, sumBytes)); err != nil {
		return o, err
	}
	as(h.Sum(nil))
	return o, PutFrom(ctx, st, name(o.SHA256[:16]), r, size)
}

// sumBytes are read at once for a sum.
const sumBytes = 1 << 20

// stopping ends a long series of reads when the run is interrupted.
type stopping struct {
	ctx  context.Context
	from io.Reader
}

func (s stopping) Read(b []byte) (int, error) {
	if err := s.ctx.Err(); err != nil {
		return 0, err
	}
	return s.from.Read(b)
}

// Read reads an object whole.
func Read(ctx context.Context, st store.Store, key string) ([]byte, error) {
	b, _, err := store.ReadAll(ctx, st, key, Max, store.GetOptions{Plain: true})
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", key, err)
	}
	return b, nil
}

// Of is how a manifest names an object of these bytes.
func Of(key keys.Key, body []byte) manifest.Object {
	return manifest.Object{Key: key.String(), Bytes: int64(len(body)), SHA256: Sum(body)}
}

// Sum is the SHA-256 of bytes in hex.
func Sum(b []byte) string {
	h := sha256.Sum256(b)
	return hex.EncodeToString(h[:])
}
