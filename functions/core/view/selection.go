package view

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"mappe/artefacts/register"
	"mappe/shared/austria"
	"mappe/shared/geo/crs"
	"mappe/shared/geo/geom"
)

// Selection is the KGs that a request names, with a snapshot or without. In a partly built country those without one are
// nearly all KGs: what is the same for many requests is found out once for a generation.
type Selection struct {
	Codes      []austria.KGCode          // by rising code
	Everywhere bool                      // all KGs of the country; then Codes are not looked at
	Box        *geom.Box                 // nil: the request names none
	Name       string                    // names the rules, and what the request names
	rules      []func(*register.KG) bool // each rules KGs out
}

// Rule leaves out KGs in which nothing can be found. Two rules of one name have to be the same.
func (s *Selection) Rule(name string, out func(*register.KG) bool) {
	s.rules = append(s.rules, out)
	s.Name += fmt.Sprintf("%q ", name)
}

// fewKGs is up to how many named KGs are looked at one by one.
const fewKGs = 64

// Note has the KGs without a snapshot in the gaps, and loaded: those first that are nearest to the box.
func (s *Selection) Note(ctx context.Context, v *View, gaps *Missing) {
	u := v.Unbuilt(ctx)
	switch {
	case u.Len() == 0:
	case s.Everywhere && len(s.rules) == 0:
		v.Country(ctx, gaps)
	case !s.Everywhere && (s.Box != nil || len(s.Codes) <= fewKGs):
		s.noteEach(ctx, v, gaps)
	default:
		part := u.Part(s.Name, func() []austria.KGCode { return codesOf(s.unbuilt(v)) })
		v.Part(part, gaps)
	}
}

// noteEach is Note for KGs that are few, or that no other request names.
func (s *Selection) noteEach(ctx context.Context, v *View, gaps *Missing) {
	list := s.unbuilt(v)
	if s.Box != nil && len(list) > 1 {
		ruler := crs.RulerAt(s.Box.Center())
		slices.SortStableFunc(list, func(a, b *register.KG) int { return cmp.Compare(ruler.ToBox(a.Box), ruler.ToBox(b.Box)) })
	}
	var cold WarmupBudget
	for _, k := range list {
		cold.Note(ctx, v, k.Code, gaps)
	}
}

// unbuilt are the KGs without a snapshot that no rule leaves out, by rising code.
func (s *Selection) unbuilt(v *View) (list []*register.KG) {
	reg := v.Register()
	add := func(k *register.KG) {
		if k.Snapshot.Key == "" && !slices.ContainsFunc(s.rules, func(out func(*register.KG) bool) bool { return out(k) }) {
			list = append(list, k)
		}
	}
	if !s.Everywhere {
		for _, code := range s.Codes {
			add(reg.KG(code))
		}
		return list
	}
	for i := range reg.KGs() {
		add(&reg.KGs()[i])
	}
	return list
}

func codesOf(list []*register.KG) []austria.KGCode {
	codes := make([]austria.KGCode, len(list))
	for i, k := range list {
		codes[i] = k.Code
	}
	return codes
}

// Built are the KGs with a snapshot, by rising code; no rule is asked.
func (s *Selection) Built(v *View) []*register.KG {
	kgs, built := v.Register().KGs(), v.Register().Built()
	list := make([]*register.KG, 0, len(built))
	for _, i := range built {
		if _, ok := slices.BinarySearch(s.Codes, kgs[i].Code); ok || s.Everywhere {
			list = append(list, &kgs[i])
		}
	}
	return list
}
