package query

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"mappe/artefacts/columns"
	"mappe/artefacts/overlays"
	"mappe/artefacts/register"
	"mappe/functions/cadastre/area"
	"mappe/functions/overlay"
	"mappe/functions/rows"
	"mappe/functions/view"
	"mappe/shared/austria"
	"mappe/shared/geo/crs"
	"mappe/shared/geo/geom"
	"mappe/shared/geo/region"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/fault"
)

// plan is what a request asks for, found out once for its ETag and its answer.
type plan struct {
	view    *view.View
	named   []austria.KGCode // that decide the answer, by rising code
	places  []place          // those with a snapshot
	absent  []*register.KG   // those without one in which parcels may pass
	filter  filter
	over    overlay.Filter
	areas   *surround // of /query/protected_area; else nil
	by      order
	through int // hits to find: offset and limit
	offset  int
	narrow  bool // the filter names places, so that statistics come unasked
	gaps    view.Gaps
	// polygons says that rows are drawn with their polygons: what else is copied of them is much less.
	polygons bool
	name     string // key, once it was asked for
	sought   bool   // lacking was asked for
	lacking  []bool // by place: no parcel has the numbers; nil where that is not known
}

// place is a KG that is looked at.
type place struct {
	kg      *register.KG
	numbers []*pattern   // that the parcel number has to fit
	sum     *columns.KG  // its summary; nil where it is not known
	first   int          // its first row in the table of its district
	over    *overlays.KG // what lies over it, where the filter asks for that
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
	p.filter, p.over = f, overOf(r)
	inArea, err := s.choose(v, r, p)
	if err != nil {
		return nil, err
	}
	if p.narrow = inArea || text.Given(r) || folio.Given(r) || f.box != nil; !given && !p.narrow && !p.over.Active() && !areaName.Given(r) {
		return nil, fault.New(fault.Missing, "a filter is missing: expected at least one of q, kg, gemeinde, gemeinde_code, district, state, plz, landuse, min_area, max_area, has_buildings, status, ez, has_legal_refs, legal_context, has_natura2000, natura2000_site, natura2000_type, natura2000_habitat, or a box")
	}
	if err := p.narrowed(ctx, r); err != nil {
		return nil, err
	}
	if v.Past() && len(p.places) > rows.MaxKGs {
		return nil, fault.New(fault.TooLarge, "the request reaches into %d KGs of an earlier date: expected at most %d", len(p.places), rows.MaxKGs)
	}
	r.Memo = p
	return p, nil
}

// choose finds the KGs that the request may find parcels in. A name of nothing finds nothing.
func (s *service) choose(v *view.View, r *endpoint.Request, p *plan) (named bool, err error) {
	reg := v.Register()
	codes, named, err := area.Of(reg, r)
	if f := (*fault.Fault)(nil); errors.As(err, &f) && f.Code == fault.NotFound {
		codes, err = nil, nil
	}
	if err != nil {
		return named, err
	}
	reaches := p.inBox()
	in := map[austria.KGCode]bool{}
	for _, c := range codes {
		in[c] = true
	}
	var names []string
	var w words
	if text.Given(r) {
		names, w = s.names.of(reg), wordsOf(text.Of(r))
	}
	if kgs := len(reg.KGs()); !named {
		p.named, p.places = make([]austria.KGCode, 0, kgs), make([]place, 0, kgs)
	}
	for i := range reg.KGs() {
		k := &reg.KGs()[i]
		if named && !in[k.Code] || !reaches(k) {
			continue
		}
		at := place{kg: k}
		if names != nil {
			numbers, ok := w.in(k, names[i])
			if !ok {
				continue
			}
			at.numbers = numbers
		}
		p.named, p.places = append(p.named, k.Code), append(p.places, at)
	}
	return named, nil
}

// narrowed leaves of the places those in which parcels may pass. The KGs without a snapshot are set apart before a filter
// looks at what is known of parcels: they go to the gaps but for those whose ground, or whose laws, rule a match out.
func (p *plan) narrowed(ctx context.Context, r *endpoint.Request) error {
	p.look()
	if err := p.lay(ctx); err != nil {
		return err
	}
	if err := p.around(ctx, r); err != nil {
		return err
	}
	p.note(ctx)
	return nil
}

// look sets the KGs without a snapshot apart.
func (p *plan) look() {
	warm := p.places[:0]
	for _, at := range p.places {
		if at.kg.Snapshot.Key != "" {
			warm = append(warm, at)
		} else {
			p.absent = append(p.absent, at.kg)
		}
	}
	p.places = warm
}

// drop leaves out of the KGs without a snapshot those in which no parcel can pass.
func (p *plan) drop(rules func(*register.KG) bool) { p.absent = slices.DeleteFunc(p.absent, rules) }

// note has the KGs without a snapshot in the gaps, and loaded: those first that are nearest to the box.
func (p *plan) note(ctx context.Context) {
	if len(p.absent) > 0 && len(p.absent) == p.view.Unbuilt(ctx).Len() {
		p.view.Country(ctx, &p.gaps)
		return
	}
	if p.filter.box != nil {
		ruler := crs.RulerAt(p.filter.box.Center())
		slices.SortStableFunc(p.absent, func(a, b *register.KG) int { return cmp.Compare(ruler.ToBox(a.Box), ruler.ToBox(b.Box)) })
	}
	var cold view.Asking
	for _, k := range p.absent {
		cold.Note(ctx, p.view, k.Code, &p.gaps)
	}
}

// inBox says of KGs whether parcels may have their centroid in the box. That of a parcel which is not convex may lie
// beside it, never outside the hull of its KG.
func (p *plan) inBox() func(*register.KG) bool {
	box := p.filter.box
	if box == nil {
		return func(*register.KG) bool { return true }
	}
	area := region.OfBox(*box)
	near := map[austria.KGCode]bool{}
	for _, code := range p.view.KGsNear(*box) {
		near[code] = true
	}
	return func(k *register.KG) bool {
		if !near[k.Code] {
			return false
		}
		g, known := p.view.Register().Ground(k.Code)
		if p.view.Warm(k.Code) || !known {
			return true
		}
		hull := geom.MultiPolygon{{g.Outline.ConvexHull()}}
		return area.Reaches(hull, hull.Bounds(), g.ToleranceM)
	}
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
