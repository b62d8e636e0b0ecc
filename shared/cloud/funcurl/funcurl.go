// Package funcurl serves an http.Handler from a Lambda Function URL with response streaming. It turns
// the event into the request a net/http server would have read and the handler's answer into the stream.
//
// It exists because a broken answer must look broken: a handler that panics before its first byte is
// answered 500, one that panics later breaks the connection by the error trailer, so that no client takes
// half a document for a whole one. Requests that did not come through the CDN are refused: they lack the
// secret that it adds in the X-Origin-Verify header.
//
// Programs are built with -tags lambda.norpc.
package funcurl

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"os"
	"runtime/debug"
	"sync/atomic"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-lambda-go/lambda"
	"github.com/aws/aws-lambda-go/lambdacontext"
)

// Main is the whole of a function's main: it opens the handler and serves it until the environment is
// taken down. The process ends with the reason in its log when the handler cannot be opened or the
// secrets of the environment (see SecretsFromEnvironment) cannot be used.
func Main(open func(ctx context.Context, log *slog.Logger) (http.Handler, error)) {
	log := lambdacontext.NewLogger()
	slog.SetDefault(log)
	secrets, err := SecretsFromEnvironment(os.Getenv)
	var h http.Handler
	if err == nil {
		h, err = open(context.Background(), log)
	}
	if err != nil {
		log.Error("not started", "error", err)
		os.Exit(1)
	}
	lambda.Start(Wrap(h, secrets, log))
}

// Start is Main for a handler that needs no opening.
func Start(h http.Handler) {
	Main(func(context.Context, *slog.Logger) (http.Handler, error) { return h, nil })
}

// Wrap is the handler as a Lambda function. It is safe for concurrent invocations.
func Wrap(h http.Handler, secrets Secrets, log *slog.Logger) func(context.Context, *events.LambdaFunctionURLRequest) (*events.LambdaFunctionURLStreamingResponse, error) {
	a := &adapter{handler: h, secrets: secrets, log: log}
	return a.invoke
}

type adapter struct {
	handler http.Handler
	secrets Secrets
	log     *slog.Logger
	warm    atomic.Bool // an invocation came before
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
		a.log.WarnContext(ctx, "refused", "error", err)
		return whole(http.StatusBadRequest, "the request cannot be read: "+err.Error(), id), nil
	}
	if !a.secrets.admit(r.Header) {
		a.log.WarnContext(ctx, "refused", "error", "no accepted origin secret", "path", r.URL.Path, "source", event.RequestContext.HTTP.SourceIP)
		return whole(http.StatusForbidden, "ask through the public address of the service", id), nil
	}
	body, pipe := io.Pipe()
	w := newWriter(pipe, r.Method)
	w.header.Set("X-Request-Id", id)
	go func() {
		failure := a.serve(ctx, w, r, id)
		if w.route == "" {
			w.route = r.Pattern // of a handler that is a plain ServeMux
		}
		a.log.InfoContext(ctx, "request", "method", r.Method, "route", w.route, "status", w.status, "bytes", w.sent,
			"ms", time.Since(started).Milliseconds(), "generation", w.generation, "cold", cold)
		pipe.CloseWithError(failure) // nil ends the stream as complete
	}()
	head := <-w.head
	return &events.LambdaFunctionURLStreamingResponse{StatusCode: head.status, Headers: head.headers, Cookies: head.cookies, Body: body}, nil
}

// errBroken reaches the runtime as the error trailer: its text is not sent to the client.
var errBroken = errors.New("the handler failed after the answer had begun")

// serve runs the handler and says whether the stream must be broken.
func (a *adapter) serve(ctx context.Context, w *writer, r *http.Request, id string) (failure error) {
	defer func() {
		if cause := recover(); cause != nil {
			if cause != http.ErrAbortHandler {
				a.log.ErrorContext(ctx, "panic", "cause", cause, "stack", string(debug.Stack()))
			}
			failure = errBroken
			if w.discard() {
				failure = w.fail(id)
			}
		}
	}()
	a.handler.ServeHTTP(w, r)
	return w.finish()
}
