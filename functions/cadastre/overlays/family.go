// Package overlays is what lies over the cadastre: sites, protected areas, laws, as a family: functions/core/overlays answers.
package overlays

import (
	"mappe/functions/core"
	"mappe/functions/core/drawn"
	"mappe/functions/core/memory"
	"mappe/functions/core/overlays"
	"mappe/functions/family"
	"mappe/shared/web/endpoint"
)

// Family is how the endpoints are reached and what their function is given.
var Family = family.Family{
	Name: "cadastre-overlays", Program: "functions/cadastre/overlays/lambda", Prefix: "/cadastre",
	Paths: []string{"/api/v1/natura2000/*", "/api/v1/legal/*", "/api/v1/search/protected_area", "/api/v1/search/gadm"},
	Needs: family.Needs{Store: true, Warmup: true},
}

// placeBody reads the area of a request in all its forms.
var placeBody = drawn.PlaceBody(memory.Of(nil), "Where kg, gemeinde and bbox name no place, the area that the answer is about.")

// New is the family as a service of its own.
func New(d core.Deps) *endpoint.Service {
	return overlays.New(d, overlays.Posts(placeBody, func(r *endpoint.Request) *overlays.Area {
		a := placeBody.Of(r)
		if a == nil {
			return nil
		}
		return &overlays.Area{Geometry: a.Geometry, Warnings: a.Warnings}
	})...)
}
