package spatial

import (
	"context"

	"mappe/shared/web/endpoint"
	"mappe/shared/web/reply"
)

// cacheStatsBody is the state of the cache of KG files, which holds parcels and footprints alike.
type cacheStatsBody struct {
	Entries     int    `json:"entries"`
	Bytes       int64  `json:"bytes"`
	BudgetBytes int64  `json:"budget_bytes"`
	Hits        uint64 `json:"hits"`
	Misses      uint64 `json:"misses"`
	Evictions   uint64 `json:"evictions"`
	Pending     int    `json:"pending"`
	Loads       uint64 `json:"loads"`
	Failures    uint64 `json:"failures"`
	Generation  string `json:"generation"`
}

func (s *service) cacheStats(path, id string) endpoint.Endpoint {
	return endpoint.Endpoint{
		Method: "GET", Path: path, ID: id, Tag: "Diagnostics",
		Summary: "State of the geometry cache of this process",
		Doc:     "Live figures of the one cache of KG files that parcels and footprints share: bytes are counted against budget_bytes, whole least recently used KGs are evicted; pending are loads under way.",
		Answer:  endpoint.Answer{Body: cacheStatsBody{}},
		Cache:   endpoint.Live,
		Example: path,
		Serve: func(context.Context, *endpoint.Request) (reply.Answer, error) {
			t := s.Library.Stats()
			return &reply.Document{Body: cacheStatsBody{t.Entries, t.Bytes, t.BudgetBytes, t.Hits, t.Misses, t.Evictions, t.Pending,
				t.Loads, t.Failures, t.Generation}}, nil
		},
	}
}
