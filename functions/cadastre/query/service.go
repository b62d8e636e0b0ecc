package query

import (
	"mappe/functions/core"
	"mappe/shared/web/endpoint"
)

const tag = "Query"

// Deps are what the endpoints stand on.
type Deps = core.Deps

type service struct {
	Deps
	names nameTables
	memo  memo
}

// New is the family as a service of its own.
func New(d Deps) *endpoint.Service {
	s := &service{Deps: d.WithDefaults()}
	return d.Service("queries", "Parcels by combined filters, with statistics; the country in figures; land use by area.",
		[]endpoint.Endpoint{s.query(), s.protectedArea(), s.stats(), s.distribution()})
}

// LandUseDistribution is land use by area of KGs, municipalities and districts; the landscape service has it too.
func LandUseDistribution(d Deps) endpoint.Endpoint {
	s := &service{Deps: d.WithDefaults()}
	return s.distribution()
}
