package area

import (
	"slices"

	"mappe/artefacts/register"
	"mappe/shared/austria"
)

// PLZRule says in the description of a parameter which KGs a postal code has.
const PLZRule = "Its KGs are those in which a locality of it lies; of a municipality whose localities of it do not say their KG, all."

// InPLZ says of KGs whether a postal code is theirs, by PLZRule: the one rule of every endpoint.
func InPLZ(reg *register.Register, plz austria.PLZ) (func(*register.KG) bool, error) {
	localities, err := reg.Localities()
	if err != nil {
		return nil, err
	}
	places, err := reg.PLZ()
	if err != nil {
		return nil, err
	}
	kgs, told, whole := map[austria.KGCode]bool{}, map[austria.GemeindeCode]bool{}, map[austria.GemeindeCode]bool{}
	for i := range localities {
		if l := &localities[i]; slices.Contains(l.PLZ, plz) {
			if l.KG != "" {
				kgs[l.KG], told[l.GemeindeCode] = true, true
			} else {
				whole[l.GemeindeCode] = true
			}
		}
	}
	for i := range places {
		if p := &places[i]; p.PLZ == plz {
			whole[p.GemeindeCode] = true
		}
	}
	return func(k *register.KG) bool { return kgs[k.Code] || whole[k.GemeindeCode] && !told[k.GemeindeCode] }, nil
}
