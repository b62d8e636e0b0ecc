package classifier

import (
	"encoding/json"
	"fmt"
	"math"

	"mappe/artefacts/internal/column"
	"mappe/artefacts/keys"
	"mappe/artefacts/sectionfile"
	"mappe/shared/landscape/forest"
)

const edgesSection = "edges"

func treeSection(t int) string { return fmt.Sprintf("tree-%04d", t) }

// Encode writes a model: the same bytes for the same header and forest.
func Encode(h Header, f *forest.Forest) ([]byte, error) {
	h.Format = Version
	fail := func(err error) ([]byte, error) { return nil, fmt.Errorf("classifier: %w", err) }
	if err := f.Check(); err != nil {
		return fail(err)
	}
	if err := h.check(f); err != nil {
		return fail(err)
	}
	if len(f.Nodes) > maxNodes || f.Memory() > MaxMemory {
		return fail(fmt.Errorf("%d nodes of %d bytes: at most %d and %d are allowed", len(f.Nodes), f.Memory(), maxNodes, MaxMemory))
	}
	head, err := json.Marshal(h)
	if err != nil {
		return fail(err)
	}
	b, err := sectionfile.EncodeFilled(Family, head, func(b *sectionfile.Builder) error { return fill(b, f) })
	if err == nil && len(b) > MaxBytes {
		err = fmt.Errorf("a file of %d bytes: at most %d are allowed", len(b), MaxBytes)
	}
	if err != nil {
		return fail(err)
	}
	return b, nil
}

func fill(b *sectionfile.Builder, f *forest.Forest) error {
	body, err := column.EncodeAlone("classifier", edgesSection, len(f.Edges), func(w *column.Writer) {
		var counts, all []uint64
		for _, edges := range f.Edges {
			counts = append(counts, uint64(len(edges)))
			for _, e := range edges {
				all = append(all, uint64(math.Float32bits(e)))
			}
		}
		w.Ints(counts)
		w.List(len(all))
		w.Ints(all)
	})
	if err != nil {
		return err
	}
	if err := b.Add(edgesSection, body); err != nil {
		return err
	}
	leaf := 0
	for t, root := range f.Roots {
		end := len(f.Nodes)
		if t+1 < len(f.Roots) {
			end = int(f.Roots[t+1])
		}
		nodes := f.Nodes[root:end]
		leaves := (len(nodes) + 1) / 2
		body, err := encodeTree(treeSection(t), nodes, f.Weights[leaf:leaf+leaves], f.Shares[leaf*f.Classes:(leaf+leaves)*f.Classes])
		if err != nil {
			return err
		}
		if err := b.Add(treeSection(t), body); err != nil {
			return err
		}
		leaf += leaves
	}
	return nil
}

func encodeTree(name string, nodes []forest.Node, weights []uint32, shares []uint8) ([]byte, error) {
	return column.EncodeAlone("classifier", name, len(nodes), func(w *column.Writer) {
		features, bins := make([]byte, len(nodes)), make([]byte, 0, len(nodes)/2)
		for i, n := range nodes {
			features[i] = n.Feature
			if n.Feature != forest.Leaf {
				bins = append(bins, n.Bin)
			}
		}
		wide := make([]uint64, len(weights))
		for i, v := range weights {
			wide[i] = uint64(v)
		}
		w.Frame(features)
		w.Frame(bins)
		w.Ints(wide)
		w.Frame(shares)
	})
}

// Decode reads a model of any bytes; its memory is bounded by their length and by MaxMemory.
func Decode(b []byte) (*Model, error) {
	m, err := decode(b)
	if err != nil {
		return nil, fmt.Errorf("classifier: %w", err)
	}
	m.ID, m.explain = keys.Sum(b), forest.Explained(m.Forest)
	return m, nil
}

