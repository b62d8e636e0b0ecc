package info

import "mappe/functions/licence"

// sources are those of the cadastre's data. Whom to name for the survey office's data is said by the generation.
var sources = []licence.Source{
	licence.Cadastre.Used("all endpoints of parcels, footprints, land use and KGs").Exported(),
	licence.Addresses.Used("buildings, /search/address, /search/address_osm").Exported(),
	licence.Registers.Used("/lookup, /search/municipalities, /search/kg, /search/district").Exported(),
	licence.Prices.Used("/land_prices"),
	licence.Natura.Used("/natura2000, natura2000_sites of parcels, filters of /query"),
	licence.ProtectedAreas.Used("/search/protected_area, /query/protected_area"),
	licence.Laws.Used("/legal, legal_refs of parcels"),
	licence.PostalCodes.Used("/lookup, /search/kg?plz="),
	licence.OpenStreetMap.Unused("not by this service: the context service serves it; exports and archived snapshots never hold it"),
	licence.WDPA.Unused("not used: protected areas come from national sources"),
	licence.GADM.Unused("not used: /search/gadm serves the project's own municipality outlines under the legacy field names"),
}
