package index

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"

	"mappe/artefacts/landscape"
	"mappe/shared/geo/crs"
	"mappe/shared/geo/geom"
	land "mappe/shared/landscape/segment"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/format"
	"mappe/shared/web/reply"
)

func (s *service) named(_ context.Context, c *country, r *endpoint.Request) (reply.Answer, error) {
	text := strings.ToLower(qText.Of(r))
	var list []hit
	for i := range c.entries {
		e := &c.entries[i]
		if qProcessed.Of(r) && !e.Processed {
			continue
		}
		name, gemeinde, _ := strings.Cut(c.lower[i], "\x00")
		rank := 0.0
		switch {
		case strings.HasPrefix(e.KGCode, text):
			rank = 1
		case name == text:
			rank = 2
		case strings.HasPrefix(name, text):
			rank = 3
		case strings.Contains(name, text):
			rank = 4
		case gemeinde == text:
			rank = 5
		case strings.Contains(gemeinde, text):
			rank = 6
		default:
			continue
		}
		list = append(list, hit{e: e, value: rank})
	}
	return ranks(r, kgRows, list, true, func(h *hit) float64 { return h.value }), nil
}

func (s *service) record(_ context.Context, c *country, r *endpoint.Request) (reply.Answer, error) {
	e, err := c.need(qKG.Of(r))
	if err != nil {
		return nil, err
	}
	return &reply.Stream{Write: func(j *format.JSON, _ *format.Layout) error {
		writeRecord(j, &e.Record)
		return nil
	}}, nil
}

// writeRecord writes the columns of a record as members.
func writeRecord(j *format.JSON, r *landscape.Record) {
	for _, f := range recordOwn {
		j.Key(f.Name)
		j.Value(f.Get(r))
	}
}

var recordOwn = landscape.RecordColumns.Fields()

// kmPer is a distance in kilometres on the sphere of the mean radius.
func kmPer(a, b geom.Point) float64 { return crs.Distance(a, b) / 1000 }

func (s *service) near(_ context.Context, c *country, r *endpoint.Request) (reply.Answer, error) {
	at, radius := qPoint.Of(r), qRadius.Of(r)
	around := crs.Grow(geom.Box{MinX: at.X, MinY: at.Y, MaxX: at.X, MaxY: at.Y}, radius*1000)
	list := c.pick(r, func(e *landscape.Entry) bool { return e.BBox.Contains(at) || around.Contains(e.Centroid) })
	list = slices.DeleteFunc(list, func(h hit) bool { return !h.e.BBox.Contains(at) && kmPer(at, h.e.Centroid) > radius })
	for i := range list {
		list[i].kilometres = kmPer(at, list[i].e.Centroid)
	}
	return ranks(r, nearRows, list, true, func(h *hit) float64 { return h.kilometres }), nil
}

func coverOf(e *landscape.Entry, t land.Type) *landscape.Landcover {
	for i := range e.Landcover {
		if e.Landcover[i].Type == t {
			return &e.Landcover[i]
		}
	}
	return nil
}

func sureOf(e *landscape.Entry, t land.Type) *landscape.Classification {
	for i := range e.Classification {
		if e.Classification[i].Type == t {
			return &e.Classification[i]
		}
	}
	return nil
}

func (m metric) of(l *landscape.Landcover) float64 {
	switch m {
	case byFraction:
		return l.Fraction
	case byCount:
		return l.Objects
	case byHeight:
		return l.HeightMean
	}
	return l.AreaSqm
}

func typeOf(name string) land.Type {
	t, _ := land.ParseType(name) // one of the closed set
	return t
}

func (s *service) typed(_ context.Context, c *country, r *endpoint.Request) (reply.Answer, error) {
	t, by := typeOf(qType.Of(r)), qMetric.Of(r)
	list := c.pick(r, func(e *landscape.Entry) bool { return coverOf(e, t) != nil })
	for i := range list {
		list[i].of = coverOf(list[i].e, t)
	}
	return ranks(r, coverRows, list, false, func(h *hit) float64 { return by.of(h.of) }), nil
}

func (s *service) lost(_ context.Context, c *country, r *endpoint.Request) (reply.Answer, error) {
	from, to := float64(qFrom.Of(r)), float64(qTo.Of(r))
	if from > to {
		return nil, qTo.Bad(r, "a year that is not before year_from")
	}
	lost := func(e *landscape.Entry) (n float64) {
		for _, l := range e.HansenLoss {
			if l.Year >= from && l.Year <= to {
				n += l.Pixels
			}
		}
		return n
	}
	least := float64(qMinLoss.Of(r))
	list := c.pick(r, func(e *landscape.Entry) bool { return lost(e) >= least })
	for i := range list {
		list[i].value = lost(list[i].e)
	}
	return ranks(r, lossRows, list, false, func(h *hit) float64 { return h.value }), nil
}

func (s *service) built(_ context.Context, c *country, r *endpoint.Request) (reply.Answer, error) {
	least := float64(qMinCount.Of(r))
	list := c.pick(r, func(e *landscape.Entry) bool { return e.NewBuildingCount >= least })
	return ranks(r, kgRows, list, false, func(h *hit) float64 { return h.e.NewBuildingCount }), nil
}

