package rowschema

import "mappe/shared/austria"

// Verdict says whether a build may be served.
type Verdict string

// The verdicts: Pass has nothing to say, Warn names reasons and is published, Refuse is not published.
const (
	Pass   Verdict = "pass"
	Warn   Verdict = "warn"
	Refuse Verdict = "refuse"
)

// AllVerdicts lists the verdicts, the best first.
func AllVerdicts() []Verdict { return []Verdict{Pass, Warn, Refuse} }

// Quality is the report on one snapshot of a KG, published beside its forms. Counts are of this
// snapshot; "source" is what the raw source held, "served" what the forms hold. Areas in m²,
// EPSG:3035. Builders/verify fills it; slices are in their documented order and never null.
type Quality struct {
	KGCode   austria.KGCode `json:"kg_code"`
	KGName   string         `json:"kg_name"`
	Snapshot string         `json:"snapshot"` // <kg>-<date>
	Stichtag string         `json:"stichtag"`
	Verdict  Verdict        `json:"verdict"`
	Reasons  []Reason       `json:"reasons"` // worst first; empty with Pass

	Parcels    Count        `json:"parcels"`
	Labels     Count        `json:"labels"` // distinct parcel numbers among the labels
	Buildings  AddressCount `json:"buildings"`
	Footprints int          `json:"footprints"`
	LandUse    int          `json:"landuse_polygons"`
	Symbols    int          `json:"landuse_points"`
	Tiles      int          `json:"source_tiles"`

	Coverage Coverage      `json:"coverage"`
	Given    *Given        `json:"given_outline"` // null where no outline of the source was at hand
	Validity Validity      `json:"validity"`
	Inexact  []Inexact     `json:"inexact"` // parcels whose area is not what the source draws; at most 100
	Repairs  []RepairCount `json:"repairs"` // all kinds in fixed order, zero counts too
	Area     AreaCheck     `json:"area"`
	Address  AddressJoin   `json:"addresses"`
	Forms    FormsCheck    `json:"forms"`
	Live     *LiveCheck    `json:"live"` // null without an earlier build to compare with
}

// Reason is one thing that speaks against a build.
type Reason struct {
	Code    string  `json:"code"`    // "parcels_lost", "coverage_gap", ...
	Verdict Verdict `json:"verdict"` // what this reason alone leads to
	Message string  `json:"message"`
}

// Count compares a number of the source with the number served.
type Count struct {
	Source int `json:"source"`
	Served int `json:"served"`
}

// AddressCount compares the address points of the register with those served. The register is counted
// apart from the build: points that name the KG, and points that one of its parcels holds.
type AddressCount struct {
	Source    *int `json:"source"`    // null where the register was not at hand
	Elsewhere int  `json:"elsewhere"` // of them, named for the KG but standing in another's parcels
	Served    int  `json:"served"`
}

// Given says how the parcels fill the outline the source draws of the KG. Outlines are drawn from maps of
// small scale, so within DepthM of its border a difference says nothing: missing and beyond are what lies
// deeper. All areas are measured in cells of 25 m.
type Given struct {
	DepthM     float64 `json:"depth_m"`
	OutlineSqm float64 `json:"outline_sqm"`
	CoveredSqm float64 `json:"covered_sqm"` // of the outline, in a parcel
	MissingSqm float64 `json:"missing_sqm"` // of the outline, deeper than DepthM and in no parcel
	BeyondSqm  float64 `json:"beyond_sqm"`  // of the parcels, farther than DepthM outside
	MissingAt  *LonLat `json:"missing_at"`
	BeyondAt   *LonLat `json:"beyond_at"`
}

// Coverage says how well the parcels fill the outline of the KG.
type Coverage struct {
	OutlineSqm float64 `json:"outline_sqm"`
	GapSqm     float64 `json:"gap_sqm"`
	OverlapSqm float64 `json:"overlap_sqm"`
	OutsideSqm float64 `json:"outside_sqm"` // parcels beyond the outline
	GapAt      *LonLat `json:"worst_gap_at"`
	OverlapAt  *LonLat `json:"worst_overlap_at"`
}

// LonLat is a position in degrees, WGS84.
type LonLat struct {
	Lon float64 `json:"lon"`
	Lat float64 `json:"lat"`
}

// Validity counts geometries that are not valid in the sense of Simple Features.
type Validity struct {
	Checked int      `json:"checked"`
	Invalid int      `json:"invalid"`
	Which   []string `json:"which"` // "<id>: <reason>", at most 20, in row order
}

// Inexact is a parcel whose rings cross in the source: the repair encloses another area than the rings.
type Inexact struct {
	Parcel   string  `json:"parcel"`
	DrawnSqm float64 `json:"drawn_sqm"` // enclosed by the rings as the source draws them, by their direction
	Sqm      float64 `json:"sqm"`       // published
}

// RepairCount counts the parcels that carry one repair.
type RepairCount struct {
	Repair string `json:"repair"`
	N      int    `json:"count"`
}

// AreaCheck compares drawn areas with the areas of the register. Register areas are legal figures and
// differ from the drawing even in a perfect build, so they only warn.
type AreaCheck struct {
	DrawnSqm    float64  `json:"drawn_sqm"`
	RegisterSqm *float64 `json:"register_sqm"` // null where the register is not given
	DiffPercent *float64 `json:"diff_percent"`
}

// AddressJoin says how many address points found their parcel.
type AddressJoin struct {
	Points  int `json:"points"`
	Joined  int `json:"joined"`
	Outside int `json:"outside"` // in no parcel of the KG
}

// FormsCheck says whether the five forms hold the same rows.
type FormsCheck struct {
	Equal      bool   `json:"equal"`
	Difference string `json:"difference,omitempty"` // the first one found: form, row, field
}

// LiveCheck compares with the build that is served now.
type LiveCheck struct {
	Snapshot       string   `json:"snapshot"`
	Parcels        int      `json:"parcels"`
	LostParcels    []string `json:"lost_parcels"` // served before, not now; at most 100, rising
	LostCount      int      `json:"lost_count"`
	AreaChangeSqm  float64  `json:"area_change_sqm"`
	BuildingsDelta int      `json:"buildings_delta"`
}
