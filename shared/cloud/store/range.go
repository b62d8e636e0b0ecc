package store

import "fmt"

// Resolve gives the part as offset and length within an object of the size, or ErrRange. A nil Range is
// the whole object.
func (r *Range) Resolve(size int64) (offset, length int64, err error) {
	if r == nil {
		return 0, size, nil
	}
	offset = r.Offset
	if offset < 0 {
		offset = max(0, size+offset)
	}
	if r.Length < 0 || offset >= size {
		return 0, 0, fmt.Errorf("%w: %d bytes from %d of an object of %d", ErrRange, r.Length, r.Offset, size)
	}
	length = size - offset
	if r.Length > 0 {
		length = min(length, r.Length)
	}
	return offset, length, nil
}
