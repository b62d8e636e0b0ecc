package store

import (
	"context"
	"net/http"
	"time"
)

// Presigner is a store whose objects can be read and written by an address that carries the right to do
// so, past the program: for bodies that are larger than a function takes. Not every store is one.
type Presigner interface {
	// PresignGet gives an address that reads the object. filename, if not empty, is the name browsers save
	// it under.
	PresignGet(ctx context.Context, key, filename string, life time.Duration) (address string, err error)
	// PresignPut gives an address that takes one PUT of exactly size bytes with exactly these headers, while
	// no object has the key: what was looked at after it cannot be replaced by it.
	PresignPut(ctx context.Context, key string, size int64, life time.Duration) (address string, headers http.Header, err error)
}
