package search

import "mappe/functions/family"

// Family is how the endpoints are reached and what their function is given.
var Family = family.Family{
	Name: "cadastre-search", Program: "functions/cadastre/search/lambda", Prefix: "/cadastre",
	Paths: []string{"/api/v1/search/*", "/api/v1/lookup", "/api/v1/landuse/codes"},
	Needs: family.Needs{Store: true, Warmup: true},
}
