package directory

import (
	"encoding/binary"
	"fmt"

	"mappe/artefacts/internal/column"
)

// sealed is columns of some rows with what a reader has to know before them.
func sealed(name string, rows int, write func(*column.Writer)) ([]byte, error) {
	s, err := column.Format{Swift: true}.Section(name, rows, write)
	if err != nil {
		return nil, fmt.Errorf("directory: %w", err)
	}
	b := make([]byte, 8, 8+len(s.Body))
	binary.LittleEndian.PutUint32(b, uint32(rows))
	binary.LittleEndian.PutUint32(b[4:], uint32(s.Raw))
	return append(b, s.Body...), nil
}

// unseal is the inverse of sealed. most bounds the rows.
func unseal(name string, b []byte, most int, read func(r *column.Reader, rows int)) error {
	if len(b) < 8 {
		return fmt.Errorf("directory: section %s of %d bytes: %w", name, len(b), column.ErrShort)
	}
	rows, raw := int(binary.LittleEndian.Uint32(b)), int(binary.LittleEndian.Uint32(b[4:]))
	body := b[8:]
	if rows > most || rows > column.RowLimit(len(body)) || raw > column.RawLimit(len(body)) {
		return fmt.Errorf("directory: section %s of %d bytes for %d rows and %d decoded bytes: too many", name, len(body), rows, raw)
	}
	if err := (column.Section{Name: name, Body: body, Raw: raw, Rows: rows}).Read(read); err != nil {
		return fmt.Errorf("directory: %w", err)
	}
	return nil
}

// differences turns rising numbers into steps.
func differences[T ~uint16 | ~uint32 | ~uint64](to []uint64, rising []T) []uint64 {
	last := T(0)
	for _, v := range rising {
		to = append(to, uint64(v-last))
		last = v
	}
	return to
}

// lists are lists of rising numbers, one after the other.
type lists struct {
	ends   []uint32
	values []uint32
}

func (l *lists) of(i int) []uint32 {
	from := uint32(0)
	if i > 0 {
		from = l.ends[i-1]
	}
	return l.values[from:l.ends[i]]
}

// writeLists writes n lists.
func writeLists[T ~uint16 | ~uint32](w *column.Writer, n int, of func(i int) []T) {
	var sizes, steps []uint64
	for i := range n {
		sizes = append(sizes, uint64(len(of(i))))
		steps = differences(steps, of(i))
	}
	w.List(len(steps))
	w.Ints(sizes)
	w.Ints(steps)
}

// readLists is the inverse of writeLists; every value is below limit.
func readLists(r *column.Reader, n, limit int) lists {
	total := r.List()
	l := lists{ends: column.Ends(r, column.Ints[uint32](r, n), total), values: column.Ints[uint32](r, total)}
	if r.Err != nil {
		return l
	}
	from := uint32(0)
	for i, end := range l.ends {
		sum := uint64(0)
		for k := from; k < end; k++ {
			sum += uint64(l.values[k])
			if sum >= uint64(limit) {
				r.Fail("list %d names %d of %d", i, sum, limit)
				return l
			}
			l.values[k] = uint32(sum)
		}
		from = end
	}
	return l
}
