package cells

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"mappe/artefacts/library"
	"mappe/artefacts/ne"
	"mappe/artefacts/register"
	"mappe/functions/core/area"
	"mappe/functions/core/generation"
	"mappe/functions/core/view"
	"mappe/shared/austria"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/fault"
	"mappe/shared/web/reply"
)

// maxStatsKGs bounds the KGs that kg= names.
const maxStatsKGs = 500

var (
	statsKG = endpoint.ParsedList("kg", "These KGs.", austria.ParseKGCode, endpoint.Between(1, maxStatsKGs),
		endpoint.Example("99101,99102"))
	statsGemeinde = area.Gemeinde("gemeinde", "The KGs of this municipality", endpoint.Example("99101"))
	statsDistrict = area.District("district", "The KGs of this district", endpoint.Example("991"))
	statsState    = area.State("state", "The KGs of this state", endpoint.Example("9"))
)

type statsData struct {
	Level   string           `json:"level"` // kg, gemeinde, district, state or nation
	Codes   []string         `json:"codes,omitempty"`
	KGs     int              `json:"kg_count"`
	Built   int              `json:"built"`
	Rows    int              `json:"rows"` // border cells count for each KG
	Change  *ne.Sums         `json:"change"`
	Pending []austria.KGCode `json:"pending_kgs"`
}

func statsOf() endpoint.Endpoint {
	return endpoint.Endpoint{
		Method: "GET", Path: "/api/v1/ne/stats", ID: "ne_stats", Tag: tag,
		Summary: "Sums of what changed",
		Doc: `Of the KGs of kg=, gemeinde=, district= or state=, of the country without one. A change is a candidate when it is seen first,
confirmed when the next pass of the build sees the same. Areas in m²: shares of the cell times its area; each cell counts once in an
answer, whole, also where it lies on a border. d_lu_m2 in the order geb, bau, acker, gruen, wald, wasser, verkehr, alpen, sonst;
transitions_m2 {"from>to"}: what a class lost in a cell goes to the classes that gained there in proportion, none is land without a
declared use. by_day by the date of the snapshot that showed the present state first. A cell with a confirmed change and a newer
candidate counts in both.`,
		Params:  []endpoint.AnyParam{statsKG, statsGemeinde, statsDistrict, statsState},
		Answer:  endpoint.Answer{Body: answer[statsData]{}},
		Example: "/api/v1/ne/stats?kg=99101",
		Depends: func(ctx context.Context, r *endpoint.Request) (string, error) {
			s, area, err := statsArea(ctx, r)
			if err != nil || len(area.pending) > 0 {
				return "", err
			}
			return s.list.key + " " + s.Register().UniverseHash(), nil
		},
		Serve: func(ctx context.Context, r *endpoint.Request) (reply.Answer, error) {
			s, area, err := statsArea(ctx, r)
			if err != nil {
				return nil, err
			}
			return s.stats(ctx, area)
		},
	}
}

// statArea is what sums are made of.
type statArea struct {
	level   string
	name    ne.Area // of the section with its sums; "" where several KGs were named
	codes   []string
	kgs     []*ne.IndexKG
	pending []austria.KGCode
}

// statsRegion are the codes of the municipality and of the district that a request names; "" where it names none.
func statsRegion(reg *register.Register, r *endpoint.Request) (gemeinde, district string, err error) {
	if statsGemeinde.Given(r) {
		gemeinde, err = area.Municipalities.One(reg, statsGemeinde.Name(), statsGemeinde.Of(r))
	}
	if statsDistrict.Given(r) && err == nil {
		district, err = area.Districts.One(reg, statsDistrict.Name(), statsDistrict.Of(r))
	}
	return gemeinde, district, err
}

