package search

import (
	"context"
	"errors"
	"log/slog"
	"math"
	"net/http"

	"mappe/artefacts/register"
	"mappe/shared/austria"
	"mappe/shared/cloud/nominatim"
	"mappe/shared/geo/crs"
	"mappe/shared/geo/geom"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/format"
	"mappe/shared/web/reply"
)

// upPlace is a place of the upstream with what this project adds.
type upPlace struct {
	nominatim.Place
	source string
	kg     austria.KGCode
}

func (p *upPlace) osmID() format.Value {
	if p.OSMID == 0 {
		return format.Null
	}
	return format.Int(p.OSMID)
}

// upstreamState says what became of the question to the upstream.
type upstreamState string

const (
	upstreamAnswered upstreamState = "answered"
	upstreamBusy     upstreamState = "busy"
	upstreamFailed   upstreamState = "failed"
	upstreamNotAsked upstreamState = "not_asked" // of a row of a batch
)

// upstreamMember is meta.upstream.
type upstreamMember struct {
	Source  string        `json:"source" doc:"the host that was asked"`
	State   upstreamState `json:"state" enum:"answered,busy,failed"`
	Kept    bool          `json:"kept" doc:"the answer is one that was given before, at most a day ago"`
	License string        `json:"license,omitempty" doc:"of the places"`
}

// geocodedPage is a page of places: the project's own, or where it has none those of the upstream.
type geocodedPage struct {
	own     geocodedAll
	near    []string // what the text may have meant where nothing is found; nil where something is
	reg     *register.Register
	up      []upPlace
	state   upstreamState // "" where the upstream was not asked
	source  string
	kept    bool
	license string
}

// located finds the places of a request.
func (s *service) located(ctx context.Context, r *endpoint.Request) (*geocodedPage, error) {
	n, x, err := s.geocoder(ctx)
	if err != nil {
		return nil, err
	}
	p := &geocodedPage{reg: n.View.Register()}
	if p.own, err = n.geocode(ctx, x, geocodeText.Of(r), r.Offset, r.Offset+r.Limit); err != nil {
		return nil, err
	}
	if p.own.total > 0 {
		return p, nil
	}
	if p.near, err = n.nearAddresses(ctx, x, &addressFilter{text: geocodeText.Of(r)}); err != nil || s.Geocoder == nil {
		return p, err
	}
	p.source = s.Geocoder.Name()
	a, state, err := s.upstream(ctx, geocodeText.Of(r))
	if p.state = state; err != nil || state != upstreamAnswered {
		return p, err
	}
	p.kept, p.license = a.Kept, nominatim.DefaultLicence
	for i := range a.Places {
		p.up = append(p.up, s.upPlace(&a.Places[i], a.Source, p.reg))
	}
	if len(p.up) > 0 {
		p.license = p.up[0].Licence
	}
	return p, nil
}

// upstream asks the other geocoder. That it gives no answer is no error of the client's and none of the service's: the
// state says so.
func (s *service) upstream(ctx context.Context, text string) (nominatim.Answer, upstreamState, error) {
	a, err := s.Geocoder.Search(ctx, text)
	switch {
	case ctx.Err() != nil:
		return a, "", ctx.Err()
	case errors.Is(err, nominatim.ErrBusy):
		return a, upstreamBusy, nil
	case err != nil:
		if s.Log != nil {
			s.Log.Warn("the upstream geocoder gave no answer", slog.Any("error", err))
		}
		return a, upstreamFailed, nil
	}
	return a, upstreamAnswered, nil
}

// upPlace is a place of the upstream as this service gives it.
func (s *service) upPlace(p *nominatim.Place, source string, reg *register.Register) upPlace {
	up := upPlace{Place: *p, source: source}
	if s.places {
		up.kg = nearestKG(reg, p.At)
	}
	return up
}

// rows are the answer of a page.
func (p *geocodedPage) rows(r *endpoint.Request) *reply.Rows {
	total := p.own.total
	if p.state != "" {
		total = len(p.up)
	}
	list := endpoint.Paged(r, p.up)
	a := &reply.Rows{Total: total, Geometry: !plain(r), Rows: func(yield func(format.Row, error) bool) {
		row := geocodedRows.Record()
		row.Item.reg = p.reg
		for i := range p.own.list {
			if row.Item.geocoded = &p.own.list[i]; !yield(row, nil) {
				return
			}
		}
		row.Item.geocoded = nil
		for i := range list {
			if row.Item.up = &list[i]; !yield(row, nil) {
				return
			}
		}
	}}
	if total == 0 && p.near != nil {
		a.Meta = append(a.Meta, reply.Member{Name: "suggestions", Value: p.near})
	}
	if p.state != "" {
		a.Meta = append(a.Meta, reply.Member{Name: "upstream", Value: upstreamMember{p.source, p.state, p.kept, p.license}})
		a.Header = http.Header{"Cache-Control": {"no-store"}}
	}
	return a
}

// nearestKG is the KG that a position lies in, or the one whose box is nearest; "" if the register is empty.
func nearestKG(reg *register.Register, at geom.Point) austria.KGCode {
	if in := reg.Candidates(at); len(in) > 0 {
		return in[0]
	}
	best, least := austria.KGCode(""), math.Inf(1)
	ruler := crs.RulerAt(at)
	for i := range reg.KGs() {
		k := &reg.KGs()[i]
		if d := ruler.ToBox(k.Box); !k.Box.Empty() && d < least {
			best, least = k.Code, d
		}
	}
	return best
}
