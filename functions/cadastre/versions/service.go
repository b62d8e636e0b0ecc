// Package versions answers what there is of a KG over time: its dated snapshots with their epochs (/kg_versions), what
// changed between two of them (/kg/{kg}/diff), and the history of a parcel number (/kg/{kg}/history); the snapshots as a
// STAC catalogue are functions/cadastre/stac. The comparison is artefacts/kgdiff, what became of a number functions/core/lineage; the
// snapshots themselves are read by version= of the other families.
package versions

import (
	"mappe/functions/cadastre/stac"
	"mappe/functions/core"
	"mappe/functions/family"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/params"
)

const tag = "Versions"

// Family is how the endpoints are reached and what their function is given.
var Family = family.Family{
	Name: "cadastre-versions", Program: "functions/cadastre/versions/lambda", Prefix: "/cadastre",
	Paths: []string{"/api/v1/kg_versions", "/api/v1/kg/*", "/stac*"},
	Needs: family.Needs{Store: true, Warmup: true},
}

// Deps are what the endpoints stand on.
type Deps = core.Deps

type service struct {
	Deps
	last lastDiff
}

// New is the family as a service of its own.
func New(d Deps) *endpoint.Service {
	s := &service{Deps: d.WithDefaults()}
	return d.Service("versions", "Dated snapshots of KGs, also as a STAC catalogue, what changed between two, and what became of a parcel number.",
		append([]endpoint.Endpoint{kgVersions(), s.diff(), history()}, stac.Endpoints(d)...))
}

var pathKG = params.KG("kg", "The KG", endpoint.Required)
