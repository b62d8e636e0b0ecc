package reply

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"

	"mappe/shared/strictenc"
	"mappe/shared/web/fault"
)

// Cursor is a position in the pages of one query over one generation. Its text is opaque: base64url of
//
//	offset 0   1  version, 3
//	       1   8  first bytes of SHA-256(filters)
//	       9   4  first bytes of SHA-256(bytes 0..9 and all from 13): a mistyped cursor is told apart
//	      13 1-9  row offset, unsigned varint
//	       .   1  length of the place
//	       .   .  the place, at most 64 bytes
//	       .   .  the generation, 1 to 64 bytes of text
type Cursor struct {
	Generation string
	Filters    string // canonical filters, without paging and output form
	Offset     int    // rows before the page
	// Place is where the page begins, in the words of the list, where rows before it may come and go; "": at the offset.
	Place string
}

const (
	cursorVersion = 3
	cursorHead    = 13
	maxGeneration = 64 // bytes of its name
	maxPlace      = 64 // bytes of a place
)

// MaxOffset is the last row that a page may begin at.
const MaxOffset = 1 << 40

func (c Cursor) String() string {
	b := make([]byte, cursorHead, cursorHead+10+len(c.Place)+len(c.Generation))
	b[0] = cursorVersion
	f := sha256.Sum256([]byte(c.Filters))
	copy(b[1:9], f[:])
	b = append(binary.AppendUvarint(b, uint64(c.Offset)), byte(len(c.Place)))
	b = append(append(b, c.Place...), c.Generation...)
	sum := cursorSum(b)
	copy(b[9:cursorHead], sum[:])
	return base64.RawURLEncoding.EncodeToString(b)
}

func cursorSum(b []byte) [4]byte {
	var space [192]byte
	sum := sha256.Sum256(append(append(space[:0], b[:9]...), b[cursorHead:]...))
	return [4]byte(sum[:4])
}

// ParseCursor reads a cursor that belongs to these filters; any other is a fault, never page one.
func ParseCursor(text, filters string) (Cursor, error) {
	const again = "the cursor of a next link, unchanged, with the same filters"
	b, err := strictenc.Base64(base64.RawURLEncoding, text)
	if err != nil || len(b) <= cursorHead || len(b) > cursorHead+10+maxPlace+maxGeneration || b[0] != cursorVersion {
		return Cursor{}, fault.Of(fault.BadCursor, "cursor", text, again)
	}
	offset, n := binary.Uvarint(b[cursorHead:])
	if n <= 0 || n >= len(b)-cursorHead || offset > MaxOffset || [4]byte(b[9:cursorHead]) != cursorSum(b) {
		return Cursor{}, fault.Of(fault.BadCursor, "cursor", text, again)
	}
	if f := sha256.Sum256([]byte(filters)); [8]byte(b[1:9]) != [8]byte(f[:8]) {
		return Cursor{}, fault.Of(fault.BadCursor, "cursor", text,
			"a cursor of this query: the filters have changed since the cursor was given out")
	}
	rest := b[cursorHead+n:]
	place := int(rest[0])
	if place > maxPlace || place+1 >= len(rest) || len(rest)-place-1 > maxGeneration {
		return Cursor{}, fault.Of(fault.BadCursor, "cursor", text, again)
	}
	c := Cursor{string(rest[1+place:]), filters, int(offset), string(rest[1 : 1+place])}
	if c.String() != text { // varints have several spellings
		return Cursor{}, fault.Of(fault.BadCursor, "cursor", text, again)
	}
	return c, nil
}

// CursorGone is the fault of a cursor whose generation is not kept any more.
func CursorGone(text string) error {
	return fault.Of(fault.BadCursor, "cursor", text,
		"a cursor of data that is still kept: it was renewed since the cursor was given out, start again without one")
}
