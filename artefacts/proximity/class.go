package proximity

import "slices"

// Category is what a feature is.
type Category string

// The categories.
const (
	Road    Category = "road"
	Rail    Category = "rail"
	Water   Category = "water"
	Transit Category = "transit"
	Place   Category = "place"
)

// AllCategories lists the categories.
func AllCategories() []Category { return []Category{Road, Rail, Water, Transit, Place} }

// Class is a kind of feature. The codes are stored: they are never given another meaning.
type Class uint8

// classes are the classes by code, with the names of the community map's tags.
var classes = []struct {
	name     string
	category Category
	marked   bool // of roads: a major one; of stops: where trains stop
}{
	{"motorway", Road, true}, {"motorway_link", Road, true}, {"trunk", Road, true}, {"trunk_link", Road, true},
	{"primary", Road, true}, {"primary_link", Road, true}, {"secondary", Road, true}, {"secondary_link", Road, true},
	{"tertiary", Road, false}, {"tertiary_link", Road, false}, {"unclassified", Road, false}, {"residential", Road, false},
	{"living_street", Road, false}, {"pedestrian", Road, false}, {"service", Road, false}, {"track", Road, false}, {"road", Road, false},
	{"rail", Rail, false}, {"light_rail", Rail, false}, {"narrow_gauge", Rail, false}, {"tram", Rail, false}, {"subway", Rail, false},
	{"funicular", Rail, false},
	{"river", Water, false}, {"stream", Water, false}, {"canal", Water, false}, {"drain", Water, false},
	{"water", Water, false}, {"reservoir", Water, false}, {"riverbank", Water, false},
	{"bus_stop", Transit, false}, {"bus_station", Transit, false}, {"tram_stop", Transit, false}, {"subway_station", Transit, false},
	{"railway_station", Transit, true}, {"railway_halt", Transit, true}, {"ferry_terminal", Transit, false},
	{"city", Place, false}, {"town", Place, false}, {"suburb", Place, false}, {"village", Place, false}, {"hamlet", Place, false},
}

// AllClasses lists the classes by code.
func AllClasses() []Class {
	all := make([]Class, len(classes))
	for i := range all {
		all[i] = Class(i)
	}
	return all
}

// ParseClass finds the class of a category by its name.
func ParseClass(c Category, name string) (Class, bool) {
	for i := range classes {
		if classes[i].category == c && classes[i].name == name {
			return Class(i), true
		}
	}
	return 0, false
}

func (c Class) String() string { return classes[c].name }

// Category is what features of the class are.
func (c Class) Category() Category { return classes[c].category }

// Major says that the class is of major roads: motorways to secondary roads, with their links.
func (c Class) Major() bool { return classes[c].category == Road && classes[c].marked }

// Trains says that the class is of stops where trains stop.
func (c Class) Trains() bool { return classes[c].category == Transit && classes[c].marked }

// Set is a set of classes.
type Set uint64

// SetOf are the classes that pass.
func SetOf(pass func(Class) bool) (s Set) {
	for i := range classes {
		if pass(Class(i)) {
			s |= 1 << i
		}
	}
	return s
}

// OfCategory are the classes of categories.
func OfCategory(list ...Category) Set {
	return SetOf(func(c Class) bool { return slices.Contains(list, c.Category()) })
}

// Has says whether a class is in the set.
func (s Set) Has(c Class) bool { return s>>c&1 == 1 }
