package pay

import (
	"cmp"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"golang.org/x/crypto/sha3"
)

func TestKeccakAsElsewhere(t *testing.T) {
	data := []byte(strings.Repeat("mappe", 100))
	for n := range data {
		h := sha3.NewLegacyKeccak256()
		h.Write(data[:n])
		if got, want := keccak256(data[:n]), h.Sum(nil); hex.EncodeToString(got[:]) != hex.EncodeToString(want) {
			t.Fatalf("%d bytes: want %x, got %x", n, want, got)
		}
	}
}

func TestChecksums(t *testing.T) {
	// The examples of EIP-55, and the addresses of USDC as their issuer writes them.
	for _, s := range []string{
		"0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed", "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359",
		"0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB", "0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb",
		"0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913", "0x036CbD53842c5426634e7929541eC2318f3dCF7e",
		"0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48", "0xB97EF9Ef8734C71904D8002F8b6Bc66Dd9c48a6E",
		"0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359", "0xaf88d065e77c8cC2239327C5EDb3A432268e5831",
		"0x75faf114eafb1BDbe2F0316DF893fd58CE46AA4d", "0x754704Bc059F8C67012fEd69BC8A327a5aafb603",
	} {
		a, err := parseOwn(s)
		if err != nil || a.Checksum() != s {
			t.Errorf("%s: got %s, %v", s, a.Checksum(), err)
		}
	}
	for _, s := range []string{"", "0x", "0x0000000000000000000000000000000000000000", "0x5aaeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
		"0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed", "5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
		"0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAe", "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeg"} {
		if _, err := parseOwn(s); err == nil {
			t.Errorf("%q was taken", s)
		}
	}
	for _, n := range AllNetworks() {
		if _, err := ParseAddress(string(n.USDC)); err != nil || string(n.USDC) != strings.ToLower(string(n.USDC)) {
			t.Errorf("%s: %s, %v", n.ID, n.USDC, err)
		}
	}
}

// good is a payload of version 2 that can be read.
func good() map[string]any {
	return map[string]any{
		"x402Version": 2,
		"accepted": map[string]any{"scheme": "exact", "network": "eip155:84532", "amount": "20000",
			"asset": "0x036CbD53842c5426634e7929541eC2318f3dCF7e",
			"payTo": "0x70997970C51812dc3A010C7d01b50e0d17dc79C8", "maxTimeoutSeconds": 120,
			"extra": map[string]any{"name": "USDC", "version": "2", "more": true}},
		"payload": map[string]any{
			"signature": "0x" + strings.Repeat("ab", 65),
			"authorization": map[string]any{"from": "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC",
				"to":    "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
				"value": "20000", "validAfter": "0", "validBefore": "1790000000", "nonce": "0x" + strings.Repeat("0F", 32)},
		},
	}
}

func set(m map[string]any, path string, v any) map[string]any {
	at := m
	names := strings.Split(path, ".")
	for _, n := range names[:len(names)-1] {
		at = at[n].(map[string]any)
	}
	if v == nil {
		delete(at, names[len(names)-1])
	} else {
		at[names[len(names)-1]] = v
	}
	return m
}

func header(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return base64.StdEncoding.EncodeToString(b)
}

