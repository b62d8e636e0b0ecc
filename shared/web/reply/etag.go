package reply

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"net/http"
	"strings"
)

// ETag is a strong entity tag made of everything an answer depends on: software version, generation,
// operation, canonical query, form, encoding. Parts are told apart by their lengths.
func ETag(parts ...string) string {
	var space [1024]byte
	all := space[:0]
	for _, p := range parts {
		all = append(binary.AppendUvarint(all, uint64(len(p))), p...)
	}
	s := sha256.Sum256(all)
	tag := [26]byte{0: '"', 25: '"'}
	hex.Encode(tag[1:], s[:12])
	return string(tag[:])
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
