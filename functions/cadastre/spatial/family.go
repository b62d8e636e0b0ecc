package spatial

import "mappe/functions/family"

// Family is how the endpoints are reached and what their function is given.
var Family = family.Family{
	Name: "cadastre-spatial", Program: "functions/cadastre/spatial/lambda", Prefix: "/cadastre",
	Needs: family.Needs{Store: true, Warmup: true},
}
