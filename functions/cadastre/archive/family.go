package archive

import (
	"mappe/functions/family"
	"mappe/shared/cloud/processing"
)

// Worker is the program that does what is ordered here.
const Worker = "builders/lambda/process"

// Family is how the endpoints are reached and what their function is given.
var Family = family.Family{
	Name: "cadastre-archive", Program: "functions/cadastre/archive/lambda", Prefix: "/cadastre",
	Paths: []string{"/api/inspire/*", "/api/archive/*", "/api/v1/buildings/*", "/api/v1/prewarm*", "/api/v1/debug/*"},
	Needs: family.Needs{Store: true, Reads: []string{"archive"}, Warmup: true, Ledger: processing.Ledger(processing.AllTypes()...),
		Worker: Worker},
}
