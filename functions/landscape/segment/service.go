// Package segment divides an area that a client draws into objects of 25 types. It owns the endpoint, its shape and how
// rasters, cadastre and community map are read for it; what an object is shared/landscape/segment decides, what an area is
// functions/core/drawn reads.
package segment

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
	"mappe/shared/web/reply"
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

const tag = "Segments"

// New is the family as a service of its own.
func New(d Deps) *endpoint.Service {
	e := &service{memory: memory.Of(d.Memory), tasks: d.Tasks, pin: generation.Pin(d.Library)}
	return &endpoint.Service{
		System: "landscape", Title: "Landscape: segments", Version: d.Version, BaseURL: d.BaseURL,
		Description: "The objects that an area of up to 25 km² consists of, of 25 types in 11 groups, each measured and with the " +
			"confidence of its type.",
		Endpoints: []endpoint.Endpoint{e.segment(), e.oneStop()},
		Notice:    scans.Notice, Pin: generation.Pin(d.Library), Repin: generation.Repin(d.Library), Now: d.Now, Log: d.Log,
		Explain:    generation.Fault,
		GeoPackage: pair{time: d.Started},
	}
}

// Tasks are the questions that a worker answers too.
func Tasks(d Deps) []tasks.Runner {
	e := &service{memory: memory.Of(d.Memory)}
	return []tasks.Runner{e.task().Runner(), e.stopTask().Runner()}
}

// service is what requests share.
type service struct {
	memory memory.Shares
	tasks  *tasks.Desk
	pin    func(ctx context.Context) (context.Context, reply.Generation, error)
}
