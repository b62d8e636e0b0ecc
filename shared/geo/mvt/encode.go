package mvt

import (
	"encoding/binary"
	"fmt"
	"math"
)

// LayerBuilder gathers features of one layer and shares equal keys and values.
type LayerBuilder struct {
	layer  Layer
	keys   map[string]uint32
	values map[Value]uint32
}

// NewLayer starts a layer of version 2. Extent 0 means 4096.
func NewLayer(name string, extent uint32) *LayerBuilder {
	if extent == 0 {
		extent = DefaultExtent
	}
	return &LayerBuilder{
		layer: Layer{Name: name, Version: 2, Extent: extent},
		keys:  map[string]uint32{}, values: map[Value]uint32{},
	}
}

// Add appends a feature with its attributes in the order given; attributes of KindNone are left out.
func (b *LayerBuilder) Add(f Feature, attrs ...Attr) {
	f.Tags = make([]uint32, 0, 2*len(attrs))
	for _, a := range attrs {
		if a.Value.Kind == KindNone {
			continue
		}
		k, ok := b.keys[a.Key]
		if !ok {
			k = uint32(len(b.layer.Keys))
			b.keys[a.Key] = k
			b.layer.Keys = append(b.layer.Keys, a.Key)
		}
		v, ok := b.values[a.Value]
		if !ok {
			v = uint32(len(b.layer.Values))
			b.values[a.Value] = v
			b.layer.Values = append(b.layer.Values, a.Value)
		}
		f.Tags = append(f.Tags, k, v)
	}
	b.layer.Features = append(b.layer.Features, f)
}

// Layer is the layer as gathered so far; it shares memory with the builder.
func (b *LayerBuilder) Layer() Layer { return b.layer }

// Encode writes the tile; the same tile gives the same bytes. Features without a part are refused, as
// are tags out of range and rings shorter than the format can hold: these are faults of the caller.
func Encode(t Tile) ([]byte, error) {
	var out, layer, scratch []byte
	for i := range t.Layers {
		l := &t.Layers[i]
		var err error
		if layer, scratch, err = appendLayer(layer[:0], scratch, l); err != nil {
			return nil, fmt.Errorf("layer %q: %w", l.Name, err)
		}
		out = appendBytes(out, 3, layer)
	}
	return out, nil
}

func appendLayer(b, scratch []byte, l *Layer) (layer, buf []byte, err error) {
	b = appendVarintField(b, 15, uint64(max(l.Version, 2)))
	b = appendBytes(b, 1, []byte(l.Name))
	for i := range l.Features {
		if scratch, err = appendFeature(scratch[:0], l, &l.Features[i]); err != nil {
			return nil, scratch, fmt.Errorf("feature %d: %w", i, err)
		}
		b = appendBytes(b, 2, scratch)
	}
	for _, k := range l.Keys {
		b = appendBytes(b, 3, []byte(k))
	}
	for _, v := range l.Values {
		scratch = appendValue(scratch[:0], v)
		b = appendBytes(b, 4, scratch)
	}
	extent := l.Extent
	if extent == 0 {
		extent = DefaultExtent
	}
	return appendVarintField(b, 5, uint64(extent)), scratch, nil
}

func appendFeature(b []byte, l *Layer, f *Feature) ([]byte, error) {
	if f.HasID {
		b = appendVarintField(b, 1, f.ID)
	}
	if len(f.Tags)%2 != 0 {
		return nil, fmt.Errorf("%d tags: expected pairs of key and value", len(f.Tags))
	}
	n := 0
	for i, t := range f.Tags {
		if limit := [2]int{len(l.Keys), len(l.Values)}[i%2]; int(t) >= limit {
			return nil, fmt.Errorf("tag %d names entry %d of %d", i, t, limit)
		}
		n += varintLen(uint64(t))
	}
	if n > 0 {
		b = append(b, 2<<3|2)
		b = binary.AppendUvarint(b, uint64(n))
		for _, t := range f.Tags {
			b = binary.AppendUvarint(b, uint64(t))
		}
	}
	b = appendVarintField(b, 3, uint64(f.Type))
	at := len(b)
	b, err := appendGeometry(b, f)
	if err != nil {
		return nil, err
	}
	// The length stands in front of the geometry: make room and shift.
	size := len(b) - at
	var head [11]byte
	h := binary.AppendUvarint(append(head[:0], 4<<3|2), uint64(size))
	b = append(b, h...)
	copy(b[at+len(h):], b[at:at+size])
	copy(b[at:], h)
	return b, nil
}

