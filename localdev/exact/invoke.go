package exact

import (
	"context"
	"io"
	"net"
	"net/http"
	"strings"
	"time"
)

// maxAsyncEvent is what Lambda takes of an asynchronous event.
const maxAsyncEvent = 256 << 10

// startInvokeAPI serves the one operation of the Lambda API that functions use: Invoke with the invocation
// type Event. Who may invoke whom (IAM) is not emulated, nor the
// clock of schedules (Fire).
func (e *Edge) startInvokeAPI(ctx context.Context) (address string, err error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /2015-03-31/functions/{name}/invocations", func(w http.ResponseWriter, r *http.Request) {
		e.invokeAsync(ctx, w, r)
	})
	server := &http.Server{Handler: mux, ReadHeaderTimeout: 10 * time.Second}
	go server.Serve(l)
	context.AfterFunc(ctx, func() { server.Close() })
	return "http://" + l.Addr().String(), nil
}

// invokeAsync takes an event and answers before it is run.
func (e *Edge) invokeAsync(ctx context.Context, w http.ResponseWriter, r *http.Request) {
	var run *runner
	for name, one := range e.runners {
		if "local-"+strings.ToLower(name) == r.PathValue("name") {
			run = one
		}
	}
	payload, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxAsyncEvent))
	switch {
	case run == nil:
		refuse(w, http.StatusNotFound, "Function not found: "+r.PathValue("name"))
	case r.Header.Get("X-Amz-Invocation-Type") != "Event" || !strings.HasPrefix(r.Header.Get("Authorization"), "AWS4-HMAC-SHA256 "):
		refuse(w, http.StatusBadRequest, "only signed requests with X-Amz-Invocation-Type: Event are emulated")
	case err != nil:
		refuse(w, http.StatusRequestEntityTooLarge, "an event has at most 256 KB")
	default:
		w.WriteHeader(http.StatusAccepted)
		go run.event(ctx, payload)
		if e.faults.Load().Twice { // at least once is what Lambda promises
			e.injected.twice.Add(1)
			go run.event(ctx, payload)
		}
	}
}

// asyncRetry are the pauses before Lambda runs a failed event again; in the cloud they are minutes.
var asyncRetry = []time.Duration{time.Second, 2 * time.Second}

// event runs an event that nobody waits for, up to three times.
func (r *runner) event(ctx context.Context, payload []byte) {
	for try := 0; ; try++ {
		err := r.once(ctx, payload)
		if err == nil || ctx.Err() != nil {
			return
		}
		r.tally(func(s *Stats) { s.Failed++ })
		r.log.Error("an event failed", "function", r.Name, "try", try+1, "error", err)
		if try == len(asyncRetry) {
			return
		}
		select {
		case <-time.After(asyncRetry[try]):
		case <-ctx.Done():
			return
		}
	}
}

func (r *runner) once(ctx context.Context, payload []byte) error {
	p, err := r.acquire(ctx)
	if err != nil {
		return err
	}
	defer r.release(p)
	r.tally(func(s *Stats) { s.Invocations++ })
	inv := newInvocation(event{requestID(), payload}, r.timeout())
	inv.plain = true
	defer r.watch(p, inv)()
	return p.invoke(inv).err
}
