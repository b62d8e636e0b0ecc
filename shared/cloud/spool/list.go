package spool

import (
	"bytes"
	"encoding/gob"
	"errors"
	"fmt"
	"io"
)

// List keeps values in a spool as encoding/gob writes them, and reads any of them by its number: of each it holds 8 bytes. What gob
// does not write, fields that are not exported, is lost. It is not safe for concurrent use.
type List[T any] struct {
	spool *Spool
	ends  []int64 // of the values, in the spool
	last  bytes.Buffer
	enc   *gob.Encoder
	types []byte // what a decoder has to read first: descriptions of the types, before a value that is nothing
	dec   *gob.Decoder
	from  bytes.Reader // what the decoder reads
	raw   []byte
}

// NewList makes one over a spool that is empty, which the caller closes.
func NewList[T any](s *Spool) (*List[T], error) {
	l := &List[T]{spool: s}
	l.enc = gob.NewEncoder(&l.last)
	var zero T
	if err := l.enc.Encode(&zero); err != nil {
		return nil, fmt.Errorf("spool: %w", err)
	}
	l.types = bytes.Clone(l.last.Bytes())
	return l, nil
}

// Len is how many values there are.
func (l *List[T]) Len() int { return len(l.ends) }

// Add puts a value at the end.
func (l *List[T]) Add(v *T) error {
	l.last.Reset()
	if err := l.enc.Encode(v); err != nil {
		return fmt.Errorf("spool: %w", err)
	}
	if _, err := l.spool.Write(l.last.Bytes()); err != nil {
		return err
	}
	l.ends = append(l.ends, l.spool.Size())
	return nil
}

// Get reads a value by its number, from 0.
func (l *List[T]) Get(i int) (v T, err error) {
	if l.dec == nil {
		l.from.Reset(l.types)
		dec := gob.NewDecoder(&l.from)
		var zero T
		if err := dec.Decode(&zero); err != nil {
			return v, fmt.Errorf("spool: %w", err)
		}
		l.dec = dec
	}
	start := int64(0)
	if i > 0 {
		start = l.ends[i-1]
	}
	n := int(l.ends[i] - start)
	if cap(l.raw) < n {
		l.raw = make([]byte, 2*n)
	}
	if got, err := l.spool.ReadAt(l.raw[:n], start); got < n {
		if err == nil || errors.Is(err, io.EOF) {
			err = io.ErrUnexpectedEOF
		}
		return v, fmt.Errorf("spool: value %d: %w", i, err)
	}
	l.from.Reset(l.raw[:n])
	if err := l.dec.Decode(&v); err != nil {
		l.dec = nil // where it stands nobody knows
		return v, fmt.Errorf("spool: value %d: %w", i, err)
	}
	return v, nil
}
