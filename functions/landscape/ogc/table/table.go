// Package table lists the families whose endpoints are the processes of functions/landscape/ogc, as they answer in its process.
package table

import (
	"log/slog"

	"mappe/artefacts/library"
	"mappe/functions/core/tasks"
	"mappe/functions/family"
	"mappe/functions/landscape/analysis"
	"mappe/functions/landscape/changes"
	"mappe/functions/landscape/segment"
	"mappe/functions/landscape/trees"
)

// Families are what ogc.Deps takes.
func Families(lib *library.Library, desk *tasks.Desk, log *slog.Logger) []family.Member {
	return []family.Member{
		{Family: analysis.Family, Service: analysis.New(analysis.Deps{Library: lib, Log: log, Tasks: desk})},
		{Family: changes.Family, Service: changes.New(changes.Deps{Library: lib, Log: log, Tasks: desk})},
		{Family: trees.Family, Service: trees.New(trees.Deps{Library: lib, Log: log, Tasks: desk})},
		{Family: segment.Family, Service: segment.New(segment.Deps{Library: lib, Log: log, Tasks: desk})},
	}
}
