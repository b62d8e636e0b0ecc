package analysis

import "mappe/functions/family"

// Family is how the endpoints are reached and what their function is given. It leads the service: there is no other
// family yet.
var Family = family.Family{
	Name: "landscape-analysis", Program: "functions/landscape/analysis/lambda", Prefix: "/landscape",
	Needs: family.Needs{Store: true, Reads: []string{"rasters"}},
}
