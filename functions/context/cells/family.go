// Package cells is the land statistics of cells as a family: functions/core/cells answers.
package cells

import (
	"mappe/functions/core/cells"
	"mappe/functions/family"
	"mappe/shared/web/endpoint"
)

// Family is how the endpoints are reached and what their function is given.
var Family = family.Family{
	Name: "context-cells", Program: "functions/context/cells/lambda", Prefix: "/context",
	Paths: []string{"/api/v1/ne*"},
	Needs: family.Needs{Store: true, Reads: []string{"cells"}},
}

// Deps are what the endpoints stand on.
type Deps = cells.Deps

// New is the family as a service of its own.
func New(d Deps) *endpoint.Service { return cells.New(d) }
