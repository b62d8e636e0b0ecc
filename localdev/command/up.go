package command

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"mappe/artefacts/keys"
	"mappe/builders/national"
	"mappe/localdev/listen"
	"mappe/localdev/server"
	"mappe/shared/cloud/clientlimit"
	"mappe/shared/cloud/store"
	"mappe/shared/cloud/store/storeurl"
	"mappe/shared/cloud/warmup"
)

// serving is what up and start need to serve.
type serving struct {
	data, addr string
	source     string
	state      string // where payments, work feed and books are kept; "": beside the data
	exact      bool
	limits     bool
	verbose    bool
	listener   net.Listener                           // nil: run makes it
	expander   string                                 // address of the expander alone; "": none
	ready      func(ctx context.Context, base string) // called once requests are taken; nil: nothing
}

func upCommand() *cobra.Command {
	var s serving
	c := &cobra.Command{
		Use:   "up --data DIR",
		Short: "Serve every service, the artefacts and the map page on one address",
		Long: `Serve every service under its prefix, the artefacts under /artefacts with the CDN's headers, and the map page.

With --exact the functions of template.yaml run as they run in the cloud: their real bootstrap binaries,
each one invocation at a time through the Lambda Runtime API, behind the template's limits.

With --source a KG that is known and not built yet is built when a request touches it: the answer says that
it is warming, and some seconds later the same request has its rows.`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return s.run(c.Context(), c.OutOrStdout()) },
	}
	s.flags(c)
	c.Flags().StringVar(&s.data, "data", "", "published artefacts: a directory, or s3://bucket/prefix")
	_ = c.MarkFlagRequired("data") // the flag exists: it is declared one line above
	_ = c.MarkFlagDirname("data")
	c.Flags().StringVar(&s.source, "source", "", "directory of raw sources: build the KGs that requests ask for")
	_ = c.MarkFlagDirname("source")
	return c
}

func (s *serving) flags(c *cobra.Command) {
	c.Flags().StringVar(&s.addr, "addr", "127.0.0.1:8080", "address to listen on")
	c.Flags().BoolVar(&s.exact, "exact", false, "run the real bootstraps of template.yaml through the Lambda Runtime API")
	c.Flags().BoolVar(&s.limits, "limits", false, "hold each client address to 20 requests a second, as the cloud does")
	c.Flags().StringVar(&s.state, "state", "", "directory for payments, work feed and books (default: --data)")
	c.Flags().StringVar(&s.expander, "expander", "", "serve the expander alone on this address too, as payment catalogues want it: 127.0.0.1:8402")
	c.Flags().BoolVar(&s.verbose, "verbose", false, "log every request")
	_ = c.MarkFlagDirname("state") // the flag exists: it is declared above
}

// listen takes the address, unless it is taken already.
func (s *serving) listen() (err error) {
	if s.listener == nil {
		if s.listener, err = net.Listen("tcp", s.addr); err != nil {
			return fmt.Errorf("cannot listen on %s: %w (another address: --addr 127.0.0.1:PORT)", s.addr, err)
		}
	}
	return nil
}

