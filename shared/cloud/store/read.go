package store

import (
	"context"
	"fmt"
	"io"
)

// ReadAll reads an object, or the part that opt names, of at most limit bytes into memory.
func ReadAll(ctx context.Context, s Store, key string, limit int64, opt GetOptions) ([]byte, Info, error) {
	object, err := s.Get(ctx, key, opt)
	if err != nil {
		return nil, Info{}, err
	}
	defer object.Body.Close()
	if object.Length > limit {
		return nil, object.Info, fmt.Errorf("store: %s: %d bytes, at most %d are read", key, object.Length, limit)
	}
	buf := make([]byte, object.Length)
	if _, err := io.ReadFull(object.Body, buf); err != nil {
		return nil, object.Info, fmt.Errorf("store: read %s: %w", key, err)
	}
	return buf, object.Info, nil
}
