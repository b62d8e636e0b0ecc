// Package coding is the content codings of answers: gzip for everybody, zstd for clients that take it, chosen
// by Accept-Encoding (RFC 9110 12.5.3). Large bodies are compressed beside the making of their rows, on all
// processors. It knows nothing of answers (shared/web/reply does).
package coding

import (
	"net/http"
	"strconv"
	"strings"
)

// Coding is a content coding.
type Coding uint8

// The codings, in the order in which they are preferred where a client likes several equally well.
const (
	Identity Coding = iota
	Zstd            // RFC 8878, with a window of at most 8 MB as RFC 9659 wants it of answers
	Gzip
)

// All are the codings.
var All = []Coding{Identity, Zstd, Gzip}

// String is the coding's name in Content-Encoding.
func (c Coding) String() string {
	switch c {
	case Zstd:
		return "zstd"
	case Gzip:
		return "gzip"
	}
	return "identity"
}

// Accepted is the coding that an answer to a request with these headers has: the one that the client gives
// the highest quality, Identity where it would rather have the plain bytes or takes nothing else. zstd has to
// be named: old clients that send * do not mean it.
func Accepted(h http.Header) Coding {
	lines := h["Accept-Encoding"]
	if len(lines) == 0 {
		return Identity
	}
	gzip, zstd, star, plain := -1.0, 0.0, 0.0, 0.0
	for _, e := range Elements(lines) {
		switch e.Name {
		case "gzip", "x-gzip":
			gzip = max(gzip, e.Q)
		case "zstd":
			zstd = max(zstd, e.Q)
		case "*":
			star = e.Q
		case "identity":
			plain = e.Q
		}
	}
	if gzip < 0 {
		gzip = star
	}
	switch {
	case zstd > 0 && zstd >= gzip && zstd >= plain:
		return Zstd
	case gzip > 0 && gzip >= plain:
		return Gzip
	}
	return Identity
}

// Takes says whether an answer to a request with these headers may have a coding, for bodies that are stored in
// one: named or meant by *, with a quality above 0.
func Takes(h http.Header, c Coding) bool {
	named, star := -1.0, 0.0
	for _, e := range Elements(h["Accept-Encoding"]) {
		switch e.Name {
		case c.String(), "x-" + c.String():
			named = max(named, e.Q)
		case "*":
			star = e.Q
		}
	}
	if named < 0 && c != Zstd { // old clients that send * do not mean it
		named = star
	}
	return named > 0
}

// Element is one of the values that an Accept header lists, with its quality from 0 to 1.
type Element struct {
	Name string // in lower case
	Q    float64
}

// Elements reads the comma lists of an Accept header; at most 32 elements count, and an invalid quality
// is 1.
func Elements(lines []string) []Element {
	var space [8]Element
	out := space[:0]
	for _, line := range lines {
		for part := range strings.SplitSeq(line, ",") {
			name, params, _ := strings.Cut(part, ";")
			e := Element{strings.ToLower(strings.TrimSpace(name)), 1}
			for p := range strings.SplitSeq(params, ";") {
				if k, v, ok := strings.Cut(strings.TrimSpace(p), "="); ok && strings.EqualFold(k, "q") {
					if q, err := strconv.ParseFloat(strings.TrimSpace(v), 64); err == nil && q >= 0 && q <= 1 {
						e.Q = q
					}
				}
			}
			if out = append(out, e); len(out) == 32 {
				return out
			}
		}
	}
	return out
}
