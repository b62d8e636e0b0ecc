package pmt

import (
	"encoding/binary"
	"fmt"
)

// headerSize is the length of the header in bytes.
const headerSize = 127

// maxHead is the number of bytes that hold the header and the root directory.
const maxHead = 16384

const magic = "PMTiles"

// Compression says how directories, metadata or tiles are packed.
type Compression uint8

// The compressions of the format. This package reads and writes Gzip and None for its own structures
// and passes tile contents through as they are.
const (
	CompressionUnknown Compression = iota
	None
	Gzip
	Brotli
	Zstd
)

// TileType says what the tiles are.
type TileType uint8

// The tile types of the format.
const (
	TypeUnknown TileType = iota
	MVT
	PNG
	JPEG
	WebP
	AVIF
)

// Section is a byte range of the archive.
type Section struct{ Offset, Length uint64 }

func (s Section) end() uint64 { return s.Offset + s.Length }

// Header is the fixed first part of an archive.
//
//	offset  bytes  field
//	0       7      "PMTiles"
//	7       1      version, 3
//	8       16     root directory: offset, length (u64 each)
//	24      16     metadata
//	40      16     leaf directories
//	56      16     tile data
//	72      8      addressed tiles, run lengths counted out
//	80      8      tile entries
//	88      8      distinct tile contents
//	96      1      clustered, 1 when contents lie in tile id order
//	97      1      internal compression (directories and metadata)
//	98      1      tile compression
//	99      1      tile type
//	100     1      lowest zoom
//	101     1      highest zoom
//	102     16     bounds: min lon, min lat, max lon, max lat (i32, 1e-7 degrees)
//	118     1      zoom of the centre
//	119     8      centre: lon, lat (i32, 1e-7 degrees)
type Header struct {
	Root, Metadata, Leaves, Tiles Section

	AddressedTiles, TileEntries, TileContents uint64

	Clustered                            bool
	InternalCompression, TileCompression Compression
	Type                                 TileType
	MinZoom, MaxZoom                     uint8
	MinLon, MinLat, MaxLon, MaxLat       int32
	CenterZoom                           uint8
	CenterLon, CenterLat                 int32
}

// Append writes the 127 bytes.
func (h Header) Append(b []byte) []byte {
	le := binary.LittleEndian
	b = append(b, magic...)
	b = append(b, 3)
	for _, s := range [...]Section{h.Root, h.Metadata, h.Leaves, h.Tiles} {
		b = le.AppendUint64(b, s.Offset)
		b = le.AppendUint64(b, s.Length)
	}
	b = le.AppendUint64(b, h.AddressedTiles)
	b = le.AppendUint64(b, h.TileEntries)
	b = le.AppendUint64(b, h.TileContents)
	clustered := byte(0)
	if h.Clustered {
		clustered = 1
	}
	b = append(b, clustered, byte(h.InternalCompression), byte(h.TileCompression), byte(h.Type), h.MinZoom, h.MaxZoom)
	for _, v := range [...]int32{h.MinLon, h.MinLat, h.MaxLon, h.MaxLat} {
		b = le.AppendUint32(b, uint32(v))
	}
	b = append(b, h.CenterZoom)
	b = le.AppendUint32(b, uint32(h.CenterLon))
	return le.AppendUint32(b, uint32(h.CenterLat))
}

// parseHeader reads the header and checks what can be checked without the rest of the archive.
func parseHeader(b []byte) (Header, error) {
	if len(b) < headerSize {
		return Header{}, fmt.Errorf("pmtiles header: %d bytes given, %d needed", len(b), headerSize)
	}
	if string(b[:7]) != magic {
		return Header{}, fmt.Errorf("pmtiles header: magic is %q, expected %q", b[:7], magic)
	}
	if b[7] != 3 {
		return Header{}, fmt.Errorf("pmtiles header: version is %d, only 3 is read", b[7])
	}
	le := binary.LittleEndian
	section := func(at int) Section { return Section{le.Uint64(b[at:]), le.Uint64(b[at+8:])} }
	e7 := func(at int) int32 { return int32(le.Uint32(b[at:])) }
	h := Header{
		Root: section(8), Metadata: section(24), Leaves: section(40), Tiles: section(56),
		AddressedTiles: le.Uint64(b[72:]), TileEntries: le.Uint64(b[80:]), TileContents: le.Uint64(b[88:]),
		Clustered:           b[96] == 1,
		InternalCompression: Compression(b[97]), TileCompression: Compression(b[98]), Type: TileType(b[99]),
		MinZoom: b[100], MaxZoom: b[101],
		MinLon: e7(102), MinLat: e7(106), MaxLon: e7(110), MaxLat: e7(114),
		CenterZoom: b[118], CenterLon: e7(119), CenterLat: e7(123),
	}
	return h, h.check(b[96])
}

func (h Header) check(clustered byte) error {
	switch {
	case clustered > 1:
		return fmt.Errorf("pmtiles header: clustered is %d, expected 0 or 1", clustered)
	case h.InternalCompression != None && h.InternalCompression != Gzip:
		return fmt.Errorf("pmtiles header: internal compression is %d, only none (1) and gzip (2) are read", h.InternalCompression)
	case h.TileCompression > Zstd:
		return fmt.Errorf("pmtiles header: tile compression is %d, expected 0 to 4", h.TileCompression)
	case h.MinZoom > h.MaxZoom || h.MaxZoom > MaxZoom:
		return fmt.Errorf("pmtiles header: zooms are %d to %d, expected rising and at most %d", h.MinZoom, h.MaxZoom, MaxZoom)
	case h.Root.Offset < headerSize || h.Root.Length == 0 || h.Root.Length > maxHead || h.Root.end() > maxHead:
		return fmt.Errorf("pmtiles header: root directory at %d with %d bytes does not end within the first %d bytes", h.Root.Offset,
			h.Root.Length, maxHead)
	}
	return nil
}

// checkSize says whether every section lies inside an archive of that many bytes.
func (h Header) checkSize(size uint64) error {
	for _, s := range [...]struct {
		name string
		at   Section
	}{{"root directory", h.Root}, {"metadata", h.Metadata}, {"leaf directories", h.Leaves}, {"tile data", h.Tiles}} {
		if s.at.Offset > size || s.at.Length > size-s.at.Offset {
			return fmt.Errorf("pmtiles header: %s at %d with %d bytes lies outside the archive of %d bytes", s.name, s.at.Offset,
				s.at.Length, size)
		}
	}
	return nil
}
