package overlays

import (
	"mappe/functions/cadastre"
	"mappe/functions/family"
	"mappe/shared/web/endpoint"
)

// Family is how the endpoints are reached and what their function is given.
var Family = family.Family{
	Name: "cadastre-overlays", Program: "functions/cadastre/overlays/lambda", Prefix: "/cadastre",
	Paths: []string{"/api/v1/natura2000/*", "/api/v1/legal/*", "/api/v1/search/protected_area", "/api/v1/search/gadm"},
	Needs: family.Needs{Store: true, Warmup: true},
}

const tag = "Overlays"

// Deps are what the endpoints stand on.
type Deps = cadastre.Deps

// New is the family as a service of its own.
func New(d Deps) *endpoint.Service {
	d = d.WithDefaults()
	return d.Service("overlays", "Natura 2000 sites, protected areas and laws over the parcels.", []endpoint.Endpoint{
		ProtectedArea(), GADM(), LegalSearch(), naturaStats(), NaturaSearch(), NaturaPoint(), naturaSite(), siteParcels(), naturaParcel(), naturaKG(),
	})
}
