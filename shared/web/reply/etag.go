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

// Weak is the tag of a body whose bytes differ from one answer to the next though it says the same, because it tells the
// time that it took (RFC 9110 8.8.1).
func Weak(etag string) string {
	if etag == "" || strings.HasPrefix(etag, "W/") {
		return etag
	}
	return "W/" + etag
}

// Matches says whether If-None-Match names the tag of what there is, or anything ("*").
func Matches(h http.Header, etag string) bool {
	return etag != "" && (Anything(h) || Named(h, etag))
}

// Named says whether If-None-Match lists the tag (weak comparison, RFC 9110 13.1.2).
func Named(h http.Header, etag string) bool {
	if etag == "" {
		return false
	}
	etag = strings.TrimPrefix(etag, "W/")
	for _, line := range h.Values("If-None-Match") {
		for _, t := range strings.Split(line, ",") {
			if strings.TrimPrefix(strings.TrimSpace(t), "W/") == etag {
				return true
			}
		}
	}
	return false
}

// Anything says whether If-None-Match is "*": the client has some answer already. Whether there is one has to be known
// before 304 is said.
func Anything(h http.Header) bool {
	v := h.Values("If-None-Match")
	return len(v) == 1 && strings.TrimSpace(v[0]) == "*"
}
