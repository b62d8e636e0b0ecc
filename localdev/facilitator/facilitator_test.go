package facilitator_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"mappe/localdev/facilitator"
	"mappe/localdev/facilitator/wallet"
	"mappe/shared/cloud/ledger"
	"mappe/shared/cloud/ledger/sqlite"
	"mappe/shared/cloud/ledger/sqlite/sqlitetest"
	"mappe/shared/cloud/pay"
	"mappe/shared/web/endpoint"
)

var wanted = pay.Requirements{Scheme: "exact", Network: "eip155:84532", Amount: "20000",
	Asset: "0x036CbD53842c5426634e7929541eC2318f3dCF7e",
	PayTo: "0x70997970C51812dc3A010C7d01b50e0d17dc79C8", MaxTimeoutSeconds: 120, Extra: pay.Domain{Name: "USDC", Version: "2"}}

func books(t *testing.T) ledger.Ledger {
	t.Helper()
	l := sqlitetest.Open(t, sqlite.Options{})
	return l
}

func buyer(t *testing.T) *wallet.Key {
	t.Helper()
	k, err := wallet.New()
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// ask puts a payment of version 2 to the facilitator.
func ask(t *testing.T, h http.Handler, path string, e pay.Exact, q pay.Requirements) map[string]any {
	t.Helper()
	return post(t, h, path, map[string]any{"x402Version": 2, "paymentPayload": pay.Payload{Version: 2, Accepted: &q, Payload: e},
		"paymentRequirements": q})
}

func post(t *testing.T, h http.Handler, path string, v any) map[string]any {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest(http.MethodPost, path, bytes.NewReader(b)))
	var out map[string]any
	if err := json.Unmarshal(w.Body.Bytes(), &out); err != nil {
		t.Fatalf("%s: %d %s", path, w.Code, w.Body)
	}
	return out
}

func balance(t *testing.T, h http.Handler, a pay.Address) string {
	t.Helper()
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/accounts/"+string(a), nil))
	var out struct {
		USDC map[string]string `json:"usdc_atomic"`
	}
	if err := json.Unmarshal(w.Body.Bytes(), &out); err != nil {
		t.Fatal(err)
	}
	return out.USDC[wanted.Network]
}

func TestASettlementMovesMoneyOnce(t *testing.T) {
	l, k := books(t), buyer(t)
	f := facilitator.New(facilitator.Options{Ledger: l})
	e, err := k.Sign(wanted, time.Now())
	if err != nil {
		t.Fatal(err)
	}
	if v := ask(t, f, "/verify", e, wanted); v["isValid"] != true || v["payer"] != k.Address().Checksum() {
		t.Errorf("verify: %v", v)
	}
	first := ask(t, f, "/settle", e, wanted)
	if first["success"] != true || first["network"] != wanted.Network {
		t.Fatalf("settle: %v", first)
	}
	if again := ask(t, f, "/settle", e, wanted); again["success"] != true || again["transaction"] != first["transaction"] {
		t.Errorf("settled again: %v", again)
	}
	if v := ask(t, f, "/verify", e, wanted); v["invalidReason"] != "invalid_exact_evm_nonce_already_used" {
		t.Errorf("verified afterwards: %v", v)
	}
	// Another process over the same books knows the same, also when the authorization has ended.
	late := facilitator.New(facilitator.Options{Ledger: l, Now: func() time.Time { return time.Now().Add(time.Hour) }})
	if again := ask(t, late, "/settle", e, wanted); again["success"] != true || again["transaction"] != first["transaction"] {
		t.Errorf("settled again later: %v", again)
	}
	for _, h := range []http.Handler{f, late} {
		payee, _ := pay.ParseAddress(wanted.PayTo)
		if got := balance(t, h, k.Address()); got != fmt.Sprint(facilitator.StartBalance-20000) {
			t.Errorf("the payer has %s", got)
		}
		if got := balance(t, h, payee); got != fmt.Sprint(facilitator.StartBalance+20000) {
			t.Errorf("the payee has %s", got)
		}
	}
	forgetful := facilitator.New(facilitator.Options{Ledger: l, Forgetful: true})
	if again := ask(t, forgetful, "/settle", e, wanted); again["errorReason"] != "invalid_exact_evm_nonce_already_used" {
		t.Errorf("a forgetful one: %v", again)
	}
}

