package pay

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"time"
)

// maxFacilitator bounds an answer of the facilitator.
const maxFacilitator = 64 << 10

// facilitator is the client of the service that checks authorizations and moves money.
type facilitator struct {
	base       string
	credential Secret
	client     *http.Client
	g          *Gate
}

func newFacilitator(g *Gate) *facilitator {
	client := g.c.Client
	if client == nil {
		t := http.DefaultTransport.(*http.Transport).Clone()
		t.MaxIdleConnsPerHost = 64
		client = &http.Client{Transport: t, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	}
	return &facilitator{strings.TrimRight(g.c.Facilitator, "/"), g.c.Credential, client, g}
}

// question is the body of /verify and /settle.
type question struct {
	Version      int `json:"x402Version"`
	Payload      any `json:"paymentPayload"`
	Requirements any `json:"paymentRequirements"`
}

// question puts a payment to the facilitator in the version it came in. Everything of it but the signed
// values is ours; the amount and the payee are those it was accepted for, also when they have changed since.
func (f *facilitator) question(p *payment, r Resource) question {
	q := f.g.requirements
	q.Amount, q.PayTo = p.value, p.to.Checksum()
	if p.version == 1 {
		return question{1, PayloadV1{1, q.Scheme, f.g.network.V1, p.exact}, f.g.requirementsV1(q, r)}
	}
	return question{2, Payload{2, &r, &q, p.exact, f.g.extensions}, q}
}

// The ways a question to the facilitator goes unanswered.
var (
	errUnreachable = errors.New("the facilitator cannot be reached") // nothing was asked
	errSilent      = errors.New("the facilitator did not answer in time")
	errGarbled     = errors.New("the facilitator gave no answer that can be read")
)

// verdict is an answer of /verify.
type verdict struct {
	Valid  bool
	Reason string
}

func (f *facilitator) verify(ctx context.Context, p *payment, r Resource) (verdict, error) {
	ctx, cancel := context.WithTimeout(ctx, f.g.c.Bounds.Verify)
	defer cancel()
	raw, _, err := f.post(ctx, "/verify", f.question(p, r))
	if err != nil {
		return verdict{}, err
	}
	return readVerdict(raw, p.payer)
}

// readVerdict reads an answer of /verify.
func readVerdict(raw []byte, payer Address) (verdict, error) {
	var in struct {
		Valid   *bool   `json:"isValid"`
		Reason  string  `json:"invalidReason"`
		Message string  `json:"invalidMessage"`
		Payer   *string `json:"payer"`
	}
	if err := readAnswer(raw, &in); err != nil {
		return verdict{}, err
	}
	if in.Valid == nil {
		return verdict{}, fmt.Errorf("%w: isValid is missing", errGarbled)
	}
	if *in.Valid && in.Payer != nil && *in.Payer != "" && !strings.EqualFold(*in.Payer, string(payer)) {
		return verdict{}, fmt.Errorf("%w: it names another payer", errGarbled)
	}
	v := verdict{*in.Valid, shorten(in.Reason)}
	if !v.Valid && v.Reason == "" {
		v.Reason = "invalid_payload"
	}
	return v, nil
}

func (f *facilitator) settle(ctx context.Context, p *payment, r Resource) (Settlement, error) {
	ctx, cancel := context.WithTimeout(ctx, f.g.c.Bounds.Settle)
	defer cancel()
	raw, status, err := f.post(ctx, "/settle", f.question(p, r))
	if err != nil {
		return Settlement{}, err
	}
	s, err := readSettlement(raw, p.payer, f.g.network)
	if s.status = status; err == nil && s.Success && status != http.StatusOK {
		err = fmt.Errorf("%w: success with status %d", errGarbled, status)
	}
	return s, err
}

// readSettlement reads an answer of /settle. What claims success has to name a transaction of our
// network and our payer, or it is no answer.
func readSettlement(raw []byte, payer Address, n Network) (Settlement, error) {
	var in struct {
		Success     *bool   `json:"success"`
		Reason      string  `json:"errorReason"`
		Message     string  `json:"errorMessage"`
		Payer       *string `json:"payer"`
		Transaction *string `json:"transaction"`
		Network     string  `json:"network"`
	}
	if err := readAnswer(raw, &in); err != nil {
		return Settlement{}, err
	}
	if in.Success == nil {
		return Settlement{}, fmt.Errorf("%w: success is missing", errGarbled)
	}
	s := Settlement{Success: *in.Success, ErrorReason: shorten(in.Reason), ErrorMessage: shorten(in.Message), Payer: payer.Checksum(),
		Network: n.ID}
	if in.Transaction != nil {
		s.Transaction = shorten(*in.Transaction)
	}
	if !s.Success {
		if s.ErrorReason == "" {
			s.ErrorReason = "unexpected_settle_error"
		}
		return s, nil
	}
	switch {
	case !isHex(s.Transaction, 32):
		return Settlement{}, fmt.Errorf("%w: success without a transaction", errGarbled)
	case in.Network != "" && in.Network != n.ID && in.Network != n.V1:
		return Settlement{}, fmt.Errorf("%w: success on another network", errGarbled)
	case in.Payer != nil && *in.Payer != "" && !strings.EqualFold(*in.Payer, string(payer)):
		return Settlement{}, fmt.Errorf("%w: success of another payer", errGarbled)
	}
	s.Transaction, s.ErrorReason, s.ErrorMessage = strings.ToLower(s.Transaction), "", ""
	return s, nil
}

func readAnswer(raw []byte, into any) error {
	if depth(raw) > maxDepth {
		return fmt.Errorf("%w: nested deeper than %d", errGarbled, maxDepth)
	}
	if err := json.Unmarshal(raw, into); err != nil {
		return fmt.Errorf("%w: %w", errGarbled, err)
	}
	return nil
}

// post asks. Facilitators say no with a status below 500 and a body; a body of 5xx proves nothing.
func (f *facilitator) post(ctx context.Context, path string, q question) (raw []byte, status int, err error) {
	body, err := json.Marshal(q)
	if err != nil {
		return nil, 0, fmt.Errorf("%w: %w", errUnreachable, err)
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, f.base+path, bytes.NewReader(body))
	if err != nil {
		return nil, 0, fmt.Errorf("%w: %w", errUnreachable, err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json")
	if f.credential != "" {
		req.Header.Set("Authorization", "Bearer "+string(f.credential))
	}
	resp, err := f.client.Do(req)
	if err != nil {
		return nil, 0, unanswered(ctx, err)
	}
	defer resp.Body.Close()
	raw, err = io.ReadAll(io.LimitReader(resp.Body, maxFacilitator+1))
	if err != nil {
		return nil, 0, unanswered(ctx, err)
	}
	if len(raw) > maxFacilitator {
		return nil, 0, fmt.Errorf("%w: longer than %d bytes", errGarbled, maxFacilitator)
	}
	if resp.StatusCode != http.StatusOK && (resp.StatusCode < 400 || resp.StatusCode >= 500) {
		return nil, 0, fmt.Errorf("%w: status %d", errGarbled, resp.StatusCode)
	}
	return raw, resp.StatusCode, nil
}

// unanswered tells a question that never left from one whose answer is unknown.
func unanswered(ctx context.Context, err error) error {
	var op *net.OpError
	var timeout net.Error
	switch {
	case errors.As(err, &op) && op.Op == "dial":
		return fmt.Errorf("%w: %w", errUnreachable, err)
	case errors.Is(ctx.Err(), context.DeadlineExceeded), errors.As(err, &timeout) && timeout.Timeout():
		return fmt.Errorf("%w: %w", errSilent, err)
	}
	return fmt.Errorf("%w: %w", errGarbled, err)
}

// proves says whether a refusal to settle, on the first try, is to be taken for what it says: that no money
// moved. The facilitators in the field use many words; those that speak of the authorization itself are listed.
// Anything else is unknown: an answer that names a transaction, that the nonce is used (by whom? perhaps by this
// very settlement), or that has another status than 200, which facilitators also give after they have sent it.
func proves(s Settlement) bool {
	if s.Success || s.Transaction != "" || s.status != http.StatusOK {
		return false
	}
	for _, word := range []string{"signature", "mismatch", "valid_before", "valid_after", "authorization_value", "insufficient",
		"unsupported", "not_supported", "invalid_network", "invalid_scheme", "evm_scheme", "missing_eip712_domain",
		"invalid_payment_requirements", "invalid_x402_version", "not_deployed_contract"} {
		if strings.Contains(s.ErrorReason, word) {
			return true
		}
	}
	return false
}

// Check asks the facilitator whether it serves our scheme and network, for a health page.
func (g *Gate) Check(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, g.facilitator.base+"/supported", nil)
	if err != nil {
		return err
	}
	if c := g.facilitator.credential; c != "" {
		req.Header.Set("Authorization", "Bearer "+string(c))
	}
	resp, err := g.facilitator.client.Do(req)
	if err != nil {
		return unanswered(ctx, err)
	}
	defer resp.Body.Close()
	raw, err := io.ReadAll(io.LimitReader(resp.Body, 1<<20))
	if err != nil {
		return unanswered(ctx, err)
	}
	var in struct {
		Kinds []struct {
			Version json.Number `json:"x402Version"`
			Scheme  string      `json:"scheme"`
			Network string      `json:"network"`
		} `json:"kinds"`
	}
	if err := readAnswer(raw, &in); err != nil || resp.StatusCode != http.StatusOK {
		return fmt.Errorf("%w: status %d of /supported", errGarbled, resp.StatusCode)
	}
	for _, k := range in.Kinds {
		if k.Scheme == g.requirements.Scheme && k.Version == "2" && (k.Network == g.network.ID || k.Network == "eip155:*") {
			return nil
		}
	}
	return fmt.Errorf("the facilitator does not serve scheme %s on %s", g.requirements.Scheme, g.network.ID)
}
