package view

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"mappe/artefacts/kgfile"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/reply"
)

var version = endpoint.Parsed("version", "The newest snapshot of each KG on or before this date, YYYY-MM-DD, in place of the present one.",
	ParseDate, endpoint.Example("2026-10-01"))

// ParseDate reads a date YYYY-MM-DD.
func ParseDate(text string) (string, error) {
	if _, err := time.Parse(time.DateOnly, text); err != nil {
		return "", errors.New("a date YYYY-MM-DD")
	}
	return text, nil
}

const versionDoc = `
version=YYYY-MM-DD answers from the newest snapshot of each KG on or before that date. KGs that have none are left out and listed in
meta.kgs_without_version. meta.version and the header X-Data-Version name the date, the licence notice names the years of the data
that was read. KGs are found by their outlines of that date, up to 2 km from the present ones; the layer kg has no versions.`

// past is the date that version= named, and who is to be named for the snapshots that were read.
type past struct {
	date string

	mu      sync.Mutex
	sources []string
}

// read notes the source of a snapshot: its notice has a year of its own.
func (p *past) read(f *kgfile.File) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if s := f.Build().Source; s != "" && !slices.Contains(p.sources, s) {
		p.sources = append(p.sources, s)
	}
}

// attribution is "" where nothing was read.
func (p *past) attribution() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.sources) == 0 {
		return ""
	}
	slices.Sort(p.sources)
	return strings.Join(p.sources, "; ") + ", modified"
}

type pastKey struct{}

// pastOf is nil for the present.
func pastOf(ctx context.Context) *past {
	p, _ := ctx.Value(pastKey{}).(*past)
	return p
}

// Versioned gives an endpoint the parameter version, the view that it asks for the snapshots of that date,
// and its answers the date. The answer of a date derives its ETag from the whole generation: a list of
// snapshots is part of it.
func Versioned(e endpoint.Endpoint) endpoint.Endpoint {
	e.Params = append(slices.Clip(e.Params), version)
	e.Doc += versionDoc
	if depends := e.Depends; depends != nil {
		e.Depends = func(ctx context.Context, r *endpoint.Request) (string, error) {
			if version.Of(r) != "" {
				return r.Generation.ID, nil
			}
			return depends(ctx, r)
		}
	}
	if own := e.ETag; own != nil {
		e.ETag = func(ctx context.Context, r *endpoint.Request) (string, error) {
			if date := version.Of(r); date != "" {
				tag, err := own(context.WithValue(ctx, pastKey{}, &past{date: date}), r)
				r.Memo = nil // it was found out for another reader, whose sources nobody names
				return tag, err
			}
			return own(ctx, r)
		}
	}
	serve := e.Serve
	e.Serve = func(ctx context.Context, r *endpoint.Request) (reply.Answer, error) {
		if date := version.Of(r); date != "" {
			return serveAt(ctx, r, date, serve)
		}
		return serve(ctx, r)
	}
	return e
}

// serveAt answers from the snapshots of a date.
func serveAt(ctx context.Context, r *endpoint.Request, date string, serve endpoint.Handler) (reply.Answer, error) {
	p := &past{date: date}
	a, err := serve(context.WithValue(ctx, pastKey{}, p), r)
	if err != nil {
		return nil, err
	}
	switch t := a.(type) {
	case *reply.Rows:
		t.Meta, t.Header = dated(date, t.Meta, t.Header)
		t.Attribution = p.attribution()
	case *reply.Stream:
		t.Meta, t.Header = dated(date, t.Meta, t.Header)
		t.Attribution = p.attribution()
	case *reply.Content:
		_, t.Header = dated(date, nil, t.Header)
		if who := p.attribution(); who != "" {
			t.Header.Set("X-Data-Attribution", reply.ASCII(who))
		}
	}
	return a, nil
}

// dated names the date in an answer. The answers of some requests share their meta: it is copied.
func dated(date string, meta []reply.Member, h http.Header) ([]reply.Member, http.Header) {
	if h = h.Clone(); h == nil {
		h = http.Header{}
	}
	h.Set("X-Data-Version", date)
	return append(slices.Clip(meta), reply.Member{Name: "version", Value: date}), h
}
