package reply

import (
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"strings"
)

// ETag is a strong entity tag made of everything an answer depends on: software version, generation,
// operation, canonical query, form, encoding. Parts are told apart, not merely joined.
func ETag(parts ...string) string {
	h := sha256.New()
	for _, p := range parts {
		s := sha256.Sum256([]byte(p))
		h.Write(s[:])
	}
	return `"` + hex.EncodeToString(h.Sum(nil)[:12]) + `"`
}

// Matches says whether If-None-Match names the tag (weak comparison, RFC 9110 13.1.2).
func Matches(h http.Header, etag string) bool {
	if etag == "" {
		return false
	}
	for _, line := range h.Values("If-None-Match") {
		for _, t := range strings.Split(line, ",") {
			t = strings.TrimPrefix(strings.TrimSpace(t), "W/")
			if t == "*" || t == etag {
				return true
			}
		}
	}
	return false
}