func (s *serving) run(ctx context.Context, out io.Writer) error {
	if err := s.listen(); err != nil {
		return err
	}
	defer s.listener.Close()
	level := slog.LevelWarn
	if s.verbose {
		level = slog.LevelInfo
	}
	log := slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: level}))
	st, err := storeurl.Open(s.data)
	if err != nil {
		return err
	}
	if _, err := st.Head(ctx, keys.Current{}.String()); errors.Is(err, store.ErrNotFound) {
		return fmt.Errorf("nothing is published in %s yet: run %s build --source DIR --data %s first", s.data, commandLine(), s.data)
	}
	state, remove, err := s.place(out)
	if err != nil {
		return err
	}
	defer remove()
	s.state = state
	config := server.Config{Store: st, Web: webDir(), Log: log, Started: time.Now()}
	base := "http://" + s.listener.Addr().String()
	paid, err := startPayments(ctx, state, log)
	if err != nil {
		return err
	}
	defer paid.close()
	if s.exact {
		config.Functions, err = s.exactFunctions(ctx, state, paid.parameters(base), log, out)
		if err != nil {
			return err
		}
	} else {
		gate, err := paid.open(ctx, log)
		if err != nil {
			return err
		}
		config.Expander = gate.Deps(config.Expander)
		work, err := openWork(ctx, state)
		if err != nil {
			return err
		}
		defer work.Close()
		config.Work.Log = work.Log
		service, err := openBooks(ctx, state, base+"/books", log)
		if err != nil {
			return err
		}
		defer service.Close()
		config.Books = service.deps()
		defer service.start(ctx)()
	}
	var warmer *national.Warmer
	if s.source != "" {
		if warmer, err = s.warmer(ctx, st, out); err != nil {
			return err
		}
		config.Warmup = warmup.NewQueue(ctx, st, log).Ask
	}
	handler, err := server.New(ctx, config)
	if err != nil {
		return err
	}
	if s.limits && !s.exact { // functions hold to it themselves
		handler = limited(handler, clientlimit.New(clientlimit.Rate{PerSecond: 20, Burst: 60}))
	}
	if warmer != nil {
		stopped := make(chan struct{})
		go func() {
			warmer.Loop(ctx, s.warmupPoll())
			close(stopped)
		}()
		defer func() { <-stopped }() // a build ends with the context; what it has written stays of use
	}
	if s.expander != "" {
		alone, err := paid.alone(ctx, s.expander, log)
		if err != nil {
			return err
		}
		fmt.Fprintf(out, "\n  the expander alone: %s/\n", alone)
	}
	printAddresses(out, base, paid.facilitator)
	if s.ready != nil {
		go s.ready(ctx, base) // requests wait in the listener until they are taken
	}
	return serveUntilDone(ctx, s.listener, handler)
}

// warmer builds what requests ask for and tells about it.
func (s *serving) warmer(ctx context.Context, st store.Store, out io.Writer) (*national.Warmer, error) {
	source, err := national.OpenSource(ctx, national.SourceOptions{Dir: s.source})
	if err != nil {
		return nil, fmt.Errorf("--source: %w", err)
	}
	log := slog.New(slog.NewTextHandler(out, nil))
	return &national.Warmer{Store: st, Source: source, Jobs: 1, Now: time.Now, Log: log}, nil
}

// warmupPoll is how often warm-up requests are looked for: a listing of a directory costs nothing, one of a bucket is
// a request.
func (s *serving) warmupPoll() time.Duration {
	if strings.Contains(s.data, "://") {
		return 15 * time.Second
	}
	return time.Second
}

// serveUntilDone serves until the context ends, then lets running requests finish.
func serveUntilDone(ctx context.Context, l net.Listener, h http.Handler) error {
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

// limited holds each client address to a rate, other paths than the artefacts', which the CDN serves by itself.
func limited(h http.Handler, l *clientlimit.Limiter) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, "/artefacts/") {
			h.ServeHTTP(w, r)
			return
		}
		client, _ := netip.ParseAddrPort(r.RemoteAddr) // one that cannot be read is not limited
		if wait := l.Take(client.Addr(), time.Now()); wait > 0 {
			for name, value := range l.Headers(wait) {
				w.Header().Set(name, value)
			}
			w.Header().Set("Content-Type", "application/json")
			w.Header().Set("Cache-Control", "no-store")
			w.WriteHeader(http.StatusTooManyRequests)
			_ = json.NewEncoder(w).Encode(map[string]any{"error": l.Message(wait), "status": http.StatusTooManyRequests}) // a client that has left
			return
		}
		h.ServeHTTP(w, r)
	})
}

func printAddresses(out io.Writer, base, facilitator string) {
	fmt.Fprintf(out, "\n  Mappe is served on this machine. Stop with Ctrl-C.\n\n")
	for _, line := range [][2]string{
		{"all services", base + "/"},
		{"map", base + "/map"},
		{"cadastre", base + "/cadastre/docs"},
		{"context", base + "/context/docs"},
		{"expander", base + "/expander/"},
		{"work", base + "/workfeed/hq/work"},
		{"books", base + "/books/"},
		{"artefacts", base + "/artefacts/current.json"},
		{"health", base + "/healthz"},
		{"test money", facilitator + "/supported"},
	} {
		fmt.Fprintf(out, "  %-14s %s\n", line[0], line[1])
	}
	fmt.Fprintln(out)
}
