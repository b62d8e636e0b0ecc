// Package blocks turns what people write into the blocks of documents and back: block JSON as {block: {type, text}, children},
// Markdown, and HTML for reading. Input is strict: what no reader would show is refused with its place, before anything is signed.
package blocks

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"unicode/utf8"

	"github.com/mr-tron/base58"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/types/known/structpb"

	documents "mappe/localdev/node/api/documents/v3alpha"
)

// Types are the nine that the network names and this node shows; others of this spelling are kept as they are.
var Types = []string{"Paragraph", "Heading", "Code", "Image", "Embed", "Video", "Math", "OrderedList", "UnorderedList"}

const (
	// maxDepth is how deep blocks may lie in each other.
	maxDepth = 200
	// maxBlocks is how many blocks a document may have.
	maxBlocks = 50_000
)

// Draft is a document as it is written.
type Draft struct {
	Metadata map[string]any
	Content  []*documents.BlockNode
}

var (
	pascalCase = regexp.MustCompile(`^[A-Z][A-Za-z0-9]*$`)
	errType    = errors.New("expected a type with a capital letter first, as in Paragraph; others make an empty document")
)

// ParseJSON reads block JSON: a list of {block, children}, one of them, or {metadata: {key: text}, content: [...]}.
func ParseJSON(raw []byte) (*Draft, error) {
	d := &Draft{Metadata: map[string]any{}}
	raw = bytes.TrimSpace(raw)
	p := &parser{ids: map[string]string{}}
	var err error
	if len(raw) > 0 && raw[0] == '[' {
		d.Content, err = p.list(raw, "content", 0)
	} else {
		var m map[string]json.RawMessage
		if m, err = object(raw, "the document"); err != nil {
			return nil, err
		}
		if _, one := m["block"]; one {
			var n *documents.BlockNode
			n, err = p.node(raw, "content[0]", 0)
			d.Content = []*documents.BlockNode{n}
		} else {
			err = p.document(d, m)
		}
	}
	if err != nil {
		return nil, err
	}
	Name(d.Content)
	return d, nil
}

// object reads a JSON object whose names stand once.
func object(raw []byte, place string) (map[string]json.RawMessage, error) {
	in := json.NewDecoder(bytes.NewReader(raw))
	t, err := in.Token()
	if err != nil || t != json.Delim('{') {
		return nil, fmt.Errorf("%s: expected a JSON object", place)
	}
	m := map[string]json.RawMessage{}
	for in.More() {
		t, err := in.Token()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", place, err)
		}
		name, _ := t.(string) // names of objects are texts
		if _, twice := m[name]; twice {
			return nil, fmt.Errorf("%s: %q stands twice", place, name)
		}
		var v json.RawMessage
		if err := in.Decode(&v); err != nil {
			return nil, fmt.Errorf("%s: %w", place, err)
		}
		m[name] = v
	}
	if _, err := in.Token(); err != nil {
		return nil, fmt.Errorf("%s: %w", place, err)
	}
	if _, err := in.Token(); !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("%s: something follows the object", place)
	}
	return m, nil
}

type parser struct {
	ids   map[string]string // the place of each id
	count int
}

func (p *parser) document(d *Draft, m map[string]json.RawMessage) error {
	for name, v := range m {
		switch name {
		case "content":
		case "metadata":
			if err := json.Unmarshal(v, &d.Metadata); err != nil {
				return fmt.Errorf("metadata: expected an object")
			}
		default:
			return fmt.Errorf("%q: expected content, metadata, or a block with children", name)
		}
	}
	var err error
	d.Content, err = p.list(m["content"], "content", 0)
	return err
}

func (p *parser) list(raw json.RawMessage, place string, depth int) ([]*documents.BlockNode, error) {
	if len(raw) == 0 || string(raw) == "null" {
		return nil, nil
	}
	var items []json.RawMessage
	if err := json.Unmarshal(raw, &items); err != nil {
		return nil, fmt.Errorf("%s: expected a list of {block, children}", place)
	}
	var out []*documents.BlockNode
	for i, item := range items {
		n, err := p.node(item, place+"["+strconv.Itoa(i)+"]", depth)
		if err != nil {
			return nil, err
		}
		out = append(out, n)
	}
	return out, nil
}

func (p *parser) node(raw json.RawMessage, place string, depth int) (*documents.BlockNode, error) {
	if depth > maxDepth {
		return nil, fmt.Errorf("%.200s…: blocks lie more than %d deep in each other", place, maxDepth)
	}
	if p.count++; p.count > maxBlocks {
		return nil, fmt.Errorf("more than %d blocks", maxBlocks)
	}
	m, err := object(raw, place)
	if err != nil {
		return nil, err
	}
	for name := range m {
		if name != "block" && name != "children" {
			return nil, fmt.Errorf("%s: %q stands beside the block: it belongs into it, else the document would be empty", place, name)
		}
	}
	if m["block"] == nil {
		return nil, fmt.Errorf("%s: block is missing", place)
	}
	n := &documents.BlockNode{}
	if n.Block, err = p.block(m["block"], place+".block"); err != nil {
		return nil, err
	}
	n.Children, err = p.list(m["children"], place+".children", depth+1)
	return n, err
}

