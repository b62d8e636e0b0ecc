// Package strictenc reads texts that stand for bytes and have one spelling each. Cursors and payment headers are
// read by it: what has two spellings is two keys of a cache, and two records where one was meant.
package strictenc

import (
	"encoding/base64"
	"errors"
	"strings"
)

var errSpelling = errors.New("not base64 in its one spelling")

// Base64 decodes a text that Encode of the encoding can have written, and no other: the standard library passes
// over line ends, and without Strict over bits that say nothing.
func Base64(encoding *base64.Encoding, text string) ([]byte, error) {
	if strings.ContainsAny(text, "\r\n") {
		return nil, errSpelling
	}
	b, err := encoding.Strict().DecodeString(text)
	if err != nil {
		return nil, errSpelling
	}
	return b, nil
}
