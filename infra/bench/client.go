package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net"
	"strconv"
)

// conn is one kept-alive HTTP/1.1 connection with a client as lean as PostgreSQL's: it writes a
// request, reads the answer to its end and throws it away. net/http's client costs more than some of
// the answers measured here.
type conn struct {
	c   net.Conn
	in  *bufio.Reader
	out []byte
}

func dial(host string) (*conn, error) {
	c, err := net.Dial("tcp", host)
	if err != nil {
		return nil, err
	}
	return &conn{c: c, in: bufio.NewReaderSize(c, 256<<10)}, nil
}

// do sends a request and gives the number of body bytes.
func (c *conn) do(method, host, path string, body []byte) (int64, error) {
	c.out = append(c.out[:0], method...)
	c.out = append(append(c.out, ' '), path...)
	c.out = append(append(c.out, " HTTP/1.1\r\nHost: "...), host...)
	if body != nil {
		c.out = append(c.out, "\r\nContent-Type: application/json\r\nContent-Length: "...)
		c.out = strconv.AppendInt(c.out, int64(len(body)), 10)
	}
	c.out = append(append(c.out, "\r\n\r\n"...), body...)
	if _, err := c.c.Write(c.out); err != nil {
		return 0, err
	}
	return c.read(path)
}

func (c *conn) read(path string) (int64, error) {
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

func (c *conn) chunks() (total int64, err error) {
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
