// Package landprices is the land prices of the cadastre, as a family: functions/core/landprices answers.
package landprices

import (
	"mappe/functions/core"
	"mappe/functions/core/landprices"
	"mappe/functions/family"
	"mappe/shared/web/endpoint"
)

// Family is how the endpoints are reached and what their function is given.
var Family = family.Family{
	Name: "cadastre-landprices", Program: "functions/cadastre/landprices/lambda", Prefix: "/cadastre",
	Paths: []string{"/api/v1/land_prices/*"},
	Needs: family.Needs{Store: true, Reads: []string{"prices"}, Warmup: true},
}

// New is the family as a service of its own.
func New(d core.Deps) *endpoint.Service { return landprices.New(d) }
