package query

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strconv"

	"mappe/artefacts/columns"
	"mappe/artefacts/overlays"
	"mappe/artefacts/register"
	"mappe/functions/core/area"
	"mappe/functions/core/overlayindex"
	"mappe/functions/core/parcelfilter"
	"mappe/functions/core/view"
	"mappe/shared/austria"
	"mappe/shared/geo/region"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/fault"
)

// plan is what a request asks for, found out once for its ETag and its answer.
type plan struct {
	view    *view.View
	places  []place        // KGs with a snapshot in which parcels may pass, by rising code
	kgs     int            // KGs with a snapshot that the request names
	named   view.Selection // the KGs that the request names: those without a snapshot in which parcels may pass are missing
	filter  filter
	over    overlayindex.Filter
	areas   *surround // of /query/protected_area; else nil
	by      order
	through int // hits to find: offset and limit
	offset  int
	narrow  bool // the filter names places, so that statistics come unasked
	gaps    view.Missing
	// polygons says that rows are drawn with their polygons: what else is copied of them is much less.
	polygons bool
	name     string // key, once it was asked for
	sought   bool   // lacking was asked for
	lacking  []bool // by place: no parcel has the numbers; nil where that is not known
}

// place is a KG that is looked at.
type place struct {
	kg      *register.KG
	numbers []*pattern       // that the parcel number has to fit
	sum     *columns.KG      // its summary; nil where it is not known
	built   *columns.BuiltKG // of its parcels with buildings, where the filter asks for those; nil where it is not known
	first   int              // its first row in the table of its district
	over    *overlays.KG     // what lies over it, where the filter asks for that
}

// planned is the plan of a request.
func (s *service) planned(ctx context.Context, r *endpoint.Request) (*plan, error) {
	if p, ok := r.Memo.(*plan); ok {
		return p, nil
	}
	v, err := view.Of(ctx)
	if err != nil {
		return nil, err
	}
	p := &plan{view: v, by: sorted.Of(r), offset: r.Offset, through: r.Offset + r.Limit}
	if r.Limit == 0 {
		p.through = 0
	}
	f, given, err := filterOf(r)
	if err != nil {
		return nil, err
	}
	p.filter, p.over = f, parcelfilter.Over(r)
	inArea, err := s.choose(v, r, p)
	if err != nil {
		return nil, err
	}
	if p.narrow = inArea || text.Given(r) || folio.Given(r) || f.box != nil; !given && !p.narrow && !p.over.Active() && !areaName.Given(r) {
		return nil, fault.New(fault.Missing,
			"a filter is missing: expected at least one of q, kg, gemeinde, gemeinde_code, district, state, plz, landuse, min_area, max_area, has_buildings, status, ez, has_legal_refs, legal_context, has_natura2000, natura2000_site, natura2000_type, natura2000_habitat, or a box")
	}
	if err := p.narrowed(ctx, r); err != nil {
		return nil, err
	}
	if v.Past() && len(p.places) > view.MaxKGs {
		return nil, fault.New(fault.TooLarge, "the request reaches into %d KGs of an earlier date: expected at most %d", len(p.places),
			view.MaxKGs)
	}
	r.Memo = p
	return p, nil
}

// choose finds the KGs that the request may find parcels in. A name of nothing finds nothing.
func (s *service) choose(v *view.View, r *endpoint.Request, p *plan) (named bool, err error) {
	reg := v.Register()
	codes, named, err := area.Found(reg, r)
	if err != nil {
		return named, err
	}
	if p.filter.box != nil {
		codes = p.inBox(codes, named)
	}
	p.named = view.Selection{Codes: codes, Everywhere: !named && p.filter.box == nil, Box: p.filter.box}
	fits := func(int) ([]*pattern, bool) { return nil, true }
	if text.Given(r) {
		names, w := s.names.of(reg), wordsOf(text.Of(r))
		fits = func(i int) ([]*pattern, bool) { return w.in(&reg.KGs()[i], names[i]) }
		if len(w.names)+len(w.ids) > 0 || w.none() { // numbers alone may be parcels of any KG
			p.named.Rule("text "+text.Of(r), func(k *register.KG) bool {
				i, _ := reg.Index(k.Code)
				_, ok := fits(i)
				return !ok
			})
		}
	}
	if named {
		p.named.Name += area.Name(r)
	}
	p.build(fits)
	return named, nil
}

