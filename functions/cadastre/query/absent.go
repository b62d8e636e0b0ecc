package query

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"mappe/artefacts/register"
	"mappe/functions/core/view"
	"mappe/shared/austria"
	"mappe/shared/geo/crs"
)

// absent are the KGs without a snapshot, of those that a request names, in which parcels may pass. In a partly built
// country they are nearly all KGs: what is the same for many requests is found out once for a generation.
type absent struct {
	codes      []austria.KGCode          // that the request names, with a snapshot or without, by rising code
	everywhere bool                      // it names all KGs of the country
	rules      []func(*register.KG) bool // each rules KGs out
	name       string                    // names the rules, and what the request names
}

// rule leaves out KGs in which no parcel can pass.
func (a *absent) rule(name string, out func(*register.KG) bool) {
	a.rules = append(a.rules, out)
	a.name += fmt.Sprintf("%q ", name)
}

// fewKGs is up to how many named KGs are looked at one by one.
const fewKGs = 64

// note has the KGs without a snapshot in the gaps, and loaded: those first that are nearest to the box.
func (p *plan) note(ctx context.Context) {
	a, u := &p.absent, p.view.Unbuilt(ctx)
	switch {
	case u.Len() == 0:
	case a.everywhere && len(a.rules) == 0:
		p.view.Country(ctx, &p.gaps)
	case !a.everywhere && (p.filter.box != nil || len(a.codes) <= fewKGs):
		p.noteEach(ctx)
	default:
		part := u.Part(a.name, func() []austria.KGCode { return codesOf(a.among(p.view)) })
		p.view.Part(part, &p.gaps)
	}
}

// noteEach is note for KGs that are few, or that no other request names.
func (p *plan) noteEach(ctx context.Context) {
	list := p.absent.among(p.view)
	if p.filter.box != nil && len(list) > 1 {
		ruler := crs.RulerAt(p.filter.box.Center())
		slices.SortStableFunc(list, func(a, b *register.KG) int { return cmp.Compare(ruler.ToBox(a.Box), ruler.ToBox(b.Box)) })
	}
	var cold view.WarmupBudget
	for _, k := range list {
		cold.Note(ctx, p.view, k.Code, &p.gaps)
	}
}

// among are the KGs, by rising code.
func (a *absent) among(v *view.View) (list []*register.KG) {
	reg := v.Register()
	add := func(k *register.KG) {
		if k.Snapshot.Key == "" && !slices.ContainsFunc(a.rules, func(out func(*register.KG) bool) bool { return out(k) }) {
			list = append(list, k)
		}
	}
	if !a.everywhere {
		for _, code := range a.codes {
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
