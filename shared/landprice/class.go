package landprice

import "mappe/shared/austria"

// Class is the price class of a parcel.
type Class uint8

// The classes of rule 1, in the order in which the rule asks.
const (
	ClassNone Class = iota
	Built           // bauland_built
	Zoned           // bauland_zoned
	Acker           // ackerland
	Gruen           // gruenland
	Wald            // wald
	Other           // other: no price
	classEnd
)

var classNames = [classEnd]string{"", "bauland_built", "bauland_zoned", "ackerland", "gruenland", "wald", "other"}

// AllClasses lists the classes.
func AllClasses() []Class { return []Class{Built, Zoned, Acker, Gruen, Wald, Other} }

func (c Class) String() string {
	if c < classEnd {
		return classNames[c]
	}
	return ""
}

// Bauland says whether the class is priced as building land.
func (c Class) Bauland() bool { return c == Built || c == Zoned }

// Basis is what the land use of a parcel is known from.
type Basis uint8

// The bases: polygons of land use, symbols or a list of codes, the shares of the cell around a point, nothing. Of a
// parcel of which nothing is known the class is what rule 1 has left over; of a described site it is assumed.
const (
	BasisNone Basis = iota
	Areas
	Symbols
	Cell
	Assumed
	basisEnd
)

var basisNames = [basisEnd]string{"", "areas", "symbols", "cell", "assumed"}

// AllBases lists the bases that have a name.
func AllBases() []Basis { return []Basis{Areas, Symbols, Cell, Assumed} }

func (b Basis) String() string {
	if b < basisEnd {
		return basisNames[b]
	}
	return ""
}

// ruled are the codes that rule 1 names.
var ruled = map[Class][]austria.LandUse{
	Zoned: {40, 41, 42, 43, 44, 45, 46, 47, 91, 51, 62},
	Acker: {50, 52, 53, 54, 55, 58, 61},
	Gruen: {56, 57},
}

// byTable are the classes of codes that the rule does not name, by the class of the survey office's table:
// "traffic, water, rock and similar" give other, codes of farmland that came after the rule their own class.
var byTable = map[austria.LandUseClass]Class{
	austria.ClassBuilding: Zoned, austria.ClassBuiltUp: Zoned, austria.ClassArable: Acker, austria.ClassGrass: Gruen,
	austria.ClassForest: Wald, austria.ClassAlpine: Gruen, austria.ClassWater: Other, austria.ClassTraffic: Other,
	austria.ClassOther: Other,
}

// classOf is the class of every code; codes that no table knows are wald, the rule's "otherwise".
var classOf = func() (t [256]Class) {
	for i := range t {
		t[i] = Wald
	}
	for _, r := range austria.AllLandUses() {
		t[r.Code] = byTable[r.Class]
	}
	for c, codes := range ruled {
		for _, l := range codes {
			t[l] = c
		}
	}
	return t
}()

// Use is the land use of a parcel. Areas decide where there are any, else the codes.
type Use struct {
	Areas []CodeArea
	Codes austria.LandUseSet
}

// CodeArea is an area in m² of one land-use code.
type CodeArea struct {
	Code austria.LandUse
	Sqm  float64
}

// Classify gives the price class and what it rests on. Among areas the class with the largest sum decides,
// equal sums in the order of the rule; among codes the first class of the rule that one of them has. Land
// without any known use is wald, the rule's "otherwise".
func Classify(built bool, u Use) (Class, Basis) {
	class, basis := Wald, BasisNone
	if c := largest(u.Areas); c != ClassNone {
		class, basis = c, Areas
	} else if !u.Codes.Empty() {
		class, basis = first(u.Codes), Symbols
	}
	if built {
		class = Built
	}
	return class, basis
}

func largest(areas []CodeArea) Class {
	var sums [classEnd]float64
	best := ClassNone
	for _, a := range areas {
		if a.Sqm > 0 {
			sums[classOf[a.Code]] += a.Sqm
		}
	}
	for c := Zoned; c < classEnd; c++ {
		if sums[c] > sums[best] {
			best = c
		}
	}
	return best
}

func first(codes austria.LandUseSet) Class {
	best := Other
	for i, w := range codes {
		for bit := 0; w != 0; bit, w = bit+1, w>>1 {
			if w&1 == 1 {
				best = min(best, classOf[i<<6+bit])
			}
		}
	}
	return best
}
