package processing

import (
	"mappe/functions/family"
	"mappe/shared/cloud/landprocess"
)

// Family is how the endpoints are reached and what their function is given. The worker is invoked by its schedule, once a minute.
var Family = family.Family{
	Name: "landscape-processing", Program: "functions/landscape/processing/lambda", Prefix: "/landscape",
	Paths: []string{"/api/v1/processing/*", "/api/v1/index/rebuild"},
	Needs: family.Needs{Store: true, Ledger: landprocess.Ledger},
}
