// Package workfeed is the public list of completed tasks: JSON, JSON Feed, Atom and a page, and the route
// by which a poller records completions. It owns the HTTP side; the entries, their order and the tokens are
// functions/workfeed/worklog. The local cloud and the Lambda main mount New.
package workfeed

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"mappe/functions/sibling"
	"mappe/functions/workfeed/worklog"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/fault"
	"mappe/shared/web/reply"
	"mappe/shared/web/sentences"
)

// Version of the interface: what an answer holds is only added to.
const Version = "1.0.0"

// Deps are what the service is given. Without a Log it is described and answers 503.
type Deps struct {
	Log *worklog.Log
	// PublicURL is the address of the service in the outside world ("https://host/workfeed"); "" takes it
	// from each request, which is right only where no proxy changes the host.
	PublicURL string
	Now       func() time.Time // nil: time.Now
	Logger    *slog.Logger     // nil: silent
}

type service struct {
	log       *worklog.Log
	publicURL string
	now       func() time.Time
}

// New is the service.
func New(d Deps) *endpoint.Service {
	s := &service{log: d.Log, publicURL: strings.TrimSuffix(d.PublicURL, "/"), now: d.Now}
	if s.now == nil {
		s.now = time.Now
	}
	return &endpoint.Service{
		System: "workfeed", Title: "Work feed", Version: Version,
		Description: "What has been completed: finished tasks of kanban boards as JSON, JSON Feed, Atom and a page, newest first. Pollers record completions with a token, each task once.",
		Endpoints: append([]endpoint.Endpoint{s.feed(), s.complete(), s.page()},
			sibling.None("workfeed", "Completed tasks: nothing of any KG")...),
		Pin: s.pin, Now: d.Now, Log: d.Logger, German: []string{sentences.German, inGerman},
	}
}

var errNoLedger = fault.New(fault.Unavailable, "the feed has no ledger here")

type markKey struct{}

// pin fixes the state that a request is answered from.
func (s *service) pin(ctx context.Context) (context.Context, reply.Generation, error) {
	if s.log == nil {
		return ctx, reply.Generation{}, errNoLedger
	}
	m, err := s.log.Settle(ctx)
	if err != nil {
		return ctx, reply.Generation{}, unavailable(err)
	}
	g := reply.Generation{ID: fmt.Sprintf("%d-%s", m.Slot, m.ID)}
	// A second that is not over may see another change: its date would hold for two states.
	if m.Slot > 0 && m.Changed.Unix() < s.now().Unix() {
		g.Modified = m.Changed
	}
	return context.WithValue(ctx, markKey{}, m), g, nil
}

func markOf(ctx context.Context) worklog.Mark {
	m, _ := ctx.Value(markKey{}).(worklog.Mark)
	return m
}

// unavailable is the fault of a ledger that cannot be read or written; what was sent may be sent again.
func unavailable(err error) error {
	if errors.Is(err, context.Canceled) {
		return err
	}
	return fault.Retry(fault.Unavailable, 5*time.Second, "the feed cannot be reached just now: try again").Because(err)
}

// public is the address of the service as its clients know it.
func (s *service) public(r *http.Request) string { return endpoint.Base(s.publicURL, r) }
