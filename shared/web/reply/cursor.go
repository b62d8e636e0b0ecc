package reply

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"

	"mappe/shared/canonical"
	"mappe/shared/web/fault"
)

// Cursor is a position in the pages of one query over one generation. Its text is opaque: base64url of
//
//	offset 0   1  version, 2
//	       1   8  first bytes of SHA-256(filters)
//	       9   4  first bytes of SHA-256(bytes 0..9 and all from 13): a mistyped cursor is told apart
//	      13 1-9  row offset, unsigned varint
//	       .   .  the generation, 1 to 64 bytes of text
type Cursor struct {
	Generation string
	Filters    string // canonical filters, without paging and output form
	Offset     int
}

const (
	cursorVersion = 2
	cursorHead    = 13
	maxGeneration = 64 // bytes of its name
)

// MaxOffset is the last row that a page may begin at.
const MaxOffset = 1 << 40

func (c Cursor) String() string {
	b := make([]byte, cursorHead, cursorHead+9+len(c.Generation))
	b[0] = cursorVersion
	f := sha256.Sum256([]byte(c.Filters))
	copy(b[1:9], f[:])
	b = append(binary.AppendUvarint(b, uint64(c.Offset)), c.Generation...)
	sum := cursorSum(b)
	copy(b[9:cursorHead], sum[:])
	return base64.RawURLEncoding.EncodeToString(b)
}

func cursorSum(b []byte) [4]byte {
	var space [128]byte
	sum := sha256.Sum256(append(append(space[:0], b[:9]...), b[cursorHead:]...))
	return [4]byte(sum[:4])
}

// ParseCursor reads a cursor that belongs to these filters; any other is a fault, never page one.
func ParseCursor(text, filters string) (Cursor, error) {
	const again = "the cursor of a next link, unchanged, with the same filters"
	b, err := canonical.Base64(base64.RawURLEncoding, text)
	if err != nil || len(b) <= cursorHead || len(b) > cursorHead+9+maxGeneration || b[0] != cursorVersion {
		return Cursor{}, fault.Of(fault.BadCursor, "cursor", text, again)
	}
	offset, n := binary.Uvarint(b[cursorHead:])
	if n <= 0 || n >= len(b)-cursorHead || offset > MaxOffset || [4]byte(b[9:cursorHead]) != cursorSum(b) {
		return Cursor{}, fault.Of(fault.BadCursor, "cursor", text, again)
	}
	if f := sha256.Sum256([]byte(filters)); [8]byte(b[1:9]) != [8]byte(f[:8]) {
		return Cursor{}, fault.Of(fault.BadCursor, "cursor", text, "a cursor of this query: the filters have changed since the cursor was given out")
	}
	c := Cursor{string(b[cursorHead+n:]), filters, int(offset)}
	if c.String() != text { // varints have several spellings
		return Cursor{}, fault.Of(fault.BadCursor, "cursor", text, again)
	}
	return c, nil
}

// CursorGone is the fault of a cursor whose generation is not kept any more.
func CursorGone(text string) error {
	return fault.Of(fault.BadCursor, "cursor", text, "a cursor of data that is still kept: it was renewed since the cursor was given out, start again without one")
}