func statsArea(ctx context.Context, r *endpoint.Request) (*source, *statArea, error) {
	s, err := sourceOf(ctx)
	if err != nil {
		return nil, nil, err
	}
	reg := s.Register()
	a := &statArea{level: "nation", name: ne.Nation}
	var codes []austria.KGCode
	chosen := 0
	choose := func(given bool, level, code string, name ne.Area, find func() []austria.KGCode) {
		if given {
			chosen++
			a.level, a.name, a.codes, codes = level, name, []string{code}, find()
		}
	}
	gemeinde, district, err := statsRegion(reg, r)
	if err != nil {
		return nil, nil, err
	}
	choose(statsGemeinde.Given(r), "gemeinde", gemeinde, ne.GemeindeArea(austria.GemeindeCode(gemeinde)), func() []austria.KGCode {
		return reg.ByGemeinde(austria.GemeindeCode(gemeinde))
	})
	choose(statsDistrict.Given(r), "district", district, ne.DistrictArea(austria.DistrictCode(district)), func() []austria.KGCode {
		return reg.ByDistrict(austria.DistrictCode(district))
	})
	choose(statsState.Given(r), "state", string(statsState.Of(r)), ne.StateArea(statsState.Of(r)), func() []austria.KGCode {
		return reg.ByState(statsState.Of(r))
	})
	choose(statsKG.Given(r), "kg", "", "", func() []austria.KGCode { return slices.Compact(slices.Sorted(slices.Values(statsKG.Of(r)))) })
	switch {
	case chosen > 1:
		return nil, nil, fault.New(fault.Conflict, "kg, gemeinde, district and state exclude each other: expected at most one of them")
	case chosen == 0:
		codes = s.every()
	case len(codes) == 0:
		return nil, nil, fault.New(fault.NotFound, "there is no KG of %s %s", a.level, fault.Shorten(a.codes[0]))
	case a.level == "kg":
		a.codes = texts(codes)
		if len(codes) == 1 {
			a.name = ne.KGArea(codes[0])
		}
		for _, c := range codes {
			if reg.KG(c) == nil && s.list.Find(c) == nil {
				return nil, nil, fault.Missed("KG", string(c))
			}
		}
	}
	for _, c := range codes {
		if k := s.list.Find(c); k != nil {
			a.kgs = append(a.kgs, k)
		} else {
			a.pending = append(a.pending, c)
		}
	}
	return s, a, nil
}

// stats sums the changes of an area.
func (s *source) stats(ctx context.Context, a *statArea) (reply.Answer, error) {
	change, err := s.sumsOf(ctx, a)
	if err != nil {
		return nil, err
	}
	d := statsData{Level: a.level, Codes: a.codes, KGs: len(a.kgs) + len(a.pending), Built: len(a.kgs), Change: change,
		Pending: append([]austria.KGCode{}, a.pending...)}
	for _, k := range a.kgs {
		d.Rows += k.Rows
	}
	out := data(d)
	missing := gaps{}
	for _, c := range a.pending {
		missing[c] = view.Unbuilt
	}
	out.Header = map[string][]string{}
	missing.mark(out.Header)
	return out, nil
}

// sumsOf are the sums of an area: as they are published, of several KGs from the published sums that add up. Either takes
// the directory of the published sums and the sections of the area, those that lie close to each other in one read.
func (s *source) sumsOf(ctx context.Context, a *statArea) (*ne.Sums, error) {
	names := a.sections()
	if len(names) == 0 {
		return (&ne.Adder{}).Sums(), nil
	}
	const what = "the sums of what changed"
	key, ok := s.Artefact(ne.SumsArtefact)
	if !ok {
		return nil, errors.New("the generation has changes of cells without their sums")
	}
	p, err := s.Parts(ctx, key, ne.SumsFamily)
	if err != nil {
		return nil, generation.FaultOf(ctx, what, err)
	}
	sections := make([]int, len(names))
	for n, name := range names {
		if sections[n], ok = p.Find(name); !ok {
			return nil, fmt.Errorf("%s: no section %s, and there are changes in it", key, name)
		}
	}
	if a.name != "" {
		got, err := library.Sections(ctx, p, sections, func(_ int, body []byte) (*ne.Sums, int64, error) { return ne.ParseSums(body) })
		if err != nil {
			return nil, generation.FaultOf(ctx, what, err)
		}
		return got[0], nil
	}
	got, err := library.Sections(ctx, p, sections, func(_ int, body []byte) (*ne.KGSums, int64, error) { return ne.ParseKGSums(body) })
	if err != nil {
		return nil, generation.FaultOf(ctx, what, err)
	}
	return ne.SumKGs(got), nil
}

// sections are the sections with the sums of the area; none where nothing changed.
func (a *statArea) sections() (names []string) {
	for _, k := range a.kgs { // by rising code
		if k.Changes != "" {
			names = append(names, ne.AddableSection(k.Code))
		}
	}
	if len(names) > 0 && a.name != "" {
		return []string{string(a.name)}
	}
	return names
}