func TestPaymentHeadersThatCannotBeRead(t *testing.T) {
	deep := strings.Repeat(`{"a":`, 40) + "1" + strings.Repeat("}", 40)
	for name, value := range map[string]string{
		"not base64":             "{}",
		"url base64":             base64.URLEncoding.EncodeToString([]byte(`{"x":"~~~???>>>"}`)),
		"no padding":             strings.TrimRight(header(map[string]any{"a": "bc"}), "="),
		"no JSON":                base64.StdEncoding.EncodeToString([]byte("hello")),
		"two values":             base64.StdEncoding.EncodeToString([]byte("{} {}")),
		"an array":               header([]int{1}),
		"nested too deep":        base64.StdEncoding.EncodeToString([]byte(deep)),
		"too long":               strings.Repeat("A", maxHeader+4),
		"version missing":        header(set(good(), "x402Version", nil)),
		"version 1 in the other": header(set(good(), "x402Version", 1)),
		"version 3":              header(set(good(), "x402Version", 3)),
		"accepted missing":       header(set(good(), "accepted", nil)),
		"payload missing":        header(set(good(), "payload", nil)),
		"permit instead":         header(set(set(good(), "payload.authorization", nil), "payload.permit2Authorization", map[string]any{})),
		"signature short":        header(set(good(), "payload.signature", "0x"+strings.Repeat("ab", 64))),
		"signature odd":          header(set(good(), "payload.signature", "0x"+strings.Repeat("ab", 65)+"a")),
		"signature long":         header(set(good(), "payload.signature", "0x"+strings.Repeat("ab", 4097))),
		"signature a number":     header(set(good(), "payload.signature", 5)),
		"from":                   header(set(good(), "payload.authorization.from", "0x12")),
		"to":                     header(set(good(), "payload.authorization.to", "vitalik.eth")),
		"value negative":         header(set(good(), "payload.authorization.value", "-1")),
		"value with a point":     header(set(good(), "payload.authorization.value", "0.02")),
		"value a number":         header(set(good(), "payload.authorization.value", 20000)),
		"value padded":           header(set(good(), "payload.authorization.value", "020000")),
		"value long":             header(set(good(), "payload.authorization.value", strings.Repeat("9", 79))),
		"validBefore for ever":   header(set(good(), "payload.authorization.validBefore", strings.Repeat("9", 77))),
		"validAfter empty":       header(set(good(), "payload.authorization.validAfter", "")),
		"nonce short":            header(set(good(), "payload.authorization.nonce", "0x01")),
		"identifier a number": header(set(good(), "extensions",
			map[string]any{"payment-identifier": map[string]any{"info": map[string]any{"id": 5}}})),
		"identifier short": header(set(good(), "extensions",
			map[string]any{"payment-identifier": map[string]any{"info": map[string]any{"id": "abc"}}})),
	} {
		_, err := readPayment(http.Header{"Payment-Signature": {value}})
		var bad errPayload
		if err == nil || !asPayload(err, &bad) || !strings.Contains(bad.text, headerPayment) || len(bad.text) > 400 {
			t.Errorf("%s: got %v", name, err)
		}
	}
	if _, err := readPayment(http.Header{"Payment-Signature": {header(good()), header(good())}}); err == nil {
		t.Error("two headers were taken")
	}
}

// What JSON is wrong is said in words of JSON.
func TestTypesOfPaymentHeaders(t *testing.T) {
	for want, value := range map[string]string{
		"the payload is a JSON array: expected an object":                 header([]int{1}),
		"payload.authorization.value is a JSON number: expected a string": header(set(good(), "payload.authorization.value", 20000)),
		"payload.authorization is a JSON string: expected an object":      header(set(good(), "payload.authorization", "x")),
	} {
		if _, err := readPayment(http.Header{"Payment-Signature": {value}}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("want %q, got %v", want, err)
		}
	}
}

func asPayload(err error, into *errPayload) bool {
	e, ok := err.(errPayload)
	*into = e
	return ok
}

func TestOneSpelling(t *testing.T) {
	p, err := decodePayment(headerPayment, header(good()), 2)
	if err != nil {
		t.Fatal(err)
	}
	upper := set(good(), "payload.signature", "0x"+strings.Repeat("AB", 65))
	set(upper, "payload.authorization.nonce", "0x"+strings.Repeat("0f", 32))
	set(upper, "payload.authorization.from", "0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc")
	// A second spelling of a member: encoding/json folds case, the facilitator's language does not. What is
	// sent on is what was read.
	raw, _ := json.Marshal(upper)
	twice := strings.Replace(string(raw), `"nonce":`, `"Nonce":"0x`+strings.Repeat("11", 32)+`","nonce":`, 1)
	q, err := decodePayment(headerPayment, base64.StdEncoding.EncodeToString([]byte(twice)), 2)
	if err != nil {
		t.Fatal(err)
	}
	if p.hash != q.hash || p.nonce != q.nonce || p.payer != q.payer || p.exact != q.exact {
		t.Errorf("two spellings of one payment: %+v and %+v", p, q)
	}
	if q.exact.Authorization.Nonce != q.nonce {
		t.Errorf("claimed %s, sent on %s", q.nonce, q.exact.Authorization.Nonce)
	}
}

