// Package funcurl serves an http.Handler from a Lambda Function URL with response streaming. It turns
// the event into the request a net/http server would have read and the handler's answer into the stream.
//
// It exists because a broken answer must look broken: a handler that panics before its first byte is
// answered 500, one that panics later breaks the connection by the error trailer, so that no client takes
// half a document for a whole one. Requests that did not come through the CDN are refused: they lack the
// secret that it adds in the X-Origin-Verify header. What came through it carries the client's address in
// X-Viewer-Address, which the CDN sets: addresses are held to a rate. A reader who does not take the answer
// cannot keep the function busy.
//
// Programs are built with -tags lambda.norpc.
package funcurl

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"net/netip"
	"os"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-lambda-go/lambda"
	"github.com/aws/aws-lambda-go/lambdacontext"

	"mappe/shared/cloud/clientlimit"
	"mappe/shared/cloud/secret"
)

// ClientLimit is the variable with the rate of a client address (package clientlimit), for example 20/60;
// unset or empty: no limit.
const ClientLimit = "MAPPE_CLIENT_LIMIT"

// ViewerHeader carries the client's address. A function of the CDN sets it on every request, over whatever a
// client has sent; it is believed because the secret came with it. CloudFront-Viewer-Address cannot be asked
// for beside a policy that keeps back Host, which Function URLs need.
const ViewerHeader = "X-Viewer-Address"

// Main is the whole of a function's main: it opens the handler, reads the secrets meanwhile and serves until
// the environment is taken down. The process ends with the reason in its log when the handler cannot be
// opened or the environment (SecretsFromEnvironment, ClientLimit, ReaderGrace) cannot be used.
func Main(open func(ctx context.Context, log *slog.Logger) (http.Handler, error)) {
	log := lambdacontext.NewLogger()
	slog.SetDefault(log)
	c, err := configured(os.Getenv, log)
	if err == nil {
		var group sync.WaitGroup
		group.Go(func() { c.Secrets.warm(context.Background()) })
		c.Handler, err = open(context.Background(), log)
		group.Wait()
	}
	if err != nil {
		log.Error("not started", "error", err)
		os.Exit(1)
	}
	lambda.Start(Wrap(c))
}

func configured(getenv func(string) string, log *slog.Logger) (c Config, err error) {
	c.Log = log
	if c.Secrets, err = SecretsFromEnvironment(getenv); err != nil {
		return c, err
	}
	c.Secrets.logTo(log)
	rate, err := clientlimit.Parse(getenv(ClientLimit))
	if err != nil {
		return c, fmt.Errorf("%s: %w", ClientLimit, err)
	}
	c.Limit = clientlimit.New(rate)
	if text := getenv(ReaderGrace); text != "" {
		if c.Grace, err = time.ParseDuration(text); err != nil || c.Grace <= 0 {
			return c, fmt.Errorf("%s=%q: want a duration, for example 10s", ReaderGrace, text)
		}
	}
	c.exit = func() { os.Exit(1) }
	return c, nil
}

// Config is what a function is made of.
type Config struct {
	Handler http.Handler
	Secrets *Secrets
	Limit   *clientlimit.Limiter // nil: none
	Log     *slog.Logger
	Grace   time.Duration // how long a reader may stall; 0: readerGrace
	exit    func()        // ends the process; nil: it is left running
}

// Wrap is the handler as a Lambda function. It is safe for concurrent invocations.
func Wrap(c Config) func(context.Context, *events.LambdaFunctionURLRequest) (*events.LambdaFunctionURLStreamingResponse, error) {
	c.Grace = cmp.Or(c.Grace, readerGrace)
	a := &adapter{Config: c}
	return a.invoke
}

type adapter struct {
	Config
	warm atomic.Bool // an invocation came before
}

