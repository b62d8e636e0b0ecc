package ne

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"mappe/shared/austria"
	"mappe/shared/geo/hexgrid"
)

// Magic begins every container.
const Magic = "NECELLS1"

// Format is that of the containers that are written. Those of format 1 are read as well.
const Format = 2

// The limits every container keeps.
const (
	frontBytes  = len(Magic) + 4
	maxHeader   = 1 << 22
	maxChunks   = 1 << 16
	maxRecord   = 1 << 10
	maxSections = 16
)

// ErrContainer is what every error of a container wraps.
var ErrContainer = errors.New("damaged cell container")

// Header is what stands in front of a container, as JSON.
type Header struct {
	Format     int            `json:"format"`
	KG         austria.KGCode `json:"kg_code"`
	Generation string         `json:"generation"` // of these bytes: package comment
	Stichtag   string         `json:"stichtag"`
	Dict       string         `json:"dict,omitempty"` // id of the dictionary
	// Pending are neighbours without a snapshot: cells that touch them carry what is known.
	Pending  []austria.KGCode `json:"pending_kgs"`
	Sections []Section        `json:"sections"`

	start int64 // of the sections, in the file
}

// Section is the rows of one layer.
type Section struct {
	Layer       Layer   `json:"layer"`
	Encoding    string  `json:"encoding"` // zstd
	RecordBytes int     `json:"record_bytes"`
	Fields      []Field `json:"fields"`
	Rows        int     `json:"rows"`
	Offset      int64   `json:"offset"` // from the end of the header
	Length      int64   `json:"length"`
	SHA256      string  `json:"sha256"`
	Chunks      []Chunk `json:"chunks"`
	Origin      *Origin `json:"origin,omitempty"` // of observations
}

// Origin says what observations are, whose and under which licence.
type Origin struct {
	Layer      string `json:"layer"`
	Source     string `json:"source"` // whom to name
	License    string `json:"license"`
	LicenseURL string `json:"license_url"`
	Date       string `json:"date"`
}

// Chunk is the rows below one cell of resolution 9; in JSON [cell, rows, bytes, digest].
type Chunk struct {
	Cell   hexgrid.Cell
	Rows   int
	Bytes  int64  // of the frame
	Digest string // first 16 hex digits of the SHA-256 of the rows
}

// MarshalJSON writes the chunk as an array.
func (c Chunk) MarshalJSON() ([]byte, error) {
	return fmt.Appendf(nil, `["%s",%d,%d,"%s"]`, c.Cell, c.Rows, c.Bytes, c.Digest), nil
}

// UnmarshalJSON reads it.
func (c *Chunk) UnmarshalJSON(b []byte) error {
	a := []any{&c.Cell, &c.Rows, &c.Bytes, &c.Digest}
	if err := json.Unmarshal(b, &a); err != nil {
		return err
	}
	if len(a) != 4 {
		return fmt.Errorf("a chunk of %d members, expected [cell, rows, bytes, digest]", len(a))
	}
	return nil
}

// Digest is the short sum by which chunks are compared.
func Digest(rows []byte) string {
	h := sha256.Sum256(rows)
	return hex.EncodeToString(h[:8])
}

// Rows are the rows of a layer of a KG, by chunk.
type Rows struct {
	Layer       Layer
	RecordBytes int
	Fields      []Field
	Chunks      []ChunkRows // by rising cell
	Origin      *Origin     // of observations
}

// ChunkRows are the rows of a chunk.
type ChunkRows struct {
	Cell hexgrid.Cell
	Rows []byte
}

