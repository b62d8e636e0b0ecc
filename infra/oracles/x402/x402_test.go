// Package x402 holds oracles of shared/cloud/pay that we did not write: the official client buys from our
// gate, through the official facilitator on a chain, and through our own facilitator. The programs are
// Node.js packages that `make oracles` installs; without them the tests are skipped, saying so.
package x402

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"math/big"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"mappe/infra/oracles"
	"mappe/localdev/facilitator"
	"mappe/shared/cloud/ledger/sqlite"
	"mappe/shared/cloud/pay"
	"mappe/shared/web/endpoint"
)

const (
	payee = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8"
	usdc  = "0x036CbD53842c5426634e7929541eC2318f3dCF7e"
	buyer = "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC" // the third account of anvil's public mnemonic
	price = 20000
	start = 1_000_000 // what chain.mjs mints for the buyer
)

// installed skips the test where the packages or Node.js are absent.
func installed(t *testing.T) {
	t.Helper()
	oracles.Program(t, "node")
	oracles.Folder(t, "infra/oracles/x402", "@x402/fetch")
}

// shop is our gate before a small handler; each answer tells how often the handler ran.
type shop struct {
	*httptest.Server
	gate   *pay.Gate
	served atomic.Int64
}

func open(t *testing.T, facilitatorURL string, change func(*pay.Config)) *shop {
	t.Helper()
	l, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "shop.db"), sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	c := pay.Config{
		PayTo: payee, Price: fmt.Sprint(price), Facilitator: facilitatorURL, Ledger: l,
		Resource: pay.Resource{URL: "/v1/expand", Description: "An echo", MimeType: "application/json"}, Origin: endpoint.Origin,
		Bazaar: &pay.Bazaar{Method: "POST", Input: map[string]any{"n": 1}, Output: map[string]any{"n": 1},
			InputSchema: map[string]any{"type": "object", "properties": map[string]any{"n": map[string]any{"type": "integer"}}}},
		Log: slog.New(slog.NewTextHandler(t.Output(), nil)),
	}
	if change != nil {
		change(&c)
	}
	s := &shop{}
	if s.gate, err = pay.New(c); err != nil {
		t.Fatal(err)
	}
	s.Server = httptest.NewServer(s.gate.Wrap(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		b, _ := io.ReadAll(r.Body)
		if !json.Valid(b) {
			http.Error(w, `{"error":"no JSON"}`, http.StatusBadRequest)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"run":%d,"echo":%s}`, s.served.Add(1), b)
	})))
	t.Cleanup(s.Close)
	if err := s.gate.Check(t.Context()); err != nil {
		t.Errorf("the facilitator's /supported: %v", err)
	}
	return s
}

// bought is what client.mjs prints.
type bought struct {
	Status       int
	Body         string
	Receipt      *pay.Settlement
	Sent         map[string]string
	CacheControl string
}

func (s *shop) buy(t *testing.T, version, body string, identifier ...string) (b bought) {
	t.Helper()
	run(t, &b, append([]string{"client.mjs", s.URL + "/v1/expand", version, body}, identifier...)...)
	return b
}

// run runs a script and reads the JSON it prints.
func run(t *testing.T, into any, args ...string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, "node", args...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s: %v\n%s", args[0], err, stderr.Bytes())
	}
	if err := json.Unmarshal(out, into); err != nil {
		t.Fatalf("%s printed %s", args[0], out)
	}
}

// replay sends the payment of a purchase again.
func (s *shop) replay(t *testing.T, b bought, body string) (status int, answer string) {
	t.Helper()
	req, err := http.NewRequest(http.MethodPost, s.URL+"/v1/expand", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	for name, value := range b.Sent {
		req.Header.Set(name, value)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	raw, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, string(raw)
}

// trade is what every facilitator has to be good for: both versions, and replays that cost nothing.
func trade(t *testing.T, s *shop, balance func() int64) {
	before := balance()
	for i, version := range []string{"2", "1"} {
		body := fmt.Sprintf(`{"version":%s}`, version)
		header := map[string]string{"2": "payment-signature", "1": "x-payment"}[version]
		b := s.buy(t, version, body)
		if want := fmt.Sprintf(`{"run":%d,"echo":%s}`, i+1, body); b.Status != 200 || b.Body != want || b.Sent[header] == "" ||
			len(b.Sent) != 1 {
			t.Fatalf("version %s: want %s, got %+v", version, want, b)
		}
		network := map[string]string{"2": "eip155:84532", "1": "base-sepolia"}[version]
		if r := b.Receipt; r == nil || !r.Success || r.Payer != buyer || r.Network != network || len(r.Transaction) != 66 {
			t.Errorf("version %s: receipt %+v", version, b.Receipt)
		}
		if status, answer := s.replay(t, b, body); status != 200 || answer != b.Body {
			t.Errorf("version %s, sent again: %d %s", version, status, answer)
		}
		if status, answer := s.replay(t, b, `{"other":1}`); status != 409 {
			t.Errorf("version %s, for another request: %d %s", version, status, answer)
		}
		if got, want := balance(), before+int64(i+1)*price; got != want {
			t.Errorf("version %s: want %d atomic units with the payee, got %d", version, want, got)
		}
	}
	if b := s.buy(t, "2", "no JSON"); b.Status != 400 || b.Receipt != nil {
		t.Errorf("a refused request: %+v", b)
	}
	if got, want := balance(), before+2*price; got != want {
		t.Errorf("a refused request cost %d", got-want)
	}
	n := 0
	if err := s.gate.Books(t.Context(), func(e pay.Entry) error {
		if n++; e.Open || e.Amount != fmt.Sprint(price) {
			t.Errorf("books: %+v", e)
		}
		return nil
	}); err != nil || n != 2 {
		t.Errorf("books: %d entries, %v", n, err)
	}
}

// chain is what chain.mjs prints.
type chain struct{ RPC, Facilitator string }

func startChain(t *testing.T) chain {
	t.Helper()
	cmd := exec.Command("node", "chain.mjs")
	cmd.Stderr = os.Stderr
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		stdin.Close() // it ends with its input
		cmd.Wait()
	})
	late := time.AfterFunc(2*time.Minute, func() { cmd.Process.Kill() })
	defer late.Stop()
	line, err := bufio.NewReader(stdout).ReadBytes('\n')
	var c chain
	if err != nil || json.Unmarshal(line, &c) != nil {
		t.Fatalf("chain.mjs printed %q: %v", line, err)
	}
	return c
}

// balance of an account on the chain.
func (c chain) balance(t *testing.T, account string) int64 {
	t.Helper()
	// 0x70a08231 is balanceOf(address).
	body := fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"eth_call","params":[{"to":%q,"data":"0x70a08231%064s"},"latest"]}`, usdc,
		strings.ToLower(account[2:]))
	resp, err := http.Post(c.RPC, "application/json", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	var out struct{ Result string }
	if err := json.NewDecoder(resp.Body).Decode(&out); err != nil {
		t.Fatal(err)
	}
	n, ok := new(big.Int).SetString(strings.TrimPrefix(out.Result, "0x"), 16)
	if !ok {
		t.Fatalf("balance %q", out.Result)
	}
	return n.Int64()
}

func TestTheOfficialClientBuysThroughTheOfficialFacilitator(t *testing.T) {
	installed(t)
	oracles.Folder(t, "infra/oracles/x402", "@foundry-rs/anvil")
	c := startChain(t)
	trade(t, open(t, c.Facilitator, nil), func() int64 { return c.balance(t, payee) })
	if got := c.balance(t, buyer); got != start-2*price {
		t.Errorf("the buyer has %d atomic units left, want %d", got, start-2*price)
	}
	t.Run("a facilitator that is cut off after settling", func(t *testing.T) { testCutOff(t, c) })
}

// testCutOff: the official facilitator settles and its answer is lost; asked again it says that the
// authorization cannot be used. Only the chain knows, and it is believed.
func testCutOff(t *testing.T, c chain) {
	target, err := url.Parse(c.Facilitator)
	if err != nil {
		t.Fatal(err)
	}
	cut := atomic.Bool{}
	proxy := httputil.NewSingleHostReverseProxy(target)
	proxy.ModifyResponse = func(r *http.Response) error {
		if r.Request.URL.Path == "/settle" && cut.Load() {
			_, _ = io.Copy(io.Discard, r.Body) // it is done
			return fmt.Errorf("cut")
		}
		return nil
	}
	proxy.ErrorHandler = func(http.ResponseWriter, *http.Request, error) { panic(http.ErrAbortHandler) }
	between := httptest.NewServer(proxy)
	defer between.Close()

	blind, proofs := atomic.Bool{}, &counted{proof: pay.Chain{URL: c.RPC}}
	s := open(t, between.URL, func(config *pay.Config) { config.Proof = gated{proofs, &blind} })
	before := c.balance(t, payee)
	blind.Store(true)
	cut.Store(true)
	body := `{"cut":"off"}`
	b := s.buy(t, "2", body)
	if b.Status != 502 || strings.Contains(b.Body, "echo") {
		t.Fatalf("cut off: %+v", b)
	}
	cut.Store(false)
	if status, answer := s.replay(t, b, body); status != 502 || strings.Contains(answer, "echo") {
		t.Errorf("without a chain to ask: %d %s", status, answer)
	}
	blind.Store(false)
	status, answer := s.replay(t, b, body)
	if status != 200 || !strings.Contains(answer, `"echo":{"cut":"off"}`) || proofs.asked.Load() == 0 {
		t.Errorf("with the chain: %d %s", status, answer)
	}
	if got := c.balance(t, payee); got != before+price {
		t.Errorf("want one transfer of %d, got %d", price, got-before)
	}
	for name, change := range map[string]func(*pay.Transfer){
		"another value": func(t *pay.Transfer) { t.Value = "20001" },
		"another payee": func(t *pay.Transfer) { t.To = pay.Address(strings.ToLower(usdc)) },
		"a free nonce":  func(t *pay.Transfer) { t.Nonce = "0x" + strings.Repeat("1", 64) },
	} {
		transfer := proofs.last
		change(&transfer)
		found, _, err := proofs.proof.Find(t.Context(), transfer)
		if want := map[bool]pay.Finding{true: pay.FoundUnused, false: pay.FoundSpent}[name == "a free nonce"]; err != nil || found != want {
			t.Errorf("%s: want %s, got %s, %v", name, want, found, err)
		}
	}
}

// counted remembers what a chain was asked.
type counted struct {
	proof pay.Chain
	asked atomic.Int64
	last  pay.Transfer
}

func (c *counted) Find(ctx context.Context, t pay.Transfer) (pay.Finding, string, error) {
	c.asked.Add(1)
	c.last = t
	return c.proof.Find(ctx, t)
}

// gated is a chain that can be taken away.
type gated struct {
	pay.Proof
	blind *atomic.Bool
}

func (g gated) Find(ctx context.Context, t pay.Transfer) (pay.Finding, string, error) {
	if g.blind.Load() {
		return "", "", fmt.Errorf("no chain")
	}
	return g.Proof.Find(ctx, t)
}

func TestTheOfficialClientBuysThroughOurFacilitator(t *testing.T) {
	installed(t)
	l, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "facilitator.db"), sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	f := httptest.NewServer(facilitator.New(facilitator.Options{Ledger: l}))
	defer f.Close()
	s := open(t, f.URL, nil)
	var problems []string
	if run(t, &problems, "offer.mjs", s.URL+"/v1/expand"); len(problems) > 0 {
		t.Errorf("the official packages object to our 402: %s", strings.Join(problems, "; "))
	}
	balance := func() int64 {
		sum := new(big.Int)
		if err := facilitator.Transfers(t.Context(), l, pay.DefaultNetwork, pay.Address(strings.ToLower(usdc)),
			func(tr facilitator.Transfer) error {
				v, _ := new(big.Int).SetString(tr.Value, 10)
				sum.Add(sum, v)
				return nil
			}); err != nil {
			t.Fatal(err)
		}
		return sum.Int64()
	}
	trade(t, s, balance)

	// Two authorizations of one payment-identifier: one purchase.
	const id = "pay_0123456789abcdef"
	before := balance()
	first, second := s.buy(t, "2", `{"named":1}`, id), s.buy(t, "2", `{"named":1}`, id)
	if first.Status != 200 || second.Status != 200 || first.Body != second.Body ||
		first.Sent["payment-signature"] == second.Sent["payment-signature"] {
		t.Errorf("one identifier: %+v and %+v", first, second)
	}
	if got := balance(); got != before+price {
		t.Errorf("one identifier cost %d, want %d", got-before, price)
	}
	if other := s.buy(t, "2", `{"named":2}`, id); other.Status != 409 {
		t.Errorf("an identifier for another request: %+v", other)
	}
}
