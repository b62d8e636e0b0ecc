package peer

import (
	"context"
	"crypto/tls"
	"errors"
	"net"
	"net/http"
	"sync"
	"time"

	"connectrpc.com/connect"
	"github.com/libp2p/go-libp2p/core/network"
	"github.com/libp2p/go-libp2p/core/peer"

	"mappe/localdev/node/api/p2p/v1alpha/p2pconnect"
)

const (
	// maxMessage is the most bytes of a message between nodes.
	maxMessage = 8 << 20
	// maxCalls is how many calls of peers are answered at a time, and maxCallsEach how many of one: each may hold a message.
	maxCalls, maxCallsEach = 32, 4
	// messageTime is how long the message of a call may take to come.
	messageTime = time.Minute
)

// conn is a stream as a network connection.
type conn struct{ network.Stream }

func (c conn) LocalAddr() net.Addr  { return addr(c.Conn().LocalPeer()) }
func (c conn) RemoteAddr() net.Addr { return addr(c.Conn().RemotePeer()) }

// Close ends the stream in both directions: a reset frees it where the peer does not read to its end.
func (c conn) Close() error {
	err := c.CloseWrite()
	return errors.Join(err, c.Reset())
}

type addr peer.ID

func (a addr) Network() string { return "libp2p" }
func (a addr) String() string  { return peer.ID(a).String() }

// listener gives the streams of the protocol of nodes as connections.
type listener struct {
	host *Host
	came chan net.Conn
	end  func()
	done chan struct{}
}

func (l *listener) Accept() (net.Conn, error) {
	select {
	case c := <-l.came:
		return c, nil
	case <-l.done:
		return nil, net.ErrClosed
	}
}

func (l *listener) Close() error   { l.end(); return nil }
func (l *listener) Addr() net.Addr { return addr(l.host.ID()) }

type callerKey struct{}

// caller is the peer that calls a method.
func caller(ctx context.Context) peer.ID {
	id, _ := ctx.Value(callerKey{}).(peer.ID)
	return id
}

// services are those of nodes.
func (h *Host) services() http.Handler {
	mux := http.NewServeMux()
	options := []connect.HandlerOption{connect.WithReadMaxBytes(maxMessage)}
	mux.Handle(p2pconnect.NewSyncingHandler(syncing{h}, options...))
	mux.Handle(p2pconnect.NewP2PHandler(known{h}, options...))
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		err := connect.NewError(connect.CodeUnimplemented, errors.New(r.URL.Path+" is not served by this node"))
		_ = connect.NewErrorWriter().Write(w, r, err) // the peer has gone, else
	})
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		id := caller(r.Context())
		if !h.calls.begin(id) {
			err := connect.NewError(connect.CodeResourceExhausted, errors.New("other calls are being answered: try again"))
			_ = connect.NewErrorWriter().Write(w, r, err) // the peer has gone, else
			return
		}
		defer h.calls.end(id)
		_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(messageTime)) // HTTP/2, which is all that is served, has it
		mux.ServeHTTP(w, r)
	})
}

// serve answers on the protocol's streams, and gives what ends it.
func (h *Host) serve(services http.Handler) (end func() error) {
	l := &listener{host: h, came: make(chan net.Conn), done: make(chan struct{})}
	l.end = sync.OnceFunc(func() { close(l.done) })
	h.host.SetStreamHandler(h.protocol, func(s network.Stream) {
		select {
		case l.came <- conn{s}:
		case <-l.done:
			_ = s.Reset()
		}
	})
	server := &http.Server{Handler: services, Protocols: clearHTTP2(), ReadHeaderTimeout: 30 * time.Second, IdleTimeout: 2 * time.Minute,
		ConnContext: func(ctx context.Context, c net.Conn) context.Context {
			return context.WithValue(ctx, callerKey{}, c.(conn).Conn().RemotePeer())
		}}
	go func() { _ = server.Serve(l) }() // it ends with ErrServerClosed
	return func() error {
		h.host.RemoveStreamHandler(h.protocol)
		l.end()
		return server.Close()
	}
}

// clearHTTP2 is HTTP/2 without TLS: a stream is encrypted by what carries it.
func clearHTTP2() *http.Protocols {
	p := &http.Protocols{}
	p.SetUnencryptedHTTP2(true)
	return p
}

// client calls the services of a peer that is connected; end frees the stream.
func (h *Host) client(id peer.ID) (c connect.HTTPClient, end func()) {
	t := &http.Transport{Protocols: clearHTTP2(), TLSClientConfig: &tls.Config{MinVersion: tls.VersionTLS13},
		DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
			s, err := h.host.NewStream(network.WithNoDial(ctx, "connected before"), id, h.protocol)
			if err != nil {
				return nil, err
			}
			return conn{s}, nil
		}}
	return &http.Client{Transport: t}, t.CloseIdleConnections
}
