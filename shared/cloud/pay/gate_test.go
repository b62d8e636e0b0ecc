package pay_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"mappe/localdev/facilitator/wallet"
	"mappe/shared/cloud/pay"
)

func TestAnUnpaidProbeIsAskedForPayment(t *testing.T) {
	r := newHarness(t, nil, nil)
	for _, body := range []string{"", "{", `{"n":1}`, strings.Repeat("x", 1<<20)} {
		a := r.post(body, nil)
		if a.status != 402 || a.header.Get("Cache-Control") != "no-store" || a.header.Get("Content-Type") != "application/json" {
			t.Fatalf("want 402, no-store, JSON, got %d %v", a.status, a.header)
		}
		var v2 pay.Required
		if err := wallet.Decode(a.header.Get("PAYMENT-REQUIRED"), &v2); err != nil {
			t.Fatal(err)
		}
		wantQ := pay.Requirements{Scheme: "exact", Network: "eip155:84532", Amount: "20000",
			Asset: "0x036CbD53842c5426634e7929541eC2318f3dCF7e",
			PayTo: payee, MaxTimeoutSeconds: 120, Extra: pay.Domain{Name: "USDC", Version: "2"}}
		if v2.Version != 2 || len(v2.Accepts) != 1 || v2.Accepts[0] != wantQ || v2.Resource.URL != r.server.URL+"/v1/expand" ||
			v2.Extensions["payment-identifier"] == nil {
			t.Errorf("offer of version 2: %+v", v2)
		}
		var v1 pay.RequiredV1
		if err := json.Unmarshal([]byte(a.body), &v1); err != nil {
			t.Fatal(err)
		}
		if v1.Version != 1 || v1.Status != 402 || v1.Accepts[0].Network != "base-sepolia" || v1.Accepts[0].MaxAmountRequired != "20000" ||
			v1.Accepts[0].Resource != v2.Resource.URL {
			t.Errorf("offer of version 1: %+v", v1)
		}
	}
	if n := r.served.Load() + r.called("/verify"); n != 0 {
		t.Errorf("a probe reached the handler or the facilitator")
	}
	if c := r.counts(); c[pay.ProbeUnpaid] != 4 {
		t.Errorf("want 4 probes counted, got %v", c)
	}
}

// TestTheOfferNamesTheAddressAsked: only the connection tells the scheme, and no header the host.
func TestTheOfferNamesTheAddressAsked(t *testing.T) {
	r := newHarness(t, nil, nil)
	secure := httptest.NewTLSServer(r.server.Config.Handler)
	defer secure.Close()
	for _, s := range []*httptest.Server{r.server, secure} {
		for name, value := range map[string]string{
			"": "", "X-Forwarded-Proto": "https", "X-Forwarded-Host": "evil.example", "X-Forwarded-Prefix": "/evil",
			"Forwarded": "host=evil.example;proto=https", "X-Forwarded-Ssl": "on",
		} {
			req, err := http.NewRequest(http.MethodPost, s.URL+"/v1/expand", nil)
			if err != nil {
				t.Fatal(err)
			}
			if name != "" {
				req.Header.Set(name, value)
			}
			resp, err := s.Client().Do(req)
			if err != nil {
				t.Fatal(err)
			}
			resp.Body.Close()
			var offer pay.Required
			if err := wallet.Decode(resp.Header.Get("PAYMENT-REQUIRED"), &offer); err != nil || offer.Resource.URL != s.URL+"/v1/expand" {
				t.Errorf("%s %s: %s: want %s/v1/expand, got %s, %v", s.URL, name, value, s.URL, offer.Resource.URL, err)
			}
		}
	}
}

