package place

import "mappe/functions/family"

// Family is how the endpoints are reached and what their function is given.
var Family = family.Family{
	Name: "context-place", Program: "functions/context/place/lambda", Prefix: "/context",
	Paths: []string{"/api/v1/context", "/api/v1/search/*", "/api/v1/lookup", "/api/v1/kgs", "/api/v1/land_prices/*", "/api/v1/natura2000/*",
		"/api/v1/osm/*",
		"/api/v1/toponyms/*", "/api/v1/kg/*", "/api/v1/legal/*"},
	Needs: family.Needs{Store: true, Reads: []string{"cells", "prices"}},
}
