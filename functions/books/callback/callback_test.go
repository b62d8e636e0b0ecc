package callback

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync/atomic"
	"testing"

	"golang.org/x/net/dns/dnsmessage"

	"mappe/shared/web/publicaddr"
)

func TestCheck(t *testing.T) {
	for _, good := range []string{
		"https://hooks.author.at/build", "https://hooks.author.at:443/build?id=1", "https://HOOKS.Author.AT",
		"https://a-b.xn--mgba3a4f16a.com/x",
		"https://hooks.author.at./x", "https://1password.com/",
	} {
		if err := Check(good); err != nil {
			t.Errorf("%s: %v", good, err)
		}
	}
	for _, bad := range []string{
		"", "http://hooks.author.at/", "ftp://hooks.author.at/", "//hooks.author.at/", "hooks.author.at", "https:hooks.author.at",
		"https:///x", "https://",
		// this machine and its network, in every spelling
		"https://127.0.0.1/", "https://127.1/", "https://127.0.1/", "https://2130706433/", "https://0x7f000001/", "https://0x7f.0.0.1/",
		"https://0177.0.0.1/",
		"https://017700000001/", "https://0/", "https://0.0.0.0/", "https://localhost/", "https://LOCALHOST/", "https://localhost./",
		"https://a.localhost/",
		"https://[::1]/", "https://[::]/", "https://[0:0:0:0:0:0:0:1]/", "https://[::ffff:127.0.0.1]/", "https://[::ffff:7f00:1]/",
		"https://[fe80::1%25eth0]/",
		"https://[64:ff9b::7f00:1]/", "https://[2002:7f00:1::]/", "https://[fd00::1]/", "https://10.0.0.1/", "https://192.168.1.1/",
		"https://172.16.0.1/",
		"https://169.254.169.254/latest/meta-data/", "https://[fd00:ec2::254]/", "https://169.254.170.2/", "https://metadata/",
		"https://metadata.google.internal/",
		"https://printer.local/", "https://router.lan/", "https://x.home.arpa/", "https://x.test/", "https://x.onion/",
		"https://1.0.0.127.in-addr.arpa/",
		"https://127。0。0。1/", "https://①②⑦.0.0.1/", "https://127.0.0.1.1234/", "https://1.2.3.0x10/",
		// what hides the host
		"https://good.at@127.0.0.1/", "https://user:pw@hooks.author.at/", "https://hooks.author.at\\@127.0.0.1/",
		"https://hooks.author.at#@127.0.0.1/",
		"https://hooks.author.at/#x", "https://hooks.author.at:22/", "https://hooks.author.at:0443/", "https://hooks.author.at:/",
		"https://hooks.author.at:443:80/",
		"https://hooks.author.at\t.evil/", "https://hooks.author.at\r\nX: y/", " https://hooks.author.at/", "https://hooks..author.at/",
		"https://-x.at/",
		"https://%31%32%37.0.0.1/", "https://hooks_author.at/", "https://x." + strings.Repeat("a", 64) + ".at/",
		"https://hooks.author.at/" + strings.Repeat("x", MaxURL),
	} {
		if Check(bad) == nil {
			t.Errorf("%q is taken", bad)
		}
	}
}

// names is a resolver that gives another answer at every question.
func names(t *testing.T, answers ...string) *net.Resolver {
	var asked atomic.Int32
	pc, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { pc.Close() })
	go func() {
		buf := make([]byte, 1500)
		for {
			n, from, err := pc.ReadFrom(buf)
			if err != nil {
				return
			}
			var m dnsmessage.Message
			if m.Unpack(buf[:n]) != nil || len(m.Questions) != 1 {
				continue
			}
			q := m.Questions[0]
			out := dnsmessage.Message{Header: dnsmessage.Header{ID: m.ID, Response: true, RecursionAvailable: true}, Questions: m.Questions}
			if q.Type == dnsmessage.TypeA {
				a := netip.MustParseAddr(answers[min(int(asked.Add(1)), len(answers))-1]).As4()
				out.Answers = []dnsmessage.Resource{{Header: dnsmessage.ResourceHeader{Name: q.Name, Class: q.Class, TTL: 0},
					Body: &dnsmessage.AResource{A: a}}}
			}
			b, err := out.Pack()
			if err == nil {
				_, _ = pc.WriteTo(b, from)
			}
		}
	}()
	return &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, "udp", pc.LocalAddr().String())
	}}
}

