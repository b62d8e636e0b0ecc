package osm

import (
	"encoding/binary"
	"errors"
)

var errWire = errors.New("the bytes are no protocol buffer message")

// message reads the fields of a protocol buffer message. The first error ends it.
type message struct {
	rest  []byte
	err   error
	field int
	wire  int
	num   uint64 // of a varint field
	body  []byte // of a field with a length
}

// next goes to the next field; false at the end and after an error.
func (m *message) next() bool {
	if len(m.rest) == 0 || m.err != nil {
		return false
	}
	key := m.varint()
	m.field, m.wire = int(key>>3), int(key&7)
	switch m.wire {
	case 0:
		m.num = m.varint()
	case 1:
		m.take(8)
	case 2:
		n := m.varint()
		if n > uint64(len(m.rest)) {
			m.err = errWire
			return false
		}
		m.body = m.take(int(n))
	case 5:
		m.take(4)
	default:
		m.err = errWire
	}
	return m.err == nil
}

func (m *message) varint() uint64 {
	v, n := binary.Uvarint(m.rest)
	if n <= 0 {
		m.err, m.rest = errWire, nil
		return 0
	}
	m.rest = m.rest[n:]
	return v
}

func (m *message) take(n int) []byte {
	if n > len(m.rest) {
		m.err, m.rest = errWire, nil
		return nil
	}
	b := m.rest[:n:n]
	m.rest = m.rest[n:]
	return b
}

// is says whether the field has a number and a wire type: fields of another type are passed over, as parsers of the
// format do.
func (m *message) is(field, wire int) bool { return m.field == field && m.wire == wire }

// zigzag undoes the coding of signed numbers.
func zigzag(v uint64) int64 { return int64(v>>1) ^ -int64(v&1) }

// packed reads the numbers of a packed field.
type packed struct {
	rest []byte
	err  error
}

func (p *packed) more() bool { return len(p.rest) > 0 && p.err == nil }

func (p *packed) next() uint64 {
	v, n := binary.Uvarint(p.rest)
	if n <= 0 {
		p.err, p.rest = errWire, nil
		return 0
	}
	p.rest = p.rest[n:]
	return v
}

func (p *packed) signed() int64 { return zigzag(p.next()) }
