//go:build !linux

package main

import (
	"context"
	"time"
)

// loadPolled has a thread a client where there is no epoll.
func loadPolled(ctx context.Context, host string, clients int, d time.Duration, next request) (result, error) {
	return load(ctx, host, clients, d, next)
}
