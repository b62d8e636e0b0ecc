package serve

import (
	"context"
	"io"
	"log/slog"
	"strings"
	"time"

	"mappe/builders/national"
	"mappe/shared/cloud/store"
)

// warm loads what requests ask for, and prints it, until the context ends or stop is called: from the archive, else from the
// source; source is nil without a raw source. stop returns when a build that was under way has ended; what it has written
// stays of use.
func (s *serving) warm(ctx context.Context, source *national.Source, st store.Store, out io.Writer) (stop func()) {
	warmer := &national.Warmer{Store: st, Source: source, Jobs: 1, Now: time.Now, Log: slog.New(slog.NewTextHandler(out, nil)),
		Restore: s.restore}
	ctx, cancel := context.WithCancel(ctx)
	stopped := make(chan struct{})
	go func() {
		warmer.Loop(ctx, s.warmupPoll())
		close(stopped)
	}()
	return func() {
		cancel()
		<-stopped
	}
}

// warmupPoll is how often warm-up requests are looked for: a listing of a directory costs nothing, one of a bucket is
// a request.
func (s *serving) warmupPoll() time.Duration {
	if strings.Contains(s.data, "://") {
		return 15 * time.Second
	}
	return time.Second
}
