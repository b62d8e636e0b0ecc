package overlays

import (
	"mappe/functions/core"
	"mappe/shared/web/endpoint"
)

const tag = "Overlays"

// Deps are what the endpoints stand on.
type Deps = core.Deps

// New is the family as a service of its own, with further endpoints (Posts).
func New(d Deps, further ...endpoint.Endpoint) *endpoint.Service {
	d = d.WithDefaults()
	return d.Service("overlays", "Natura 2000 sites, protected areas and laws over the parcels.", append([]endpoint.Endpoint{
		ProtectedArea(), GADM(), LegalSearch(), naturaStats(), NaturaSearch(), NaturaPoint(), naturaSite(), siteParcels(), naturaParcel(),
		naturaKG(),
	}, further...))
}