func decode(b []byte) (*Model, error) {
	if len(b) > MaxBytes {
		return nil, fmt.Errorf("a file of %d bytes: at most %d are read", len(b), MaxBytes)
	}
	d, err := sectionfile.Parse(b)
	if err != nil {
		return nil, err
	}
	if d.Family() != Family || d.Size() != int64(len(b)) {
		return nil, fmt.Errorf("%d bytes of the family %q, expected %d of %q", len(b), d.Family(), d.Size(), Family)
	}
	h, err := parseHeader(d.Head())
	if err != nil {
		return nil, fmt.Errorf("header: %w", err)
	}
	trees := h.Fit.Trees
	if trees < 1 || trees > forest.MaxTrees || d.Len() != trees+1 {
		return nil, fmt.Errorf("%d trees and %d sections", trees, d.Len())
	}
	f := &forest.Forest{Classes: len(h.Classes), Roots: make([]int32, trees)}
	if err := section(b, d, edgesSection, func(r *column.Reader, rows int) { f.Edges = readEdges(r, rows) }); err != nil {
		return nil, err
	}
	for t := range trees {
		f.Roots[t] = int32(len(f.Nodes))
		if err := section(b, d, treeSection(t), func(r *column.Reader, rows int) { readTree(r, rows, f) }); err != nil {
			return nil, err
		}
	}
	if err := f.Check(); err != nil {
		return nil, err
	}
	if err := h.check(f); err != nil {
		return nil, fmt.Errorf("header: %w", err)
	}
	return &Model{Header: *h, Forest: f}, nil
}

func section(b []byte, d *sectionfile.Directory, name string, read func(r *column.Reader, rows int)) error {
	i, ok := d.Find(name)
	if !ok {
		return fmt.Errorf("section %q is missing", name)
	}
	at, length := d.Range(i)
	body, err := d.Decode(i, b[at:at+length])
	if err != nil {
		return err
	}
	return column.DecodeAlone("section", name, body, read)
}

func readEdges(r *column.Reader, features int) [][]float32 {
	if features > forest.MaxFeatures {
		r.Fail("%d features, at most %d are read", features, forest.MaxFeatures)
		return nil
	}
	counts := column.Ints[uint32](r, features)
	all := column.Ints[uint32](r, r.List())
	edges := make([][]float32, features)
	for i, n := range counts {
		if int(n) > len(all) || n > forest.MaxEdges {
			r.Fail("feature %d has %d edges", i, n)
			return nil
		}
		edges[i] = make([]float32, n)
		for k := range edges[i] {
			edges[i][k] = math.Float32frombits(all[k])
		}
		all = all[n:]
	}
	if len(all) > 0 {
		r.Fail("%d edges belong to no feature", len(all))
	}
	return edges
}

// readTree appends a tree to the forest.
func readTree(r *column.Reader, rows int, f *forest.Forest) {
	root, leaf := len(f.Nodes), len(f.Weights)
	leaves := (rows + 1) / 2
	if rows%2 == 0 || root+rows > maxNodes || f.Memory()+int64(rows)*8+int64(leaves*(f.Classes+4)) > MaxMemory {
		r.Fail("%d nodes behind %d others", rows, root)
		return
	}
	for _, feature := range r.Frame(rows) {
		f.Nodes = append(f.Nodes, forest.Node{Feature: feature})
	}
	bins := r.Frame(rows - leaves)
	if r.Err != nil {
		return
	}
	var open []int // splits whose right child is still to come
	split, ended := 0, 0
	for i := root; i < len(f.Nodes); i++ {
		if f.Nodes[i].Feature != forest.Leaf {
			if split == len(bins) {
				r.Fail("more than %d of %d nodes are splits", split, rows)
				return
			}
			f.Nodes[i].Bin = bins[split]
			split++
			open = append(open, i)
			continue
		}
		f.Nodes[i].Right = int32(leaf + ended)
		ended++
		if n := len(open); n > 0 {
			f.Nodes[open[n-1]].Right = int32(i + 1)
			open = open[:n-1]
		}
	}
	f.Weights = append(f.Weights, column.Ints[uint32](r, leaves)...)
	f.Shares = append(f.Shares, r.Frame(leaves*f.Classes)...)
}
