package mvt

import (
	"encoding/binary"
	"fmt"
)

// wire walks the fields of one protobuf message.
type wire struct {
	b   []byte
	err string // first fault, "" while the bytes are good
}

func (w *wire) fail(format string, args ...any) {
	if w.err == "" {
		w.err = fmt.Sprintf(format, args...)
	}
	w.b = nil
}

// next reads a field header; false at the end or on a fault.
func (w *wire) next() (field int, typ uint8, ok bool) {
	if len(w.b) == 0 {
		return 0, 0, false
	}
	h := w.varint()
	if w.err != "" {
		return 0, 0, false
	}
	if h>>3 == 0 || h>>3 > 1<<29-1 {
		w.fail("field number %d: expected 1 to 536870911", h>>3)
		return 0, 0, false
	}
	return int(h >> 3), uint8(h & 7), true
}

func (w *wire) varint() uint64 {
	if len(w.b) > 0 && w.b[0] < 0x80 {
		v := w.b[0]
		w.b = w.b[1:]
		return uint64(v)
	}
	v, n := binary.Uvarint(w.b)
	if n <= 0 {
		w.fail("varint cut short or longer than 64 bits, %d bytes left", len(w.b))
		return 0
	}
	w.b = w.b[n:]
	return v
}

func (w *wire) fixed(n int) []byte {
	if len(w.b) < n {
		w.fail("number of %d bytes cut short, %d bytes left", n, len(w.b))
		return nil
	}
	v := w.b[:n]
	w.b = w.b[n:]
	return v
}

func (w *wire) bytes() []byte {
	n := w.varint()
	if n > uint64(len(w.b)) {
		w.fail("length %d: only %d bytes left", n, len(w.b))
		return nil
	}
	v := w.b[:n]
	w.b = w.b[n:]
	return v
}

// want checks the wire type of a known field.
func (w *wire) want(name string, got, want uint8) bool {
	if got != want {
		w.fail("%s has wire type %d: expected %d", name, got, want)
	}
	return got == want
}

// skip passes over an unknown field, which the format allows.
func (w *wire) skip(typ uint8) {
	switch typ {
	case 0:
		w.varint()
	case 1:
		w.fixed(8)
	case 2:
		w.bytes()
	case 5:
		w.fixed(4)
	default:
		w.fail("wire type %d: expected 0, 1, 2 or 5", typ)
	}
}
