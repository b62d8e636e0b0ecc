package spatial

import (
	"context"

	"mappe/functions/core"
	"mappe/functions/core/view"
	"mappe/shared/web/endpoint"
)

const tag = "Spatial"

// Deps are what the endpoints stand on.
type Deps = core.Deps

type service struct{ Deps }

// New is the family as a service of its own; its endpoints are in the order of the specification.
func New(d Deps) *endpoint.Service {
	s := &service{d.WithDefaults()}
	return d.Service("spatial queries",
		"Parcels, address points, footprints and KGs by place. The files behind the answers (GeoJSON, GeoParquet, GeoPackage, vector tiles of each KG) are at `/artefacts/` on the same host: `current.json` names the manifest, the manifest every file.",
		[]endpoint.Endpoint{
			bbox(), view.Versioned(pointGet()), view.Versioned(pointPost()), view.Versioned(s.contain()),
			polygonGet(), view.Versioned(polygonPost()), kgsGet(), kgsPost(),
			viewportParcels(), viewportFootprints(), view.Versioned(neighbours()), view.Versioned(s.sheet()),
			view.Versioned(parcelBatchGet()), view.Versioned(parcelBatchPost()),
			view.Versioned(footprintBatchGet()), view.Versioned(footprintBatchPost()),
			s.cacheStats("/api/v1/spatial/geom_cache/stats", "spatial_geom_cache_stats"),
			s.cacheStats("/api/v1/footprints/geom_cache/stats", "footprints_geom_cache_stats"),
		})
}

// latest is the newest generation, for a request that waits for cold KGs.
func (s *service) latest(ctx context.Context) (*view.View, error) {
	v, err := s.Library.View(ctx)
	if err != nil {
		return nil, err
	}
	return view.At(ctx, v), nil
}

// StreamMeta is what the meta of an answer that is no envelope holds beside, for the description of the
// service.
type StreamMeta struct {
	QueryTimeMs float64 `json:"query_time_ms"`
	License     string  `json:"license"`
}
