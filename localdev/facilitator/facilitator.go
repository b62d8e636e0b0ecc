// Package facilitator is an x402 facilitator for one machine: it checks EIP-712 signatures as the token
// contract does and moves test money between accounts that exist only in its ledger. Every account begins
// with StartBalance of every asset. It serves test networks only and speaks to no chain.
//
// The transfers are the books: one record per used nonce, written once, is the settlement; balances are
// their sum. So a process killed at any point has moved the money or has not. A settlement asked for again
// with the same authorization is answered with the same success, as the official facilitators do for a
// while; Options.Forgetful makes it say nonce_already_used instead. Balances are kept in memory: run one
// process per ledger.
package facilitator

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"math/big"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"golang.org/x/crypto/sha3"

	"mappe/localdev/facilitator/wallet"
	"mappe/shared/cloud/ledger"
	"mappe/shared/cloud/pay"
)

// StartBalance is the test money of every account: 1,000,000 dollars of an asset with six decimals.
const StartBalance = 1_000_000_000_000

// endMargin is how many seconds an authorization has to live on, as the official facilitators want it.
const endMargin = 6

const maxBody = 64 << 10

// Options of a facilitator. Ledger is required.
type Options struct {
	Ledger    ledger.Ledger
	Now       func() time.Time
	Log       *slog.Logger
	Fault     func(path string) Fault // what goes wrong with a call, for tests; nil: nothing
	Forgetful bool                    // a settlement asked for again is refused: the nonce is used
}

// Facilitator answers /verify, /settle, /supported, /accounts/{address} and, as a chain would, /rpc/{network}.
type Facilitator struct {
	o   Options
	mux *http.ServeMux

	mu       sync.Mutex          // one settlement at a time, like one wallet
	balances map[string]*big.Int // network, asset, account: difference to StartBalance
	loaded   map[string]struct{} // network and asset whose transfers are in balances
	moved    map[string]Transfer // by transaction
}

// New makes a facilitator over a ledger; what was transferred there before still counts.
func New(o Options) *Facilitator {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	f := &Facilitator{o: o, mux: http.NewServeMux(), balances: map[string]*big.Int{}, loaded: map[string]struct{}{},
		moved: map[string]Transfer{}}
	f.mux.HandleFunc("GET /supported", f.supported)
	f.mux.HandleFunc("POST /verify", f.verify)
	f.mux.HandleFunc("POST /settle", f.settle)
	f.mux.HandleFunc("GET /accounts/{address}", f.account)
	f.mux.HandleFunc("POST /rpc/{network}", f.rpc)
	return f
}

func (f *Facilitator) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if f.o.Fault != nil {
		if fault := f.o.Fault(r.URL.Path); fault != (Fault{}) {
			fault.serve(f.mux, w, r)
			return
		}
	}
	f.mux.ServeHTTP(w, r)
}

func (f *Facilitator) supported(w http.ResponseWriter, _ *http.Request) {
	type kind struct {
		Version int    `json:"x402Version"`
		Scheme  string `json:"scheme"`
		Network string `json:"network"`
	}
	var kinds []kind
	for _, n := range pay.AllNetworks() {
		if !n.Test {
			continue
		}
		kinds = append(kinds, kind{2, "exact", n.ID})
		if n.V1 != "" {
			kinds = append(kinds, kind{1, "exact", n.V1})
		}
	}
	answer(w, http.StatusOK, map[string]any{"kinds": kinds, "extensions": []string{}, "signers": map[string][]string{"eip155:*": {}}})
}

// asked is what /verify and /settle are asked, of either version.
type asked struct {
	Payload struct {
		Version  int    `json:"x402Version"`
		Scheme   string `json:"scheme"`
		Network  string `json:"network"`
		Accepted *struct {
			Scheme  string `json:"scheme"`
			Network string `json:"network"`
		} `json:"accepted"`
		Payload pay.Exact `json:"payload"`
	} `json:"paymentPayload"`
	Requirements struct {
		Scheme  string     `json:"scheme"`
		Network string     `json:"network"`
		Amount  string     `json:"amount"`
		MostV1  string     `json:"maxAmountRequired"`
		Asset   string     `json:"asset"`
		PayTo   string     `json:"payTo"`
		Extra   pay.Domain `json:"extra"`
	} `json:"paymentRequirements"`
}

