package query

import (
	"context"
	"fmt"
	"net/http"
	"slices"

	"mappe/artefacts/overlays"
	"mappe/artefacts/rowschema"
	"mappe/functions/core/area"
	"mappe/functions/core/generation"
	"mappe/functions/core/overlayindex"
	"mappe/functions/core/parcelcolumns"
	"mappe/functions/core/parcelfilter"
	"mappe/functions/core/view"
	"mappe/shared/austria"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/format"
	"mappe/shared/web/reply"
)

// listed are the rows of /query.
var listed = rowschema.ParcelShown.Named("parcel", "A parcel.")

const queryDoc = `Parcels that pass every filter. At least one is needed: q, an area (kg, a comma list; gemeinde, gemeinde_code, district, state, plz),
landuse, min_area, max_area, has_buildings, status, ez, what lies over the parcel (has_legal_refs, legal_context, has_natura2000,
natura2000_site, natura2000_type, natura2000_habitat), or a box, in which the parcel's centroid lies. A name that names nothing finds
nothing. Order: sort, then parcel id. Plain JSON rows carry the polygon only where fields names geometry; the geographic forms draw it.

stats are sums over all matches, not over the page. They come with filters that name places (q, an area, ez, a box) and with
with_stats=true; landuse_breakdown is left out above 200,000 matches. For filters over 250 KGs and more they are remembered: when the
data has been published anew, the first answers show the former statistics, say so and their age in skipped_reason, and are not to be
cached; refresh=1 or with_stats=true computes them. skipped says that something of stats is left out or old.

A filter over 250 KGs and more finds out only of the KGs on the page whether their snapshots can be read.`

// statsMember is what the body has beside the rows.
type statsMember struct {
	Stats figures `json:"stats"`
}

func (s *service) query() endpoint.Endpoint {
	return view.Versioned(endpoint.Endpoint{
		Method: "GET", Path: "/api/v1/query", ID: "query", Tag: tag,
		Summary: "Parcels by combined filters, with statistics",
		Doc:     queryDoc + view.MissingDoc,
		Params: slices.Concat([]endpoint.AnyParam{text}, area.Params, parcelfilter.Params, parcelfilter.OverParams,
			[]endpoint.AnyParam{status, folio}, sides.Params(), []endpoint.AnyParam{sorted, withStats, refresh}),
		Answer: endpoint.Answer{Rows: []*format.RowType{listed.RowType}, Meta: view.GapsMeta{}, Beside: statsMember{},
			Headers: view.ReadyHeaders},
		Example: "/api/v1/query?kg=99101&has_buildings=true&min_area=1000&limit=10",
		Depends: s.depends,
		Serve:   s.answer,
	})
}

// depends names the KGs that decide the answer: those in which parcels may pass. Of the others only that decides, which is
// found out anew: one that comes to have such parcels is among them then. An answer with old statistics says itself that it has no
// ETag.
func (s *service) depends(ctx context.Context, r *endpoint.Request) (string, error) {
	p, err := s.planned(ctx, r)
	if err != nil || !p.gaps.Ready() {
		return "", err
	}
	codes := make([]austria.KGCode, len(p.places))
	for i := range p.places {
		codes[i] = p.places[i].kg.Code
	}
	over, err := overlayindex.Depends(ctx, p.view.View, codes)
	if p.areas != nil { // their names and borders decide the answer too
		key, _ := p.view.Artefact(overlays.SourceArtefact)
		over += " areas " + fmt.Sprint(key)
	}
	return p.view.Depends(codes) + over, err
}

