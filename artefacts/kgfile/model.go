package kgfile

import (
	"mappe/shared/austria"
	"mappe/shared/geo/geom"
)

// Snapshot is everything known of one Katastralgemeinde at one Stichtag, as rows. The builder makes
// it once; the five public forms and the verification are all written from this value.
//
// Order is part of the value: Parcels are in Hilbert order of their Inside point (ties by GNR),
// every other list is ordered as its comment says. Indexes (Parcel int32) point into Parcels.
type Snapshot struct {
	KG         KG
	Parcels    []Parcel
	Buildings  []Building
	Footprints []Footprint
	LandUse    []LandUseArea
	Symbols    []Symbol
	Folios     []Folio
	Labels     []Label
	Outline    geom.MultiPolygon // union of the parcels
	Build      Build
}

// KG is the row of a Katastralgemeinde: register facts, counts and metrics.
type KG struct {
	Code         austria.KGCode
	Name         string
	GemeindeCode austria.GemeindeCode
	GemeindeName string
	DistrictName string
	Box          geom.Box

	ParcelCount, BuildingCount, FootprintCount, LandUseCount int // land use: polygons and symbols

	TotalAreaSqm           float64 // sum of the parcels, EPSG:3035
	Typology               Typology
	BuildingDensity        float64 // footprints per km²
	BuiltUpRatio           float64 // footprint area / parcel area
	AvgNNDistanceM         float64 // mean distance from a footprint to its nearest other one; NaN below 2 footprints
	DominantLandUse        austria.LandUse
	LandUseDiversity       float64 // Shannon entropy (natural log) of the land-use areas
	AvgFAR                 float64 // mean over parcels with footprints
	AvgCompactness         float64
	EZCount                int
	AvgParcelsPerEZ        float64
	TotalFootprintAreaSqm  float64
	FootprintMedianAreaSqm float64 // NaN without footprints
	MedianParcelAreaSqm    float64 // NaN without parcels
}

// Typology is the settlement type of a KG.
type Typology uint8

// The typologies in rising rurality.
const (
	TypologyUnknown Typology = iota
	Urban
	Suburban
	RuralSettled
	RuralAgrarian
)

// ShapeClass is the shape of a parcel or footprint.
type ShapeClass uint8

// Parcel shapes, then footprint shapes. ShapeRegular is a parcel class and a footprint class.
const (
	ShapeUnknown ShapeClass = iota
	ShapeRegular
	ShapeModerate
	ShapeIrregular
	ShapeComplex // parcel and footprint
	ShapeStrip
	ShapeRectangular
	ShapeL
)

// SizeClass is the size of a footprint.
type SizeClass uint8

// Footprint sizes: tiny under 30 m², small 30-100, medium 100-300, large 300-1000, xlarge from 1000.
const (
	SizeUnknown SizeClass = iota
	SizeTiny
	SizeSmall
	SizeMedium
	SizeLarge
	SizeXLarge
)

// Repair flags say what the builder had to mend in a parcel.
type Repair uint16

// The repairs, counted in Build.Repairs.
const (
	RepairRingOrder     Repair = 1 << iota // rings turned or re-nested
	RepairInvertedRings                    // small exterior with the real outer rings as interiors
	RepairSelfCrossing                     // self-crossing ring made valid
	RepairMissingTile                      // a tile of the parcel was missing: the area may be cut
	RepairDuplicate                        // vertices or pieces that stood twice
	RepairNoLabel                          // attributes were missing and were taken from the label layer, or are unknown
	RepairDegenerate                       // no area left on the grid: kept with its label or first vertex as position
)

// Parcel is one parcel with everything the specification says of it.
type Parcel struct {
	GNR      austria.GNR
	EZ       austria.EZ
	Status   austria.Status
	Geometry geom.MultiPolygon
	AreaSqm  float64    // EPSG:3035
	Centroid geom.Point // area centroid (lon, lat of the rows)
	Inside   geom.Point // a point on the surface, for labels and nearest
	Repairs  Repair

	BuildingCount, FootprintCount int
	BuildingAreaSqm               float64 // footprint area on this parcel
	Compactness                   float64 // 4πA/P² of the largest part: 1.0 circle, 0.785 square
	Elongation                    float64 // long side / short side of the smallest rotated box, at least 1.0
	VertexCount                   int
	FAR                           float64 // BuildingAreaSqm / AreaSqm
	Shape                         ShapeClass
	DominantLandUse               austria.LandUse // by area, else by symbol count; 0 none
	SymbolCounts                  []CodeCount     // landuse_summary: symbols per code, rising code
	UseAreas                      []CodeArea      // land-use polygon area inside the parcel per code, rising code
}

// CodeCount is a number of symbols of one land-use code.
type CodeCount struct {
	Code austria.LandUse
	N    int
}

// CodeArea is an area in m² (EPSG:3035) of one land-use code.
type CodeArea struct {
	Code austria.LandUse
	Sqm  float64
}

// Building is one address point. Ordered by ID.
type Building struct {
	ID          austria.BuildingID
	Parcel      int32 // containing parcel, -1 outside every parcel of the KG
	HouseNumber string
	Street      string
	PLZ         austria.PLZ
	Ort         string
	ObjectType  string // EIGENSCHAFT of the register, as text
	At          geom.Point
}

// Footprint is one building outline (land-use code 41 put together again). Ordered by N, which counts
// from 1 in Hilbert order of the Inside point.
type Footprint struct {
	N           uint32
	Parcel      int32 // parcel that holds most of it, -1 none
	Geometry    geom.MultiPolygon
	AreaSqm     float64
	PerimeterM  float64
	Compactness float64
	Elongation  float64
	VertexCount int
	Size        SizeClass
	Shape       ShapeClass
	NS          austria.LandUse // ns_code
	Centroid    geom.Point
	Inside      geom.Point
}

// LandUseArea is one land-use polygon put together again (source nfl). Hilbert order of Inside.
type LandUseArea struct {
	NS       austria.LandUse
	Geometry geom.MultiPolygon
	AreaSqm  float64
	Inside   geom.Point
}

// Symbol is one land-use symbol (source nsy). Ordered by parcel, code, position.
type Symbol struct {
	NS     austria.LandUse
	Parcel int32 // -1 outside every parcel
	At     geom.Point
}

// Label is one parcel-number label of the map. Ordered by parcel number, position.
type Label struct {
	GNR      austria.GNR
	Status   austria.Status
	Rotation float64 // degrees, 0 when the source has none
	At       geom.Point
}

// Folio is one land-register folio. Ordered by EZ.
type Folio struct {
	EZ            austria.EZ
	Parcels       []int32 // rising
	TotalAreaSqm  float64
	BuildingCount int
	Box           geom.Box
	SymbolCounts  []CodeCount
	UseAreas      []CodeArea
}

// Build says where the snapshot comes from and what was mended on the way.
type Build struct {
	Stichtag         string // YYYY-MM-DD of the source; the date of the snapshot's name
	AssemblyVersion  string // tile_partition_v1
	IngestGeneration string // tile_partition_v1: the newest ingest epoch this build carries
	Source           string // attribution of the source with its year, "© BEV, 2026"
	SourceTiles      int    // tiles read
	SourceParcels    int    // distinct parcel numbers in the source tiles
	SourceLabels     int    // distinct parcel numbers among the labels
	Repairs          []RepairCount
}

// RepairCount counts the parcels that carry one repair.
type RepairCount struct {
	Repair Repair
	N      int
}
