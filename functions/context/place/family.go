package place

import "mappe/functions/family"

// Family is how the endpoints are reached and what their function is given.
var Family = family.Family{
	Name: "context-place", Program: "functions/context/place/lambda", Prefix: "/context",
	Needs: family.Needs{Store: true},
}
