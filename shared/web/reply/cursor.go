package reply

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"

	"mappe/shared/web/canonical"
	"mappe/shared/web/fault"
)

// Cursor is a position in the pages of one query over one generation. Its text is opaque: base64url of
//
//	offset 0   1  version, 1
//	       1   8  first bytes of SHA-256(generation)
//	       9   8  first bytes of SHA-256(filters)
//	      17   4  first bytes of SHA-256(bytes 0..17 and the offset): a mistyped cursor is told apart
//	      21 1-9  row offset, unsigned varint
type Cursor struct {
	Generation string
	Filters    string // canonical filters, without paging and output form
	Offset     int
}

const (
	cursorVersion = 1
	cursorHead    = 21
)

// MaxOffset is the last row that a page may begin at.
const MaxOffset = 1 << 40

func (c Cursor) String() string {
	b := make([]byte, 0, cursorHead+9)
	b = append(b, cursorVersion)
	g, f := sha256.Sum256([]byte(c.Generation)), sha256.Sum256([]byte(c.Filters))
	b = append(append(b, g[:8]...), f[:8]...)
	offset := binary.AppendUvarint(nil, uint64(c.Offset))
	sum := sha256.Sum256(append(b[:17:17], offset...))
	b = append(append(b, sum[:4]...), offset...)
	return base64.RawURLEncoding.EncodeToString(b)
}

// ParseCursor reads the offset of a cursor that belongs to this generation and these filters; any
// other cursor is a fault, never page one.
func ParseCursor(text, generation, filters string) (int, error) {
	const again = "the cursor of a next link, unchanged, with the same filters"
	b, err := canonical.Base64(base64.RawURLEncoding, text)
	if err != nil || len(b) <= cursorHead || len(b) > cursorHead+9 || b[0] != cursorVersion {
		return 0, fault.Of(fault.BadCursor, "cursor", text, again)
	}
	offset, n := binary.Uvarint(b[cursorHead:])
	sum := sha256.Sum256(append(b[:17:17], b[cursorHead:]...))
	if n != len(b)-cursorHead || offset > MaxOffset || [4]byte(b[17:21]) != [4]byte(sum[:4]) {
		return 0, fault.Of(fault.BadCursor, "cursor", text, again)
	}
	g, f := sha256.Sum256([]byte(generation)), sha256.Sum256([]byte(filters))
	if [8]byte(b[9:17]) != [8]byte(f[:8]) {
		return 0, fault.Of(fault.BadCursor, "cursor", text, "a cursor of this query: the filters have changed since the cursor was given out")
	}
	if [8]byte(b[1:9]) != [8]byte(g[:8]) {
		return 0, fault.Of(fault.BadCursor, "cursor", text, "a cursor of the current data: the data was renewed since the cursor was given out, start again without one")
	}
	return int(offset), nil
}
