// Package generation pins a request to one generation of the artefacts: every read of the request sees the same one.
// The services give Pin and Repin to endpoint.Service, their handlers take Pinned.
package generation

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

// Pin pins requests to the generation that is current when they come in. One that is pinned already, because another
// service asks in this process, keeps its generation. Without a library, as in a service that is only described, every
// request is 503.
func Pin(l *library.Library) func(context.Context) (context.Context, reply.Generation, error) {
	return func(ctx context.Context) (context.Context, reply.Generation, error) {
		if v, err := Pinned(ctx); err == nil {
			return ctx, Of(v), nil
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

// Repin pins a request to the generation that its cursor was made in: endpoint.Service.Repin.
func Repin(l *library.Library) func(context.Context, string) (context.Context, reply.Generation, error) {
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

// Fault is FaultOf a file that has no name for clients.
func Fault(ctx context.Context, err error) error { return FaultOf(ctx, "a file of the data", err) }

// FaultOf is what a client is told where the data cannot be read; what names it. A little later it may be readable where the store
// gives no answer, never where an object is lost or damaged. That is a state of the data, not a failure of the program. Faults and
// other errors pass as they are.
func FaultOf(ctx context.Context, what string, err error) error {
	var told *fault.Fault
	switch {
	case err == nil, ctx.Err() != nil, errors.As(err, &told):
		return err
	case errors.Is(err, library.ErrStore):
		return fault.Retry(fault.Unavailable, retryAfter, "the data cannot be read at the moment").Because(err)
	case library.Unread(err):
		return Unread(what, err)
	}
	return err
}

// Unread is the fault of an object that is lost or damaged; what names it to the client.
func Unread(what string, err error) *fault.Fault {
	f := fault.New(fault.Unavailable, "%s cannot be read: repeating does not help until it is built again", what).Because(err)
	reason := "lost"
	if errors.Is(err, library.ErrDamaged) {
		reason = "damaged"
	}
	f.Members = map[string]any{"ready": false, "reason": reason}
	return f
}

func with(ctx context.Context, v *library.View) (context.Context, reply.Generation, error) {
	return context.WithValue(ctx, key{}, v), Of(v), nil
}

// Of is what answers say of a generation: its name, and whom to name.
func Of(v *library.View) reply.Generation {
	g := reply.Generation{ID: v.Generation()}
	if a := v.Register().Attribution(); a != "" {
		g.Attribution = a + ", modified"
	}
	return g
}

// Pinned is the pinned generation.
func Pinned(ctx context.Context) (*library.View, error) {
	if v, ok := ctx.Value(key{}).(*library.View); ok {
		return v, nil
	}
	return nil, errors.New("the request has no pinned generation: the service must Pin")
}
