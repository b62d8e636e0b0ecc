package pay_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"mappe/localdev/facilitator"
	"mappe/localdev/facilitator/wallet"
	"mappe/shared/cloud/ledger"
	"mappe/shared/cloud/ledger/sqlite"
	"mappe/shared/cloud/pay"
	"mappe/shared/web/endpoint"
)

const payee = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8"

// lease of the harness's claims: time enough on the slowest machine, and less than an authorization lives.
const lease = 45 * time.Second

// harness is a shop: a gate before a handler, its ledger, a facilitator and a buyer.
type harness struct {
	t      testing.TB
	clock  atomic.Int64 // seconds added to the real time
	ledger ledger.Ledger
	books  ledger.Ledger // the facilitator's
	fac    *httptest.Server
	fault  atomic.Pointer[func(path string) facilitator.Fault]
	calls  sync.Map // path to *atomic.Int64
	served atomic.Int64
	handle http.HandlerFunc // nil: shop
	config func(*pay.Config)
	events *pay.Events
	logs   *safeBuffer
	gate   *pay.Gate
	server *httptest.Server
	key    *wallet.Key
}

type safeBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (s *safeBuffer) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.Write(p)
}

func (s *safeBuffer) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.String()
}

func (r *harness) now() time.Time { return time.Now().Add(time.Duration(r.clock.Load()) * time.Second) }

func (r *harness) open(name string) ledger.Ledger {
	r.t.Helper()
	l, err := sqlite.Open(context.Background(), filepath.Join(r.t.TempDir(), name), sqlite.Options{Now: r.now})
	if err != nil {
		r.t.Fatal(err)
	}
	r.t.Cleanup(func() { l.Close() })
	return l
}

// newHarness makes the shop; config may change the gate's configuration.
func newHarness(t testing.TB, config func(*pay.Config), options func(*facilitator.Options)) *harness {
	t.Helper()
	r := &harness{t: t, config: config, logs: &safeBuffer{}}
	r.ledger, r.books = r.open("shop.db"), r.open("facilitator.db")
	o := facilitator.Options{Ledger: r.books, Now: r.now, Fault: func(path string) facilitator.Fault {
		n, _ := r.calls.LoadOrStore(path, new(atomic.Int64))
		n.(*atomic.Int64).Add(1)
		if f := r.fault.Load(); f != nil {
			return (*f)(path)
		}
		return facilitator.Fault{}
	}}
	if options != nil {
		options(&o)
	}
	r.fac = httptest.NewServer(facilitator.New(o))
	t.Cleanup(r.fac.Close)
	r.events = pay.NewEvents(r.ledger, "shop", r.now, nil)
	var err error
	if r.key, err = wallet.New(); err != nil {
		t.Fatal(err)
	}
	r.gate = r.newGate(r.ledger)
	r.server = httptest.NewServer(r.gate.Wrap(http.HandlerFunc(r.serve)))
	t.Cleanup(r.server.Close)
	return r
}

func (r *harness) newGate(l ledger.Ledger) *pay.Gate {
	r.t.Helper()
	c := pay.Config{
		PayTo: payee, Price: "20000", Facilitator: r.fac.URL, Ledger: l, Now: r.now, Recorder: r.events,
		Log:      slog.New(slog.NewTextHandler(r.logs, &slog.HandlerOptions{Level: slog.LevelDebug})),
		Resource: pay.Resource{URL: "/v1/expand", Description: "sums", MimeType: "application/json"},
		Origin:   endpoint.Origin,
		Bounds: pay.Bounds{Verify: 10 * time.Second, Settle: 15 * time.Second, Pause: 10 * time.Millisecond, Lease: lease,
			Chain: 100 * time.Millisecond, Wait: 20 * time.Second},
	}
	if r.config != nil {
		r.config(&c)
	}
	g, err := pay.New(c)
	if err != nil {
		r.t.Fatal(err)
	}
	return g
}

func (r *harness) serve(w http.ResponseWriter, req *http.Request) {
	r.served.Add(1)
	if r.handle != nil {
		r.handle(w, req)
		return
	}
	shop(w, req)
}

// shop answers {"n":5} with the hash of the body, and refuses what is no JSON.
func shop(w http.ResponseWriter, r *http.Request) {
	b, _ := io.ReadAll(r.Body)
	var in struct{ N int }
	if err := json.Unmarshal(b, &in); err != nil {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusBadRequest)
		fmt.Fprintln(w, `{"error":"no JSON","status":400}`)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	fmt.Fprintf(w, `{"n":%d,"sum":"%s"}`, in.N, sumOf(b))
}

