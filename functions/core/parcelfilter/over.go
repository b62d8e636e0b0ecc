package parcelfilter

import (
	"mappe/artefacts/overlays"
	"mappe/functions/core/overlayindex"
	"mappe/shared/web/endpoint"
)

var (
	hasRefs      = endpoint.Bool("has_legal_refs", "true: only parcels that a law names; false: only others.")
	legalContext = endpoint.Enum("legal_context", "Only parcels that a law of this context names.", overlays.AllContexts())
	hasNatura    = endpoint.Bool("has_natura2000", "true: only parcels whose centroid lies in a Natura 2000 site; false: only others.")
	naturaSite   = endpoint.String("natura2000_site", "Only parcels in the Natura 2000 site of this code.", endpoint.Between(1, 20))
	naturaType   = endpoint.Parsed("natura2000_type",
		"Only parcels in a site of this type: A birds, B habitats, C both; a site of both is one of each.", overlays.ParseSiteType)
	naturaHabitat = endpoint.Enum("natura2000_habitat",
		"Only parcels in a site with this tag. Conditions on sites hold for one site together.", overlays.AllHabitats())
)

// OverParams are the filters on what lies over a parcel.
var OverParams = []endpoint.AnyParam{hasRefs, legalContext, hasNatura, naturaSite, naturaType, naturaHabitat}

// Over is the filter of a request on what lies over a parcel.
func Over(r *endpoint.Request) overlayindex.Filter {
	f := overlayindex.Filter{Context: legalContext.Of(r), Site: naturaSite.Of(r), Type: naturaType.Of(r), Habitat: naturaHabitat.Of(r)}
	for p, to := range map[*endpoint.Param[bool]]**bool{hasRefs: &f.LegalRefs, hasNatura: &f.Natura} {
		if p.Given(r) {
			v := p.Of(r)
			*to = &v
		}
	}
	return f
}

// OfNatura says whether a filter on Natura 2000 is active.
func OfNatura(r *endpoint.Request) bool {
	return hasNatura.Given(r) || naturaSite.Given(r) || naturaType.Given(r) || naturaHabitat.Given(r)
}
