package pay

import (
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
	"time"

	"mappe/shared/cloud/ledger"
)

// Secret is a credential: it prints as nothing but that.
type Secret string

func (s Secret) String() string { return "[secret]" }

// LogValue keeps the secret out of logs.
func (s Secret) LogValue() slog.Value { return slog.StringValue("[secret]") }

// Config says what is sold, for how much, and who moves the money.
type Config struct {
	PayTo   string // who is paid: 0x and 40 digits in the case of EIP-55
	Price   string // atomic units of the asset: "20000" is 0.02 USDC
	Network string // CAIP-2; "" means DefaultNetwork
	// Asset, AssetName and AssetVersion name another EIP-3009 token than the network's USDC, with its
	// EIP-712 domain. All three or none.
	Asset, AssetName, AssetVersion string
	AllowMainnet                   bool   // networks whose money is real are refused without it
	Facilitator                    string // base URL of /verify and /settle; https, or http on this machine
	Credential                     Secret // sent to the facilitator as a bearer token; "" sends none
	Resource                       Resource
	// Origin is what stands before a Resource.URL that is only a path: endpoint.Origin is one.
	Origin func(*http.Request) string
	Bazaar *Bazaar // nil: not offered to catalogues
	// MaxTimeoutSeconds is how long a buyer lets an authorization live; 0 means 120.
	MaxTimeoutSeconds int

	Ledger ledger.Ledger
	// Proof asks the chain: a settlement is believed when it says so, whatever the facilitator says. nil: only the
	// facilitator is asked.
	Proof    Proof
	Recorder Recorder // nil: nothing is counted
	Log      *slog.Logger
	Now      func() time.Time
	Client   *http.Client // to the facilitator; nil: one with no redirects
	Bounds   Bounds
}

// Bounds are times and sizes; a zero value means the default.
type Bounds struct {
	Verify time.Duration // waiting for /verify: 10 s
	Settle time.Duration // waiting for /settle: 30 s
	Pause  time.Duration // before settling is asked for a second time, where the first gave no answer: 300 ms
	// Lease is how long a claim belongs to a request that has stopped working on it: 6 s. A request that
	// works renews it four times as often.
	Lease time.Duration
	Visit time.Duration // bounds a request as a whole, longer than Verify, twice Settle, Pause and Chain: 90 s
	Chain time.Duration // asking the chain for a transfer that the facilitator has announced: 5 s
	Wait  time.Duration // for the outcome of another request with the same payment: 8 s
	Keep  time.Duration // of answers after the end of the authorization: 24 h
	Books time.Duration // of settled claims without their answers: 400 days
	// Ahead is how far in the future an authorization may end, beyond MaxTimeoutSeconds: 1 h.
	Ahead  time.Duration
	Body   int64 // bytes of a request: 256 KiB
	Answer int64 // bytes of an answer: 8 MiB
}

func (b Bounds) withDefaults() Bounds {
	set := func(d *time.Duration, def time.Duration) {
		if *d == 0 {
			*d = def
		}
	}
	set(&b.Verify, 10*time.Second)
	set(&b.Settle, 30*time.Second)
	set(&b.Pause, 300*time.Millisecond)
	set(&b.Lease, 6*time.Second)
	set(&b.Visit, 90*time.Second)
	set(&b.Chain, 5*time.Second)
	set(&b.Wait, 8*time.Second)
	set(&b.Keep, 24*time.Hour)
	set(&b.Books, 400*24*time.Hour)
	set(&b.Ahead, time.Hour)
	if b.Body == 0 {
		b.Body = 256 << 10
	}
	if b.Answer == 0 {
		b.Answer = 8 << 20
	}
	return b
}

// Effective are the bounds with their defaults.
func (b Bounds) Effective() Bounds { return b.withDefaults() }

// work is what a request may need at most, but for its handler.
func (b Bounds) work() time.Duration { return b.Verify + 2*b.Settle + b.Pause + b.Chain }

// Bazaar describes the call for catalogues: an example of the request body and of the answer, with the
// JSON schema of each.
type Bazaar struct {
	Method       string // POST
	Input        any
	InputSchema  any
	Output       any
	OutputSchema any
}

// maxRequired bounds PAYMENT-REQUIRED: clients in the field read 16 KB of headers in all.
const maxRequired = 8 << 10

// Gate sells what stands behind it. It is safe for concurrent use, by several processes over one ledger.
type Gate struct {
	c            Config
	network      Network
	requirements Requirements
	extensions   map[string]any
	facilitator  *facilitator
	claims       claims
	probe        atomic.Pointer[offer] // the answer to requests without payment
}

