package osm

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/klauspost/compress/zlib"

	"mappe/shared/geo/geom"
)

// The limits of a block, as the format's documentation sets them.
const (
	maxBlobHeader = 64 << 10
	maxBlob       = 32 << 20 // stored and decoded
)

// capabilities are what this reader knows of what a file may require of one.
var capabilities = map[string]bool{"OsmSchema-V0.6": true, "DenseNodes": true}

// pbfFile reads the blocks of a file.
type pbfFile struct {
	r     io.Reader
	v     *Visitor
	blob  []byte
	data  bytes.Buffer
	inflt io.ReadCloser
}

func readPBF(r io.Reader, v *Visitor) error {
	f := &pbfFile{r: r, v: v}
	for first := true; ; first = false {
		kind, err := f.next()
		if errors.Is(err, io.EOF) && !first {
			return nil
		}
		if errors.Is(err, io.EOF) {
			return errors.New("the file is empty")
		}
		if err != nil {
			return err
		}
		if first != (kind == "OSMHeader") {
			return fmt.Errorf("a block %.20q: want one OSMHeader, and it first", kind)
		}
		switch kind {
		case "OSMHeader":
			err = f.header()
		case "OSMData":
			err = (&block{v: f.v, granularity: 100}).read(f.data.Bytes())
		default:
			continue // the format asks readers to pass over blocks that they do not know
		}
		if err != nil {
			return err
		}
	}
}

// next reads a block; io.EOF where the file ends between two.
func (f *pbfFile) next() (kind string, err error) {
	var size [4]byte
	if _, err := io.ReadFull(f.r, size[:]); err != nil {
		if errors.Is(err, io.ErrUnexpectedEOF) {
			return "", errCut
		}
		return "", err
	}
	n := binary.BigEndian.Uint32(size[:])
	if n > maxBlobHeader {
		return "", fmt.Errorf("a block's head of %d bytes: at most %d are read", n, maxBlobHeader)
	}
	head, err := f.take(int(n))
	if err != nil {
		return "", err
	}
	length := uint64(0)
	m := message{rest: head}
	for m.next() {
		switch {
		case m.is(1, 2):
			kind = string(m.body)
		case m.is(3, 0):
			length = m.num
		}
	}
	if m.err != nil {
		return "", fmt.Errorf("a block's head: %w", m.err)
	}
	if length > maxBlob {
		return "", fmt.Errorf("a block of %d bytes: at most %d are read", int64(length), maxBlob)
	}
	blob, err := f.take(int(length))
	if err != nil {
		return "", err
	}
	return kind, f.unpack(blob)
}

var errCut = errors.New("the file ends in the middle of a block")

// take reads n bytes into the one buffer of the file. It grows with what is really there.
func (f *pbfFile) take(n int) ([]byte, error) {
	const step = 1 << 20
	f.blob = f.blob[:0]
	for len(f.blob) < n {
		at := len(f.blob)
		f.blob = append(f.blob, make([]byte, min(step, n-at))...)
		if _, err := io.ReadFull(f.r, f.blob[at:]); err != nil {
			return nil, errCut
		}
	}
	return f.blob, nil
}

// unpack decodes a blob into f.data.
func (f *pbfFile) unpack(blob []byte) error {
	f.data.Reset()
	raw, rawSize := []byte(nil), uint64(0)
	var packed []byte
	m := message{rest: blob}
	for m.next() {
		switch {
		case m.is(1, 2):
			raw = m.body
		case m.is(2, 0):
			rawSize = m.num
		case m.is(3, 2):
			packed = m.body
		case m.wire == 2:
			return fmt.Errorf("a block in the compression %d of the format: zlib and none are read", m.field)
		}
	}
	switch {
	case m.err != nil:
		return m.err
	case raw != nil:
		f.data.Write(raw)
		return nil
	case packed == nil:
		return nil
	case rawSize > maxBlob:
		return fmt.Errorf("a block of %d unpacked bytes: at most %d are read", int64(rawSize), maxBlob)
	}
	if f.inflt == nil {
		z, err := zlib.NewReader(bytes.NewReader(packed))
		if err != nil {
			return err
		}
		f.inflt = z
	} else if err := f.inflt.(zlib.Resetter).Reset(bytes.NewReader(packed), nil); err != nil {
		return err
	}
	if _, err := io.Copy(&f.data, io.LimitReader(f.inflt, int64(rawSize)+1)); err != nil {
		return fmt.Errorf("a block cannot be unpacked: %w", err)
	}
	if uint64(f.data.Len()) != rawSize {
		return fmt.Errorf("a block does not unpack to the %d bytes that it says", rawSize)
	}
	return nil
}

