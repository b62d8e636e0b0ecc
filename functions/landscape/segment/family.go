package segment

import (
	"mappe/functions/core/tasks"
	"mappe/functions/family"
)

// Family is how the endpoints are reached and what their function is given. It reads the cadastre and the community map
// beside the rasters, and so links more than the other analyses.
var Family = family.Family{
	Name: "landscape-segment", Program: "functions/landscape/segment/lambda", Prefix: "/landscape",
	Paths: []string{"/api/v1/segment", "/api/v1/onestop"},
	Needs: family.Needs{Store: true, Reads: []string{"rasters"}, Ledger: tasks.Partitions, Results: true,
		Worker: "functions/landscape/results/worker/lambda"},
}
