package inventory

// What the offices publish, under the names of their data catalogues. There are no addresses here: they move.
const (
	surveyOffice = "Bundesamt für Eich- und Vermessungswesen (BEV)"
	ccBY         = "CC BY 4.0, notice © BEV, YYYY"
)

var (
	publishedMap = Published{surveyOffice, "Kataster Stichtagsdaten: Digitale Katastralmappe (DKM), GeoPackage, ganz Österreich",
		"KAT_DKM_GST_epsg31287_YYYYMMDD.gpkg", ccBY}
	publishedBoundaries = Published{surveyOffice, "Verwaltungsgrenzen (VGD) Stichtagsdaten, generalisiert 1:50.000, Shapefile",
		"VGD_Oesterreich_gen_50_YYYYMMDD.zip", ccBY}
	publishedAddresses = Published{surveyOffice, "Österreichisches Adressregister: Adresse Relationale Tabellen, Stichtagsdaten",
		"Adresse_Relationale_Tabellen_Stichtagsdaten_YYYYMMDD.zip", "CC BY 4.0, notice © Österreichisches Adressregister, YYYY"}
	publishedKGs = Published{"Bundesanstalt Statistik Österreich",
		"Verzeichnis der Katastralgemeinden, as CSV with the columns kg_code, kg_name, gemeinde_code, gemeinde_name",
		"registers/kg.csv", "CC BY 4.0, notice Statistik Austria"}
	publishedNatura = Published{"the states; the Umweltbundesamt for all of Austria", "Natura 2000 Gebiete, as GeoJSON",
		"overlays/natura2000.geojson", "CC BY 4.0, as the publisher says"}
	publishedNames   = Published{surveyOffice, "Geographische Namen, as GeoJSON", "names/*.geojson", ccBY}
	publishedTerrain = Published{surveyOffice + "; the states",
		"Digitales Geländemodell (DGM), as ASCII grid: gdal_translate -of AAIGrid -tr 30 30 makes one of a GeoTIFF", "terrain/*.asc",
		"CC BY 4.0, as the publisher says"}
	publishedRasters = Published{surveyOffice, "Airborne Laserscanning (ALS), DTM and DSM of 1 m, GeoTIFF, tiles of 50 km",
		"rasters/YYYYMMDD/ALS_DTM_CRS3035RES50000mN*E*.tif", "CC BY 4.0"}
	publishedCommunity = Published{"OpenStreetMap contributors", "extract of Austria, such as that of Geofabrik",
		"osm/austria-latest.osm.pbf", "ODbL 1.0"}
	publishedAreas = Published{"the states", "Schutzgebiete / Naturschutz, as GeoJSON", "overlays/protected_areas.geojson",
		"CC BY 4.0, as the publisher says"}
)