func appendGeometry(b []byte, f *Feature) ([]byte, error) {
	shortest := [...]int{Points: 1, Lines: 2, Polygons: 2}[min(f.Type, Polygons)]
	if shortest == 0 || f.Type > Polygons {
		return nil, fmt.Errorf("geometry type %d: expected points, lines or polygons", f.Type)
	}
	if len(f.Parts) == 0 || f.Type == Points && len(f.Parts) != 1 {
		return nil, fmt.Errorf("%d parts of %v", len(f.Parts), f.Type)
	}
	var cur Point
	for i, part := range f.Parts {
		if len(part) < shortest {
			return nil, fmt.Errorf("part %d of %v has %d vertices: expected at least %d", i, f.Type, len(part), shortest)
		}
		if len(part) > maxCount {
			return nil, fmt.Errorf("part %d has %d vertices: at most %d can be counted", i, len(part), maxCount)
		}
		lead := 1
		if f.Type == Points {
			lead = len(part)
		}
		b = binary.AppendUvarint(b, uint64(lead)<<3|cmdMoveTo)
		b, cur = appendDeltas(b, cur, part[:lead])
		if f.Type == Points {
			break
		}
		b = binary.AppendUvarint(b, uint64(len(part)-1)<<3|cmdLineTo)
		b, cur = appendDeltas(b, cur, part[1:])
		if f.Type == Polygons {
			b = append(b, 1<<3|cmdClosePath)
		}
	}
	return b, nil
}

func appendDeltas(b []byte, cur Point, pts []Point) ([]byte, Point) {
	for _, p := range pts {
		b = binary.AppendUvarint(b, uint64(zigzag(p.X-cur.X)))
		b = binary.AppendUvarint(b, uint64(zigzag(p.Y-cur.Y)))
		cur = p
	}
	return b, cur
}

func appendValue(b []byte, v Value) []byte {
	switch v.Kind {
	case KindString:
		return appendBytes(b, 1, []byte(v.S))
	case KindFloat:
		return binary.LittleEndian.AppendUint32(append(b, 2<<3|5), uint32(v.bits))
	case KindDouble:
		return binary.LittleEndian.AppendUint64(append(b, 3<<3|1), v.bits)
	case KindInt:
		return appendVarintField(b, 4, v.bits)
	case KindUint:
		return appendVarintField(b, 5, v.bits)
	case KindSint:
		i := int64(v.bits)
		return appendVarintField(b, 6, uint64(i<<1)^uint64(i>>63))
	case KindBool:
		return appendVarintField(b, 7, v.bits)
	}
	return b
}

func appendVarintField(b []byte, field int, v uint64) []byte {
	return binary.AppendUvarint(binary.AppendUvarint(b, uint64(field)<<3), v)
}

func appendBytes(b []byte, field int, v []byte) []byte {
	b = binary.AppendUvarint(binary.AppendUvarint(b, uint64(field)<<3|2), uint64(len(v)))
	return append(b, v...)
}

func varintLen(v uint64) int {
	n := 1
	for ; v >= 0x80; v >>= 7 {
		n++
	}
	return n
}

func zigzag(d int32) uint32 { return uint32(d<<1) ^ uint32(d>>31) }

func unzigzag(u uint32) int32 { return int32(u>>1) ^ -int32(u&1) }

const (
	cmdMoveTo    = 1
	cmdLineTo    = 2
	cmdClosePath = 7

	maxCount = math.MaxUint32 >> 3 // a command integer has 29 bits for its count
)
