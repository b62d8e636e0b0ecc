package cells

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"
	"strings"

	"mappe/artefacts/ne"
	"mappe/shared/austria"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/fault"
	"mappe/shared/web/reply"
)

// maxStatsKGs bounds the KGs that kg= names.
const maxStatsKGs = 500

var (
	statsKG       = endpoint.ParsedList("kg", "These KGs.", austria.ParseKGCode, endpoint.Between(1, maxStatsKGs), endpoint.Example("99101,99102"))
	statsGemeinde = endpoint.Parsed("gemeinde", "The KGs of this municipality.", austria.ParseGemeindeCode, endpoint.Example("99101"))
	statsDistrict = endpoint.Parsed("district", "The KGs of this district.", austria.ParseDistrictCode, endpoint.Example("991"))
	statsState    = endpoint.Parsed("state", "The KGs of this state: its digit or its name.", parseState, endpoint.Example("9"))
)

// parseState reads a state by digit or name.
func parseState(text string) (austria.StateCode, error) {
	var names []string
	for _, c := range austria.AllStates() {
		if text == string(c) || strings.EqualFold(text, c.Name()) {
			return c, nil
		}
		names = append(names, string(c)+" "+c.Name())
	}
	return "", errors.New("a state, by digit or name: " + strings.Join(names, ", ") + fault.DidYouMean(text, names))
}

// sums are what changed, summed over cells.
type sums struct {
	Cells       int                `json:"cells"`
	LU          [9]float64         `json:"d_lu_m2"` // in the order of classes
	StrCover    float64            `json:"d_str_cover_m2"`
	StrN        int                `json:"d_str_n"`
	Transitions map[string]float64 `json:"transitions_m2"` // "acker>bau": m²
}

// daySums are the changes that were first seen in snapshots of one date.
type daySums struct {
	Day       string  `json:"day"`
	Confirmed int     `json:"confirmed"` // cells
	Candidate int     `json:"candidate"`
	ChangedM2 float64 `json:"changed_m2"` // area that has another class
}

type statsData struct {
	Level   string           `json:"level"` // kg, gemeinde, district, state or nation
	Codes   []string         `json:"codes,omitempty"`
	KGs     int              `json:"kg_count"`
	Built   int              `json:"built"`
	Rows    int              `json:"rows"` // border cells count for each KG
	Change  statsChange      `json:"change"`
	Pending []austria.KGCode `json:"pending_kgs"`
}

type statsChange struct {
	Since     *string   `json:"since"` // the earliest of the changes; null without one
	Confirmed sums      `json:"confirmed"`
	Candidate sums      `json:"candidate"`
	ByDay     []daySums `json:"by_day"`
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
	codes   []string
	kgs     []*ne.IndexKG
	pending []austria.KGCode
}

func statsArea(ctx context.Context, r *endpoint.Request) (*source, *statArea, error) {
	s, err := sourceOf(ctx)
	if err != nil {
		return nil, nil, err
	}
	reg := s.Register()
	a := &statArea{level: "nation"}
	var codes []austria.KGCode
	chosen := 0
	choose := func(given bool, level string, code string, find func() []austria.KGCode) {
		if given {
			chosen++
			a.level, a.codes, codes = level, []string{code}, find()
		}
	}
	choose(statsGemeinde.Given(r), "gemeinde", string(statsGemeinde.Of(r)), func() []austria.KGCode { return reg.ByGemeinde(statsGemeinde.Of(r)) })
	choose(statsDistrict.Given(r), "district", string(statsDistrict.Of(r)), func() []austria.KGCode { return reg.ByDistrict(statsDistrict.Of(r)) })
	choose(statsState.Given(r), "state", string(statsState.Of(r)), func() []austria.KGCode { return reg.ByState(statsState.Of(r)) })
	choose(statsKG.Given(r), "kg", "", func() []austria.KGCode { return slices.Compact(slices.Sorted(slices.Values(statsKG.Of(r)))) })
	switch {
	case chosen > 1:
		return nil, nil, fault.New(fault.Conflict, "kg, gemeinde, district and state exclude each other: expected at most one of them")
	case chosen == 0:
		codes = s.every()
	case len(codes) == 0:
		return nil, nil, fault.New(fault.NotFound, "there is no KG of %s %s", a.level, fault.Shorten(a.codes[0]))
	case a.level == "kg":
		a.codes = texts(codes)
		for _, c := range codes {
			if reg.KG(c) == nil && s.list.Find(c) == nil {
				return nil, nil, fault.New(fault.NotFound, "there is no KG %s", c)
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
	found, err := s.changesOf(ctx, a.kgs)
	if err != nil {
		return nil, err
	}
	d := statsData{Level: a.level, Codes: a.codes, KGs: len(a.kgs) + len(a.pending), Built: len(a.kgs), Change: found.sums(), Pending: append([]austria.KGCode{}, a.pending...)}
	for _, k := range a.kgs {
		d.Rows += k.Rows
	}
	out := data(d)
	missing := gaps{}
	for _, c := range a.pending {
		missing[c] = true
	}
	out.Header = map[string][]string{}
	missing.mark(out.Header)
	return out, nil
}

// sums adds the cells up, in the order of their ids: sums of decimals depend on it.
func (c changed) sums() statsChange {
	out := statsChange{ByDay: []daySums{}}
	out.Confirmed.Transitions, out.Candidate.Transitions = map[string]float64{}, map[string]float64{}
	days := map[string]*daySums{}
	for _, cell := range slices.Sorted(maps.Keys(c)) {
		x := c[cell]
		area := ne.CellArea(cell)
		for _, one := range []*ne.Change{x.earlier, x.newest} {
			if one == nil {
				continue
			}
			if out.Since == nil || one.Since < *out.Since {
				out.Since = &one.Since
			}
			day := days[one.LastChange]
			if day == nil {
				day = &daySums{Day: one.LastChange}
				days[one.LastChange] = day
			}
			to := &out.Confirmed
			if one.Status == ne.Candidate {
				to = &out.Candidate
				day.Candidate++
			} else {
				day.Confirmed++
			}
			day.ChangedM2 += to.add(one, area)
		}
	}
	for _, d := range days {
		d.ChangedM2 = round(d.ChangedM2, 1)
		out.ByDay = append(out.ByDay, *d)
	}
	slices.SortFunc(out.ByDay, func(a, b daySums) int { return cmp.Compare(a.Day, b.Day) })
	out.Confirmed.rounded()
	out.Candidate.rounded()
	return out
}

// add adds a change of a cell of an area in m², and gives the area that has another class.
func (s *sums) add(c *ne.Change, area float64) float64 {
	before, after := c.Before.Row(c.Cell), c.After.Row(c.Cell)
	s.Cells++
	s.StrCover += (float64(after.StrCover) - float64(before.StrCover)) / 255 * area
	s.StrN += int(after.StrN) - int(before.StrN)
	d := deltas(&before, &after)
	gained := 0
	for i, v := range d {
		if i < len(s.LU) {
			s.LU[i] += float64(v) / 255 * area
		}
		gained += max(v, 0)
	}
	for i, lost := range d {
		for j, won := range d {
			if lost < 0 && won > 0 {
				name := strings.Join([]string{*className(i), *className(j)}, ">")
				s.Transitions[name] += float64(-lost) * float64(won) / float64(gained) / 255 * area
			}
		}
	}
	return float64(gained) / 255 * area
}

func (s *sums) rounded() {
	for i, v := range s.LU {
		s.LU[i] = round(v, 1)
	}
	s.StrCover = round(s.StrCover, 1)
	for k, v := range s.Transitions {
		s.Transitions[k] = round(v, 1)
	}
}
