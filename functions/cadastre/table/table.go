// Package table lists the families of the cadastre: those that answer from the data, beside the leading one, which
// describes them all. functions/families takes them to serve them, the leading family's program to describe them.
package table

import (
	"context"

	"mappe/functions/cadastre/archive"
	"mappe/functions/cadastre/export"
	"mappe/functions/cadastre/landprices"
	"mappe/functions/cadastre/maps"
	"mappe/functions/cadastre/ogc"
	"mappe/functions/cadastre/overlays"
	"mappe/functions/cadastre/query"
	"mappe/functions/cadastre/search"
	"mappe/functions/cadastre/spatial"
	"mappe/functions/cadastre/versions"
	"mappe/functions/core"
	"mappe/functions/family"
	"mappe/shared/cloud/jobs"
	"mappe/shared/web/endpoint"
)

// Extra is what single families are given beside the data.
type Extra struct {
	// Exports takes the exports that are too large for one answer; nil: they are refused.
	Exports *jobs.Queue
	// Archive is what orders and tells of work on KGs, without Deps.
	Archive archive.Deps
}

// Members are the families over the data.
func Members(d core.Deps, also Extra) []family.Member {
	also.Archive.Deps = d
	return []family.Member{
		{Family: spatial.Family, Service: spatial.New(d)},
		{Family: overlays.Family, Service: overlays.New(d)}, // before search: two of its paths lie below search's
		{Family: search.Family, Service: search.New(d)},
		{Family: export.Family, Service: export.New(export.Deps{Deps: d, Queue: also.Exports})},
		{Family: landprices.Family, Service: landprices.New(d)},
		{Family: query.Family, Service: query.New(d)},
		{Family: archive.Family, Service: archive.New(also.Archive)},
		{Family: ogc.Family, Service: ogc.New(d)},
		{Family: maps.Family, Service: maps.New(d)},
		{Family: versions.Family, Service: versions.New(d)},
	}
}

// Endpoints are those of Members, for their description: that of a service with an operator.
func Endpoints() (all []endpoint.Endpoint) {
	nobody := func(context.Context, string) (bool, error) { return false, nil }
	for _, m := range Members(core.Deps{}, Extra{Archive: archive.Deps{Operator: nobody}}) {
		all = append(all, m.Service.Endpoints...)
	}
	return all
}
