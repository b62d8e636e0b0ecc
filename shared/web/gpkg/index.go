package gpkg

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/binary"
	"fmt"
	"math"
	"slices"
)

// The spatial index of a layer is an R-tree of SQLite (module rtree), whose nodes are rows of a table. Filled row by
// row it takes half of the time of a file; packed from all boxes at once it takes a tenth of that, and its nodes are
// full. A node, big-endian (sqlite.org/rtree.html, "Shadow tables"):
//
//	offset 0  2  depth of the tree, in the root; 0 in others
//	       2  2  number of cells
//	       4  24 each cell: row id, or number of the child node (8); min x, max x, min y, max y (4 each, float32)
//
// The root is node 1. Its length, which the module sets, is that of all nodes.

// cellBytes is the length of a cell.
const cellBytes = 24

// boxed is a row or a node with its box: min x, max x, min y, max y.
type boxed struct {
	id  int64
	box [4]float32
}

// boxedRow rounds the envelope (min x, min y, max x, max y) outwards.
func boxedRow(id int64, e [4]float64) boxed {
	return boxed{id, [4]float32{below(e[0]), -below(-e[2]), below(e[1]), -below(-e[3])}}
}

// below is the greatest float32 that is not above v.
func below(v float64) float32 {
	if f := float32(v); float64(f) <= v {
		return f
	}
	return math.Nextafter32(float32(v), float32(math.Inf(-1)))
}

// packed are the nodes of a tree, the root first, with their links.
type packed struct {
	nodes  [][]byte // nodes[i] is node i+1
	leaf   []int64  // by row id: its node; 0 for a row without a box
	parent []int64  // by node number: its parent; 0 for the root
}

// pack makes the tree of rows with nodes of a size. most is the greatest row id.
func pack(rows []boxed, most int64, size int) packed {
	p := packed{leaf: make([]int64, most+1), nodes: [][]byte{make([]byte, size)}, parent: []int64{0, 0}}
	level, depth := rows, 0
	for ; len(level) > (size-4)/cellBytes; depth++ {
		level = p.level(level, depth, size)
	}
	p.fill(1, level, depth)
	binary.BigEndian.PutUint16(p.nodes[0], uint16(depth))
	return p
}

// level puts the entries of a level into nodes and gives these as the entries of the next: slices of equal numbers
// by x, cut into nodes by y (Sort-Tile-Recursive).
func (p *packed) level(entries []boxed, depth, size int) []boxed {
	room := (size - 4) / cellBytes
	nodes := (len(entries) + room - 1) / room
	slice := int(math.Ceil(math.Sqrt(float64(nodes)))) * room
	by := func(lo, hi int) func(a, b boxed) int {
		return func(a, b boxed) int {
			return cmp.Or(cmp.Compare(a.box[lo]+a.box[hi], b.box[lo]+b.box[hi]), cmp.Compare(a.id, b.id))
		}
	}
	slices.SortFunc(entries, by(0, 1))
	var next []boxed
	for column := range slices.Chunk(entries, slice) {
		slices.SortFunc(column, by(2, 3))
		for cells := range slices.Chunk(column, room) {
			p.nodes, p.parent = append(p.nodes, make([]byte, size)), append(p.parent, 0)
			next = append(next, p.fill(int64(len(p.nodes)), cells, depth))
		}
	}
	return next
}

// fill writes the cells of a node and links them to it.
func (p *packed) fill(number int64, cells []boxed, depth int) boxed {
	inf := float32(math.Inf(1))
	n := boxed{number, [4]float32{inf, -inf, inf, -inf}}
	b := p.nodes[number-1]
	binary.BigEndian.PutUint16(b[2:], uint16(len(cells)))
	at := 4
	for _, c := range cells {
		binary.BigEndian.PutUint64(b[at:], uint64(c.id))
		for i, v := range c.box {
			binary.BigEndian.PutUint32(b[at+8+4*i:], math.Float32bits(v))
		}
		at += cellBytes
		n.box = [4]float32{min(n.box[0], c.box[0]), max(n.box[1], c.box[1]), min(n.box[2], c.box[2]), max(n.box[3], c.box[3])}
		if depth == 0 {
			p.leaf[c.id] = number
		} else {
			p.parent[c.id] = number
		}
	}
	return n
}

// writeIndex fills the R-tree of a layer, which is empty yet.
func (t *table) writeIndex(ctx context.Context, tx *sql.Tx) error {
	if len(t.boxes) == 0 {
		return nil
	}
	name := t.index()
	var size int
	if err := tx.QueryRowContext(ctx, "SELECT length(data) FROM "+quote(name+"_node")+" WHERE nodeno = 1").Scan(&size); err != nil {
		return err
	}
	if size < 4+2*cellBytes {
		return fmt.Errorf("nodes of %d bytes hold no two cells", size)
	}
	p := pack(t.boxes, t.rows, size)
	nodes := newInserter(tx, "REPLACE INTO "+quote(name+"_node"), 2)
	for i, b := range p.nodes {
		if err := nodes.add(ctx, int64(i+1), b); err != nil {
			return err
		}
	}
	parents := newInserter(tx, "INSERT INTO "+quote(name+"_parent"), 2)
	for number, parent := range p.parent {
		if parent == 0 {
			continue
		}
		if err := parents.add(ctx, int64(number), parent); err != nil {
			return err
		}
	}
	leaves := newInserter(tx, "INSERT INTO "+quote(name+"_rowid"), 2)
	for id, node := range p.leaf {
		if node == 0 {
			continue
		}
		if err := leaves.add(ctx, int64(id), node); err != nil {
			return err
		}
	}
	for _, in := range []*inserter{nodes, parents, leaves} {
		if err := in.end(ctx); err != nil {
			return err
		}
	}
	return nil
}