func TestWhatIsRefused(t *testing.T) {
	f, k := facilitator.New(facilitator.Options{Ledger: books(t)}), buyer(t)
	now := time.Now()
	for _, c := range []struct {
		name   string
		change func(e *pay.Exact, q *pay.Requirements)
		want   string
	}{
		{"value changed after signing", func(e *pay.Exact, q *pay.Requirements) { e.Authorization.Value, q.Amount = "1", "1" },
			"invalid_exact_evm_signature"},
		{"payee changed after signing", func(e *pay.Exact, q *pay.Requirements) {
			e.Authorization.To, q.PayTo = k.Address().Checksum(), k.Address().Checksum()
		}, "invalid_exact_evm_signature"},
		{"another payer", func(e *pay.Exact, _ *pay.Requirements) { e.Authorization.From = buyer(t).Address().Checksum() },
			"invalid_exact_evm_signature"},
		{"the end changed", func(e *pay.Exact, _ *pay.Requirements) { e.Authorization.ValidBefore = "9999999999" },
			"invalid_exact_evm_signature"},
		{"the nonce changed", func(e *pay.Exact, _ *pay.Requirements) { e.Authorization.Nonce = "0x" + strings.Repeat("01", 32) },
			"invalid_exact_evm_signature"},
		{"another domain", func(_ *pay.Exact, q *pay.Requirements) { q.Extra.Name = "USD Coin" }, "invalid_exact_evm_signature"},
		{"no domain", func(_ *pay.Exact, q *pay.Requirements) { q.Extra = pay.Domain{} }, "invalid_exact_evm_missing_eip712_domain"},
		{"another chain", func(_ *pay.Exact, q *pay.Requirements) { q.Network = "eip155:421614" }, "invalid_exact_evm_signature"},
		{"a main network", func(_ *pay.Exact, q *pay.Requirements) { q.Network = "eip155:8453" }, "invalid_exact_evm_network_mismatch"},
		{"another scheme", func(_ *pay.Exact, q *pay.Requirements) { q.Scheme = "upto" }, "invalid_exact_evm_scheme"},
		{"more is wanted", func(_ *pay.Exact, q *pay.Requirements) { q.Amount = "20001" },
			"invalid_exact_evm_payload_authorization_value_mismatch"},
		{"less is wanted", func(_ *pay.Exact, q *pay.Requirements) { q.Amount = "19999" },
			"invalid_exact_evm_payload_authorization_value_mismatch"},
		{"another payee is wanted", func(_ *pay.Exact, q *pay.Requirements) { q.PayTo = k.Address().Checksum() },
			"invalid_exact_evm_recipient_mismatch"},
		{"v of 0", func(e *pay.Exact, _ *pay.Requirements) { e.Signature = e.Signature[:130] + "00" }, "invalid_exact_evm_signature"},
		{"s in the upper half", func(e *pay.Exact, _ *pay.Requirements) {
			e.Signature = e.Signature[:66] + strings.Repeat("f", 62) + e.Signature[128:]
		}, "invalid_exact_evm_signature"},
		{"no signature", func(e *pay.Exact, _ *pay.Requirements) { e.Signature = "" }, "invalid_exact_evm_signature"},
	} {
		e, err := k.Sign(wanted, now)
		if err != nil {
			t.Fatal(err)
		}
		q := wanted
		c.change(&e, &q)
		if v := ask(t, f, "/verify", e, q); v["isValid"] != false || v["invalidReason"] != c.want {
			t.Errorf("%s: want %s, got %v", c.name, c.want, v)
		}
		if v := ask(t, f, "/settle", e, q); v["success"] != false || v["errorReason"] != c.want {
			t.Errorf("%s, settled: want %s, got %v", c.name, c.want, v)
		}
	}
	for name, c := range map[string]struct{ after, before, want string }{
		"ended":       {"0", fmt.Sprint(now.Unix() - 1), "invalid_exact_evm_payload_authorization_valid_before"},
		"ends soon":   {"0", fmt.Sprint(now.Unix() + 3), "invalid_exact_evm_payload_authorization_valid_before"},
		"not yet":     {fmt.Sprint(now.Unix() + 60), fmt.Sprint(now.Unix() + 120), "invalid_exact_evm_payload_authorization_valid_after"},
		"just now":    {fmt.Sprint(now.Unix() - 60), fmt.Sprint(now.Unix() + 120), ""},
		"for decades": {"0", "4102444800", ""},
	} {
		e, err := k.SignAuthorization(wanted, pay.Authorization{From: k.Address().Checksum(), To: wanted.PayTo, Value: wanted.Amount,
			ValidAfter: c.after, ValidBefore: c.before, Nonce: "0x" + strings.Repeat("02", 32)})
		if err != nil {
			t.Fatal(err)
		}
		if v := ask(t, f, "/verify", e, wanted); v["isValid"] != (c.want == "") || c.want != "" && v["invalidReason"] != c.want {
			t.Errorf("%s: want %q, got %v", name, c.want, v)
		}
	}
	rich := wanted
	rich.Amount = fmt.Sprint(facilitator.StartBalance + 1)
	e, err := k.Sign(rich, now)
	if err != nil {
		t.Fatal(err)
	}
	if v := ask(t, f, "/settle", e, rich); v["errorReason"] != "invalid_exact_evm_insufficient_balance" {
		t.Errorf("more than there is: %v", v)
	}
	for name, v := range map[string]any{"nothing": nil, "a list": []int{1},
		"version 3": map[string]any{"paymentPayload": map[string]any{"x402Version": 3}}} {
		if got := post(t, f, "/verify", v); got["isValid"] != false {
			t.Errorf("%s: %v", name, got)
		}
	}
	if got := balance(t, f, k.Address()); got != fmt.Sprint(facilitator.StartBalance) {
		t.Errorf("what was refused has moved money: %s", got)
	}
}

