package segment

import "math"

// Told says what told the type of an object.
type Told string

// What types are told by.
const (
	ByModel Told = "rf"    // the trained model
	ByRules Told = "rules" // the rules below
	ByInfra Told = "infra" // the community map
)

// AllTold lists them.
func AllTold() []Told { return []Told{ByModel, ByRules, ByInfra} }

// Verdict is what an object is, and why.
type Verdict struct {
	Type       Type
	Confidence float64 // 0 to 1
	By         Told
	Rule       string // name of the rule that fired
}

// Rule is a sentence of the tree: the first whose conditions an object meets tells its type. Confidence is that of an object
// in the light, in a full set of layers; it is the share of right types in made-up land, not a probability of each object.
type Rule struct {
	Name       string
	When       string // the conditions, to be read
	Type       Type
	Confidence float64
	By         Told
	If         func(o *Object) bool
}

func (o *Object) at(i int) float64 { return float64(o.Row[i]) }

// green is the vegetation index: that of the orthophoto, else of satellites.
func (o *Object) green() float64 {
	if v := o.at(NDVIMean); v == v {
		return v
	}
	return o.at(NDVIFused) - 0.25 // over the year woods and meadows have more than on a photograph of raw numbers
}

// high says that it stands above the ground at least so much in the mean; deep shadows and unknown heights do not count.
func (o *Object) high(m float64) bool { return o.at(HeightMean) >= m }

// width is about the width of a long object in metres.
func (o *Object) width() float64 { return o.at(Area) / max(o.at(MajorAxis)*0.9, 1) }

// warm is red over blue.
func (o *Object) warm() float64 { return o.at(RedMean) / max(o.at(BlueMean), 1) }

// used says whether most of its cells have one of the codes of the land register.
func (o *Object) used(codes ...int) bool {
	for _, c := range codes {
		if o.Use == c {
			return true
		}
	}
	return false
}

// photo says whether an orthophoto shows it.
func (o *Object) photo() bool { return o.Row[NDVIMean] == o.Row[NDVIMean] }

