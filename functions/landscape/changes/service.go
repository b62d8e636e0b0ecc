// Package changes is what has changed in an area that a client draws between two laser scans. It owns the endpoint, its
// shapes and how the height models are read for it; what a change is shared/landscape/change decides, what an area is
// functions/core/drawn reads.
package changes

import (
	"log/slog"
	"time"

	"mappe/artefacts/library"
	"mappe/functions/core/generation"
	"mappe/functions/core/memory"
	"mappe/functions/core/tasks"
	"mappe/functions/landscape/scans"
	"mappe/shared/cloud/membudget"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/gpkg"
	"mappe/shared/web/qgis"
)

// Deps are what the endpoint stands on. Library is required.
type Deps struct {
	Library *library.Library
	BaseURL string            // what stands before the paths in the outside world
	Version string            // of the software
	Now     func() time.Time  // default time.Now
	Started time.Time         // written as the date of GeoPackages
	Log     *slog.Logger      // default: silent
	Memory  *membudget.Budget // that requests share; default: that of the process
	Tasks   *tasks.Desk       // takes what is asked in the background; nil: nothing is
}

// New is the family as a service of its own.
func New(d Deps) *endpoint.Service {
	e := &service{memory: memory.Of(d.Memory), tasks: d.Tasks}
	return &endpoint.Service{
		System: "landscape", Title: "Landscape: changes", Version: d.Version, BaseURL: d.BaseURL,
		Description: "What has changed in any area of up to 25 km² between two laser scans: trees, buildings, earthworks, roads.",
		Endpoints:   []endpoint.Endpoint{e.changes()},
		Notice:      scans.Notice, Pin: generation.Pin(d.Library), Repin: generation.Repin(d.Library), Now: d.Now, Log: d.Log,
		Explain:    generation.Fault,
		GeoPackage: gpkg.Form{Time: d.Started, Styles: map[string]qgis.Style{layer: style}},
	}
}

// Tasks are the questions that a worker answers too.
func Tasks(d Deps) []tasks.Runner {
	e := &service{memory: memory.Of(d.Memory)}
	return []tasks.Runner{e.task().Runner()}
}

// service is what requests share.
type service struct {
	memory memory.Shares
	tasks  *tasks.Desk
}
