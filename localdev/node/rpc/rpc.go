// Package rpc serves the network's services over gRPC, gRPC-Web and Connect: what a request says is checked here, and errors of the
// packages below get their status codes here. Methods and services that are not served answer Unimplemented.
package rpc

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"connectrpc.com/connect"
	"connectrpc.com/grpcreflect"

	"mappe/localdev/node/api/daemon/v1alpha/daemonconnect"
	"mappe/localdev/node/api/documents/v3alpha/documentsconnect"
	"mappe/localdev/node/api/networking/v1alpha/networkingconnect"
	"mappe/localdev/node/keystore"
	"mappe/localdev/node/peer"
	"mappe/localdev/node/space"
	"mappe/localdev/node/store"
)

// MaxMessage is the most bytes of a message.
const MaxMessage = 4 << 20

// Server answers the services of a node.
type Server struct {
	Keys    *keystore.Store
	Library *space.Library
	Peers   *peer.Host
	Started time.Time
}

// Services are the names of the services that are served.
var Services = []string{daemonconnect.DaemonName, documentsconnect.DocumentsName, documentsconnect.ResourcesName,
	networkingconnect.NetworkingName}

// Handler serves the services below their names, and reflection.
func (s *Server) Handler() http.Handler {
	mux := http.NewServeMux()
	options := []connect.HandlerOption{connect.WithReadMaxBytes(MaxMessage), connect.WithRecover(recovered)}
	mux.Handle(daemonconnect.NewDaemonHandler(daemonServer{s}, options...))
	mux.Handle(documentsconnect.NewDocumentsHandler(documentServer{s}, options...))
	mux.Handle(documentsconnect.NewResourcesHandler(resourceServer{s}, options...))
	mux.Handle(networkingconnect.NewNetworkingHandler(networkServer{s}, options...))
	reflector := grpcreflect.NewStaticReflector(Services...)
	mux.Handle(grpcreflect.NewHandlerV1(reflector, options...))
	mux.Handle(grpcreflect.NewHandlerV1Alpha(reflector, options...))
	mux.HandleFunc("/", unimplemented)
	return mux
}

// Procedure says whether a request calls a method, of whatever service: POST /package.Service/Method with a message.
func Procedure(r *http.Request) bool {
	kind := r.Header.Get("Content-Type")
	return strings.Count(r.URL.Path, "/") == 2 && strings.Contains(r.URL.Path, ".") &&
		(strings.HasPrefix(kind, "application/grpc") || r.Method == http.MethodPost && strings.HasPrefix(r.URL.Path, "/com.seed."))
}

// unimplemented is the answer of every method that does not exist.
func unimplemented(w http.ResponseWriter, r *http.Request) {
	err := connect.NewError(connect.CodeUnimplemented, fmt.Errorf("%s is not served by this node", r.URL.Path))
	writer := connect.NewErrorWriter()
	if writer.IsSupported(r) {
		_ = writer.Write(w, r, err) // the client has gone, else
		return
	}
	http.NotFound(w, r)
}

// recovered answers for a handler that panicked: the text is logged, the client learns nothing of it.
func recovered(_ context.Context, spec connect.Spec, _ http.Header, cause any) error {
	slog.Error("panic", "method", spec.Procedure, "cause", fmt.Sprint(cause))
	return connect.NewError(connect.CodeInternal, errors.New("internal error"))
}

// refuse is an error of the request.
func refuse(format string, args ...any) error {
	return connect.NewError(connect.CodeInvalidArgument, fmt.Errorf(format, args...))
}

// status gives an error its code. What is not listed is the request's fault.
func status(err error) error {
	var known *connect.Error
	var moved *space.Moved
	if err == nil || errors.As(err, &known) {
		return err
	}
	if errors.As(err, &moved) {
		return redirected(moved)
	}
	for _, c := range codes {
		if errors.Is(err, c.is) {
			return connect.NewError(c.code, err)
		}
	}
	return connect.NewError(connect.CodeInvalidArgument, err)
}

var codes = []struct {
	is   error
	code connect.Code
}{
	{space.ErrBase, connect.CodeFailedPrecondition},
	{space.ErrMissing, connect.CodeFailedPrecondition},
	{space.ErrNotFound, connect.CodeNotFound},
	{space.ErrRight, connect.CodePermissionDenied},
	{store.ErrNotFound, connect.CodeNotFound},
	{store.ErrFull, connect.CodeResourceExhausted},
	{keystore.ErrNoKey, connect.CodeNotFound},
	{keystore.ErrTaken, connect.CodeAlreadyExists},
	{keystore.ErrName, connect.CodeInvalidArgument},
	{peer.ErrUnreachable, connect.CodeUnavailable},
	{peer.ErrIncompatible, connect.CodeFailedPrecondition},
	{peer.ErrForbidden, connect.CodePermissionDenied},
	{peer.ErrNotFound, connect.CodeNotFound},
}