// TestNamesThatComeToPrivateAddresses: the address is looked at when it is dialled, not when it is given.
func TestNamesThatComeToPrivateAddresses(t *testing.T) {
	for _, private := range []string{"127.0.0.1", "10.0.0.1", "169.254.169.254", "192.168.1.1", "0.0.0.0", "100.64.1.1"} {
		reached := false
		s := Sender{Resolver: names(t, private), Dial: func(ctx context.Context, d *net.Dialer, network, address string) (net.Conn, error) {
			c, err := d.DialContext(ctx, network, address)
			reached = reached || err == nil
			return c, err
		}}
		if _, err := s.Send(t.Context(), "https://rebound.author.at/", nil); !errors.Is(err, publicaddr.ErrPrivate) || reached {
			t.Errorf("%s: %v, reached %v", private, err, reached)
		}
	}
}

// TestDNSChange: a name that was public when it was looked up before and is private when it is dialled.
func TestDNSChange(t *testing.T) {
	r := names(t, "93.184.215.14", "127.0.0.1")
	first, err := r.LookupNetIP(t.Context(), "ip4", "rebound.author.at.")
	if err != nil || !publicaddr.Public(first[0]) {
		t.Fatal(first, err)
	}
	if _, err := (Sender{Resolver: r}).Send(t.Context(), "https://rebound.author.at./", nil); !errors.Is(err, publicaddr.ErrPrivate) {
		t.Errorf("want it refused when dialled, got %v", err)
	}
}

// receiver is a server that the name hooks.author.at comes to, past Control.
func receiver(t *testing.T, h http.HandlerFunc) Sender {
	srv := httptest.NewTLSServer(h)
	t.Cleanup(srv.Close)
	pool := x509.NewCertPool()
	pool.AddCert(srv.Certificate())
	return Sender{
		Dial: func(ctx context.Context, _ *net.Dialer, _, address string) (net.Conn, error) {
			if address != "hooks.author.at:443" {
				t.Errorf("dialled %s", address)
			}
			return (&net.Dialer{}).DialContext(ctx, "tcp", srv.Listener.Addr().String())
		},
		Transport: func(tr *http.Transport) { tr.TLSClientConfig = &tls.Config{RootCAs: pool, ServerName: "example.com"} },
	}
}

func TestSendOnce(t *testing.T) {
	var got atomic.Int32
	for _, status := range []int{200, 204, 302, 307, 404, 500, 503} {
		got.Store(0)
		s := receiver(t, func(w http.ResponseWriter, r *http.Request) {
			got.Add(1)
			b, err := io.ReadAll(r.Body)
			if err != nil || string(b) != `{"id":1}` || r.Method != "POST" || r.Header.Get("Content-Type") != "application/json" ||
				r.Header.Get("Authorization") != "" {
				t.Errorf("%s %q %v", r.Method, b, r.Header)
			}
			w.Header().Set("Location", "https://127.0.0.1/")
			w.WriteHeader(status)
		})
		code, err := s.Send(t.Context(), "https://hooks.author.at/build", []byte(`{"id":1}`))
		if err != nil || code != status || got.Load() != 1 {
			t.Errorf("%d: got %d, %v after %d requests", status, code, err, got.Load())
		}
	}
	s := receiver(t, func(w http.ResponseWriter, r *http.Request) { // hangs up: no second try
		got.Add(1)
		panic(http.ErrAbortHandler)
	})
	got.Store(0)
	if _, err := s.Send(t.Context(), "https://hooks.author.at/", []byte(`{}`)); err == nil || got.Load() != 1 {
		t.Errorf("want one request and an error, got %d, %v", got.Load(), err)
	}
	if _, err := s.Send(t.Context(), "https://127.0.0.1/", nil); err == nil {
		t.Error("Send checks too")
	}
}
