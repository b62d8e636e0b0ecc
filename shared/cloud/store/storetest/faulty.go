package storetest

import (
	"context"
	"errors"
	"io"
	"sync/atomic"

	"mappe/shared/cloud/store"
)

// ErrFault is what a broken write returns.
var ErrFault = errors.New("storetest: the write was broken on purpose")

// Faulty breaks the nth write (Put, PutFrom or Delete, counted from 1) in one of the two ways a network breaks it,
// and with Dead every later one as well, as if the writer had been killed.
type Faulty struct {
	store.Store
	FailAt int64 // 0 breaks nothing
	Stored bool  // the write is carried out although it reports an error
	Dead   bool  // writes after the nth fail too and store nothing

	writes atomic.Int64
}

// Writes is how many were tried: a first run without fault tells how many ways there are to break.
func (f *Faulty) Writes() int64 { return f.writes.Load() }

// Put implements store.Store.
func (f *Faulty) Put(ctx context.Context, key string, body []byte, opt store.PutOptions) (store.Info, error) {
	fails, stored := f.next()
	if fails && !stored {
		return store.Info{}, ErrFault
	}
	info, err := f.Store.Put(ctx, key, body, opt)
	if fails {
		return store.Info{}, ErrFault
	}
	return info, err
}

// PutFrom implements store.Store.
func (f *Faulty) PutFrom(ctx context.Context, key string, r io.ReaderAt, size int64, opt store.PutOptions) (store.Info, error) {
	fails, stored := f.next()
	if fails && !stored {
		return store.Info{}, ErrFault
	}
	info, err := f.Store.PutFrom(ctx, key, r, size, opt)
	if fails {
		return store.Info{}, ErrFault
	}
	return info, err
}

// Delete implements store.Store.
func (f *Faulty) Delete(ctx context.Context, key string) error {
	fails, stored := f.next()
	if fails && !stored {
		return ErrFault
	}
	err := f.Store.Delete(ctx, key)
	if fails {
		return ErrFault
	}
	return err
}

func (f *Faulty) next() (fails, stored bool) {
	n := f.writes.Add(1)
	switch {
	case f.FailAt == 0 || n < f.FailAt:
		return false, false
	case n == f.FailAt:
		return true, f.Stored
	}
	return f.Dead, false
}
