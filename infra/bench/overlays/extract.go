package main

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"

	"github.com/klauspost/compress/zlib"

	"mappe/artefacts/proximity"
	"mappe/shared/geo/geom"
)

// extract writes an OpenStreetMap extract (.osm.pbf) as planet files are written: nodes, then ways, in blocks of 8,000.
type extract struct {
	to  io.Writer
	err error
	id  int64
	// of the block under way
	words         map[string]int
	table         [][]byte
	n             int
	ids, lat, lon []int64
	tags          []byte   // keys_vals of dense nodes
	ways          [][]byte // encoded
	last          [3]int64
}

const perBlock = 8000

// node writes a node and gives its id.
func (e *extract) node(p geom.Point, tags ...string) int64 {
	e.id++
	at := [3]int64{e.id, int64(p.Y), int64(p.X)}
	e.ids, e.lat, e.lon = append(e.ids, at[0]-e.last[0]), append(e.lat, at[1]-e.last[1]), append(e.lon, at[2]-e.last[2])
	e.last = at
	for _, t := range tags {
		e.tags = binary.AppendUvarint(e.tags, uint64(e.word(t)))
	}
	e.tags = append(e.tags, 0)
	e.count()
	return e.id
}

// way writes a way.
func (e *extract) way(nodes []int64, tags ...string) {
	e.id++
	var keys, values, refs []byte
	for i := 0; i+1 < len(tags); i += 2 {
		keys, values = binary.AppendUvarint(keys, uint64(e.word(tags[i]))), binary.AppendUvarint(values, uint64(e.word(tags[i+1])))
	}
	last := int64(0)
	for _, id := range nodes {
		refs = binary.AppendVarint(refs, id-last)
		last = id
	}
	w := binary.AppendUvarint([]byte{1 << 3}, uint64(e.id))
	w = message(message(message(w, 2, keys), 3, values), 8, refs)
	e.ways = append(e.ways, w)
	e.count()
}

func (e *extract) word(s string) int {
	if i, ok := e.words[s]; ok {
		return i
	}
	if e.words == nil {
		e.words, e.table = map[string]int{}, [][]byte{nil}
	}
	e.words[s] = len(e.table)
	e.table = append(e.table, []byte(s))
	return len(e.table) - 1
}

func (e *extract) count() {
	if e.n++; e.n == perBlock {
		e.flush()
	}
}

// message appends a field of bytes.
func message(to []byte, field int, b []byte) []byte {
	to = binary.AppendUvarint(to, uint64(field)<<3|2)
	return append(binary.AppendUvarint(to, uint64(len(b))), b...)
}

func packed(v []int64) (b []byte) {
	for _, x := range v {
		b = binary.AppendVarint(b, x)
	}
	return b
}

// flush ends a block: nodes and ways stand in blocks of their own.
func (e *extract) flush() {
	if e.n == 0 {
		return
	}
	var words, group []byte
	if e.table == nil {
		e.table = [][]byte{nil}
	}
	for _, s := range e.table {
		words = message(words, 1, s)
	}
	if len(e.ids) > 0 {
		dense := message(message(message(message(nil, 1, packed(e.ids)), 8, packed(e.lat)), 9, packed(e.lon)), 10, e.tags)
		group = message(group, 2, dense)
	}
	for _, w := range e.ways {
		group = message(group, 3, w)
	}
	e.blob("OSMData", message(message(nil, 1, words), 2, group))
	*e = extract{to: e.to, err: e.err, id: e.id}
}

func (e *extract) blob(kind string, body []byte) {
	var z bytes.Buffer
	w := zlib.NewWriter(&z)
	if _, err := w.Write(body); err != nil && e.err == nil {
		e.err = err
	}
	if err := w.Close(); err != nil && e.err == nil {
		e.err = err
	}
	blob := message(binary.AppendUvarint([]byte{2 << 3}, uint64(len(body))), 3, z.Bytes())
	head := binary.AppendUvarint(append(message(nil, 1, []byte(kind)), 3<<3), uint64(len(blob)))
	for _, b := range [][]byte{binary.BigEndian.AppendUint32(nil, uint32(len(head))), head, blob} {
		if _, err := e.to.Write(b); err != nil && e.err == nil {
			e.err = err
		}
	}
}

// writeExtract writes the community map, and other nodes beside it: an extract of Austria has some 100 million, most of
// them of houses and fields.
func writeExtract(to io.Writer, c *proximity.Country, others int) error {
	e := &extract{to: to}
	e.blob("OSMHeader", message(message(nil, 4, []byte("OsmSchema-V0.6")), 4, []byte("DenseNodes")))
	for i := range c.Points {
		p := &c.Points[i]
		key, value := pointTag(p.Class)
		tags := []string{key, value, "name", p.Name}
		if p.Population >= 0 {
			tags = append(tags, "population", fmt.Sprint(p.Population))
		}
		e.node(p.At, tags...)
	}
	lines := make([][]int64, len(c.Lines))
	for i := range c.Lines {
		for _, p := range c.Lines[i].Vertices {
			lines[i] = append(lines[i], e.node(p))
		}
	}
	areas := make([][]int64, len(c.Areas))
	for i := range c.Areas {
		for _, p := range c.Areas[i].Geometry[0][0] {
			areas[i] = append(areas[i], e.node(p))
		}
	}
	for i := range others {
		e.node(geom.Point{X: 130_000_000 + int32(i%20_000_000), Y: 470_000_000 + int32(i%7_000_000)})
	}
	e.flush()
	for i := range c.Lines {
		l := &c.Lines[i]
		e.way(lines[i], lineKeys[l.Class.Category()], l.Class.String(), "name", l.Name)
	}
	for i, nodes := range areas {
		e.way(append(nodes, nodes[0]), "natural", "water", "name", c.Areas[i].Name)
	}
	e.flush()
	return e.err
}

var lineKeys = map[proximity.Category]string{proximity.Road: "highway", proximity.Rail: "railway", proximity.Water: "waterway"}

func pointTag(k proximity.Class) (key, value string) {
	switch {
	case k.Category() == proximity.Place:
		return "place", k.String()
	case k.Trains():
		return "railway", "station"
	default:
		return "highway", k.String()
	}
}
