package landscape

import (
	"mappe/shared/geo/geom"
	"mappe/shared/landscape/canopy"
	"mappe/shared/landscape/segment"
	"mappe/shared/landscape/terrain"
)

// RoofTypes are the hints at the form of a roof.
var RoofTypes = []string{"flat", "pitched"}

// Vertex is a corner with its heights. Height is that of the object above the ground; NaN: not known.
type Vertex struct {
	At          geom.Point
	DTM, Height float32 // metres
}

// VertexColumns are its columns; vertices of parcels have no height of an object.
var VertexColumns = Columns[Vertex]{
	place("at", "Place.", func(v *Vertex) *geom.Point { return &v.At }),
	number("dtm_m", "m", 2, "Terrain.", func(v *Vertex) *float32 { return &v.DTM }),
	number("obj_height_m", "m", 2, "Height of the object above the terrain.", func(v *Vertex) *float32 { return &v.Height }),
}

// Share is the area of a type on something.
type Share struct {
	Type              segment.Type
	AreaSqm, Fraction float64
}

// ShareColumns are its columns.
var ShareColumns = Columns[Share]{
	object("type", "Type of objects.", func(s *Share) *segment.Type { return &s.Type }),
	number("area_sqm", "m²", 1, "Area.", func(s *Share) *float64 { return &s.AreaSqm }),
	number("fraction", "", 4, "Share of the area that was classified.", func(s *Share) *float64 { return &s.Fraction }),
}

// Building is a building of the cadastre with what the laser scans say of it.
type Building struct {
	ID, NS                                       string
	FullAddress, HouseNumber, Street, PostalCode string
	Location                                     string
	MaxHeight, MeanHeight, DSMStd                float32
	RoofType                                     string
	Stories                                      float32
	FootprintSqm                                 float64
	Centroid                                     geom.Point
	CentroidDTM                                  float32
	Vertices                                     []Vertex
	Types                                        []Share          // of the segments on it
	Classification                               []Classification // of them
	Geometry                                     geom.MultiPolygon
}

// BuildingColumns are the columns of buildings but for lists and the outline.
var BuildingColumns = Columns[Building]{
	text("building_id", "Number of the footprint: <kg_code>-F<number>, or of the address register.", func(b *Building) *string {
		return &b.ID
	}),
	text("ns", "Code of the land use that the cadastre says.", func(b *Building) *string { return &b.NS }),
	text("full_address", "Street, house number, postal code and locality in one line; null without an address.", func(b *Building) *string {
		return &b.FullAddress
	}),
	text("house_number", "House number with its letter.", func(b *Building) *string { return &b.HouseNumber }),
	text("street", "Street.", func(b *Building) *string { return &b.Street }),
	text("postal_code", "Postal code, 4 digits.", func(b *Building) *string { return &b.PostalCode }),
	text("location", "Locality.", func(b *Building) *string { return &b.Location }),
	number("max_height_m", "m", 2, "Greatest height above the ground.", func(b *Building) *float32 { return &b.MaxHeight }),
	number("mean_height_m", "m", 2, "Mean height above the ground.", func(b *Building) *float32 { return &b.MeanHeight }),
	number("dsm_std", "m", 3, "Standard deviation of the surface.", func(b *Building) *float32 { return &b.DSMStd }),
	enum("roof_type_hint", "Form of the roof by its surface.", RoofTypes, func(b *Building) *string { return &b.RoofType }),
	count("stories_est", "", "Estimated storeys.", func(b *Building) *float32 { return &b.Stories }),
	number("footprint_area_sqm", "m²", 1, "Area of the footprint.", func(b *Building) *float64 { return &b.FootprintSqm }),
	place("centroid", "Longitude and latitude of the centroid.", func(b *Building) *geom.Point { return &b.Centroid }),
	number("centroid_dtm_m", "m", 2, "Terrain at the centroid.", func(b *Building) *float32 { return &b.CentroidDTM }),
}

