// Package pin fixes the generation of the artefacts that a request is answered from: every read of one
// request sees the same one. The services give To to endpoint.Service, their handlers take View.
package pin

import (
	"context"
	"errors"
	"time"

	"mappe/artefacts/library"
	"mappe/shared/web/fault"
	"mappe/shared/web/reply"
)

type key struct{}

// retryAfter is when a store that failed is worth another try.
const retryAfter = 5 * time.Second

// To pins requests to the generation that is current when they come in.
func To(l *library.Library) func(context.Context) (context.Context, reply.Generation, error) {
	return func(ctx context.Context) (context.Context, reply.Generation, error) {
		v, err := l.View(ctx)
		if err != nil {
			if ctx.Err() == nil {
				err = fault.Retry(fault.Unavailable, retryAfter, "the data cannot be read just now").Because(err)
			}
			return nil, reply.Generation{}, err
		}
		g := reply.Generation{ID: v.Generation()}
		if a := v.Register().Attribution(); a != "" {
			g.Attribution = a + ", modified"
		}
		return context.WithValue(ctx, key{}, v), g, nil
	}
}

// View is the pinned generation.
func View(ctx context.Context) (*library.View, error) {
	if v, ok := ctx.Value(key{}).(*library.View); ok {
		return v, nil
	}
	return nil, errors.New("the request has no pinned generation: the service must Pin")
}
