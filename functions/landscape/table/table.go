// Package table lists the families of the landscape: those that answer from the data, beside the leading one, which
// describes them all. functions/families takes them to serve them, the leading family's program to describe them.
package table

import (
	"context"
	"log/slog"
	"slices"
	"time"

	"mappe/artefacts/library"
	"mappe/functions/cadastre/proxy"
	"mappe/functions/core"
	"mappe/functions/core/tasks"
	"mappe/functions/family"
	"mappe/functions/landscape/analysis"
	"mappe/functions/landscape/changes"
	"mappe/functions/landscape/index"
	"mappe/functions/landscape/ogc"
	ogctable "mappe/functions/landscape/ogc/table"
	"mappe/functions/landscape/processing"
	"mappe/functions/landscape/results"
	"mappe/functions/landscape/segment"
	"mappe/functions/landscape/trees"
	"mappe/shared/cloud/ledger"
	"mappe/shared/web/endpoint"
)

// Deps are what the families are given.
type Deps struct {
	Library *library.Library
	Log     *slog.Logger
	Tasks   *tasks.Desk // takes what is asked in the background; nil: nothing is
	Started time.Time   // written as the date of files made for an answer
	// Processor has the state of the analysis of all KGs; nil: nothing is processed.
	Processor ledger.Ledger
	// Operator says whether a text is the operator's token; nil: nobody has one, and what starts work is open.
	Operator func(ctx context.Context, text string) (bool, error)
}

// Members are the families over the data.
func Members(d Deps) []family.Member {
	return []family.Member{
		{Family: analysis.Family, Service: analysis.New(analysis.Deps{Library: d.Library, Log: d.Log, Tasks: d.Tasks})},
		{Family: changes.Family, Service: changes.New(changes.Deps{Library: d.Library, Log: d.Log, Started: d.Started, Tasks: d.Tasks})},
		{Family: trees.Family, Service: trees.New(trees.Deps{Library: d.Library, Log: d.Log, Started: d.Started, Tasks: d.Tasks})},
		{Family: segment.Family, Service: segment.New(segment.Deps{Library: d.Library, Log: d.Log, Started: d.Started, Tasks: d.Tasks})},
		{Family: index.Family, Service: index.New(index.Deps{Library: d.Library, Log: d.Log, Tasks: d.Tasks})},
		{Family: processing.Family, Service: processing.New(processing.Deps{Library: d.Library, Ledger: d.Processor, Log: d.Log,
			Operator: d.Operator})},
		{Family: ogc.Family, Service: ogc.New(ogc.Deps{Library: d.Library, Families: ogctable.Families(d.Library, d.Tasks, d.Log),
			Desk: d.Tasks, Log: d.Log})},
		{Family: results.Family, Service: results.New(results.Deps{Desk: d.Tasks, Log: d.Log})},
		{Family: proxy.Family, Service: proxy.New(core.Deps{Library: d.Library, Log: d.Log})},
	}
}

// Tasks are the questions that a worker answers in the background.
func Tasks(d Deps) []tasks.Runner {
	return slices.Concat(analysis.Tasks(analysis.Deps{Library: d.Library, Log: d.Log}),
		changes.Tasks(changes.Deps{Library: d.Library, Log: d.Log}),
		trees.Tasks(trees.Deps{Library: d.Library, Log: d.Log}), segment.Tasks(segment.Deps{Library: d.Library, Log: d.Log}),
		index.Tasks(index.Deps{Library: d.Library, Log: d.Log}))
}

// Endpoints are those of Members, for their description.
func Endpoints() (all []endpoint.Endpoint) {
	for _, m := range Members(Deps{}) {
		all = append(all, m.Service.Endpoints...)
	}
	return all
}
