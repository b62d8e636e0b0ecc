package worklog

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"time"

	"mappe/shared/strictenc"
)

// Cursor is a place in one of the two orders: behind an entry. Its text is opaque: base64url of
//
//	offset 0   1  'b' for the order of completed_at, 'a' for the order of recording
//	       1   8  microseconds since 1970, or slot, big-endian
//	       9  16  the entry's UUID
//	      25   4  first bytes of SHA-256(bytes 0..25): a mistyped cursor is told apart
//
// "0" in place of a cursor of recording is the beginning.
type Cursor struct {
	order byte
	at    int64
	id    [16]byte
}

const (
	feedOrder = 'b'
	logOrder  = 'a'
)

// Beginning is the cursor before the first recorded entry.
var Beginning = Cursor{order: logOrder}

func (c Cursor) String() string {
	if c == Beginning {
		return "0"
	}
	b := binary.BigEndian.AppendUint64([]byte{c.order}, uint64(c.at))
	b = append(b, c.id[:]...)
	sum := sha256.Sum256(b)
	return base64.RawURLEncoding.EncodeToString(append(b, sum[:4]...))
}

// ParseBefore reads a cursor of the feed's order.
func ParseBefore(text string) (Cursor, error) {
	c, err := parseCursor(text, feedOrder)
	if err != nil {
		return c, errors.New("the value of before in an earlier answer, unchanged")
	}
	return c, nil
}

// ParseAfter reads a cursor of the order of recording.
func ParseAfter(text string) (Cursor, error) {
	if text == "0" {
		return Beginning, nil
	}
	c, err := parseCursor(text, logOrder)
	if err != nil {
		return c, errors.New("the value of after in an earlier answer, unchanged, or 0 for the beginning")
	}
	return c, nil
}

var errCursor = errors.New("no cursor")

func parseCursor(text string, order byte) (Cursor, error) {
	b, err := strictenc.Base64(base64.RawURLEncoding, text)
	if err != nil || len(b) != 29 || b[0] != order {
		return Cursor{}, errCursor
	}
	sum := sha256.Sum256(b[:25])
	c := Cursor{order, int64(binary.BigEndian.Uint64(b[1:9])), [16]byte(b[9:25])}
	if [4]byte(b[25:]) != [4]byte(sum[:4]) || c.at < 0 || c.at > maxMicros {
		return Cursor{}, errCursor
	}
	return c, nil
}

// maxMicros keeps the years at four digits.
var maxMicros = time.Date(9999, 12, 31, 0, 0, 0, 0, time.UTC).UnixMicro()

// sort is the place in work/feed.
func (c Cursor) sort() string {
	e := Entry{CompletedAt: time.UnixMicro(c.at), ID: uuidText(c.id)}
	return e.feedSort()
}

func cursorOf(order byte, at int64, id string) (Cursor, error) {
	b, err := uuidBytes(id)
	return Cursor{order, at, b}, err
}
