package mvt

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"fmt"
	"io"
	"unicode/utf8"
)

// maxExtent keeps pixel arithmetic far from overflow.
const maxExtent = 1 << 20

// Decode reads a tile, gzipped or not. Every fault is an *Error that names layer and feature. Nothing
// is allocated by a length or count that the bytes themselves do not back. No bytes at all are the empty
// tile. The one tolerance towards the format: a ring may have two vertices or repeat its first one at
// the end, because survey tiles hold such rings and the feature must not be lost.
func Decode(b []byte, lim Limits) (*Tile, error) {
	lim = lim.orDefault()
	b, err := Gunzip(b, lim.Bytes)
	if err != nil {
		return nil, err
	}
	if len(b) > lim.Bytes {
		return nil, &Error{Feature: -1, Reason: fmt.Sprintf("%d bytes: at most %d allowed", len(b), lim.Bytes)}
	}
	d := decoder{lim: lim}
	t := &Tile{}
	w := wire{b: b}
	for {
		field, typ, ok := w.next()
		if !ok {
			break
		}
		if field != 3 {
			w.skip(typ)
			continue
		}
		if !w.want("layer", typ, 2) {
			break
		}
		if len(t.Layers) >= lim.Layers {
			w.fail("more than %d layers", lim.Layers)
			break
		}
		body := w.bytes()
		if w.err != "" {
			break
		}
		l, err := d.layer(body, len(t.Layers))
		if err != nil {
			return nil, err
		}
		if t.Layer(l.Name) != nil {
			return nil, &Error{Layer: l.Name, Feature: -1, Reason: "two layers of this name"}
		}
		t.Layers = append(t.Layers, l)
	}
	if w.err != "" {
		return nil, &Error{Feature: -1, Reason: w.err}
	}
	return t, nil
}

// Gunzip unpacks b when it starts with the gzip magic, else it returns b. More than limit bytes are refused.
func Gunzip(b []byte, limit int) ([]byte, error) {
	if len(b) < 2 || b[0] != 0x1f || b[1] != 0x8b {
		return b, nil
	}
	fault := func(err error) error { return &Error{Feature: -1, Reason: "gzip: " + err.Error()} }
	zr, err := gzip.NewReader(bytes.NewReader(b))
	if err != nil {
		return nil, fault(err)
	}
	out, err := io.ReadAll(io.LimitReader(zr, int64(limit)+1))
	if err != nil {
		return nil, fault(err)
	}
	if len(out) > limit {
		return nil, &Error{Feature: -1, Reason: fmt.Sprintf("gzip: more than %d bytes unpacked", limit)}
	}
	return out, nil
}

// decoder counts what all layers together have used of the limits.
type decoder struct {
	lim                Limits
	features, vertices int
	arena              []Point // parts of features are cut from here
}

// layer reads the dictionaries first: the format lets them follow the features that use them.
func (d *decoder) layer(b []byte, index int) (Layer, error) {
	l := Layer{Name: fmt.Sprintf("#%d", index), Version: 1, Extent: DefaultExtent}
	fault := func(feature int, reason string) (Layer, error) {
		return l, &Error{Layer: l.Name, Feature: feature, Reason: reason}
	}
	features, reason := d.head(b, &l)
	if reason != "" {
		return fault(-1, reason)
	}
	l.Features = make([]Feature, 0, features) // each has cost at least two bytes of input
	for w := (wire{b: b}); ; {
		field, typ, ok := w.next()
		if !ok {
			return l, nil
		}
		if field != 2 {
			w.skip(typ)
			continue
		}
		f, reason := d.feature(w.bytes(), &l)
		if reason != "" {
			return fault(len(l.Features), reason)
		}
		l.Features = append(l.Features, f)
	}
}

// head reads all of a layer but its features, which it counts.
func (d *decoder) head(b []byte, l *Layer) (features int, reason string) {
	named := false
	w := wire{b: b}
	for {
		field, typ, ok := w.next()
		if !ok {
			break
		}
		switch field {
		case 1:
			if w.want("name", typ, 2) {
				l.Name, named = w.text("name"), true
			}
		case 2:
			if w.want("feature", typ, 2) {
				w.bytes()
				features++
			}
		default:
			w.layerField(field, typ, l)
		}
		if len(l.Keys) > d.lim.Entries || len(l.Values) > d.lim.Entries {
			w.fail("more than %d keys or values", d.lim.Entries)
		}
	}
	if w.err == "" && !named {
		w.fail("layer without a name")
	}
	if d.features += features; w.err == "" && d.features > d.lim.Features {
		w.fail("more than %d features", d.lim.Features)
	}
	return features, w.err
}

