// Package search is the search of the cadastre, as a family: functions/core/search answers.
package search

import (
	"mappe/functions/core"
	"mappe/functions/core/search"
	"mappe/functions/family"
	"mappe/shared/web/endpoint"
)

// Family is how the endpoints are reached and what their function is given.
var Family = family.Family{
	Name: "cadastre-search", Program: "functions/cadastre/search/lambda", Prefix: "/cadastre",
	Paths: []string{"/api/v1/search/*", "/api/v1/lookup", "/api/v1/landuse/codes"},
	Needs: family.Needs{Store: true, Warmup: true},
}

// New is the family as a service of its own.
func New(d core.Deps) *endpoint.Service { return search.New(d) }
