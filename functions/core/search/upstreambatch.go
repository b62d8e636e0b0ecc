package search

import (
	"context"
	"net/http"
	"time"

	"mappe/artefacts/register"
	"mappe/shared/cloud/nominatim"
	"mappe/shared/web/reply"
)

// The bounds of what one batch asks of the upstream, which is asked once a second.
const (
	batchAsks = 5
	batchTime = 8 * time.Second // no question begins later
)

// batchUpstream is what the upstream knows of the queries of a batch that have no place of the project's own.
type batchUpstream struct {
	source  string
	license string
	rows    []upstreamRow // of the queries
	asked   int           // requests
	left    int           // queries that nobody was asked for
}

// upstreamRow is what became of one query; the zero value: nobody had to be asked.
type upstreamRow struct {
	place *upPlace
	state upstreamState
}

// batchUpstreamMember is meta.upstream of a batch.
type batchUpstreamMember struct {
	Source   string `json:"source" doc:"the host that was asked"`
	Asked    int    `json:"asked" doc:"requests that this batch has made of it"`
	NotAsked int    `json:"not_asked" doc:"queries that have no own place and were not asked for: their rows say so in the column upstream"`
	License  string `json:"license,omitempty" doc:"of the places"`
}

// batchUpstreamMeta is what meta of a batch holds where the upstream was concerned.
type batchUpstreamMeta struct {
	Upstream *batchUpstreamMember `json:"upstream,omitempty"`
}

// askForBatch asks the upstream for the queries that have no place, in their order: those whose answer is kept, and
// batchAsks more. Where it gives no answer the others are not asked for.
func (s *service) askForBatch(ctx context.Context, reg *register.Register, queries []addressAsked, own []*geocoded) (*batchUpstream,
	error) {
	b := &batchUpstream{rows: make([]upstreamRow, len(queries))}
	if s.Geocoder == nil {
		return b, nil
	}
	start := s.Now()
	silent := false
	for i := range queries {
		if own[i] != nil {
			continue
		}
		b.source = s.Geocoder.Name()
		a, kept := s.Geocoder.Known(queries[i].Q)
		state := upstreamAnswered
		switch {
		case kept:
		case silent || b.asked == batchAsks || s.Now().Sub(start) > batchTime:
			state = upstreamNotAsked
			b.left++
		default:
			var err error
			if a, state, err = s.upstream(ctx, queries[i].Q); err != nil {
				return nil, err
			}
			if !a.Kept && state != upstreamBusy {
				b.asked++
			}
			silent = state != upstreamAnswered
		}
		b.note(s, reg, i, a, state)
	}
	return b, nil
}

// note keeps the best place of an answer.
func (b *batchUpstream) note(s *service, reg *register.Register, row int, a nominatim.Answer, state upstreamState) {
	b.rows[row].state = state
	if state != upstreamAnswered || len(a.Places) == 0 {
		return
	}
	place := s.upPlace(&a.Places[0], a.Source, reg)
	b.rows[row].place = &place
	if b.license == "" {
		b.license = place.Licence
	}
}

// mark says in an answer whose places it has beside the project's own.
func (b *batchUpstream) mark(a *reply.Rows) *reply.Rows {
	if b.source != "" {
		a.Meta = append(a.Meta, reply.Member{Name: "upstream", Value: batchUpstreamMember{b.source, b.asked, b.left, b.license}})
		a.Header = http.Header{"Cache-Control": {"no-store"}}
	}
	return a
}
