package licence

// The sources of the services. A service says with Used or Unused what it does with each.
var (
	Cadastre = Source{ID: "bev_cadastre", Name: "Cadastral map: parcels, land use, footprints", Publisher: surveyOffice,
		URL: "https://data.bev.gv.at/"}

	Addresses = Source{ID: "bev_addresses", Name: "Address register: address points", Publisher: surveyOffice,
		URL: "https://data.bev.gv.at/"}

	Toponyms = Source{ID: "bev_toponyms", Name: "Geographical names of the national map", Publisher: surveyOffice,
		URL: "https://data.bev.gv.at/"}

	Registers = Source{ID: "statistics_registers",
		Name: "Registers of KGs, municipalities, districts and localities; outlines of municipalities", Publisher: "Statistics Austria",
		Attribution: "Statistics Austria, data.statistik.gv.at", URL: "https://data.statistik.gv.at/"}

	Prices = Source{ID: "statistics_prices", Name: "Average prices of building land, agricultural land and houses",
		Publisher:   "Statistics Austria",
		Attribution: "Statistics Austria, data.statistik.gv.at", URL: "https://data.statistik.gv.at/"}

	Natura = Source{ID: "natura2000", Name: "Natura 2000 sites", Publisher: "Environment Agency Austria and the states",
		Attribution: "Umweltbundesamt, data.umweltbundesamt.at", URL: "https://www.umweltbundesamt.at/"}

	ProtectedAreas = Source{ID: "protected_areas", Name: "National protected areas", Publisher: "Environment Agency Austria and the states",
		Attribution: "Umweltbundesamt, data.umweltbundesamt.at", URL: "https://www.umweltbundesamt.at/"}

	Laws = Source{ID: "ris", Name: "Laws and decrees that name parcels",
		Publisher:   "RIS, Legal Information System of the Republic of Austria",
		Attribution: "Rechtsinformationssystem des Bundes (RIS), ris.bka.gv.at", URL: "https://www.ris.bka.gv.at/"}

	PostalCodes = Source{ID: "geonames", Name: "Postal codes and their places", Publisher: "GeoNames",
		Attribution: "GeoNames, geonames.org", URL: "https://www.geonames.org/"}

	OpenStreetMap = Source{ID: "openstreetmap", Name: "Community map: distances to roads, transit, water, settlements (the osm block)",
		Publisher: "OpenStreetMap contributors",
		License:   "ODbL 1.0", LicenseURL: "https://opendatacommons.org/licenses/odbl/1-0/", Attribution: "© OpenStreetMap contributors",
		URL:         "https://www.openstreetmap.org/copyright",
		Obligations: []Obligation{Attribute, LinkLicence, ShareAlike}}

	WDPA = Source{ID: "wdpa", Name: "World Database on Protected Areas", Publisher: "UNEP-WCMC and IUCN",
		License: "WDPA terms of use", LicenseURL: "https://www.protectedplanet.net/en/legal",
		Attribution: "UNEP-WCMC and IUCN, Protected Planet", URL: "https://www.protectedplanet.net/",
		Obligations: []Obligation{Attribute, NonCommercial}}

	GADM = Source{ID: "gadm", Name: "GADM municipalities", Publisher: "GADM",
		License: "GADM licence", LicenseURL: "https://gadm.org/license.html", Attribution: "GADM, gadm.org", URL: "https://gadm.org/",
		Obligations: []Obligation{Attribute, NonCommercial}}
)

const surveyOffice = "BEV, Federal Office of Metrology and Surveying"

// Used is a source that a service serves, with the endpoints or fields where.
func (s Source) Used(in string) Source {
	s.UsedIn, s.Served = in, true
	return s
}

// Exported is a source that exports and archived snapshots hold too.
func (s Source) Exported() Source {
	s.Exports = true
	return s
}

// Unused is a source that a service does not serve, with the reason.
func (s Source) Unused(why string) Source {
	s.UsedIn, s.Served = why, false
	return s
}
