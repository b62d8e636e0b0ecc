package plain

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"

	"mappe/shared/book/reader/source"
)

// Decode gives the text of a file: by its byte order mark, as UTF-8 where it is that, else as Windows-1252.
// It is false for what is no text at all.
func Decode(b []byte) (string, bool) {
	switch {
	case bytes.HasPrefix(b, []byte("\xef\xbb\xbf")):
		b = b[3:]
	case bytes.HasPrefix(b, []byte("\xff\xfe")), bytes.HasPrefix(b, []byte("\xfe\xff")):
		d, err := unicode.UTF16(unicode.LittleEndian, unicode.ExpectBOM).NewDecoder().Bytes(b)
		if err != nil {
			return "", false
		}
		b = d
	}
	head := b[:min(len(b), 1<<16)]
	odd := 0
	for _, c := range head {
		if c < ' ' && c != '\n' && c != '\r' && c != '\t' && c != '\f' && c != 0x1a {
			odd++
		}
	}
	if bytes.IndexByte(head, 0) >= 0 || odd*100 > len(head) {
		return "", false
	}
	if utf8.Valid(b) {
		return string(b), true
	}
	if !source.OneByte(head) {
		return strings.ToValidUTF8(string(b), "�"), true
	}
	d, err := charmap.Windows1252.NewDecoder().Bytes(b)
	return string(d), err == nil
}
