package drawn

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"strings"
	"unicode/utf16"

	"golang.org/x/text/encoding/charmap"

	"mappe/shared/web/fault"
)

// The marks that texts of UTF-16 begin with.
var utf16Marks = []struct {
	mark  string
	order binary.ByteOrder
	keeps bool // the mark is no mark but the first letter: XML without one
}{{"\xff\xfe", binary.LittleEndian, false}, {"\xfe\xff", binary.BigEndian, false}, {"<\x00", binary.LittleEndian, true}, {"\x00<",
	binary.BigEndian, true}}

// decoded is a text as UTF-8, without its mark of byte order.
func decoded(b []byte) []byte {
	for _, m := range utf16Marks {
		if !bytes.HasPrefix(b, []byte(m.mark)) {
			continue
		}
		if !m.keeps {
			b = b[2:]
		}
		units := make([]uint16, len(b)/2)
		for i := range units {
			units[i] = m.order.Uint16(b[2*i:])
		}
		return []byte(string(utf16.Decode(units)))
	}
	return bytes.TrimPrefix(b, []byte("\ufeff"))
}

// charsets are the encodings of XML that are read beside UTF-8, by their names in lower case.
var charsets = map[string]*charmap.Charmap{
	"iso-8859-1": charmap.Windows1252, "iso8859-1": charmap.Windows1252, "latin1": charmap.Windows1252, "latin-1": charmap.Windows1252,
	"windows-1252": charmap.Windows1252, "cp1252": charmap.Windows1252, "us-ascii": charmap.Windows1252, "ascii": charmap.Windows1252,
	"iso-8859-2": charmap.ISO8859_2, "windows-1250": charmap.Windows1250, "iso-8859-15": charmap.ISO8859_15,
}

// charset reads a text in the encoding that its declaration names. UTF-16 was decoded before.
func charset(name string, r io.Reader) (io.Reader, error) {
	name = strings.ToLower(strings.TrimSpace(name))
	if strings.HasPrefix(name, "utf-16") || strings.HasPrefix(name, "utf16") || name == "utf-8" || name == "utf8" {
		return r, nil
	}
	if page, ok := charsets[name]; ok {
		return page.NewDecoder().Reader(r), nil
	}
	return nil, fault.New(fault.BadBody,
		"the XML is written in %.40q: expected UTF-8, UTF-16, ISO-8859-1, -2 or -15, Windows-1250 or -1252", name)
}

// placeOf says where a byte of a text stands.
func placeOf(b []byte, at int64) string {
	before := b[:min(max(at, 0), int64(len(b)))]
	line := 1 + bytes.Count(before, []byte("\n"))
	return fmt.Sprintf("line %d, column %d", line, len(before)-bytes.LastIndexByte(before, '\n'))
}
