// Command lambda answers the landscape's long questions: one task an invocation, or those that nobody does.
package main

import (
	"log/slog"
	"slices"

	"github.com/aws/aws-lambda-go/lambda"
	"github.com/aws/aws-lambda-go/lambdacontext"

	"mappe/artefacts/library"
	"mappe/functions/core/tasks"
	"mappe/functions/core/tasks/worker"
	"mappe/functions/landscape/analysis"
	"mappe/functions/landscape/changes"
	"mappe/functions/landscape/index"
	"mappe/functions/landscape/scans"
	"mappe/functions/landscape/segment"
	"mappe/functions/landscape/trees"
)

func main() {
	lambda.Start(worker.Handler(lambdacontext.NewLogger(), scans.Notice, func(lib *library.Library, log *slog.Logger) []tasks.Runner {
		return slices.Concat(analysis.Tasks(analysis.Deps{Library: lib, Log: log}), changes.Tasks(changes.Deps{Library: lib, Log: log}),
			trees.Tasks(trees.Deps{Library: lib, Log: log}), segment.Tasks(segment.Deps{Library: lib, Log: log}),
			index.Tasks(index.Deps{Library: lib, Log: log}))
	}))
}