// Rules are the tree, in its order.
var Rules = []Rule{
	{"bridge_of_the_map", "a way of the community map covers half of it, 0.6 m or more above the terrain, its surface within 0.4 m of " +
		"a plane", Bridge, 0.8, ByInfra,
		func(o *Object) bool {
			return o.Way != "" && o.WayShare >= 0.5 && o.high(0.6) && o.at(Planarity) < 0.4
		}},
	{"no_return", "laser and surface know no height of half of it, and it is not green: water throws nothing back", Water, 0.7, ByRules,
		func(o *Object) bool {
			return o.HeightKnown < 0.5 && o.Row[Elevation] != o.Row[Elevation] && !(o.green() >= 0.05) && !o.Elevated
		}},
	{"wet", "water index above 0.1, near infrared below 60, below 0.5 m", Water, 0.9, ByRules,
		func(o *Object) bool { return o.at(NDWIMean) > 0.1 && o.at(NIRMean) < 60 && !o.high(0.5) }},
	{"wet_by_radar", "no photograph; radar below -17 dB (VV), vegetation index of the year below 0.1, slope below 5°", Water, 0.75, ByRules,
		func(o *Object) bool {
			return !o.photo() && o.at(SARVV) < -17 && o.at(HarmonicMean) < 0.1 && !o.high(0.5) && o.at(SlopeMean) < 5
		}},
	{"turbine", "highest 60 m or more, no footprint, not green", WindTurbine, 0.6, ByRules,
		func(o *Object) bool { return o.at(HeightMax) >= 60 && !(o.Footprint > 0.2) && !(o.green() >= 0.12) }},
	{"panel", "on a footprint or 0.3 to 4 m high; blue above red, dark, within 0.15 m of a plane of 10 to 45°", SolarPanel, 0.6, ByRules,
		func(o *Object) bool {
			return (o.Footprint >= 0.5 || o.high(0.3) && !o.high(4)) && o.at(BlueMean) > 1.15*o.at(RedMean) &&
				o.at(BrightnessMean) < 90 && o.green() < 0.05 &&
				o.at(Planarity) < 0.15 && o.at(SurfaceSlope) >= 10 && o.at(SurfaceSlope) <= 45
		}},
	{"glass", "2.2 to 6 m high, bright (150 to 200), not green, red like blue within 8 %, fills 0.6 of its rectangle, long or large",
		Greenhouse, 0.55, ByRules,
		func(o *Object) bool {
			return o.high(2.2) && o.at(HeightP90) < 6 && o.at(BrightnessMean) >= 150 && o.at(BrightnessMean) <= 200 &&
				o.green() < 0.03 && math.Abs(o.warm()-0.98) < 0.08 &&
				o.at(RectangleFill) > 0.6 && o.at(HeightRange) > 0.8 && o.at(HeightRange) < 2.2 && (o.at(Elongation) > 0.75 ||
				o.at(Area) > 180)
		}},
	{"footprint", "at least half lies in footprints, 1.8 m high or more", Roof, 0.95, ByRules,
		func(o *Object) bool { return o.Footprint >= 0.5 && o.high(1.8) }},
	{"mast", "highest 8 m or more, below 60 m², most of it low, not green", Mast, 0.45, ByRules,
		func(o *Object) bool {
			return o.at(HeightMax) >= 8 && o.at(Area) < 60 && o.at(HeightP50) < 0.4*o.at(HeightMax) && o.green() < 0.05 &&
				!(o.Footprint > 0.2)
		}},
	{"wall", "0.8 to 4 m high, narrower than 2.5 m, five times as long, not green", Wall, 0.45, ByRules,
		func(o *Object) bool {
			return o.high(0.8) && o.at(HeightP90) < 4 && o.width() < 2.5 && o.at(Elongation) > 0.9 && o.green() < 0.08 &&
				o.at(HeightRange) < 1.2
		}},
	{"fence", "0.3 to 2.5 m high, narrower than 2 m, ten times as long, not green", Fence, 0.35, ByRules,
		func(o *Object) bool {
			return o.high(0.3) && o.at(HeightP90) < 2.5 && o.width() < 2 && o.at(Elongation) > 0.94 && o.green() < 0.08
		}},
	{"row", "1 to 2.4 m high, narrower than 2 m, ten times as long, straight, green", Vineyard, 0.7, ByRules,
		func(o *Object) bool {
			return o.high(1) && o.at(HeightP90) < 2.4 && o.width() < 2.2 && o.at(Elongation) > 0.93 && o.at(RectangleFill) > 0.85 &&
				o.green() >= 0.04
		}},
	{"no_green_and_high", "2 m high or more, not green, roughness below 1.7 m, no tall crown around", Roof, 0.75, ByRules,
		func(o *Object) bool {
			return o.high(2) && o.green() < 0.08 && o.at(ExcessGreen) < 0.1 && o.at(Roughness) < 1.7 && o.at(HeightP90) < 40
		}},
	{"plane_and_high", "no photograph; 2.2 to 40 m high, roughness below 0.9 m, within 1.3 m of a plane, fills 0.6 of its rectangle",
		Roof, 0.55, ByRules,
		func(o *Object) bool {
			return !o.photo() && o.high(2.2) && o.at(HeightP90) < 40 && o.at(Roughness) < 0.9 && o.at(Planarity) < 1.3 &&
				o.at(RectangleFill) > 0.6
		}},
	{"hedge", "1 to 5 m high, three times as long as wide, narrower than 6 m, green", Hedge, 0.7, ByRules,
		func(o *Object) bool {
			return o.high(1) && o.at(HeightP90) < 5 && o.at(Elongation) > 0.62 && o.width() < 6 && o.green() >= 0.05 &&
				o.at(HeightRange) > 0.7 && o.at(Area) < 400
		}},
	{"even_and_high", "0.6 to 3.4 m high, 80 % of it within 1.2 m, green, changing over the year by 0.22 or more", Crop, 0.8, ByRules,
		func(o *Object) bool {
			return o.high(0.6) && o.at(HeightP90) < 3.6 && o.at(HeightRange) < 1.2 && o.green() >= 0.05 && o.at(HarmonicAmplitude) >= 0.22
		}},
	{"even_field", "0.6 to 3.4 m high, 80 % of it within 0.8 m, roughness below 0.6 m, 300 m² or more", Crop, 0.6, ByRules,
		func(o *Object) bool {
			return o.high(0.6) && o.at(HeightP90) < 3.6 && o.at(HeightRange) < 0.8 && o.at(Roughness) < 0.6 && o.at(Area) >= 300
		}},
	{"fruit", "crowns of 2.4 to 6 m over a fifth to half of a meadow, changing over the year by 0.16 or more", Orchard, 0.65, ByRules,
		func(o *Object) bool {
			return o.at(HeightP90) >= 2.4 && o.at(HeightMax) < 6.5 && o.at(HighShare) > 0.06 && o.at(HighShare) < 0.5 &&
				o.at(HeightP50) < 1.5 && o.green() >= 0.1 && o.at(HarmonicAmplitude) >= 0.16
		}},
	{"crown", "4.5 m high or more (90th percentile), 2.5 m in the mean, green or rough", Tree, 0.92, ByRules,
		func(o *Object) bool {
			return o.at(HeightP90) >= 4.5 && o.high(2.5) && (o.green() >= 0.05 || !o.photo() || o.at(Roughness) >= 1.2)
		}},
	{"bush", "0.8 m high or more in the mean, green", Shrub, 0.6, ByRules,
		func(o *Object) bool { return o.high(0.8) && o.at(HeightP90) < 4.5 && o.green() >= 0.05 }},
	{"felled", "what stood there is lower by 2.5 m or more in the mean, and now lower than 2 m", TreeLoss, 0.85, ByRules,
		func(o *Object) bool {
			return o.at(HeightChange) <= -2.5 && o.at(HeightP90) < 2 && o.at(TerrainChange) > -0.5 && o.at(TerrainChange) < 0.6
		}},
	{"filled", "the terrain is higher by 0.5 m or more", Fill, 0.8, ByRules,
		func(o *Object) bool { return o.at(TerrainChange) >= 0.5 && !o.high(1) }},
	{"dug", "the terrain is lower by 0.3 m or more", Excavation, 0.75, ByRules,
		func(o *Object) bool { return o.at(TerrainChange) <= -0.3 && !o.high(1) && o.green() < 0.08 }},
	{"rock", "not green; bright (190 or more) or steep (38°)", Rock, 0.75, ByRules,
		func(o *Object) bool {
			return o.green() < 0.05 && !o.high(1) && (o.at(BrightnessMean) >= 190 || o.at(SlopeMean) >= 38)
		}},
	{"road_of_the_map", "a road of the community map covers half of it, not green", Road, 0.9, ByInfra,
		func(o *Object) bool {
			return o.Way == "road" && o.WayShare >= 0.5 && !(o.green() >= 0.15) && !o.high(1)
		}},
	{"path_of_the_map", "a track of the community map covers half of it, not green", Path, 0.85, ByInfra,
		func(o *Object) bool {
			return o.Way == "path" && o.WayShare >= 0.5 && !(o.green() >= 0.15) && !o.high(1)
		}},
	{"soil", "not green, red 1.3 of blue or more", BareSoil, 0.7, ByRules,
		func(o *Object) bool {
			return o.green() < 0.05 && o.warm() >= 1.3 && !o.high(1) && o.at(BrightnessMean) > 60
		}},
	{"gravel", "not green, red 1.1 to 1.3 of blue", Path, 0.65, ByRules,
		func(o *Object) bool {
			return o.green() < 0.05 && o.warm() >= 1.1 && !o.high(1) && o.at(BrightnessMean) > 60
		}},
	{"sealed_place", "not green, grey, brightness 130 or more, or 9 m wide and more", Parking, 0.5, ByRules,
		func(o *Object) bool {
			return o.green() < 0.03 && !o.high(1.8) && (o.at(BrightnessMean) >= 130 || o.at(Area) >= 120 && o.width() >= 9)
		}},
	{"sealed", "not green, grey", Road, 0.65, ByRules,
		func(o *Object) bool { return o.green() < 0.05 && !o.high(1.2) && o.photo() }},
	{"field", "green, changing over the year by 0.25 or more", Crop, 0.7, ByRules,
		func(o *Object) bool { return o.at(HarmonicAmplitude) >= 0.25 && !o.high(1) }},
	{"vines_of_the_register", "vineyard by the land register", Vineyard, 0.6, ByRules,
		func(o *Object) bool { return o.used(53) && !o.high(2.5) }},
	{"garden_of_the_register", "green, below 1 m, garden or surroundings of buildings by the land register", Garden, 0.75, ByRules,
		func(o *Object) bool { return o.used(41, 52, 83) && !o.high(1) }},
	{"garden", "green, below 1 m, among buildings by radar (-9.2 dB VV or more) and below 0.53 in the mean of the year", Garden, 0.5,
		ByRules,
		func(o *Object) bool { return o.at(SARVV) >= -9.2 && o.at(HarmonicMean) < 0.53 && !o.high(1) }},
	{"meadow", "green, below 1 m", Grass, 0.75, ByRules,
		func(o *Object) bool { return !o.high(1) && o.green() >= 0.05 }},
	{"low", "below 1 m, no photograph", Grass, 0.35, ByRules, func(o *Object) bool {
		return !o.high(1) &&
			o.Row[HeightMean] == o.Row[HeightMean]
	}},
	{"middling", "1 to 2.5 m high in the mean", Shrub, 0.4, ByRules, func(o *Object) bool { return o.high(1) && !o.high(2.5) }},
	{"tall", "2.5 m high or more in the mean", Tree, 0.5, ByRules, func(o *Object) bool { return o.high(2.5) }},
}

