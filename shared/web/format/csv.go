package format

import (
	"strconv"
	"strings"
)

// byteOrderMark tells spreadsheets that the file is UTF-8.
const byteOrderMark = "\xef\xbb\xbf"

// WriteCSV writes RFC 4180 with a byte-order mark, CRLF and a header. The columns are the union over
// the row types; rows with geometry end in a column geometry (WKT). A text that a spreadsheet would take
// for a formula is prefixed with an apostrophe. A row that is one empty cell is written as "": readers pass
// over empty lines.
func WriteCSV(b *Buffer, l *Layout, rows Seq) error {
	geometry := false
	for _, p := range l.parts {
		geometry = geometry || p.geometry
	}
	b.b = append(b.b, byteOrderMark...)
	for i, n := range l.Names() {
		if i > 0 {
			b.b = append(b.b, ',')
		}
		b.b = appendCell(b.b, n)
	}
	if geometry {
		if len(l.names) > 0 {
			b.b = append(b.b, ',')
		}
		b.b = append(b.b, "geometry"...)
	}
	b.b = append(b.b, '\r', '\n')
	for r, err := range rows {
		if err == nil {
			err = b.err
		}
		if err != nil {
			return err
		}
		p := l.part(r.RowType())
		start := len(b.b)
		for i, c := range p.slots {
			if i > 0 {
				b.b = append(b.b, ',')
			}
			if c >= 0 {
				b.b = appendCSVValue(b.b, r.Value(c))
			}
		}
		if geometry {
			if len(l.names) > 0 {
				b.b = append(b.b, ',')
			}
			if g := r.Geometry(); p.geometry && g.Shape != ShapeNone {
				b.b = append(b.b, '"')
				b.b = AppendWKT(b.b, g, l.Projection)
				b.b = append(b.b, '"')
			}
		}
		if len(b.b) == start {
			b.b = append(b.b, '"', '"')
		}
		b.b = append(b.b, '\r', '\n')
		b.spill()
	}
	return b.err
}

func appendCSVValue(b []byte, v Value) []byte {
	switch v.kind {
	case vNull, vOmit:
		return b
	case vString, vJSON:
		return appendCell(b, v.str)
	}
	return appendValue(b, v)
}

// appendCell writes a text cell, quoted where it must be.
func appendCell(b []byte, s string) []byte {
	formula := s != "" && strings.IndexByte("=+-@\t\r", s[0]) >= 0 && !isNumber(s)
	if !formula && !strings.ContainsAny(s, "\",\r\n") {
		return append(b, s...)
	}
	b = append(b, '"')
	if formula {
		b = append(b, '\'')
	}
	for i := 0; i < len(s); i++ {
		if s[i] == '"' {
			b = append(b, '"')
		}
		b = append(b, s[i])
	}
	return append(b, '"')
}

// isNumber says whether a text is a plain decimal number, which no spreadsheet takes for a formula.
func isNumber(s string) bool {
	if strings.IndexByte("0123456789.", s[len(s)-1]) < 0 || strings.ContainsAny(s, "xXpP_iInN") {
		return false
	}
	_, err := strconv.ParseFloat(s, 64)
	return err == nil
}
