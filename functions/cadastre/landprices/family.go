package landprices

import "mappe/functions/family"

// Family is how the endpoints are reached and what their function is given.
var Family = family.Family{
	Name: "cadastre-landprices", Program: "functions/cadastre/landprices/lambda", Prefix: "/cadastre",
	Paths: []string{"/api/v1/land_prices/*"},
	Needs: family.Needs{Store: true, Reads: []string{"prices"}, Warmup: true},
}
