package search

import (
	"mappe/functions/core"
	"mappe/shared/web/endpoint"
)

const tag = "Search"

// Deps are what the endpoints stand on.
type Deps = core.Deps

type service struct {
	Deps
	names registers
	// places says that a point may be resolved to a KG: the context service never does.
	places bool
}

// New is the family as a service of its own; its endpoints are in the order of the specification.
func New(d Deps) *endpoint.Service {
	s := &service{Deps: d.WithDefaults(), places: true}
	return d.Service("search", "Parcels, folios, KGs, municipalities and districts by number, code and name.", []endpoint.Endpoint{
		s.text(), s.address(), gnr(), s.ez(), parcel(), feature(), s.district(), s.kg(), s.municipalities(), s.lookup(), LandUseCodes(),
		s.addressOSM(), s.addressOSMPost(),
	})
}

// Places are the endpoints that the context service has too: municipalities, and addresses to positions.
func Places(d Deps) []endpoint.Endpoint {
	s := &service{Deps: d.WithDefaults()}
	return []endpoint.Endpoint{s.municipalities(), s.addressOSM()}
}