// Decide tells the type of an object by the rules. Shadows and layers that are not at hand make it less sure.
func Decide(o *Object) Verdict {
	for i := range Rules {
		r := &Rules[i]
		if !r.If(o) {
			continue
		}
		c := r.Confidence
		if o.Shadow > 0.5 {
			c -= 0.1
		}
		if !o.photo() {
			c -= 0.1
		}
		if o.HeightKnown < 0.5 && r.Type != Water {
			c -= 0.15
		}
		return Verdict{r.Type, max(math.Round(c*100)/100, 0.1), r.By, r.Name}
	}
	return Verdict{Unclassified, 0.1, ByRules, ""}
}

// Classifier is a trained model: for each row the probabilities of its classes, calibrated, in the order of Classes.
type Classifier interface {
	Classes() []Type
	Probabilities(rows [][]float32) [][]float32
	SureFrom() float64 // the confidence from which it decides; below it the rules do
}

// SureFrom is the confidence from which models decide that are trained: each says its own.
const SureFrom = 0.5

// Answer is a verdict with what the model said.
type Answer struct {
	Verdict
	Model           Type // what the model takes it for; Unclassified without a model
	ModelConfidence float64
	Rules           Verdict // what the rules say
}

// Types that are a change between two scans need one, where both scans know the object. A model alone does not see to that: it is
// taught with the earlier scan missing from some objects, too, and so tells such types by colours; bare ground of colours that it was
// never taught would be felled forest.
const (
	leastLoss      = 1   // metres by which tree loss is lower in the mean: true ones were lower by 1.4 m and more in scenes
	leastEarthwork = 0.2 // metres by which the terrain differs: by 0.25 m and more in scenes, two flights by up to 0.15 m all over
)

