//go:build !linux

package load

import (
	"context"
	"time"
)

// Polled has a thread a client where there is no epoll, and checks nothing.
func Polled(ctx context.Context, host string, clients int, d time.Duration, next Request, _ Check) (Result, error) {
	return Run(ctx, host, clients, d, next)
}
