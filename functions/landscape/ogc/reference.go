package ogc

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"mappe/artefacts/keys"
	"mappe/functions/core/drawn"
	"mappe/functions/core/shares"
	"mappe/functions/core/tasks"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/fault"
	"mappe/shared/web/publicaddr"
)

// The bounds of an input that is given by its address: bytes of it, time for all of one execution, redirects.
const (
	mostReferred   = drawn.MaxBytes
	timeReferred   = 10 * time.Second
	mostRedirected = 3
)

// references reads the inputs of an execution that are given by their addresses. It asks the service's own store for its own addresses,
// and else only hosts that the operator allows, over https, whose addresses are public; a redirect that leads elsewhere is not
// followed.
type references struct {
	s     *service
	base  string    // of the service in the outside world
	until time.Time // when other hosts are asked no longer; zero: none was asked
}

// InputHosts reads a list of hosts, with commas between, that inputs may be fetched from.
func InputHosts(text string) (hosts []string, err error) {
	for _, h := range strings.Split(text, ",") {
		if h = strings.ToLower(strings.TrimSpace(h)); h == "" {
			continue
		}
		if u, err := url.Parse("https://" + h + "/"); err != nil || u.Hostname() != h || net.ParseIP(h) != nil ||
			!strings.Contains(h, ".") {
			return nil, fmt.Errorf("host %q: want a name such as data.example.org, without scheme, port or path", h)
		}
		hosts = append(hosts, h)
	}
	return hosts, nil
}

// allowed is what an address may be.
func (f *references) allowed() string {
	text := "a value, or the address of a result, a share or an artefact of this service: " + f.base +
		"/api/v1/segment/result?task_id=ID, " +
		f.base + "/api/v1/share/NAME, " + f.artefacts() + "KEY"
	if hosts := f.s.InputHosts; len(hosts) > 0 {
		text += "; or one that begins with https:// at " + strings.Join(hosts, ", ")
	} else {
		text += "; nothing is fetched from other hosts"
	}
	return text
}

// artefacts stands before the keys of artefacts.
func (f *references) artefacts() string {
	return strings.TrimSuffix(f.base, "/landscape") + "/artefacts/"
}

// get reads the value of an input. A fault names it, its address and what is allowed, or why it cannot be read.
func (f *references) get(ctx context.Context, name, href string) (json.RawMessage, error) {
	b, err := f.read(ctx, href)
	switch {
	case errors.Is(err, errForeign):
		return nil, fault.BadValue(name, fault.Shorten(href), f.allowed())
	case err != nil:
		return nil, fault.BadValue(name, fault.Shorten(href), "an address at which "+err.Error())
	case !json.Valid(b):
		return nil, fault.BadValue(name, fault.Shorten(href), "an address at which JSON stands")
	}
	return b, nil
}

// errForeign says that an address is not among those that are asked.
var errForeign = errors.New("the address is not allowed")

// unread is what is told of an address that cannot be read; why is what is missing there.
type unread string

func (u unread) Error() string { return string(u) }

func (f *references) read(ctx context.Context, href string) ([]byte, error) {
	u, err := url.Parse(href)
	if err != nil || u.User != nil || u.Fragment != "" {
		return nil, errForeign
	}
	if rest, own := strings.CutPrefix(href, f.base+"/api/v1/"); own {
		return f.own(ctx, rest)
	}
	if text, own := strings.CutPrefix(href, f.artefacts()); own {
		return f.artefact(ctx, text)
	}
	if !f.reachable(u) {
		return nil, errForeign
	}
	return f.fetch(ctx, href)
}

