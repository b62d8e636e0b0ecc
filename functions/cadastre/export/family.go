package export

import "mappe/functions/family"

// Family is how the endpoints are reached and what their function is given.
var Family = family.Family{
	Name: "cadastre-export", Program: "functions/cadastre/export/lambda", Prefix: "/cadastre",
	Paths: []string{"/api/v1/export/*"},
	Needs: family.Needs{
		Store: true, Warmup: true, Ledger: []string{"job/export/*", "jobs-open/export", "jobs-gate/export"},
		Worker: "functions/cadastre/export/worker/lambda",
	},
}
