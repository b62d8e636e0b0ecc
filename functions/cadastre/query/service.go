package query

import (
	"mappe/functions/core"
	"mappe/functions/core/landuse"
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
		[]endpoint.Endpoint{s.query(), s.protectedArea(), s.stats(), landuse.Distribution()})
}
