package pay

import (
	"encoding/base64"
	"encoding/json"
)

// The headers of x402. Version 2 has the first three, version 1 the others; its requirements are a body.
const (
	headerRequired   = "PAYMENT-REQUIRED"
	headerPayment    = "PAYMENT-SIGNATURE"
	headerResponse   = "PAYMENT-RESPONSE"
	headerPaymentV1  = "X-PAYMENT"
	headerResponseV1 = "X-PAYMENT-RESPONSE"
)

// Resource describes what is sold.
type Resource struct {
	// URL is the address buyers use. One that begins with a slash is completed from the request by
	// Config.Origin, which serves a machine of one's own; behind a CDN write it whole.
	URL         string   `json:"url"`
	Description string   `json:"description,omitempty"`
	MimeType    string   `json:"mimeType,omitempty"`
	ServiceName string   `json:"serviceName,omitempty"` // at most 32 characters of printable ASCII
	Tags        []string `json:"tags,omitempty"`        // at most 5, of at most 32 characters
	IconURL     string   `json:"iconUrl,omitempty"`
}

// Required is the value of PAYMENT-REQUIRED.
type Required struct {
	Version    int            `json:"x402Version"`
	Error      string         `json:"error,omitempty"`
	Resource   Resource       `json:"resource"`
	Accepts    []Requirements `json:"accepts"`
	Extensions map[string]any `json:"extensions,omitempty"`
}

// Requirements say how to pay.
type Requirements struct {
	Scheme            string `json:"scheme"`
	Network           string `json:"network"`
	Amount            string `json:"amount"` // atomic units of the asset
	Asset             string `json:"asset"`
	PayTo             string `json:"payTo"`
	MaxTimeoutSeconds int    `json:"maxTimeoutSeconds"`
	Extra             Domain `json:"extra"`
}

// Domain names the EIP-712 domain of the asset.
type Domain struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

// RequiredV1 is the body of a 402: version 1, and the error form of this project.
type RequiredV1 struct {
	Version int              `json:"x402Version"`
	Error   string           `json:"error"`
	Accepts []RequirementsV1 `json:"accepts"`
	Status  int              `json:"status"`
	Code    string           `json:"code"`
}

// RequirementsV1 are Requirements in the words of version 1.
type RequirementsV1 struct {
	Scheme            string `json:"scheme"`
	Network           string `json:"network"`
	MaxAmountRequired string `json:"maxAmountRequired"`
	Resource          string `json:"resource"`
	Description       string `json:"description"`
	MimeType          string `json:"mimeType"`
	OutputSchema      any    `json:"outputSchema,omitempty"`
	PayTo             string `json:"payTo"`
	MaxTimeoutSeconds int    `json:"maxTimeoutSeconds"`
	Asset             string `json:"asset"`
	Extra             Domain `json:"extra"`
}

// Authorization is what the payer signed (EIP-3009 TransferWithAuthorization).
type Authorization struct {
	From        string `json:"from"`
	To          string `json:"to"`
	Value       string `json:"value"`
	ValidAfter  string `json:"validAfter"` // seconds since 1970
	ValidBefore string `json:"validBefore"`
	Nonce       string `json:"nonce"`
}

// Exact is the payload of the scheme.
type Exact struct {
	Signature     string        `json:"signature"`
	Authorization Authorization `json:"authorization"`
}

// Payload is the value of PAYMENT-SIGNATURE, as it is sent on to the facilitator.
type Payload struct {
	Version    int            `json:"x402Version"`
	Resource   *Resource      `json:"resource,omitempty"`
	Accepted   *Requirements  `json:"accepted,omitempty"`
	Payload    Exact          `json:"payload"`
	Extensions map[string]any `json:"extensions,omitempty"`
}

// PayloadV1 is the value of X-PAYMENT.
type PayloadV1 struct {
	Version int    `json:"x402Version"`
	Scheme  string `json:"scheme"`
	Network string `json:"network"`
	Payload Exact  `json:"payload"`
}

// Settlement is the value of PAYMENT-RESPONSE and the answer of /settle.
type Settlement struct {
	Success      bool   `json:"success"`
	ErrorReason  string `json:"errorReason,omitempty"`
	ErrorMessage string `json:"errorMessage,omitempty"`
	Payer        string `json:"payer,omitempty"`
	Transaction  string `json:"transaction"`
	Network      string `json:"network"`

	status int // of the facilitator's answer
}

// headerOf is a value as x402 puts it into a header: JSON in standard base64.
func headerOf(v any) string {
	b, err := json.Marshal(v)
	if err != nil { // the types above and checked extensions marshal
		panic(err)
	}
	return base64.StdEncoding.EncodeToString(b)
}
