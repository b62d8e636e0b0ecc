package segment

// Lane is how a way of the community map is laid out: the kind it is told as and its usual width in metres.
type Lane struct {
	Kind  string
	Width float64
}

// lanes are the usual widths of ways by their class.
var lanes = map[string]Lane{
	"motorway": {"road", 12}, "motorway_link": {"road", 6}, "trunk": {"road", 10}, "trunk_link": {"road", 6}, "primary": {"road", 8},
	"primary_link": {"road", 6},
	"secondary":    {"road", 7}, "secondary_link": {"road", 5.5}, "tertiary": {"road", 6.5}, "tertiary_link": {"road", 5.5},
	"unclassified": {"road", 5.5},
	"residential":  {"road", 5.5}, "living_street": {"road", 5}, "pedestrian": {"road", 5}, "service": {"road", 4}, "road": {"road", 5},
	"track": {"path", 3.5},
	"rail":  {"rail", 4}, "light_rail": {"rail", 4}, "narrow_gauge": {"rail", 3}, "tram": {"rail", 3}, "funicular": {"rail", 3},
}

// LaneOf is the layout of ways of a class of the community map; false of classes that take no ground.
func LaneOf(class string) (Lane, bool) {
	l, ok := lanes[class]
	return l, ok
}
