package index

import (
	"context"

	"mappe/shared/web/endpoint"
	"mappe/shared/web/format"
	"mappe/shared/web/reply"
)

// statusBody is the state of the index.
type statusBody struct {
	Available bool              `json:"available" doc:"false: nothing was processed yet, and the index is what the cadastre knows"`
	KGs       int               `json:"total_kgs"`
	Processed int               `json:"processed_kgs"`
	Columns   int               `json:"columns" doc:"columns of a record"`
	Index     *string           `json:"index" doc:"key of the index among the artefacts; null without an index"`
	Bytes     *int64            `json:"bytes"`
	Years     map[string]int    `json:"primary_years" doc:"processed KGs by the year of their scan"`
	Meta      reply.DatasetMeta `json:"meta"`
}

func (s *service) status() endpoint.Endpoint {
	return endpoint.Endpoint{
		Method: "GET", Path: "/api/v1/index/status", ID: "index_status", Tag: tag, Summary: "The state of the search index",
		Doc:    "How many KGs stand in the index, how many of them were processed, and which artefact it is.",
		Answer: endpoint.Answer{Body: statusBody{}}, Cache: endpoint.Brief, Example: "/api/v1/index/status",
		Serve: func(ctx context.Context, _ *endpoint.Request) (reply.Answer, error) {
			c, err := s.open(ctx)
			if err != nil {
				return nil, err
			}
			return &reply.Stream{Write: func(j *format.JSON, _ *format.Layout) error { c.writeStatus(j); return nil }}, nil
		},
	}
}

func (c *country) writeStatus(j *format.JSON) {
	j.Member("available", c.parts != nil)
	j.Member("total_kgs", len(c.entries))
	j.Member("processed_kgs", c.processed)
	j.Member("columns", len(recordOwn))
	j.Member("index", link(c.key))
	var size *int64
	if c.parts != nil {
		n := c.parts.Size()
		size = &n
	}
	j.Member("bytes", size)
	j.Member("primary_years", c.years())
}

// years are the processed KGs by the year of their scan.
func (c *country) years() map[string]int {
	out := map[string]int{}
	for i := range c.entries {
		if y := c.entries[i].PrimaryYear; y == y {
			out[yearText(y)]++
		}
	}
	return out
}