func TestRequirementsAreCompared(t *testing.T) {
	n, err := ParseNetwork("eip155:84532")
	if err != nil {
		t.Fatal(err)
	}
	q := Requirements{"exact", "eip155:84532", "20000", "0x036CbD53842c5426634e7929541eC2318f3dCF7e",
		"0x70997970C51812dc3A010C7d01b50e0d17dc79C8", 120, Domain{"USDC", "2"}}
	for _, c := range []struct{ path, value, want string }{
		{"accepted.scheme", "exact", ""},
		{"accepted.asset", "0x036cbd53842c5426634e7929541ec2318f3dcf7e", ""},
		{"accepted.scheme", "upto", "scheme"},
		{"accepted.network", "eip155:8453", "network"},
		{"accepted.amount", "1", "accepted.amount"},
		{"accepted.asset", "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913", "accepted.asset"},
		{"accepted.payTo", "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC", "accepted.payTo"},
		{"accepted.extra.name", "USD Coin", "accepted.extra.name"},
		{"accepted.extra.version", "1", "accepted.extra.version"},
		{"payload.authorization.to", "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC", "authorization.to"},
		{"payload.authorization.value", "19999", "authorization.value"},
		{"payload.authorization.value", "20001", "authorization.value"},
	} {
		p, err := decodePayment(headerPayment, header(set(good(), c.path, c.value)), 2)
		if err != nil {
			t.Fatal(err)
		}
		if got := p.matches(n, q); (got == "") != (c.want == "") || !strings.HasPrefix(got, c.want) {
			t.Errorf("%s=%s: want %q, got %q", c.path, c.value, c.want, got)
		}
	}
	p, err := decodePayment(headerPayment, header(set(good(), "accepted.maxTimeoutSeconds", 3600)), 2)
	if err != nil || p.matches(n, q) == "" {
		t.Errorf("another time limit was taken: %v", err)
	}
	// Arbitrum Sepolia has no name in version 1: an empty one must not match it.
	arbitrum, err := ParseNetwork("eip155:421614")
	if err != nil {
		t.Fatal(err)
	}
	v1 := &payment{version: 1, scheme: "exact", network: "", to: p.to, value: "20000"}
	if got := v1.matches(arbitrum, q); got == "" {
		t.Error("version 1 on a network without a name was taken")
	}
}

func TestWhichRefusalsProve(t *testing.T) {
	tx := "0x" + strings.Repeat("ab", 32)
	for _, c := range []struct {
		s    Settlement
		want bool
	}{
		{Settlement{Success: true}, false},
		{Settlement{ErrorReason: "invalid_exact_evm_insufficient_balance"}, true},
		{Settlement{ErrorReason: "insufficient_funds"}, true},
		{Settlement{ErrorReason: "invalid_exact_evm_nonce_already_used"}, false},
		{Settlement{ErrorReason: "invalid_exact_evm_transaction_simulation_failed"}, false},
		{Settlement{ErrorReason: "invalid_exact_evm_insufficient_balance", Transaction: tx}, false},
		{Settlement{ErrorReason: "settlement_pending", Transaction: tx}, false},
		{Settlement{ErrorReason: "settlement_pending"}, false},
		{Settlement{ErrorReason: "invalid_exact_evm_transaction_failed"}, false},
		{Settlement{ErrorReason: "invalid_transaction_state"}, false},
		{Settlement{ErrorReason: "unexpected_settle_error"}, false},
		{Settlement{ErrorReason: "a word of the future"}, false},
		{Settlement{ErrorReason: "invalid_payload"}, false},
		{Settlement{ErrorReason: "insufficient_funds", status: http.StatusBadRequest}, false},
		{Settlement{}, false},
	} {
		c.s.status = cmp.Or(c.s.status, http.StatusOK)
		if got := proves(c.s); got != c.want {
			t.Errorf("%+v: want %t, got %t", c.s, c.want, got)
		}
	}
}

func TestAnswersOfFacilitators(t *testing.T) {
	n, _ := ParseNetwork("eip155:84532")
	payer := Address("0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc")
	tx := "0x" + strings.Repeat("AB", 32)
	for raw, want := range map[string]string{ // success, failure, or "" for no answer
		fmt.Sprintf(`{"success":true,"transaction":%q,"network":"eip155:84532","payer":%q}`, tx, payer):           "success",
		fmt.Sprintf(`{"success":true,"transaction":%q,"network":"base-sepolia"}`, tx):                             "success",
		fmt.Sprintf(`{"success":true,"transaction":%q}`, tx):                                                      "success",
		fmt.Sprintf(`{"success":true,"transaction":%q,"network":"eip155:8453"}`, tx):                              "",
		fmt.Sprintf(`{"success":true,"transaction":%q,"payer":"0x70997970C51812dc3A010C7d01b50e0d17dc79C8"}`, tx): "",
		`{"success":true,"transaction":""}`:                                                                       "",
		`{"success":true,"transaction":"0x12"}`:                                                                   "",
		`{"success":true}`:                                                                                        "",
		`{"success":"true"}`:                                                                                      "",
		`{"transaction":"` + tx + `"}`:                                                                            "",
		`{}`:                                                                                                      "",
		`[]`:                                                                                                      "",
		``:                                                                                                        "",
		`<html>`:                                                                                                  "",
		`{"success":false,"errorReason":"insufficient_funds","transaction":""}`: "failure",
		`{"success":false}`: "failure",
		`{"success":false,"transaction":null,"errorReason":null}`: "failure",
		strings.Repeat("[", 100) + strings.Repeat("]", 100):       "",
	} {
		s, err := readSettlement([]byte(raw), payer, n)
		got := map[bool]string{true: "success", false: "failure"}[s.Success]
		if err != nil {
			got = ""
		}
		if got != want {
			t.Errorf("%s: want %q, got %q (%v)", raw, want, got, err)
		}
		if got == "success" && (s.Transaction != strings.ToLower(tx) || s.Network != n.ID || s.Payer != payer.Checksum()) {
			t.Errorf("%s: %+v", raw, s)
		}
	}
	for raw, want := range map[string]string{
		`{"isValid":true,"payer":"0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC"}`: "valid",
		`{"isValid":true}`: "valid",
		`{"isValid":true,"payer":"0x70997970C51812dc3A010C7d01b50e0d17dc79C8"}`: "",
		`{"isValid":false,"invalidReason":"insufficient_funds"}`:                "insufficient_funds",
		`{"isValid":false}`: "invalid_payload",
		`{"isValid":1}`:     "",
		`{}`:                "",
		`null`:              "",
	} {
		v, err := readVerdict([]byte(raw), payer)
		got := v.Reason
		if v.Valid {
			got = "valid"
		}
		if err != nil {
			got = ""
		}
		if got != want {
			t.Errorf("%s: want %q, got %q (%v)", raw, want, got, err)
		}
	}
}

