package index

import (
	"context"
	"math"
	"slices"

	"mappe/artefacts/columns"
	"mappe/artefacts/kgfile"
	"mappe/artefacts/landscape"
	"mappe/artefacts/overlays"
	"mappe/artefacts/rowschema"
	"mappe/functions/core/generation"
	"mappe/functions/core/overlayindex"
	"mappe/functions/core/parcelfilter"
	"mappe/functions/core/view"
	"mappe/shared/austria"
	"mappe/shared/geo/geom"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/format"
	"mappe/shared/web/reply"
)

// survey reads the parcels of KGs: those of the cadastre, what lies over them and what analysis found on them. It belongs to one
// request.
type survey struct {
	c       *country
	v       *view.View
	over    *overlayindex.Overlays
	held    parcelfilter.Filter // of the cadastre
	laid    overlayindex.Filter // of what lies over them
	box     *geom.Box           // of the centroid; nil: any
	land    []func(*landscape.Parcel) bool
	gaps    view.Missing
	asking  view.WarmupBudget
	outside func(code austria.KGCode) bool // of KGs without a snapshot: none of their parcels can pass
}

func (s *service) survey(ctx context.Context, r *endpoint.Request) (*survey, error) {
	v, err := view.Of(ctx)
	if err != nil {
		return nil, err
	}
	c, err := s.open(ctx)
	if err != nil {
		return nil, err
	}
	held, err := parcelfilter.Of(r)
	if err != nil {
		return nil, err
	}
	return &survey{c: c, v: v, over: overlayindex.Of(v.View), held: held, laid: parcelfilter.Over(r)}, nil
}

// narrow leaves of KGs those in which a parcel may pass, by the directory of what lies over KGs and by what was analysed.
func (s *survey) narrow(ctx context.Context, list []hit) ([]hit, error) {
	in := func(austria.KGCode) bool { return true }
	if s.laid.Active() {
		codes, all, err := s.over.KGs(ctx, s.laid)
		if err != nil {
			return nil, generation.FaultOf(ctx, "what lies over KGs", err)
		}
		outside, err := s.over.Outside(ctx, s.laid)
		if err != nil {
			return nil, generation.FaultOf(ctx, "what lies over KGs", err)
		}
		reg := s.v.Register()
		s.outside = func(code austria.KGCode) bool { k := reg.KG(code); return outside != nil && k != nil && outside(k) }
		if !all {
			has := make(map[austria.KGCode]bool, len(codes))
			for _, code := range codes {
				has[code] = true
			}
			in = func(code austria.KGCode) bool { return has[code] || !s.loaded(code) }
		}
	}
	var out []hit
	for _, h := range list {
		if (len(s.land) == 0 || h.e.Processed) && in(h.e.Code()) {
			out = append(out, h)
		}
	}
	return out, nil
}

// loaded says whether the country has a snapshot of a KG.
func (s *survey) loaded(code austria.KGCode) bool {
	k := s.v.Register().KG(code)
	return k != nil && k.Snapshot.Key != ""
}

// ground are the parcels of a KG.
type ground struct {
	e       *landscape.Entry
	kg      kgfile.KG
	parcels []kgfile.Parcel
	over    rowschema.Over
	land    map[string]*landscape.Parcel // by the canonical form of their numbers; nil: the KG was not analysed
}

// of is what analysis found on a parcel; nil: nothing is known.
func (g *ground) of(row int) *landscape.Parcel {
	if g.land == nil {
		return nil
	}
	return g.land[columns.CanonicalNumber(g.parcels[row].GNR)]
}

// number is what a parcel has in a column; NaN: it is not known. Its area is the cadastre's.
func (g *ground) number(by *landscape.Column[landscape.Parcel], row int) float64 {
	if by.Name == "area_sqm" {
		return g.parcels[row].AreaSqm
	}
	if l := g.of(row); l != nil {
		return by.Number(l)
	}
	return math.NaN()
}

// passes says whether a parcel is one that is asked for.
func (s *survey) passes(g *ground, row int) bool {
	p := &g.parcels[row]
	if s.box != nil && !s.box.Contains(p.Centroid) || !s.held.All() && !s.held.Passes(p) ||
		s.laid.Active() && !s.laid.Passes(g.over.KG, row) {
		return false
	}
	if len(s.land) == 0 {
		return true
	}
	l := g.of(row)
	if l == nil {
		return false
	}
	for _, f := range s.land {
		if !f(l) {
			return false
		}
	}
	return true
}

// each reads KGs in their order, some together. KGs that cannot be read are noted in the gaps and passed over.
func (s *survey) each(ctx context.Context, list []hit, do func(*ground) error) error {
	for from := 0; from < len(list); from += together {
		if err := s.some(ctx, list[from:min(from+together, len(list))], do); err != nil {
			return err
		}
	}
	return nil
}

