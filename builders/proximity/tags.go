package proximity

import (
	"strconv"
	"strings"

	"mappe/artefacts/proximity"
	"mappe/builders/source/osm"
)

// lineClass is the class of a line of a category, by the tags of its way.
func lineClass(c proximity.Category, tags osm.Tags) (proximity.Class, bool) {
	switch c {
	case proximity.Road:
		return proximity.ParseClass(c, tags.Get("highway"))
	case proximity.Rail:
		return proximity.ParseClass(c, tags.Get("railway"))
	case proximity.Water:
		if k := tags.Get("waterway"); k != "riverbank" {
			return proximity.ParseClass(c, k)
		}
	}
	return 0, false
}

// lineCategories are those that ways draw lines of.
var lineCategories = []proximity.Category{proximity.Road, proximity.Rail, proximity.Water}

// waterClass is the class of an area of water.
func waterClass(tags osm.Tags) (proximity.Class, bool) {
	switch {
	case tags.Get("natural") == "water":
		return proximity.ParseClass(proximity.Water, "water")
	case tags.Get("landuse") == "reservoir":
		return proximity.ParseClass(proximity.Water, "reservoir")
	case tags.Get("waterway") == "riverbank":
		return proximity.ParseClass(proximity.Water, "riverbank")
	}
	return 0, false
}

// stopClass is the class of a stop.
func stopClass(tags osm.Tags) (proximity.Class, bool) {
	name := ""
	switch railway := tags.Get("railway"); {
	case railway == "station" && tags.Get("station") == "subway":
		name = "subway_station"
	case railway == "station" && tags.Get("station") != "funicular" && tags.Get("station") != "miniature":
		name = "railway_station"
	case railway == "halt":
		name = "railway_halt"
	case railway == "tram_stop":
		name = "tram_stop"
	case tags.Get("highway") == "bus_stop":
		name = "bus_stop"
	case tags.Get("amenity") == "bus_station":
		name = "bus_station"
	case tags.Get("amenity") == "ferry_terminal":
		name = "ferry_terminal"
	default:
		return 0, false
	}
	return proximity.ParseClass(proximity.Transit, name)
}

// pointClass is the class of a node.
func pointClass(tags osm.Tags) (proximity.Class, bool) {
	if k, ok := proximity.ParseClass(proximity.Place, tags.Get("place")); ok {
		return k, true
	}
	return stopClass(tags)
}

// population reads the number of inhabitants, -1 where none is said. Contributors write 1200, 1.200 and 1 200.
func population(tags osm.Tags) int {
	digits := strings.Map(func(r rune) rune {
		switch r {
		case ' ', '.', ',', '\u00a0', '\'':
			return -1
		}
		return r
	}, tags.Get("population"))
	n, err := strconv.Atoi(digits)
	if err != nil || n < 0 || n > 100_000_000 {
		return -1
	}
	return n
}
