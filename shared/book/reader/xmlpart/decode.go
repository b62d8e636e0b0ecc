package xmlpart

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"
)

// Decode gives a part as UTF-8: by its byte order mark, by how its first tag begins, or by the encoding it
// declares (UTF-8, ISO-8859-1, Windows-1252). Bytes that are no UTF-8 become U+FFFD.
func Decode(b []byte) string {
	wide := unicode.BigEndian
	switch {
	case bytes.HasPrefix(b, []byte("\xef\xbb\xbf")):
		return valid(b[3:])
	case bytes.HasPrefix(b, []byte("\xff\xfe")), bytes.HasPrefix(b, []byte("<\x00")):
		wide = unicode.LittleEndian
	case bytes.HasPrefix(b, []byte("\xfe\xff")), bytes.HasPrefix(b, []byte("\x00<")):
	default:
		head := strings.ToLower(string(b[:min(len(b), 128)]))
		if end := strings.Index(head, "?>"); strings.HasPrefix(head, "<?xml") && end > 0 &&
			(strings.Contains(head[:end], "iso-8859-1") || strings.Contains(head[:end], "windows-1252")) {
			if d, err := charmap.Windows1252.NewDecoder().Bytes(b); err == nil {
				return string(d)
			}
		}
		return valid(b)
	}
	d, err := unicode.UTF16(wide, unicode.UseBOM).NewDecoder().Bytes(b)
	if err != nil {
		return valid(b)
	}
	return string(d)
}

func valid(b []byte) string {
	if utf8.Valid(b) {
		return string(b)
	}
	return strings.ToValidUTF8(string(b), "�")
}
