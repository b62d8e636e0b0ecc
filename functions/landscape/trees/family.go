package trees

import (
	"mappe/functions/core/tasks"
	"mappe/functions/family"
)

// Family is how the endpoints are reached and what their function is given. It reads footprints of the cadastre beside the
// rasters, and so links more than the other analyses.
var Family = family.Family{
	Name: "landscape-trees", Program: "functions/landscape/trees/lambda", Prefix: "/landscape",
	Paths: []string{"/api/v1/trees", "/api/v2/trees", "/api/v1/changes/trees"},
	Needs: family.Needs{Store: true, Reads: []string{"rasters"}, Ledger: tasks.Partitions, Results: true,
		Worker: "functions/landscape/results/worker/lambda"},
}
