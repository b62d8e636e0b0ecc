package load

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"
	"time"

	"golang.org/x/sys/unix"
)

// polled is one kept-alive connection of a load that one thread drives for all clients, as pgbench does
// with -j 1: sixteen threads that wake in turn would cost the two processors more than the answers.
type polled struct {
	file *os.File
	fd   int
	out  []byte
	in   []byte // what has come of the answer under way
	sent time.Time
	n    int // number of the request under way
}

func dialPolled(host string) (*polled, error) {
	f, err := dialFile(host)
	if err != nil {
		return nil, err
	}
	fd := int(f.Fd()) // makes it blocking
	if err := unix.SetNonblock(fd, true); err != nil {
		return nil, err
	}
	return &polled{file: f, fd: fd}, nil
}

// send writes a whole request; loads of this kind have requests far smaller than a socket's buffer.
func (p *polled) send(host string, next Request) error {
	method, path, body := next(p.n)
	p.out = appendRequest(p.out[:0], method, host, path, body)
	p.in, p.sent = p.in[:0], time.Now()
	n, err := unix.Write(p.fd, p.out)
	if err == nil && n < len(p.out) {
		err = errors.New("the request did not fit into the socket's buffer")
	}
	return err
}

// receive reads what is there; done when the answer is whole.
func (p *polled) receive(chunk []byte) (bodyBytes int64, done bool, err error) {
	n, err := unix.Read(p.fd, chunk)
	switch {
	case err == unix.EAGAIN || err == unix.EINTR:
		return 0, false, nil
	case err != nil:
		return 0, false, err
	case n == 0:
		return 0, false, errors.New("the server closed the connection")
	}
	p.in = append(p.in, chunk[:n]...)
	return whole(p.in)
}

// checked has the answer looked at. Answers of loads that are checked are not in chunks.
func (p *polled) checked(check Check) error {
	if check == nil {
		return nil
	}
	_, body, _ := bytes.Cut(p.in, []byte("\r\n\r\n"))
	return check(p.n, body)
}

// whole says whether b is one complete answer with a Content-Length or in chunks.
func whole(b []byte) (bodyBytes int64, done bool, err error) {
	head, body, found := bytes.Cut(b, []byte("\r\n\r\n"))
	if !found {
		return 0, false, nil
	}
	if !bytes.HasPrefix(head, []byte("HTTP/1.1 200 ")) {
		line, _, _ := bytes.Cut(head, []byte("\r\n"))
		return 0, false, fmt.Errorf("answer: %s", line)
	}
	if i := bytes.Index(head, []byte("\r\nContent-Length: ")); i >= 0 {
		text, _, _ := bytes.Cut(head[i+len("\r\nContent-Length: "):], []byte("\r\n"))
		n, err := strconv.Atoi(string(text))
		return int64(n), len(body) >= n, err
	}
	if !bytes.HasSuffix(body, []byte("0\r\n\r\n")) {
		return 0, false, nil
	}
	return int64(len(body)), true, nil
}

// Polled is Run with one thread for all clients.
func (l Load) Polled(ctx context.Context) (Result, error) {
	ep, err := unix.EpollCreate1(0)
	if err != nil {
		return Result{}, err
	}
	defer unix.Close(ep)
	conns := map[int32]*polled{}
	for i := range l.Clients {
		p, err := dialPolled(l.Host)
		if err != nil {
			return Result{}, err
		}
		defer p.file.Close()
		p.n = i
		conns[int32(p.fd)] = p
		if err := unix.EpollCtl(ep, unix.EPOLL_CTL_ADD, p.fd, &unix.EpollEvent{Events: unix.EPOLLIN, Fd: int32(p.fd)}); err != nil {
			return Result{}, err
		}
	}
	start := time.Now()
	for _, p := range conns {
		if err := p.send(l.Host, l.Next); err != nil {
			return Result{}, err
		}
	}
	var took []time.Duration
	var size int64
	events, chunk := make([]unix.EpollEvent, l.Clients), make([]byte, 64<<10)
	for time.Since(start) < l.Duration && ctx.Err() == nil {
		n, err := unix.EpollWait(ep, events, 1000)
		if err != nil && err != unix.EINTR {
			return Result{}, err
		}
		for _, e := range events[:max(n, 0)] {
			p := conns[e.Fd]
			k, done, err := p.receive(chunk)
			if err != nil {
				return Result{}, err
			}
			if !done {
				continue
			}
			if err := p.checked(l.Check); err != nil {
				return Result{}, err
			}
			took, size = append(took, time.Since(p.sent)), k
			p.n += l.Clients
			if err := p.send(l.Host, l.Next); err != nil {
				return Result{}, err
			}
		}
	}
	return summary(took, time.Since(start), size)
}
