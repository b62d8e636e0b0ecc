package index

import (
	"context"

	"mappe/artefacts/kgfile"
	"mappe/artefacts/landscape"
	"mappe/artefacts/overlays"
	place "mappe/functions/core/area"
	"mappe/functions/core/generation"
	"mappe/functions/core/overlayindex"
	"mappe/functions/core/parcelfilter"
	"mappe/functions/core/view"
	"mappe/shared/austria"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/fault"
	"mappe/shared/web/format"
	"mappe/shared/web/reply"
)

// maxSample is how many parcels habitat_count names.
const maxSample = 5000

var (
	hHabitat = endpoint.Enum("habitat", "Only parcels in a site with this tag.", overlays.AllHabitats())
	hType    = endpoint.Parsed("sitetype",
		"Only parcels in a site of this type: A birds, B habitats, C both; a site of both is one of each.", overlays.ParseSiteType)
	hSite      = endpoint.String("sitecode", "Only parcels in the site of this code.", endpoint.Between(1, 40))
	hState     = place.State("state", "Only KGs of this state")
	hDistrict  = place.District("district", "Only KGs of this district")
	hGemeinde  = place.Gemeinde("gemeinde", "Only KGs of this municipality")
	hBreakdown = endpoint.Bool("breakdown", "true adds the numbers by KG and by state.", endpoint.Default("false"))
	hSample    = endpoint.Int("sample", "Names so many of the parcels, by KG.", endpoint.Between(0, maxSample), endpoint.Default("0"))
)

// countOf is parcels of the cadastre, and those of them on processed KGs.
type countOf struct {
	Cadastre  int `json:"cadastre"`
	Processed int `json:"processed"`
}

type countKG struct {
	KG   string `json:"kg_code"`
	Name string `json:"kg_name"`
	countOf
}

type countState struct {
	Code string `json:"state_code"`
	Name string `json:"state_name"`
	countOf
}

// habitatBody is how many parcels lie in sites.
type habitatBody struct {
	Cadastre     int          `json:"cadastre_total"`
	Processed    int          `json:"processed_total"`
	Fraction     *float64     `json:"processed_fraction" doc:"null where there is no parcel"`
	KGs          int          `json:"unique_kgs_total"`
	ProcessedKGs int          `json:"unique_kgs_processed"`
	Unprocessed  int          `json:"unprocessed_total"`
	Time         float64      `json:"query_time_ms"`
	ByKG         []countKG    `json:"by_kg,omitempty" doc:"with breakdown"`
	ByState      []countState `json:"by_state,omitempty" doc:"with breakdown"`
	Parcels      []string     `json:"parcel_ids,omitempty" doc:"with sample"`
	Truncated    bool         `json:"truncated" doc:"whether there are more parcels than parcel_ids names"`
	Meta         profileMeta  `json:"meta"`
}

func (s *service) habitat() endpoint.Endpoint {
	return endpoint.Endpoint{
		Method: "GET", Path: "/api/v1/query/habitat_count", ID: "query_habitat_count", Tag: tag,
		Summary: "How many parcels lie in Natura 2000 sites, and how many of them were analysed",
		Doc: `Parcels whose centroid lies in a site that passes habitat, sitetype and sitecode together, by the filters of the cadastre. At least one of the three is
given. landuse, min_area, max_area and has_buildings narrow the parcels. KGs that cannot be read are missing from the numbers; meta says so.`,
		Params: append([]endpoint.AnyParam{hHabitat, hType, hSite, hState, hDistrict, hGemeinde, hBreakdown, hSample},
			parcelfilter.Params...),
		Answer:  endpoint.Answer{Body: habitatBody{}, Headers: view.ReadyHeaders},
		Example: "/api/v1/query/habitat_count?sitetype=C&breakdown=true", Serve: s.countHabitats,
	}
}

// counting counts the parcels of KGs in sites.
type counting struct {
	c      *country
	v      *view.View
	sites  overlayindex.Filter
	filter parcelfilter.Filter
	most   int
	body   habitatBody
	states map[string]*countState
	gaps   view.Missing
}

func (s *service) countHabitats(ctx context.Context, r *endpoint.Request) (reply.Answer, error) {
	began := s.now()
	if !hHabitat.Given(r) && !hType.Given(r) && !hSite.Given(r) {
		return nil, fault.New(fault.Missing, "a filter of sites is missing: expected at least one of habitat, sitetype, sitecode")
	}
	filter, err := parcelfilter.Of(r)
	if err != nil {
		return nil, err
	}
	v, err := view.Of(ctx)
	if err != nil {
		return nil, err
	}
	c, err := s.open(ctx)
	if err != nil {
		return nil, err
	}
	in, err := c.within(r, hState, hDistrict, hGemeinde)
	if err != nil {
		return nil, err
	}
	n := &counting{c: c, v: v, sites: overlayindex.Filter{Site: hSite.Of(r), Type: hType.Of(r), Habitat: hHabitat.Of(r)}, filter: filter,
		most: hSample.Of(r), states: map[string]*countState{}}
	if err := n.run(ctx, in); err != nil {
		return nil, err
	}
	n.body.Time = float64(s.now().Sub(began).Microseconds()) / 1000
	return n.answer(hBreakdown.Of(r), hSample.Given(r)), nil
}