// could says whether the scans allow a class of the model. One that is missing forbids nothing.
func (o *Object) could(class Type) bool {
	switch class {
	case TreeLoss:
		return !(o.at(HeightChange) > -leastLoss)
	case Earthwork:
		return !(math.Abs(o.at(TerrainChange)) < leastEarthwork)
	}
	return true
}

// Classify tells the types of objects: by the map of the infrastructure where a rule of it fires, by rules what is told by
// rules alone, else by the model where it is sure enough, else by rules. Of the model's classes the most probable one is taken that
// the scans allow, with its own probability. A nil model leaves all to the rules.
func Classify(list []Object, model Classifier) []Answer {
	out := make([]Answer, len(list))
	var probabilities [][]float32
	var classes []Type
	if model != nil {
		probabilities, classes = model.Probabilities(Rows(list)), model.Classes()
	}
	for i := range list {
		a := &out[i]
		a.Rules = Decide(&list[i])
		a.Verdict = a.Rules
		if model == nil {
			continue
		}
		allowed, sure := Unclassified, 0.0
		for k, p := range probabilities[i] {
			if float64(p) > a.ModelConfidence {
				a.Model, a.ModelConfidence = classes[k], float64(p)
			}
			if float64(p) > sure && list[i].could(classes[k]) {
				allowed, sure = classes[k], float64(p)
			}
		}
		k := a.Rules.Type.Info()
		alone := a.Rules.By == ByInfra || k.Learned == Unclassified && k.Type != Unclassified // no model is taught a mast
		if !alone && sure >= model.SureFrom() {
			a.Verdict = Verdict{allowed, sure, ByModel, ""}
			if k.Learned == allowed && !k.Learnable {
				a.Type = a.Rules.Type // the rules tell kinds of a class apart: a hedge of shrubs, a greenhouse of roofs
			}
		}
	}
	return out
}