func TestManyAtOnce(t *testing.T) {
	l, k := books(t), buyer(t)
	f := facilitator.New(facilitator.Options{Ledger: l})
	half := wanted
	half.Amount = fmt.Sprint(facilitator.StartBalance / 4)
	var wg sync.WaitGroup
	var mu sync.Mutex
	moved := map[any]int{}
	for range 8 { // four of them can be paid
		e, err := k.Sign(half, time.Now())
		if err != nil {
			t.Fatal(err)
		}
		for range 2 {
			wg.Go(func() {
				v := ask(t, f, "/settle", e, half)
				mu.Lock()
				defer mu.Unlock()
				if v["success"] == true {
					moved[v["transaction"]]++
				}
			})
		}
	}
	wg.Wait()
	if len(moved) != 4 || balance(t, f, k.Address()) != "0" {
		t.Errorf("want 4 transfers and nothing left, got %d and %s", len(moved), balance(t, f, k.Address()))
	}
}

func TestTheWalletPays(t *testing.T) {
	l, k := books(t), buyer(t)
	f := httptest.NewServer(facilitator.New(facilitator.Options{Ledger: l}))
	defer f.Close()
	g, err := pay.New(pay.Config{PayTo: wanted.PayTo, Price: "20000", Facilitator: f.URL, Ledger: books(t),
		Resource: pay.Resource{URL: "/"}, Origin: endpoint.Origin})
	if err != nil {
		t.Fatal(err)
	}
	if err := g.Check(t.Context()); err != nil {
		t.Error(err)
	}
	shop := httptest.NewServer(g.Wrap(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { io.Copy(w, r.Body) })))
	defer shop.Close()
	c := wallet.Client{Key: k, Most: "20000"}
	resp, paid, err := c.Post(shop.URL, "text/plain", []byte("hello"), "")
	if err != nil || resp.StatusCode != 200 || paid == nil || !paid.Receipt.Success {
		t.Fatalf("got %v %+v %v", resp, paid, err)
	}
	b, _ := io.ReadAll(resp.Body)
	resp.Body.Close()
	if string(b) != "hello" || strings.Contains(fmt.Sprintf("%v %s", k, k), "private") {
		t.Errorf("got %s", b)
	}
	for name, c := range map[string]wallet.Client{
		"too dear":        {Key: k, Most: "19999"},
		"pays nothing":    {Key: k},
		"another network": {Key: k, Most: "20000", Networks: []string{"eip155:8453"}},
	} {
		if _, _, err := c.Post(shop.URL, "text/plain", []byte("hello"), ""); err == nil {
			t.Errorf("%s: it paid", name)
		}
	}
}

// leaving writes a record after its caller has gone away, as a ledger may.
type leaving struct {
	ledger.Ledger
	gone func()
	late sync.WaitGroup
	now  chan struct{} // closed: what is late is written
}

func (l *leaving) Put(ctx context.Context, r ledger.Record, was int64) (int64, error) {
	l.gone()
	if ctx.Err() == nil {
		return l.Ledger.Put(ctx, r, was)
	}
	l.late.Go(func() {
		<-l.now
		_, _ = l.Ledger.Put(context.WithoutCancel(ctx), r, was) // nobody is told
	})
	return 0, ctx.Err()
}

// TestTheCallerLeavesAsItIsWritten: the money that moved is on the chain, whoever waited for it.
func TestTheCallerLeavesAsItIsWritten(t *testing.T) {
	k := buyer(t)
	ctx, cancel := context.WithCancel(t.Context())
	l := &leaving{Ledger: books(t), gone: cancel, now: make(chan struct{})}
	f := facilitator.New(facilitator.Options{Ledger: l})
	e, err := k.Sign(wanted, time.Now())
	if err != nil {
		t.Fatal(err)
	}
	q := wanted
	b, err := json.Marshal(map[string]any{"x402Version": 2, "paymentPayload": pay.Payload{Version: 2, Accepted: &q, Payload: e},
		"paymentRequirements": q})
	if err != nil {
		t.Fatal(err)
	}
	f.ServeHTTP(httptest.NewRecorder(), httptest.NewRequestWithContext(ctx, http.MethodPost, "/settle", bytes.NewReader(b)))
	balance(t, f, k.Address()) // reads the books
	close(l.now)
	l.late.Wait()
	var moved facilitator.Transfer
	if err := facilitator.Transfers(t.Context(), l, wanted.Network, "0x036cbd53842c5426634e7929541ec2318f3dcf7e",
		func(m facilitator.Transfer) error {
			moved = m
			return nil
		}); err != nil || moved.Transaction == "" {
		t.Fatalf("want one transfer, got %+v, %v", moved, err)
	}
	receipt := post(t, f, "/rpc/"+wanted.Network, map[string]any{"jsonrpc": "2.0", "id": 1, "method": "eth_getTransactionReceipt",
		"params": []string{moved.Transaction}})
	if receipt["result"] == nil {
		t.Errorf("want the receipt of %s, got %v", moved.Transaction, receipt)
	}
}
