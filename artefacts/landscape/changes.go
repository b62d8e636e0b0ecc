package landscape

import (
	"mappe/shared/geo/geom"
	"mappe/shared/landscape/change"
)

// Change is something that happened between the two newest laser scans.
type Change struct {
	ID                                    string // by its place and type
	Type                                  string // of change.AllTypes
	AreaSqm, Change                       float64
	TerrainVolume, TerrainVolumeError     float64
	SurfaceVolume, SurfaceVolumeError     float64
	TerrainBefore, TerrainAfter           float64
	HeightBefore, HeightAfter, Confidence float64
	Evidence                              string // texts with "; " between them
	CutOff                                bool
	At                                    geom.Point
	Geometry                              geom.MultiPolygon
}

// ChangeTypes are the types of changes.
func ChangeTypes() (names []string) {
	for _, k := range change.AllTypes() {
		names = append(names, k.String())
	}
	return names
}

// ChangeColumns are its columns but for the outline.
var ChangeColumns = Columns[Change]{
	text("change_id", "Place of its middle in EPSG:3035 and its type.", func(c *Change) *string { return &c.ID }),
	enum("type", "What has happened.", ChangeTypes(), func(c *Change) *string { return &c.Type }),
	number("area_sqm", "m²", 0, "Area of its outline.", func(c *Change) *float64 { return &c.AreaSqm }),
	number("change_m", "m", 2, "By how much 95 % of it have changed at most: the terrain, or the 90th percentile of what stands on it.",
		func(c *Change) *float64 { return &c.Change }),
	number("terrain_volume_m3", "m³", 1, "What the terrain has gained; negative: lost.",
		func(c *Change) *float64 { return &c.TerrainVolume }),
	number("terrain_volume_error_m3", "m³", 1, "The true volume lies within plus or minus this in 95 of 100 cases.",
		func(c *Change) *float64 { return &c.TerrainVolumeError }),
	number("surface_volume_m3", "m³", 1, "What the surface has gained: crowns, buildings, ground.",
		func(c *Change) *float64 { return &c.SurfaceVolume }),
	number("surface_volume_error_m3", "m³", 1, "Its error, as that of the terrain.",
		func(c *Change) *float64 { return &c.SurfaceVolumeError }),
	number("terrain_before_m", "m", 2, "Mean of the terrain above the Adriatic in the earlier scan, levelled to the later one.",
		func(c *Change) *float64 { return &c.TerrainBefore }),
	number("terrain_after_m", "m", 2, "The same in the later scan.", func(c *Change) *float64 { return &c.TerrainAfter }),
	number("height_before_m", "m", 2, "95th percentile of what stood above the terrain in the earlier scan.",
		func(c *Change) *float64 { return &c.HeightBefore }),
	number("height_after_m", "m", 2, "The same in the later scan.", func(c *Change) *float64 { return &c.HeightAfter }),
	number("confidence", "", 2, "0 to 1: how sure the type is.", func(c *Change) *float64 { return &c.Confidence }),
	text("evidence", "What the type was told by.", func(c *Change) *string { return &c.Evidence }),
	flag("cut_off", "Whether it goes on beyond the square of 1 km that it was found in, beyond the KG, or into places without heights.",
		func(c *Change) *bool { return &c.CutOff }),
	place("at", "Longitude and latitude of its middle.", func(c *Change) *geom.Point { return &c.At }),
}

// Changes is the layer of changes. Files that were made before it was there have none of it.
var Changes = placed("changes", 1<<12, ChangeColumns, thing[Change]{func(c *Change) geom.Point { return c.At }, func(c *Change) string {
	return c.ID
},
	func(c *Change) *geom.MultiPolygon { return &c.Geometry }})
