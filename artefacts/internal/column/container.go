package column

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"slices"
)

// The limits every file keeps.
const (
	MaxFile   = 256 << 20 // bytes of a file
	MaxRows   = 1 << 20   // rows of a section
	maxString = 1 << 12   // bytes of a text

	maxRaw      = 256 << 20
	maxSections = 64
	// rawBase and rawPerByte bound what a section may decode to. Sections whose columns are more
	// uniform than that are padded with zero bytes.
	rawBase    = 1 << 20
	rawPerByte = 1 << 6
	// rowSlack: a section has at most that many rows more than the file has bytes.
	rowSlack = 64
)

// RawLimit is how many bytes the columns of a section that is stored in length bytes may decode to.
func RawLimit(length int) int { return min(maxRaw, rawBase+rawPerByte*length) }

// RowLimit is how many rows a section that is stored in length bytes may have.
func RowLimit(length int) int { return min(MaxRows, rowSlack+length) }

const (
	headBytes  = 24
	entryBytes = 24
)

// Format is one kind of file. Version is what this program writes and the newest it fully knows;
// Oldest is the oldest reader that understands what it writes. Sections are the known names, four
// bytes each, in file order; the last Later of them stand only in newer files, and a reader finds no rows
// and no body where they are missing.
type Format struct {
	Magic           [8]byte
	Version, Oldest uint16
	Sections        []string
	Later           int
	// Swift formats are compressed two to three times as fast and are up to three hundredths larger: for what is made of every
	// parcel, segment or tree of the country. The others keep their bytes.
	Swift bool
}