func (s *survey) some(ctx context.Context, list []hit, do func(*ground) error) error {
	var codes, analysed []austria.KGCode
	for _, h := range list {
		code := h.e.Code()
		if !s.loaded(code) {
			if s.outside == nil || !s.outside(code) {
				s.asking.Note(ctx, s.v, code, &s.gaps)
			}
			continue
		}
		codes = append(codes, code)
		if s.c.parts != nil && h.e.Processed {
			if _, ok := s.c.parts.Find(landscape.Land.Of(code)); ok {
				analysed = append(analysed, code)
			}
		}
	}
	over, err := s.overs(ctx, codes)
	if err != nil {
		return err
	}
	land := map[austria.KGCode][]landscape.Parcel{}
	if len(analysed) > 0 {
		lists, err := sectionsOf(ctx, s.c.parts, landscape.Land, analysed)
		if err != nil {
			return unread(ctx, "the parcels of the index", err)
		}
		for i, code := range analysed {
			land[code] = lists[i]
		}
	}
	reads := s.v.Ahead(codes)
	for i, code := range codes {
		reads.Next(ctx)
		if err := ctx.Err(); err != nil {
			return err
		}
		f, err := s.v.Read(ctx, code, &s.gaps)
		if err != nil {
			return err
		}
		if f == nil {
			continue
		}
		g, err := groundOf(ctx, s.c.find(code), f, over[i], land[code])
		if err == nil {
			err = do(g)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// overs are what lies over KGs, one each.
func (s *survey) overs(ctx context.Context, codes []austria.KGCode) ([]rowschema.Over, error) {
	out := make([]rowschema.Over, len(codes))
	if !overlayindex.Knows(s.v.View) || len(codes) == 0 {
		return out, nil
	}
	list, err := s.over.Over(ctx, codes)
	if err != nil {
		return nil, generation.FaultOf(ctx, "what lies over KGs", err)
	}
	for i := range list {
		out[i] = rowschema.Over{Known: true, KG: list[i]}
	}
	return out, nil
}

func groundOf(ctx context.Context, e *landscape.Entry, f *kgfile.File, over rowschema.Over, land []landscape.Parcel) (*ground, error) {
	parcels, err := f.Parcels()
	if err != nil {
		return nil, generation.Fault(ctx, err)
	}
	g := &ground{e: e, kg: f.KG(), parcels: parcels, over: over}
	if land != nil {
		g.land = make(map[string]*landscape.Parcel, len(land))
		for i := range land {
			if id, err := austria.ParseParcelID(land[i].ID); err == nil {
				g.land[columns.CanonicalNumber(id.GNR)] = &land[i]
			}
		}
	}
	return g, nil
}

// found is a parcel that passes: the KG's place in a list, and its row there.
type found struct {
	kg    int
	row   int32
	value float64 // that it is ordered by
}

// surveyed is a parcel of the cadastre as lists show it, with what analysis found on it.
type surveyed struct {
	rowschema.ParcelRow
	g     *ground
	land  *landscape.Parcel // nil: the KG was not analysed, or the parcel is newer than its analysis
	at    int               // place on the page that was asked for
	by    protection        // of ranked lists
	score scoreBody         // likewise
}

func (s *surveyed) parcel() *rowschema.ParcelRow { return &s.ParcelRow }

func (s *surveyed) analysed() *landscape.Parcel { return s.land }

// surveyRows are parcels of the cadastre with what lies over them and what analysis found on them.
var surveyRows = format.NewSchema("landscape_cadastre_parcel", "A parcel of the cadastre with its terrain and vegetation.",
	format.Drawing[surveyed]{}, surveyFields())

func surveyFields() format.Fields[surveyed] {
	fields := format.Lift(slices.Concat(rowschema.Parcel.Fields, rowschema.ParcelOverlay), (*surveyed).parcel)
	fields = append(fields, format.Field[surveyed]{Column: format.Column{Name: "processed", Type: format.TypeBool,
		Doc: "Whether the KG was analysed and the parcel was there; the columns behind are null otherwise."},
		Get: func(s *surveyed) format.Value { return format.Bool(s.land != nil) }})
	for _, f := range lifted(parcelFields, (*surveyed).analysed) {
		switch f.Name {
		case "parcel_id", "area_sqm", "centroid_lon", "centroid_lat", "centroid": // the cadastre says them
		default:
			fields = append(fields, f)
		}
	}
	return fields
}

// rows reads the parcels of a page.
func (s *survey) rows(ctx context.Context, list []hit, page []found) ([]surveyed, error) {
	places := map[*landscape.Entry][]int{}
	var of []hit
	for i, p := range page {
		e := list[p.kg].e
		if places[e] == nil {
			of = append(of, list[p.kg])
		}
		places[e] = append(places[e], i)
	}
	out := make([]surveyed, len(page))
	err := s.each(ctx, of, func(g *ground) error {
		for _, i := range places[g.e] {
			row := int(page[i].row)
			over := g.over
			over.Row = row
			out[i] = surveyed{ParcelRow: rowschema.ParcelRow{KG: &g.kg, P: &g.parcels[row], Over: over}, g: g, land: g.of(row), at: i}
		}
		return nil
	})
	kept := out[:0]
	for i := range out {
		if out[i].g != nil { // a KG that cannot be read any more is in the gaps
			kept = append(kept, out[i])
		}
	}
	return kept, err
}

// answer writes a page of surveyed parcels.
func (s *survey) answer(r *endpoint.Request, schema *format.Schema[surveyed], head []reply.Member, rows []surveyed) *reply.Stream {
	return s.gaps.MarkStream(stream(r, schema, head, rows, func(item, of *surveyed) { *item = *of }))
}

// protectedByLaw says whether a law that protects names a parcel of a KG: the parcel itself, or the KG as a whole.
func protectedByLaw(k *overlays.KG, row int) bool {
	if k == nil {
		return false
	}
	protects := func(n overlays.Named) bool { return protective(k.Laws[n.Law].Context) }
	return slices.ContainsFunc(k.RefsOf(row), protects) || slices.ContainsFunc(k.Refs, func(n overlays.Named) bool {
		return n.GNR == "" && protects(n)
	})
}

// protective says whether laws of a context protect nature; those of boundaries, zoning or hunting name parcels, too.
func protective(c overlays.Context) bool {
	switch c {
	case "national_park", "nature_protection", "landscape_protection", "nature_park", "water_protection", "species_protection":
		return true
	}
	return false
}
