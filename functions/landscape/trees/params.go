package trees

import (
	"mappe/shared/landscape/canopy"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/params"
)

// mode is the closed set of detection_mode.
type mode string

const (
	fused       mode = "fused"
	heightsOnly mode = "ndsm_only"
)

// crownForm is the closed set of crown_geometry.
type crownForm string

const (
	crownPoint   crownForm = "point"
	crownPolygon crownForm = "polygon"
)

var (
	dataset = params.Date("dataset",
		"Date of the laser scan as YYYYMMDD; where none is given the newest that covers at least 95 % of the area, else the newest that touches it.")
	dateA     = params.Date("date_a", "Date of the earlier laser scan as YYYYMMDD.", endpoint.Default("20220915"))
	dateB     = params.Date("date_b", "Date of the later laser scan as YYYYMMDD.", endpoint.Default("20240915"))
	minHeight = endpoint.Float("min_tree_height", "Trees of at least this height above the ground.", endpoint.Between(1.5, 60),
		endpoint.Default("3.0"), endpoint.Unit("m"))
	minCrown = endpoint.Float("crown_min_area", "Trees with a crown of at least this area.", endpoint.Between(0, 1000),
		endpoint.Default("4"), endpoint.Unit("m²"))
	asPoints = endpoint.Enum("crown_geometry", "point: rows are drawn as the apexes. polygon: as the outlines of the crowns.",
		[]crownForm{crownPoint, crownPolygon}, endpoint.Default(string(crownPoint)))
	asPolygons = asPoints.With(endpoint.Default(string(crownPolygon)))
	useOrtho   = endpoint.Bool("include_ortho",
		"Whether the newest orthophoto is looked at, where there is one: for the vegetation index, leaf types and vitality.",
		endpoint.Default("true"))
	rejectOther = endpoint.Bool("reject_nonforest",
		"Whether crowns are left out whose surface is a building, hard surface, crop or another flat structure.", endpoint.Default("true"))
	useCadastre = endpoint.Bool("include_cadastre", "Whether footprints of the cadastre tell buildings.", endpoint.Default("true"))
	minLikely   = endpoint.Float("min_tree_likelihood", "Only trees that are at least so likely to be one.", endpoint.Between(0, 1),
		endpoint.Default("0.35"))
	radiusA = endpoint.Float("crown_radius_a",
		"The usual radius of a crown is crown_radius_a + crown_radius_b times the height; apexes closer than 0.6 of it to a higher one are left out.", endpoint.Between(0.2, 5), endpoint.Default("1.2"), endpoint.Unit("m"))
	radiusB = endpoint.Float("crown_radius_b", "Metres of radius for each metre of height.", endpoint.Between(0, 0.3),
		endpoint.Default("0.08"))
	smoothSigma = endpoint.Float("smooth_sigma",
		"Standard deviation of the Gaussian that the canopy is smoothed by, in pixels of 0.5 m; 0: not smoothed.", endpoint.Between(0, 6),
		endpoint.Default("0.5"))
	capFactor = endpoint.Float("crown_cap_factor", "A crown reaches at most so many usual radii from its apex.", endpoint.Between(0.5, 3),
		endpoint.Default("1.5"))
	maxCrown = endpoint.Float("max_crown_area", "The largest crown.", endpoint.Between(4, 1000), endpoint.Default("250"),
		endpoint.Unit("m²"))
	prominence = endpoint.Float("min_apex_prominence_m",
		"Only apexes that stand so high above the way to a higher one within 15 m; 0: all.", endpoint.Between(0, 30), endpoint.Default("0"),
		endpoint.Unit("m"))
	leafConf = endpoint.Float("leaf_type_min_conf", "The leaf type is unknown below this confidence.", endpoint.Between(0, 1),
		endpoint.Default("0.5"))
	detection = endpoint.Enum("detection_mode",
		"fused: an orthophoto confirms apexes, which makes them surer. ndsm_only: heights alone are looked at. An apex that only the orthophoto shows is left out in both.", []mode{fused, heightsOnly}, endpoint.Default(string(fused)))
	seedStep = endpoint.Enum("ortho_seed_res_m",
		"Cells in which the orthophoto is looked at, in metres, at most: its own where they are larger.", []string{"0.4", "0.8", "1.6"},
		endpoint.Default("0.4"))
	basis = endpoint.Enum("h_dom_basis", "The area over which the 100 highest trees a hectare are counted for h_dom_m.",
		[]canopy.Basis{canopy.OfCanopy, canopy.OfTotal}, endpoint.Default(string(canopy.OfCanopy)))
)

// sigmaPixel is the pixel of smooth_sigma in metres, that of the canopy models the published default was made for.
const sigmaPixel = 0.5

// asked are the parameters of a question that its answer depends on, in one form for all three endpoints.
type asked struct {
	MinHeight  float64      `json:"min_tree_height"`
	MinCrown   float64      `json:"crown_min_area,omitempty"`
	Outlines   bool         `json:"outlines,omitempty"`
	Ortho      bool         `json:"include_ortho,omitempty"`
	Reject     bool         `json:"reject_nonforest,omitempty"`
	Cadastre   bool         `json:"include_cadastre,omitempty"`
	MinLikely  float64      `json:"min_tree_likelihood"`
	RadiusA    float64      `json:"crown_radius_a,omitempty"`
	RadiusB    float64      `json:"crown_radius_b,omitempty"`
	Sigma      float64      `json:"smooth_sigma,omitempty"`
	CapFactor  float64      `json:"crown_cap_factor,omitempty"`
	MaxCrown   float64      `json:"max_crown_area,omitempty"`
	Prominence float64      `json:"min_apex_prominence_m,omitempty"`
	LeafConf   float64      `json:"leaf_type_min_conf,omitempty"`
	Fused      bool         `json:"fused,omitempty"`
	SeedStep   string       `json:"ortho_seed_res_m,omitempty"`
	Basis      canopy.Basis `json:"h_dom_basis,omitempty"`
}

func (a *asked) canopy() canopy.Params {
	p := canopy.Default()
	if a.RadiusA > 0 {
		p = canopy.Params{RadiusA: a.RadiusA, RadiusB: a.RadiusB, SmoothSigma: a.Sigma * sigmaPixel, CapFactor: a.CapFactor,
			MaxCrownArea: a.MaxCrown, MinProminence: a.Prominence}
	}
	p.MinHeight, p.MinCrownArea, p.Fused = a.MinHeight, a.MinCrown, a.Fused
	return p
}

// keeps says whether a crown stays in the answer.
func (a *asked) keeps(t *canopy.Tree) bool {
	if a.Reject && t.Class.Rejected() {
		return false
	}
	return t.Likelihood >= a.MinLikely || t.Class == canopy.DeadCandidate
}
