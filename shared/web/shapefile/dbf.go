package shapefile

import (
	"bufio"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"mappe/shared/web/format"
)

// maxColumns is how many a table has in dBASE, whose rows of 64 KB then hold all of them.
const maxColumns = 255

// maxCell is the largest width of a column.
const maxCell = 254

// maxName is the largest name of a column in bytes.
const maxName = 10

// column is a column of a .dbf.
type column struct {
	name     string
	cell     int // of the layout's names; -1: the number of the row
	kind     byte
	decimals int
	width    int
}

// Names are the names that columns have in a file, in the order they are given: the first ten bytes; where two would be the same, the
// later one ends in _2, _3 and so on.
func Names(names []string) []string {
	seen := map[string]bool{}
	out := make([]string, len(names))
	for i, name := range names {
		short := cut(name, maxName)
		for n := 2; seen[short]; n++ {
			tail := "_" + strconv.Itoa(n)
			short = cut(name, maxName-len(tail)) + tail
		}
		seen[short], out[i] = true, short
	}
	return out
}

// namesOf are the names of a layout's columns in a file: a column has the same one whichever others were chosen beside it.
func namesOf(l *format.Layout) []string {
	var whole []string
	for _, c := range l.RowTypes[0].Columns {
		whole = append(whole, c.Name)
	}
	short, chosen := Names(whole), l.Names()
	out := make([]string, len(chosen))
	for i, name := range chosen {
		out[i] = short[l.RowTypes[0].Index(name)]
	}
	return out
}

// cut is the beginning of a text with at most n bytes, which ends with a whole character.
func cut(text string, n int) string {
	if len(text) <= n {
		return text
	}
	for n > 0 && !utf8.RuneStart(text[n]) {
		n--
	}
	return text[:n]
}

// columnsOf are the columns of a layout and the type of its shapes.
func columnsOf(l *format.Layout) ([]*column, shapeType, error) {
	if len(l.RowTypes) != 1 {
		return nil, none, fmt.Errorf("%d row types, want one", len(l.RowTypes))
	}
	shape := none
	switch l.RowTypes[0].Shape {
	case format.ShapePoint:
		shape = point
	case format.ShapeMultiPolygon:
		shape = polygon
	case format.ShapeMultiLine:
		shape = lines
	}
	var list []*column
	for i, name := range namesOf(l) {
		c := &column{name: name, cell: i, kind: 'C', width: 1}
		switch of := l.Column(i); of.Type {
		case format.TypeInt:
			c.kind = 'N'
		case format.TypeFloat:
			c.kind, c.decimals = 'N', of.Decimals
		case format.TypeDegrees:
			c.kind, c.decimals = 'N', 7
		case format.TypeBool:
			c.kind = 'L'
		}
		list = append(list, c)
	}
	if len(list) == 0 { // a .dbf has a column
		list = []*column{{name: "fid", cell: -1, kind: 'N', width: 1}}
	}
	if len(list) > maxColumns {
		return nil, none, fmt.Errorf("%d columns, a .dbf has at most %d", len(list), maxColumns)
	}
	return list, shape, nil
}

// appendCell writes a value without the blanks around it; what is not known, and what is no number in a column of numbers, is nothing.
func (c *column) appendCell(b []byte, v format.Value) []byte {
	if v.IsNull() {
		return b
	}
	text, isText := v.Str()
	switch {
	case c.kind == 'L':
		n, ok := v.Int64()
		switch {
		case ok && n != 0:
			return append(b, 'T')
		case ok:
			return append(b, 'F')
		}
		return b
	case c.kind == 'C' && isText:
		return appendText(b, text)
	}
	if n, ok := v.Int64(); ok && c.decimals == 0 {
		return strconv.AppendInt(b, n, 10)
	}
	if f, ok := v.Float64(); ok {
		return appendNumber(b, f, c.decimals)
	}
	return b
}

// maxNumber is the width that readers take numbers of.
const maxNumber = 32

// appendNumber writes a number with its decimals; one that is too wide with an exponent.
func appendNumber(b []byte, f float64, decimals int) []byte {
	at := len(b)
	if b = strconv.AppendFloat(b, f, 'f', decimals, 64); len(b)-at > maxNumber {
		b = strconv.AppendFloat(b[:at], f, 'e', -1, 64)
	}
	return b
}

// appendText writes the beginning of a text that a cell holds. A zero byte, which would end the text for readers, is a blank.
func appendText(b []byte, text string) []byte {
	if !utf8.ValidString(text) {
		text = strings.ToValidUTF8(text, "\uFFFD")
	}
	at := len(b)
	b = append(b, cut(text, maxCell)...)
	for i := at; i < len(b); i++ {
		if b[i] == 0 {
			b[i] = ' '
		}
	}
	return b
}

// writeDBF writes the cells at the widths that they turned out to have.
func (s *set) writeDBF(ctx context.Context, to io.Writer, day time.Time) error {
	out := bufio.NewWriterSize(to, 64<<10)
	size := 1
	for _, c := range s.columns {
		if c.kind == 'N' {
			c.width = max(c.width, c.decimals+2)
		}
		size += c.width
	}
	head := make([]byte, 32, 33+32*len(s.columns))
	head[0], head[1], head[2], head[3] = 3, byte(day.Year()-1900), byte(day.Month()), byte(day.Day())
	binary.LittleEndian.PutUint32(head[4:], uint32(s.rows))
	binary.LittleEndian.PutUint16(head[8:], uint16(cap(head)))
	binary.LittleEndian.PutUint16(head[10:], uint16(size))
	for _, c := range s.columns {
		d := make([]byte, 32)
		copy(d[:maxName], c.name)
		d[11], d[16], d[17] = c.kind, byte(c.width), byte(c.decimals)
		head = append(head, d...)
	}
	out.Write(append(head, 0x0D)) // an error stays in the writer
	if _, err := s.files[2].Seek(0, io.SeekStart); err != nil {
		return err
	}
	in, blank := bufio.NewReaderSize(reader{ctx, s.files[2]}, 64<<10), strings.Repeat(" ", maxCell)
	var text [maxCell + 1]byte
	for range s.rows {
		out.WriteByte(' ')
		for _, c := range s.columns {
			n, err := in.ReadByte()
			if err == nil {
				_, err = io.ReadFull(in, text[:n])
			}
			if err != nil {
				return err
			}
			pad := blank[:c.width-int(n)]
			if c.kind == 'N' { // numbers end where the column ends
				out.WriteString(pad)
				pad = ""
			}
			out.Write(text[:n])
			out.WriteString(pad)
		}
	}
	out.WriteByte(0x1A)
	return out.Flush()
}
