// Package bearer is what tokens of every service have in common: their text, and what is kept of it. A text
// is {prefix}{id}_{secret}: eight hex digits, by which the record is found, and 32 random bytes in base64url,
// of which only the SHA-256 is kept. A Store keeps tokens in a ledger; what a token opens its service knows. The operator's
// is a secret of the deployment instead (shared/cloud/admintoken, which says why).
package bearer

import (
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"encoding/hex"
	"strings"
)

const (
	idBytes      = 4
	secretBytes  = 32
	secretLength = 43 // of base64url
)

// New draws a token: its id, its text for whoever shall bear it, and the hash that is kept.
func New(prefix string) (id, text string, hash []byte) {
	var raw [idBytes + secretBytes]byte
	rand.Read(raw[:]) // never fails
	id = hex.EncodeToString(raw[:idBytes])
	secret := base64.RawURLEncoding.EncodeToString(raw[idBytes:])
	return id, prefix + id + "_" + secret, sum(secret)
}

func sum(secret string) []byte {
	s := sha256.Sum256([]byte(secret))
	return s[:]
}

// Secret is the secret part of a text.
type Secret string

// Split takes a text apart, the id in lower case; false where it is no token of the prefix.
func Split(prefix, text string) (id string, secret Secret, ok bool) {
	rest, ok := strings.CutPrefix(text, prefix)
	id, part, two := strings.Cut(rest, "_")
	raw, err := hex.DecodeString(id)
	if !ok || !two || err != nil || len(raw) != idBytes || len(part) != secretLength {
		return "", "", false
	}
	return strings.ToLower(id), Secret(part), true
}

// Is says whether the secret is the one of a hash. Which character of a wrong one is wrong cannot be told
// from the time it takes.
func (s Secret) Is(hash []byte) bool {
	return subtle.ConstantTimeCompare(sum(string(s)), hash) == 1
}
