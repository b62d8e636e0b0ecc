package query

import "mappe/functions/family"

// Family is how the endpoints are reached and what their function is given.
var Family = family.Family{
	Name: "cadastre-query", Program: "functions/cadastre/query/lambda", Prefix: "/cadastre",
	Paths: []string{"/api/v1/query", "/api/v1/query/*", "/api/v1/stats", "/api/v1/landuse/distribution"},
	Needs: family.Needs{Store: true, Warmup: true},
}
