package pmt

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"

	"github.com/klauspost/compress/gzip"
)

// Limits of one directory and of the metadata, unpacked. A directory of 21,844 entries, the largest that
// common writers make, unpacks to about 300 KB.
const (
	maxDirectory = 8 << 20
	maxMetadata  = 8 << 20
	minEntry     = 4 // bytes of the smallest entry, one per column
)

// Entry is one row of a directory: Run equal tiles from ID on, or, with Run 0, a leaf directory whose
// first tile is ID. Offset counts from the start of the tile data or of the leaf directories.
type Entry struct {
	ID     uint64
	Offset uint64
	Length uint32
	Run    uint32
}

// appendDirectory writes the columns of a directory, not compressed.
func appendDirectory(b []byte, entries []Entry) []byte {
	b = binary.AppendUvarint(b, uint64(len(entries)))
	last := uint64(0)
	for _, e := range entries {
		b = binary.AppendUvarint(b, e.ID-last)
		last = e.ID
	}
	for _, e := range entries {
		b = binary.AppendUvarint(b, uint64(e.Run))
	}
	for _, e := range entries {
		b = binary.AppendUvarint(b, uint64(e.Length))
	}
	for i, e := range entries {
		if i > 0 && e.Offset == entries[i-1].Offset+uint64(entries[i-1].Length) {
			b = append(b, 0)
		} else {
			b = binary.AppendUvarint(b, e.Offset+1)
		}
	}
	return b
}

// column reads varints one after another and keeps the first error.
type column struct {
	b   []byte
	err error
}

func (c *column) next(name string, limit uint64) uint64 {
	v, n := binary.Uvarint(c.b)
	if n <= 0 || v > limit {
		if c.err == nil {
			c.err = fmt.Errorf("pmtiles directory: %s is missing or above %d", name, limit)
		}
		return 0
	}
	c.b = c.b[n:]
	return v
}

// parseDirectory reads the columns. section is the length of what the entries point into; leaves says
// whether leaf directories (run length 0) are allowed, and how long their section is.
func parseDirectory(b []byte, tiles, leaves uint64) ([]Entry, error) {
	c := column{b: b}
	n := c.next("number of entries", maxDirectory/minEntry)
	if c.err == nil && n > uint64(len(c.b)/minEntry) {
		return nil, fmt.Errorf("pmtiles directory: %d entries do not fit in %d bytes", n, len(c.b))
	}
	entries := make([]Entry, n)
	top, id := zoomBase(MaxZoom+1), uint64(0)
	for i := range entries {
		d := c.next("tile id", top)
		if id += d; i > 0 && d == 0 || id >= top {
			return nil, fmt.Errorf("pmtiles directory: entry %d: tile ids must rise and stay below %d", i, top)
		}
		entries[i].ID = id
	}
	for i := range entries {
		entries[i].Run = uint32(c.next("run length", 1<<32-1))
		if end := entries[i].ID + uint64(entries[i].Run); end > top || i+1 < len(entries) && end > entries[i+1].ID {
			return nil, fmt.Errorf("pmtiles directory: entry %d: a run of %d tiles reaches the next entry", i, entries[i].Run)
		}
	}
	for i := range entries {
		entries[i].Length = uint32(c.next("length", 1<<32-1))
	}
	for i := range entries {
		e := &entries[i]
		if v := c.next("offset", 1<<63); v > 0 {
			e.Offset = v - 1
		} else if i > 0 {
			e.Offset = entries[i-1].Offset + uint64(entries[i-1].Length)
		} else if c.err == nil {
			return nil, fmt.Errorf("pmtiles directory: the first offset is missing")
		}
		size := tiles
		if e.Run == 0 {
			size = leaves
		}
		if c.err == nil && (e.Length == 0 || e.Offset > size || uint64(e.Length) > size-e.Offset) {
			return nil, fmt.Errorf("pmtiles directory: entry %d points at %d with %d bytes, outside its section of %d bytes", i, e.Offset,
				e.Length, size)
		}
	}
	if c.err == nil && len(c.b) > 0 {
		return nil, fmt.Errorf("pmtiles directory: %d bytes follow the last entry", len(c.b))
	}
	return entries, c.err
}

// pack is gzip at the best level: directories are small and read often.
func pack(b []byte) []byte {
	var out bytes.Buffer
	w, _ := gzip.NewWriterLevel(&out, gzip.BestCompression) // the level is valid
	w.Write(b)                                              // a bytes.Buffer does not fail
	w.Close()
	return out.Bytes()
}

// unpack undoes the internal compression, refusing to give more than limit bytes.
func unpack(b []byte, c Compression, limit int) ([]byte, error) {
	if c == None {
		if len(b) > limit {
			return nil, fmt.Errorf("%d bytes are above the limit of %d", len(b), limit)
		}
		return b, nil
	}
	r, err := gzip.NewReader(bytes.NewReader(b))
	if err != nil {
		return nil, err
	}
	out, err := io.ReadAll(io.LimitReader(r, int64(limit)+1))
	if err == nil && len(out) > limit {
		err = fmt.Errorf("unpacks to more than the limit of %d bytes", limit)
	}
	return out, err
}
