package serve

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"slices"
	"strings"
	"time"

	"mappe/artefacts/keys"
	"mappe/builders/national"
	"mappe/functions/context/contrib/observers"
	"mappe/functions/families"
	"mappe/localdev/disk"
	"mappe/localdev/listen"
	"mappe/localdev/server"
	"mappe/localdev/state"
	"mappe/localdev/terminal"
	"mappe/shared/cloud/ledger/ledgerurl"
	"mappe/shared/cloud/memlimit"
	"mappe/shared/cloud/nominatim"
	"mappe/shared/cloud/store"
	"mappe/shared/cloud/store/storeurl"
	"mappe/shared/cloud/warmup"
)

// run serves until the context ends.
func (s *serving) run(ctx context.Context, out io.Writer) error {
	if !s.exact && (s.servers || s.s3+s.dynamodb+s.faults != "") {
		return errors.New("--servers, --s3, --dynamodb and --faults are for the functions of --exact")
	}
	if err := s.listen(); err != nil {
		return err
	}
	defer s.listener.Close()
	st, err := s.published(ctx)
	if err != nil {
		return err
	}
	dir, remove, err := state.Place{State: s.state, Data: s.data, Source: s.source}.Directory(out)
	if err != nil {
		return err
	}
	defer remove()
	s.state = dir
	log := s.logger()
	paid, err := startPayments(ctx, dir, log)
	if err != nil {
		return err
	}
	defer paid.close()
	base := "http://" + s.listener.Addr().String()
	config, err := s.config(st, log)
	if err != nil {
		return err
	}
	if config.Web, err = pages(ctx, out); err != nil {
		return err
	}
	warnOfDisks(out, config.Disks)
	stop, err := s.services(ctx, &config, paid, out)
	if err != nil {
		return err
	}
	defer stop()
	stopWork, err := s.background(ctx, &config, out)
	if err != nil {
		return err
	}
	defer stopWork()
	handler, err := s.handler(ctx, config)
	if err != nil {
		return err
	}
	if s.expander != "" {
		alone, err := paid.alone(ctx, s.expander, log)
		if err != nil {
			return err
		}
		fmt.Fprintf(out, "\n  the expander alone: %s/\n", alone)
	}
	printAddresses(out, base, paid.facilitator, config.Web.Bundled())
	if s.ready != nil {
		go s.ready(ctx, base) // requests wait in the listener until they are taken
	}
	return serveUntilDone(ctx, s.listener, handler)
}

// published is the store of the data; one that nothing is published in is refused.
func (s *serving) published(ctx context.Context) (store.Store, error) {
	st, err := storeurl.Open(s.data)
	if err != nil {
		return nil, err
	}
	if _, err := st.Head(ctx, keys.Current{}.String()); errors.Is(err, store.ErrNotFound) {
		return nil, fmt.Errorf("nothing is published in %s yet: run %s build --source DIR --data %s first", s.data, terminal.CommandLine(),
			s.data)
	}
	return st, nil
}

// config is the server's configuration without its services.
func (s *serving) config(st store.Store, log *slog.Logger) (c server.Config, err error) {
	c = server.Config{Store: st, Log: log, Started: time.Now(), Disks: s.disks()}
	if c.Operator, err = s.operators(os.Getenv); err != nil {
		return c, err
	}
	if c.Background, err = s.chosen.parse(); err != nil {
		return c, err
	}
	c.Geocoder, err = nominatim.FromEnvironment(os.Getenv)
	return c, err
}

// stops end what was started, the last first.
type stops []func()

func (s stops) end() {
	for _, stop := range slices.Backward(s) {
		stop()
	}
}

// background starts what works beside the requests: the workers, and what makes KGs ready that requests ask for.
func (s *serving) background(ctx context.Context, config *server.Config, out io.Writer) (stop func(), err error) {
	var begun stops
	defer func() {
		if err != nil {
			begun.end()
		}
	}()
	var source *national.Source
	if s.source != "" {
		if source, err = national.OpenSource(ctx, national.SourceOptions{Dir: s.source}); err != nil {
			return nil, fmt.Errorf("--source: %w", err)
		}
		begun = append(begun, func() { source.Close() }) // read only
	}
	if source != nil || !s.exact { // what may evict can restore, from the archive alone
		config.Warmup, config.RestoreOnly = warmup.NewQueue(ctx, config.Store, config.Log).Ask, source == nil
	}
	if !s.exact {
		stopWorkers, err := s.startWorkers(ctx, source, config)
		if err != nil {
			return nil, err
		}
		begun = append(begun, stopWorkers)
	}
	if config.Warmup != nil {
		begun = append(begun, s.warm(ctx, source, config.Store, out))
	}
	return begun.end, nil
}