// transfer is an authorization that was found good.
type transfer struct {
	network         pay.Network
	shown           string // the network's name in the version that asked
	asset, from, to pay.Address
	value           *big.Int
	nonce, payment  string
}

// read decodes a question; the reason is that of a refusal.
func (f *Facilitator) read(w http.ResponseWriter, r *http.Request) (t transfer, reason string) {
	var in asked
	raw, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	if err != nil || json.Unmarshal(raw, &in) != nil {
		return t, "invalid_payload"
	}
	return f.check(in)
}

// testNetwork is the test network of a name in a version of the protocol; the zero value where no test network has the name.
func testNetwork(version int, name string) pay.Network {
	for _, n := range pay.AllNetworks() {
		if n.Test && (version == 2 && n.ID == name || version == 1 && n.V1 == name && n.V1 != "") {
			return n
		}
	}
	return pay.Network{}
}

// check looks at everything that no record is needed for, in the order of the official facilitators.
func (f *Facilitator) check(in asked) (t transfer, reason string) {
	q, a := in.Requirements, in.Payload.Payload.Authorization
	amount, scheme, network := q.Amount, in.Payload.Scheme, in.Payload.Network
	switch {
	case in.Payload.Version == 1:
		amount = q.MostV1
	case in.Payload.Version != 2:
		return t, "invalid_x402_version"
	case in.Payload.Accepted == nil:
		return t, "invalid_payload"
	default:
		scheme, network = in.Payload.Accepted.Scheme, in.Payload.Accepted.Network
	}
	from, err := pay.ParseAddress(a.From)
	if err != nil {
		return t, "invalid_payload"
	}
	t.from, t.shown = from, q.Network
	if scheme != "exact" || q.Scheme != "exact" {
		return t, "invalid_exact_evm_scheme"
	}
	if t.network = testNetwork(in.Payload.Version, q.Network); t.network.ID == "" || network != q.Network {
		return t, "invalid_exact_evm_network_mismatch"
	}
	if q.Extra.Name == "" || q.Extra.Version == "" {
		return t, "invalid_exact_evm_missing_eip712_domain"
	}
	if t.asset, err = pay.ParseAddress(q.Asset); err != nil {
		return t, "invalid_payment_requirements"
	}
	digest, err := wallet.Digest(t.network.ID, q.Asset, q.Extra, a)
	if err != nil {
		return t, "invalid_payload"
	}
	if signer, err := wallet.Recover(digest, in.Payload.Payload.Signature); err != nil || signer != t.from {
		return t, "invalid_exact_evm_signature"
	}
	payTo, err := pay.ParseAddress(q.PayTo)
	if t.to, _ = pay.ParseAddress(a.To); err != nil || t.to != payTo {
		return t, "invalid_exact_evm_recipient_mismatch"
	}
	value, ok := new(big.Int).SetString(a.Value, 10)
	want, asked := new(big.Int).SetString(amount, 10)
	if !ok || !asked || value.Cmp(want) != 0 {
		return t, "invalid_exact_evm_payload_authorization_value_mismatch"
	}
	t.value, t.nonce, t.payment = value, strings.ToLower(a.Nonce), hex.EncodeToString(digest)
	now := f.o.Now().Unix()
	if before, ok := new(big.Int).SetString(a.ValidBefore, 10); !ok || before.Cmp(big.NewInt(now+endMargin)) < 0 {
		return t, "invalid_exact_evm_payload_authorization_valid_before"
	}
	if after, ok := new(big.Int).SetString(a.ValidAfter, 10); !ok || after.Cmp(big.NewInt(now)) > 0 {
		return t, "invalid_exact_evm_payload_authorization_valid_after"
	}
	return t, ""
}

