package load

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net"
	"os"
	"strconv"
	"syscall"
)

// Conn is one kept-alive HTTP/1.1 connection with a client as lean as PostgreSQL's: it writes a
// request, waits in a blocking read as libpq does, reads the answer to its end and throws it away.
// net/http's client, and waking through Go's poller, cost more than some of the answers measured here.
type Conn struct {
	c   *os.File
	in  *bufio.Reader
	out []byte
}

// dialFile connects without Go's poller.
func dialFile(host string) (*os.File, error) {
	c, err := net.Dial("tcp", host)
	if err != nil {
		return nil, err
	}
	defer c.Close() // the file is a copy of its descriptor
	return c.(*net.TCPConn).File()
}

// Dial connects.
func Dial(host string) (*Conn, error) {
	f, err := dialFile(host)
	if err != nil {
		return nil, err
	}
	if err := syscall.SetNonblock(int(f.Fd()), false); err != nil { // Fd makes it blocking; say so once more
		return nil, err
	}
	return &Conn{c: f, in: bufio.NewReaderSize(blocking(f.Fd()), 256<<10)}, nil
}

// blocking reads a descriptor with plain system calls.
type blocking uintptr

// Read waits for bytes.
func (b blocking) Read(p []byte) (int, error) {
	for {
		n, err := syscall.Read(int(b), p)
		switch {
		case err == syscall.EINTR:
			continue
		case err != nil:
			return 0, err
		case n == 0:
			return 0, io.EOF
		}
		return n, nil
	}
}

func appendRequest(b []byte, method, host, path string, body []byte) []byte {
	b = append(append(append(b, method...), ' '), path...)
	b = append(append(b, " HTTP/1.1\r\nHost: "...), host...)
	if body != nil {
		b = append(b, "\r\nContent-Type: application/json\r\nContent-Length: "...)
		b = strconv.AppendInt(b, int64(len(body)), 10)
	}
	return append(append(b, "\r\n\r\n"...), body...)
}

// Close ends the connection.
func (c *Conn) Close() error { return c.c.Close() }

// Do sends a request and gives the number of body bytes.
func (c *Conn) Do(method, host, path string, body []byte) (int64, error) {
	c.out = appendRequest(c.out[:0], method, host, path, body)
	for rest := c.out; len(rest) > 0; {
		n, err := syscall.Write(int(c.c.Fd()), rest)
		if err != nil && err != syscall.EINTR {
			return 0, err
		}
		rest = rest[max(n, 0):]
	}
	return c.read(path)
}

func (c *Conn) read(path string) (int64, error) {
	line, err := c.in.ReadSlice('\n')
	if err != nil {
		return 0, err
	}
	if !bytes.HasPrefix(line, []byte("HTTP/1.1 200 ")) {
		return 0, fmt.Errorf("%s: %s", path, bytes.TrimSpace(line))
	}
	length, chunked := int64(-1), false
	for {
		if line, err = c.in.ReadSlice('\n'); err != nil {
			return 0, err
		}
		if len(line) <= 2 {
			break
		}
		name, value, _ := bytes.Cut(line, []byte(":"))
		switch {
		case bytes.EqualFold(name, []byte("Content-Length")):
			length, err = strconv.ParseInt(string(bytes.TrimSpace(value)), 10, 64)
		case bytes.EqualFold(name, []byte("Transfer-Encoding")):
			chunked = true
		}
		if err != nil {
			return 0, err
		}
	}
	switch {
	case chunked:
		return c.chunks()
	case length >= 0:
		return io.CopyN(io.Discard, c.in, length)
	}
	return 0, fmt.Errorf("%s: the answer has no length", path)
}

func (c *Conn) chunks() (total int64, err error) {
	for {
		line, err := c.in.ReadSlice('\n')
		if err != nil {
			return total, err
		}
		n, err := strconv.ParseInt(string(bytes.TrimSpace(line)), 16, 64)
		if err != nil {
			return total, err
		}
		if _, err := io.CopyN(io.Discard, c.in, n+2); err != nil { // the chunk and its line end
			return total, err
		}
		if n == 0 {
			return total, nil
		}
		total += n
	}
}
