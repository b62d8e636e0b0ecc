package ident

import (
	"crypto/ed25519"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha512"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"

	"github.com/tyler-smith/go-bip39"
)

// WordCounts are the lengths of a mnemonic (BIP 39).
var WordCounts = []int{12, 15, 18, 21, 24}

// NewMnemonic gives the words of a new key, made of fresh random numbers.
func NewMnemonic(words int) ([]string, error) {
	if !slices.Contains(WordCounts, words) {
		return nil, fmt.Errorf("word_count %d: expected one of %v", words, WordCounts)
	}
	entropy := make([]byte, words*4/3) // 11 bits a word, of which one in 33 is checksum
	if _, err := rand.Read(entropy); err != nil {
		return nil, err
	}
	text, err := bip39.NewMnemonic(entropy)
	if err != nil {
		return nil, err
	}
	return strings.Fields(text), nil
}

// hardened marks a step of a path from which no public key is derived.
const hardened = 1 << 31

// derivation is the network's path, m/44'/104109'/0'.
var derivation = []uint32{44, 104109, 0}

// DeriveKey makes the key of a mnemonic and a passphrase: BIP 39's seed, then SLIP-0010 for Ed25519 along the network's path.
func DeriveKey(mnemonic []string, passphrase string) (ed25519.PrivateKey, error) {
	seed, err := bip39.NewSeedWithErrorChecking(strings.Join(mnemonic, " "), passphrase)
	if err != nil {
		return nil, fmt.Errorf("mnemonic: expected %v words of BIP 39 with a right checksum", WordCounts)
	}
	return slip10(seed, derivation), nil
}

// slip10 derives along hardened steps (https://github.com/satoshilabs/slips/blob/master/slip-0010.md).
func slip10(seed []byte, path []uint32) ed25519.PrivateKey {
	node := mac([]byte("ed25519 seed"), seed)
	for _, step := range path {
		data := append([]byte{0}, node[:32]...)
		node = mac(node[32:], binary.BigEndian.AppendUint32(data, step|hardened))
	}
	return ed25519.NewKeyFromSeed(node[:32])
}

func mac(key, data []byte) []byte {
	h := hmac.New(sha512.New, key)
	h.Write(data)
	return h.Sum(nil)
}
