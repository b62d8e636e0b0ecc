// Package blob reads, checks and signs what the network stores: maps in canonical DAG-CBOR, each signed by one account.
//
//	every blob  type text · signer 34 bytes · sig 64 bytes · ts milliseconds since 1970
//	Change      genesis link, deps [link], depth int (all three, or none in a genesis) · body {opCount, ops [op]}
//	Ref         space 34 bytes (when it is not the signer) · path · genesisBlob link · capability link · heads [link]
//	            · redirect {space, path, republish} · generation int · visibility "" or "Private"
//	Capability  delegate, audience 34 bytes · path · role WRITER or AGENT · label
//	Profile     alias 34 bytes, or name, avatar, description, account
//	Comment     id · capability · space · path · version [link] · threadRoot, replyParent link · body [block] · visibility
//	Contact     id · account · subject · name · subscribe {site, profile}
//
// The signature is over the map with 64 zero bytes as sig. A blob is named by a CID of its bytes: version 1, dag-cbor, BLAKE2b-256
// or SHA2-256. Fields that are not listed, and other types, are refused.
package blob

import (
	"bytes"
	"crypto/ed25519"
	"crypto/sha256"
	"errors"
	"fmt"

	"github.com/ipfs/go-cid"
	"github.com/multiformats/go-multihash"
	"golang.org/x/crypto/blake2b"

	"mappe/localdev/node/cbor"
	"mappe/localdev/node/ident"
)

const (
	// MaxSize is the most bytes of a blob.
	MaxSize = 2 << 20
	// MaxTime is above every time of a blob, in milliseconds.
	MaxTime = 1<<48 - 1
)

// Type is the kind of a blob.
type Type string

// The kinds that are known.
const (
	TypeChange     Type = "Change"
	TypeRef        Type = "Ref"
	TypeCapability Type = "Capability"
	TypeProfile    Type = "Profile"
	TypeComment    Type = "Comment"
	TypeContact    Type = "Contact"
)

// Blob is a signed map that has been read and checked. One of the pointers, that of its type, is set.
type Blob struct {
	Type   Type
	Signer ident.Account
	Time   int64 // milliseconds since 1970

	Change     *Change
	Ref        *Ref
	Capability *Capability
	Profile    *Profile
	Comment    *Comment
	Contact    *Contact
}

// ErrSignature is that of a blob whose signature is absent or not its signer's.
var ErrSignature = errors.New("the signature is not the signer's")

// Sum names bytes of DAG-CBOR by their BLAKE2b-256 hash.
func Sum(data []byte) cid.Cid {
	sum := blake2b.Sum256(data)
	return named(cid.DagCBOR, multihash.BLAKE2B_MIN+31, sum[:])
}

// SumRaw names plain bytes, as of a file, by their SHA2-256 hash.
func SumRaw(data []byte) cid.Cid {
	sum := sha256.Sum256(data)
	return named(cid.Raw, multihash.SHA2_256, sum[:])
}

// SumNode names the bytes of a DAG-PB node by their SHA2-256 hash.
func SumNode(data []byte) cid.Cid {
	sum := sha256.Sum256(data)
	return named(cid.DagProtobuf, multihash.SHA2_256, sum[:])
}

func named(codec, hash uint64, sum []byte) cid.Cid {
	mh, err := multihash.Encode(sum, hash)
	if err != nil { // both hashes are known to the library
		panic(err)
	}
	return cid.NewCidV1(codec, mh)
}

// CheckCID says why a CID names no blob of the network, or nil.
func CheckCID(c cid.Cid) error {
	if !c.Defined() {
		return errors.New("the CID is empty")
	}
	p := c.Prefix()
	switch {
	case p.Version != 1:
		return fmt.Errorf("%s: expected a CID of version 1", c)
	case p.Codec != cid.DagCBOR && p.Codec != cid.DagProtobuf && p.Codec != cid.Raw:
		return fmt.Errorf("%s: expected the codec dag-cbor, dag-pb or raw", c)
	case p.MhType != multihash.SHA2_256 && p.MhType != multihash.BLAKE2B_MIN+31 || p.MhLength != 32:
		return fmt.Errorf("%s: expected the hash blake2b-256 or sha2-256", c)
	}
	return nil
}

