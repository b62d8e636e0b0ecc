package spatial

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"time"

	"mappe/shared/web/endpoint"
	"mappe/shared/web/fault"
	"mappe/shared/web/reply"
)

var version = endpoint.Parsed("version", "The snapshot of this date, YYYY-MM-DD, in place of the present one.", parseDate, endpoint.Example("2026-10-01"))

func parseDate(text string) (string, error) {
	if _, err := time.Parse(time.DateOnly, text); err != nil {
		return "", errors.New("a date YYYY-MM-DD")
	}
	return text, nil
}

const versionDoc = `
version=YYYY-MM-DD answers from the snapshots of that date: every KG the answer reads must have one, else the error lists the
dates there are. meta.version and the header X-Data-Version name it. KGs are found by their present outlines, and the layer kg
has no versions.`

// unversioned are the endpoints that read no parcels.
var unversioned = []string{"spatial_kgs", "spatial_kgs_post", "spatial_geom_cache_stats", "footprints_geom_cache_stats"}

type dateKey struct{}

// dateOf is the date that version= named, "" for the present.
func dateOf(ctx context.Context) string {
	d, _ := ctx.Value(dateKey{}).(string)
	return d
}

// versioned gives every endpoint that reads parcels the parameter version, and its answers their date.
func versioned(list []endpoint.Endpoint) []endpoint.Endpoint {
	for i := range list {
		e := &list[i]
		if slices.Contains(unversioned, e.ID) {
			continue
		}
		serve := e.Serve
		e.Params = append(slices.Clip(e.Params), version)
		e.Doc += versionDoc
		e.Serve = func(ctx context.Context, r *endpoint.Request) (reply.Answer, error) {
			date := version.Of(r)
			if date == "" {
				return serve(ctx, r)
			}
			a, err := serve(context.WithValue(ctx, dateKey{}, date), r)
			if err != nil {
				return nil, err
			}
			switch t := a.(type) {
			case *reply.Rows:
				t.Meta, t.Header = dated(date, t.Meta, t.Header)
			case *reply.Stream:
				t.Meta, t.Header = dated(date, t.Meta, t.Header)
			}
			return a, nil
		}
	}
	return list
}

// dated names the date in an answer. The answers of some requests share their meta: it is copied.
func dated(date string, meta []reply.Member, h http.Header) ([]reply.Member, http.Header) {
	if h = h.Clone(); h == nil {
		h = http.Header{}
	}
	h.Set("X-Data-Version", date)
	return append(slices.Clip(meta), reply.Member{Name: "version", Value: date}), h
}

// only refuses the layer kg of a date: what is known of whole KGs is of the present.
func (v *view) only(layers []layer) error {
	if v.date != "" && slices.Contains(layers, kgs) {
		return fault.Of(fault.Conflict, "layers", string(kgs), "parcels or buildings together with version: the layer kg is of the present")
	}
	return nil
}
