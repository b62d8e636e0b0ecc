package pmt

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
)

// Options are the facts of an archive that its tiles do not tell.
type Options struct {
	Type            TileType
	TileCompression Compression // of the tile contents as given to Add
	MinLon, MinLat  int32       // bounds, 1e-7 degrees
	MaxLon, MaxLat  int32
	CenterZoom      uint8
	Metadata        any // marshalled to a JSON object; use structs, whose order is fixed
}

// Builder makes an archive from tiles in rising order. The tile contents stream to a writer while they
// come; the head that belongs before them is known at the end:
//
//	archive = Head() + everything written to data
//
// Not safe for concurrent use. A failed Add leaves the builder failed.
type Builder struct {
	data    io.Writer
	o       Options
	entries []Entry
	seen    map[[16]byte]Section // contents by hash
	offset  uint64
	next    uint64 // smallest id that may follow
	tiles   uint64
	others  uint64 // distinct contents that are not among seen
	err     error
}

// NewBuilder starts an archive whose tile contents go to data.
func NewBuilder(data io.Writer, o Options) *Builder {
	return &Builder{data: data, o: o, seen: map[[16]byte]Section{}}
}

// Add appends the tile with the given id. Ids must rise; contents must not be empty (leave an empty tile out).
func (b *Builder) Add(id uint64, content []byte) error {
	if err := b.begin(id, uint64(len(content))); err != nil {
		return err
	}
	sum := sha256.Sum256(content)
	at, known := b.seen[[16]byte(sum[:16])]
	if !known {
		at = Section{b.offset, uint64(len(content))}
		b.seen[[16]byte(sum[:16])] = at
		b.offset += at.Length
		if _, err := b.data.Write(content); err != nil {
			return b.fail(fmt.Errorf("pmtiles: tile id %d: %w", id, err))
		}
	}
	b.enter(id, at)
	return nil
}

// AddApart is Add of a content that the caller puts behind those that were written, and knows to differ from all others. It gives
// its place.
func (b *Builder) AddApart(id, length uint64) (Section, error) {
	if err := b.begin(id, length); err != nil {
		return Section{}, err
	}
	at := Section{b.offset, length}
	b.offset += length
	b.others++
	b.enter(id, at)
	return at, nil
}

// AddEqual is Add of the content that stands at a place which AddApart gave.
func (b *Builder) AddEqual(id uint64, at Section) error {
	if err := b.begin(id, at.Length); err != nil {
		return err
	}
	b.enter(id, at)
	return nil
}

// begin checks a tile that is appended.
func (b *Builder) begin(id, length uint64) error {
	if b.err != nil {
		return b.err
	}
	if _, ok := Address(id); !ok || id < b.next {
		return b.fail(fmt.Errorf("pmtiles: tile id %d follows %d: ids must rise and stay at zoom %d or below", id, b.next, MaxZoom))
	}
	if length == 0 || length > 1<<32-1 {
		return b.fail(fmt.Errorf("pmtiles: tile id %d has %d bytes, expected 1 to 4294967295", id, length))
	}
	b.next, b.tiles = id+1, b.tiles+1
	return nil
}

// enter notes where the content of a tile is.
func (b *Builder) enter(id uint64, at Section) {
	if n := len(b.entries); n > 0 {
		if e := &b.entries[n-1]; e.Offset == at.Offset && e.ID+uint64(e.Run) == id {
			e.Run++
			return
		}
	}
	b.entries = append(b.entries, Entry{ID: id, Offset: at.Offset, Length: uint32(at.Length), Run: 1})
}

func (b *Builder) fail(err error) error {
	b.err = err
	return err
}

// Head gives header, root directory, metadata and leaf directories: the bytes before the tile contents.
func (b *Builder) Head() ([]byte, error) {
	if b.err != nil {
		return nil, b.err
	}
	if len(b.entries) == 0 {
		return nil, fmt.Errorf("pmtiles: an archive without tiles cannot be written")
	}
	meta, err := json.Marshal(b.o.Metadata)
	if err != nil || len(meta) == 0 || meta[0] != '{' || len(meta) > maxMetadata {
		return nil, fmt.Errorf("pmtiles: metadata must be a JSON object of at most %d bytes: %v", maxMetadata, err)
	}
	root, leaves := directories(b.entries)
	meta = pack(meta)
	first, _ := Address(b.entries[0].ID)
	last, _ := Address(b.next - 1)
	h := Header{
		Root:           Section{headerSize, uint64(len(root))},
		AddressedTiles: b.tiles, TileEntries: uint64(len(b.entries)), TileContents: uint64(len(b.seen)) + b.others,
		Clustered: true, InternalCompression: Gzip, TileCompression: b.o.TileCompression, Type: b.o.Type,
		MinZoom: first.Z, MaxZoom: last.Z,
		MinLon: b.o.MinLon, MinLat: b.o.MinLat, MaxLon: b.o.MaxLon, MaxLat: b.o.MaxLat,
		CenterZoom: b.o.CenterZoom,
		CenterLon:  int32((int64(b.o.MinLon) + int64(b.o.MaxLon)) / 2),
		CenterLat:  int32((int64(b.o.MinLat) + int64(b.o.MaxLat)) / 2),
	}
	h.Metadata = Section{h.Root.end(), uint64(len(meta))}
	h.Leaves = Section{h.Metadata.end(), uint64(len(leaves))}
	h.Tiles = Section{h.Leaves.end(), b.offset}
	out := h.Append(make([]byte, 0, h.Tiles.Offset))
	out = append(out, root...)
	out = append(out, meta...)
	return append(out, leaves...), nil
}

// directories packs the entries into a root that fits the head, with as few leaves as that needs.
func directories(entries []Entry) (root, leaves []byte) {
	if root = pack(appendDirectory(nil, entries)); len(root) <= maxHead-headerSize {
		return root, nil
	}
	for size := 4096; ; size *= 2 {
		leaves = nil
		var tops []Entry
		for at := 0; at < len(entries); at += size {
			leaf := pack(appendDirectory(nil, entries[at:min(at+size, len(entries))]))
			tops = append(tops, Entry{ID: entries[at].ID, Offset: uint64(len(leaves)), Length: uint32(len(leaf))})
			leaves = append(leaves, leaf...)
		}
		if root = pack(appendDirectory(nil, tops)); len(root) <= maxHead-headerSize {
			return root, leaves
		}
	}
}

// Tile is one tile of an archive held in memory.
type Tile struct {
	ID      uint64
	Content []byte
}

// Encode makes a whole archive in memory from tiles in rising order of id.
func Encode(o Options, tiles []Tile) ([]byte, error) {
	var data bytes.Buffer
	b := NewBuilder(&data, o)
	for _, t := range tiles {
		if err := b.Add(t.ID, t.Content); err != nil {
			return nil, err
		}
	}
	head, err := b.Head()
	if err != nil {
		return nil, err
	}
	return append(head, data.Bytes()...), nil
}