// invoke starts the handler and returns as soon as the first bytes of the answer are there.
func (a *adapter) invoke(ctx context.Context, event *events.LambdaFunctionURLRequest) (*events.LambdaFunctionURLStreamingResponse, error) {
	started, cold := time.Now(), !a.warm.Swap(true)
	id := event.RequestContext.RequestID
	if lc, ok := lambdacontext.FromContext(ctx); ok && lc.AwsRequestID != "" {
		id = lc.AwsRequestID
	}
	r, err := request(ctx, event, id)
	if err != nil {
		a.Log.WarnContext(ctx, "refused", "reason", "unreadable", "error", err)
		return whole(http.StatusBadRequest, "the request cannot be read: "+err.Error(), id), nil
	}
	if answer := a.entrance(ctx, r, id); answer != nil {
		return answer, nil
	}
	out, pipe := io.Pipe()
	body := &answerBody{PipeReader: out, closed: make(chan struct{})}
	w := newWriter(pipe, r.Method, a.Grace)
	w.header.Set("X-Request-Id", id)
	go func() {
		failure := a.serve(ctx, w, r, id)
		if w.route == "" {
			w.route = r.Pattern // of a handler that is a plain ServeMux
		}
		a.Log.InfoContext(ctx, "request", "method", r.Method, "route", w.route, "status", w.status, "bytes", w.sent,
			"ms", time.Since(started).Milliseconds(), "generation", w.generation, "cold", cold)
		pipe.CloseWithError(failure) // nil ends the stream as complete
		if w.reader.stalled.Load() {
			a.leave(ctx, body)
		}
	}()
	head := <-w.head
	return &events.LambdaFunctionURLStreamingResponse{StatusCode: head.status, Headers: head.headers, Cookies: head.cookies, Body: body},
		nil
}

// entrance is the answer to a request that no handler sees, nil for one that is let in. The remote address
// of a request that is let in is the client's.
func (a *adapter) entrance(ctx context.Context, r *http.Request, id string) *events.LambdaFunctionURLStreamingResponse {
	switch a.Secrets.admit(ctx, r.Header) {
	case secret.Refused:
		a.Log.WarnContext(ctx, "refused", "reason", "origin_secret", "error", "no accepted origin secret", "path", r.URL.Path, "source",
			r.RemoteAddr)
		return whole(http.StatusForbidden, "ask through the public address of the service", id)
	case secret.Undecided:
		answer := whole(http.StatusServiceUnavailable, "the service cannot read its configuration; ask again", id)
		answer.Headers["Retry-After"] = "2"
		return answer
	}
	client, err := netip.ParseAddr(r.Header.Get(ViewerHeader))
	r.Header.Del(ViewerHeader)
	if err == nil {
		r.RemoteAddr = netip.AddrPortFrom(client, 0).String()
	}
	if r.Method == http.MethodOptions { // a preflight costs nothing
		return nil
	}
	wait := a.Limit.Take(client, time.Now())
	if wait == 0 {
		return nil
	}
	a.Log.InfoContext(ctx, "refused", "reason", "client_limit", "path", r.URL.Path)
	answer := whole(http.StatusTooManyRequests, a.Limit.Message(wait), id)
	maps.Copy(answer.Headers, a.Limit.Headers(wait))
	answer.Headers["Access-Control-Expose-Headers"] = "Retry-After, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, X-Request-Id"
	return answer
}

// answerBody tells when the runtime has done with an answer.
type answerBody struct {
	*io.PipeReader
	once   sync.Once
	closed chan struct{}
}

// Close implements io.Closer.
func (b *answerBody) Close() error {
	b.once.Do(func() { close(b.closed) })
	return b.PipeReader.Close()
}

// leave ends the process where the runtime still cannot send: nothing else takes back what stands in its
// connection, and until it is gone the invocation lasts.
func (a *adapter) leave(ctx context.Context, body *answerBody) {
	a.Log.WarnContext(ctx, "the reader has stalled", "grace", a.Grace.String())
	select {
	case <-body.closed:
	case <-time.After(a.Grace / 5):
		if a.exit != nil {
			a.Log.ErrorContext(ctx, "the process ends: its answer is not taken")
			a.exit()
		}
	}
}

// errBroken reaches the runtime as the error trailer: its text is not sent to the client.
var errBroken = errors.New("the handler failed after the answer had begun")

// serve runs the handler and says whether the stream must be broken.
func (a *adapter) serve(ctx context.Context, w *writer, r *http.Request, id string) (failure error) {
	defer func() {
		if cause := recover(); cause != nil {
			if cause != http.ErrAbortHandler {
				a.Log.ErrorContext(ctx, "panic", "cause", cause, "stack", string(debug.Stack()))
			}
			failure = errBroken
			if w.discard() {
				failure = w.fail(id)
			}
		}
	}()
	a.Handler.ServeHTTP(w, r)
	return w.finish()
}
