package paygate_test

import (
	"bytes"
	"context"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"

	"mappe/functions/expander"
	"mappe/functions/expander/paygate"
	"mappe/localdev/facilitator"
	"mappe/localdev/facilitator/wallet"
	"mappe/shared/cloud/ledger/sqlite"
	"mappe/shared/cloud/pay"
	"mappe/shared/web/endpoint"
)

const payTo = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8"

// shop is the expander behind a real gate, with a facilitator that checks signatures.
func shop(t *testing.T) (url string, s paygate.Settings) {
	t.Helper()
	dir := t.TempDir()
	books, err := sqlite.Open(t.Context(), filepath.Join(dir, "facilitator.db"), sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	f := httptest.NewServer(facilitator.New(facilitator.Options{Ledger: books}))
	s = paygate.Settings{PayTo: payTo, Facilitator: f.URL, Ledger: "sqlite:" + filepath.Join(dir, "ledger.db"),
		Resource: "/expander/v1/expand"}
	opened, err := paygate.Open(t.Context(), s, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	h, err := expander.New(opened.Deps(expander.Deps{})).Handler()
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(endpoint.Mount("/expander", h))
	t.Cleanup(func() {
		server.Close()
		f.Close()
		if err := opened.Close(); err != nil {
			t.Error(err)
		}
		books.Close()
	})
	return server.URL + "/expander", s
}

func body(t *testing.T, r *http.Response) string {
	t.Helper()
	defer r.Body.Close()
	b, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// TestAPaidCall goes the whole way: probe, payment, answer, replay, refusal, counts.
func TestAPaidCall(t *testing.T) {
	url, _ := shop(t)
	key, err := wallet.New()
	if err != nil {
		t.Fatal(err)
	}
	buyer := &wallet.Client{Key: key, Most: expander.PriceAtomic}
	const rules = `{"rules":[{"rrule":"FREQ=DAILY","tz":"Europe/Vienna","start":"2027-03-27T02:30:00","count":3}]}`

	probe, err := http.Post(url+"/v1/expand", "text/plain", strings.NewReader("{"))
	if err != nil {
		t.Fatal(err)
	}
	if text := body(t, probe); probe.StatusCode != 402 || probe.Header.Get("PAYMENT-REQUIRED") == "" ||
		!strings.Contains(text, `"maxAmountRequired":"20000"`) || !strings.Contains(text, url+"/v1/expand") {
		t.Errorf("probe: %d %s", probe.StatusCode, text)
	}
	if probe.Header.Get("X-Request-Id") == "" || probe.Header.Get("Access-Control-Allow-Origin") != "*" {
		t.Errorf("probe: %v", probe.Header)
	}
	paid, payment, err := buyer.Post(url+"/v1/expand", "application/json", []byte(rules), "")
	if err != nil || payment == nil {
		t.Fatal(err, payment)
	}
	answer := body(t, paid)
	if paid.StatusCode != 200 || !strings.Contains(answer, `"total_occurrences":3`) || !payment.Receipt.Success ||
		payment.Receipt.Transaction == "" {
		t.Fatalf("paid: %d %s %+v", paid.StatusCode, answer, payment.Receipt)
	}
	again, err := http.NewRequest("POST", url+"/v1/expand", strings.NewReader(rules))
	if err != nil {
		t.Fatal(err)
	}
	again.Header.Set("Content-Type", "application/json")
	again.Header.Set("PAYMENT-SIGNATURE", payment.Header)
	replay, err := http.DefaultClient.Do(again)
	if err != nil {
		t.Fatal(err)
	}
	if text := body(t, replay); replay.StatusCode != 200 || text != answer {
		t.Errorf("the same payment for the same request: %d %.200s", replay.StatusCode, text)
	}
	refused, payment, err := buyer.Post(url+"/v1/expand", "application/json",
		[]byte(`{"rules":[{"rrule":"FREQ=DAILY;COUNT=0","tz":"UTC","start":"2026-01-01T00:00:00"}]}`), "")
	if err != nil || payment == nil {
		t.Fatal(err)
	}
	if text := body(t, refused); refused.StatusCode != 400 || !strings.Contains(text, "COUNT") || payment.Receipt.Success {
		t.Errorf("refused: %d %s %+v", refused.StatusCode, text, payment.Receipt)
	}
	metrics, err := http.Get(url + "/v1/metrics")
	if err != nil {
		t.Fatal(err)
	}
	text := body(t, metrics)
	for _, want := range []string{`"payments":"open"`, `"settled":1`, `"revenue_atomic":20000`, `"replays":1`, `"refused_unsettled":1`,
		`"probes_unpaid":3`} {
		if !strings.Contains(text, want) {
			t.Errorf("want %s in %s", want, text)
		}
	}
}

// TestIncompleteSettingsOpenNothing: what is missing is said, and nothing opens.
func TestIncompleteSettingsOpenNothing(t *testing.T) {
	good := paygate.Settings{PayTo: payTo, Facilitator: "https://facilitator.example",
		Ledger: "sqlite:" + filepath.Join(t.TempDir(), "a.db"), Resource: "https://api.example/v1/expand"}
	for name, c := range map[string]struct {
		change func(*paygate.Settings)
		want   string
	}{
		"no facilitator":   {func(s *paygate.Settings) { s.Facilitator = "" }, "Facilitator"},
		"facilitator only": {func(s *paygate.Settings) { s.PayTo = "" }, "whom to pay"},
		"a payee mistyped": {func(s *paygate.Settings) { s.PayTo = strings.ToLower(payTo[:4]) + payTo[4:40] + "c9" }, "PayTo"},
		"a main network":   {func(s *paygate.Settings) { s.Network = "eip155:8453" }, "real money"},
		"no ledger":        {func(s *paygate.Settings) { s.Ledger = "" }, "ledger"},
		"facilitator http": {func(s *paygate.Settings) { s.Facilitator = "http://facilitator.example" }, "https"},
	} {
		s := good
		c.change(&s)
		if _, err := paygate.Open(t.Context(), s, slog.New(slog.DiscardHandler)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: want %q, got %v", name, c.want, err)
		}
	}
	closed, err := paygate.Open(context.Background(), paygate.Settings{}, slog.New(slog.DiscardHandler))
	if closed != nil || err != nil || closed.Deps(expander.Deps{}).Gate != nil || closed.Close() != nil {
		t.Errorf("no setting at all: %v %v", closed, err)
	}
	s := good
	s.Network, s.Mainnet = "eip155:8453", true
	live, err := paygate.Open(t.Context(), s, slog.New(slog.DiscardHandler))
	if err != nil || live.Network().Test {
		t.Fatalf("a main network that is allowed: %v", err)
	}
	if err := live.Close(); err != nil {
		t.Error(err)
	}
}

// TestAnOrderlyEndKeepsTheCounts: what was counted in the last second is written when the gate is closed.
func TestAnOrderlyEndKeepsTheCounts(t *testing.T) {
	_, s := shop(t)
	open := func() *paygate.Gate {
		opened, err := paygate.Open(t.Context(), s, slog.New(slog.DiscardHandler))
		if err != nil {
			t.Fatal(err)
		}
		return opened
	}
	first := open()
	for range 3 {
		first.Wrap(http.NotFoundHandler()).ServeHTTP(httptest.NewRecorder(), httptest.NewRequest("POST", "/v1/expand", nil))
	}
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	second := open()
	defer second.Close()
	days, err := second.Deps(expander.Deps{}).Events(t.Context())
	if err != nil || len(days) != 1 || days[0].Counts[pay.ProbeUnpaid] != 3 {
		t.Errorf("want 3 probes, got %v, %v", days, err)
	}
}

func TestSettingsOfTheEnvironment(t *testing.T) {
	env := map[string]string{"MAPPE_PAY_TO": payTo, "MAPPE_PAY_FACILITATOR": "https://f.example",
		"MAPPE_PAY_CREDENTIAL": "arn:of-the-token",
		"MAPPE_LEDGER":         "dynamodb://table", "MAPPE_PUBLIC_URL": "https://api.example/expander", "AWS_LAMBDA_FUNCTION_NAME": "f"}
	get := func(k string) string { return env[k] }
	s, err := paygate.FromEnvironment(get)
	if err != nil || s.PayTo != payTo || s.Credential != "arn:of-the-token" || s.Resource != "https://api.example/expander/v1/expand" ||
		!s.EachRequest || s.Mainnet {
		t.Errorf("%v %+v", err, s)
	}
	env["MAPPE_PAY_MAINNET"] = "true"
	if _, err := paygate.FromEnvironment(get); err == nil {
		t.Error("MAPPE_PAY_MAINNET=true is taken")
	}
	env["MAPPE_PAY_MAINNET"], env["MAPPE_PUBLIC_URL"] = "yes", ""
	if _, err := paygate.FromEnvironment(get); err == nil || !strings.Contains(err.Error(), "MAPPE_PUBLIC_URL") {
		t.Errorf("without an address: %v", err)
	}
}

// TestTheCredentialIsNotLogged: what a gate logs of itself does not hold it.
func TestTheCredentialIsNotLogged(t *testing.T) {
	var out bytes.Buffer
	secrets := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		io.WriteString(w, `{"SecretString":"hidden-thing"}`)
	}))
	defer secrets.Close()
	for name, value := range map[string]string{"AWS_ENDPOINT_URL_SECRETS_MANAGER": secrets.URL, "AWS_REGION": "x", "AWS_ACCESS_KEY_ID": "x",
		"AWS_SECRET_ACCESS_KEY": "x"} {
		t.Setenv(name, value)
	}
	s := paygate.Settings{PayTo: payTo, Facilitator: "https://127.0.0.1:1", Credential: "arn:of-the-token",
		Ledger: "sqlite:" + filepath.Join(t.TempDir(), "a.db"), Resource: "/v1/expand"}
	opened, err := paygate.Open(t.Context(), s, slog.New(slog.NewTextHandler(&out, &slog.HandlerOptions{Level: slog.LevelDebug})))
	if err != nil {
		t.Fatal(err)
	}
	defer opened.Close()
	w := httptest.NewRecorder()
	opened.Wrap(http.NotFoundHandler()).ServeHTTP(w, httptest.NewRequest("POST", "/v1/expand", nil))
	failed := opened.Check(t.Context()) // with the token, to where nobody listens
	if failed == nil || strings.Contains(failed.Error(), "hidden-thing") {
		t.Errorf("the facilitator: %v", failed)
	}
	if w.Code != 402 || strings.Contains(out.String()+w.Body.String()+w.Header().Get("PAYMENT-REQUIRED"), "hidden-thing") {
		t.Errorf("%d %s", w.Code, out.String())
	}
}
