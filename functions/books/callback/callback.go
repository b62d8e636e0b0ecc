// Package callback sends one message to an address that a customer named, and to nothing else: not to this
// machine, not to the network it stands in, not to the cloud's own addresses. Check refuses by spelling
// when the address is given; when it is sent, the dialer looks at the address that the name has come to, so
// a name that changes its mind between the two leads nowhere (DNS rebinding).
package callback

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"mappe/shared/web/publicaddr"
)

// MaxURL is the longest address in bytes.
const MaxURL = 2048

// The bounds of a message.
const (
	connectTime = 5 * time.Second
	totalTime   = 10 * time.Second
)

// Wanted says what an address has to be, for error texts.
const Wanted = "a public https address on port 443, with a host name, without user, password and fragment, of at most 2048 bytes"

// reserved are ends of names that are never public (RFC 6761, 6762, 7686, 8375, ICANN).
var reserved = []string{"local", "localhost", "internal", "test", "example", "invalid", "onion", "arpa", "lan", "home", "corp", "intranet",
	"private"}

// Check refuses an address that is not public https by its spelling.
func Check(address string) error {
	if len(address) > MaxURL {
		return fmt.Errorf("%d bytes", len(address))
	}
	for i := range len(address) {
		if c := address[i]; c <= 0x20 || c >= 0x7f || c == '\\' {
			return errors.New("a character that an address does not have")
		}
	}
	u, err := url.Parse(address)
	switch {
	case err != nil:
		return errors.New("no address")
	case u.Scheme != "https":
		return errors.New("the scheme is not https")
	case u.User != nil || strings.Contains(u.Host, "@"):
		return errors.New("a user or password")
	case u.Fragment != "" || strings.Contains(address, "#"):
		return errors.New("a fragment")
	case u.Opaque != "":
		return errors.New("no host")
	case u.Port() != "" && u.Port() != "443" || strings.HasSuffix(u.Host, ":"):
		return errors.New("another port than 443")
	}
	return checkHost(u.Hostname())
}

// checkHost takes names of letters with at least two labels; addresses in digits are refused, however written.
func checkHost(host string) error {
	host = strings.ToLower(strings.TrimSuffix(host, "."))
	if host == "" || len(host) > 253 {
		return errors.New("no host name")
	}
	labels := strings.Split(host, ".")
	if len(labels) < 2 {
		return errors.New("a host name without a domain")
	}
	for _, l := range labels {
		if l == "" || len(l) > 63 || strings.Trim(l, "abcdefghijklmnopqrstuvwxyz0123456789-") != "" || l[0] == '-' || l[len(l)-1] == '-' {
			return errors.New("a host that is no name")
		}
	}
	last := labels[len(labels)-1]
	if strings.Trim(last, "0123456789") == "" || strings.HasPrefix(last, "0x") || len(last) < 2 {
		return errors.New("a numeric host") // 127.1, 0x7f.1, 2130706433.0: no top-level domain is a number
	}
	for _, r := range reserved {
		if last == r {
			return errors.New("a host name that is not public")
		}
	}
	return nil
}

// Sender sends messages.
type Sender struct {
	// Dial opens connections after Control has agreed; nil is a net.Dialer. Tests put a network in its place.
	Dial func(ctx context.Context, d *net.Dialer, network, address string) (net.Conn, error)
	// Resolver finds addresses; nil is the system's.
	Resolver *net.Resolver
	// Transport is changed by it last; nil leaves it. Tests give it their certificates.
	Transport func(*http.Transport)
}

// Send posts a JSON body once: no second try, no redirect, no proxy. Any answer counts as received; its
// body is not read. The status is 0 where no answer came.
func (s Sender) Send(ctx context.Context, address string, body []byte) (status int, err error) {
	if err := Check(address); err != nil {
		return 0, fmt.Errorf("callback: %w", err)
	}
	ctx, cancel := context.WithTimeout(ctx, totalTime)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, address, bytes.NewReader(body))
	if err != nil {
		return 0, fmt.Errorf("callback: %w", err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("User-Agent", "mappe-books/1")
	r.GetBody = nil // net/http repeats nothing
	d := &net.Dialer{Timeout: connectTime, Control: publicaddr.Control, Resolver: s.Resolver}
	t := &http.Transport{
		Proxy: nil, DisableKeepAlives: true, TLSHandshakeTimeout: connectTime, ResponseHeaderTimeout: totalTime,
		MaxResponseHeaderBytes: 16 << 10,
		DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
			if s.Dial != nil {
				return s.Dial(ctx, d, network, address)
			}
			return d.DialContext(ctx, network, address)
		},
	}
	if s.Transport != nil {
		s.Transport(t)
	}
	defer t.CloseIdleConnections()
	c := http.Client{Transport: t, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	a, err := c.Do(r)
	if err != nil {
		return 0, fmt.Errorf("callback: %w", err)
	}
	a.Body.Close()
	return a.StatusCode, nil
}
