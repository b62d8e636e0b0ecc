package query

import (
	"context"
	"slices"
	"strings"

	"mappe/artefacts/columns"
	"mappe/functions/core/searchindex"
	"mappe/shared/austria"
)

const (
	// soughtPlaces is from how many KGs on the search directory is asked which of them have a parcel number: the columns
	// of fewer are quickly looked into.
	soughtPlaces = 64
	// soughtBlocks bounds the blocks of the directory that are read for a pattern. What begins with a digit or two has
	// more: nearly every KG has such a number.
	soughtBlocks = 4
)

// seek finds the places that have no parcel of the numbers asked for, so that their columns need not be looked into. A
// place that it does not find is looked into as before: without a directory, or with one that cannot be read, all are.
func (p *plan) seek(ctx context.Context) error {
	if p.sought {
		return nil
	}
	p.sought = true
	if len(p.places) < soughtPlaces {
		return nil
	}
	var x *searchindex.Index
	have := map[*pattern][]bool{}
	for _, n := range p.patterns() {
		if x == nil {
			if x, _ = searchindex.Of(ctx, p.view); x == nil {
				return ctx.Err()
			}
		}
		found, err := n.having(ctx, x)
		if err != nil {
			return ctx.Err()
		}
		if found != nil {
			have[n] = found
		}
	}
	if len(have) > 0 {
		p.lack(x.Head.KGs, have)
	}
	return nil
}

// patterns are those that the numbers of some place have to fit.
func (p *plan) patterns() (list []*pattern) {
	var last **pattern
	for i := range p.places {
		numbers := p.places[i].numbers
		if len(numbers) == 0 || &numbers[0] == last { // nearly all places share one list
			continue
		}
		last = &numbers[0]
		for _, n := range numbers {
			if !slices.Contains(list, n) {
				list = append(list, n)
			}
		}
	}
	return list
}

// lack notes the places that lack a pattern, of the KGs that the directory covers. Both rise by code.
func (p *plan) lack(kgs []austria.KGCode, have map[*pattern][]bool) {
	p.lacking = make([]bool, len(p.places))
	n := 0
	for i := range p.places {
		at := &p.places[i]
		for n < len(kgs) && kgs[n] < at.kg.Code {
			n++
		}
		if n == len(kgs) || kgs[n] != at.kg.Code {
			continue
		}
		for _, number := range at.numbers {
			if found := have[number]; found != nil && !found[n] {
				p.lacking[i] = true
			}
		}
	}
}

// having are the KGs of the directory's head that have a number which fits; nil where that would take longer to find out
// than to look into their columns.
func (p *pattern) having(ctx context.Context, x *searchindex.Index) ([]bool, error) {
	if strings.Trim(p.prefix, "./0") == "" {
		return nil, nil
	}
	spelled := p.spelled()
	if !p.exact {
		spelled = append(spelled, p.prefix)
	}
	if x.Blocks(spelled...) > soughtBlocks {
		return nil, nil
	}
	found := make([]bool, len(x.Head.KGs))
	note := func(kgs []uint32) {
		for _, kg := range kgs {
			found[kg] = true
		}
	}
	if p.exact {
		kgs, err := x.Having(ctx, austria.GNR(p.prefix))
		if err != nil {
			return nil, err
		}
		note(kgs)
	}
	for _, prefix := range spelled {
		err := x.Beginning(ctx, prefix, func(number austria.GNR, kgs []uint32) {
			if p.fits(columns.CanonicalNumber(number)) {
				note(kgs)
			}
		})
		if err != nil {
			return nil, err
		}
	}
	return found, nil
}

// spelled is how the numbers begin which fit once the zeros in front of main and sub-number are left out: the directory has
// numbers as they are spelled.
func (p *pattern) spelled() []string {
	plot := ""
	if strings.HasPrefix(p.prefix, ".") {
		plot = "."
	}
	list := []string{plot + "0"}
	if main, _, ok := strings.Cut(p.prefix, "/"); ok {
		list = append(list, main+"/0")
	}
	return list
}
