// Package objects writes and reads what builders keep in a store: an object's headers, and whether other bytes may
// take its place, follow from its key. Every builder writes by it; readers have artefacts/library.
package objects

import (
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
