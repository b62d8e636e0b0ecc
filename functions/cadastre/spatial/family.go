package spatial

import "mappe/functions/family"

// Family is how the endpoints are reached and what their function is given.
var Family = family.Family{
	Name: "cadastre-spatial", Program: "functions/cadastre/spatial/lambda", Prefix: "/cadastre",
	Paths: []string{"/api/v1/spatial/*", "/api/v1/parcels/*", "/api/v1/footprints/*"},
	Needs: family.Needs{Store: true, Reads: []string{"prices", "rasters"}, Warmup: true},
}
