package search

import (
	"cmp"
	"slices"
	"strings"
	"sync"

	"mappe/artefacts/register"
	"mappe/shared/austria"
	"mappe/shared/spelling"
)

// folded is a name as it is compared: words apart, and joined.
type folded struct{ words, joined string }

func fold(name string) folded {
	w := spelling.Fold(name)
	return folded{w, spelling.Compact(w)}
}

// names are the folded names of a register, and its municipalities and districts with those that only its KGs
// name. They are made once for a register.
type names struct {
	reg            *register.Register
	kgs            []folded // of reg.KGs
	municipalities []municipality
	districts      []district
	places         func() (*places, error) // of /lookup, made on first use

	kgText, municipalityText, districtText corpus
}

type municipality struct {
	register.Municipality
	name folded
}

type district struct {
	register.District
	name folded
	kgs  int
}

// registers keeps the names of the registers that requests are answered from: the served one, and one before
// that cursors still walk through.
type registers struct {
	mu   sync.Mutex
	kept []*names // last used first
}

const keptNames = 2

// of gives the names of a register.
func (d *registers) of(reg *register.Register) *names {
	d.mu.Lock()
	defer d.mu.Unlock()
	i := slices.IndexFunc(d.kept, func(n *names) bool { return n.reg == reg })
	var n *names
	if i < 0 {
		n = namesOf(reg)
		d.kept = d.kept[:min(len(d.kept), keptNames-1)]
	} else {
		n = d.kept[i]
		d.kept = slices.Delete(d.kept, i, i+1)
	}
	d.kept = slices.Insert(d.kept, 0, n)
	return n
}

func namesOf(reg *register.Register) *names {
	n := &names{reg: reg}
	for _, m := range reg.Municipalities() {
		n.municipalities = append(n.municipalities, municipality{Municipality: m})
	}
	for _, b := range reg.Districts() {
		n.districts = append(n.districts, district{District: b})
	}
	haveM, haveD := map[austria.GemeindeCode]bool{}, map[austria.DistrictCode]int{}
	for i := range n.municipalities {
		haveM[n.municipalities[i].Code] = true
	}
	for i := range n.districts {
		haveD[n.districts[i].Code] = i
	}
	for i := range reg.KGs() {
		k := &reg.KGs()[i]
		n.kgs = append(n.kgs, fold(k.Name))
		if !haveM[k.GemeindeCode] {
			haveM[k.GemeindeCode] = true
			n.municipalities = append(n.municipalities, municipality{Municipality: register.Municipality{
				Code: k.GemeindeCode, Name: k.GemeindeName, DistrictCode: k.DistrictCode, DistrictName: k.DistrictName}})
		}
		at, ok := haveD[k.DistrictCode]
		if !ok {
			at = len(n.districts)
			haveD[k.DistrictCode] = at
			n.districts = append(n.districts,
				district{District: register.District{Code: k.DistrictCode, Name: k.DistrictName, State: k.State()}})
		}
		n.districts[at].kgs++
	}
	slices.SortFunc(n.municipalities, func(a, b municipality) int { return cmp.Compare(a.Code, b.Code) })
	slices.SortFunc(n.districts, func(a, b district) int { return cmp.Compare(a.Code, b.Code) })
	for i := range n.municipalities {
		n.municipalities[i].name = fold(n.municipalities[i].Name)
	}
	for i := range n.districts {
		n.districts[i].name = fold(n.districts[i].Name)
	}
	n.kgText = corpusOf(len(n.kgs), func(i int) (string, folded, []string) { return string(reg.KGs()[i].Code), n.kgs[i], nil })
	n.municipalityText = corpusOf(len(n.municipalities), func(i int) (string, folded, []string) {
		return string(n.municipalities[i].Code), n.municipalities[i].name, nil
	})
	n.districtText = corpusOf(len(n.districts), func(i int) (string, folded, []string) {
		return string(n.districts[i].Code), n.districts[i].name, nil
	})
	n.places = sync.OnceValues(n.allPlaces)
	return n
}

// inMunicipality chooses KGs by the code or the name of their municipality. Municipalities of one name are
// taken together.
func (n *names) inMunicipality(text string) func(*register.KG) bool {
	codes := map[austria.GemeindeCode]bool{}
	if c, err := austria.ParseGemeindeCode(text); err == nil {
		codes[c] = true
	} else if want := fold(text).joined; want != "" {
		for i := range n.municipalities {
			if m := &n.municipalities[i]; m.name.joined == want {
				codes[m.Code] = true
			}
		}
	}
	return func(k *register.KG) bool { return codes[k.GemeindeCode] }
}

// inDistrict chooses KGs by the code of their district or a part of its name.
func (n *names) inDistrict(text string) func(*register.KG) bool {
	codes := map[austria.DistrictCode]bool{}
	want := fold(text)
	for i := range n.districts {
		d := &n.districts[i]
		if string(d.Code) == text || want.joined != "" && (strings.Contains(d.name.words, want.words) ||
			strings.Contains(d.name.joined, want.joined)) {
			codes[d.Code] = true
		}
	}
	return func(k *register.KG) bool { return codes[k.DistrictCode] }
}
