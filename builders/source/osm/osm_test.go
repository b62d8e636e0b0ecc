package osm

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zlib"
	oracle "github.com/paulmach/osm"
	"github.com/paulmach/osm/osmpbf"
	"github.com/paulmach/osm/osmxml"

	"mappe/infra/realdata"
	"mappe/shared/geo/geom"
)

// all gathers every element as a line of text.
func all(lines *[]string) Visitor {
	return Visitor{
		Node: func(n *Node) error {
			*lines = append(*lines, fmt.Sprint("n", n.ID, " ", n.At.X, " ", n.At.Y, " ", tagged(n.Tags)))
			return nil
		},
		Way: func(w *Way) error {
			*lines = append(*lines, fmt.Sprint("w", w.ID, " ", w.Nodes, " ", tagged(w.Tags)))
			return nil
		},
		Relation: func(r *Relation) error {
			*lines = append(*lines, fmt.Sprint("r", r.ID, " ", r.Members, " ", tagged(r.Tags)))
			return nil
		},
	}
}

func tagged(t Tags) map[string]string {
	m := map[string]string{}
	for _, tag := range t {
		m[tag.Key] = tag.Value
	}
	return m
}

// lineOf is an element of the other reader as the same line.
func lineOf(o oracle.Object) string {
	tags := func(t oracle.Tags) map[string]string { return maps.Clone(t.Map()) }
	switch e := o.(type) {
	case *oracle.Node:
		p, _ := geom.PointAt(e.Lon, e.Lat)
		return fmt.Sprint("n", int64(e.ID), " ", p.X, " ", p.Y, " ", tags(e.Tags))
	case *oracle.Way:
		ids := []int64{}
		for _, n := range e.Nodes {
			ids = append(ids, int64(n.ID))
		}
		return fmt.Sprint("w", int64(e.ID), " ", ids, " ", tags(e.Tags))
	case *oracle.Relation:
		members := []Member{}
		for _, m := range e.Members {
			types := map[oracle.Type]MemberType{"node": NodeMember, "way": WayMember, "relation": RelationMember}
			members = append(members, Member{types[m.Type], m.Ref, m.Role})
		}
		return fmt.Sprint("r", int64(e.ID), " ", members, " ", tags(e.Tags))
	}
	return ""
}

// Real extracts in both forms hold what paulmach/osm reads in them, element by element.
func TestRealExtracts(t *testing.T) {
	for name, open := range map[string]func(io.Reader) oracle.Scanner{
		"osm/liechtenstein-2015-07-27.osm.pbf": func(r io.Reader) oracle.Scanner { return osmpbf.New(context.Background(), r, 1) },
		"osm/krems_2013-12.osm.gz": func(r io.Reader) oracle.Scanner {
			return osmxml.New(context.Background(), unzipped(t, r))
		},
	} {
		file, err := os.ReadFile(realdata.Path(t, name))
		if err != nil {
			t.Fatal(err)
		}
		form, ok := FormOf(name)
		if !ok {
			t.Fatalf("%s is no extract by its name", name)
		}
		var got []string
		v := all(&got)
		date := ""
		v.Date = func(d string) { date = d }
		if err := Read(bytes.NewReader(file), form, v); err != nil {
			t.Fatal(err)
		}
		s := open(bytes.NewReader(file))
		n := 0
		for s.Scan() {
			want := lineOf(s.Object())
			if want == "" {
				continue
			}
			if n >= len(got) || got[n] != want {
				t.Fatalf("%s: element %d: want %s, got %s", name, n, want, got[min(n, len(got)-1)])
			}
			n++
		}
		if s.Err() != nil || n != len(got) || n < 15_000 {
			t.Errorf("%s: %d elements, the other reader has %d, %v", name, len(got), n, s.Err())
		}
		t.Logf("%s: %d elements of %s", name, n, date)
	}
}

func unzipped(t *testing.T, r io.Reader) io.Reader {
	t.Helper()
	b, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	out, err := gunzip(b)
	if err != nil {
		t.Fatal(err)
	}
	return bytes.NewReader(out)
}

// The parts of a PBF file, for files that no writer would write.
func field(n int, body []byte) []byte {
	b := binary.AppendUvarint(nil, uint64(n)<<3|2)
	b = binary.AppendUvarint(b, uint64(len(body)))
	return append(b, body...)
}

func number(n int, v uint64) []byte {
	return binary.AppendUvarint(binary.AppendUvarint(nil, uint64(n)<<3), v)
}

