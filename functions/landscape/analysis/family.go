package analysis

import (
	"mappe/functions/core/tasks"
	"mappe/functions/family"
)

// Family is how the endpoints are reached and what their function is given.
var Family = family.Family{
	Name: "landscape-analysis", Program: "functions/landscape/analysis/lambda", Prefix: "/landscape",
	Paths: []string{"/api/v1/elevation", "/api/v1/terrain", "/api/v1/lidar/*"},
	Needs: family.Needs{Store: true, Reads: []string{"rasters"}, Ledger: tasks.Partitions, Results: true,
		Worker: "functions/landscape/results/worker/lambda"},
}
