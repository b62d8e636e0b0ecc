// Package info is what the place context says of itself and takes in: its documentation, the licences of its sources,
// reports of its users and their requests for contributor tokens, and the sibling contract, by which it has nothing of
// KGs. It leads the service: openapi.json, the page to try the endpoints and llm.txt describe all families, whose
// endpoints it is given.
package info

import (
	"log/slog"
	"time"

	"mappe/artefacts/library"
	"mappe/functions/core"
	"mappe/functions/core/generation"
	"mappe/functions/family"
	"mappe/functions/feedback"
	"mappe/functions/licence"
	"mappe/functions/sibling"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/sentences"
)

// Family is how the endpoints are reached and what their function is given.
var Family = family.Family{
	Name: "context-info", Program: "functions/context/info/lambda", Prefix: "/context",
	Needs: family.Needs{Store: true, Ledger: []string{feedback.Partition(Service)}},
}

// Service is the name under which reports are kept.
const Service = "context"

// Deps are what the endpoints stand on. Library is required.
type Deps struct {
	Library   *library.Library
	BaseURL   string              // what stands before the paths in the outside world
	Version   string              // of the software
	Now       func() time.Time    // default time.Now
	Log       *slog.Logger        // default: silent
	Intake    *feedback.Intake    // nil: reports are refused
	Described []endpoint.Endpoint // of the other families, where nobody else adds them to the service
}

const description = "What surrounds a coordinate in Austria: municipality, land price, protected areas, roads, rail, water, geographical names, laws, and the registers. " +
	"A point is never resolved to a KG or a parcel here: the cadastre does that."

// New is the family as a service of its own.
func New(d Deps) *endpoint.Service {
	s := &endpoint.Service{
		System: "context", Title: "Place context", Description: description, Version: d.Version, BaseURL: d.BaseURL, Described: d.Described,
		Notice: core.RegisterNotice, Pin: generation.Pin(d.Library), Repin: generation.Repin(d.Library), Now: d.Now, Log: d.Log,
		Explain: generation.Fault,
		German:  []string{sentences.German, inGerman},
	}
	s.Endpoints = append(feedback.New(feedback.Deps{Intake: d.Intake, Categories: feedback.WithToken(), Now: d.Now}),
		licence.Endpoint(sources))
	s.Endpoints = append(s.Endpoints, s.Documents("/api/v1/docs", sibling.Contract)...)
	s.Endpoints = append(s.Endpoints, sibling.None(Service, "Place context: nothing that is measured of a whole KG")...)
	return s
}