// Encode writes a container: head says what it is of, layers are its rows, pack compresses them.
func Encode(head Header, layers []Rows, pack *Packer) ([]byte, error) {
	head.Format, head.Sections, head.Dict = Format, nil, pack.id
	if head.Pending == nil {
		head.Pending = []austria.KGCode{}
	}
	var body []byte
	for _, l := range layers {
		s := Section{Layer: l.Layer, Encoding: "zstd", RecordBytes: l.RecordBytes, Fields: l.Fields, Offset: int64(len(body)),
			Chunks: []Chunk{}, Origin: l.Origin}
		sum := sha256.New()
		for _, c := range l.Chunks {
			at := len(body)
			body = pack.Append(body, c.Rows)
			sum.Write(c.Rows)
			s.Rows += len(c.Rows) / l.RecordBytes
			s.Chunks = append(s.Chunks, Chunk{c.Cell, len(c.Rows) / l.RecordBytes, int64(len(body) - at), Digest(c.Rows)})
		}
		s.Length = int64(len(body)) - s.Offset
		s.SHA256 = hex.EncodeToString(sum.Sum(nil))
		head.Sections = append(head.Sections, s)
	}
	front, err := head.front()
	return append(front, body...), err
}

// front is what stands before the sections. It sets the generation.
func (h *Header) front() ([]byte, error) {
	h.Generation = unsealed
	if h.Format == 1 {
		h.Generation = h.sumsGeneration()
	}
	text, err := json.Marshal(h)
	if err != nil {
		return nil, err
	}
	for (frontBytes+len(text))%8 != 0 {
		text = append(text, ' ')
	}
	if len(text) > maxHeader {
		return nil, fmt.Errorf("cells of KG %s: a header of %d bytes, at most %d", h.KG, len(text), maxHeader)
	}
	if h.Format > 1 {
		h.Generation = seal(text)
	}
	out := append([]byte(Magic), 0, 0, 0, 0)
	binary.LittleEndian.PutUint32(out[len(Magic):], uint32(len(text)))
	return append(out, text...), nil
}

// FrontLength is how many bytes of a container its front takes; b are its first 12 bytes at least.
func FrontLength(b []byte) (int, error) {
	if len(b) < frontBytes || string(b[:len(Magic)]) != Magic {
		return 0, fmt.Errorf("%w: it does not begin with %s", ErrContainer, Magic)
	}
	n := binary.LittleEndian.Uint32(b[len(Magic):])
	if n > maxHeader {
		return 0, fmt.Errorf("%w: a header of %d bytes, at most %d", ErrContainer, n, maxHeader)
	}
	return frontBytes + int(n), nil
}

// ParseFront reads the front of a container of size bytes, and holds what it says to that size.
func ParseFront(b []byte, size int64) (*Header, error) {
	n, err := FrontLength(b)
	if err != nil {
		return nil, err
	}
	if len(b) < n {
		return nil, fmt.Errorf("%w: %d bytes of a front of %d", ErrContainer, len(b), n)
	}
	h := &Header{start: int64(n)}
	d := json.NewDecoder(bytes.NewReader(b[frontBytes:n]))
	if err := d.Decode(h); err != nil {
		return nil, fmt.Errorf("%w: header: %w", ErrContainer, err)
	}
	if err := h.check(size); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrContainer, err)
	}
	want := h.sumsGeneration()
	if h.Format > 1 {
		want = seal(bytes.Clone(b[frontBytes:n]))
	}
	if want == "" || h.Generation != want {
		return nil, fmt.Errorf("%w: it is of the generation %s, its header says %.16q", ErrContainer, want, h.Generation)
	}
	return h, nil
}

// unsealed stands for the generation in a header while its generation is computed.
const unsealed = "0000000000000000"

// seal computes the generation of a header, padded, and writes it into it; "" where the header has no place for one.
func seal(text []byte) string {
	const name = `"generation":"`
	at := bytes.Index(text, []byte(name)) + len(name)
	if at < len(name) || at+len(unsealed) > len(text) {
		return ""
	}
	copy(text[at:], unsealed)
	generation := Digest(text)
	copy(text[at:], generation)
	return generation
}

// sumsGeneration is the generation of format 1: that of the rows alone.
func (h *Header) sumsGeneration() string {
	sums := sha256.New()
	for i := range h.Sections {
		fmt.Fprintln(sums, h.Sections[i].Layer, h.Sections[i].SHA256)
	}
	return hex.EncodeToString(sums.Sum(nil)[:8])
}

