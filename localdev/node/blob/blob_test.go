package blob

import (
	"bytes"
	"crypto/ed25519"
	"errors"
	"maps"
	"strings"
	"testing"

	"github.com/ipfs/go-cid"
	"github.com/multiformats/go-multihash"

	"mappe/localdev/node/cbor"
	"mappe/localdev/node/ident"
)

var (
	key     = ed25519.NewKeyFromSeed([]byte(strings.Repeat("a", 32)))
	account = ident.AccountOf(key.Public().(ed25519.PublicKey))
)

func signed(t testing.TB, m map[string]any) []byte {
	t.Helper()
	raw, err := Sign(maps.Clone(m), account, func(data []byte) ([]byte, error) { return ed25519.Sign(key, data), nil })
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

var link = Sum([]byte("x"))

// whole is a change of every operation.
func whole() map[string]any {
	c := &Change{Time: 5, Genesis: link, Deps: []cid.Cid{link}, Depth: 1, Ops: []Op{
		MoveBlocks{Parent: "p", Blocks: []string{"a", "b"}, Ref: []int64{1, 2, 3}}, MoveBlocks{Blocks: []string{"c"}, Ref: []int64{0}},
		DeleteBlocks{Blocks: []string{"d"}}, SetAttributes{[]Attribute{{Key: []string{"a", "b"}, Value: int64(1)}, {Key: []string{"c"}}}},
		ReplaceBlock{Block{ID: "a", Type: "Image", Text: "t", Link: "ipfs://x",
			Attributes:  map[string]any{"width": int64(3), "l": []any{1.5}},
			Annotations: []Annotation{{Type: "Bold", Starts: []int32{0}, Ends: []int32{1}}}}},
	}}
	return c.Fields()
}

func ref() map[string]any {
	return (&Ref{Space: account, Path: "/a", Genesis: link, Heads: []cid.Cid{link}, Time: 5, Generation: 5}).Fields(account)
}

// What was read is written again as the same bytes.
func TestChangesComeBack(t *testing.T) {
	raw := signed(t, whole())
	b, err := Decode(raw)
	if err != nil {
		t.Fatal(err)
	}
	if again := signed(t, b.Change.Fields()); !bytes.Equal(again, raw) {
		t.Errorf("%x\n%x", raw, again)
	}
}

// Every refusal names what is wrong.
func TestRefused(t *testing.T) {
	with := func(m map[string]any, key string, v any) map[string]any {
		m = maps.Clone(m)
		m[key] = v
		if v == nil {
			delete(m, key)
		}
		return m
	}
	op := func(m map[string]any) map[string]any {
		return map[string]any{"type": "Change", "ts": int64(1), "body": map[string]any{"ops": []any{m}}}
	}
	identity, err := multihash.Encode([]byte("inline"), multihash.IDENTITY)
	if err != nil {
		t.Fatal(err)
	}
	many := make([]any, 65_538)
	for i := range many {
		many[i] = "b"
	}
	for name, c := range map[string]struct {
		m    map[string]any
		want string
	}{
		"another type":         {with(ref(), "type", "Note"), "not known"},
		"an unknown field":     {with(ref(), "extra", true), "extra"},
		"a time before 1970":   {with(ref(), "ts", int64(-1)), "ts"},
		"a time beyond":        {with(ref(), "ts", int64(MaxTime)), "ts"},
		"no time":              {with(ref(), "ts", nil), "ts is missing"},
		"a path with dots":     {with(ref(), "path", "/a/../b"), "path"},
		"no first change":      {with(ref(), "genesisBlob", nil), "genesisBlob"},
		"an inline link":       {with(ref(), "heads", []any{cid.NewCidV1(cid.Raw, identity)}), "hash"},
		"heads and redirect":   {with(ref(), "redirect", map[string]any{"path": "/b"}), "heads or a redirect"},
		"an ended home":        {with(with(ref(), "heads", []any{}), "path", nil), "home document"},
		"another visibility":   {with(ref(), "visibility", "Secret"), "visibility"},
		"deps without genesis": {with(whole(), "genesis", nil), "none of them"},
		"no depth":             {with(whole(), "depth", nil), "none of them"},
		"a dep twice":          {with(whole(), "deps", []any{link, link}), "twice"},
		"an unknown operation": {op(map[string]any{"type": "Shout"}), "operation"},
		"a field of no op":     {op(map[string]any{"type": "DeleteBlocks", "blocks": []any{"a"}, "why": "x"}), "why"},
		"a move of nothing":    {op(map[string]any{"type": "MoveBlocks", "blocks": []any{}}), "ids of blocks"},
		"a ref of two":         {op(map[string]any{"type": "MoveBlocks", "blocks": []any{"a"}, "ref": []any{int64(1), int64(2)}}), "ref"},
		"too high an index":    {op(map[string]any{"type": "MoveBlocks", "blocks": many}), "index"},
		"a float as attribute": {op(map[string]any{"type": "SetAttributes", "attrs": []any{map[string]any{"key": []any{"a"},
			"value": 1.5}}}), "value"},
		"bytes in a block":   {op(map[string]any{"type": "ReplaceBlock", "block": map[string]any{"id": "a", "x": []byte{1}}}), "attribute"},
		"a block without id": {op(map[string]any{"type": "ReplaceBlock", "block": map[string]any{"text": "x"}}), "id is missing"},
		"starts without ends": {op(map[string]any{"type": "ReplaceBlock", "block": map[string]any{"id": "a",
			"annotations": []any{map[string]any{"type": "Bold", "starts": []any{int64(0)}}}}}), "equally many"},
		"a role": {map[string]any{"type": "Capability", "ts": int64(1), "delegate": account.Bytes(), "role": "OWNER"}, "role"},
		"a label": {map[string]any{"type": "Capability", "ts": int64(1), "delegate": account.Bytes(),
			"role": "WRITER", "label": strings.Repeat("x", 513)}, "label"},
		"an alias with a name": {map[string]any{"type": "Profile", "ts": int64(1), "alias": account.Bytes(), "name": "x"},
			"alias or a name"},
		"a key of another kind": {map[string]any{"type": "Capability", "ts": int64(1), "delegate": append([]byte{0x80, 0x24},
			make([]byte, 33)...), "role": "WRITER"}, "ed01"},
	} {
		if _, err := Decode(signed(t, c.m)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: want an error with %q, got %v", name, c.want, err)
		}
	}
}

func TestSignatures(t *testing.T) {
	raw := signed(t, ref())
	if _, err := Decode(raw); err != nil {
		t.Fatal(err)
	}
	for i := range raw { // no byte may be changed
		broken := bytes.Clone(raw)
		broken[i] ^= 1
		if _, err := Decode(broken); err == nil {
			t.Fatalf("byte %d was changed", i)
		}
	}
	for name, sig := range map[string]any{"none": nil, "short": make([]byte, 63), "empty": []byte{}, "zero": make([]byte, 64)} {
		v, err := cbor.Unmarshal(raw)
		if err != nil {
			t.Fatal(err)
		}
		m := v.(map[string]any)
		m["sig"] = sig
		data, err := cbor.Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := Decode(data); err == nil || name != "none" && !errors.Is(err, ErrSignature) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := Decode(append(bytes.Clone(raw), 0)); err == nil {
		t.Error("bytes that follow were taken")
	}
	if _, err := Decode(make([]byte, MaxSize+1)); err == nil || !strings.Contains(err.Error(), "at most") {
		t.Errorf("%v", err)
	}
}

func TestNames(t *testing.T) {
	data := []byte("data")
	for _, c := range []cid.Cid{Sum(data), SumRaw(data), SumNode(data)} {
		if err := Matches(c, data); err != nil {
			t.Error(err)
		}
		if Matches(c, []byte("other")) == nil {
			t.Errorf("%s names other data", c)
		}
	}
	if !strings.HasPrefix(Sum(data).String(), "bafy2bza") {
		t.Errorf("%s", Sum(data))
	}
	short, _ := multihash.Sum(data, multihash.SHA2_256, 20)
	old, _ := multihash.Sum(data, multihash.SHA2_256, -1)
	sha512, _ := multihash.Sum(data, multihash.SHA2_512, -1)
	for _, c := range []cid.Cid{cid.Undef, cid.NewCidV0(old), cid.NewCidV1(cid.Raw, short), cid.NewCidV1(cid.Raw, sha512),
		cid.NewCidV1(0x0129, old)} {
		if CheckCID(c) == nil {
			t.Errorf("%s was taken", c)
		}
	}
}

// Whatever bytes come: they are refused, or they are the one spelling of a blob with its signer's signature.
func FuzzDecode(f *testing.F) {
	for _, m := range []map[string]any{whole(), ref(), {"type": "Profile", "ts": int64(0), "name": "x"},
		{"type": "Comment", "ts": int64(0), "body": []any{map[string]any{"id": "a", "children": []any{}}}}} {
		f.Add(signed(f, m))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		b, err := Decode(data)
		if err != nil {
			return
		}
		if b.Change != nil {
			if _, err := cbor.Marshal(b.Change.Fields()); err != nil {
				t.Error(err)
			}
		}
	})
}
