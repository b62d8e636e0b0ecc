//go:build !linux

package load

import "context"

// Polled has a thread a client where there is no epoll, and checks nothing.
func (l Load) Polled(ctx context.Context) (Result, error) { return l.Run(ctx) }
