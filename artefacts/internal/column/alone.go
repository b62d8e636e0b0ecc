package column

import (
	"encoding/binary"
	"fmt"
)

// aloneBytes stand before the columns of a section that is kept by itself: rows and decoded bytes, 32 bits each.
const aloneBytes = 8

// EncodeAlone writes columns as a section that is kept by itself, as those of an artefact in parts are. owner stands
// before errors.
func EncodeAlone(owner, name string, rows int, put func(*Writer)) ([]byte, error) {
	return Format{}.EncodeAlone(owner, name, rows, put)
}

// EncodeAlone is the same in a format, of which it takes Swift.
func (f Format) EncodeAlone(owner, name string, rows int, put func(*Writer)) ([]byte, error) {
	s, err := f.Section(name, rows, put)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", owner, err)
	}
	b := make([]byte, aloneBytes, aloneBytes+len(s.Body))
	binary.LittleEndian.PutUint32(b, uint32(rows))
	binary.LittleEndian.PutUint32(b[4:], uint32(s.Raw))
	return append(b, s.Body...), nil
}

// DecodeAlone reads such a section of any bytes: what its columns may decode to is bounded by its length.
func DecodeAlone(owner, name string, b []byte, read func(r *Reader, rows int)) error {
	if len(b) < aloneBytes {
		return fmt.Errorf("%s: %s: %d bytes: expected %d at least", owner, name, len(b), aloneBytes)
	}
	rows, raw, body := int(binary.LittleEndian.Uint32(b)), int(binary.LittleEndian.Uint32(b[4:])), b[aloneBytes:]
	if rows > RowLimit(len(body)) || raw > RawLimit(len(body)) {
		return fmt.Errorf("%s: %s: %d rows that decode to %d bytes of %d: more than is allowed", owner, name, rows, raw, len(body))
	}
	if err := (Section{Name: name, Body: body, Raw: raw, Rows: rows}).Read(read); err != nil {
		return fmt.Errorf("%s: %w", owner, err)
	}
	return nil
}

// Alone is the columns of a section that is kept by itself, of any bytes; false if b is shorter than what stands before them.
func Alone(b []byte) (columns []byte, ok bool) {
	if len(b) < aloneBytes {
		return nil, false
	}
	return b[aloneBytes:], true
}

// Texts writes a text of each row.
func Texts[T any](w *Writer, rows []T, of func(*T) string) {
	v := make([]string, len(rows))
	for i := range rows {
		v[i] = of(&rows[i])
	}
	w.Text(v)
}
