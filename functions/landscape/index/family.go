package index

import (
	"mappe/functions/core/tasks"
	"mappe/functions/family"
)

// Family is how the endpoints are reached and what their function is given.
var Family = family.Family{
	Name: "landscape-index", Program: "functions/landscape/index/lambda", Prefix: "/landscape",
	Paths: []string{"/api/v1/index/status", "/api/v1/query", "/api/v1/query/*", "/api/v1/kg/*", "/api/v1/parcel/*", "/api/v1/parcels/*",
		"/api/v1/buildings/*"},
	Needs: family.Needs{Store: true, Reads: []string{"landscape"}, Ledger: tasks.Partitions, Results: true,
		Worker: "functions/landscape/results/worker/lambda"},
}
