package sectionfile

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"

	"mappe/artefacts/internal/column"
)

// Builder writes a file of any size: the sections go to a writer one after the other, and when all are there
// Front gives what stands before them. The same sections give the same bytes.
type Builder struct {
	family  Family
	head    []byte
	to      io.Writer
	names   []string
	lengths []uint64
	raw     []uint64
	sums    []uint64
	size    int64 // of the sections
}

// NewBuilder makes a file of a family with the family's own head; the stored sections are written to a place of
// their own.
func NewBuilder(family Family, head []byte, sections io.Writer) (*Builder, error) {
	if err := family.check(); err != nil {
		return nil, fmt.Errorf("parts: %w", err)
	}
	if len(head) > MaxHead {
		return nil, fmt.Errorf("parts: a head of %d bytes: at most %d are allowed", len(head), MaxHead)
	}
	return &Builder{family: family, head: head, to: sections}, nil
}

// Add appends a section; names rise.
func (b *Builder) Add(name string, body []byte) error {
	last := ""
	if n := len(b.names); n > 0 {
		last = b.names[n-1]
	}
	switch {
	case name == "" || len(name) > MaxName:
		return fmt.Errorf("parts: the name %.80q of a section: expected 1 to %d bytes", name, MaxName)
	case name <= last:
		return fmt.Errorf("parts: section %q does not stand behind %q", name, last)
	case len(body) > MaxSection:
		return fmt.Errorf("parts: section %q of %d bytes: at most %d are allowed", name, len(body), MaxSection)
	case len(b.names) == MaxSections:
		return fmt.Errorf("parts: section %q is one too many: at most %d are allowed", name, MaxSections)
	}
	stored, err := pack(body)
	if err != nil {
		return fmt.Errorf("parts: section %q: %w", name, err)
	}
	if _, err := b.to.Write(stored); err != nil {
		return fmt.Errorf("parts: section %q: %w", name, err)
	}
	b.names = append(b.names, name)
	b.lengths, b.raw = append(b.lengths, uint64(len(stored))), append(b.raw, uint64(len(body)))
	b.sums = append(b.sums, uint64(checksum(stored)))
	b.size += int64(len(stored))
	return nil
}

// Front is head and directory of a file of the sections that were added. The file is Front, then what was
// written.
func (b *Builder) Front() ([]byte, error) {
	s, err := column.Format{}.Section("directory", len(b.names), func(w *column.Writer) {
		w.Text(b.names)
		w.Ints(b.lengths)
		w.Ints(b.raw)
		w.Ints(b.sums)
		w.Count(len(b.head))
		w.Plain(b.head)
	})
	if err != nil {
		return nil, fmt.Errorf("parts: %w", err)
	}
	size := HeadBytes + int64(len(s.Body)) + b.size
	if len(s.Body) > MaxDirectory || size > MaxFile {
		return nil, fmt.Errorf("parts: file of %d bytes with a directory of %d: at most %d and %d are allowed", size, len(s.Body),
			int64(MaxFile), MaxDirectory)
	}
	out := make([]byte, HeadBytes, HeadBytes+len(s.Body))
	copy(out, magic[:])
	binary.LittleEndian.PutUint16(out[8:], version)
	binary.LittleEndian.PutUint16(out[10:], oldest)
	copy(out[12:], b.family[:])
	binary.LittleEndian.PutUint64(out[16:], uint64(size))
	for i, v := range []int{len(b.names), len(s.Body), s.Raw, int(checksum(s.Body)), 0} {
		binary.LittleEndian.PutUint32(out[24+4*i:], uint32(v))
	}
	binary.LittleEndian.PutUint32(out[HeadBytes-4:], checksum(out[:HeadBytes-4]))
	return append(out, s.Body...), nil
}

// Section is a section in memory.
type Section struct {
	Name string
	Body []byte
}

// Encode makes a file that fits in memory.
func Encode(family Family, head []byte, sections []Section) ([]byte, error) {
	return EncodeFilled(family, head, func(b *Builder) error {
		for _, s := range sections {
			if err := b.Add(s.Name, s.Body); err != nil {
				return err
			}
		}
		return nil
	})
}

// EncodeFilled makes a file that fits in memory, whose sections fill adds.
func EncodeFilled(family Family, head []byte, fill func(*Builder) error) ([]byte, error) {
	var stored bytes.Buffer
	b, err := NewBuilder(family, head, &stored)
	if err != nil {
		return nil, err
	}
	if err := fill(b); err != nil {
		return nil, err
	}
	front, err := b.Front()
	return append(front, stored.Bytes()...), err
}
