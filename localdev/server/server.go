// Package server is the local cloud: every service under its prefix, the artefacts with the CDN's
// headers and ranges, the map page and an index, all on one address. It mounts the same handlers the
// Lambda functions run and owns nothing of what they answer.
package server

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"path"
	"strings"
	"time"

	"mappe/artefacts/keys"
	"mappe/artefacts/library"
	"mappe/artefacts/manifest"
	"mappe/functions/books"
	"mappe/functions/cadastre/archive"
	"mappe/functions/context/contrib/observers"
	"mappe/functions/core/tasks"
	"mappe/functions/expander"
	"mappe/functions/families"
	"mappe/functions/family"
	"mappe/functions/workfeed"
	"mappe/localdev/server/web"
	"mappe/shared/austria"
	"mappe/shared/cloud/admintoken"
	"mappe/shared/cloud/jobs"
	"mappe/shared/cloud/ledger"
	"mappe/shared/cloud/nominatim"
	"mappe/shared/cloud/store"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/inflight"
)

// Config says what to serve.
type Config struct {
	Store store.Store
	Web   web.Pages // none where the map page was not bundled
	// Background is what the map draws under the parcels where the reader wants it; nil: nothing.
	Background *Background
	Log        *slog.Logger
	// Started is written as the date of files made for an answer; it does not enter any other answer.
	Started time.Time
	// Functions replaces the services' handlers, prefix to handler: the exact mode mounts the real
	// bootstraps here. Services that are not in it are served in this process.
	Functions map[string]http.Handler
	// Warmup is told of the cold KGs that requests touch; nil where nobody builds them.
	Warmup func(austria.KGCode)
	// RestoreOnly says that Warmup brings back what left the store and builds nothing.
	RestoreOnly bool
	// Used is told of the KGs that requests read; nil: nobody is.
	Used func(austria.KGCode)
	// Expander has the payment gate of the expander; without one its paid route is closed.
	Expander expander.Deps
	// Work has the log of the work feed; without one the feed answers 503.
	Work workfeed.Deps
	// Books has the records and files of the book service; without them it answers 503.
	Books books.Deps
	// Exports takes the exports that are too large for one answer; nil: they are refused.
	Exports *jobs.Queue
	// Tasks takes the questions of the landscape that are asked in the background; nil: they are refused.
	Tasks *tasks.Desk
	// Feedback keeps the reports about the services; nil: they are refused.
	Feedback ledger.Ledger
	// Observers keeps who may report on cells and what they have seen; nil: reports are refused.
	Observers *observers.Records
	// Processing takes the work on KGs that requests order; nil: nothing is processed.
	Processing *jobs.Queue
	// Ledger has the counts of that work.
	Ledger ledger.Ledger
	// Processor has the state of the analysis of all KGs; nil: nothing is analysed.
	Processor ledger.Ledger
	// Repository stands in for the research repository, under /repository; nil without one.
	Repository http.Handler
	// Mirror is how the services look at the research repository; nil without one.
	Mirror archive.Mirror
	// Geocoder is asked for places that no own address is known for; nil: nobody is.
	Geocoder *nominatim.Client
	// Operator has the operator's token; nil where nobody may do what asks for it.
	Operator *admintoken.Tokens

	// Disks are the directories whose file systems the health and the metrics watch.
	Disks []Disk

	inflight   *inflight.Tracker // set by New
	repository *lastLook         // set by New
}

// Services are all services with what the configuration gives them.
func (c Config) Services(lib *library.Library) []family.Service {
	d := families.Deps{Library: lib, Log: c.Log, Started: c.Started, Expander: c.Expander, Work: c.Work, Books: c.Books, Exports: c.Exports,
		Tasks: c.Tasks, Processing: c.Processing, Ledger: c.Ledger, Processor: c.Processor,
		Feedback: c.Feedback, Observers: c.Observers, Store: c.Store, Mirror: c.Mirror, Geocoder: c.Geocoder, Inflight: c.inflight}
	if c.Operator != nil {
		d.Operator = c.Operator.Check
	}
	return families.All(d)
}