// New checks the configuration. A gate without a facilitator, a payee or a ledger is an error, never an
// open gate.
func New(c Config) (*Gate, error) {
	c.setDefaults()
	n, err := ParseNetwork(c.Network)
	if err != nil {
		return nil, fmt.Errorf("pay: Network: %w", err)
	}
	if !n.Test && !c.AllowMainnet {
		return nil, fmt.Errorf("pay: Network: %s (%s) moves real money: expected a test network, or AllowMainnet", n.ID, n.Title)
	}
	payTo, err := parseOwn(c.PayTo)
	if err != nil {
		return nil, fmt.Errorf("pay: PayTo: %w", err)
	}
	asset := n.USDC
	domain := Domain{n.Name, n.Version}
	if c.Asset != "" || c.AssetName != "" || c.AssetVersion != "" {
		if asset, err = parseOwn(c.Asset); err != nil {
			return nil, fmt.Errorf("pay: Asset: %w", err)
		}
		if domain = (Domain{c.AssetName, c.AssetVersion}); domain.Name == "" || domain.Version == "" {
			return nil, errors.New("pay: AssetName and AssetVersion: expected the EIP-712 domain of Asset")
		}
	}
	if !isDecimal(c.Price, 15) || c.Price == "0" {
		return nil, fmt.Errorf("pay: Price is %q: expected atomic units of the asset, 1 to 15 decimal digits (20000 is 0.02 USDC)", c.Price)
	}
	if c.MaxTimeoutSeconds < 30 || c.MaxTimeoutSeconds > 3600 {
		return nil, fmt.Errorf("pay: MaxTimeoutSeconds is %d: expected 30 to 3600", c.MaxTimeoutSeconds)
	}
	if err := checkFacilitator(c.Facilitator); err != nil {
		return nil, fmt.Errorf("pay: Facilitator: %w", err)
	}
	if c.Ledger == nil {
		return nil, errors.New("pay: Ledger is missing: without one a payment could be used twice")
	}
	if b := c.Bounds; b.Visit <= b.work() {
		return nil, fmt.Errorf("pay: Bounds.Visit is %s: expected more than Verify, twice Settle, Pause and Chain together, %s", b.Visit,
			b.work())
	}
	g := &Gate{c: c, network: n, requirements: Requirements{
		Scheme: "exact", Network: n.ID, Amount: c.Price, Asset: asset.Checksum(), PayTo: payTo.Checksum(),
		MaxTimeoutSeconds: c.MaxTimeoutSeconds, Extra: domain,
	}}
	g.extensions = map[string]any{extensionID: identifierOffer}
	if c.Bazaar != nil {
		g.extensions["bazaar"] = c.Bazaar.offer()
	}
	if err := g.checkOffer(); err != nil {
		return nil, err
	}
	g.facilitator = newFacilitator(g)
	g.claims = claims{c.Ledger, n.ID, asset, c.Now, c.Bounds}
	return g, nil
}

// setDefaults puts what is meant in the place of what is left out.
func (c *Config) setDefaults() {
	if c.Network == "" {
		c.Network = DefaultNetwork
	}
	if c.MaxTimeoutSeconds == 0 {
		c.MaxTimeoutSeconds = 120
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	if c.Recorder == nil {
		c.Recorder = nobody{}
	}
	c.Bounds = c.Bounds.withDefaults()
}

// checkFacilitator wants a base URL whose answers cannot be forged on the way.
func checkFacilitator(s string) error {
	if s == "" {
		return errors.New("is missing: payments cannot be checked without one, and nothing is given away")
	}
	u, err := url.Parse(s)
	if err != nil || u.Host == "" || u.User != nil || u.RawQuery != "" || u.Fragment != "" {
		return fmt.Errorf("%q: expected a base URL like https://facilitator.example, without query and user", shorten(s))
	}
	ip := net.ParseIP(u.Hostname())
	local := u.Hostname() == "localhost" || ip != nil && ip.IsLoopback()
	if u.Scheme != "https" && !(u.Scheme == "http" && local) {
		return fmt.Errorf("%q: expected https, or http on this machine", shorten(s))
	}
	return nil
}

// checkOffer measures what a 402 will carry.
func (g *Gate) checkOffer() error {
	r := g.c.Resource
	u, err := url.Parse(r.URL)
	if err != nil || !(strings.HasPrefix(r.URL, "/") || u.Host != "" && (u.Scheme == "https" || u.Scheme == "http")) {
		return fmt.Errorf("pay: Resource.URL is %q: expected the address buyers use, or a path that begins with a slash", r.URL)
	}
	if strings.HasPrefix(r.URL, "/") && g.c.Origin == nil {
		return fmt.Errorf("pay: Origin is missing: Resource.URL %q is only a path", r.URL)
	}
	plain := func(s string) bool {
		for i := range len(s) {
			if s[i] < 0x20 || s[i] > 0x7e {
				return false
			}
		}
		return len(s) <= 32
	}
	if !plain(r.ServiceName) {
		return fmt.Errorf("pay: Resource.ServiceName is %q: expected at most 32 characters of printable ASCII", r.ServiceName)
	}
	if len(r.Tags) > 5 {
		return fmt.Errorf("pay: Resource.Tags are %d: expected at most 5", len(r.Tags))
	}
	for _, t := range r.Tags {
		if t == "" || !plain(t) {
			return fmt.Errorf("pay: Resource.Tags holds %q: expected 1 to 32 characters of printable ASCII", t)
		}
	}
	if _, err := json.Marshal(g.extensions); err != nil {
		return fmt.Errorf("pay: Bazaar: %w", err)
	}
	if n := len(headerOf(g.required(r, ""))); n > maxRequired {
		return fmt.Errorf("pay: %s would have %d characters: expected at most %d; shorten Bazaar's examples", headerRequired, n,
			maxRequired)
	}
	return nil
}
