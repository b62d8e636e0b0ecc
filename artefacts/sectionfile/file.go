package sectionfile

import (
	"fmt"
	"io"
)

// File is an artefact that is read in place.
type File struct {
	*Directory
	r io.ReaderAt
}

// Open reads head and directory of a file of size bytes.
func Open(r io.ReaderAt, size int64) (*File, error) {
	head, err := readAt(r, 0, min(size, HeadBytes))
	if err != nil {
		return nil, err
	}
	n, err := FrontLength(head)
	if err != nil {
		return nil, err
	}
	if n > size {
		return nil, fmt.Errorf("parts: head and directory of %d bytes in a file of %d", n, size)
	}
	front, err := readAt(r, 0, n)
	if err != nil {
		return nil, err
	}
	d, err := Parse(front)
	if err != nil {
		return nil, err
	}
	if d.Size() != size {
		return nil, fmt.Errorf("parts: file has %d bytes, its head says %d: cut off or run on", size, d.Size())
	}
	return &File{d, r}, nil
}

// Section reads one section and proves it.
func (f *File) Section(i int) ([]byte, error) {
	offset, length := f.Range(i)
	stored, err := readAt(f.r, offset, length)
	if err != nil {
		return nil, err
	}
	return f.Decode(i, stored)
}

func readAt(r io.ReaderAt, offset, length int64) ([]byte, error) {
	b := make([]byte, length)
	if n, err := r.ReadAt(b, offset); int64(n) < length {
		return nil, fmt.Errorf("parts: %d bytes from %d: %w", length, offset, err)
	}
	return b, nil
}