// Matches says why a CID does not name the bytes, or nil.
func Matches(c cid.Cid, data []byte) error {
	if err := CheckCID(c); err != nil {
		return err
	}
	var sum [32]byte
	if c.Prefix().MhType == multihash.SHA2_256 {
		sum = sha256.Sum256(data)
	} else {
		sum = blake2b.Sum256(data)
	}
	if !bytes.HasSuffix(c.Hash(), sum[:]) {
		return fmt.Errorf("%s does not name these %d bytes", c, len(data))
	}
	return nil
}

// Decode reads a blob and checks its form and its signature. Nothing is known of what it links to.
func Decode(data []byte) (*Blob, error) {
	if len(data) > MaxSize {
		return nil, fmt.Errorf("a blob has %d bytes: at most %d are allowed", len(data), MaxSize)
	}
	v, err := cbor.Unmarshal(data)
	if err != nil {
		return nil, fmt.Errorf("no canonical DAG-CBOR: %w", err)
	}
	m, ok := v.(map[string]any)
	if !ok {
		return nil, errors.New("a blob is a map")
	}
	sig, _ := m["sig"].([]byte)
	f := &fields{m: m}
	b := &Blob{Type: Type(f.text("type")), Signer: f.account("signer"), Time: f.number("ts", 0, MaxTime-1)}
	f.bytes("sig")
	if f.err == nil && len(sig) != ed25519.SignatureSize {
		f.err = fmt.Errorf("sig has %d bytes, expected %d: %w", len(sig), ed25519.SignatureSize, ErrSignature)
	}
	if f.need("type", "signer", "sig", "ts"); f.err == nil {
		b.read(f)
	}
	if err := f.end(); err != nil {
		return nil, fmt.Errorf("%s: %w", b.Type, err)
	}
	if !ed25519.Verify(b.Signer.Key(), unsigned(data, sig), sig) {
		return nil, fmt.Errorf("%s: %w", b.Type, ErrSignature)
	}
	return b, nil
}

// unsigned are the bytes that were signed: those of the blob, whose spelling is the only one, with zeros as the signature. A signature
// that stands in what it signs as well cannot be made.
func unsigned(data, sig []byte) []byte {
	field := append([]byte{0x63, 's', 'i', 'g', 0x58, ed25519.SignatureSize}, sig...)
	out := bytes.Clone(data)
	if at := bytes.Index(data, field); at >= 0 {
		clear(out[at+len(field)-len(sig) : at+len(field)])
	}
	return out
}

// read takes the fields of the type.
func (b *Blob) read(f *fields) {
	switch b.Type {
	case TypeChange:
		b.Change = readChange(f)
		b.Change.Signer, b.Change.Time = b.Signer, b.Time
	case TypeRef:
		b.Ref = readRef(f)
		b.Ref.Signer, b.Ref.Time = b.Signer, b.Time
		if b.Ref.Space == "" {
			b.Ref.Space = b.Signer
		}
	case TypeCapability:
		b.Capability = readCapability(f)
		b.Capability.Signer = b.Signer
	case TypeProfile:
		b.Profile = readProfile(f)
		if b.Profile.Account == "" {
			b.Profile.Account = b.Signer
		}
	case TypeComment:
		b.Comment = readComment(f)
		if b.Comment.Space == "" {
			b.Comment.Space = b.Signer
		}
	case TypeContact:
		b.Contact = readContact(f)
	default:
		f.err = fmt.Errorf("type %.40q is not known", string(b.Type))
	}
}

// Unsigned gives the map of a blob as one who signs it elsewhere gets it: signer and sig are null.
func Unsigned(m map[string]any) ([]byte, error) {
	m["signer"], m["sig"] = nil, nil
	return cbor.Marshal(m)
}

// Sign fills in signer and signature and gives the bytes. sign signs bytes with the key of the account.
func Sign(m map[string]any, signer ident.Account, sign func([]byte) ([]byte, error)) ([]byte, error) {
	m["signer"], m["sig"] = signer.Bytes(), make([]byte, ed25519.SignatureSize)
	unsigned, err := cbor.Marshal(m)
	if err != nil {
		return nil, err
	}
	if m["sig"], err = sign(unsigned); err != nil {
		return nil, err
	}
	data, err := cbor.Marshal(m)
	if err == nil && len(data) > MaxSize {
		err = fmt.Errorf("the blob has %d bytes: at most %d are allowed", len(data), MaxSize)
	}
	return data, err
}