// block reads the fields of a block. Its revision, which readers get, is passed over.
func (p *parser) block(raw json.RawMessage, place string) (*documents.Block, error) {
	if _, err := object(raw, place); err != nil {
		return nil, err
	}
	b := &documents.Block{}
	if err := protojson.Unmarshal(raw, b); err != nil {
		return nil, fmt.Errorf("%s: expected id, type, text, link, attributes and annotations: %w", place, plainly(err))
	}
	b.Revision = ""
	if !pascalCase.MatchString(b.Type) {
		return nil, fmt.Errorf("%s.type %.40q: %w", place, b.Type, errType)
	}
	if b.Id != "" {
		if first, twice := p.ids[b.Id]; twice {
			return nil, fmt.Errorf("%s.id %.40q: %s has it too", place, b.Id, first)
		}
		p.ids[b.Id] = place
	}
	return b, annotations(b, place)
}

// unstable is what protojson puts into its errors, so that nobody compares them.
var unstable = regexp.MustCompile(`^proto:[\s\x{a0}]*(\(line \d+:\d+\):[\s\x{a0}]*)?`)

func plainly(err error) error { return errors.New(unstable.ReplaceAllString(err.Error(), "")) }

// annotations holds ranges to the text.
func annotations(b *documents.Block, place string) error {
	length := int32(utf8.RuneCountInString(b.Text))
	for i, a := range b.Annotations {
		if len(a.Starts) != len(a.Ends) {
			return fmt.Errorf("%s.annotations[%d]: %d starts and %d ends", place, i, len(a.Starts), len(a.Ends))
		}
		for j := range a.Starts {
			if a.Starts[j] < 0 || a.Starts[j] >= a.Ends[j] || a.Ends[j] > length {
				return fmt.Errorf("%s.annotations[%d]: %d to %d is no part of the text, which has %d characters", place, i, a.Starts[j],
					a.Ends[j], length)
			}
		}
	}
	return nil
}

// Name gives ids to blocks that have none: of what they say and how often it has been said, so that the same file gives the same ids.
func Name(content []*documents.BlockNode) {
	taken, said := map[string]bool{}, map[string]int{}
	var collect, name func([]*documents.BlockNode)
	collect = func(list []*documents.BlockNode) {
		for _, n := range list {
			taken[n.Block.Id] = true
			collect(n.Children)
		}
	}
	name = func(list []*documents.BlockNode) {
		for _, n := range list {
			for b := n.Block; b.Id == ""; {
				what := b.Type + "\x00" + b.Text + "\x00" + b.Link
				sum := sha256.Sum256([]byte(what + "\x00" + strconv.Itoa(said[what])))
				said[what]++
				if id := base58.Encode(sum[:])[:8]; !taken[id] {
					b.Id, taken[id] = id, true
				}
			}
			name(n.Children)
		}
	}
	collect(content)
	name(content)
}

// JSON writes a document as block JSON that ParseJSON reads.
func JSON(d *documents.Document) ([]byte, error) {
	out := struct {
		Metadata map[string]any `json:"metadata"`
		Content  []any          `json:"content"`
	}{d.GetMetadata().AsMap(), nodesJSON(d.Content)}
	return json.MarshalIndent(out, "", "  ")
}

func nodesJSON(list []*documents.BlockNode) []any {
	out := []any{}
	for _, n := range list {
		m := map[string]any{"block": blockJSON(n.Block)}
		if len(n.Children) > 0 {
			m["children"] = nodesJSON(n.Children)
		}
		out = append(out, m)
	}
	return out
}

func blockJSON(b *documents.Block) map[string]any {
	m := map[string]any{"id": b.Id, "type": b.Type, "text": b.Text}
	if b.Link != "" {
		m["link"] = b.Link
	}
	if len(b.GetAttributes().GetFields()) > 0 {
		m["attributes"] = b.Attributes.AsMap()
	}
	var marks []any
	for _, a := range b.Annotations {
		mark := map[string]any{"type": a.Type, "starts": a.Starts, "ends": a.Ends}
		if a.Link != "" {
			mark["link"] = a.Link
		}
		if len(a.GetAttributes().GetFields()) > 0 {
			mark["attributes"] = a.Attributes.AsMap()
		}
		marks = append(marks, mark)
	}
	if marks != nil {
		m["annotations"] = marks
	}
	return m
}

// attribute is an attribute's text.
func attribute(b *documents.Block, key string) string {
	return b.GetAttributes().GetFields()[key].GetStringValue()
}

func withAttribute(b *documents.Block, key, value string) *documents.Block {
	if b.Attributes == nil {
		b.Attributes = &structpb.Struct{Fields: map[string]*structpb.Value{}}
	}
	b.Attributes.Fields[key] = structpb.NewStringValue(value)
	return b
}