// NewBuilding is a building that was found and is not in the cadastre.
type NewBuilding struct {
	ID                 string // of its segment
	Type               segment.Type
	AreaSqm            float64
	MaxHeight, Stories float32
	RoofType           string
	Confidence         float32
	At                 geom.Point
	Geometry           geom.MultiPolygon
}

// NewBuildingColumns are its columns but for the outline.
var NewBuildingColumns = Columns[NewBuilding]{
	text("id", "Name of the object by its place.", func(b *NewBuilding) *string { return &b.ID }),
	object("type", "Type of the object.", func(b *NewBuilding) *segment.Type { return &b.Type }),
	number("area_sqm", "m²", 1, "Area.", func(b *NewBuilding) *float64 { return &b.AreaSqm }),
	number("max_height_m", "m", 2, "Greatest height above the ground.", func(b *NewBuilding) *float32 { return &b.MaxHeight }),
	count("stories_est", "", "Estimated storeys.", func(b *NewBuilding) *float32 { return &b.Stories }),
	enum("roof_type_hint", "Form of the roof by its surface.", RoofTypes, func(b *NewBuilding) *string { return &b.RoofType }),
	number("confidence", "", 4, "How sure it is.", func(b *NewBuilding) *float32 { return &b.Confidence }),
	place("at", "Longitude and latitude of a place in it.", func(b *NewBuilding) *geom.Point { return &b.At }),
}

// Infrastructure is an object that carries traffic or energy.
type Infrastructure struct {
	ID                      string
	Type                    segment.Type
	AreaSqm, VolumeM3       float64
	MaxHeight, ParkingSpots float32
	Confidence              float32
	At                      geom.Point
	Geometry                geom.MultiPolygon
}

// InfrastructureColumns are its columns but for the outline.
var InfrastructureColumns = Columns[Infrastructure]{
	text("id", "Name of the object by its place.", func(i *Infrastructure) *string { return &i.ID }),
	object("type", "Type of the object.", func(i *Infrastructure) *segment.Type { return &i.Type }),
	number("area_sqm", "m²", 1, "Area.", func(i *Infrastructure) *float64 { return &i.AreaSqm }),
	number("volume_m3", "m³", 1, "Volume above the ground.", func(i *Infrastructure) *float64 { return &i.VolumeM3 }),
	number("max_height_m", "m", 2, "Greatest height above the ground.", func(i *Infrastructure) *float32 { return &i.MaxHeight }),
	count("est_parking_spots", "", "Estimated parking spots; null of what is no parking place.", func(i *Infrastructure) *float32 {
		return &i.ParkingSpots
	}),
	number("confidence", "", 4, "How sure its type is.", func(i *Infrastructure) *float32 { return &i.Confidence }),
	place("at", "Longitude and latitude of a place in it.", func(i *Infrastructure) *geom.Point { return &i.At }),
}

// Tree is a single tree.
type Tree struct {
	ID                                                       string
	At                                                       geom.Point // apex
	Height, MeanHeight, P90, CrownSqm, RadiusMean, RadiusMax float32
	DBH, Volume                                              float32
	Leaf                                                     string
	LeafConf                                                 float32
	Species                                                  string
	SpeciesConf                                              float32
	Vitality                                                 string
	VitalityConf                                             float32
	Source                                                   string
	DetectionConf, Likelihood                                float32
	NDVIMean, NDVIFused, HeightChange                        float32
	Phenology                                                string
	Confidence, RFConfidence                                 float32
}

var (
	leaves  = []string{string(canopy.Coniferous), string(canopy.Broadleaf), string(canopy.DeadLeaf), string(canopy.UnknownLeaf)}
	species = []string{string(canopy.Spruce), string(canopy.Larch), string(canopy.Pine), string(canopy.SomeConifer),
		string(canopy.SomeBroadleaf), string(canopy.UnknownSpecies)}
	vitalities = []string{string(canopy.Vital), string(canopy.Stressed), string(canopy.Dead), string(canopy.UnknownVitality)}
	sources    = []string{string(canopy.FromHeights), string(canopy.FromBoth), "ortho"}
)