func TestPaidInBothVersions(t *testing.T) {
	r := newHarness(t, nil, nil)
	for n, payment := range []http.Header{
		r.payment(""),
		{"X-Payment": {wallet.HeaderV1("base-sepolia", r.sign())}},
	} {
		a := r.post(request(n), payment)
		if a.status != 200 || a.body != want(n) {
			t.Fatalf("want %s, got %d %s", want(n), a.status, a.body)
		}
		s := a.receipt(t)
		network := []string{"eip155:84532", "base-sepolia"}[n]
		if !s.Success || s.Payer != r.key.Address().Checksum() || s.Network != network || len(s.Transaction) != 66 {
			t.Errorf("receipt %+v", s)
		}
		if cc := a.header.Get("Cache-Control"); !strings.Contains(cc, "private") {
			t.Errorf("Cache-Control %q", cc)
		}
		if again := r.post(request(n), payment); again.status != 200 || again.body != a.body || again.receipt(t) != s {
			t.Errorf("sent again: %d %s", again.status, again.body)
		}
	}
	r.balanced(2)
	if r.served.Load() != 2 || r.called("/settle") != 2 {
		t.Errorf("want 2 runs and 2 settlements, got %d and %d", r.served.Load(), r.called("/settle"))
	}
	want := pay.Counts{pay.Verified: 2, pay.Settled: 2, pay.Replayed: 2, pay.Revenue: 40000}
	for e, n := range want {
		if got := r.counts()[e]; got != n {
			t.Errorf("%s: want %d, got %d", e, n, got)
		}
	}
}

func TestOnePaymentPaysOneRequest(t *testing.T) {
	r := newHarness(t, nil, nil)
	payment := r.payment("")
	r.post(request(1), payment)
	if a := r.post(request(2), payment); a.status != 409 || a.code() != "payment_used_for_other_request" ||
		strings.Contains(a.body, `"sum":`) {
		t.Errorf("another body: %d %s", a.status, a.body)
	}
	// A payment with the nonce of a settled one, signed or not, fetches nothing.
	e := r.sign()
	var first pay.Payload
	if err := wallet.Decode(payment.Get("PAYMENT-SIGNATURE"), &first); err != nil {
		t.Fatal(err)
	}
	forged := first.Payload
	forged.Signature = e.Signature
	if a := r.post(request(1), http.Header{"Payment-Signature": {wallet.Header(r.gate.Requirements(), forged, "")}}); a.status != 402 ||
		strings.Contains(a.body, `"sum":`) {
		t.Errorf("a forged signature: %d %s", a.status, a.body)
	}
	r.balanced(1)
}

func TestARefusedRequestIsNotCharged(t *testing.T) {
	r := newHarness(t, nil, nil)
	payment := r.payment("")
	a := r.post("no JSON", payment)
	if a.status != 400 || !strings.Contains(a.body, "no JSON") || a.header.Get("PAYMENT-RESPONSE") != "" {
		t.Errorf("got %d %s %v", a.status, a.body, a.header)
	}
	r.balanced(0)
	if a := r.post(request(3), payment); a.status != 200 || a.body != want(3) {
		t.Errorf("the same payment for a better request: %d %s", a.status, a.body)
	}
	r.balanced(1)
	if c := r.counts(); c[pay.RefusedUnsettled] != 1 || c[pay.Revenue] != 20000 {
		t.Errorf("counts %v", c)
	}
}

func TestAPanicIsNotCharged(t *testing.T) {
	r := newHarness(t, nil, nil)
	payment := r.payment("")
	r.handle = func(http.ResponseWriter, *http.Request) { panic("a fault of the handler") }
	func() {
		defer func() {
			if recover() == nil {
				t.Error("the panic was swallowed")
			}
		}()
		r.ask(r.gate, request(1), payment)
	}()
	r.handle = nil
	if a := r.post(request(1), payment); a.status != 200 {
		t.Errorf("afterwards: %d %s", a.status, a.body)
	}
	r.balanced(1)
}

func TestParallelRequestsWithOnePaymentRunOnce(t *testing.T) {
	r := newHarness(t, nil, nil)
	r.handle = func(w http.ResponseWriter, req *http.Request) {
		time.Sleep(50 * time.Millisecond)
		shop(w, req)
	}
	payment := r.payment("")
	var wg sync.WaitGroup
	answers := make([]reply, 16)
	for i := range answers {
		wg.Go(func() { answers[i] = r.post(request(1), payment) })
	}
	wg.Wait()
	for _, a := range answers {
		if a.status != 200 || a.body != want(1) {
			t.Errorf("got %d %s", a.status, a.body)
		}
	}
	if r.served.Load() != 1 || r.called("/settle") != 1 {
		t.Errorf("want one run and one settlement, got %d and %d", r.served.Load(), r.called("/settle"))
	}
	r.balanced(1)
}

