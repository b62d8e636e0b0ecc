package legal

import (
	"slices"
	"strings"

	"mappe/shared/austria"
	"mappe/shared/spelling"
)

// KG is a KG as the register names it.
type KG struct {
	Code         austria.KGCode
	Name         string
	GemeindeCode austria.GemeindeCode
	GemeindeName string
}

// Names finds KGs by the names that texts use.
type Names struct {
	byCode map[austria.KGCode]*KG
	byName map[string][]*KG // by folded name, without blanks
	words  int              // of the longest name
}

// NewNames prepares the KGs of the register.
func NewNames(list []KG) *Names {
	n := &Names{byCode: map[austria.KGCode]*KG{}, byName: map[string][]*KG{}}
	for i := range list {
		k := &list[i]
		key := spelling.Compact(spelling.Fold(k.Name))
		n.byCode[k.Code], n.byName[key] = k, append(n.byName[key], k)
		n.words = max(n.words, strings.Count(spelling.Fold(k.Name), " ")+1)
	}
	return n
}

// at finds the longest name of a KG at the front of the tokens, and says how many it takes.
func (n *Names) at(t []token) (found []*KG, length int) {
	name := ""
	for i := 0; i < len(t) && i < 2*n.words+2; i++ {
		if t[i].kind == mark && !strings.Contains("-./'", t[i].text) {
			break
		}
		name += t[i].text + " "
		if list := n.byName[spelling.Compact(spelling.Fold(name))]; len(list) > 0 {
			found, length = list, i+1
		}
	}
	return found, length
}

// choose decides between KGs of one name: by the municipality that the text names, else by the state. nil where that
// leaves several.
func choose(list []*KG, text, state string) *KG {
	if len(list) > 1 {
		in := slices.DeleteFunc(slices.Clone(list), func(k *KG) bool {
			return !strings.Contains(text, " "+spelling.Fold(k.GemeindeName)+" ")
		})
		if len(in) > 0 {
			list = in
		}
	}
	if len(list) > 1 && state != "" {
		in := slices.DeleteFunc(slices.Clone(list), func(k *KG) bool { return k.GemeindeCode.State().Name() != state })
		if len(in) > 0 {
			list = in
		}
	}
	if len(list) != 1 {
		return nil
	}
	return list[0]
}
