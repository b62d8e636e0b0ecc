// Package table lists the families that the tools of functions/mcp ask, as they answer in this process: without files,
// without another geocoder, without payment.
package table

import (
	"log/slog"
	"time"

	"mappe/artefacts/library"
	"mappe/functions/books"
	"mappe/functions/cadastre/landprices"
	"mappe/functions/cadastre/query"
	"mappe/functions/cadastre/search"
	"mappe/functions/cadastre/spatial"
	"mappe/functions/cadastre/versions"
	"mappe/functions/context/place"
	"mappe/functions/core"
	"mappe/functions/core/tasks"
	"mappe/functions/expander"
	"mappe/functions/family"
	"mappe/functions/landscape/analysis"
	"mappe/functions/landscape/changes"
	"mappe/functions/landscape/index"
	"mappe/functions/landscape/results"
	"mappe/functions/landscape/segment"
	"mappe/functions/landscape/trees"
	"mappe/functions/workfeed"
)

// Deps are what the families are given. Library is required.
type Deps struct {
	Library *library.Library
	Tasks   *tasks.Desk      // takes what is asked about areas; nil: nothing is
	Books   books.Deps       // records and files of the book service, which is only read; without records it answers 503
	Work    workfeed.Deps    // the log of the work feed; without one it answers 503
	Now     func() time.Time // nil: time.Now
	Log     *slog.Logger     // nil: silent
}

// Families are what mcp.Deps takes.
func Families(d Deps) []family.Member {
	lib, desk, now, log := d.Library, d.Tasks, d.Now, d.Log
	land := core.Deps{Library: lib, Now: now, Log: log}
	return []family.Member{
		{Family: spatial.Family, Service: spatial.New(land)},
		{Family: query.Family, Service: query.New(land)},
		{Family: landprices.Family, Service: landprices.New(land)},
		{Family: search.Family, Service: search.New(land)},
		{Family: versions.Family, Service: versions.New(land)},
		{Family: place.Family, Service: place.New(place.Deps{Library: lib, Now: now, Log: log})},
		{Family: analysis.Family, Service: analysis.New(analysis.Deps{Library: lib, Now: now, Log: log, Tasks: desk})},
		{Family: changes.Family, Service: changes.New(changes.Deps{Library: lib, Now: now, Log: log, Tasks: desk})},
		{Family: trees.Family, Service: trees.New(trees.Deps{Library: lib, Now: now, Log: log, Tasks: desk})},
		{Family: segment.Family, Service: segment.New(segment.Deps{Library: lib, Now: now, Log: log, Tasks: desk})},
		{Family: index.Family, Service: index.New(index.Deps{Library: lib, Now: now, Log: log})},
		{Family: results.Family, Service: results.New(results.Deps{Desk: desk, Now: now, Log: log})},
		{Family: expander.Family, Service: expander.New(expander.Deps{Log: log})},
		{Family: books.Family, Service: books.Reading(d.Books)},
		{Family: workfeed.Family, Service: workfeed.New(d.Work)},
	}
}
