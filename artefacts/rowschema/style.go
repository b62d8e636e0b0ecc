package rowschema

import (
	"strconv"

	"mappe/shared/austria"
	"mappe/shared/web/qgis"
)

// classColours are those of the map page (localdev/server/web/src/palette.js, light; a test compares).
var classColours = map[austria.LandUseClass]string{
	austria.ClassBuilding: "#ba6346", austria.ClassBuiltUp: "#e9af90", austria.ClassArable: "#f7fcb6", austria.ClassGrass: "#cdd36a",
	austria.ClassForest: "#618e79", austria.ClassWater: "#9ccaf0", austria.ClassTraffic: "#bebebe", austria.ClassAlpine: "#bde6c4",
	austria.ClassOther: "#b788c4",
}

// The map page's ink and ground.
const (
	inkParcel  = "#4d4640"
	inkOutline = "#6f321f"
	inkHouse   = "#6b1f10"
	inkNumber  = "#2b2722"
	ground     = "#fcfdfa"
)

// Style is how a GIS draws the layer unless it is told otherwise. The parcels have no fill: land use lies below them.
func (l Layer) Style() qgis.Style {
	switch l {
	case Buildings:
		return qgis.Style{Fill: inkHouse, Width: 0.2, Size: 1.6}
	case Footprints:
		return qgis.Style{Fill: classColours[austria.ClassBuilding], Line: inkOutline, Width: 0.2}
	case Labels:
		return qgis.Style{Size: 0.2, Line: inkNumber, Label: "gnr"}
	case LandUsePolygons:
		return qgis.Style{Fill: ground, Column: "code", Classes: useClasses()}
	case LandUsePoints:
		return qgis.Style{Fill: ground, Line: inkParcel, Width: 0.1, Size: 1.2, Column: "code", Classes: useClasses()}
	}
	return qgis.Style{Line: inkParcel, Width: 0.2}
}

// useClasses are the nine classes with the codes of each.
func useClasses() []qgis.Class {
	codes := map[austria.LandUseClass][]string{}
	for _, r := range austria.AllLandUses() {
		codes[r.Class] = append(codes[r.Class], strconv.Itoa(int(r.Code)))
	}
	var out []qgis.Class
	for _, c := range austria.AllLandUseClasses() {
		out = append(out, qgis.Class{Name: c.String(), Values: codes[c], Fill: classColours[c]})
	}
	return out
}