func sumOf(b []byte) string {
	s := sha256.Sum256(b)
	return hex.EncodeToString(s[:])
}

// want is shop's answer.
func want(n int) string {
	return fmt.Sprintf(`{"n":%d,"sum":"%s"}`, n, sumOf([]byte(request(n))))
}

func request(n int) string { return fmt.Sprintf(`{"n":%d}`, n) }

// sign makes a fresh payment.
func (r *harness) sign() pay.Exact {
	r.t.Helper()
	e, err := r.key.Sign(r.gate.Requirements(), r.now())
	if err != nil {
		r.t.Fatal(err)
	}
	return e
}

func (r *harness) payment(id string) http.Header {
	return http.Header{"Payment-Signature": {wallet.Header(r.gate.Requirements(), r.sign(), id)}}
}

type reply struct {
	status int
	body   string
	header http.Header
}

func (a reply) receipt(t testing.TB) (s pay.Settlement) {
	t.Helper()
	v := a.header.Get("PAYMENT-RESPONSE") + a.header.Get("X-PAYMENT-RESPONSE")
	if v == "" {
		t.Fatalf("no receipt: %d %s", a.status, a.body)
	}
	if err := wallet.Decode(v, &s); err != nil {
		t.Fatal(err)
	}
	return s
}

func (a reply) code() string {
	var e struct{ Code string }
	_ = json.Unmarshal([]byte(a.body), &e) // "" where it is no error
	return e.Code
}

// post sends a request to the shop over HTTP.
func (r *harness) post(body string, payment http.Header) reply {
	r.t.Helper()
	req, err := http.NewRequest(http.MethodPost, r.server.URL+"/v1/expand", strings.NewReader(body))
	if err != nil {
		r.t.Fatal(err)
	}
	for name, v := range payment {
		req.Header[name] = v
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		r.t.Fatal(err)
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		r.t.Fatal(err)
	}
	return reply{resp.StatusCode, string(b), resp.Header}
}

// ask sends a request to a gate without a network between.
func (r *harness) ask(g *pay.Gate, body string, payment http.Header) reply {
	req := httptest.NewRequest(http.MethodPost, "/v1/expand", strings.NewReader(body))
	for name, v := range payment {
		req.Header[name] = v
	}
	w := httptest.NewRecorder()
	g.Wrap(http.HandlerFunc(r.serve)).ServeHTTP(w, req)
	return reply{w.Code, w.Body.String(), w.Header()}
}

// transfers are the facilitator's books.
func (r *harness) transfers() []facilitator.Transfer {
	r.t.Helper()
	var all []facilitator.Transfer
	err := facilitator.Transfers(context.Background(), r.books, r.gate.Network().ID, r.gate.Network().USDC,
		func(t facilitator.Transfer) error {
			all = append(all, t)
			return nil
		})
	if err != nil {
		r.t.Fatal(err)
	}
	return all
}

// balanced holds both books against each other: the same payments with the same transactions, n of them.
func (r *harness) balanced(n int) {
	r.t.Helper()
	mine := map[string]string{}
	err := r.gate.Books(context.Background(), func(e pay.Entry) error {
		if e.Open {
			return fmt.Errorf("payment %s is open", e.Nonce)
		}
		mine[string(e.Payer)+e.Nonce] = e.Transaction
		return nil
	})
	if err != nil {
		r.t.Fatal(err)
	}
	theirs := r.transfers()
	if len(theirs) != n || len(mine) != n {
		r.t.Errorf("want %d payments in both books, got %d here and %d at the facilitator", n, len(mine), len(theirs))
	}
	for _, f := range theirs {
		if mine[string(f.From)+f.Nonce] != f.Transaction {
			r.t.Errorf("payment %s: want transaction %s, got %q", f.Nonce, f.Transaction, mine[string(f.From)+f.Nonce])
		}
	}
}

func (r *harness) fail(kind facilitator.FaultKind, path string) {
	f := func(p string) facilitator.Fault {
		if p == path {
			return facilitator.Fault{Kind: kind}
		}
		return facilitator.Fault{}
	}
	r.fault.Store(&f)
}

func (r *harness) heal() { r.fault.Store(nil) }

func (r *harness) called(path string) int64 {
	n, ok := r.calls.Load(path)
	if !ok {
		return 0
	}
	return n.(*atomic.Int64).Load()
}

func (r *harness) counts() pay.Counts {
	r.t.Helper()
	days, err := r.events.Read(context.Background(), "")
	if err != nil {
		r.t.Fatal(err)
	}
	sum := pay.Counts{}
	for _, d := range days {
		for e, n := range d.Counts {
			sum[e] += n
		}
	}
	return sum
}