// startWorkers does in this process what the template's worker functions do, until stop is called.
func (s *serving) startWorkers(ctx context.Context, source *national.Source, config *server.Config) (stop func(), err error) {
	var begun stops
	for _, start := range []func() (func(), error){
		func() (func(), error) { return s.startExports(ctx, config) },
		func() (func(), error) { return s.startTasks(ctx, config) },
		func() (func(), error) { return s.startProcessing(ctx, source, config) },
		func() (func(), error) { return s.startLandscape(ctx, config) },
	} {
		end, err := start()
		if err != nil {
			begun.end()
			return nil, err
		}
		begun = append(begun, end)
	}
	return begun.end, nil
}

// disks are the directories that the server writes.
func (s *serving) disks() []server.Disk {
	list := []server.Disk{{Name: "state", Dir: s.state}}
	if !strings.Contains(s.data, "://") {
		list = append(list, server.Disk{Name: "data", Dir: s.data})
	}
	return list
}

// warnOfDisks says in a line each which directories cannot be written. What is there is served all the same.
func warnOfDisks(out io.Writer, disks []server.Disk) {
	for _, d := range disks {
		if disk.Writable(d.Dir) != nil {
			fmt.Fprintf(out, "\n  warning: the directory of the %s, %s, cannot be written (full disk, read-only, or its rights): what is there is served, nothing is built or recorded\n", d.Name, d.Dir)
		}
	}
}

// handler is the server, behind the limit of client addresses with --limits.
func (s *serving) handler(ctx context.Context, config server.Config) (http.Handler, error) {
	h, err := server.New(ctx, config)
	if err == nil && s.limits && !s.exact { // functions hold to it themselves
		h = limited(h, families.All(families.Deps{}), rateOf)
	}
	return h, err
}

func (s *serving) logger() *slog.Logger {
	level := slog.LevelWarn
	if s.verbose {
		level = slog.LevelInfo
	}
	return slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: level}))
}

// services puts into a server's configuration what answers: the functions of the template with --exact, else the
// services of this process with their ledger. stop ends them.
func (s *serving) services(ctx context.Context, config *server.Config, paid *payments, out io.Writer) (stop func(), err error) {
	base := "http://" + s.listener.Addr().String()
	if s.exact {
		return s.exactFunctions(ctx, config, paid.parameters(base), out)
	}
	gate, err := paid.open(ctx, config.Log)
	if err != nil {
		return nil, err
	}
	config.Expander = gate.Deps(config.Expander)
	work, err := state.OpenWorkLog(ctx, state.Ledger(s.state))
	if err != nil {
		return nil, err
	}
	config.Work.Log = work.Log
	books, err := openBooks(ctx, s.state, base+"/books", config.Log)
	if err != nil {
		return nil, errors.Join(err, work.Close())
	}
	config.Books = books.deps()
	reports, err := ledgerurl.Open(ctx, state.Ledger(s.state))
	if err != nil {
		return nil, errors.Join(err, books.Close(), work.Close())
	}
	config.Feedback, config.Observers = reports, observers.New(reports, nil)
	end := books.start(ctx, config.Log)
	return func() {
		end()
		reports.Close()
		books.Close()
		work.Close()
	}, nil
}

// serveUntilDone serves until the context ends, then lets running requests finish.
func serveUntilDone(ctx context.Context, l net.Listener, h http.Handler) error {
	defer memlimit.Server()()
	srv := listen.New(h, listen.Limits{})
	failed := make(chan error, 1)
	go func() { failed <- srv.Serve(l) }()
	select {
	case err := <-failed:
		return err
	case <-ctx.Done():
	}
	grace, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer cancel()
	if err := srv.Shutdown(grace); err != nil && !errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return nil
}

func printAddresses(out io.Writer, base, facilitator string, pages bool) {
	fmt.Fprintf(out, "\n  Mappe is served on this machine. Stop with Ctrl-C.\n\n")
	for _, line := range [][2]string{
		{"all services", base + "/"},
		{"map", base + "/map"},
		{"cadastre", base + "/cadastre/docs"},
		{"context", base + "/context/docs"},
		{"landscape", base + "/landscape/docs"},
		{"expander", base + "/expander/"},
		{"work", base + "/workfeed/hq/work"},
		{"books", base + "/books/"},
		{"models (MCP)", base + "/mcp"},
		{"artefacts", base + "/artefacts/current.json"},
		{"health", base + "/healthz"},
		{"test money", facilitator + "/supported"},
	} {
		if line[0] == "map" && !pages {
			continue
		}
		fmt.Fprintf(out, "  %-14s %s\n", line[0], line[1])
	}
	fmt.Fprintln(out)
}