func FuzzPaymentHeader(f *testing.F) {
	f.Add(header(good()), 2)
	f.Add(header(map[string]any{"x402Version": 1, "scheme": "exact", "network": "base-sepolia", "payload": good()["payload"]}), 1)
	f.Add("", 1)
	f.Fuzz(func(t *testing.T, value string, version int) {
		checkHeader(t, value, 1+version&1)
		checkHeader(t, base64.StdEncoding.EncodeToString([]byte(value)), 1+version&1)
	})
}

// checkHeader: what was read is within its bounds and reads back as itself.
func checkHeader(t *testing.T, value string, version int) {
	name := map[int]string{1: headerPaymentV1, 2: headerPayment}[version]
	p, err := decodePayment(name, value, version)
	if err != nil {
		return
	}
	if !isHex(p.nonce, 32) || !isHex(string(p.payer), 20) || p.validBefore < 0 || !isDecimal(p.value, 78) ||
		p.id != "" && !isIdentifier(p.id) {
		t.Fatalf("read %+v", p)
	}
	again := &payment{}
	if err := again.read(name, p.exact.Signature, p.exact.Authorization); err != nil || again.exact != p.exact || again.hash != p.hash {
		t.Fatalf("%+v reads back as %+v, %v", p.exact, again.exact, err)
	}
}

func FuzzFacilitatorAnswer(f *testing.F) {
	f.Add([]byte(`{"success":true,"transaction":"0x` + strings.Repeat("ab", 32) + `","network":"eip155:84532"}`))
	f.Add([]byte(`{"isValid":false,"invalidReason":"insufficient_funds"}`))
	f.Add([]byte(`{"success":false,"errorReason":"settlement_pending","transaction":"0x"}`))
	n, err := ParseNetwork(DefaultNetwork)
	if err != nil {
		f.Fatal(err)
	}
	payer := Address("0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc")
	f.Fuzz(func(t *testing.T, raw []byte) {
		s, err := readSettlement(raw, payer, n)
		if err == nil && s.Success && (!isHex(s.Transaction, 32) || s.Payer != payer.Checksum()) {
			t.Fatalf("%+v", s)
		}
		if err == nil && !s.Success && (s.ErrorReason == "" || len(s.ErrorReason) > 300) {
			t.Fatalf("%+v", s)
		}
		if v, err := readVerdict(raw, payer); err == nil && !v.Valid && v.Reason == "" {
			t.Fatalf("%+v", v)
		}
	})
}

func FuzzNodeAnswer(f *testing.F) {
	f.Add([]byte(`{"jsonrpc":"2.0","id":1,"result":"0x01"}`))
	f.Add([]byte(`{"result":[{"address":"0x036cbd53842c5426634e7929541ec2318f3dcf7e","topics":["` + usedTopic +
		`"],"data":"0x","transactionHash":"0x"}]}`))
	f.Add([]byte(`{"error":{"code":-32000,"message":"no"}}`))
	t := Transfer{Asset: "0x036cbd53842c5426634e7929541ec2318f3dcf7e", From: "0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc",
		To: "0x70997970c51812dc3a010c7d01b50e0d17dc79c8", Value: "20000", Nonce: "0x" + strings.Repeat("0f", 32)}
	f.Fuzz(func(tt *testing.T, raw []byte) {
		var text string
		if readRPC("eth_call", raw, &text) == nil {
			if n, err := quantity(text); err == nil && n.Sign() < 0 {
				tt.Fatalf("%q is negative", text)
			}
			_, _ = number(text)
		}
		var logs []chainLog
		if readRPC("eth_getLogs", raw, &logs) == nil && moved(logs, t) && len(logs) < 2 {
			tt.Fatalf("%s moved the money", raw)
		}
	})
}
