package results

import (
	"mappe/functions/core/tasks"
	"mappe/functions/family"
)

// Family is how the endpoints are reached and what their function is given.
var Family = family.Family{
	Name: "landscape-results", Program: "functions/landscape/results/lambda", Prefix: "/landscape",
	Paths: []string{"/api/v1/segment/*", "/api/v1/share*"},
	Needs: family.Needs{Ledger: tasks.Partitions, Results: true, Worker: "functions/landscape/results/worker/lambda"},
}
