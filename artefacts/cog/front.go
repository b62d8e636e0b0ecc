package cog

import (
	"encoding/binary"
	"encoding/xml"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unsafe"
)

// front is what stands before the tiles, head and directories, and the length of the whole file.
func (w *Writer[T]) front() ([]byte, int64, error) {
	for _, big := range []bool{w.o.Big, true} {
		d := &directories{big: big}
		size := int64(0)
		for range 2 { // the first pass tells how long the front is
			size = w.directories(d)
		}
		if big || size <= maxClassic {
			return d.out, size, nil
		}
	}
	return nil, 0, nil // big is the last
}

// directories writes head and directories, whose tiles stand behind what the pass before has written, and gives the length
// of the file.
func (w *Writer[T]) directories(d *directories) int64 {
	at := int64(len(d.out))
	offsets, lengths := make([][]uint64, len(w.levels)), make([][]uint64, len(w.levels))
	for i, l := range slices.Backward(w.levels) {
		offsets[i], lengths[i] = make([]uint64, len(l.tiles)), make([]uint64, len(l.tiles))
		for k, t := range l.tiles {
			if t.length > 0 {
				offsets[i][k], lengths[i][k] = uint64(at), uint64(t.length)
				at += t.length
			}
		}
	}
	d.begin()
	for i, l := range w.levels {
		list := w.shape(l)
		list = append(list, d.offsets(tagTileOffsets, offsets[i]), longs(tagTileBytes, lengths[i]))
		if i > 0 {
			list = append(list, longs(tagSubfile, []uint64{1}))
		} else {
			list = append(list, w.place()...)
		}
		slices.SortFunc(list, func(a, b entry) int { return a.code - b.code })
		d.directory(list, i == len(w.levels)-1)
	}
	return at
}

// shape are the tags of an image that say what its samples are.
func (w *Writer[T]) shape(l *level[T]) []entry {
	kind, bits, predictor := formatUint, int(8*unsafe.Sizeof(w.none)), 2
	switch any(w.none).(type) {
	case float32:
		kind, predictor = formatFloat, 3
	case int16:
		kind = formatInt
	}
	photometric, colours := uint16(1), 1
	if w.o.Colours {
		photometric, colours = 2, 3
	}
	list := []entry{longs(tagWidth, []uint64{uint64(l.cols)}), longs(tagHeight, []uint64{uint64(l.rows)}),
		shorts(tagBits, repeated(bits, w.bands)...), shorts(tagCompression, uint16(w.o.Packing)), shorts(tagPhotometric, photometric),
		shorts(tagSamples, uint16(w.bands)), shorts(tagPlanar, 1), shorts(tagPredictor, uint16(predictor)), shorts(tagTileWidth, side),
		shorts(tagTileHeight, side), shorts(tagSampleFormat, repeated(kind, w.bands)...)}
	if w.bands > colours {
		list = append(list, shorts(tagExtraSamples, repeated(0, w.bands-colours)...))
	}
	switch {
	case kind == formatFloat:
		list = append(list, text(tagNoData, "nan"))
	case w.gaps:
		list = append(list, text(tagNoData, strconv.FormatFloat(*w.o.NoData, 'g', -1, 64)))
	}
	return list
}

func repeated(v, n int) []uint16 { return slices.Repeat([]uint16{uint16(v)}, n) }

// place are the tags of the full resolution that say where it lies and what it is.
func (w *Writer[T]) place() []entry {
	return []entry{doubles(tagScale, w.at.Step, w.at.Step, 0), doubles(tagTiepoint, 0, 0, 0, w.at.West, w.at.North, 0),
		shorts(tagGeoKeys, 1, 1, 0, 4, keyModel, 0, 1, 1, keyRaster, 0, 1, 1, keyProject, 0, 1, uint16(w.o.EPSG), 3076, 0, 1, 9001),
		text(tagMetadata, w.o.metadata(w.bands))}
}

// directories writes a TIFF up to its tiles.
type directories struct {
	out []byte
	big bool // BigTIFF
}

func (d *directories) begin() {
	d.out = append(d.out[:0], "II*\x00\x08\x00\x00\x00"...)
	if d.big {
		d.out = append(d.out[:0], "II+\x00\x08\x00\x00\x00\x10\x00\x00\x00\x00\x00\x00\x00"...)
	}
}

