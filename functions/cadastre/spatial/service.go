package spatial

import (
	"context"
	"log/slog"
	"time"

	"mappe/artefacts/library"
	"mappe/functions/pin"
	"mappe/functions/view"
	"mappe/shared/cloud/pause"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/reply"
)

const tag = "Spatial"

// Deps are what the endpoints stand on. Library is required.
type Deps struct {
	Library    *library.Library
	BaseURL    string           // what stands before the paths in the outside world
	Version    string           // of the software; part of every ETag
	Now        func() time.Time // default time.Now
	Log        *slog.Logger     // default: silent
	GeoPackage reply.FileWriter // nil: format=gpkg is refused
	// Pause waits for wait=true; default: a timer that ends with the context.
	Pause func(context.Context, time.Duration) error
}

type service struct {
	lib   *library.Library
	now   func() time.Time
	pause func(context.Context, time.Duration) error
}

// Notice is the licence of the cadastre's data. Whom to name is a property of the data: the generation says it.
var Notice = reply.Notice{License: "CC BY 4.0", LicenseURL: "https://creativecommons.org/licenses/by/4.0/"}

// Endpoints are the endpoints of the family, in the order of the specification, for a service that
// holds more than this family. The service has to Pin.
func Endpoints(d Deps) []endpoint.Endpoint {
	s := &service{lib: d.Library, now: d.Now, pause: d.Pause}
	if s.now == nil {
		s.now = time.Now
	}
	if s.pause == nil {
		s.pause = pause.For
	}
	return []endpoint.Endpoint{
		bbox(), view.Versioned(pointGet()), view.Versioned(pointPost()), view.Versioned(s.contain()),
		polygonGet(), view.Versioned(polygonPost()), kgsGet(), kgsPost(),
		viewportParcels(), viewportFootprints(),
		view.Versioned(parcelBatchGet()), view.Versioned(parcelBatchPost()),
		view.Versioned(footprintBatchGet()), view.Versioned(footprintBatchPost()),
		s.cacheStats("/api/v1/spatial/geom_cache/stats", "spatial_geom_cache_stats"),
		s.cacheStats("/api/v1/footprints/geom_cache/stats", "footprints_geom_cache_stats"),
	}
}

// New is the family as a service of its own.
func New(d Deps) *endpoint.Service {
	return &endpoint.Service{
		System: "cadastre", Title: "Cadastre: spatial queries", Version: d.Version, BaseURL: d.BaseURL,
		Description: "Parcels, address points, footprints and KGs by place. The files behind the answers (GeoJSON, GeoParquet, GeoPackage, vector tiles of each KG) are at `/artefacts/` on the same host: `current.json` names the manifest, the manifest every file.",
		Endpoints:   Endpoints(d), Notice: Notice, Pin: pin.To(d.Library), Repin: pin.Former(d.Library), GeoPackage: d.GeoPackage, Now: d.Now, Log: d.Log,
	}
}

// latest is the newest generation, for a request that waits for cold KGs.
func (s *service) latest(ctx context.Context) (*view.View, error) {
	v, err := s.lib.View(ctx)
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
