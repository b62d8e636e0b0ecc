package spatial

import (
	"context"
	"math"

	"mappe/artefacts/kgfile"
	"mappe/shared/austria"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/format"
	"mappe/shared/web/reply"
)

// rows of one layer of one KG that stand on the page.
type span struct {
	layer layer
	place *place
	rows  []int32 // indexes; nil means from lo up to hi
	lo    int
	hi    int
}

// page collects the rows of one page while matches are counted: of rows before and behind it only the
// number is kept. Its memory is four bytes a row.
type page struct {
	offset, limit int
	total         int
	spans         []span
}

// add counts matching rows and keeps those on the page. rows may be reused by the caller.
func (p *page) add(l layer, at *place, rows []int32) {
	lo, hi := p.window(len(rows))
	if lo < hi {
		p.spans = append(p.spans, span{layer: l, place: at, rows: append([]int32(nil), rows[lo:hi]...)})
	}
}

// addAll counts n rows that all match, without having seen them.
func (p *page) addAll(l layer, at *place, n int) {
	if lo, hi := p.window(n); lo < hi {
		p.spans = append(p.spans, span{layer: l, place: at, lo: lo, hi: hi})
	}
}

// shows says whether some of the next n matches stand on the page.
func (p *page) shows(n int) bool {
	return n > 0 && p.total < p.offset+p.limit && p.total+n > p.offset
}

// window says which of the next n matches stand on the page.
func (p *page) window(n int) (lo, hi int) {
	lo = min(max(p.offset-p.total, 0), n)
	hi = n
	if end := p.offset + p.limit; end < math.MaxInt && end-p.total < n {
		hi = max(end-p.total, 0)
	}
	p.total += n
	return lo, hi
}

// takesAll says whether every row of a layer of a KG matches and the register knows how many there are.
func (q *search) takesAll(at *place, l layer) bool {
	return at.whole && at.count(l) >= 0 && (l != parcels || q.filter.none())
}

// collect counts the matches of the layers over the places of the plan and keeps the page.
func (q *search) collect(ctx context.Context, v *view, pl *plan, layers []layer, p *page) error {
	var found []int32
	for _, l := range layers {
		if l == kgs {
			p.addAll(l, nil, len(pl.named))
			continue
		}
		reads := ahead{v: v}
		for i := range pl.places {
			if !q.takesAll(&pl.places[i], l) {
				reads.codes = append(reads.codes, pl.places[i].code)
			}
		}
		asked := 0
		var counted []austria.KGCode
		for i := range pl.places {
			at := &pl.places[i]
			n := at.count(l)
			whole := q.takesAll(at, l)
			if whole && !p.shows(n) {
				p.total += n
				counted = append(counted, at.code)
				continue
			}
			if !whole {
				reads.at(ctx, asked)
				asked++
			}
			if err := ctx.Err(); err != nil { // files in memory are opened for a client that has left, too
				return err
			}
			f, err := v.read(ctx, at.code, &pl.gaps)
			if err != nil {
				return err
			}
			if f == nil {
				if whole { // rows that exist keep their places in the pages
					p.total += n
				}
				continue
			}
			if whole {
				p.addAll(l, at, n)
				continue
			}
			switch l {
			case parcels:
				found, err = q.parcels(f, at.whole, found[:0])
			case footprints:
				found, err = q.footprints(f, at.whole, found[:0])
			default:
				found, err = q.buildings(f, found[:0])
			}
			if err != nil {
				return q.explain(err)
			}
			p.add(l, at, found)
		}
		if err := v.confirm(ctx, counted, &pl.gaps); err != nil {
			return err
		}
	}
	return nil
}

// look is how rows are drawn.
type look struct {
	parcel, building, kg, footprint *format.Kind
	centroid                        bool // parcels are drawn as their centroid
}

// lookOf chooses the kinds of an answer: without polygons parcels are drawn as their centroid, and in
// plain JSON address points have no geometry beside their lon and lat.
func lookOf(r *endpoint.Request) look {
	k := look{parcel: parcelKind, building: buildingKind, kg: kgKind}
	if attrsOnly.Of(r) {
		k.parcel, k.centroid = parcelPointKind, true
	}
	if r.Format == format.FormJSON || r.Format == format.FormNDJSON {
		k.building = buildingPlain
	}
	return k
}

// kinds are the row kinds that can occur for the layers, for the header of flat forms.
func (k look) kinds(layers []layer) []*format.Kind {
	var list []*format.Kind
	for _, l := range layers {
		switch l {
		case parcels:
			list = append(list, k.parcel)
		case buildings:
			list = append(list, k.building)
		case footprints:
			list = append(list, k.footprint)
		default:
			list = append(list, k.kg)
		}
	}
	return list
}