// build has the places: the KGs with a snapshot, of those that the request names, in which a text fits. It walks the
// fewer of both.
func (p *plan) build(fits func(kg int) ([]*pattern, bool)) {
	reg := p.view.Register()
	kgs, built, codes := reg.KGs(), reg.Built(), p.named.Codes
	add := func(i int) {
		if numbers, ok := fits(i); ok {
			p.places = append(p.places, place{kg: &kgs[i], numbers: numbers})
		}
	}
	p.places = make([]place, 0, min(len(built), max(len(codes), 1)))
	switch next := 0; {
	case p.named.Everywhere:
		p.places = make([]place, 0, len(built))
		for _, i := range built {
			add(i)
		}
	case len(codes) < len(built):
		for _, c := range codes {
			if next == len(kgs) || kgs[next].Code != c { // mostly the codes rise one by one
				next, _ = reg.Index(c)
			}
			if kgs[next].Snapshot.Key != "" {
				add(next)
			}
			next++
		}
	default:
		for _, i := range built {
			if _, ok := slices.BinarySearch(codes, kgs[i].Code); ok {
				add(i)
			}
		}
	}
	p.kgs = len(p.places)
}

// narrowed leaves of the places those in which parcels may pass. The KGs without a snapshot go to the gaps but for those
// whose ground, or whose laws, rule a match out.
func (p *plan) narrowed(ctx context.Context, r *endpoint.Request) error {
	if err := p.lay(ctx); err != nil {
		return err
	}
	if err := p.around(ctx, r); err != nil {
		return err
	}
	p.named.Note(ctx, p.view, &p.gaps)
	return nil
}

// inBox are the KGs, of the named ones if any are, whose parcels may have their centroid in the box. That of a parcel which
// is not convex may lie beside it, never outside the hull of its KG.
func (p *plan) inBox(codes []austria.KGCode, named bool) []austria.KGCode {
	box := *p.filter.box
	around := region.OfBox(box)
	return slices.DeleteFunc(p.view.KGsNear(box), func(code austria.KGCode) bool {
		if named {
			if _, ok := slices.BinarySearch(codes, code); !ok {
				return true
			}
		}
		if p.view.Warm(code) {
			return false
		}
		g, known := p.view.Register().GroundHull(code)
		return known && !around.Reaches(g.Outline, g.Outline.Bounds(), g.ToleranceM)
	})
}

// keyTogether is how many bytes key hashes at once.
const keyTogether = 4 << 10

// key names the filter and what it is asked of, whatever the generation.
func (p *plan) key() string {
	if p.name != "" {
		return p.name
	}
	h := sha256.New()
	f := p.filter
	fmt.Fprint(h, f.least, f.most, f.Built, f.status, f.ez)
	if f.LandUse != nil {
		fmt.Fprint(h, " use ", *f.LandUse)
	}
	if f.box != nil {
		fmt.Fprint(h, " box ", *f.box)
	}
	p.over.Name(h)
	p.areas.key(h)
	var row []byte
	for i := range p.places {
		row = append(row, p.places[i].kg.Code...)
		for _, n := range p.places[i].numbers {
			row = append(append(append(append(row, ' '), n.prefix...), ' '), n.wild...)
			row = strconv.AppendBool(row, n.exact)
		}
		if row = append(row, 0); len(row) > keyTogether { // a hash is quicker over many bytes at once
			h.Write(row)
			row = row[:0]
		}
	}
	h.Write(row)
	p.name = hex.EncodeToString(h.Sum(nil)[:16])
	return p.name
}

// requestKey names what a scan finds: filter, order, page and generation.
func (p *plan) requestKey(w want) string {
	return fmt.Sprint(p.key(), p.view.Generation(), p.by, p.offset, p.through, w)
}
