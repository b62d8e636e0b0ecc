// Package place is the part of the place-context service that answers from the national register: the
// list of all KGs with its fingerprint. It owns the endpoints, one file each, and the hourly comparison
// with the sibling service's list. It opens no store (artefacts/library does).
package place

import (
	"context"
	"log/slog"
	"time"

	"mappe/artefacts/library"
	"mappe/functions/pin"
	"mappe/functions/sibling"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/reply"
)

// Deps are what the endpoints stand on. Library is required.
type Deps struct {
	Library *library.Library
	BaseURL string           // what stands before the paths in the outside world
	Version string           // of the software
	Now     func() time.Time // default time.Now
	Log     *slog.Logger     // default: silent
	// Peer asks the sibling service for its list; nil where none is configured. PeerName names it.
	Peer     func(context.Context) (PeerList, error)
	PeerName string
}

type service struct {
	now  func() time.Time
	peer *peer
}

// Notice is the licence of the register's data. Whom to name is a property of the data: the generation says it.
var Notice = reply.Notice{License: "CC BY 4.0", LicenseURL: "https://creativecommons.org/licenses/by/4.0/",
	Dataset: "Register of the Katastralgemeinden"}

// Endpoints are the endpoints of the family, for a service that holds more. The service has to Pin.
func Endpoints(d Deps) []endpoint.Endpoint {
	s := &service{now: d.Now}
	if s.now == nil {
		s.now = time.Now
	}
	s.peer = newPeer(d.PeerName, d.Peer, s.now)
	return append([]endpoint.Endpoint{s.kgs()}, sibling.None("context", "Place context: nothing that is measured of a whole KG")...)
}

// New is the family as a service of its own.
func New(d Deps) *endpoint.Service {
	return &endpoint.Service{
		System: "context", Title: "Place context: registers", Version: d.Version, BaseURL: d.BaseURL,
		Description: "What the national register knows of a place.",
		Endpoints:   Endpoints(d), Notice: Notice, Pin: pin.To(d.Library), Repin: pin.Former(d.Library), Now: d.Now, Log: d.Log,
	}
}
