package archive

import (
	"context"
	"time"

	"golang.org/x/sync/errgroup"

	"mappe/artefacts/library"
	"mappe/artefacts/register"
	"mappe/functions/core/generation"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/format"
	"mappe/shared/web/reply"
)

const (
	// listWidth is how many lists of versions are read at once.
	listWidth = 32
	// maxList bounds a page: each of its rows is a read of the store.
	maxList = 1000
)

// processed is a KG of the list.
type processed struct {
	kg *register.KG
	library.Publication
}

var processedRows = format.NewSchema("processed_kg", "A KG that was processed.", format.Drawing[processed]{}, format.Fields[processed]{
	{Column: format.Column{Name: "kg_code", Doc: "Code of the Katastralgemeinde, 5 digits."}, Get: func(p *processed) format.Value {
		return format.Text(string(p.kg.Code))
	}},
	{Column: format.Column{Name: "kg_name", Doc: "Name."}, Get: func(p *processed) format.Value { return format.Text(p.kg.Name) }},
	{Column: format.Column{Name: "latest", Doc: "Date of the snapshot that is served, YYYY-MM-DD."}, Get: func(p *processed) format.Value {
		return format.Text(p.Latest)
	}},
	{Column: format.Column{Name: "snapshots", Type: format.TypeInt, Doc: "Dated snapshots that are kept."},
		Get: func(p *processed) format.Value { return format.Int(int64(p.Snapshots)) }},
	{Column: format.Column{Name: "processed_at", Doc: "When the served snapshot was published, RFC 3339."},
		Get: func(p *processed) format.Value {
			if p.At.IsZero() {
				return format.Null
			}
			return format.String(p.At.UTC().Format(time.RFC3339))
		}},
})

func (d Deps) list() endpoint.Endpoint {
	return endpoint.Endpoint{
		Method: "GET", Path: "/api/inspire/list", ID: "inspire_list", Tag: tag, Summary: "KGs that were processed",
		Doc:    "Every KG with a snapshot, by rising code. How far a processing is says the status of its KG.",
		Answer: endpoint.Answer{Rows: []*format.RowType{processedRows.RowType}, Page: endpoint.Page{Default: 100, Max: maxList}},
		Cache:  endpoint.Brief, Example: "/api/inspire/list",
		Serve: func(ctx context.Context, r *endpoint.Request) (reply.Answer, error) {
			v, err := generation.Pinned(ctx)
			if err != nil {
				return nil, err
			}
			var all []*register.KG
			kgs := v.Register().KGs()
			for i := range kgs {
				if k := &kgs[i]; k.Snapshot.Key != "" {
					all = append(all, k)
				}
			}
			page, err := publications(ctx, v, endpoint.Paged(r, all))
			if err != nil {
				return nil, generation.Fault(ctx, err)
			}
			return &reply.Rows{Total: len(all), Rows: func(yield func(format.Row, error) bool) {
				row := processedRows.Record()
				for i := range page {
					row.Item = page[i]
					if !yield(row, nil) {
						return
					}
				}
			}}, nil
		},
	}
}

// publications reads what is known of the KGs of a page.
func publications(ctx context.Context, v *library.View, kgs []*register.KG) ([]processed, error) {
	page := make([]processed, len(kgs))
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(listWidth)
	for i, k := range kgs {
		g.Go(func() error {
			p, err := v.Published(ctx, k.Code)
			page[i] = processed{k, p}
			return err
		})
	}
	return page, g.Wait()
}
