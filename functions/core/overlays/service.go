package overlays

import (
	"mappe/functions/core"
	"mappe/shared/web/endpoint"
)

const tag = "Overlays"

// Deps are what the endpoints stand on.
type Deps = core.Deps

// New is the family as a service of its own.
func New(d Deps) *endpoint.Service {
	d = d.WithDefaults()
	return d.Service("overlays", "Natura 2000 sites, protected areas and laws over the parcels.", []endpoint.Endpoint{
		ProtectedArea(), protectedPost(), GADM(), LegalSearch(), naturaStats(), NaturaSearch(), naturaPost(), NaturaPoint(), naturaSite(), siteParcels(), naturaParcel(), naturaKG(),
	})
}
