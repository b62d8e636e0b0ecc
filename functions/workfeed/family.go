package workfeed

import "mappe/functions/family"

// Family is how the endpoints are reached and what their function is given.
var Family = family.Family{
	Name: "workfeed", Program: "functions/workfeed/lambda", Prefix: "/workfeed",
	Needs: family.Needs{Ledger: []string{"work/*"}},
}