func (h *Header) check(size int64) error {
	if h.Format < 1 || h.Format > Format {
		return fmt.Errorf("format %d, this program reads 1 to %d", h.Format, Format)
	}
	if len(h.Sections) > maxSections {
		return fmt.Errorf("%d sections, at most %d", len(h.Sections), maxSections)
	}
	at := int64(0)
	for i := range h.Sections {
		s := &h.Sections[i]
		if err := s.check(at, size-h.start-at); err != nil {
			return fmt.Errorf("section %d: %w", i, err)
		}
		at += s.Length
	}
	if h.start+at != size {
		return fmt.Errorf("%d bytes behind the header, the file has %d", at, size-h.start)
	}
	return nil
}

// check holds a section to where it must begin and to the bytes that are left.
func (s *Section) check(at, left int64) error {
	if s.Offset != at || s.Length < 0 || s.Length > left {
		return fmt.Errorf("bytes %d and the %d behind it: expected %d and at most %d", s.Offset, s.Length, at, left)
	}
	if s.RecordBytes < 8 || s.RecordBytes > maxRecord || len(s.Chunks) > maxChunks {
		return fmt.Errorf("rows of %d bytes in %d chunks: expected 8 to %d, at most %d", s.RecordBytes, len(s.Chunks), maxRecord, maxChunks)
	}
	var rows int
	var length int64
	for i, c := range s.Chunks {
		if !c.Cell.IsValid() || c.Cell.Resolution() != ChunkRes || i > 0 && c.Cell <= s.Chunks[i-1].Cell {
			return fmt.Errorf("chunk %d: %s is no cell of resolution %d behind the one before", i, c.Cell, ChunkRes)
		}
		if c.Rows < 1 || c.Rows > ChunkCells || c.Bytes < 1 || c.Bytes > s.Length-length {
			return fmt.Errorf("chunk %s: %d rows in %d bytes", c.Cell, c.Rows, c.Bytes)
		}
		rows, length = rows+c.Rows, length+c.Bytes
	}
	if rows != s.Rows || length != s.Length {
		return fmt.Errorf("its chunks have %d rows in %d bytes, it says %d and %d", rows, length, s.Rows, s.Length)
	}
	return nil
}

// Section is the section of a layer; nil where the container has none.
func (h *Header) Section(l Layer) *Section {
	i := slices.IndexFunc(h.Sections, func(s Section) bool { return s.Layer == l })
	if i < 0 {
		return nil
	}
	return &h.Sections[i]
}

// Start is where the sections begin in the file.
func (h *Header) Start() int64 { return h.start }

// Find is the number of a chunk; false where the section has no rows below the cell.
func (s *Section) Find(chunk hexgrid.Cell) (int, bool) {
	return slices.BinarySearchFunc(s.Chunks, chunk, func(c Chunk, cell hexgrid.Cell) int {
		switch {
		case c.Cell < cell:
			return -1
		case c.Cell > cell:
			return 1
		}
		return 0
	})
}

// Range is where the frames of chunks from i up to j lie behind the header.
func (s *Section) Range(i, j int) (offset, length int64) {
	offset = s.Offset
	for _, c := range s.Chunks[:i] {
		offset += c.Bytes
	}
	for _, c := range s.Chunks[i:j] {
		length += c.Bytes
	}
	return offset, length
}

// Unpack gives the rows of a chunk from its frame, held to the digest.
func (s *Section) Unpack(i int, frame []byte, u *Unpacker) ([]byte, error) {
	c := s.Chunks[i]
	rows, err := u.Rows(frame, c.Rows*s.RecordBytes)
	if err != nil {
		return nil, fmt.Errorf("%w: chunk %s: %w", ErrContainer, c.Cell, err)
	}
	if got := Digest(rows); got != c.Digest {
		return nil, fmt.Errorf("%w: chunk %s: its rows have the digest %s, the header says %s", ErrContainer, c.Cell, got, c.Digest)
	}
	return rows, nil
}
