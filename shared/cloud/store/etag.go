package store

import (
	"crypto/sha256"
	"encoding/hex"
)

// ETagOf is the strong ETag that mem and dir give to content: its SHA-256, quoted. S3 makes its own, another
// one for the same bytes when they came in parts: equal ETags mean equal bytes, not the other way round.
func ETagOf(body []byte) string {
	sum := sha256.Sum256(body)
	return QuoteETag(sum[:])
}

// QuoteETag writes a SHA-256 sum as an ETag.
func QuoteETag(sum []byte) string { return `"` + hex.EncodeToString(sum) + `"` }
