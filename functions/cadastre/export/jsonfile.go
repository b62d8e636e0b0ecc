package export

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"time"

	"mappe/functions/core"
	"mappe/functions/core/generation"
	"mappe/shared/web/coding"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/reply"
)

// writeGeoJSON writes what a request would be answered with, compressed, whose query took no time: the same data
// gives the same bytes.
func (p *plan) writeGeoJSON(ctx context.Context, path string, o order) (err error) {
	at, ok := endpoint.ProjectionOf(o.EPSG)
	if !ok {
		return fmt.Errorf("there is no system EPSG:%d", o.EPSG)
	}
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	defer func() {
		if cut := recover(); cut != nil {
			b, ok := cut.(reply.Broken)
			if !ok {
				panic(cut)
			}
			err = errors.Join(err, b.Err)
		}
	}()
	s := p.collections(ctx, o.shape)
	s.Attribution = p.view.Attribution()
	if o.Date != "" {
		s.Meta = append(s.Meta, reply.Member{Name: "version", Value: o.Date})
	}
	ask := &reply.Ask{
		Projection: at, Fields: o.Fields, Pretty: o.Pretty, Coding: coding.Gzip, RowTypes: rowTypes, Notice: core.Notice,
		Generation: generation.Of(p.view.View),
		Context:    ctx, Elapsed: func() time.Duration { return 0 },
	}
	return reply.Write(bodyFile{f, http.Header{}}, ask, s)
}

// bodyFile takes the body of an answer.
type bodyFile struct {
	io.Writer
	h http.Header
}

func (f bodyFile) Header() http.Header { return f.h }
func (f bodyFile) WriteHeader(int)     {}
