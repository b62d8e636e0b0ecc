package ne

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"

	"github.com/klauspost/compress/zstd"
)

// DictBytes is the length of a dictionary at most.
const DictBytes = 16 << 10

// DictID is the name of a dictionary: the first 16 hex digits of its SHA-256. "" is no dictionary.
func DictID(dict []byte) string {
	if len(dict) == 0 {
		return ""
	}
	h := sha256.Sum256(dict)
	return hex.EncodeToString(h[:8])
}

// Packer makes frames. It is not safe for concurrent use.
type Packer struct {
	id    string
	enc   *zstd.Encoder
	known map[[sha256.Size]byte][]byte // frames by the sum of their rows
}

// NewPacker packs with a dictionary, or without one (nil).
func NewPacker(dict []byte) (*Packer, error) {
	opts := []zstd.EOption{zstd.WithEncoderLevel(zstd.SpeedBetterCompression), zstd.WithEncoderConcurrency(1), zstd.WithEncoderCRC(false),
		zstd.WithZeroFrames(true)}
	if len(dict) > 0 {
		opts = append(opts, zstd.WithEncoderDict(dict))
	}
	enc, err := zstd.NewWriter(nil, opts...)
	if err != nil {
		return nil, fmt.Errorf("cell dictionary: %w", err)
	}
	return &Packer{id: DictID(dict), enc: enc}, nil
}

// Know takes over the frame of rows that a packer with the same dictionary has made. The frame must not change afterwards.
func (p *Packer) Know(rows, frame []byte) {
	if p.known == nil {
		p.known = map[[sha256.Size]byte][]byte{}
	}
	p.known[sha256.Sum256(rows)] = frame
}

// Append appends the frame of rows.
func (p *Packer) Append(b, rows []byte) []byte {
	if len(p.known) > 0 {
		if frame, ok := p.known[sha256.Sum256(rows)]; ok {
			return append(b, frame...)
		}
	}
	return p.enc.EncodeAll(rows, b)
}

// Unpacker reads frames. It is safe for concurrent use.
type Unpacker struct{ dec *zstd.Decoder }

// NewUnpacker reads frames that were packed with a dictionary, or without one (nil).
func NewUnpacker(dict []byte) (*Unpacker, error) {
	opts := []zstd.DOption{zstd.WithDecoderConcurrency(0), zstd.WithDecoderMaxMemory(1 << 20)}
	if len(dict) > 0 {
		opts = append(opts, zstd.WithDecoderDicts(dict))
	}
	dec, err := zstd.NewReader(nil, opts...)
	if err != nil {
		return nil, fmt.Errorf("cell dictionary: %w", err)
	}
	return &Unpacker{dec}, nil
}

// Rows gives the content of one frame of so many bytes.
func (u *Unpacker) Rows(frame []byte, length int) ([]byte, error) {
	b, err := u.dec.DecodeAll(frame, make([]byte, 0, length))
	if err == nil && len(b) != length {
		err = fmt.Errorf("%d bytes, expected %d", len(b), length)
	}
	return b, err
}

const (
	// dictSamples is how many chunks a dictionary is made from at most.
	dictSamples = 512
	// dictTables is more than what stands before the history of a dictionary: 20 bytes of header and offsets, 129 of the weights of
	// 256 literals, and three tables of 32 to 53 codes of at most 10 bits.
	dictTables = 512
)

// BuildDict makes a dictionary of at most DictBytes from the rows of chunks; nil where they are too few to learn
// from. The same chunks in the same order give the same bytes.
func BuildDict(chunks [][]byte) ([]byte, error) {
	if len(chunks) < 8 {
		return nil, nil
	}
	step := max(1, len(chunks)/dictSamples)
	var samples [][]byte
	for i := 0; i < len(chunks); i += step {
		samples = append(samples, chunks[i])
	}
	sum := sha256.New()
	for _, s := range samples {
		sum.Write(s)
	}
	// The format keeps ids below 2^15 and above 2^31 for registered dictionaries.
	id := 1<<15 + binary.LittleEndian.Uint32(sum.Sum(nil))%(1<<31-1<<15)
	dict, err := zstd.BuildDict(zstd.BuildDictOptions{ID: id, Contents: samples, History: history(samples, DictBytes-dictTables),
		Offsets: [3]int{1, 4, 8}, Level: zstd.SpeedBestCompression})
	if err == nil && len(dict) > DictBytes {
		err = fmt.Errorf("%d bytes, at most %d", len(dict), DictBytes)
	}
	if err != nil {
		return nil, fmt.Errorf("cell dictionary: %w", err)
	}
	return dict, nil
}

// history is what frames may refer to: the beginnings of samples, in turn.
func history(samples [][]byte, room int) []byte {
	const each = 1 << 10
	out := make([]byte, 0, room)
	step := max(1, len(samples)*each/room)
	for i := 0; i < len(samples) && len(out) < room; i += step {
		s := samples[i]
		s = s[:min(len(s), each, room-len(out))]
		out = append(out, s...)
	}
	return out
}

// Close frees what the reader holds.
func (u *Unpacker) Close() { u.dec.Close() }