// entry is a tag with its values.
type entry struct {
	code, kind int
	count      int
	value      []byte
}

func shorts(code int, values ...uint16) entry {
	e := entry{code: code, kind: 3, count: len(values)}
	for _, v := range values {
		e.value = binary.LittleEndian.AppendUint16(e.value, v)
	}
	return e
}

func longs(code int, values []uint64) entry {
	e := entry{code: code, kind: 4, count: len(values)}
	for _, v := range values {
		e.value = binary.LittleEndian.AppendUint32(e.value, uint32(v))
	}
	return e
}

// offsets are places in the file, of 64 bits in a BigTIFF.
func (d *directories) offsets(code int, values []uint64) entry {
	if !d.big {
		return longs(code, values)
	}
	e := entry{code: code, kind: 16, count: len(values)}
	for _, v := range values {
		e.value = binary.LittleEndian.AppendUint64(e.value, v)
	}
	return e
}

func doubles(code int, values ...float64) entry {
	e := entry{code: code, kind: 12, count: len(values)}
	for _, v := range values {
		e.value = binary.LittleEndian.AppendUint64(e.value, math.Float64bits(v))
	}
	return e
}

func text(code int, s string) entry {
	return entry{code: code, kind: 2, count: len(s) + 1, value: append([]byte(s), 0)}
}

// word appends a count or an offset of an entry.
func (d *directories) word(v int) {
	if d.big {
		d.out = binary.LittleEndian.AppendUint64(d.out, uint64(v))
	} else {
		d.out = binary.LittleEndian.AppendUint32(d.out, uint32(v))
	}
}

// directory writes a directory and, behind it, the values that do not fit into its entries.
func (d *directories) directory(list []entry, last bool) {
	head, size, inline := 2, 12, 4
	if d.big {
		head, size, inline = 8, 20, 8
	}
	behind := len(d.out) + head + size*len(list) + inline
	if d.big {
		d.out = binary.LittleEndian.AppendUint64(d.out, uint64(len(list)))
	} else {
		d.out = binary.LittleEndian.AppendUint16(d.out, uint16(len(list)))
	}
	var values []byte
	for _, e := range list {
		d.out = binary.LittleEndian.AppendUint16(d.out, uint16(e.code))
		d.out = binary.LittleEndian.AppendUint16(d.out, uint16(e.kind))
		d.word(e.count)
		if len(e.value) <= inline {
			d.out = append(append(d.out, e.value...), make([]byte, inline-len(e.value))...)
			continue
		}
		d.word(behind + len(values))
		values = append(values, e.value...)
		values = append(values, make([]byte, (inline-len(values)%inline)%inline)...)
	}
	next := behind + len(values)
	if last {
		next = 0
	}
	d.word(next)
	d.out = append(d.out, values...)
}

// metadata is the XML that GDAL shows.
func (o Options) metadata(bands int) string {
	var b strings.Builder
	b.WriteString("<GDALMetadata>")
	item := func(attributes, name, value string) {
		fmt.Fprintf(&b, `<Item name="%s"%s>`, name, attributes)
		// Twice, as GDAL reads it. A builder takes everything.
		var once strings.Builder
		_ = xml.EscapeText(&once, []byte(value))
		_ = xml.EscapeText(&b, []byte(once.String()))
		b.WriteString("</Item>")
	}
	number := func(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }
	for band := range bands {
		of := func(role string) string { return fmt.Sprintf(` sample="%d" role="%s"`, band, role) }
		if o.Names != nil {
			item(of("description"), "DESCRIPTION", o.Names[band])
		}
		if o.Unit != "" {
			item(of("unittype"), "UNITTYPE", o.Unit)
		}
		if o.Scale != 0 && (o.Scale != 1 || o.Offset != 0) {
			item(of("offset"), "OFFSET", number(o.Offset))
			item(of("scale"), "SCALE", number(o.Scale))
		}
	}
	names := make([]string, 0, len(o.About))
	for name := range o.About {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		item("", name, o.About[name])
	}
	b.WriteString("</GDALMetadata>")
	return b.String()
}
