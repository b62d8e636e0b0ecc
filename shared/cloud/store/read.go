package store

import (
	"context"
	"fmt"
	"io"
	"time"
)

// A body that ends early is read again: the connection broke, the object is whole.
const (
	readAttempts = 4
	readPause    = 50 * time.Millisecond // before the second attempt; twice as long before each further one
)

// ReadAll reads an object, or the part that opt names, of at most limit bytes into memory. A larger one is
// ErrTooLarge.
func ReadAll(ctx context.Context, s Store, key string, limit int64, opt GetOptions) ([]byte, Info, error) {
	return reading{s, key, limit, nil}.all(ctx, opt)
}

// reading is one ReadAll.
type reading struct {
	store Store
	key   string
	limit int64
	room  []byte // that is read into where it suffices
}

func (r reading) all(ctx context.Context, opt GetOptions) ([]byte, Info, error) {
	for attempt := 0; ; attempt++ {
		body, info, short, err := r.once(ctx, opt)
		if !short || attempt+1 == readAttempts {
			return body, info, err
		}
		select {
		case <-time.After(readPause << attempt):
		case <-ctx.Done():
			return nil, info, fmt.Errorf("store: read %s: %w", r.key, ctx.Err())
		}
	}
}

// once is one attempt; short says that the body broke off.
func (r reading) once(ctx context.Context, opt GetOptions) (body []byte, info Info, short bool, err error) {
	object, err := r.store.Get(ctx, r.key, opt)
	if err != nil {
		return nil, Info{}, false, err
	}
	defer object.Body.Close()
	if object.Length > r.limit {
		return nil, object.Info, false, fmt.Errorf("store: %s: %w: %d bytes, at most %d are read", r.key, ErrTooLarge, object.Length,
			r.limit)
	}
	buf := r.room
	if object.Length > int64(len(buf)) {
		buf = make([]byte, object.Length)
	}
	buf = buf[:object.Length]
	if _, err := io.ReadFull(object.Body, buf); err != nil {
		return nil, object.Info, ctx.Err() == nil, fmt.Errorf("store: read %s: %w", r.key, err)
	}
	return buf, object.Info, false, nil
}

// ReadFrom reads the first size bytes of r into memory, for a store that takes an object whole.
func ReadFrom(key string, r io.ReaderAt, size int64) ([]byte, error) {
	if err := CheckSize(key, size); err != nil {
		return nil, err
	}
	body := make([]byte, size)
	if n, err := r.ReadAt(body, 0); int64(n) < size {
		return nil, Short(key, int64(n), size, err)
	}
	return body, nil
}

// CheckSize refuses a size that no object has.
func CheckSize(key string, size int64) error {
	if size < 0 {
		return fmt.Errorf("store: %s: size %d: want 0 or more", key, size)
	}
	return nil
}

// Short is the error of a PutFrom whose reader ended early.
func Short(key string, got, want int64, err error) error {
	if err == nil || err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	return fmt.Errorf("store: %s: %d of %d bytes could be read: %w", key, got, want, err)
}

// InPlace reads an object where it lies, a range for each call. The context ends the reads.
func InPlace(ctx context.Context, s Store, key string) io.ReaderAt { return inPlace{ctx, s, key} }

type inPlace struct {
	ctx   context.Context
	store Store
	key   string
}

func (o inPlace) ReadAt(b []byte, at int64) (int, error) {
	got, _, err := reading{o.store, o.key, int64(len(b)), b}.all(o.ctx, GetOptions{Range: &Range{Offset: at, Length: int64(len(b))},
		Plain: true})
	if err == nil && len(got) < len(b) {
		err = io.EOF
	}
	return len(got), err
}