func (s *service) answer(ctx context.Context, r *endpoint.Request) (reply.Answer, error) {
	p, err := s.planned(ctx, r)
	if err != nil {
		return nil, err
	}
	src, err := s.source(ctx, p)
	if err != nil {
		return nil, err
	}
	found, f, old, err := s.found(ctx, r, p, src)
	if err != nil {
		return nil, err
	}
	p.polygons = slices.Contains(r.Fields, "geometry") || r.Format != format.FormJSON && r.Format != format.FormNDJSON
	page, err := p.draw(ctx, found.rowsIn(src), found.hits)
	if err != nil {
		return nil, err
	}
	a := p.gaps.Mark(&reply.Rows{Rows: page, Total: found.n,
		Members: []reply.Member{{Name: "stats", Value: p.areas.figures(f, found.counts)}}, Geometry: slices.Contains(r.Fields, "geometry")})
	if old && a.Header == nil {
		a.Header = http.Header{"Cache-Control": {"no-store"}, "Etag": nil}
	}
	return a, nil
}

// source is where the columns of a plan come from.
func (s *service) source(ctx context.Context, p *plan) (source, error) {
	if p.view.Past() {
		return files{p}, nil
	}
	c, err := parcelcolumns.Open(ctx, p.view)
	if err != nil {
		return nil, err
	}
	return scanner{c, p}, generation.Fault(ctx, p.summarise(ctx, c))
}

// found scans, or remembers what a scan found; old says that the figures are of another generation.
func (s *service) found(ctx context.Context, r *endpoint.Request, p *plan, src source) (found *result, f figures, old bool, err error) {
	mode := aggregateOf(r, p)
	if mode == noFigures {
		found, err = s.matches(ctx, r, p, src, want{hits: true})
		return found, skippedFigures(r), false, err
	}
	var snap snapshot
	remember := false
	if mode == remembered && !r.Fresh { // the key of a filter costs as much as a small answer
		snap, remember = s.memo.snapshot(p.key())
	}
	found, err = s.matches(ctx, r, p, src, want{hits: true, totals: !remember, uses: !remember && p.few()})
	switch {
	case err != nil:
		return nil, f, false, err
	case remember && snap.generation == p.view.Generation():
		return found, snap.figures, false, nil
	case remember:
		s.renew(ctx, p, src, p.key())
		return found, s.old(snap, p.kgs), true, nil
	}
	if f, err = s.summed(ctx, p, src, found); err != nil {
		return nil, f, false, err
	}
	if p.kgs >= wideKGs && !p.view.Past() && !withStats.Of(r) && p.gaps.Ready() {
		s.memo.keep(p.key(), snapshot{p.view.Generation(), s.Now(), f})
	}
	return found, f, false, nil
}

// matches scans for the hits of the page, or remembers those of the same request.
func (s *service) matches(ctx context.Context, r *endpoint.Request, p *plan, src source, w want) (*result, error) {
	if p.view.Past() || r.Fresh || refresh.Of(r) {
		return p.confirmed(ctx, src, w)
	}
	key := p.requestKey(w)
	if found, ok := s.memo.result(key); ok {
		return found, p.confirm(ctx)
	}
	found, err := p.confirmed(ctx, src, w)
	if err == nil {
		s.memo.keepResult(key, found)
	}
	return found, err
}

// confirmed scans, and makes sure that the KGs whose rows are counted could be read.
func (p *plan) confirmed(ctx context.Context, src source, w want) (*result, error) {
	found, err := run(ctx, p, src, w)
	if err != nil {
		return nil, err
	}
	return found, p.confirm(ctx)
}

// confirm asks the store for the snapshots of the KGs: of many only those on the page are opened, which tells.
func (p *plan) confirm(ctx context.Context) error {
	if p.view.Past() || len(p.places) >= wideKGs {
		return nil
	}
	codes := make([]austria.KGCode, len(p.places))
	for i := range p.places {
		codes[i] = p.places[i].kg.Code
	}
	return p.view.Confirm(ctx, codes, &p.gaps)
}

// renew computes the snapshot of a filter in the background.
func (s *service) renew(ctx context.Context, p *plan, src source, key string) {
	again := *p
	again.through = 0
	s.memo.refresh(ctx, key, func(ctx context.Context) (snapshot, error) {
		found, err := run(ctx, &again, src, want{totals: true})
		if err != nil {
			return snapshot{}, err
		}
		f, err := s.summed(ctx, &again, src, found)
		return snapshot{again.view.Generation(), s.Now(), f}, err
	})
}