// TreeColumns are its columns.
var TreeColumns = Columns[Tree]{
	text("tree_id", "Name of the tree, the same over dates.", func(t *Tree) *string { return &t.ID }),
	place("apex", "Longitude and latitude of the apex.", func(t *Tree) *geom.Point { return &t.At }),
	number("height_m", "m", 2, "Height of the apex above the ground.", func(t *Tree) *float32 { return &t.Height }),
	number("height_mean_m", "m", 2, "Mean height of the crown.", func(t *Tree) *float32 { return &t.MeanHeight }),
	number("height_p90_m", "m", 2, "90th percentile of the crown's heights.", func(t *Tree) *float32 { return &t.P90 }),
	number("crown_area_sqm", "m²", 0, "Area of the crown.", func(t *Tree) *float32 { return &t.CrownSqm }),
	number("crown_radius_mean_m", "m", 2, "Radius of the circle of that area.", func(t *Tree) *float32 { return &t.RadiusMean }),
	number("crown_radius_max_m", "m", 2, "Distance of the farthest part of the crown from the apex.", func(t *Tree) *float32 {
		return &t.RadiusMax
	}),
	number("dbh_est_cm", "cm", 1, "Estimated diameter of the stem at breast height (Jucker et al. 2017).", func(t *Tree) *float32 {
		return &t.DBH
	}),
	number("volume_m3_est", "m³", 3, "Estimated volume of the stem (Pollanschütz 1974).", func(t *Tree) *float32 { return &t.Volume }),
	enum("leaf_type", "Type of leaves.", leaves, func(t *Tree) *string { return &t.Leaf }),
	number("leaf_type_conf", "", 2, "How sure that is.", func(t *Tree) *float32 { return &t.LeafConf }),
	enum("species_hint", "A hint at the species, no more.", species, func(t *Tree) *string { return &t.Species }),
	number("species_conf", "", 2, "How sure the hint is.", func(t *Tree) *float32 { return &t.SpeciesConf }),
	enum("vitality", "How alive it looks by the vegetation index.", vitalities, func(t *Tree) *string { return &t.Vitality }),
	number("vitality_conf", "", 2, "How sure that is.", func(t *Tree) *float32 { return &t.VitalityConf }),
	enum("detection_source", "What the apex was found in.", sources, func(t *Tree) *string { return &t.Source }),
	number("detection_conf", "", 2, "How sure the apex is that of one tree.", func(t *Tree) *float32 { return &t.DetectionConf }),
	number("tree_likelihood", "", 2, "Probability that it is a tree, by its surface.", func(t *Tree) *float32 { return &t.Likelihood }),
	number("ndvi_mean", "", 3, "Mean vegetation index of the crown; null without an orthophoto.", func(t *Tree) *float32 {
		return &t.NDVIMean
	}),
	number("ndvi_fused", "", 3, "Mean of the vegetation indices of orthophoto and satellite.", func(t *Tree) *float32 {
		return &t.NDVIFused
	}),
	number("height_change_m", "m", 2, "Change of the height between the scans.", func(t *Tree) *float32 { return &t.HeightChange }),
	enum("phenology_class", "Course of the vegetation index over the year.", segment.Phenologies, func(t *Tree) *string {
		return &t.Phenology
	}),
	number("confidence", "", 2, "How sure the type of the object is that it stands in.", func(t *Tree) *float32 { return &t.Confidence }),
	number("rf_confidence", "", 2, "How sure the trained model is of it; null without one.", func(t *Tree) *float32 {
		return &t.RFConfidence
	}),
}

// Sample is a place with the height of the terrain.
type Sample struct {
	At  geom.Point
	DTM float32 // metres
}

// SampleColumns are its columns.
var SampleColumns = Columns[Sample]{
	place("at", "Place.", func(s *Sample) *geom.Point { return &s.At }),
	number("dtm_m", "m", 2, "Terrain.", func(s *Sample) *float32 { return &s.DTM }),
}

var sectors = terrain.Sectors[:]
var classes = terrain.Classes[:]