// rows streams the page: one KG is open at a time.
func (p *page) rows(ctx context.Context, v *view, pl *plan, k look) format.Seq {
	return func(yield func(format.Row, error) bool) {
		drawn := geometryRow{parcelRow{kind: k.parcel, centroid: k.centroid}}
		parcel := &drawn.parcelRow
		var asParcel format.Row = parcel
		if k.parcel == parcelGeometryKind || k.parcel == parcelBareKind {
			asParcel = &drawn
		}
		building := buildingRow{kind: k.building}
		foot := footprintRow{kind: k.footprint}
		kg := kgRow{kind: k.kg, fields: kgFields, reg: v.Register()}
		reads := ahead{v: v}
		for _, s := range p.spans {
			if s.place != nil {
				reads.codes = append(reads.codes, s.place.code)
			}
		}
		asked := 0
		for _, s := range p.spans {
			if s.layer == kgs {
				for i := s.lo; i < s.hi; i++ {
					kg.kg = pl.named[i]
					if !yield(&kg, nil) {
						return
					}
				}
				continue
			}
			reads.at(ctx, asked)
			asked++
			f, err := v.open(ctx, s.place.code)
			if err != nil {
				yield(nil, err)
				return
			}
			ok := true
			switch s.layer {
			case parcels:
				var rows []kgfile.Parcel
				if rows, err = f.Parcels(); err == nil {
					parcel.open(f)
					ok = s.each(len(rows), func(i int) bool { parcel.set(&rows[i]); return yield(asParcel, nil) })
				}
			case footprints:
				var rows []kgfile.Footprint
				if rows, err = f.Footprints(); err == nil {
					if err = foot.open(f); err == nil {
						ok = s.each(len(rows), func(i int) bool { foot.set(&rows[i]); return yield(&foot, nil) })
					}
				}
			default:
				var rows []kgfile.Building
				if rows, err = f.Buildings(); err == nil {
					if err = building.open(f); err == nil {
						ok = s.each(len(rows), func(i int) bool { building.set(&rows[i]); return yield(&building, nil) })
					}
				}
			}
			if err != nil {
				yield(nil, err)
				return
			}
			if !ok {
				return
			}
		}
	}
}

// each walks the span's rows, of which the table holds n.
func (s *span) each(n int, f func(i int) bool) bool {
	if s.rows == nil {
		for i := s.lo; i < min(s.hi, n); i++ {
			if !f(i) {
				return false
			}
		}
		return true
	}
	for _, i := range s.rows {
		if !f(int(i)) {
			return false
		}
	}
	return true
}

// prepared is what a request about an area asks for, found out for its ETag and used for its answer.
type prepared struct {
	v    *view
	q    *search
	plan *plan
}

// areaQuery says what an endpoint that lists what lies in an area asks for.
type areaQuery struct {
	search func(*endpoint.Request) (*search, error)
	layers func(*endpoint.Request) []layer
	look   func(*endpoint.Request) look
}

func (s *service) prepare(ctx context.Context, r *endpoint.Request, a areaQuery) (*prepared, error) {
	if p, ok := r.Memo.(*prepared); ok {
		return p, nil
	}
	v, err := s.view(ctx)
	if err != nil {
		return nil, err
	}
	q, err := a.search(r)
	if err != nil {
		return nil, err
	}
	pl, err := v.plan(ctx, q, a.layers(r))
	if err != nil {
		return nil, err
	}
	return &prepared{v, q, pl}, nil
}

// depends is what the answer's ETag derives from: the KGs in the area. A partial answer has none.
func (s *service) depends(a areaQuery) func(context.Context, *endpoint.Request) (string, error) {
	return func(ctx context.Context, r *endpoint.Request) (string, error) {
		if version.Of(r) != "" {
			return r.Generation.ID, nil
		}
		p, err := s.prepare(ctx, r, a)
		if err != nil || !p.plan.gaps.ready() {
			return "", err
		}
		r.Memo = p
		return p.v.Depends(p.plan.depends()), nil
	}
}

// areaAnswer is the answer of the endpoints that list what lies in an area.
func (s *service) areaAnswer(ctx context.Context, r *endpoint.Request, a areaQuery) (*reply.Rows, error) {
	pr, err := s.prepare(ctx, r, a)
	if err != nil {
		return nil, err
	}
	layers, k := a.layers(r), a.look(r)
	p := &page{offset: r.Offset, limit: r.Limit}
	if err := pr.q.collect(ctx, pr.v, pr.plan, layers, p); err != nil {
		return nil, err
	}
	return pr.plan.gaps.mark(&reply.Rows{
		Rows: p.rows(ctx, pr.v, pr.plan, k), Total: p.total, Kinds: k.kinds(layers), Geometry: !k.centroid,
	}), nil
}