// header reads what the file requires, and its date.
func (f *pbfFile) header() error {
	m := message{rest: f.data.Bytes()}
	for m.next() {
		switch {
		case m.is(4, 2):
			if !capabilities[string(m.body)] {
				return fmt.Errorf("the file requires %.40q, which is not read", m.body)
			}
		case m.is(32, 0):
			if f.v.Date != nil && int64(m.num) > 0 && m.num < 1<<40 {
				f.v.Date(time.Unix(int64(m.num), 0).UTC().Format(time.DateOnly))
			}
		}
	}
	return m.err
}

// block is a PrimitiveBlock.
type block struct {
	v           *Visitor
	words       []string // string table
	granularity int64    // nanodegrees
	lat0, lon0  int64    // nanodegrees
	node        Node
	way         Way
	relation    Relation
}

func (b *block) read(data []byte) error {
	m := message{rest: data}
	groups := 0
	for m.next() {
		switch {
		case m.is(1, 2):
			t := message{rest: m.body}
			for t.next() {
				if t.is(1, 2) {
					b.words = append(b.words, string(t.body))
				}
			}
			if t.err != nil {
				return t.err
			}
		case m.is(2, 2):
			groups++
		case m.is(17, 0):
			b.granularity = int64(int32(m.num))
		case m.is(19, 0):
			b.lat0 = int64(m.num)
		case m.is(20, 0):
			b.lon0 = int64(m.num)
		}
	}
	if m.err != nil || groups == 0 {
		return m.err
	}
	if b.granularity < 1 || b.granularity > 1e9 || b.lat0 > maxNano || b.lat0 < -maxNano || b.lon0 > maxNano || b.lon0 < -maxNano {
		return errPosition
	}
	m = message{rest: data}
	for m.next() {
		if m.is(2, 2) {
			if err := b.group(m.body); err != nil {
				return err
			}
		}
	}
	return m.err
}

const maxNano = int64(360 * 1e9)

func (b *block) group(data []byte) error {
	m := message{rest: data}
	for m.next() {
		var err error
		switch {
		case m.is(1, 2) && b.v.Node != nil:
			err = b.plainNode(m.body)
		case m.is(2, 2) && b.v.Node != nil:
			err = b.denseNodes(m.body)
		case m.is(3, 2) && b.v.Way != nil:
			err = b.readWay(m.body)
		case m.is(4, 2) && b.v.Relation != nil:
			err = b.readRelation(m.body)
		}
		if err != nil {
			return err
		}
	}
	return m.err
}

// at is a place of its two coordinates in steps of the granularity.
func (b *block) at(lon, lat int64) (geom.Point, error) {
	if most := maxNano / b.granularity; lon > most || lon < -most || lat > most || lat < -most {
		return geom.Point{}, errPosition
	}
	return positionOf(toE7(b.lon0+b.granularity*lon), toE7(b.lat0+b.granularity*lat))
}

// toE7 rounds nanodegrees to 1e-7 degrees, half away from zero.
func toE7(nano int64) int64 {
	if nano < 0 {
		return -((-nano + 50) / 100)
	}
	return (nano + 50) / 100
}

func (b *block) plainNode(data []byte) error {
	m := message{rest: data}
	var lon, lat int64
	var keys, vals packed
	b.node = Node{Tags: b.node.Tags[:0]}
	for m.next() {
		switch {
		case m.is(1, 0):
			b.node.ID = zigzag(m.num)
		case m.is(2, 2):
			keys.rest = m.body
		case m.is(3, 2):
			vals.rest = m.body
		case m.is(8, 0):
			lat = zigzag(m.num)
		case m.is(9, 0):
			lon = zigzag(m.num)
		}
	}
	if m.err != nil {
		return m.err
	}
	var err error
	if b.node.Tags, err = b.tags(b.node.Tags, keys, vals); err != nil {
		return err
	}
	if b.node.At, err = b.at(lon, lat); err != nil {
		return err
	}
	return b.v.Node(&b.node)
}

