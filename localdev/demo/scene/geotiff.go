package scene

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"github.com/klauspost/compress/zlib"
)

// Bytes is a picture of whole numbers from 0 to 255, as orthophotos and class maps are handed out.
type Bytes struct {
	West, North float64 // of the north-western corner, metres
	Step        float64
	Cols, Rows  int
	Bands       int
	Pix         []uint8 // rows from the north, each from the west, bands beside each other
	EPSG        int
	NoData      int  // -1: none
	SouthUp     bool // the file begins with the southernmost row, as some series of the survey office do
}

// stripRows is how many rows are packed together.
const stripRows = 64

// Encode writes a GeoTIFF: strips of 64 rows, deflate with predictor 2.
func (b *Bytes) Encode() ([]byte, error) {
	if n := b.Cols * b.Rows * b.Bands; n != len(b.Pix) || n == 0 || n > 1<<31 {
		return nil, fmt.Errorf("scene: a picture of %d x %d cells and %d bands holds %d values", b.Cols, b.Rows, b.Bands, len(b.Pix))
	}
	out := bytes.NewBufferString("II*\x00\x00\x00\x00\x00")
	var offsets, lengths []uint32
	z, err := zlib.NewWriterLevel(nil, 6)
	if err != nil {
		return nil, err
	}
	wide := b.Cols * b.Bands
	line := make([]byte, wide)
	for row := 0; row < b.Rows; row += stripRows {
		at := out.Len()
		z.Reset(out)
		for r := row; r < min(row+stripRows, b.Rows); r++ {
			from := r
			if b.SouthUp {
				from = b.Rows - 1 - r
			}
			copy(line, b.Pix[from*wide:])
			for i := wide - 1; i >= b.Bands; i-- {
				line[i] -= line[i-b.Bands]
			}
			if _, err := z.Write(line); err != nil {
				return nil, err
			}
		}
		if err := z.Close(); err != nil {
			return nil, err
		}
		offsets, lengths = append(offsets, uint32(at)), append(lengths, uint32(out.Len()-at))
	}
	if out.Len()%2 == 1 {
		out.WriteByte(0)
	}
	b.directory(out, offsets, lengths)
	return out.Bytes(), nil
}

// tag is an entry of the directory; values that do not fit into it stand behind.
type tag struct {
	code, kind uint16 // 3: 16 bits, 4: 32 bits, 12: double, 2: text
	count      int
	value      []byte
}

func tagOf[T uint16 | uint32 | float64](code uint16, values ...T) tag {
	t := tag{code: code, count: len(values)}
	for _, v := range values {
		switch v := any(v).(type) {
		case uint16:
			t.kind, t.value = 3, binary.LittleEndian.AppendUint16(t.value, v)
		case uint32:
			t.kind, t.value = 4, binary.LittleEndian.AppendUint32(t.value, v)
		case float64:
			t.kind, t.value = 12, binary.LittleEndian.AppendUint64(t.value, math.Float64bits(v))
		}
	}
	return t
}

// directory writes the tags and points the head to them.
func (b *Bytes) directory(out *bytes.Buffer, offsets, lengths []uint32) {
	bits, photometric := make([]uint16, b.Bands), uint16(1)
	for i := range bits {
		bits[i] = 8
	}
	if b.Bands == 3 {
		photometric = 2
	}
	tags := []tag{tagOf(256, uint32(b.Cols)), tagOf(257, uint32(b.Rows)), tagOf(258, bits...), tagOf[uint16](259, 8),
		tagOf(262, photometric), tagOf(273, offsets...),
		tagOf(277, uint16(b.Bands)), tagOf[uint32](278, stripRows), tagOf(279, lengths...), tagOf[uint16](284, 1), tagOf[uint16](317, 2),
		tagOf[uint16](34735, 1, 1, 0, 4, 1024, 0, 1, 1, 1025, 0, 1, 1, 3072, 0, 1, uint16(b.EPSG), 3076, 0, 1, 9001)}
	if b.SouthUp { // a scale is taken to run to the south: only the matrix says that rows run to the north
		south := b.North - float64(float64(b.Rows)*b.Step)
		tags = append(tags, tagOf(34264, b.Step, 0, 0, b.West, 0, b.Step, 0, south, 0, 0, 0, 0, 0, 0, 0, 1))
	} else {
		tags = append(tags, tagOf(33550, b.Step, b.Step, 0), tagOf(33922, 0, 0, 0, b.West, b.North, 0))
	}
	if b.Bands == 2 || b.Bands > 3 {
		tags = append(tags, tagOf(338, make([]uint16, b.Bands-1)...))
	}
	if b.NoData >= 0 {
		text := append(fmt.Append(nil, b.NoData), 0)
		tags = append(tags, tag{42113, 2, len(text), text})
	}
	slices.SortFunc(tags, func(a, b tag) int { return int(a.code) - int(b.code) })
	at := out.Len()
	behind := uint32(at + 2 + 12*len(tags) + 4)
	var values []byte
	list := binary.LittleEndian.AppendUint16(nil, uint16(len(tags)))
	for _, t := range tags {
		list = binary.LittleEndian.AppendUint16(list, t.code)
		list = binary.LittleEndian.AppendUint16(list, t.kind)
		list = binary.LittleEndian.AppendUint32(list, uint32(t.count))
		if len(t.value) <= 4 {
			list = append(list, append(t.value, make([]byte, 4-len(t.value))...)...)
			continue
		}
		list = binary.LittleEndian.AppendUint32(list, behind+uint32(len(values)))
		if values = append(values, t.value...); len(values)%2 == 1 {
			values = append(values, 0)
		}
	}
	out.Write(append(append(list, 0, 0, 0, 0), values...))
	binary.LittleEndian.PutUint32(out.Bytes()[4:], uint32(at))
}
