package server_test

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strconv"
	"testing"

	"mappe/artefacts/kgfile"
	"mappe/artefacts/kgfile/kgtest"
	"mappe/builders/national"
	"mappe/localdev/server"
	"mappe/shared/cloud/store/mem"
)

// serveLarge is the local cloud over one KG of 19,720 parcels on a port of the loopback interface.
func serveLarge(b *testing.B, log *slog.Logger) (host string, snap *kgfile.Snapshot) {
	b.Helper()
	st := mem.New()
	snap = kgtest.Snapshot(kgtest.Large)
	if _, err := national.PublishSnapshots(context.Background(), st, snap); err != nil {
		b.Fatal(err)
	}
	h, err := server.New(context.Background(), server.Config{Store: st, Log: log})
	if err != nil {
		b.Fatal(err)
	}
	return listen(b, h), snap
}

func listen(b *testing.B, h http.Handler) string {
	b.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		b.Fatal(err)
	}
	s := &http.Server{Handler: h}
	go func() { _ = s.Serve(l) }()
	b.Cleanup(func() { _ = s.Close() })
	return l.Addr().String()
}

// client asks over one connection kept open, with as little of its own work as can be.
type client struct {
	c  net.Conn
	in *bufio.Reader
	b  []byte
}

func dial(b *testing.B, host string) *client {
	b.Helper()
	c, err := net.Dial("tcp", host)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = c.Close() })
	return &client{c: c, in: bufio.NewReaderSize(c, 256<<10)}
}

// get reads one answer to its end and gives the bytes of its body.
func (c *client) get(b *testing.B, path string) int64 {
	c.b = append(append(append(c.b[:0], "GET "...), path...), " HTTP/1.1\r\nHost: x\r\n\r\n"...)
	if _, err := c.c.Write(c.b); err != nil {
		b.Fatal(err)
	}
	line, err := c.in.ReadSlice('\n')
	if err != nil || !bytes.HasPrefix(line, []byte("HTTP/1.1 200")) {
		b.Fatalf("%s: %s %v", path, line, err)
	}
	length := int64(-1)
	for {
		if line, err = c.in.ReadSlice('\n'); err != nil {
			b.Fatal(err)
		}
		if len(line) <= 2 {
			break
		}
		if v, ok := bytes.CutPrefix(line, []byte("Content-Length: ")); ok {
			length, _ = strconv.ParseInt(string(bytes.TrimSpace(v)), 10, 64)
		}
	}
	if length >= 0 {
		if _, err := c.in.Discard(int(length)); err != nil {
			b.Fatal(err)
		}
		return length
	}
	total := int64(0)
	for {
		if line, err = c.in.ReadSlice('\n'); err != nil {
			b.Fatal(err)
		}
		n, err := strconv.ParseInt(string(bytes.TrimSpace(line)), 16, 64)
		if err != nil {
			b.Fatal(err)
		}
		if _, err := c.in.Discard(int(n) + 2); err != nil {
			b.Fatal(err)
		}
		if n == 0 {
			return total
		}
		total += n
	}
}

// BenchmarkSocket asks over HTTP on the loopback interface; "bare" is a handler that answers three bytes
// and does nothing else: what is above it is the service's own.
func BenchmarkSocket(b *testing.B) {
	quiet := slog.New(slog.DiscardHandler)
	host, snap := serveLarge(b, quiet)
	logging, _ := serveLarge(b, slog.New(slog.NewTextHandler(io.Discard, nil)))
	bare := listen(b, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("ok\n")) }))
	p := snap.Parcels[10_000].Inside
	point := fmt.Sprintf("/cadastre/api/v1/spatial/point?lon=%.7f&lat=%.7f&radius=0&attrs_only=true&fields=parcel_id,gnr,ez,status,area_sqm&nocache=", p.Lon(), p.Lat())
	box := func(share float64) string {
		x := snap.KG.Box
		dx, dy := int32(float64(x.MaxX-x.MinX)*(1-share)/2), int32(float64(x.MaxY-x.MinY)*(1-share)/2)
		return fmt.Sprintf("/cadastre/api/v1/spatial/bbox?west=%.7f&south=%.7f&east=%.7f&north=%.7f&limit=100000&format=geojson&fields=parcel_id,gnr,ez,status,area_sqm&nocache=",
			float64(x.MinX+dx)/1e7, float64(x.MinY+dy)/1e7, float64(x.MaxX-dx)/1e7, float64(x.MaxY-dy)/1e7)
	}
	for _, c := range []struct{ name, host, path string }{
		{"bare", bare, "/"}, {"point", host, point}, {"point logged", logging, point},
		{"box of 800", host, box(0.2)}, {"box of 16000", host, box(0.9)},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			k, n := dial(b, c.host), 0
			for b.Loop() {
				path := c.path
				if c.path != "/" {
					n++
					path += strconv.Itoa(n)
				}
				b.SetBytes(k.get(b, path))
			}
		})
	}
}