// tags reads keys and values that stand in two fields.
func (b *block) tags(to Tags, keys, vals packed) (Tags, error) {
	for keys.more() {
		if !vals.more() {
			return nil, errWire
		}
		var err error
		if to, err = b.tag(to, keys.next(), vals.next()); err != nil {
			return nil, err
		}
	}
	return to, errors.Join(keys.err, vals.err)
}

func (b *block) tag(to Tags, key, val uint64) (Tags, error) {
	if key >= uint64(len(b.words)) || val >= uint64(len(b.words)) {
		return nil, fmt.Errorf("a tag names word %d of %d", max(key, val), len(b.words))
	}
	if len(to) == maxTags {
		return nil, errTooMany
	}
	return append(to, Tag{b.words[key], b.words[val]}), nil
}

func (b *block) denseNodes(data []byte) error {
	m := message{rest: data}
	var ids, lats, lons, words packed
	for m.next() {
		switch {
		case m.is(1, 2):
			ids.rest = m.body
		case m.is(8, 2):
			lats.rest = m.body
		case m.is(9, 2):
			lons.rest = m.body
		case m.is(10, 2):
			words.rest = m.body
		}
	}
	if m.err != nil {
		return m.err
	}
	var id, lat, lon int64
	for ids.more() {
		if !lats.more() || !lons.more() {
			return errWire
		}
		id, lat, lon = id+ids.signed(), lat+lats.signed(), lon+lons.signed()
		b.node = Node{ID: id, Tags: b.node.Tags[:0]}
		for words.more() {
			key := words.next()
			if key == 0 {
				break
			}
			if !words.more() {
				return errWire
			}
			var err error
			if b.node.Tags, err = b.tag(b.node.Tags, key, words.next()); err != nil {
				return err
			}
		}
		if err := errors.Join(ids.err, lats.err, lons.err, words.err); err != nil {
			return err
		}
		var err error
		if b.node.At, err = b.at(lon, lat); err != nil {
			return err
		}
		if err := b.v.Node(&b.node); err != nil {
			return err
		}
	}
	return ids.err
}

func (b *block) readWay(data []byte) error {
	m := message{rest: data}
	var keys, vals, refs packed
	b.way = Way{Nodes: b.way.Nodes[:0], Tags: b.way.Tags[:0]}
	for m.next() {
		switch {
		case m.is(1, 0):
			b.way.ID = int64(m.num)
		case m.is(2, 2):
			keys.rest = m.body
		case m.is(3, 2):
			vals.rest = m.body
		case m.is(8, 2):
			refs.rest = m.body
		}
	}
	if m.err != nil {
		return m.err
	}
	id := int64(0)
	for refs.more() {
		if id += refs.signed(); len(b.way.Nodes) == maxNodes {
			return errTooMany
		}
		b.way.Nodes = append(b.way.Nodes, id)
	}
	var err error
	if b.way.Tags, err = b.tags(b.way.Tags, keys, vals); err != nil || refs.err != nil {
		return errors.Join(err, refs.err)
	}
	return b.v.Way(&b.way)
}

func (b *block) readRelation(data []byte) error {
	m := message{rest: data}
	var keys, vals, roles, ids, kinds packed
	r := &b.relation
	*r = Relation{Members: r.Members[:0], Tags: r.Tags[:0]}
	for m.next() {
		switch {
		case m.is(1, 0):
			r.ID = int64(m.num)
		case m.is(2, 2):
			keys.rest = m.body
		case m.is(3, 2):
			vals.rest = m.body
		case m.is(8, 2):
			roles.rest = m.body
		case m.is(9, 2):
			ids.rest = m.body
		case m.is(10, 2):
			kinds.rest = m.body
		}
	}
	if m.err != nil {
		return m.err
	}
	id := int64(0)
	for ids.more() {
		if !roles.more() || !kinds.more() || len(r.Members) == maxMembers {
			return errTooMany
		}
		id += ids.signed()
		role, kind := roles.next(), kinds.next()
		if role >= uint64(len(b.words)) || kind > uint64(RelationMember) {
			return fmt.Errorf("a member of the kind %d in the role %d of %d", kind, role, len(b.words))
		}
		r.Members = append(r.Members, Member{MemberType(kind), id, b.words[role]})
	}
	var err error
	if r.Tags, err = b.tags(r.Tags, keys, vals); err != nil || ids.err != nil || roles.err != nil || kinds.err != nil {
		return errors.Join(err, ids.err, roles.err, kinds.err)
	}
	return b.v.Relation(r)
}