func (n *counting) run(ctx context.Context, in test) error {
	o := overlayindex.Of(n.v.View)
	if !o.Has() {
		return nil
	}
	all, _, err := o.KGs(ctx, n.sites)
	if err != nil {
		return generation.FaultOf(ctx, "the sites", err)
	}
	var codes []austria.KGCode
	for _, code := range all {
		if e := n.c.find(code); e != nil && in(e) {
			codes = append(codes, code)
		}
	}
	for from := 0; from < len(codes); from += together {
		part := codes[from:min(from+together, len(codes))]
		over, err := o.Over(ctx, part)
		if err != nil {
			return generation.FaultOf(ctx, "the sites of KGs", err)
		}
		for i, code := range part {
			if err := n.add(ctx, code, over[i]); err != nil {
				return err
			}
		}
	}
	return n.missing(ctx, o, in)
}

// missing notes KGs without a snapshot whose parcels may lie in the sites.
func (n *counting) missing(ctx context.Context, o *overlayindex.Overlays, in test) error {
	outside, err := o.Outside(ctx, n.sites)
	if err != nil {
		return generation.FaultOf(ctx, "the sites", err)
	}
	var asking view.WarmupBudget
	kgs := n.v.Register().KGs()
	for i := range kgs {
		k := &kgs[i]
		if k.Snapshot.Key == "" && (outside == nil || !outside(k)) {
			if e := n.c.find(k.Code); e != nil && in(e) {
				asking.Note(ctx, n.v, k.Code, &n.gaps)
			}
		}
	}
	return nil
}

// add counts a KG. Its file is read where parcels are narrowed or named.
func (n *counting) add(ctx context.Context, code austria.KGCode, k *overlays.KG) error {
	if k == nil {
		return nil
	}
	e := n.c.find(code)
	var parcels []kgfile.Parcel
	if !n.filter.All() || len(n.body.Parcels) < n.most {
		f, err := n.v.Read(ctx, code, &n.gaps)
		if f == nil || err != nil {
			return err
		}
		if parcels, err = f.Parcels(); err != nil {
			return generation.Fault(ctx, err)
		}
	} else if err := n.v.Confirm(ctx, []austria.KGCode{code}, &n.gaps); err != nil {
		return err
	}
	if n.gaps.Has(code) {
		return nil
	}
	total, last := 0, int32(-1)
	for _, m := range k.In {
		if m.Row == last {
			continue
		}
		last = m.Row
		if !n.sites.Passes(k, int(m.Row)) || !n.filter.All() && !n.filter.Passes(&parcels[m.Row]) {
			continue
		}
		total++
		if len(n.body.Parcels) < n.most {
			n.body.Parcels = append(n.body.Parcels, string(code)+"-"+string(parcels[m.Row].GNR))
		}
	}
	if total > 0 {
		n.count(e, total)
	}
	return nil
}

func (n *counting) count(e *landscape.Entry, total int) {
	b := &n.body
	of := countOf{Cadastre: total}
	if e.Processed {
		of.Processed = total
		b.ProcessedKGs++
	}
	b.KGs++
	b.Cadastre += of.Cadastre
	b.Processed += of.Processed
	b.ByKG = append(b.ByKG, countKG{e.KGCode, e.KGName, of})
	if n.states[e.StateCode] == nil {
		n.states[e.StateCode] = &countState{Code: e.StateCode, Name: e.StateName}
	}
	n.states[e.StateCode].Cadastre += of.Cadastre
	n.states[e.StateCode].Processed += of.Processed
}

func (n *counting) answer(breakdown, sampled bool) reply.Answer {
	b := &n.body
	b.Unprocessed = b.Cadastre - b.Processed
	if b.Cadastre > 0 {
		b.Fraction = rounded(float64(b.Processed)/float64(b.Cadastre), 4)
	}
	members := []reply.Member{{Name: "cadastre_total", Value: b.Cadastre}, {Name: "processed_total", Value: b.Processed},
		{Name: "processed_fraction", Value: b.Fraction},
		{Name: "unique_kgs_total", Value: b.KGs}, {Name: "unique_kgs_processed", Value: b.ProcessedKGs},
		{Name: "unprocessed_total", Value: b.Unprocessed}, {Name: "query_time_ms", Value: b.Time}}
	if breakdown {
		states := []countState{}
		for _, code := range austria.AllStates() {
			if of := n.states[string(code)]; of != nil {
				states = append(states, *of)
			}
		}
		members = append(members, reply.Member{Name: "by_kg", Value: append([]countKG{}, b.ByKG...)},
			reply.Member{Name: "by_state", Value: states})
	}
	if sampled {
		members = append(members, reply.Member{Name: "parcel_ids", Value: append([]string{}, b.Parcels...)})
	}
	members = append(members, reply.Member{Name: "truncated", Value: sampled && len(b.Parcels) < b.Cadastre})
	return n.gaps.MarkStream(&reply.Stream{Write: func(j *format.JSON, _ *format.Layout) error {
		for _, m := range members {
			j.Member(m.Name, m.Value)
		}
		return nil
	}})
}
