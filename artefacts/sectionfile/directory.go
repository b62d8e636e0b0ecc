package sectionfile

import (
	"encoding/binary"
	"fmt"
	"slices"

	"mappe/artefacts/internal/column"
)

// Directory says where the sections of a file are. It is never changed, and safe for concurrent use.
type Directory struct {
	family Family
	head   []byte
	names  []string
	ends   []int64 // of the sections, from the start of the file
	raw    []uint32
	sums   []uint32
	first  int64 // where the first section begins
}

// Family is the family of the artefact.
func (d *Directory) Family() Family { return d.family }

// Head is the family's own head. It is not to be changed.
func (d *Directory) Head() []byte { return d.head }

// Len is the number of sections.
func (d *Directory) Len() int { return len(d.names) }

// Name is the name of a section.
func (d *Directory) Name(i int) string { return d.names[i] }

// Find gives the section of a name.
func (d *Directory) Find(name string) (i int, ok bool) { return slices.BinarySearch(d.names, name) }

// Range is where a section is stored: offset and length in the file.
func (d *Directory) Range(i int) (offset, length int64) {
	offset = d.first
	if i > 0 {
		offset = d.ends[i-1]
	}
	return offset, d.ends[i] - offset
}

// Checksum is the CRC-32C of the stored bytes of a section.
func (d *Directory) Checksum(i int) uint32 { return d.sums[i] }

// Raw is how many bytes a section decodes to.
func (d *Directory) Raw(i int) int { return int(d.raw[i]) }

// Size is the length of the file.
func (d *Directory) Size() int64 {
	if len(d.ends) == 0 {
		return d.first
	}
	return d.ends[len(d.ends)-1]
}

// Memory is what the directory takes in memory, in bytes, about.
func (d *Directory) Memory() int64 {
	bytes := int64(len(d.head)) + 256
	for _, name := range d.names {
		bytes += int64(len(name))
	}
	return bytes + int64(len(d.names))*(16+8+4+4) // the head of a string, end, length, checksum
}

// Decode proves the stored bytes of a section and decodes them. The result may share their memory.
func (d *Directory) Decode(i int, stored []byte) ([]byte, error) {
	if _, length := d.Range(i); int64(len(stored)) != length {
		return nil, fmt.Errorf("parts: section %q: %d bytes, expected %d", d.names[i], len(stored), length)
	}
	if checksum(stored) != d.sums[i] {
		return nil, fmt.Errorf("parts: section %q: its checksum does not fit", d.names[i])
	}
	body, err := unpack(stored, int(d.raw[i]))
	if err != nil {
		return nil, fmt.Errorf("parts: section %q: %w", d.names[i], err)
	}
	return body, nil
}

// FrontLength is how many bytes of a file head and directory take, as its first HeadBytes bytes say.
func FrontLength(b []byte) (int64, error) {
	h, err := parseHead(b)
	return HeadBytes + int64(h.directory), err
}

// fileHead is what stands before the directory.
type fileHead struct {
	family                   Family
	size                     int64
	sections, directory, raw int
	sum                      uint32
}

func parseHead(b []byte) (h fileHead, err error) {
	if len(b) < HeadBytes || [8]byte(b[:8]) != magic {
		return h, fmt.Errorf("parts: not such a file: expected it to begin with %q", magic[:])
	}
	u16 := func(at int) uint16 { return binary.LittleEndian.Uint16(b[at:]) }
	u32 := func(at int) uint32 { return binary.LittleEndian.Uint32(b[at:]) }
	if v, old := u16(8), u16(10); old > version || old > v || old == 0 {
		return h, fmt.Errorf("parts: file version %d needs a reader of version %d, this one is %d", v, old, version)
	}
	if checksum(b[:HeadBytes-4]) != u32(HeadBytes-4) {
		return h, fmt.Errorf("parts: the checksum of the head does not fit")
	}
	size := binary.LittleEndian.Uint64(b[16:])
	if size > MaxFile || u32(24) > MaxSections || u32(28) > MaxDirectory || uint64(u32(28))+HeadBytes > size || u32(40) != 0 {
		return h, fmt.Errorf("parts: file of %d bytes with %d sections and a directory of %d bytes: more than is allowed", size, u32(24),
			u32(28))
	}
	h = fileHead{Family(b[12:16]), int64(size), int(u32(24)), int(u32(28)), int(u32(32)), u32(36)}
	return h, h.family.check()
}

// Parse reads the front of a file: at least its head and its directory.
func Parse(b []byte) (*Directory, error) {
	h, err := parseHead(b)
	if err != nil {
		return nil, err
	}
	if len(b) < HeadBytes+h.directory {
		return nil, fmt.Errorf("parts: %d bytes of a front of %d", len(b), HeadBytes+h.directory)
	}
	body := b[HeadBytes : HeadBytes+h.directory]
	if checksum(body) != h.sum {
		return nil, fmt.Errorf("parts: the checksum of the directory does not fit")
	}
	if h.raw > column.RawLimit(h.directory) || h.sections > column.RowLimit(h.directory) {
		return nil, fmt.Errorf("parts: a directory of %d bytes for %d sections and %d decoded bytes: too many", h.directory, h.sections,
			h.raw)
	}
	d := &Directory{family: h.family, first: int64(HeadBytes + h.directory)}
	if err := (column.Section{Name: "directory", Body: body, Raw: h.raw, Rows: h.sections}).Read(d.read); err != nil {
		return nil, fmt.Errorf("parts: %w", err)
	}
	if d.Size() != h.size {
		return nil, fmt.Errorf("parts: the sections end at %d, the file at %d", d.Size(), h.size)
	}
	return d, nil
}

// read takes the columns of the directory apart.
func (d *Directory) read(r *column.Reader, rows int) {
	d.names = r.Text(rows)
	lengths := column.Ints[uint32](r, rows)
	d.raw = column.Ints[uint32](r, rows)
	d.sums = column.Ints[uint32](r, rows)
	d.head = slices.Clone(r.Plain(r.Count(MaxHead)))
	if r.Err != nil {
		return
	}
	d.ends = make([]int64, rows)
	at := d.first
	for i, n := range lengths {
		if name := d.names[i]; name == "" || len(name) > MaxName || i > 0 && d.names[i-1] >= name {
			r.Fail("section %d has the name %.80q: expected rising names of 1 to %d bytes", i, name, MaxName)
			return
		}
		if d.raw[i] > MaxSection || n > d.raw[i] || shortBy(int(d.raw[i]), int(n)) > 0 {
			r.Fail("section %q: %d bytes that decode to %d: more than is allowed", d.names[i], n, d.raw[i])
			return
		}
		at += int64(n)
		d.ends[i] = at
	}
}
