package pay

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"reflect"
	"strconv"
	"strings"

	"mappe/shared/strictenc"
)

// Bounds of a payment header. A signature of a key has 65 bytes; contracts sign longer (ERC-6492).
const (
	maxHeader    = 16 << 10 // characters of base64
	maxDepth     = 16       // of nested JSON
	maxSignature = 4 << 10  // bytes
	maxSeconds   = 1 << 40  // of validAfter and validBefore: the year 36812
)

// payment is a payment header that was read: every value checked for form and in one spelling, so that
// what is claimed, verified and settled is the same thing, however the client wrote it.
type payment struct {
	version     int
	payer       Address
	to          Address
	value       string
	nonce       string // 0x and 64 lower-case digits
	validAfter  int64
	validBefore int64
	exact       Exact // the same, as it is sent on
	id          string
	hash        string // of everything signed and the signature
	// What the client says it agreed to; compared with our own requirements, never used.
	scheme, network string
	accepted        *accepted
}

// accepted is the client's copy of the requirements.
type accepted struct {
	Scheme            string      `json:"scheme"`
	Network           string      `json:"network"`
	Amount            string      `json:"amount"`
	Asset             string      `json:"asset"`
	PayTo             string      `json:"payTo"`
	MaxTimeoutSeconds json.Number `json:"maxTimeoutSeconds"`
	Extra             struct {
		Name    string `json:"name"`
		Version string `json:"version"`
	} `json:"extra"`
}

// received is a payment header of either version.
type received struct {
	Version  json.Number `json:"x402Version"`
	Scheme   string      `json:"scheme"`
	Network  string      `json:"network"`
	Accepted *accepted   `json:"accepted"`
	Payload  *struct {
		Signature     string         `json:"signature"`
		Authorization *Authorization `json:"authorization"`
	} `json:"payload"`
	Extensions map[string]json.RawMessage `json:"extensions"`
}

// errPayload is the fault of a payment header; its text tells the client what is wrong.
type errPayload struct{ text string }

func (e errPayload) Error() string { return e.text }

func badPayload(format string, args ...any) error { return errPayload{fmt.Sprintf(format, args...)} }

// errNoPayment: the request carries no payment header.
var errNoPayment = errors.New("no payment")

// readPayment reads the payment of a request: PAYMENT-SIGNATURE, else X-PAYMENT.
func readPayment(h http.Header) (*payment, error) {
	for version, name := range map[int]string{2: headerPayment, 1: headerPaymentV1} {
		if len(h.Values(name)) > 1 {
			return nil, badPayload("header %s is given %d times: expected once, version %d", name, len(h.Values(name)), version)
		}
	}
	if v := h.Get(headerPayment); v != "" {
		return decodePayment(headerPayment, v, 2)
	}
	if v := h.Get(headerPaymentV1); v != "" {
		return decodePayment(headerPaymentV1, v, 1)
	}
	return nil, errNoPayment
}

// decodePayment reads the value of a payment header.
func decodePayment(name, value string, version int) (*payment, error) {
	var in received
	if err := decodeHeader(name, value, &in); err != nil {
		return nil, err
	}
	if in.Version.String() != strconv.Itoa(version) {
		return nil, badPayload("header %s: x402Version is %q: expected %d", name, shorten(in.Version.String()), version)
	}
	if in.Payload == nil || in.Payload.Authorization == nil {
		return nil, badPayload("header %s: payload.authorization is missing: expected an EIP-3009 authorization with its signature", name)
	}
	p := &payment{version: version, scheme: in.Scheme, network: in.Network}
	if version == 2 {
		if in.Accepted == nil {
			return nil, badPayload("header %s: accepted is missing: expected the chosen payment requirements", name)
		}
		p.accepted, p.scheme, p.network = in.Accepted, in.Accepted.Scheme, in.Accepted.Network
	}
	if err := p.read(name, in.Payload.Signature, *in.Payload.Authorization); err != nil {
		return nil, err
	}
	id, err := readIdentifier(in.Extensions)
	if err != nil {
		return nil, badPayload("header %s: %v", name, err)
	}
	p.id = id
	return p, nil
}

// read checks the signed part.
func (p *payment) read(name, signature string, a Authorization) error {
	field := func(member, value, expected string) error {
		return badPayload("header %s: payload.%s is %q: expected %s", name, member, shorten(value), expected)
	}
	if n := (len(signature) - 2) / 2; n < 65 || n > maxSignature || !isHex(signature, n) {
		return field("signature", signature, fmt.Sprintf("0x and 65 to %d bytes in hexadecimal", maxSignature))
	}
	var err error
	if p.payer, err = ParseAddress(a.From); err != nil {
		return field("authorization.from", a.From, "0x and 40 hexadecimal digits")
	}
	if p.to, err = ParseAddress(a.To); err != nil {
		return field("authorization.to", a.To, "0x and 40 hexadecimal digits")
	}
	if !isDecimal(a.Value, 78) { // 2^256 has 78 digits
		return field("authorization.value", a.Value, "a whole number of atomic units in decimal digits")
	}
	if p.validAfter, err = readSeconds(a.ValidAfter); err != nil {
		return field("authorization.validAfter", a.ValidAfter, err.Error())
	}
	if p.validBefore, err = readSeconds(a.ValidBefore); err != nil {
		return field("authorization.validBefore", a.ValidBefore, err.Error())
	}
	if !isHex(a.Nonce, 32) {
		return field("authorization.nonce", a.Nonce, "0x and 64 hexadecimal digits")
	}
	p.value, p.nonce = a.Value, strings.ToLower(a.Nonce)
	p.exact = Exact{strings.ToLower(signature), Authorization{
		p.payer.Checksum(), p.to.Checksum(), p.value, a.ValidAfter, a.ValidBefore, p.nonce,
	}}
	p.hash = p.exact.hash()
	return nil
}