// layerField reads version, extent and an entry of the dictionaries; other fields are passed over.
func (w *wire) layerField(field int, typ uint8, l *Layer) {
	switch field {
	case 3:
		if w.want("key", typ, 2) {
			l.Keys = append(l.Keys, w.text("key"))
		}
	case 4:
		if w.want("value", typ, 2) {
			v, reason := decodeValue(w.bytes())
			if reason != "" {
				w.fail("value %d: %s", len(l.Values), reason)
			}
			l.Values = append(l.Values, v)
		}
	case 5:
		if w.want("extent", typ, 0) {
			if v := w.varint(); v < 1 || v > maxExtent {
				w.fail("extent %d: expected 1 to %d", v, maxExtent)
			} else {
				l.Extent = uint32(v)
			}
		}
	case 15:
		if w.want("version", typ, 0) {
			if v := w.varint(); v != 1 && v != 2 {
				w.fail("version %d: expected 1 or 2", v)
			} else {
				l.Version = uint32(v)
			}
		}
	default:
		w.skip(typ)
	}
}

func (w *wire) text(what string) string {
	b := w.bytes()
	if !utf8.Valid(b) {
		w.fail("%s is not UTF-8", what)
	}
	return string(b)
}

func decodeValue(b []byte) (v Value, reason string) {
	w := wire{b: b}
	for {
		field, typ, ok := w.next()
		if !ok {
			return v, w.err
		}
		if field <= 7 && v.Kind != KindNone {
			return v, "more than one type in one value"
		}
		switch field {
		case 1:
			if w.want("string", typ, 2) {
				v = String(w.text("string"))
			}
		case 2:
			if w.want("float", typ, 5) {
				if x := w.fixed(4); x != nil {
					v = Value{Kind: KindFloat, bits: uint64(binary.LittleEndian.Uint32(x))}
				}
			}
		case 3:
			if w.want("double", typ, 1) {
				if x := w.fixed(8); x != nil {
					v = Value{Kind: KindDouble, bits: binary.LittleEndian.Uint64(x)}
				}
			}
		case 4, 5, 6, 7:
			if w.want("number", typ, 0) {
				u := w.varint()
				switch field {
				case 4:
					v = Value{Kind: KindInt, bits: u}
				case 5:
					v = Uint(u)
				case 6:
					v = Sint(int64(u>>1) ^ -int64(u&1))
				case 7:
					v = Bool(u != 0)
				}
			}
		default:
			w.skip(typ)
		}
	}
}

func (d *decoder) feature(b []byte, l *Layer) (f Feature, reason string) {
	var tags, geometry []byte
	w := wire{b: b}
	for {
		field, typ, ok := w.next()
		if !ok {
			break
		}
		switch field {
		case 1:
			if w.want("id", typ, 0) {
				f.ID, f.HasID = w.varint(), true
			}
		case 2:
			if w.want("tags", typ, 2) {
				if tags != nil {
					w.fail("tags stand twice")
				}
				tags = w.bytes()
			}
		case 3:
			if w.want("type", typ, 0) {
				v := w.varint()
				if v > uint64(Polygons) {
					w.fail("geometry type %d: expected 0 to 3", v)
				}
				f.Type = GeomType(v)
			}
		case 4:
			if w.want("geometry", typ, 2) {
				if geometry != nil {
					w.fail("geometry stands twice")
				}
				geometry = w.bytes()
			}
		default:
			w.skip(typ)
		}
	}
	if w.err != "" {
		return f, w.err
	}
	if f.Tags, reason = decodeTags(tags, l); reason != "" {
		return f, reason
	}
	f.Parts, reason = d.geometry(geometry, f.Type, l.Extent)
	return f, reason
}

func decodeTags(b []byte, l *Layer) ([]uint32, string) {
	if len(b) == 0 {
		return nil, ""
	}
	n := 0
	for _, c := range b {
		if c < 0x80 {
			n++
		}
	}
	out := make([]uint32, 0, n)
	w := wire{b: b}
	for len(w.b) > 0 {
		v := w.varint()
		if w.err != "" {
			return nil, "tags: " + w.err
		}
		if limit := [2]int{len(l.Keys), len(l.Values)}[len(out)%2]; v >= uint64(limit) {
			return nil, fmt.Sprintf("tag %d names entry %d of %d", len(out), v, limit)
		}
		out = append(out, uint32(v))
	}
	if len(out)%2 != 0 {
		return nil, fmt.Sprintf("%d tags: expected pairs of key and value", len(out))
	}
	return out, ""
}
