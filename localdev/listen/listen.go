// Package listen serves HTTP on this machine to whoever asks, and drops who asks without reading or sends
// without end: bounds on how long a connection may stand still, none on how long an honest transfer takes.
// The local cloud, its buckets and the test facilitator are served by it.
package listen

import (
	"io"
	"net"
	"net/http"
	"time"
)

// Limits of a connection; zero values take the defaults.
type Limits struct {
	Header time.Duration // until a request's headers are there: 10 s
	Idle   time.Duration // between two requests: 2 min
	Stall  time.Duration // in which one piece of a body is taken or sent: 30 s
}

// piece is what a client takes or sends within Stall. The system lets a writer go on when about a third of
// its buffer is free again, and would let the buffer grow to megabytes, which a slow client does not take in
// the time: with this one, 6 KiB a second are enough.
const (
	piece  = 64 << 10
	buffer = 256 << 10
)

// Server serves a handler with limits.
type Server struct {
	*http.Server
	stall time.Duration
}

// New is a server that Serve starts.
func New(h http.Handler, l Limits) *Server {
	l = l.withDefaults()
	return &Server{&http.Server{Handler: steady(h, l.Stall), ReadHeaderTimeout: l.Header, IdleTimeout: l.Idle}, l.Stall}
}

// Serve serves on a listener until the server is closed.
func (s *Server) Serve(l net.Listener) error { return s.Server.Serve(listener{l, s.stall}) }

func (l Limits) withDefaults() Limits {
	for _, d := range []struct {
		value    *time.Duration
		fallback time.Duration
	}{{&l.Header, 10 * time.Second}, {&l.Idle, 2 * time.Minute}, {&l.Stall, 30 * time.Second}} {
		if *d.value == 0 {
			*d.value = d.fallback
		}
	}
	return l
}

type listener struct {
	net.Listener
	stall time.Duration
}

func (l listener) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	if tcp, ok := c.(*net.TCPConn); ok {
		_ = tcp.SetWriteBuffer(buffer) // without it a slow client has to be faster
	}
	return &conn{c, l.stall}, nil
}

// conn gives each piece of what is written its own deadline. The deadlines of reading are the server's.
type conn struct {
	net.Conn
	stall time.Duration
}

// Write implements net.Conn.
func (c *conn) Write(p []byte) (n int, err error) {
	for {
		if err := c.SetWriteDeadline(time.Now().Add(c.stall)); err != nil {
			return n, err
		}
		wrote, err := c.Conn.Write(p[:min(len(p), piece)])
		n, p = n+wrote, p[wrote:]
		if err != nil || len(p) == 0 {
			return n, err
		}
	}
}

// steady gives each piece of a request's body its own deadline.
func steady(h http.Handler, stall time.Duration) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Body != nil && r.Body != http.NoBody {
			b := &body{ReadCloser: r.Body, control: http.NewResponseController(w), stall: stall}
			defer b.rest()
			inner := *r
			inner.Body = b
			r = &inner
		}
		h.ServeHTTP(w, r)
	})
}

type body struct {
	io.ReadCloser
	control *http.ResponseController
	stall   time.Duration
}

// Read implements io.Reader.
func (b *body) Read(p []byte) (int, error) {
	_ = b.control.SetReadDeadline(time.Now().Add(b.stall)) // a recorder of a test has none
	return b.ReadCloser.Read(p[:min(len(p), piece)])
}

// rest bounds what the server itself reads of a body that the handler has left.
func (b *body) rest() { _ = b.control.SetReadDeadline(time.Now().Add(b.stall)) }
