package wallet

import (
	"encoding/hex"
	"errors"
	"fmt"
	"math/big"
	"strconv"
	"strings"

	"github.com/decred/dcrd/dcrec/secp256k1/v4"
	"github.com/decred/dcrd/dcrec/secp256k1/v4/ecdsa"
	"golang.org/x/crypto/sha3"

	"mappe/shared/cloud/pay"
)

func keccak(parts ...[]byte) []byte {
	h := sha3.NewLegacyKeccak256()
	for _, p := range parts {
		h.Write(p)
	}
	return h.Sum(nil)
}

var (
	domainType   = keccak([]byte("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"))
	transferType = keccak([]byte("TransferWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)"))
)

// Digest is what a payer signs: EIP-712 of a TransferWithAuthorization under the asset's domain on a
// network (CAIP-2).
func Digest(network, asset string, domain pay.Domain, a pay.Authorization) ([]byte, error) {
	id, ok := strings.CutPrefix(network, "eip155:")
	chain, err := strconv.ParseUint(id, 10, 64)
	if !ok || err != nil {
		return nil, fmt.Errorf("network %q: expected eip155: and a chain id", network)
	}
	var e encoder
	e.bytes(domainType)
	e.bytes(keccak([]byte(domain.Name)))
	e.bytes(keccak([]byte(domain.Version)))
	e.number(strconv.FormatUint(chain, 10))
	e.hex(asset, 20)
	separator := keccak(e.out)
	e.out = nil
	e.bytes(transferType)
	e.hex(a.From, 20)
	e.hex(a.To, 20)
	e.number(a.Value)
	e.number(a.ValidAfter)
	e.number(a.ValidBefore)
	e.hex(a.Nonce, 32)
	if e.err != nil {
		return nil, e.err
	}
	return keccak([]byte{0x19, 0x01}, separator, keccak(e.out)), nil
}

// encoder appends words of 32 bytes.
type encoder struct {
	out []byte
	err error
}

func (e *encoder) bytes(b []byte) {
	e.out = append(e.out, make([]byte, 32-len(b))...)
	e.out = append(e.out, b...)
}

func (e *encoder) number(s string) {
	n, ok := new(big.Int).SetString(s, 10)
	if !ok || n.Sign() < 0 || n.BitLen() > 256 || len(s) > 78 {
		e.err = errors.New("a number is not a uint256 in decimal digits")
		return
	}
	e.bytes(n.FillBytes(make([]byte, 32)))
}

func (e *encoder) hex(s string, n int) {
	b, err := hex.DecodeString(strings.TrimPrefix(s, "0x"))
	if err != nil || len(b) != n {
		e.err = fmt.Errorf("a value is not %d bytes in hexadecimal", n)
		return
	}
	e.bytes(b)
}

// Recover is the account whose key made the signature, as the token contract finds it: 65 bytes r, s, v
// with v 27 or 28 and s in the lower half.
func Recover(digest []byte, signature string) (pay.Address, error) {
	b, err := hex.DecodeString(strings.TrimPrefix(signature, "0x"))
	if err != nil || len(b) != 65 {
		return "", errors.New("the signature is not 65 bytes in hexadecimal")
	}
	if b[64] != 27 && b[64] != 28 {
		return "", errors.New("the signature's v is not 27 or 28")
	}
	var s secp256k1.ModNScalar
	if over := s.SetByteSlice(b[32:64]); over || s.IsOverHalfOrder() {
		return "", errors.New("the signature's s is in the upper half")
	}
	key, _, err := ecdsa.RecoverCompact(append([]byte{b[64]}, b[:64]...), digest)
	if err != nil {
		return "", err
	}
	return addressOf(key), nil
}

func addressOf(key *secp256k1.PublicKey) pay.Address {
	return pay.Address("0x" + hex.EncodeToString(keccak(key.SerializeUncompressed()[1:])[12:]))
}
