// Package families lists every family of endpoints that is built. Programs that serve or describe all of
// them take it; a function's program imports its own family only.
package families

import (
	"context"
	"log/slog"
	"slices"
	"time"

	"mappe/artefacts/library"
	"mappe/functions/books"
	"mappe/functions/cadastre/archive"
	"mappe/functions/cadastre/info"
	"mappe/functions/cadastre/table"
	"mappe/functions/context/contrib/observers"
	contextinfo "mappe/functions/context/info"
	contexttable "mappe/functions/context/table"
	"mappe/functions/core"
	"mappe/functions/core/tasks"
	"mappe/functions/expander"
	"mappe/functions/family"
	"mappe/functions/feedback"
	landinfo "mappe/functions/landscape/info"
	landtable "mappe/functions/landscape/table"
	"mappe/functions/mcp"
	mcptable "mappe/functions/mcp/table"
	"mappe/functions/workfeed"
	"mappe/shared/book/sheet/print"
	"mappe/shared/cloud/buildid"
	"mappe/shared/cloud/jobs"
	"mappe/shared/cloud/ledger"
	"mappe/shared/cloud/nominatim"
	"mappe/shared/cloud/store"
	"mappe/shared/web/gpkg"
	"mappe/shared/web/inflight"
)

// Deps are what the families are given. The zero value is enough to describe them; then they answer 503.
type Deps struct {
	Library  *library.Library
	Log      *slog.Logger
	Started  time.Time     // written as the date of files made for an answer
	Expander expander.Deps // the payment gate; without one the paid route is closed
	Work     workfeed.Deps // the log of the work feed
	Books    books.Deps    // records and files of the book service
	// Exports takes the exports that are too large for one answer; nil: they are refused.
	Exports *jobs.Queue
	// Tasks takes the questions of the landscape that are asked in the background, and has their results; nil: they are refused.
	Tasks *tasks.Desk
	// Feedback keeps the reports about the services; nil: they are refused.
	Feedback ledger.Ledger
	// Observers keeps who may report on cells and what they have seen; nil: reports are refused.
	Observers *observers.Records
	// Processing takes the work on KGs that requests order; nil: nothing is processed.
	Processing *jobs.Queue
	// Ledger has the counts of these jobs.
	Ledger ledger.Ledger
	// Processor has the state of the analysis of all KGs; nil: nothing is analysed.
	Processor ledger.Ledger
	// Store has the warm-up requests; nil: nothing is loaded before it is asked for.
	Store store.Store
	// Mirror is the research repository; nil without one.
	Mirror archive.Mirror
	// Inflight knows the requests of the process.
	Inflight *inflight.Tracker
	// Geocoder is asked for places that no own address is known for; nil: nobody is.
	Geocoder *nominatim.Client
	// Operator says whether a text is the operator's token, for endpoint.Bearer; nil: nobody has one.
	Operator func(ctx context.Context, text string) (bool, error)
}

// All are the services with their families, in the order in which they are shown. It panics where the
// declarations cannot work, which a test would have told.
func All(d Deps) []family.Service {
	d.Expander.Log, d.Work.Logger, d.Books.Logger = d.Log, d.Log, d.Log
	land := core.Deps{Library: d.Library, Log: d.Log, GeoPackage: gpkg.Form{Time: d.Started}, Sheet: print.PDF, Geocoder: d.Geocoder}
	around := contexttable.Deps{Library: d.Library, Observers: d.Observers, Log: d.Log, Geocoder: d.Geocoder}
	cadastreFamilies := table.Members(land, table.Extra{Exports: d.Exports, Archive: archive.Deps{
		Queue: d.Processing, Ledger: d.Ledger, Store: d.Store, Mirror: d.Mirror, Inflight: d.Inflight, Operator: d.Operator}})
	services, err := family.Group(slices.Concat(cadastreFamilies, []family.Member{
		{Family: info.Family, Service: info.New(info.Deps{Deps: land, Intake: d.intake(info.Service)})},
	}, contexttable.Members(around), []family.Member{
		{Family: contextinfo.Family, Service: contextinfo.New(contextinfo.Deps{Library: d.Library, Log: d.Log,
			Intake: d.intake(contextinfo.Service)})},
	}, landtable.Members(landtable.Deps{Library: d.Library, Log: d.Log, Tasks: d.Tasks, Started: d.Started, Processor: d.Processor,
		Operator: d.Operator}), []family.Member{
		{Family: landinfo.Family, Service: landinfo.New(landinfo.Deps{Library: d.Library, Log: d.Log})},
		{Family: expander.Family, Service: expander.New(d.Expander)},
		{Family: workfeed.Family, Service: workfeed.New(d.Work)},
		{Family: books.Family, Service: books.New(d.Books)},
		{Family: mcp.Family, Service: mcp.New(mcp.Deps{Library: d.Library,
			Families: mcptable.Families(mcptable.Deps{Library: d.Library, Tasks: d.Tasks, Books: d.Books, Work: d.Work, Log: d.Log}),
			Log:      d.Log})},
	}))
	if err != nil {
		panic(err)
	}
	for _, s := range services {
		for _, m := range s.Members {
			m.Service.Build = buildid.Own() // a browser asks the program that was changed anew
		}
	}
	return services
}

// intake keeps the reports about a service, nil where there is no ledger.
func (d Deps) intake(service string) *feedback.Intake {
	if d.Feedback == nil {
		return nil
	}
	return feedback.NewIntake(d.Feedback, service, nil)
}
