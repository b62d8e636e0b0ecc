package maps

import "mappe/functions/family"

// Family is how the endpoints are reached and what their function is given.
var Family = family.Family{
	Name: "cadastre-maps", Program: "functions/cadastre/maps/lambda", Prefix: "/cadastre",
	Paths: []string{"/wms*", "/wmts*"},
	Needs: family.Needs{Store: true, Reads: []string{"cells", "prices"}},
}