// Coverage compares what is served with the specification's endpoint table. declared are the routes of programs that this module does
// not link, as endpoint.Declared reads them.
func Coverage(w io.Writer, table, declared []byte) error {
	routes, err := endpoint.Declared(declared)
	if err != nil {
		return err
	}
	for _, s := range families.All(families.Deps{}) {
		routes = append(routes, s.Routes()...)
	}
	_, err = endpoint.Coverage(w, table, routes)
	return err
}

// New mounts everything over a store that something is published in.
func New(ctx context.Context, c Config) (http.Handler, error) {
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	c.inflight = &inflight.Tracker{}
	m := &metrics{}
	c.Log = slog.New(counting{c.Log.Handler(), m})
	lib, err := library.Open(ctx, c.Store, library.Options{Refresh: 2 * time.Second, BudgetBytes: cacheBytes(), Warmup: c.Warmup,
		RestoreOnly: c.RestoreOnly, Used: c.Used, Log: c.Log})
	if errors.Is(err, store.ErrNotFound) {
		return nil, errors.New("nothing is published there yet: run go run ./localdev build --source DIR --data DIR first")
	}
	if err != nil {
		return nil, fmt.Errorf("open the published artefacts: %w", err)
	}
	services, bare := map[string]http.Handler{}, map[string]bool{}
	var cards []card
	for _, s := range c.Services(lib) {
		h := c.Functions[s.Prefix]
		if h == nil {
			if h, err = s.Handler(); err != nil {
				return nil, err
			}
		}
		services[s.Prefix] = h
		if s.Lead().Bare {
			bare[s.Prefix] = true
		}
		cards = append(cards, cardOf(s))
	}
	services["/artefacts"] = newArtefacts(c.Store, c.Log)
	if c.Repository != nil {
		services["/repository"] = http.StripPrefix("/repository", c.Repository)
	}
	mux := http.NewServeMux()
	Bundle{c.Web, c.Background}.mount(mux)
	if c.Mirror != nil {
		c.repository = &lastLook{mirror: c.Mirror}
	}
	mux.HandleFunc("GET /healthz", c.health)
	mux.HandleFunc("GET /metrics", m.write(c, lib))
	mux.HandleFunc("GET /docs", func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/", http.StatusFound) })
	mux.HandleFunc("GET "+styleAddress, serveStyle)
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, r *http.Request) {
		page := index{Cards: cards, Bundled: c.Web.Bundled()}
		if p, err := pointer(r.Context(), c.Store); err == nil {
			page.Pointer = &p
		}
		servePage(w, page.html(c.Log))
	})
	mux.HandleFunc("/", lost)
	return c.inflight.Wrap(m.metered(services, logged(c.Log, byPrefix(services, bare, mux)))), nil
}

// byPrefix gives a request to the service under whose prefix its path lies, as it was written, and every
// other to the site. Who asks for a prefix alone is sent to the service, unless that answers it. ServeMux would redirect a path with two
// slashes; here it names nothing.
func byPrefix(services map[string]http.Handler, bare map[string]bool, site http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		first, _, below := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
		h := services["/"+first]
		switch {
		case h != nil && (below || bare["/"+first]):
			h.ServeHTTP(w, r)
		case h != nil:
			http.Redirect(w, r, "/"+first+"/", http.StatusFound)
		case !clean(r.URL.Path):
			lost(w, r)
		default:
			site.ServeHTTP(w, r)
		}
	})
}

// clean says whether a path has no step twice, none back and none in place.
func clean(p string) bool {
	c := path.Clean(p)
	return p == c || c != "/" && p == c+"/"
}

func pointer(ctx context.Context, s store.Store) (manifest.Pointer, error) {
	b, _, err := store.ReadAll(ctx, s, keys.Current{}.String(), 1<<20, store.GetOptions{})
	if err != nil {
		return manifest.Pointer{}, err
	}
	return manifest.ParsePointer(b)
}
