package rowschema

import (
	"strings"

	"mappe/artefacts/kgfile"
)

var (
	typologies = [...]string{"", "urban", "suburban", "rural_settled", "rural_agrarian"}
	shapes     = [...]string{"", "regular", "moderate", "irregular", "complex", "strip", "rectangular", "lshaped"}
	sizes      = [...]string{"", "tiny", "small", "medium", "large", "xlarge"}
	repairs    = [...]string{"ring_order", "inverted_rings", "self_crossing", "missing_tile", "duplicate", "no_label", "degenerate"}
)

// TypologyName is the word of the settlement type, "" when it is unknown.
func TypologyName(t kgfile.Typology) string { return word(typologies[:], int(t)) }

// ShapeName is the word of a parcel's or footprint's shape, "" when it is unknown.
func ShapeName(s kgfile.ShapeClass) string { return word(shapes[:], int(s)) }

// SizeName is the word of a footprint's size, "" when it is unknown.
func SizeName(s kgfile.SizeClass) string { return word(sizes[:], int(s)) }

func word(words []string, i int) string {
	if i >= len(words) {
		return ""
	}
	return words[i]
}

// AllRepairs lists the repairs in the order of their bits.
func AllRepairs() []kgfile.Repair {
	all := make([]kgfile.Repair, len(repairs))
	for i := range all {
		all[i] = 1 << i
	}
	return all
}

// repairLists are the names of every set of repairs, so that naming them costs a row nothing.
var repairLists = func() (lists [1 << len(repairs)]string) {
	for set := range lists {
		var names []string
		for i, name := range repairs {
			if set>>i&1 == 1 {
				names = append(names, name)
			}
		}
		lists[set] = strings.Join(names, ",")
	}
	return lists
}()

// RepairNames lists the repairs that are set, comma-separated, "" for none.
func RepairNames(r kgfile.Repair) string { return repairLists[int(r)%len(repairLists)] }
