// Package pause waits: between the attempts of something that failed, between two looks at something that is
// not ready. A wait ends with its context.
package pause

import (
	"context"
	"time"
)

// For waits, or gives the context's error where that ends before. A duration of 0 or less does not wait.
func For(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