func signed(values ...int64) (b []byte) {
	for _, v := range values {
		b = binary.AppendUvarint(b, uint64(v)<<1^uint64(v>>63))
	}
	return b
}

func join(parts ...[]byte) []byte { return bytes.Join(parts, nil) }

// sized is a block of which head and blob are given.
func sized(head, blob []byte) []byte {
	return join(binary.BigEndian.AppendUint32(nil, uint32(len(head))), head, blob)
}

func blockOf(kind string, data []byte) []byte {
	var z bytes.Buffer
	w := zlib.NewWriter(&z)
	w.Write(data)
	w.Close()
	blob := join(number(2, uint64(len(data))), field(3, z.Bytes()))
	return sized(join(field(1, []byte(kind)), number(3, uint64(len(blob)))), blob)
}

func fileOf(blocks ...[]byte) []byte {
	return join(append([][]byte{blockOf("OSMHeader", field(4, []byte("OsmSchema-V0.6")))}, blocks...)...)
}

func words(list ...string) []byte {
	var b []byte
	for _, w := range append([]string{""}, list...) {
		b = append(b, field(1, []byte(w))...)
	}
	return field(1, b)
}

// Nodes that are not dense are part of the format.
func TestPlainNodes(t *testing.T) {
	node := join(number(1, 14), field(2, []byte{1}), field(3, []byte{2}), number(8, uint64(480_000_000)<<1),
		number(9, uint64(150_000_000)<<1))
	var got []string
	err := Read(bytes.NewReader(fileOf(blockOf("OSMData", join(words("place", "village"), field(2, field(1, node)))))), PBF, all(&got))
	if err != nil || len(got) != 1 || got[0] != "n7 150000000 480000000 map[place:village]" {
		t.Errorf("got %v %v", got, err)
	}
}

// What is no extract is an error and neither a panic nor a large allocation.
func TestHostileExtracts(t *testing.T) {
	way := func(parts ...[]byte) []byte {
		return fileOf(blockOf("OSMData", join(words("highway"), field(2, field(3, join(parts...))))))
	}
	dense := func(parts ...[]byte) []byte {
		return fileOf(blockOf("OSMData", join(words("a"), field(2, field(2, join(parts...))))))
	}
	var bomb bytes.Buffer
	w := zlib.NewWriter(&bomb)
	w.Write(make([]byte, 64<<20))
	w.Close()
	bombed := func(says uint64) []byte {
		blob := join(number(2, says), field(3, bomb.Bytes()))
		return join(fileOf(), sized(join(field(1, []byte("OSMData")), number(3, uint64(len(blob)))), blob))
	}
	whole := fileOf(blockOf("OSMData",
		join(words("a"), field(2, field(2, join(field(1, signed(1, 1)), field(8, signed(1, 1)), field(9, signed(1, 1))))))))
	for name, c := range map[string]struct {
		file []byte
		want string
	}{
		"empty":                         {nil, "the file is empty"},
		"text":                          {[]byte("<osm/>"), "a block's head of"},
		"cut in a length":               {whole[:len(whole)-len(whole)/3], "ends in the middle"},
		"cut in a size":                 {append(bytes.Clone(whole), 0, 0), "ends in the middle"},
		"head of 4 GB":                  {[]byte{255, 255, 255, 255}, "a block's head of"},
		"block of negative size":        {sized(join(field(1, []byte("OSMHeader")), number(3, 1<<63)), nil), "at most"},
		"block of 32 MB that is absent": {sized(join(field(1, []byte("OSMHeader")), number(3, 32<<20)), nil), "ends in the middle"},
		"bomb that says so":             {bombed(64 << 20), "at most"},
		"bomb that lies":                {bombed(1000), "does not unpack to the 1000 bytes"},
		"negative unpacked size":        {bombed(1 << 63), "at most"},
		"no header":                     {blockOf("OSMData", nil), "want one OSMHeader"},
		"two headers":                   {fileOf(blockOf("OSMHeader", nil)), "want one OSMHeader"},
		"unknown requirement":           {blockOf("OSMHeader", field(4, []byte("Sorted.Type_then_ID"))), "which is not read"},
		"unknown compression": {sized(join(field(1, []byte("OSMHeader")), number(3, 4)), field(7, []byte{1, 2})),
			"zlib and none"},
		"tag beyond the words":     {way(number(1, 1), field(2, []byte{9}), field(3, []byte{1})), "names word 9"},
		"key without a value":      {way(number(1, 1), field(2, []byte{1})), "no protocol buffer"},
		"cut number":               {way(number(1, 1), field(8, []byte{0x80})), "no protocol buffer"},
		"fewer latitudes than ids": {dense(field(1, signed(1, 1)), field(8, signed(1)), field(9, signed(1, 1))), "no protocol buffer"},
		"dense key without a value": {dense(field(1, signed(1)), field(8, signed(1)), field(9, signed(1)), field(10, []byte{1})),
			"no protocol buffer"},
		"node beyond the pole": {dense(field(1, signed(1)), field(8, signed(950_000_000)), field(9, signed(1))),
			"nowhere on earth"},
		"node beyond all numbers": {dense(field(1, signed(1)), field(8, signed(-1<<63)), field(9, signed(1<<62))),
			"nowhere on earth"},
		"granularity 0": {fileOf(blockOf("OSMData", join(words(), number(17, 0), field(2, nil)))), "nowhere on earth"},
		"member without a kind": {fileOf(blockOf("OSMData",
			join(words(), field(2, field(4, join(field(8, []byte{0}), field(9, signed(1)))))))), "more than"},
	} {
		var got []string
		err := Read(bytes.NewReader(c.file), PBF, all(&got))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: want %q, got %v", name, c.want, err)
		}
	}
	for name, file := range map[string]string{
		"empty": "", "another root": "<html></html>", "cut": "<osm><node id='1'", "no id": "<osm><node/></osm>",
		"position": "<osm><node id='1' lon='NaN' lat='1'/></osm>", "another charset": "<?xml version='1.0' encoding='latin-1'?><osm/>",
		"node of a way": "<osm><way id='1'><nd ref='x'/></way></osm>",
		"member":        "<osm><relation id='1'><member type='area' ref='1'/></relation></osm>",
	} {
		var got []string
		if err := Read(strings.NewReader(file), XML, all(&got)); err == nil {
			t.Errorf("XML, %s: want an error, got %v", name, got)
		}
	}
}

