package worldtest

import (
	"context"
	"errors"
	"sync/atomic"

	"mappe/shared/cloud/store"
)

// Failing is a store whose reads fail once Left of them were made.
type Failing struct {
	store.Store
	Left atomic.Int32
}

// ErrDisk is why.
var ErrDisk = errors.New("the disk is on fire")

// Get is the store's.
func (f *Failing) Get(ctx context.Context, key string, o store.GetOptions) (*store.Object, error) {
	if f.Left.Add(-1) < 0 {
		return nil, ErrDisk
	}
	return f.Store.Get(ctx, key, o)
}

// Head is the store's.
func (f *Failing) Head(ctx context.Context, key string) (store.Info, error) {
	if f.Left.Add(-1) < 0 {
		return store.Info{}, ErrDisk
	}
	return f.Store.Head(ctx, key)
}
