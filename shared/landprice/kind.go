package landprice

import "strings"

// SeriesKind is what a series is of.
type SeriesKind uint8

// The kinds of series. Codes are stored in artefacts: they are never given another meaning.
const (
	KindUnknown           SeriesKind = iota
	BuildingLand                     // building plots, EUR/m² of land
	BuildingLandSince2025            // the same by the statistics office's method of 2025, which does not continue the series before
	Arable                           // arable land, EUR/m²
	Grassland                        // grassland, EUR/m²
	ArableRent                       // EUR/ha and year
	GrasslandRent                    // EUR/ha and year
	ForestLow                        // lower end of an indicative range, EUR/m²
	ForestHigh                       // upper end
	House                            // houses, EUR/m² of living area
	HousePre1960                     // built before 1960
	House1960To1990                  // built 1960 to 1990
	HousePost1991                    // built 1991 or later
	Flat                             // flats, EUR/m² of living area
	FlatPre1960
	Flat1960To1990
	FlatPost1991
	kindEnd
)

// kinds describe the kinds: the name in series files, further spellings, the unit, what it is.
var kinds = [kindEnd]struct {
	name, unit, doc string
	also            []string
}{
	BuildingLand:          {"baugrund", "EUR/m²", "Building plots", []string{"bauland", "baugrundstueck"}},
	BuildingLandSince2025: {"baugrund_2025", "EUR/m²", "Building plots, method of 2025; not joined with the series before", nil},
	Arable:                {"acker", "EUR/m²", "Arable land", []string{"ackerland"}},
	Grassland:             {"gruenland", "EUR/m²", "Grassland", []string{"grünland"}},
	ArableRent:            {"acker_pacht", "EUR/ha/year", "Rent of arable land", nil},
	GrasslandRent:         {"gruenland_pacht", "EUR/ha/year", "Rent of grassland", []string{"grünland_pacht"}},
	ForestLow:             {"wald_von", "EUR/m²", "Forest, lower end of the indicative range", nil},
	ForestHigh:            {"wald_bis", "EUR/m²", "Forest, upper end of the indicative range", nil},
	House:                 {"haus", "EUR/m² living area", "Houses of all periods", []string{"haus_wohnflaeche"}},
	HousePre1960:          {"haus_pre1960", "EUR/m² living area", "Houses built before 1960", nil},
	House1960To1990:       {"haus_y1960_1990", "EUR/m² living area", "Houses built 1960 to 1990", nil},
	HousePost1991:         {"haus_post1991", "EUR/m² living area", "Houses built 1991 or later", nil},
	Flat:                  {"wohnung", "EUR/m² living area", "Flats of all periods", []string{"wohnung_wohnflaeche"}},
	FlatPre1960:           {"wohnung_pre1960", "EUR/m² living area", "Flats built before 1960", nil},
	Flat1960To1990:        {"wohnung_y1960_1990", "EUR/m² living area", "Flats built 1960 to 1990", nil},
	FlatPost1991:          {"wohnung_post1991", "EUR/m² living area", "Flats built 1991 or later", nil},
}

// AllSeriesKinds lists the kinds.
func AllSeriesKinds() []SeriesKind {
	out := make([]SeriesKind, 0, kindEnd-1)
	for k := BuildingLand; k < kindEnd; k++ {
		out = append(out, k)
	}
	return out
}

func (k SeriesKind) String() string {
	if k < kindEnd {
		return kinds[k].name
	}
	return ""
}

// Unit is the unit of the kind's numbers.
func (k SeriesKind) Unit() string {
	if k < kindEnd {
		return kinds[k].unit
	}
	return ""
}

// Doc says what the kind is, in English.
func (k SeriesKind) Doc() string {
	if k < kindEnd {
		return kinds[k].doc
	}
	return ""
}

// ParseSeriesKind reads a kind by its name or another spelling; KindUnknown for another text.
func ParseSeriesKind(s string) SeriesKind {
	s = strings.ToLower(s)
	for k := BuildingLand; k < kindEnd; k++ {
		if kinds[k].name == s {
			return k
		}
		for _, a := range kinds[k].also {
			if a == s {
				return k
			}
		}
	}
	return KindUnknown
}

// MethodBreak is the first year of the method of 2025: what is published as building land from then on is of
// the kind BuildingLandSince2025.
const MethodBreak = 2025

// InYear is the kind under which a value of a year is kept.
func (k SeriesKind) InYear(year int) SeriesKind {
	if k == BuildingLand && year >= MethodBreak {
		return BuildingLandSince2025
	}
	return k
}

// Level is the kind of area that a series is of, and the source of a baseline.
type Level uint8

// The levels, the most local first. LiteratureState is an indicative figure for a state that no statistics
// office publishes.
const (
	LevelNone Level = iota
	Gemeinde
	Bezirk
	State
	National
	LiteratureState
	levelEnd
)

var levelNames = [levelEnd]string{"", "gemeinde", "bezirk", "state", "national", "literature_state"}

// AllLevels lists the levels.
func AllLevels() []Level { return []Level{Gemeinde, Bezirk, State, National, LiteratureState} }

func (l Level) String() string {
	if l < levelEnd {
		return levelNames[l]
	}
	return ""
}

// ParseLevel reads a level; LevelNone for another text.
func ParseLevel(s string) Level {
	switch s = strings.ToLower(s); s {
	case "municipality":
		return Gemeinde
	case "district":
		return Bezirk
	case "bundesland":
		return State
	}
	for _, l := range AllLevels() {
		if l.String() == s {
			return l
		}
	}
	return LevelNone
}

// Country is the code of the national series.
const Country = "AT"
