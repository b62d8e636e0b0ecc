package expander

import (
	"context"
	"log/slog"
	"net/http"

	"mappe/functions/sibling"
	"mappe/shared/cloud/pay"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/sentences"
)

// Version of the interface: paths under /v1 keep their meaning.
const Version = "1.0.0"

// Price of a call in US dollars, as discovery documents write it.
const Price = "0.02"

// Gate takes the payment of a call before anything of it is read, and settles it when the answer is below
// status 400. *pay.Gate is one.
type Gate interface {
	Wrap(http.Handler) http.Handler
	Requirements() pay.Requirements
	OpenAPIExtensions() map[string]any
}

// Deps are what the service is given.
type Deps struct {
	Gate Gate // of /v1/expand; nil: the route answers 503
	// Events reads the gate's event log: the days that are kept, oldest first. nil without one.
	Events func(context.Context) ([]pay.Day, error)
	// PublicURL is the address of the service in the outside world ("https://host/expander"); "" takes it
	// from each request, which is right only where no proxy changes the host.
	PublicURL string
	Log       *slog.Logger // nil: silent
}

// New is the service.
func New(d Deps) *endpoint.Service {
	s := &endpoint.Service{
		System: "expander", Title: "Recurrence expander", Version: Version,
		Description: "RFC 5545 recurrence rules and 5-field POSIX cron expressions to exact UTC instants over IANA time zones. " +
			"Wall times that a clock change skips or repeats are flagged, never silently dropped or doubled. " +
			"The preview is free; an expansion of 25 rules of 500 occurrences costs " + Price +
			" USD, paid by an HTTP header (x402), without an account.",
		Faults: ownForm, FaultBody: refusalShape{}, Log: d.Log,
		German: []string{sentences.German, inGerman},
	}
	e := &expander{deps: d, slots: newSlots()}
	s.Endpoints = []endpoint.Endpoint{e.index(s), e.health(), e.preview(), e.expand(), e.discovery(), e.discoveryDraft(), e.metrics()}
	s.Endpoints = append(s.Endpoints, sibling.None("expander", "Instants of recurrence rules: nothing of any KG")...)
	return s
}

type expander struct {
	deps  Deps
	slots slots
}