// Section is a body with what its columns decode to.
type Section struct {
	Name      string
	Body      []byte
	Raw, Rows int
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// Section runs put and closes what it wrote as a section of that many rows.
func (f Format) Section(name string, rows int, put func(*Writer)) (Section, error) {
	w := &Writer{swift: f.Swift}
	if rows > MaxRows {
		w.Fail("%d rows: at most %d are allowed", rows, MaxRows)
	} else {
		put(w)
	}
	if w.Err == nil && w.Raw > maxRaw {
		w.Fail("columns of %d bytes: at most %d are allowed", w.Raw, maxRaw)
	}
	if w.Err != nil {
		return Section{}, fmt.Errorf("section %q: %w", name, w.Err)
	}
	for w.Raw > rawBase+rawPerByte*len(w.Buf) || rows > rowSlack+len(w.Buf) || w.most > len(w.Buf) {
		w.Buf = append(w.Buf, 0)
	}
	return Section{name, w.Buf, w.Raw, rows}, nil
}

// Read decodes one section; every byte must be used but zero padding at the end.
func (s Section) Read(decode func(r *Reader, rows int)) error {
	r := &Reader{Rest: s.Body, Raw: s.Raw, size: len(s.Body)}
	defer r.close()
	decode(r, s.Rows)
	for _, c := range r.Rest {
		if c != 0 {
			r.Fail("bytes go on after the last column")
			break
		}
	}
	if r.Err == nil && r.Raw != 0 {
		r.Fail("columns decode to %d bytes less than the section declares", r.Raw)
	}
	if r.Err != nil {
		return fmt.Errorf("section %q: %w", s.Name, r.Err)
	}
	return nil
}

// Assemble puts the sections behind their table.
func (f Format) Assemble(secs []Section) ([]byte, error) {
	size := headBytes + entryBytes*len(secs)
	for _, s := range secs {
		size += len(s.Body)
	}
	if size > MaxFile {
		return nil, fmt.Errorf("file of %d bytes: at most %d are allowed", size, MaxFile)
	}
	out := make([]byte, headBytes, size)
	copy(out, f.Magic[:])
	binary.LittleEndian.PutUint16(out[8:], f.Version)
	binary.LittleEndian.PutUint16(out[10:], f.Oldest)
	binary.LittleEndian.PutUint16(out[12:], uint16(len(secs)))
	binary.LittleEndian.PutUint32(out[16:], uint32(size))
	at := headBytes + entryBytes*len(secs)
	for _, s := range secs {
		out = append(out, s.Name...)
		for _, v := range [5]int{at, len(s.Body), s.Raw, s.Rows, int(crc32.Checksum(s.Body, castagnoli))} {
			out = binary.LittleEndian.AppendUint32(out, uint32(v))
		}
		at += len(s.Body)
	}
	binary.LittleEndian.PutUint32(out[20:], tableSum(out))
	for _, s := range secs {
		out = append(out, s.Body...)
	}
	return out, nil
}

// tableSum is the checksum of head and table without the four bytes that hold it.
func tableSum(b []byte) uint32 {
	return crc32.Update(crc32.Checksum(b[:20], castagnoli), castagnoli, b[headBytes:])
}

// Disassemble checks head, table and every section's checksum and gives the known sections in the
// order of f.Sections. All of them must be there; unknown ones, of a later version, are passed over.
func (f Format) Disassemble(b []byte) ([]Section, error) {
	if len(b) < headBytes || [8]byte(b[:8]) != f.Magic {
		return nil, fmt.Errorf("not this kind of file: expected it to begin with %q", f.Magic[:])
	}
	if v, old := binary.LittleEndian.Uint16(b[8:]), binary.LittleEndian.Uint16(b[10:]); old > f.Version || old > v || old == 0 {
		return nil, fmt.Errorf("file version %d needs a reader of version %d, this one is %d", v, old, f.Version)
	}
	n := int(binary.LittleEndian.Uint16(b[12:]))
	end := headBytes + entryBytes*n
	if n > maxSections || binary.LittleEndian.Uint16(b[14:]) != 0 || len(b) < end {
		return nil, fmt.Errorf("section table of %d entries: at most %d are allowed, in a file of %d bytes", n, maxSections, len(b))
	}
	if size := binary.LittleEndian.Uint32(b[16:]); uint64(size) != uint64(len(b)) || len(b) > MaxFile {
		return nil, fmt.Errorf("file has %d bytes, its head says %d: cut off or run on", len(b), size)
	}
	if tableSum(b[:end]) != binary.LittleEndian.Uint32(b[20:]) {
		return nil, fmt.Errorf("checksum of the section table does not fit")
	}
	secs := make([]Section, 0, len(f.Sections))
	at := end
	for i := range n {
		e := b[headBytes+entryBytes*i:]
		name := string(e[:4])
		u := func(k int) int { return int(binary.LittleEndian.Uint32(e[4+4*k:])) }
		off, length, raw, rows := u(0), u(1), u(2), u(3)
		if off != at || length > len(b)-at {
			return nil, fmt.Errorf("section %q at %d with %d bytes does not follow the one before, which ends at %d", name, off, length, at)
		}
		if raw > RawLimit(length) || rows > RowLimit(length) {
			return nil, fmt.Errorf("section %q declares %d rows and %d bytes from %d stored ones: too many", name, rows, raw, length)
		}
		body := b[off : off+length : off+length]
		if crc32.Checksum(body, castagnoli) != uint32(u(4)) {
			return nil, fmt.Errorf("checksum of section %q does not fit", name)
		}
		at += length
		if !slices.Contains(f.Sections, name) {
			continue
		}
		if len(secs) == len(f.Sections) || f.Sections[len(secs)] != name {
			return nil, fmt.Errorf("section %q stands out of order", name)
		}
		secs = append(secs, Section{name, body, raw, rows})
	}
	if at != len(b) {
		return nil, fmt.Errorf("%d bytes follow the last section", len(b)-at)
	}
	if len(secs) < len(f.Sections)-f.Later {
		return nil, fmt.Errorf("section %q is missing", f.Sections[len(secs)])
	}
	for len(secs) < len(f.Sections) {
		secs = append(secs, Section{Name: f.Sections[len(secs)]})
	}
	return secs, nil
}
