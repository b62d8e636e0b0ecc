package tiles

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
)

// ErrBroken says that something else stands in the place of a tile: a download failed and left nothing, or
// the page that a server shows in place of a tile. It is not the empty tile: what the tile would show is
// not known.
var ErrBroken = errors.New("no vector tile but a failed download")

// sniffed is how much of a tile is looked at.
const sniffed = 64

// Whole refuses a body without a byte, and one that is text. A vector tile begins with the tag of a layer
// (0x1a); markup and JSON begin with < and {, which begin no field a tile has.
func Whole(body []byte) error {
	if len(body) == 0 {
		return fmt.Errorf("%w: it has 0 bytes", ErrBroken)
	}
	head := body[:min(len(body), sniffed)]
	if bytes.HasPrefix(body, []byte{0x1f, 0x8b}) {
		z, err := gzip.NewReader(bytes.NewReader(body))
		if err != nil {
			return fmt.Errorf("%w: %w", ErrBroken, err)
		}
		head = make([]byte, sniffed)
		n, _ := io.ReadFull(z, head) // what is broken further on is told by who unzips all of it
		head = head[:n]
	}
	text := bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\xef\xbb\xbf")), " \t\r\n")
	if len(text) > 0 && (text[0] == '<' || text[0] == '{') {
		return fmt.Errorf("%w: it begins with %.20q", ErrBroken, text)
	}
	return nil
}
