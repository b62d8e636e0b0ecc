package funcurl

import (
	"crypto/sha256"
	"crypto/subtle"
	"fmt"
	"net/http"
)

// The environment of a function. During a rotation the CDN may still send the value before or already the
// value after: both are accepted. OriginOpen=yes serves without a secret and is for a single function run
// by hand; no template sets it.
const (
	OriginSecret         = "MAPPE_ORIGIN_SECRET"
	OriginSecretPrevious = "MAPPE_ORIGIN_SECRET_PREVIOUS"
	OriginOpen           = "MAPPE_ORIGIN_OPEN"
)

// OriginHeader carries the secret. The handler does not see it.
const OriginHeader = "X-Origin-Verify"

// minSecret keeps an empty or a default value from being a secret.
const minSecret = 16

// Secrets are the accepted values; the zero value admits nobody.
type Secrets struct {
	open     bool
	accepted [][sha256.Size]byte
}

// SecretsFromEnvironment reads the accepted values, or an error that names the variable.
func SecretsFromEnvironment(getenv func(string) string) (Secrets, error) {
	if open := getenv(OriginOpen); open != "" {
		if open != "yes" || getenv(OriginSecret) != "" {
			return Secrets{}, fmt.Errorf("%s=%q: want yes, and %s unset", OriginOpen, open, OriginSecret)
		}
		return Secrets{open: true}, nil
	}
	current, previous := getenv(OriginSecret), getenv(OriginSecretPrevious)
	if current == "" {
		return Secrets{}, fmt.Errorf("%s is not set: want the secret that the CDN sends, or %s=yes to serve anybody", OriginSecret, OriginOpen)
	}
	s, err := NewSecrets(current)
	if err == nil && previous != "" {
		s, err = NewSecrets(current, previous)
	}
	return s, err
}

// NewSecrets accepts the values, each of at least 16 bytes.
func NewSecrets(values ...string) (Secrets, error) {
	var s Secrets
	for _, v := range values {
		if len(v) < minSecret {
			return Secrets{}, fmt.Errorf("origin secret of %d bytes: want at least %d", len(v), minSecret)
		}
		s.accepted = append(s.accepted, sha256.Sum256([]byte(v)))
	}
	return s, nil
}

// admit takes the secret out of the headers and compares it with every accepted value in constant time.
func (s Secrets) admit(h http.Header) bool {
	given := sha256.Sum256([]byte(h.Get(OriginHeader)))
	h.Del(OriginHeader)
	match := 0
	for i := range s.accepted {
		match |= subtle.ConstantTimeCompare(given[:], s.accepted[i][:])
	}
	return s.open || match == 1
}