// own reads a result or the area of a share.
func (f *references) own(ctx context.Context, rest string) ([]byte, error) {
	const gone = unread("something stands: there is no such result or share, or it is not done, or forgotten")
	if f.s.Desk == nil {
		return nil, gone
	}
	u, err := url.Parse(rest)
	if err != nil {
		return nil, errForeign
	}
	kept := f.s.Desk.Shares()
	if name, share := strings.CutPrefix(u.Path, "share/"); share && u.RawQuery == "" {
		if name, err = f.s.Desk.ShareName(ctx, name); err != nil {
			return nil, gone
		}
		h, err := kept.Follow(ctx, name)
		if err != nil {
			return nil, gone
		}
		place, err := kept.Place(ctx, h)
		if err == nil && string(place) == "null" {
			err = unread("the area of a share stands: this one is about none")
		}
		return place, err
	}
	if u.Path != "segment/result" {
		return nil, errForeign
	}
	t, err := f.s.Desk.Find(ctx, u.Query().Get("task_id"))
	if err != nil || t.Status() != tasks.Done {
		return nil, gone
	}
	h, err := kept.Follow(ctx, t.Share())
	if err != nil {
		return nil, gone
	}
	return f.result(ctx, kept, h)
}

func (f *references) result(ctx context.Context, kept *shares.Shares, h shares.Share) ([]byte, error) {
	r, err := kept.Result(ctx, h)
	if err != nil {
		return nil, unread("a result can be read: it cannot be at the moment, try again")
	}
	if r.Size() > mostReferred {
		return nil, tooMuch()
	}
	return r.Read(ctx)
}

func tooMuch() error { return unread(fmt.Sprintf("at most %d MB stand", mostReferred>>20)) }

// artefact reads an artefact of the store.
func (f *references) artefact(ctx context.Context, text string) ([]byte, error) {
	key, err := keys.Parse(text)
	if err != nil || f.s.Library == nil {
		return nil, unread("an artefact stands")
	}
	b, err := f.s.Library.Object(ctx, key, mostReferred)
	if err != nil {
		return nil, unread(fmt.Sprintf("an artefact of at most %d MB stands", mostReferred>>20))
	}
	if !strings.HasSuffix(text, ".gz") {
		return b, nil
	}
	z, err := gzip.NewReader(bytes.NewReader(b))
	if err != nil {
		return nil, unread("JSON stands")
	}
	return bounded(z)
}

// bounded reads what is not more than may be.
func bounded(r io.Reader) ([]byte, error) {
	b, err := io.ReadAll(io.LimitReader(r, mostReferred+1))
	switch {
	case len(b) > mostReferred:
		return nil, tooMuch()
	case err != nil:
		return nil, unread("all can be read: it breaks off, or takes longer than " + timeReferred.String())
	}
	return b, nil
}

// reachable says whether an address is one of a host that is allowed.
func (f *references) reachable(u *url.URL) bool {
	return u.Scheme == "https" && u.User == nil && (u.Port() == "" || u.Port() == "443") &&
		slices.Contains(f.s.InputHosts, strings.ToLower(u.Hostname()))
}

// fetch asks another host.
func (f *references) fetch(ctx context.Context, href string) ([]byte, error) {
	if f.until.IsZero() {
		f.until = time.Now().Add(timeReferred)
	}
	ctx, cancel := context.WithDeadline(ctx, f.until)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, href, nil)
	if err != nil {
		return nil, errForeign
	}
	r.Header.Set("Accept", geoJSON+", "+plain)
	transport := f.s.Transport
	if transport == nil {
		own := &http.Transport{DialContext: (&net.Dialer{Timeout: timeReferred / 2, Control: publicaddr.Control}).DialContext}
		defer own.CloseIdleConnections()
		transport = own
	}
	c := http.Client{Transport: transport, CheckRedirect: func(to *http.Request, via []*http.Request) error {
		if len(via) > mostRedirected || !f.reachable(to.URL) {
			return errForeign
		}
		return nil
	}}
	a, err := c.Do(r)
	switch {
	case errors.Is(err, errForeign), errors.Is(err, publicaddr.ErrPrivate):
		return nil, errForeign
	case err != nil:
		return nil, unread("a host answers within " + timeReferred.String())
	}
	defer a.Body.Close()
	if a.StatusCode != http.StatusOK {
		return nil, unread(fmt.Sprintf("the host answers 200: it answers %d", a.StatusCode))
	}
	return bounded(a.Body)
}

// referring are the references of a request.
func (s *service) referring(r *endpoint.Request) *references {
	return &references{s: s, base: s.base(r)}
}
