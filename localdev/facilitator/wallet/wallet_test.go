package wallet

import (
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/decred/dcrd/dcrec/secp256k1/v4"

	"mappe/shared/cloud/pay"
)

var wanted = pay.Requirements{Scheme: "exact", Network: "eip155:84532", Amount: "20000",
	Asset: "0x036CbD53842c5426634e7929541eC2318f3dCF7e",
	PayTo: "0x70997970C51812dc3A010C7d01b50e0d17dc79C8", MaxTimeoutSeconds: 120, Extra: pay.Domain{Name: "USDC", Version: "2"}}

func TestAddressOfAKnownKey(t *testing.T) {
	// The generator itself: the account of the key 1.
	k, err := fromHex("0x" + strings.Repeat("0", 63) + "1")
	if err != nil || k.Address().Checksum() != "0x7E5F4552091A69125d5DfCb7b8C2659029395Bdf" {
		t.Errorf("got %s, %v", k.Address().Checksum(), err)
	}
	if got := fmt.Sprintf("%v %+v", k, k); strings.Contains(got, strings.Repeat("0", 60)) {
		t.Errorf("a key prints as %s", got)
	}
}

func TestSignAndRecover(t *testing.T) {
	for range 50 {
		k, err := New()
		if err != nil {
			t.Fatal(err)
		}
		e, err := k.Sign(wanted, time.Now())
		if err != nil {
			t.Fatal(err)
		}
		digest, err := Digest(wanted.Network, wanted.Asset, wanted.Extra, e.Authorization)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := Recover(digest, e.Signature); err != nil || got != k.Address() {
			t.Fatalf("want %s, got %s, %v", k.Address(), got, err)
		}
		digest[0] ^= 1
		if got, err := Recover(digest, e.Signature); err == nil && got == k.Address() {
			t.Fatal("another digest gives the same account")
		}
	}
}

func FuzzRecover(f *testing.F) {
	f.Add(make([]byte, 65))
	f.Fuzz(func(t *testing.T, signature []byte) {
		_, _ = Recover(make([]byte, 32), "0x"+hex.EncodeToString(signature))
		_, _ = Recover(make([]byte, 32), string(signature))
	})
}

// fromHex reads a key: 64 hexadecimal digits, with or without 0x.
func fromHex(s string) (*Key, error) {
	b, err := hex.DecodeString(strings.TrimPrefix(s, "0x"))
	if err != nil || len(b) != 32 {
		return nil, errors.New("a key is 32 bytes in hexadecimal") // the key itself is not repeated
	}
	return &Key{secp256k1.PrivKeyFromBytes(b)}, nil
}
