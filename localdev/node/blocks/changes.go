package blocks

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/structpb"

	documents "mappe/localdev/node/api/documents/v3alpha"
)

// Changes are the steps from a document to what a draft says; none when they are equal. A nil document is a new one. Attributes that
// the draft does not name stay.
func Changes(from *documents.Document, to *Draft) ([]*documents.DocumentChange, error) {
	c := &changes{before: map[string]*documents.Block{}, parent: map[string]string{}, order: map[string][]string{},
		wanted: map[string]bool{}}
	c.read(from.GetContent(), "")
	if err := c.metadata(from.GetMetadata().GetFields(), nil, to.Metadata); err != nil {
		return nil, err
	}
	var want func(list []*documents.BlockNode)
	want = func(list []*documents.BlockNode) {
		for _, n := range list {
			c.wanted[n.Block.Id] = true
			want(n.Children)
		}
	}
	want(to.Content)
	c.place(to.Content, "")
	c.remove(from.GetContent())
	return c.list, nil
}

type changes struct {
	before map[string]*documents.Block
	parent map[string]string
	order  map[string][]string // the children of a parent, as they are after the steps so far
	wanted map[string]bool
	list   []*documents.DocumentChange
}

func (c *changes) read(list []*documents.BlockNode, parent string) {
	for _, n := range list {
		c.before[n.Block.Id], c.parent[n.Block.Id] = n.Block, parent
		c.order[parent] = append(c.order[parent], n.Block.Id)
		c.read(n.Children, n.Block.Id)
	}
}

// metadata sets what differs. An object has its keys below the key.
func (c *changes) metadata(from map[string]*structpb.Value, key []string, to map[string]any) error {
	for _, k := range slices.Sorted(maps.Keys(to)) {
		if strings.Contains(k, ".") || k == "" {
			return fmt.Errorf("metadata %q: a key is not empty and has no dot", k)
		}
		path := append(slices.Clone(key), k)
		if below, ok := to[k].(map[string]any); ok {
			if err := c.metadata(from[k].GetStructValue().GetFields(), path, below); err != nil {
				return err
			}
			continue
		}
		set := &documents.DocumentChange_SetAttribute{Key: path}
		switch v := to[k].(type) {
		case string:
			set.Value = &documents.DocumentChange_SetAttribute_StringValue{StringValue: v}
		case bool:
			set.Value = &documents.DocumentChange_SetAttribute_BoolValue{BoolValue: v}
		case float64:
			if v != math.Trunc(v) || math.Abs(v) >= 1<<53 {
				return fmt.Errorf("metadata %s: expected a whole number", strings.Join(path, "."))
			}
			set.Value = &documents.DocumentChange_SetAttribute_IntValue{IntValue: int64(v)}
		default:
			return fmt.Errorf("metadata %s: expected text, a whole number, true or false", strings.Join(path, "."))
		}
		want, err := structpb.NewValue(to[k])
		if err != nil {
			return err
		}
		if old := from[k]; old == nil || !proto.Equal(old, want) {
			c.list = append(c.list, &documents.DocumentChange{Op: &documents.DocumentChange_SetAttribute_{SetAttribute: set}})
		}
	}
	return nil
}

// place moves and writes the blocks of a parent.
func (c *changes) place(list []*documents.BlockNode, parent string) {
	left := ""
	// blocks that stay are those whose order among themselves is that of the draft
	stays := c.staying(list, parent)
	for _, n := range list {
		id := n.Block.Id
		if !stays[id] {
			c.list = append(c.list, &documents.DocumentChange{Op: &documents.DocumentChange_MoveBlock_{
				MoveBlock: &documents.DocumentChange_MoveBlock{BlockId: id, Parent: parent, LeftSibling: left}}})
		}
		if old := c.before[id]; old == nil || !sameBlock(old, n.Block) {
			c.list = append(c.list, &documents.DocumentChange{Op: &documents.DocumentChange_ReplaceBlock{ReplaceBlock: n.Block}})
		}
		left = id
		c.place(n.Children, id)
	}
}

// staying are the blocks that need not be moved: the longest run of children whose order is the same before and after.
func (c *changes) staying(list []*documents.BlockNode, parent string) map[string]bool {
	at := map[string]int{}
	for i, id := range c.order[parent] {
		if c.parent[id] == parent {
			at[id] = i
		}
	}
	var positions []int
	for _, n := range list {
		if i, ok := at[n.Block.Id]; ok {
			positions = append(positions, i)
		}
	}
	kept := map[string]bool{}
	for _, i := range increasing(positions) {
		kept[c.order[parent][i]] = true
	}
	return kept
}

// increasing is the longest rising subsequence.
func increasing(list []int) []int {
	var ends []int // indices: the smallest last number of a subsequence of each length
	before := make([]int, len(list))
	for i, v := range list {
		n, _ := slices.BinarySearchFunc(ends, v, func(j, v int) int { return list[j] - v })
		before[i] = -1
		if n > 0 {
			before[i] = ends[n-1]
		}
		if n == len(ends) {
			ends = append(ends, i)
		} else {
			ends[n] = i
		}
	}
	if len(ends) == 0 {
		return nil
	}
	var out []int
	for j := ends[len(ends)-1]; j >= 0; j = before[j] {
		out = append(out, list[j])
	}
	slices.Reverse(out)
	return out
}

// remove deletes what the draft does not have; what lies in it goes with it, or has been moved.
func (c *changes) remove(list []*documents.BlockNode) {
	for _, n := range list {
		if !c.wanted[n.Block.Id] {
			c.list = append(c.list, &documents.DocumentChange{Op: &documents.DocumentChange_DeleteBlock{DeleteBlock: n.Block.Id}})
		}
		c.remove(n.Children)
	}
}

// sameBlock says whether two blocks say the same; their revisions do not count.
func sameBlock(a, b *documents.Block) bool {
	x, y := proto.CloneOf(a), proto.CloneOf(b)
	for _, m := range []*documents.Block{x, y} {
		m.Revision = ""
		if len(m.GetAttributes().GetFields()) == 0 {
			m.Attributes = nil
		}
		for _, mark := range m.Annotations {
			if len(mark.GetAttributes().GetFields()) == 0 {
				mark.Attributes = nil
			}
		}
	}
	return proto.Equal(x, y)
}
