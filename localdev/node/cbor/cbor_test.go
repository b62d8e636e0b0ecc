package cbor

import (
	"bytes"
	"encoding/hex"
	"math"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/ipfs/go-cid"
)

var link = cid.MustParse("bafyreigdyrzt5sfp7udm7hu76uh7y26nf3efuylqabf3oclgtqy55fbzdi")

// The examples of RFC 8949, appendix A, that DAG-CBOR has.
func TestVectors(t *testing.T) {
	for _, c := range []struct {
		hex  string
		want any
	}{
		{"00", int64(0)}, {"17", int64(23)}, {"1818", int64(24)}, {"1903e8", int64(1000)}, {"1a000f4240", int64(1000000)},
		{"1b000000e8d4a51000", int64(1000000000000)}, {"20", int64(-1)}, {"3863", int64(-100)},
		{"3b7fffffffffffffff", int64(math.MinInt64)},
		{"fb3ff199999999999a", 1.1}, {"fb3ff0000000000000", 1.0}, {"fb8000000000000000", math.Copysign(0, -1)},
		{"f4", false}, {"f5", true}, {"f6", nil}, {"4401020304", []byte{1, 2, 3, 4}},
		{"6449455446", "IETF"}, {"62c3bc", "ü"}, {"80", []any{}}, {"83010203", []any{int64(1), int64(2), int64(3)}},
		{"a26161016162820203", map[string]any{"a": int64(1), "b": []any{int64(2), int64(3)}}},
		{"d82a5825000171" + "1220" + strings.Repeat("00", 32), cid.NewCidV1(0x71, append([]byte{0x12, 0x20}, make([]byte, 32)...))},
	} {
		raw, err := hex.DecodeString(c.hex)
		if err != nil {
			t.Fatal(err)
		}
		got, err := Unmarshal(raw)
		if err != nil || !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: want %v, got %v, %v", c.hex, c.want, got, err)
		}
		if back, err := Marshal(c.want); err != nil || !bytes.Equal(back, raw) {
			t.Errorf("%v: want %s, got %x, %v", c.want, c.hex, back, err)
		}
	}
}

// Every other spelling of a value, and what the format does not have, is refused with the reason.
func TestRefused(t *testing.T) {
	for name, c := range map[string]struct{ hex, want string }{
		"a longer number":       {"1817", "longer than it need be"},
		"a longer length":       {"5801ff", "longer than it need be"},
		"endless bytes":         {"5f4101ff", "not told"},
		"an endless list":       {"9f01ff", "not told"},
		"bytes that follow":     {"0000", "1 bytes follow"},
		"nothing":               {"", "ends early"},
		"bytes cut":             {"4401", "ends early"},
		"a list cut":            {"8301", "ends early"},
		"a huge list":           {"9b7fffffffffffffff", "ends early"},
		"a huge map":            {"bb7fffffffffffffff", "ends early"},
		"keys out of order":     {"a2616201616102", "out of order"},
		"a longer key first":    {"a262616101616201", "out of order"},
		"a key twice":           {"a2616101616102", "stands twice"},
		"a number as key":       {"a10101", "not text"},
		"another tag":           {"c001", "only links"},
		"a link of text":        {"d82a6100", "not bytes"},
		"a link without 0":      {"d82a420101", "begin with 0"},
		"a link to nothing":     {"d82a420001", "no CID"},
		"half precision":        {"f93c00", "not part of the format"},
		"single precision":      {"fa47c35000", "not part of the format"},
		"not a number":          {"fb7ff8000000000000", "finite"},
		"infinity":              {"fb7ff0000000000000", "finite"},
		"undefined":             {"f7", "not part of the format"},
		"text of other bytes":   {"61ff", "UTF-8"},
		"a number of 64 bits":   {"1bffffffffffffffff", "64 bits"},
		"lists in lists":        {strings.Repeat("81", MaxDepth+1) + "00", "deep"},
		"a negative too small":  {"3b8000000000000000", "64 bits"},
		"a break without begin": {"ff", "not part of the format"},
	} {
		raw, err := hex.DecodeString(c.hex)
		if err != nil {
			t.Fatal(name, err)
		}
		if v, err := Unmarshal(raw); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: want an error with %q, got %v, %v", name, c.want, v, err)
		}
	}
	bomb := append(appendHead(nil, list, MaxItems), make([]byte, MaxItems)...)
	if _, err := Unmarshal(bomb); err == nil || !strings.Contains(err.Error(), "items") {
		t.Errorf("%d items: %v", MaxItems+1, err)
	}
}

// Small maps take a hundred times their bytes in memory: the value is refused before they do. A blob of blocks is not near.
func TestMemory(t *testing.T) {
	const maps = 250_000
	bomb := appendHead(nil, list, maps)
	for range maps {
		bomb = append(bomb, 0xa1, 0x60, 0)
	}
	allocated := func(raw []byte) (uint64, error) {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		v, err := Unmarshal(raw)
		runtime.ReadMemStats(&after)
		runtime.KeepAlive(v)
		return after.TotalAlloc - before.TotalAlloc, err
	}
	if n, err := allocated(bomb); err == nil || !strings.Contains(err.Error(), "memory") || n > 2*MaxMemory {
		t.Errorf("%d maps: %d bytes were taken, %v", maps, n, err)
	}
	block := map[string]any{"type": "ReplaceBlock", "block": map[string]any{"id": "abcdefgh", "type": "Paragraph",
		"text": strings.Repeat("text ", 20), "childrenType": "Group"}}
	raw, err := Marshal(slices.Repeat([]any{block}, 12_000)) // 2 MiB
	if err != nil {
		t.Fatal(err)
	}
	if n, err := allocated(raw); err != nil || n > 2*MaxMemory {
		t.Errorf("%d bytes of blocks: %d bytes were taken, %v", len(raw), n, err)
	}
}

func TestWhatCannotBeWritten(t *testing.T) {
	deep := any(nil)
	for range MaxDepth + 1 {
		deep = []any{deep}
	}
	for name, v := range map[string]any{"not a number": math.NaN(), "infinity": math.Inf(-1), "other bytes": "\xff",
		"an empty link": cid.Undef, "deep": deep, "a key": map[string]any{"\xff": 1}, "a type": uint8(1), "within": []any{uint8(1)}} {
		if b, err := Marshal(v); err == nil {
			t.Errorf("%s was written: %x", name, b)
		}
	}
}

// What is read is written again as the same bytes: a value has one spelling.
func FuzzUnmarshal(f *testing.F) {
	seed, err := Marshal(map[string]any{"a": int64(-7), "bc": []any{nil, true, 1.5, "x", []byte{1}}, "link": link, "m": map[string]any{}})
	if err != nil {
		f.Fatal(err)
	}
	for _, b := range [][]byte{seed, {0x9f}, {0xa2, 0x61, 0x61, 1, 0x61, 0x61, 2}, {0xd8, 0x2a, 0x41, 0}} {
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		v, err := Unmarshal(data)
		if err != nil {
			return
		}
		back, err := Marshal(v)
		if err != nil || !bytes.Equal(back, data) {
			t.Errorf("read %x, written %x, %v", data, back, err)
		}
	})
}