// hash tells one signed authorization from every other.
func (e Exact) hash() string {
	a := e.Authorization
	sum := sha256.Sum256([]byte(strings.ToLower(strings.Join([]string{a.From, a.To, a.Value, a.ValidAfter, a.ValidBefore, a.Nonce,
		e.Signature}, "|"))))
	return hex.EncodeToString(sum[:])
}

// decodeHeader reads base64 of a JSON object.
func decodeHeader(name, value string, into any) error {
	if len(value) > maxHeader {
		return badPayload("header %s has %d characters: expected at most %d", name, len(value), maxHeader)
	}
	raw, err := strictenc.Base64(base64.StdEncoding, value)
	if err != nil {
		return badPayload("header %s is not base64: expected JSON in standard base64 with padding", name)
	}
	if depth(raw) > maxDepth {
		return badPayload("header %s: JSON is nested deeper than %d", name, maxDepth)
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	if err := d.Decode(into); err != nil {
		var typ *json.UnmarshalTypeError
		if errors.As(err, &typ) {
			return badPayload("header %s: %s is a JSON %s: expected %s", name, cmp.Or(shorten(typ.Field), "the payload"),
				shorten(typ.Value), jsonName(typ.Type))
		}
		return badPayload("header %s: no JSON object after decoding the base64", name)
	}
	if d.More() {
		return badPayload("header %s: more than one JSON value", name)
	}
	return nil
}

// depth is how deep brackets nest, those in strings left out.
func depth(raw []byte) int {
	now, most, text := 0, 0, false
	for i := 0; i < len(raw); i++ {
		switch c := raw[i]; {
		case text && c == '\\':
			i++
		case c == '"':
			text = !text
		case text:
		case c == '{' || c == '[':
			now++
			most = max(most, now)
		case c == '}' || c == ']':
			now--
		}
	}
	return most
}

// isDecimal says whether s is a whole number in its one spelling, of at most so many digits.
func isDecimal(s string, digits int) bool {
	if s == "" || len(s) > digits || s[0] == '0' && s != "0" {
		return false
	}
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return true
}

func readSeconds(s string) (int64, error) {
	if isDecimal(s, 13) {
		if n, err := strconv.ParseInt(s, 10, 64); err == nil && n <= maxSeconds {
			return n, nil
		}
	}
	return 0, fmt.Errorf("seconds since 1970 in decimal digits, at most %d", int64(maxSeconds))
}

// matches compares what the client agreed to with what we ask; the text says where they part.
func (p *payment) matches(n Network, want Requirements) string {
	off := func(field, got, expected string) string {
		return fmt.Sprintf("%s is %q, required is %q", field, shorten(got), expected)
	}
	network := want.Network
	if p.version == 1 {
		network = n.V1
	}
	switch {
	case p.version == 1 && n.V1 == "":
		return "x402 version 1 has no name for network " + n.ID + ": expected a payment of version 2"
	case p.scheme != want.Scheme:
		return off("scheme", p.scheme, want.Scheme)
	case p.network != network:
		return off("network", p.network, network)
	case string(p.to) != strings.ToLower(want.PayTo):
		return off("authorization.to", string(p.to), want.PayTo)
	case p.value != want.Amount:
		return off("authorization.value", p.value, want.Amount)
	}
	a := p.accepted
	if a == nil {
		return ""
	}
	switch {
	case a.Amount != want.Amount:
		return off("accepted.amount", a.Amount, want.Amount)
	case !strings.EqualFold(a.Asset, want.Asset):
		return off("accepted.asset", a.Asset, want.Asset)
	case !strings.EqualFold(a.PayTo, want.PayTo):
		return off("accepted.payTo", a.PayTo, want.PayTo)
	case a.MaxTimeoutSeconds.String() != strconv.Itoa(want.MaxTimeoutSeconds):
		return off("accepted.maxTimeoutSeconds", a.MaxTimeoutSeconds.String(), strconv.Itoa(want.MaxTimeoutSeconds))
	case a.Extra.Name != want.Extra.Name:
		return off("accepted.extra.name", a.Extra.Name, want.Extra.Name)
	case a.Extra.Version != want.Extra.Version:
		return off("accepted.extra.version", a.Extra.Version, want.Extra.Version)
	}
	return ""
}

// jsonName is what JSON calls the values of a type.
func jsonName(t reflect.Type) string {
	switch t.Kind() {
	case reflect.String:
		return "a string"
	case reflect.Int, reflect.Int64:
		return "a whole number"
	case reflect.Slice:
		return "an array"
	}
	return "an object"
}
