// Package analysis is what height models say of an area that a client draws. It owns the endpoints and their shapes; what
// an area is functions/core/drawn reads, the metrics are shared/landscape's, the rasters are read by windows through
// artefacts/library.
package analysis

import (
	"context"
	"log/slog"
	"time"

	"mappe/artefacts/library"
	"mappe/functions/core/generation"
	"mappe/functions/core/memory"
	"mappe/functions/core/tasks"
	"mappe/functions/landscape/scans"
	"mappe/shared/cloud/membudget"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/params"
)

// Deps are what the endpoints stand on. Library is required.
type Deps struct {
	Library *library.Library
	BaseURL string            // what stands before the paths in the outside world
	Version string            // of the software
	Now     func() time.Time  // default time.Now
	Log     *slog.Logger      // default: silent
	Memory  *membudget.Budget // that requests share; default: that of the process
	Tasks   *tasks.Desk       // takes what is asked in the background; nil: nothing is
}

const tagTerrain = "Terrain"

// New is the family as a service of its own.
func New(d Deps) *endpoint.Service {
	e := &service{memory.Of(d.Memory), d.Tasks}
	return &endpoint.Service{
		System: "landscape", Title: "Landscape: terrain", Version: d.Version, BaseURL: d.BaseURL,
		Description: "Elevation, slope, aspect, ruggedness and curvature of any area of up to 25 km² that is drawn or uploaded, and the models themselves as GeoTIFF.",
		Endpoints:   []endpoint.Endpoint{e.elevation(), e.terrainOf(), e.geotiff()},
		Notice:      scans.Notice, Pin: generation.Pin(d.Library), Repin: generation.Repin(d.Library), Now: d.Now, Log: d.Log,
		Explain: generation.Fault,
	}
}

// Tasks are the questions that a worker answers too.
func Tasks(d Deps) []tasks.Runner {
	e := &service{memory: memory.Of(d.Memory)}
	return []tasks.Runner{e.terrainTask().Runner(), e.elevationTask().Runner(), e.geotiffTask().Runner()}
}

var dataset = params.Date("dataset",
	"Date of the laser scan as YYYYMMDD; where it is not given the newest that covers at least 95 % of what is asked for, else the newest that touches it.")

// service is what the endpoints share.
type service struct {
	memory memory.Shares
	tasks  *tasks.Desk
}

// source is what a request reads.
type source struct {
	*scans.Source
	memory memory.Shares
}

func (e *service) open(ctx context.Context) (*source, error) {
	s, err := scans.Open(ctx)
	if err != nil {
		return nil, err
	}
	return &source{s, e.memory}, nil
}
