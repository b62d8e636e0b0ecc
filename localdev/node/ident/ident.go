// Package ident has the names of the network: accounts, paths, versions and addresses. They are parsed once, where they come in.
package ident

import (
	"bytes"
	"crypto/ed25519"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/ipfs/go-cid"
	"github.com/multiformats/go-multibase"
)

// Account is an Ed25519 public key as the network packs it: the multicodec ed 01, then 32 bytes. Its text is base58btc, z6Mk... .
// The empty Account is unset.
type Account string

// keyCodec is the varint of the multicodec ed25519-pub.
const keyCodec = "\xed\x01"

// AccountOf is the account of a public key.
func AccountOf(key ed25519.PublicKey) Account { return Account(keyCodec + string(key)) }

// ParseAccount reads the text of an account.
func ParseAccount(text string) (Account, error) {
	if len(text) > 64 || !strings.HasPrefix(text, "z") {
		return "", fmt.Errorf("account %.64q: expected an Ed25519 key in base58btc, z6Mk... ", text)
	}
	_, raw, err := multibase.Decode(text)
	if err != nil {
		return "", fmt.Errorf("account %q: %w", text, err)
	}
	return AccountFromBytes(raw)
}

// AccountFromBytes reads the 34 bytes of an account. Keys of other kinds are refused.
func AccountFromBytes(raw []byte) (Account, error) {
	if len(raw) != len(keyCodec)+ed25519.PublicKeySize || !bytes.HasPrefix(raw, []byte(keyCodec)) {
		return "", fmt.Errorf("key %x: expected ed01 and the 32 bytes of an Ed25519 key", raw[:min(len(raw), 40)])
	}
	return Account(raw), nil
}

// Key is the public key.
func (a Account) Key() ed25519.PublicKey { return ed25519.PublicKey(a[len(keyCodec):]) }

// Bytes are the packed bytes.
func (a Account) Bytes() []byte { return []byte(a) }

func (a Account) String() string {
	if a == "" {
		return ""
	}
	text, err := multibase.Encode(multibase.Base58BTC, []byte(a))
	if err != nil { // base58btc is known to the library
		panic(err)
	}
	return text
}

// Path names a document of an account: "" is the home document, every other begins with "/".
type Path string

// MaxPath is the most bytes of a path.
const MaxPath = 2048

// ParsePath reads a path. It is a key, never the name of a file; "." and ".." and empty parts are refused all the same, because
// web servers and browsers resolve them.
func ParsePath(text string) (Path, error) {
	if text == "" {
		return "", nil
	}
	if len(text) > MaxPath || !utf8.ValidString(text) {
		return "", fmt.Errorf("path: expected at most %d bytes of UTF-8", MaxPath)
	}
	if text[0] != '/' || strings.HasSuffix(text, "/") {
		return "", fmt.Errorf("path %q: expected a text that begins with / and does not end with it; the home document has the empty path",
			text)
	}
	if i := strings.IndexAny(text, "'\"\\\x00\r\n\t?#"); i >= 0 {
		return "", fmt.Errorf("path %q: %q is not allowed", text, text[i])
	}
	for part := range strings.SplitSeq(text[1:], "/") {
		if part == "" || part == "." || part == ".." {
			return "", fmt.Errorf("path %q: a part is %q", text, part)
		}
	}
	return Path(text), nil
}

// Within says whether the path is the folder or lies below it.
func (p Path) Within(folder Path) bool {
	return p == folder || folder == "" || strings.HasPrefix(string(p), string(folder)+"/")
}

// Version is the set of head changes of a document, sorted by their texts.
type Version []cid.Cid

// MaxHeads is the most heads of a version.
const MaxHeads = 256

// NewVersion sorts the heads.
func NewVersion(heads ...cid.Cid) Version {
	v := Version(slices.Clone(heads))
	slices.SortFunc(v, func(a, b cid.Cid) int { return strings.Compare(a.String(), b.String()) })
	return slices.CompactFunc(v, cid.Cid.Equals)
}

// ParseVersion reads CIDs joined by "."; the empty text is the empty version.
func ParseVersion(text string) (Version, error) {
	if text == "" {
		return nil, nil
	}
	if strings.Count(text, ".") >= MaxHeads {
		return nil, fmt.Errorf("version: more than %d heads", MaxHeads)
	}
	var heads []cid.Cid
	for part := range strings.SplitSeq(text, ".") {
		c, err := cid.Decode(part)
		if err != nil {
			return nil, fmt.Errorf("version: %.80q is no CID: %w", part, err)
		}
		heads = append(heads, c)
	}
	return NewVersion(heads...), nil
}

func (v Version) String() string {
	texts := make([]string, len(v))
	for i, c := range v {
		texts[i] = c.String()
	}
	return strings.Join(texts, ".")
}

// Equal says whether two versions have the same heads.
func (v Version) Equal(w Version) bool { return slices.EqualFunc(v, w, cid.Cid.Equals) }

// IRI is the address of a document: hm://ACCOUNT/PATH?v=VERSION&l#BLOCK.
type IRI struct {
	Account Account
	Path    Path
	Version Version
	Latest  bool // l: the newest version, whatever Version says
	Block   string
}

// ParseIRI reads an address with the scheme hm.
func ParseIRI(text string) (IRI, error) {
	rest, ok := strings.CutPrefix(text, "hm://")
	if !ok {
		return IRI{}, fmt.Errorf("address %.200q: expected hm://ACCOUNT/PATH", text)
	}
	var i IRI
	rest, i.Block, _ = strings.Cut(rest, "#")
	rest, query, _ := strings.Cut(rest, "?")
	account, path := rest, ""
	if slash := strings.IndexByte(rest, '/'); slash >= 0 {
		account, path = rest[:slash], strings.TrimSuffix(rest[slash:], "/")
	}
	var err error
	if i.Account, err = ParseAccount(account); err != nil {
		return IRI{}, err
	}
	if i.Path, err = ParsePath(path); err != nil {
		return IRI{}, err
	}
	values, err := url.ParseQuery(query)
	if err != nil {
		return IRI{}, fmt.Errorf("address %.200q: %w", text, err)
	}
	i.Latest = values.Has("l")
	if i.Version, err = ParseVersion(values.Get("v")); err != nil {
		return IRI{}, err
	}
	return i, nil
}

func (i IRI) String() string {
	text := "hm://" + i.Account.String() + string(i.Path)
	if len(i.Version) > 0 {
		text += "?v=" + i.Version.String()
		if i.Latest {
			text += "&l"
		}
	} else if i.Latest {
		text += "?l"
	}
	if i.Block != "" {
		text += "#" + i.Block
	}
	return text
}
