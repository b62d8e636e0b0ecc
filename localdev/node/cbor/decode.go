package cbor

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"unicode/utf8"

	"github.com/ipfs/go-cid"
)

// Unmarshal reads a value that fills the bytes wholly. An error says at which byte the value is not canonical DAG-CBOR.
func Unmarshal(data []byte) (any, error) {
	d := decoder{data: data}
	v, err := d.item(0)
	if err == nil && d.at != len(data) {
		err = fmt.Errorf("%d bytes follow the value", len(data)-d.at)
	}
	if err != nil {
		return nil, fmt.Errorf("byte %d: %w", d.at, err)
	}
	return v, nil
}

type decoder struct {
	data   []byte
	at     int
	items  int
	memory int
}

// What Go takes for items, in bytes: a place in a list or map, the head of a text or list, a map with room for its first eight pairs,
// a pair of a larger one.
const (
	placeSize = 16
	headSize  = 24
	mapSize   = 336
	pairSize  = 64
)

// take counts memory before it is taken.
func (d *decoder) take(n int) error {
	if d.memory += n; d.memory > MaxMemory {
		return fmt.Errorf("the value takes more than %d MiB of memory", MaxMemory>>20)
	}
	return nil
}

var errShort = errors.New("the value ends early")

// head reads the major type and the number of an item.
func (d *decoder) head() (major byte, n uint64, err error) {
	if d.at >= len(d.data) {
		return 0, 0, errShort
	}
	first := d.data[d.at]
	major, n = first&0xe0, uint64(first&0x1f)
	d.at++
	if major == simple || n < 24 {
		return major, n, nil
	}
	size := map[uint64]int{24: 1, 25: 2, 26: 4, 27: 8}[n]
	if size == 0 {
		return 0, 0, errors.New("the length of an item is not told")
	}
	if len(d.data)-d.at < size {
		return 0, 0, errShort
	}
	n = 0
	for _, b := range d.data[d.at : d.at+size] {
		n = n<<8 | uint64(b)
	}
	if len(appendHead(nil, major, n)) != size+1 {
		return 0, 0, errors.New("a number is longer than it need be")
	}
	d.at += size
	return major, n, nil
}

func (d *decoder) item(depth int) (any, error) {
	if depth > MaxDepth {
		return nil, fmt.Errorf("lists and maps lie more than %d deep in each other", MaxDepth)
	}
	if d.items++; d.items > MaxItems {
		return nil, fmt.Errorf("more than %d items", MaxItems)
	}
	if err := d.take(placeSize + headSize); err != nil {
		return nil, err
	}
	major, n, err := d.head()
	if err != nil {
		return nil, err
	}
	switch major {
	case unsigned, negative:
		if n > math.MaxInt64 {
			return nil, errors.New("a number does not fit 64 bits with sign")
		}
		if major == negative {
			return -1 - int64(n), nil
		}
		return int64(n), nil
	case octets:
		return d.bytes(n)
	case text:
		return d.text(n)
	case list:
		return d.list(n, depth)
	case mapping:
		return d.mapping(n, depth)
	case tag:
		return d.link(n)
	}
	return d.simple(n)
}

func (d *decoder) bytes(n uint64) ([]byte, error) {
	if n > uint64(len(d.data)-d.at) {
		return nil, errShort
	}
	b := d.data[d.at : d.at+int(n) : d.at+int(n)]
	d.at += int(n)
	return b, nil
}

func (d *decoder) text(n uint64) (string, error) {
	b, err := d.bytes(n)
	if err == nil && !utf8.Valid(b) {
		err = errors.New("text is not UTF-8")
	}
	if err == nil {
		err = d.take(len(b))
	}
	if err != nil {
		return "", err
	}
	return string(b), nil
}

func (d *decoder) list(n uint64, depth int) (any, error) {
	if n > uint64(len(d.data)-d.at) { // each item has at least one byte
		return nil, errShort
	}
	out := make([]any, 0, min(n, 1024))
	for range n {
		v, err := d.item(depth + 1)
		if err != nil {
			return nil, err
		}
		out = append(out, v)
	}
	return out, nil
}

func (d *decoder) mapping(n uint64, depth int) (any, error) {
	if n > uint64(len(d.data)-d.at)/2 {
		return nil, errShort
	}
	if err := d.take(mapSize + pairSize*max(int(n)-8, 0)); err != nil {
		return nil, err
	}
	out := make(map[string]any, min(n, 64))
	last := ""
	for i := range n {
		major, size, err := d.head()
		if err == nil && major != text {
			err = errors.New("a key of a map is not text")
		}
		if err != nil {
			return nil, err
		}
		key, err := d.text(size)
		if err != nil {
			return nil, err
		}
		if i > 0 && compareKeys(last, key) >= 0 {
			return nil, errors.New("the keys of a map are out of order, or one stands twice")
		}
		last = key
		if out[key], err = d.item(depth + 1); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func (d *decoder) link(n uint64) (any, error) {
	if n != linkTag {
		return nil, fmt.Errorf("tag %d: only links (42) are known", n)
	}
	major, size, err := d.head()
	if err == nil && major != octets {
		err = errors.New("a link is not bytes")
	}
	if err != nil {
		return nil, err
	}
	b, err := d.bytes(size)
	if err != nil {
		return nil, err
	}
	if len(b) < 2 || b[0] != 0 {
		return nil, errors.New("a link does not begin with 0")
	}
	if err := d.take(len(b)); err != nil {
		return nil, err
	}
	c, err := cid.Cast(b[1:])
	if err != nil {
		return nil, fmt.Errorf("a link holds no CID: %w", err)
	}
	return c, nil
}

func (d *decoder) simple(n uint64) (any, error) {
	switch n {
	case 20, 21:
		return n == 21, nil
	case 22:
		return nil, nil
	case 27:
		b, err := d.bytes(8)
		if err != nil {
			return nil, err
		}
		f := math.Float64frombits(binary.BigEndian.Uint64(b))
		if math.IsNaN(f) || math.IsInf(f, 0) {
			return nil, fmt.Errorf("%v is not a finite number", f)
		}
		return f, nil
	}
	return nil, fmt.Errorf("simple value %d is not part of the format", n)
}
