package expander

import "mappe/functions/family"

// Family is how the endpoints are reached and what their function is given.
var Family = family.Family{
	Name: "expander", Program: "functions/expander/lambda", Prefix: "/expander",
	Needs: family.Needs{Ledger: []string{"pay/*"}},
}
