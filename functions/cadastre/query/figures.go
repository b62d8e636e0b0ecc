package query

import (
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"mappe/artefacts/columns"
	"mappe/functions/core/parcelfilter"
	"mappe/shared/austria"
	"mappe/shared/web/endpoint"
)

const (
	// wideKGs is from how many KGs on the statistics of a filter are a snapshot.
	wideKGs = 250
	// mostUses is up to how many matches the land use is summed up.
	mostUses = 200_000
)

// figures are the statistics of a filter, as the answer has them.
type figures struct {
	Matching   *int       `json:"matching_parcels" doc:"Parcels that match. Like the sums it is null where statistics are skipped."`
	TotalSqm   *float64   `json:"total_area_sqm" doc:"Sum of their areas."`
	TotalHa    *float64   `json:"total_area_ha"`
	AvgSqm     *float64   `json:"avg_area_sqm"`
	LeastSqm   *float64   `json:"min_area_sqm"`
	MostSqm    *float64   `json:"max_area_sqm"`
	Buildings  *int       `json:"total_buildings" doc:"Address points on them."`
	Uses       []useShare `json:"landuse_breakdown" nullable:"true" doc:"By land-use code; null where it is skipped."`
	Within     *int       `json:"parcels_within,omitempty" doc:"Parcels in the protected areas."`
	Near       *int       `json:"parcels_near,omitempty" doc:"Parcels outside, within the distance."`
	Named      *int       `json:"legally_named,omitempty" doc:"Of both, those that a law of the areas names."`
	Areas      []string   `json:"matched_areas,omitempty" doc:"Names of the areas."`
	Skipped    bool       `json:"skipped" doc:"true where statistics are left out or are older than the rows."`
	SkipReason string     `json:"skipped_reason,omitempty" doc:"What is left out or old, how old it is and how to get it."`
}

// useShare is one row of landuse_breakdown.
type useShare struct {
	Code    austria.LandUse `json:"code"`
	Abbr    string          `json:"abbr"`
	Name    string          `json:"type_name"`
	Parcels int             `json:"parcels"`
	AreaSqm *float64        `json:"area_sqm" doc:"Area of the use inside the parcels, from land-use polygons; null without such polygons."`
}

// aggregate is which statistics a request wants.
type aggregate uint8

const (
	noFigures  aggregate = iota
	remembered           // a snapshot where the filter is wide, else computed
	computed
)

// aggregateOf follows the rules of the specification.
func aggregateOf(r *endpoint.Request, p *plan) aggregate {
	switch {
	case withStats.Given(r) && !withStats.Of(r), !withStats.Given(r) && !refresh.Of(r) && (!p.narrow || parcelfilter.OfNatura(r)):
		return noFigures
	case withStats.Of(r), refresh.Of(r), p.kgs < wideKGs, p.view.Past():
		return computed
	}
	return remembered
}

// skippedFigures says that the figures are left out.
func skippedFigures(r *endpoint.Request) figures {
	switch {
	case withStats.Given(r):
		return figures{Skipped: true, SkipReason: "with_stats=false"}
	case parcelfilter.OfNatura(r):
		return figures{Skipped: true, SkipReason: "a filter on Natura 2000 is active: with_stats=true computes them"}
	}
	return figures{Skipped: true, SkipReason: "no filter names places: take /stats for the country, or with_stats=true"}
}

// figuresOf are the statistics of what a scan found; uses is nil where the land use is not summed up.
func figuresOf(r *result, uses map[austria.LandUse]*columns.KGUse) figures {
	t := r.totals
	f := figures{Matching: &r.n, Buildings: &t.buildings, TotalSqm: round(float64(t.area)/100, 2), TotalHa: round(float64(t.area)/1e6, 4)}
	if t.known > 0 {
		f.AvgSqm = round(float64(t.area)/100/float64(t.known), 2)
		f.LeastSqm, f.MostSqm = sqm(t.least), sqm(t.greatest)
	}
	if uses == nil {
		f.Skipped, f.SkipReason = true, fmt.Sprintf("landuse_breakdown: %d parcels match, it is summed up for at most %d", r.n, mostUses)
		return f
	}
	f.Uses = []useShare{}
	for code, u := range uses {
		f.Uses = append(f.Uses, useShare{code, code.Abbr(), code.Name(), u.Parcels, sqm(u.ParcelArea)})
	}
	slices.SortFunc(f.Uses, func(a, b useShare) int { return int(a.Code) - int(b.Code) })
	return f
}

func round(v float64, decimals int) *float64 {
	p := math.Pow10(decimals)
	v = math.Round(v*p) / p
	return &v
}

// sqm is an area in m², nil for none.
func sqm(h uint64) *float64 {
	if h == 0 {
		return nil
	}
	v := columns.Sqm(h)
	return &v
}

// few says that no more rows can match than the land use is summed up of, so that the first scan sums it up.
func (p *plan) few() bool {
	n := 0
	for i := range p.places {
		k := p.places[i].sum
		if k == nil {
			return false
		}
		if n += k.Parcels; n > mostUses {
			return false
		}
	}
	return true
}

// summed gives the statistics of a result that has totals: the land use of a moderate number of matches is summed
// up by a second scan, which knows how many there are, where the first has not done so.
func (s *service) summed(ctx context.Context, p *plan, src source, r *result) (figures, error) {
	switch {
	case r.used:
		return figuresOf(r, r.uses), nil
	case r.n > mostUses:
		return figuresOf(r, nil), nil
	}
	again := *p
	again.through = 0
	u, err := run(ctx, &again, src, want{uses: true})
	if err != nil {
		return figures{}, err
	}
	return figuresOf(r, u.uses), nil
}

// old says how old a snapshot is that is shown.
func (s *service) old(snap snapshot, kgs int) figures {
	f := snap.figures
	f.Skipped = true
	f.SkipReason = fmt.Sprintf("statistics over %d KGs are a snapshot of another generation of the data, %s old; it is being refreshed, refresh=1 computes them now",
		kgs, max(s.Now().Sub(snap.at), 0).Round(time.Second))
	return f
}
