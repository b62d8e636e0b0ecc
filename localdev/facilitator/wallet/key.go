package wallet

import (
	"crypto/rand"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strconv"
	"time"

	"github.com/decred/dcrd/dcrec/secp256k1/v4"
	"github.com/decred/dcrd/dcrec/secp256k1/v4/ecdsa"

	"mappe/shared/cloud/pay"
	"mappe/shared/strictenc"
)

// Key signs for one account.
type Key struct{ private *secp256k1.PrivateKey }

// New makes a key that lives as long as the program.
func New() (*Key, error) {
	k, err := secp256k1.GeneratePrivateKey()
	if err != nil {
		return nil, err
	}
	return &Key{k}, nil
}

// Address is the account.
func (k *Key) Address() pay.Address { return addressOf(k.private.PubKey()) }

// String keeps the key out of logs.
func (k *Key) String() string { return "key of " + k.Address().Checksum() }

// Sign authorizes one payment of what is required, valid from now on.
func (k *Key) Sign(q pay.Requirements, now time.Time) (pay.Exact, error) {
	var nonce [32]byte
	rand.Read(nonce[:]) // never fails
	return k.SignAuthorization(q, pay.Authorization{
		From: k.Address().Checksum(), To: q.PayTo, Value: q.Amount, ValidAfter: "0",
		ValidBefore: strconv.FormatInt(now.Unix()+int64(q.MaxTimeoutSeconds), 10), Nonce: "0x" + hex.EncodeToString(nonce[:]),
	})
}

// SignAuthorization signs what it is given.
func (k *Key) SignAuthorization(q pay.Requirements, a pay.Authorization) (pay.Exact, error) {
	digest, err := Digest(q.Network, q.Asset, q.Extra, a)
	if err != nil {
		return pay.Exact{}, err
	}
	c := ecdsa.SignCompact(k.private, digest, false)
	return pay.Exact{Signature: "0x" + hex.EncodeToString(append(c[1:], c[0])), Authorization: a}, nil
}

// Header is a payment as the value of PAYMENT-SIGNATURE. id is the payment-identifier, "" for none.
func Header(q pay.Requirements, e pay.Exact, id string) string {
	p := pay.Payload{Version: 2, Accepted: &q, Payload: e}
	if id != "" {
		p.Extensions = map[string]any{"payment-identifier": map[string]any{"info": map[string]any{"required": false, "id": id}}}
	}
	return encode(p)
}

// HeaderV1 is a payment as the value of X-PAYMENT, for a network by its name in version 1.
func HeaderV1(network string, e pay.Exact) string {
	return encode(pay.PayloadV1{Version: 1, Scheme: "exact", Network: network, Payload: e})
}

func encode(v any) string {
	b, err := json.Marshal(v)
	if err != nil { // structs of texts marshal
		panic(err)
	}
	return base64.StdEncoding.EncodeToString(b)
}

// Decode reads the value of a header of x402.
func Decode(value string, into any) error {
	b, err := strictenc.Base64(base64.StdEncoding, value)
	if err == nil {
		err = json.Unmarshal(b, into)
	}
	if err != nil {
		return fmt.Errorf("payment header: %w", err)
	}
	return nil
}
