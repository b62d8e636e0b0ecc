package changes

import (
	"mappe/functions/core/tasks"
	"mappe/functions/family"
)

// Family is how the endpoint is reached and what its function is given. It is apart from the other analyses since what it
// compares of 25 km² takes more memory and time than all of theirs: it has a function of its own, which is sized for it.
var Family = family.Family{
	Name: "landscape-changes", Program: "functions/landscape/changes/lambda", Prefix: "/landscape",
	Paths: []string{"/api/v1/changes"},
	Needs: family.Needs{Store: true, Reads: []string{"rasters"}, Ledger: tasks.Partitions, Results: true,
		Worker: "functions/landscape/results/worker/lambda"},
}
