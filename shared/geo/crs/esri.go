package crs

// ESRI is the well-known text of a system in the spelling of ESRI (version 1), as the .prj file of a shapefile has it; "" for
// an unknown system. FromWKT reads it.
func (s System) ESRI() string { return esriTexts[s] }

const (
	esriWGS84   = `GEOGCS["GCS_WGS_1984",DATUM["D_WGS_1984",SPHEROID["WGS_1984",6378137.0,298.257223563]],PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]]`
	esriETRS    = `GEOGCS["GCS_ETRS_1989",DATUM["D_ETRS_1989",SPHEROID["GRS_1980",6378137.0,298.257222101]],PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]]`
	esriMGI     = `GEOGCS["GCS_MGI",DATUM["D_MGI",SPHEROID["Bessel_1841",6377397.155,299.1528128]],PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]]`
	esriLambert = `,PROJECTION["Lambert_Conformal_Conic"],PARAMETER["False_Easting",400000.0],PARAMETER["False_Northing",400000.0],` +
		`PARAMETER["Central_Meridian",13.3333333333333],PARAMETER["Standard_Parallel_1",49.0],PARAMETER["Standard_Parallel_2",46.0],` +
		`PARAMETER["Latitude_Of_Origin",47.5],UNIT["Meter",1.0]]`
)

var esriTexts = map[System]string{
	WGS84: esriWGS84,
	WebMercator: `PROJCS["WGS_1984_Web_Mercator_Auxiliary_Sphere",` + esriWGS84 + `,PROJECTION["Mercator_Auxiliary_Sphere"],` +
		`PARAMETER["False_Easting",0.0],PARAMETER["False_Northing",0.0],PARAMETER["Central_Meridian",0.0],` +
		`PARAMETER["Standard_Parallel_1",0.0],PARAMETER["Auxiliary_Sphere_Type",0.0],UNIT["Meter",1.0]]`,
	LAEA: `PROJCS["ETRS_1989_LAEA",` + esriETRS + `,PROJECTION["Lambert_Azimuthal_Equal_Area"],PARAMETER["False_Easting",4321000.0],` +
		`PARAMETER["False_Northing",3210000.0],PARAMETER["Central_Meridian",10.0],PARAMETER["Latitude_Of_Origin",52.0],UNIT["Meter",1.0]]`,
	LambertMGI:       `PROJCS["MGI_Austria_Lambert",` + esriMGI + esriLambert,
	LambertETRS89:    `PROJCS["ETRS_1989_Austria_Lambert",` + esriETRS + esriLambert,
	GaussKruegerWest: esriStrip("West", "0.0", "10.3333333333333"),
	GaussKruegerMid:  esriStrip("Central", "0.0", "13.3333333333333"),
	GaussKruegerEast: esriStrip("East", "0.0", "16.3333333333333"),
	MeldenetzWest:    esriStrip("M28", "150000.0", "10.3333333333333"),
	MeldenetzMid:     esriStrip("M31", "450000.0", "13.3333333333333"),
	MeldenetzEast:    esriStrip("M34", "750000.0", "16.3333333333333"),
	UTM32:            esriUTM("ETRS_1989_UTM_Zone_32N", esriETRS, "9.0"),
	UTM33:            esriUTM("ETRS_1989_UTM_Zone_33N", esriETRS, "15.0"),
	UTM32WGS:         esriUTM("WGS_1984_UTM_Zone_32N", esriWGS84, "9.0"),
	UTM33WGS:         esriUTM("WGS_1984_UTM_Zone_33N", esriWGS84, "15.0"),
}

// esriStrip is the text of a Gauss-Krüger strip: its name, false easting and meridian.
func esriStrip(name, easting, meridian string) string {
	return `PROJCS["MGI_Austria_GK_` + name + `",` + esriMGI + `,PROJECTION["Transverse_Mercator"],PARAMETER["False_Easting",` + easting +
		`],PARAMETER["False_Northing",-5000000.0],PARAMETER["Central_Meridian",` + meridian +
		`],PARAMETER["Scale_Factor",1.0],PARAMETER["Latitude_Of_Origin",0.0],UNIT["Meter",1.0]]`
}

// esriUTM is the text of a northern zone of UTM: its name, geographic system and meridian.
func esriUTM(name, datum, meridian string) string {
	return `PROJCS["` + name + `",` + datum + `,PROJECTION["Transverse_Mercator"],PARAMETER["False_Easting",500000.0],` +
		`PARAMETER["False_Northing",0.0],PARAMETER["Central_Meridian",` + meridian +
		`],PARAMETER["Scale_Factor",0.9996],PARAMETER["Latitude_Of_Origin",0.0],UNIT["Meter",1.0]]`
}