func TestWhoWaitsTooLongIsTold(t *testing.T) {
	r := newHarness(t, func(c *pay.Config) { c.Bounds.Wait = 50 * time.Millisecond }, nil)
	begun, end := make(chan struct{}), make(chan struct{})
	r.handle = func(w http.ResponseWriter, req *http.Request) {
		close(begun)
		<-end
		shop(w, req)
	}
	payment := r.payment("")
	first := make(chan reply)
	go func() { first <- r.post(request(1), payment) }()
	<-begun
	if a := r.post(request(1), payment); a.status != 409 || a.code() != "payment_in_progress" || a.header.Get("Retry-After") != "1" {
		t.Errorf("got %d %s %v", a.status, a.body, a.header)
	}
	if a := r.post(request(2), payment); a.status != 409 || a.code() != "payment_used_for_other_request" {
		t.Errorf("another body: %d %s", a.status, a.body)
	}
	close(end)
	if a := <-first; a.status != 200 {
		t.Errorf("the first: %d", a.status)
	}
	r.balanced(1)
}

func TestABuyerWhoHangsUpFetchesTheAnswerLater(t *testing.T) {
	r := newHarness(t, nil, nil)
	begun, end := make(chan struct{}), make(chan struct{})
	r.handle = func(w http.ResponseWriter, req *http.Request) {
		close(begun)
		<-end
		shop(w, req)
	}
	payment := r.payment("")
	client := &http.Client{}
	req, err := http.NewRequest(http.MethodPost, r.server.URL+"/v1/expand", strings.NewReader(request(1)))
	if err != nil {
		t.Fatal(err)
	}
	req.Header = payment.Clone()
	gone := make(chan error)
	go func() {
		resp, err := client.Do(req)
		if err == nil {
			resp.Body.Close()
		}
		gone <- err
	}()
	<-begun
	go r.server.CloseClientConnections()
	if <-gone == nil {
		t.Fatal("the connection held")
	}
	close(end)
	if a := r.post(request(1), payment); a.status != 200 || a.body != want(1) || r.served.Load() != 1 {
		t.Errorf("got %d %s after %d runs", a.status, a.body, r.served.Load())
	}
	r.balanced(1)
}

func TestHowLongAnAnswerCanBeFetched(t *testing.T) {
	r := newHarness(t, nil, nil)
	payment := r.payment("")
	r.post(request(1), payment)
	r.clock.Store(23 * 3600)
	if a := r.post(request(1), payment); a.status != 200 || a.body != want(1) {
		t.Errorf("after 23 hours: %d %s", a.status, a.body)
	}
	r.clock.Store(25 * 3600)
	if a := r.post(request(1), payment); a.status != 402 || strings.Contains(a.body, `"sum":`) {
		t.Errorf("after 25 hours: %d %s", a.status, a.body)
	}
	r.balanced(1)
}

func TestHeadersAreNeverLogged(t *testing.T) {
	r := newHarness(t, nil, nil)
	payment := r.payment("")
	r.fail(5, "/settle")
	r.post(request(1), payment)
	r.heal()
	r.post(request(1), payment)
	r.post(request(2), payment)
	var p pay.Payload
	if err := wallet.Decode(payment.Get("PAYMENT-SIGNATURE"), &p); err != nil {
		t.Fatal(err)
	}
	logs := r.logs.String()
	if !strings.Contains(logs, p.Payload.Authorization.Nonce) {
		t.Errorf("the nonce is not in the log: %s", logs)
	}
	for _, secret := range []string{payment.Get("PAYMENT-SIGNATURE"), p.Payload.Signature, p.Payload.Signature[2:40]} {
		if strings.Contains(logs, secret) {
			t.Errorf("the log holds %s", secret[:20])
		}
	}
}
