package mcp

import (
	"slices"

	"mappe/functions/core/tasks"
	"mappe/functions/family"
)

// Family is how the endpoint is reached and what its function is given.
var Family = family.Family{
	Name: "mcp", Program: "functions/mcp/lambda", Prefix: "/mcp", Bare: true,
	Needs: family.Needs{Store: true, Reads: []string{"cells", "prices", "rasters", "landscape"}, Warmup: true, Results: true, Files: true,
		Ledger: slices.Concat(tasks.Partitions, []string{"books/*", "job/book/*", "work/log", "work/mark", "work/feed/*"}),
		Worker: "functions/landscape/results/worker/lambda"},
}
