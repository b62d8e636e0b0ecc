package info

import "mappe/functions/licence"

// sources are those of the cadastre's data. Whom to name for the survey office's data is said by the generation.
var sources = []licence.Source{
	{ID: "bev_cadastre", Name: "Cadastral map: parcels, land use, footprints", Publisher: "BEV, Federal Office of Metrology and Surveying",
		URL: "https://data.bev.gv.at/", UsedIn: "all endpoints of parcels, footprints, land use and KGs", Served: true, Exports: true},
	{ID: "bev_addresses", Name: "Address register: address points", Publisher: "BEV, Federal Office of Metrology and Surveying",
		URL: "https://data.bev.gv.at/", UsedIn: "buildings, /search/address, /search/address_osm", Served: true, Exports: true},
	{ID: "statistics_registers", Name: "Registers of KGs, municipalities, districts and localities; outlines of municipalities", Publisher: "Statistics Austria",
		Attribution: "Statistics Austria, data.statistik.gv.at", URL: "https://data.statistik.gv.at/", UsedIn: "/lookup, /search/municipalities, /search/kg, /search/district", Served: true, Exports: true},
	{ID: "statistics_prices", Name: "Average prices of building land, agricultural land and houses", Publisher: "Statistics Austria",
		Attribution: "Statistics Austria, data.statistik.gv.at", URL: "https://data.statistik.gv.at/", UsedIn: "/land_prices", Served: true},
	{ID: "natura2000", Name: "Natura 2000 sites", Publisher: "Environment Agency Austria and the states",
		Attribution: "Umweltbundesamt, data.umweltbundesamt.at", URL: "https://www.umweltbundesamt.at/", UsedIn: "/natura2000, natura2000_sites of parcels, filters of /query", Served: true},
	{ID: "protected_areas", Name: "National protected areas", Publisher: "Environment Agency Austria and the states",
		Attribution: "Umweltbundesamt, data.umweltbundesamt.at", URL: "https://www.umweltbundesamt.at/", UsedIn: "/search/protected_area, /query/protected_area", Served: true},
	{ID: "ris", Name: "Laws and decrees that name parcels", Publisher: "RIS, Legal Information System of the Republic of Austria",
		Attribution: "Rechtsinformationssystem des Bundes (RIS), ris.bka.gv.at", URL: "https://www.ris.bka.gv.at/", UsedIn: "/legal, legal_refs of parcels", Served: true},
	{ID: "geonames", Name: "Postal codes and their places", Publisher: "GeoNames",
		Attribution: "GeoNames, geonames.org", URL: "https://www.geonames.org/", UsedIn: "/lookup, /search/kg?plz=", Served: true},
	{ID: "openstreetmap", Name: "Community map: distances to roads, transit, water, settlements (the osm block)", Publisher: "OpenStreetMap contributors",
		License: "ODbL 1.0", LicenseURL: "https://opendatacommons.org/licenses/odbl/1-0/", Attribution: "© OpenStreetMap contributors", URL: "https://www.openstreetmap.org/copyright",
		UsedIn: "not by this service: the context service serves it; exports and archived snapshots never hold it", Obligations: []licence.Obligation{licence.Attribute, licence.LinkLicence, licence.ShareAlike}},
	{ID: "wdpa", Name: "World Database on Protected Areas", Publisher: "UNEP-WCMC and IUCN",
		License: "WDPA terms of use", LicenseURL: "https://www.protectedplanet.net/en/legal", Attribution: "UNEP-WCMC and IUCN, Protected Planet", URL: "https://www.protectedplanet.net/",
		UsedIn: "not used: protected areas come from national sources", Obligations: []licence.Obligation{licence.Attribute, licence.NonCommercial}},
	{ID: "gadm", Name: "GADM municipalities", Publisher: "GADM",
		License: "GADM licence", LicenseURL: "https://gadm.org/license.html", Attribution: "GADM, gadm.org", URL: "https://gadm.org/",
		UsedIn: "not used: /search/gadm serves the project's own municipality outlines under the legacy field names", Obligations: []licence.Obligation{licence.Attribute, licence.NonCommercial}},
}
