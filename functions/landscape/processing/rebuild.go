package processing

import (
	"context"

	"mappe/shared/web/endpoint"
	"mappe/shared/web/reply"
)

// rebuildBody says that the index is asked for.
type rebuildBody struct {
	Status string  `json:"status" enum:"queued"`
	Asked  string  `json:"asked_at"`
	KGs    int     `json:"processed" doc:"KGs whose results it will hold"`
	Last   *string `json:"last_build_at" doc:"when the last index was started; null before the first"`
	Took   float64 `json:"last_build_s" doc:"how long it took"`
	Poll   string  `json:"poll" doc:"where the status of the served index is"`
}

const rebuildDoc = `The search index is made anew of all results that there are: the worker does it at its next look, within a minute, also where the processor is
stopped, and after the KG that it works on. New results come into the index by themselves, when the queue is done and else every quarter of an hour; this call is
for those who will not wait, and after an index, or files of KGs, were lost or damaged: it reads the files of all KGs. The index in service stays until the new one stands.
`

func (e *service) rebuild() endpoint.Endpoint {
	return endpoint.Endpoint{
		Method: "POST", Path: "/api/v1/index/rebuild", ID: "index_rebuild", Tag: tag, Summary: "Make the search index anew",
		Doc: rebuildDoc, Cache: endpoint.Live,
		Answer: endpoint.Answer{Body: rebuildBody{}}, Example: "/api/v1/index/rebuild",
		Serve: func(ctx context.Context, r *endpoint.Request) (reply.Answer, error) {
			if _, err := e.register(ctx); err != nil {
				return nil, err
			}
			entries, err := e.records.Entries(ctx)
			if err != nil {
				return nil, unreachable(err)
			}
			x, err := e.records.AskIndex(ctx, e.Now())
			if err != nil {
				return nil, unreachable(err)
			}
			b := rebuildBody{Status: "queued", Asked: *text(x.Asked), KGs: len(entries), Last: text(x.At), Took: x.Took.Seconds(),
				Poll: endpoint.Prefix(r.HTTP) + "/api/v1/index/status"}
			return &reply.Document{Body: b}, nil
		},
	}
}
