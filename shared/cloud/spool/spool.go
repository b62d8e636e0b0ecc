// Package spool keeps bytes whose number is not known before: in memory while they are few, else in a temporary file. It is for
// results that are written as a stream and then stored whole, or sent in parts. Its temporary files and folders are those of all
// programs: a process that is killed leaves none behind, or the next one removes them.
package spool

import (
	"fmt"
	"io"
)

// Memory is how many bytes a Spool holds that are not in its file, if its maker names no other number.
const Memory = 4 << 20

// Spool takes bytes by Write and gives them by ReadAt. It is not safe for concurrent writes; reads may be concurrent once nothing
// is written any more. Its file is gone after Close, or with the process.
type Spool struct {
	most int
	held []byte // all, while there is no file
	file *File  // nil: all are held
	size int64
}

// New makes one that holds at most so many bytes in memory; 0: Memory.
func New(most int) *Spool {
	if most == 0 {
		most = Memory
	}
	return &Spool{most: most}
}

// Write implements io.Writer. It fails where the disk is full.
func (s *Spool) Write(p []byte) (int, error) {
	if s.file == nil && len(s.held)+len(p) <= s.most {
		s.held = append(s.held, p...)
		s.size += int64(len(p))
		return len(p), nil
	}
	if s.file == nil {
		f, err := NewFile("")
		if err != nil {
			return 0, err
		}
		s.file = f
		if _, err := f.Write(s.held); err != nil {
			return 0, fmt.Errorf("spool: %w", err)
		}
		s.held = nil
	}
	n, err := s.file.Write(p)
	s.size += int64(n)
	if err != nil {
		return n, fmt.Errorf("spool: %w", err)
	}
	return n, nil
}

// ReadAt implements io.ReaderAt.
func (s *Spool) ReadAt(p []byte, offset int64) (int, error) {
	if s.file != nil {
		return s.file.ReadAt(p, offset)
	}
	if offset < 0 || offset > int64(len(s.held)) {
		return 0, io.EOF
	}
	n := copy(p, s.held[offset:])
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}

// Size is how many bytes were written.
func (s *Spool) Size() int64 { return s.size }

// Held is how many of them are in memory.
func (s *Spool) Held() int { return len(s.held) }

// Close forgets all.
func (s *Spool) Close() error {
	s.held, s.size = nil, 0
	if s.file == nil {
		return nil
	}
	f := s.file
	s.file = nil
	return f.Close()
}

// Body is what is stored or sent: bytes that can be read in parts.
type Body interface {
	io.ReaderAt
	Size() int64
}

// Joined are bodies one behind the other, as one.
type Joined []Body

// Size implements Body.
func (j Joined) Size() (n int64) {
	for _, b := range j {
		n += b.Size()
	}
	return n
}

// ReadAt implements io.ReaderAt.
func (j Joined) ReadAt(p []byte, offset int64) (n int, err error) {
	if offset < 0 {
		return 0, io.EOF
	}
	for _, b := range j {
		size := b.Size()
		if offset >= size {
			offset -= size
			continue
		}
		part := p[n:]
		if left := size - offset; int64(len(part)) > left {
			part = part[:left]
		}
		got, err := b.ReadAt(part, offset)
		n += got
		if got < len(part) {
			if err == nil || err == io.EOF {
				err = io.ErrUnexpectedEOF
			}
			return n, err
		}
		if offset = 0; n == len(p) {
			return n, nil
		}
	}
	return n, io.EOF
}