func (f *Facilitator) verify(w http.ResponseWriter, r *http.Request) {
	t, reason := f.read(w, r)
	if reason == "" {
		var err error
		if reason, err = f.affords(r.Context(), t); err != nil {
			f.broken(w, err)
			return
		}
	}
	out := map[string]any{"isValid": reason == ""}
	if reason != "" {
		out["invalidReason"] = reason
	}
	if t.from != "" {
		out["payer"] = t.from.Checksum()
	}
	answer(w, http.StatusOK, out)
}

// affords looks at the records: is the nonce free and the account full enough.
func (f *Facilitator) affords(ctx context.Context, t transfer) (reason string, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if _, err := f.o.Ledger.Get(ctx, t.key()); err == nil {
		return "invalid_exact_evm_nonce_already_used", nil
	} else if !errors.Is(err, ledger.ErrNotFound) {
		return "", err
	}
	return f.covered(ctx, t)
}

func (f *Facilitator) covered(ctx context.Context, t transfer) (reason string, err error) {
	if err := f.load(ctx, t.network.ID, t.asset); err != nil {
		return "", err
	}
	if f.balance(t.network.ID, t.asset, t.from).Cmp(t.value) < 0 {
		return "invalid_exact_evm_insufficient_balance", nil
	}
	return "", nil
}

func (f *Facilitator) settle(w http.ResponseWriter, r *http.Request) {
	t, reason := f.read(w, r)
	out := pay.Settlement{Network: t.shown, ErrorReason: reason}
	if t.from != "" {
		out.Payer = t.from.Checksum()
	}
	if t.payment != "" && (reason == "" || strings.HasSuffix(reason, "valid_before")) {
		var err error
		if out.Transaction, out.ErrorReason, err = f.move(r.Context(), t, reason); err != nil {
			f.broken(w, err)
			return
		}
		out.Success = out.ErrorReason == ""
	}
	answer(w, http.StatusOK, out)
}

// move is the settlement: one record, written once. An authorization that has ended (problem) may have
// been settled before.
func (f *Facilitator) move(ctx context.Context, t transfer, problem string) (transaction, reason string, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if r, err := f.o.Ledger.Get(ctx, t.key()); err == nil {
		old, err := readTransfer(r)
		if err != nil {
			return "", "", err
		}
		if f.o.Forgetful || old.Payment != t.payment {
			return "", "invalid_exact_evm_nonce_already_used", nil
		}
		return old.Transaction, "", nil
	} else if !errors.Is(err, ledger.ErrNotFound) {
		return "", "", err
	}
	if problem != "" {
		return "", problem, nil
	}
	if reason, err := f.covered(ctx, t); reason != "" || err != nil {
		return "", reason, err
	}
	return f.write(ctx, t)
}

func (f *Facilitator) account(w http.ResponseWriter, r *http.Request) {
	a, err := pay.ParseAddress(r.PathValue("address"))
	if err != nil {
		answer(w, http.StatusBadRequest, map[string]string{"error": err.Error()})
		return
	}
	out := map[string]string{}
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, n := range pay.AllNetworks() {
		if !n.Test {
			continue
		}
		if err := f.load(r.Context(), n.ID, n.USDC); err != nil {
			f.broken(w, err)
			return
		}
		out[n.ID] = f.balance(n.ID, n.USDC, a).String()
	}
	answer(w, http.StatusOK, map[string]any{"address": a.Checksum(), "usdc_atomic": out})
}

func (f *Facilitator) broken(w http.ResponseWriter, err error) {
	f.o.Log.Error("facilitator", "error", err)
	answer(w, http.StatusInternalServerError, map[string]string{"error": "the ledger cannot be used now"})
}

func answer(w http.ResponseWriter, status int, v any) {
	b, err := json.Marshal(v)
	if err != nil { // maps and structs of texts marshal
		panic(err)
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Length", strconv.Itoa(len(b)))
	w.WriteHeader(status)
	w.Write(b)
}

// transactionOf makes the name of a transaction from what it moves.
func transactionOf(t transfer) string {
	h := sha3.NewLegacyKeccak256()
	h.Write([]byte(t.network.ID + "|" + string(t.asset) + "|" + t.payment))
	return "0x" + hex.EncodeToString(h.Sum(nil))
}