// pairWanted says which pairs of types a request asks for.
func pairWanted(r *endpoint.Request) func(*landscape.Divergence) bool {
	return func(d *landscape.Divergence) bool {
		return (!qRFType.Given(r) || d.RFType.String() == qRFType.Of(r)) && (!qFinal.Given(r) || d.FinalType.String() == qFinal.Of(r))
	}
}

func (s *service) diverged(_ context.Context, c *country, r *endpoint.Request) (reply.Answer, error) {
	least, wanted, narrowed := qMinDiverge.Of(r), pairWanted(r), qRFType.Given(r) || qFinal.Given(r)
	count := func(e *landscape.Entry) (n float64) {
		for i := range e.Divergence {
			if wanted(&e.Divergence[i]) {
				n += e.Divergence[i].Count
			}
		}
		return n
	}
	list := c.pick(r, func(e *landscape.Entry) bool {
		if narrowed {
			n := count(e)
			return n > 0 && n >= least
		}
		return e.RFDivergedPct >= least
	})
	for i := range list {
		list[i].value = count(list[i].e)
	}
	return ranks(r, pairRows, list, false, func(h *hit) float64 {
		if narrowed {
			return h.value
		}
		return h.e.RFDivergedPct
	}), nil
}

// nationalPair is a pair of types over all KGs.
type nationalPair struct {
	landscape.Divergence
	kgs int
}

var divergenceRows = format.NewSchema("landscape_divergence", "A pair of types over all KGs.", format.Drawing[nationalPair]{},
	append(format.Lift(landscape.DivergenceColumns.Fields(), func(p *nationalPair) *landscape.Divergence { return &p.Divergence }),
		format.Field[nationalPair]{Column: format.Column{Name: "n_kgs", Type: format.TypeInt, Doc: "KGs that have such objects."},
			Get: func(p *nationalPair) format.Value { return format.Int(int64(p.kgs)) }}))

func (s *service) pairs(_ context.Context, c *country, r *endpoint.Request) (reply.Answer, error) {
	wanted := pairWanted(r)
	sums := map[[2]land.Type]*nationalPair{}
	for i := range c.entries {
		for k := range c.entries[i].Divergence {
			d := &c.entries[i].Divergence[k]
			if !wanted(d) {
				continue
			}
			of := [2]land.Type{d.RFType, d.FinalType}
			if sums[of] == nil {
				sums[of] = &nationalPair{Divergence: landscape.Divergence{RFType: d.RFType, FinalType: d.FinalType}}
			}
			sums[of].Count += d.Count
			sums[of].kgs++
		}
	}
	list := make([]nationalPair, 0, len(sums))
	for _, p := range sums {
		list = append(list, *p)
	}
	slices.SortFunc(list, func(a, b nationalPair) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.RFType, b.RFType), cmp.Compare(a.FinalType, b.FinalType))
	})
	return page(r, divergenceRows, list, func(item, of *nationalPair) { *item = *of }), nil
}

func meanConfidence(h *hit) float64 { return h.e.MeanConfidence }

func (s *service) unsure(_ context.Context, c *country, r *endpoint.Request) (reply.Answer, error) {
	most := qMaxSure.Of(r)
	return ranks(r, kgRows, c.pick(r, func(e *landscape.Entry) bool { return e.MeanConfidence <= most }), true, meanConfidence), nil
}

func (s *service) ranked(_ context.Context, c *country, r *endpoint.Request) (reply.Answer, error) {
	list := c.pick(r, func(e *landscape.Entry) bool { return !math.IsNaN(e.MeanConfidence) })
	return ranks(r, kgRows, list, qRank.Of(r) == rising, meanConfidence), nil
}

func (s *service) sure(_ context.Context, c *country, r *endpoint.Request) (reply.Answer, error) {
	t := typeOf(qSure.Of(r))
	list := c.pick(r, func(e *landscape.Entry) bool { return sureOf(e, t) != nil })
	for i := range list {
		list[i].sure = sureOf(list[i].e, t)
	}
	return ranks(r, sureRows, list, true, func(h *hit) float64 { return h.sure.RFMean }), nil
}

// usualConfidence is what high_confidence_type asks for where the request does not say.
const usualConfidence = 0.7

func (s *service) certain(_ context.Context, c *country, r *endpoint.Request) (reply.Answer, error) {
	t, least := typeOf(qHigh.Of(r)), usualConfidence
	if qMinSure.Given(r) {
		least = qMinSure.Of(r)
	}
	list := c.pick(r, func(e *landscape.Entry) bool { return typeFilter{t, least, qMinArea.Of(r)}.passes(e) })
	for i := range list {
		list[i].of = coverOf(list[i].e, t)
	}
	return ranks(r, coverRows, list, false, func(h *hit) float64 { return h.of.AreaSqm }), nil
}

func (s *service) covers(_ context.Context, c *country, r *endpoint.Request) (reply.Answer, error) {
	in, err := c.here(r)
	if err != nil {
		return nil, err
	}
	by := qSort.Of(r)
	wanted := map[land.Type]bool{}
	for _, name := range qTypes.Of(r) {
		wanted[typeOf(name)] = true
	}
	var list []hit
	for _, h := range c.pick(r, in) {
		for k := range h.e.Landcover {
			if l := &h.e.Landcover[k]; len(wanted) == 0 || wanted[l.Type] {
				list = append(list, hit{e: h.e, of: l})
			}
		}
	}
	return ranks(r, segmentRows, list, false, func(h *hit) float64 { return by.of(h.of) }), nil
}