// The error of a visitor ends the reading and comes back.
func TestVisitorEnds(t *testing.T) {
	enough := errors.New("enough")
	whole := fileOf(blockOf("OSMData",
		join(words("a"), field(2, field(2, join(field(1, signed(1, 1)), field(8, signed(1, 1)), field(9, signed(1, 1))))))))
	n := 0
	err := Read(bytes.NewReader(whole), PBF, Visitor{Node: func(*Node) error { n++; return enough }})
	if !errors.Is(err, enough) || n != 1 {
		t.Errorf("got %v after %d", err, n)
	}
}

func FuzzPBF(f *testing.F) {
	nodes := join(field(1, signed(1, 1)), field(8, signed(1, 1)), field(9, signed(1, 1)), field(10, []byte{1, 2, 0, 0}))
	way := join(number(1, 5), field(2, []byte{1}), field(3, []byte{2}), field(8, signed(1, 1)))
	relation := join(number(1, 5), field(8, []byte{0}), field(9, signed(1)), field(10, []byte{1}))
	data := join(words("a", "b"), field(2, join(field(2, nodes), field(3, way), field(4, relation))))
	f.Add(fileOf(blockOf("OSMData", data)))
	f.Add(data)
	f.Fuzz(func(t *testing.T, b []byte) {
		var got []string
		_ = Read(bytes.NewReader(b), PBF, all(&got)) // an error or not
		// Past the compression, which random bytes seldom get through.
		_ = (&block{v: &Visitor{Node: func(*Node) error { return nil }, Way: func(*Way) error { return nil },
			Relation: func(*Relation) error { return nil }}, granularity: 100}).read(b)
	})
}

func FuzzXML(f *testing.F) {
	f.Add([]byte("<osm timestamp='2020-01-01T00:00:00Z'><node id='1' lon='15' lat='48'><tag k='a' v='b'/></node><way id='2'><nd ref='1'/></way><relation id='3'><member type='way' ref='2' role='outer'/></relation></osm>"))
	f.Fuzz(func(t *testing.T, b []byte) {
		var got []string
		_ = Read(bytes.NewReader(b), XML, all(&got)) // an error or not
	})
}

func gunzip(b []byte) ([]byte, error) {
	z, err := gzip.NewReader(bytes.NewReader(b))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(z)
}
