package kgfile

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"slices"
)

// The version this package writes, and the oldest reader version that understands its files.
const (
	version      = 1
	oldestReader = 1
)

var magic = [8]byte{'M', 'A', 'P', 'P', 'E', 'K', 'G', 'S'}

const (
	headBytes  = 24
	entryBytes = 24
)

// The limits of a file. The largest real KG has some 30,000 parcels.
const (
	maxFile     = 256 << 20
	maxRaw      = 256 << 20
	maxRows     = 1 << 20
	maxVertices = 1 << 25
	maxRing     = 1 << 24
	maxString   = 1 << 12
	maxSections = 64
	// rawBase and rawPerByte bound what a section may decode to; an encoder whose columns are more
	// uniform than that pads the section.
	rawBase    = 1 << 20
	rawPerByte = 1 << 10
)

// The sections in file order.
var sectionNames = []string{"head", "pgeo", "patt", "puse", "bldg", "foot", "luse", "symb", "labl", "foli", "outl"}

type section struct {
	name      string
	body      []byte
	raw, rows int
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// assemble puts the sections behind their table.
func assemble(secs []section) ([]byte, error) {
	size := headBytes + entryBytes*len(secs)
	for _, s := range secs {
		size += len(s.body)
	}
	if size > maxFile {
		return nil, fmt.Errorf("file of %d bytes: at most %d are allowed", size, maxFile)
	}
	out := make([]byte, headBytes, size)
	copy(out, magic[:])
	binary.LittleEndian.PutUint16(out[8:], version)
	binary.LittleEndian.PutUint16(out[10:], oldestReader)
	binary.LittleEndian.PutUint16(out[12:], uint16(len(secs)))
	binary.LittleEndian.PutUint32(out[16:], uint32(size))
	at := headBytes + entryBytes*len(secs)
	for _, s := range secs {
		out = append(out, s.name...)
		for _, v := range [5]int{at, len(s.body), s.raw, s.rows, int(crc32.Checksum(s.body, castagnoli))} {
			out = binary.LittleEndian.AppendUint32(out, uint32(v))
		}
		at += len(s.body)
	}
	binary.LittleEndian.PutUint32(out[20:], tableSum(out))
	for _, s := range secs {
		out = append(out, s.body...)
	}
	return out, nil
}

// tableSum is the checksum of head and table without the four bytes that hold it.
func tableSum(b []byte) uint32 {
	return crc32.Update(crc32.Checksum(b[:20], castagnoli), castagnoli, b[headBytes:])
}

// disassemble checks head, table and every section's checksum.
func disassemble(b []byte) ([]section, error) {
	if len(b) < headBytes || [8]byte(b[:8]) != magic {
		return nil, fmt.Errorf("not a .kgs file: expected it to begin with %q", magic)
	}
	if v, old := binary.LittleEndian.Uint16(b[8:]), binary.LittleEndian.Uint16(b[10:]); old > version || old > v || old == 0 {
		return nil, fmt.Errorf("file version %d needs a reader of version %d, this one is %d", v, old, version)
	}
	n := int(binary.LittleEndian.Uint16(b[12:]))
	end := headBytes + entryBytes*n
	if n > maxSections || binary.LittleEndian.Uint16(b[14:]) != 0 || len(b) < end {
		return nil, fmt.Errorf("section table of %d entries: at most %d are allowed, in a file of %d bytes", n, maxSections, len(b))
	}
	if size := binary.LittleEndian.Uint32(b[16:]); uint64(size) != uint64(len(b)) || len(b) > maxFile {
		return nil, fmt.Errorf("file has %d bytes, its head says %d: cut off or run on", len(b), size)
	}
	if tableSum(b[:end]) != binary.LittleEndian.Uint32(b[20:]) {
		return nil, fmt.Errorf("checksum of the section table does not fit")
	}
	secs := make([]section, 0, n)
	rank, at := -1, end
	for i := range n {
		e := b[headBytes+entryBytes*i:]
		name := string(e[:4])
		u := func(k int) int { return int(binary.LittleEndian.Uint32(e[4+4*k:])) }
		off, length, raw, rows := u(0), u(1), u(2), u(3)
		if k := slices.Index(sectionNames, name); k >= 0 {
			if k <= rank {
				return nil, fmt.Errorf("section %q stands out of order", name)
			}
			rank = k
		}
		if off != at || length > len(b)-at {
			return nil, fmt.Errorf("section %q at %d with %d bytes does not follow the one before at %d", name, off, length, at)
		}
		if raw > maxRaw || raw > rawBase+rawPerByte*length || rows > maxRows || rows > 64+len(b) {
			return nil, fmt.Errorf("section %q declares %d rows and %d bytes from %d stored ones: too many", name, rows, raw, length)
		}
		body := b[off : off+length : off+length]
		if crc32.Checksum(body, castagnoli) != uint32(u(4)) {
			return nil, fmt.Errorf("checksum of section %q does not fit", name)
		}
		secs = append(secs, section{name, body, raw, rows})
		at += length
	}
	if at != len(b) {
		return nil, fmt.Errorf("%d bytes follow the last section", len(b)-at)
	}
	return secs, nil
}
