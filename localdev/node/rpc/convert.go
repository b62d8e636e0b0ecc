package rpc

import (
	"fmt"
	"math"
	"time"

	"google.golang.org/protobuf/types/known/structpb"
	"google.golang.org/protobuf/types/known/timestamppb"

	documents "mappe/localdev/node/api/documents/v3alpha"
	"mappe/localdev/node/blob"
	"mappe/localdev/node/replay"
	"mappe/localdev/node/space"
)

func timestamp(ms int64) *timestamppb.Timestamp {
	return &timestamppb.Timestamp{Seconds: ms / 1000, Nanos: int32(ms % 1000 * 1_000_000)}
}

// DocumentMessage is the message of a document that was found.
func DocumentMessage(f *space.Found) (*documents.Document, error) {
	metadata, err := structOf(f.Attributes())
	if err != nil {
		return nil, err
	}
	content, err := f.Content()
	if err != nil {
		return nil, err
	}
	detached, err := f.Detached()
	if err != nil {
		return nil, err
	}
	first, last := f.Entries[0].Change, f.Entries[len(f.Entries)-1].Change
	d := &documents.Document{Account: f.Space.String(), Path: string(f.Path), Metadata: metadata, CreateTime: timestamp(first.Time),
		UpdateTime: timestamp(last.Time), Genesis: f.Genesis.String(), Version: f.Heads.String(),
		GenerationInfo: &documents.GenerationInfo{Genesis: f.Genesis.String(), Generation: f.Generation},
		Visibility:     documents.ResourceVisibility_RESOURCE_VISIBILITY_PUBLIC}
	for _, a := range f.Authors() {
		d.Authors = append(d.Authors, a.String())
	}
	if d.Content, err = nodes(content); err != nil {
		return nil, err
	}
	for id, n := range detached {
		m, err := node(n)
		if err != nil {
			return nil, err
		}
		if d.DetachedBlocks == nil {
			d.DetachedBlocks = map[string]*documents.BlockNode{}
		}
		d.DetachedBlocks[id] = m
	}
	return d, nil
}

func nodes(list []replay.Node) ([]*documents.BlockNode, error) {
	var out []*documents.BlockNode
	for _, n := range list {
		m, err := node(n)
		if err != nil {
			return nil, err
		}
		out = append(out, m)
	}
	return out, nil
}

func node(n replay.Node) (*documents.BlockNode, error) {
	b := n.Block
	m := &documents.Block{Id: b.ID, Type: b.Type, Text: b.Text, Link: b.Link}
	if n.Revision.Defined() {
		m.Revision = n.Revision.String()
	}
	var err error
	if len(b.Attributes) > 0 {
		if m.Attributes, err = structOf(b.Attributes); err != nil {
			return nil, err
		}
	}
	for _, a := range b.Annotations {
		attributes, err := structOf(a.Attributes)
		if err != nil {
			return nil, err
		}
		m.Annotations = append(m.Annotations, &documents.Annotation{Type: a.Type, Link: a.Link, Starts: a.Starts, Ends: a.Ends,
			Attributes: attributes})
	}
	children, err := nodes(n.Children)
	return &documents.BlockNode{Block: m, Children: children}, err
}

// structOf makes a Struct of attributes, whose numbers are int64 and float64.
func structOf(m map[string]any) (*structpb.Struct, error) {
	s, err := structpb.NewStruct(m)
	if err != nil {
		return nil, fmt.Errorf("attributes: %w", err)
	}
	return s, nil
}

// blockOf reads a block of a request. Numbers that are whole become integers: so does every client of the network.
func blockOf(m *documents.Block) (blob.Block, error) {
	b := blob.Block{ID: m.GetId(), Type: m.GetType(), Text: m.GetText(), Link: m.GetLink(), Attributes: attributesOf(m.GetAttributes())}
	for k := range b.Attributes {
		if blob.Reserved[k] {
			return b, fmt.Errorf("block %.40q: %s is a field of the block and no attribute", b.ID, k)
		}
	}
	for i, a := range m.GetAnnotations() {
		if len(a.Starts) != len(a.Ends) {
			return b, fmt.Errorf("block %.40q: annotations[%d] has %d starts and %d ends", b.ID, i, len(a.Starts), len(a.Ends))
		}
		b.Annotations = append(b.Annotations, blob.Annotation{Type: a.Type, Link: a.Link, Starts: a.Starts, Ends: a.Ends,
			Attributes: attributesOf(a.Attributes)})
	}
	return b, nil
}

func attributesOf(s *structpb.Struct) map[string]any {
	if len(s.GetFields()) == 0 {
		return nil
	}
	out := make(map[string]any, len(s.Fields))
	for k, v := range s.Fields {
		out[k] = valueOf(v)
	}
	return out
}

func valueOf(v *structpb.Value) any {
	switch k := v.GetKind().(type) {
	case *structpb.Value_NumberValue:
		if k.NumberValue == math.Trunc(k.NumberValue) && math.Abs(k.NumberValue) < 1<<53 {
			return int64(k.NumberValue)
		}
		return k.NumberValue
	case *structpb.Value_StringValue:
		return k.StringValue
	case *structpb.Value_BoolValue:
		return k.BoolValue
	case *structpb.Value_StructValue:
		out := map[string]any{}
		for key, w := range k.StructValue.GetFields() {
			out[key] = valueOf(w)
		}
		return out
	case *structpb.Value_ListValue:
		out := []any{}
		for _, w := range k.ListValue.GetValues() {
			out = append(out, valueOf(w))
		}
		return out
	}
	return nil
}

// Time is a moment of a blob.
func Time(ms int64) time.Time { return time.UnixMilli(ms).UTC() }
