package ogc

import "mappe/functions/family"

// Family is how the endpoints are reached and what their function is given.
var Family = family.Family{
	Name: "cadastre-ogc", Program: "functions/cadastre/ogc/lambda", Prefix: "/cadastre",
	Paths: []string{"/ogc*"},
	Needs: family.Needs{Store: true, Warmup: true},
}
