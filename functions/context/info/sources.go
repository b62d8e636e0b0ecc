package info

import "mappe/functions/licence"

// sources are those of the data of the place context. Whom to name for the survey office's data is said by the
// generation. The service has no exports.
var sources = []licence.Source{
	licence.Registers.Used("/kgs, /lookup, /search/municipalities, /search/gadm, municipality of /context"),
	licence.Addresses.Used("/search/address_osm"),
	licence.Toponyms.Used("/toponyms, /kg/{kg_code}/toponyms, toponyms of /context, /lookup with type=toponym"),
	licence.PostalCodes.Used("plz of /lookup"),
	licence.Prices.Used("/land_prices, land_price of /context"),
	licence.Natura.Used("/natura2000, natura2000 of /context"),
	licence.ProtectedAreas.Used("/search/protected_area, protected_area of /context"),
	licence.Laws.Used("/legal, legal of /context"),
	licence.OpenStreetMap.Used("/osm, osm of /context; answers of several blocks carry its licence, the strictest, as meta.license"),
	licence.Cadastre.Used("boxes and centroids of /kgs, land statistics of cells below /ne"),
	licence.WDPA.Unused("not used: protected areas come from national sources"),
	licence.GADM.Unused("not used: /search/gadm serves the project's own municipality outlines under the legacy field names"),
}
