// Package cbor reads and writes DAG-CBOR in its one canonical spelling (https://ipld.io/specs/codecs/dag-cbor/spec/):
//
//	item   = head payload; the head has the major type in its upper three bits and the shortest length that holds the number
//	int    = major 0 or 1, within 64 bits with sign
//	bytes  = major 2, length, bytes
//	text   = major 3, length, UTF-8
//	list   = major 4, length, items
//	map    = major 5, length, pairs of text and item; shorter keys first, equally long ones by their bytes, none twice
//	link   = tag 42 (d8 2a) around bytes: 00, then the CID
//	simple = f4 false, f5 true, f6 null, fb float of 64 bits that is a finite number
//
// In Go an item is nil, bool, int64, float64, string, []byte, cid.Cid, []any or map[string]any. Whoever stores, signs or checks blobs
// calls it. Other spellings of the same value are refused, so that a value has one hash.
package cbor

import (
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"
	"unicode/utf8"

	"github.com/ipfs/go-cid"
)

const (
	// MaxDepth is how deep lists and maps may lie in each other.
	MaxDepth = 64
	// MaxItems is how many items a value may have: a blob has at most 2 MiB, of which each item is at least one byte and takes
	// 16 and more in memory.
	MaxItems = 1 << 19
	// MaxMemory is about how many bytes of memory a value may take once it is read: a map of three bytes takes more than a hundred
	// times as many.
	MaxMemory = 32 << 20
)

// major types
const (
	unsigned = 0 << 5
	negative = 1 << 5
	octets   = 2 << 5
	text     = 3 << 5
	list     = 4 << 5
	mapping  = 5 << 5
	tag      = 6 << 5
	simple   = 7 << 5
)

const linkTag = 42

// Marshal writes a value. An error names a value that the format does not have.
func Marshal(v any) ([]byte, error) { return appendItem(nil, v, 0) }

func appendItem(b []byte, v any, depth int) ([]byte, error) {
	if depth > MaxDepth {
		return nil, fmt.Errorf("lists and maps lie more than %d deep in each other", MaxDepth)
	}
	switch v := v.(type) {
	case nil:
		return append(b, 0xf6), nil
	case bool:
		if v {
			return append(b, 0xf5), nil
		}
		return append(b, 0xf4), nil
	case int:
		return appendInt(b, int64(v)), nil
	case int64:
		return appendInt(b, v), nil
	case float64:
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return nil, fmt.Errorf("%v is not a finite number", v)
		}
		return binary.BigEndian.AppendUint64(append(b, 0xfb), math.Float64bits(v)), nil
	case string:
		if !utf8.ValidString(v) {
			return nil, errors.New("text is not UTF-8")
		}
		return append(appendHead(b, text, uint64(len(v))), v...), nil
	case []byte:
		return append(appendHead(b, octets, uint64(len(v))), v...), nil
	case cid.Cid:
		if !v.Defined() {
			return nil, errors.New("a link is empty")
		}
		raw := v.Bytes()
		return append(append(appendHead(append(b, 0xd8, linkTag), octets, uint64(len(raw)+1)), 0), raw...), nil
	case []any:
		return appendList(b, v, depth)
	case map[string]any:
		return appendMap(b, v, depth)
	}
	return nil, fmt.Errorf("values of type %T cannot be written", v)
}

func appendList(b []byte, items []any, depth int) ([]byte, error) {
	b = appendHead(b, list, uint64(len(items)))
	var err error
	for _, item := range items {
		if b, err = appendItem(b, item, depth+1); err != nil {
			return nil, err
		}
	}
	return b, nil
}

func appendMap(b []byte, m map[string]any, depth int) ([]byte, error) {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.SortFunc(keys, compareKeys)
	b = appendHead(b, mapping, uint64(len(m)))
	var err error
	for _, k := range keys {
		if b, err = appendItem(b, k, depth); err != nil {
			return nil, err
		}
		if b, err = appendItem(b, m[k], depth+1); err != nil {
			return nil, fmt.Errorf("%s: %w", k, err)
		}
	}
	return b, nil
}

// compareKeys is the order of the keys of a map: shorter first.
func compareKeys(a, b string) int { return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b)) }

func appendInt(b []byte, v int64) []byte {
	if v < 0 {
		return appendHead(b, negative, uint64(-1-v))
	}
	return appendHead(b, unsigned, uint64(v))
}

func appendHead(b []byte, major byte, n uint64) []byte {
	switch {
	case n < 24:
		return append(b, major|byte(n))
	case n <= math.MaxUint8:
		return append(b, major|24, byte(n))
	case n <= math.MaxUint16:
		return binary.BigEndian.AppendUint16(append(b, major|25), uint16(n))
	case n <= math.MaxUint32:
		return binary.BigEndian.AppendUint32(append(b, major|26), uint32(n))
	}
	return binary.BigEndian.AppendUint64(append(b, major|27), n)
}
