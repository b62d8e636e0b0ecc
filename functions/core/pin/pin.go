// Package pin fixes the generation of the artefacts that a request is answered from: every read of one
// request sees the same one. The services give To to endpoint.Service, their handlers take View.
package pin

import (
	"context"
	"errors"
	"fmt"
	"time"

	"mappe/artefacts/library"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/fault"
	"mappe/shared/web/reply"
)

type key struct{}

// retryAfter is when a store that failed is worth another try.
const retryAfter = 5 * time.Second

// To pins requests to the generation that is current when they come in. One that is pinned already, because another
// service asks in this process, keeps its generation. Without a library, as in a service that is only described, every
// request is 503.
func To(l *library.Library) func(context.Context) (context.Context, reply.Generation, error) {
	return func(ctx context.Context) (context.Context, reply.Generation, error) {
		if v, err := View(ctx); err == nil {
			return ctx, Generation(v), nil
		}
		if l == nil {
			return ctx, reply.Generation{}, fault.New(fault.Unavailable, "this service has no data to answer from")
		}
		v, err := l.View(ctx)
		if err != nil {
			return ctx, reply.Generation{}, Fault(ctx, err)
		}
		return with(ctx, v)
	}
}

// Former pins a request to the generation that its cursor was made in: endpoint.Service.Repin.
func Former(l *library.Library) func(context.Context, string) (context.Context, reply.Generation, error) {
	return func(ctx context.Context, id string) (context.Context, reply.Generation, error) {
		v, err := l.ViewOf(ctx, id)
		if errors.Is(err, library.ErrGone) {
			return ctx, reply.Generation{}, fmt.Errorf("%w: %w", endpoint.ErrNoGeneration, err)
		}
		if err != nil {
			return ctx, reply.Generation{}, Fault(ctx, err)
		}
		return with(ctx, v)
	}
}

// Fault is what a client is told where the store gives no answer: the data is there, and may be read a little
// later. Other errors pass as they are.
func Fault(ctx context.Context, err error) error {
	if ctx.Err() == nil && errors.Is(err, library.ErrStore) {
		return fault.Retry(fault.Unavailable, retryAfter, "the data cannot be read at the moment").Because(err)
	}
	return err
}

func with(ctx context.Context, v *library.View) (context.Context, reply.Generation, error) {
	return context.WithValue(ctx, key{}, v), Generation(v), nil
}

// Generation is what answers say of a generation: its name, and whom to name.
func Generation(v *library.View) reply.Generation {
	g := reply.Generation{ID: v.Generation()}
	if a := v.Register().Attribution(); a != "" {
		g.Attribution = a + ", modified"
	}
	return g
}

// View is the pinned generation.
func View(ctx context.Context) (*library.View, error) {
	if v, ok := ctx.Value(key{}).(*library.View); ok {
		return v, nil
	}
	return nil, errors.New("the request has no pinned generation: the service must Pin")
}
