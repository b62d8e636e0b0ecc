package blob

import (
	"errors"
	"fmt"
	"maps"
	"math"

	"github.com/ipfs/go-cid"
)

// Block is what a block says. Attributes stand beside the named fields in the map.
type Block struct {
	ID, Type, Text, Link string
	Attributes           map[string]any
	Annotations          []Annotation
}

// Annotation marks ranges of a block's text, counted in Unicode code points.
type Annotation struct {
	Type, Link   string
	Starts, Ends []int32
	Attributes   map[string]any
}

// Fields are those of the map.
func (b Block) Fields() map[string]any {
	m := maps.Clone(b.Attributes)
	if m == nil {
		m = map[string]any{}
	}
	setText(m, "id", b.ID)
	setText(m, "type", b.Type)
	setText(m, "text", b.Text)
	setText(m, "link", b.Link)
	if len(b.Annotations) > 0 {
		list := make([]any, len(b.Annotations))
		for i, a := range b.Annotations {
			list[i] = a.fields()
		}
		m["annotations"] = list
	}
	return m
}

func (a Annotation) fields() map[string]any {
	m := maps.Clone(a.Attributes)
	if m == nil {
		m = map[string]any{}
	}
	m["type"] = a.Type
	setText(m, "link", a.Link)
	m["starts"], m["ends"] = numberList(a.Starts), numberList(a.Ends)
	return m
}

func setText(m map[string]any, key, text string) {
	if text != "" {
		m[key] = text
	}
}

func numberList(numbers []int32) []any {
	out := make([]any, len(numbers))
	for i, n := range numbers {
		out[i] = int64(n)
	}
	return out
}

// Reserved are the names of a block's fields that no attribute has.
var Reserved = map[string]bool{"id": true, "type": true, "text": true, "link": true, "annotations": true}

func readBlock(m map[string]any) (Block, error) {
	if m == nil {
		return Block{}, errors.New("expected a map")
	}
	f := &fields{m: m}
	b := Block{ID: f.text("id"), Type: f.text("type"), Text: f.text("text"), Link: f.text("link")}
	for i, v := range f.list("annotations") {
		a, err := readAnnotation(v)
		if err != nil && f.err == nil {
			f.err = fmt.Errorf("annotations[%d]: %w", i, err)
		}
		b.Annotations = append(b.Annotations, a)
	}
	if f.err == nil && b.ID == "" {
		f.err = errors.New("id is missing")
	}
	var err error
	if b.Attributes, err = rest(m, f.seen); err != nil && f.err == nil {
		f.err = err
	}
	return b, f.err
}

func readAnnotation(v any) (Annotation, error) {
	m, ok := v.(map[string]any)
	if !ok {
		return Annotation{}, errors.New("expected a map")
	}
	f := &fields{m: m}
	a := Annotation{Type: f.text("type"), Link: f.text("link"), Starts: f.numbers("starts"), Ends: f.numbers("ends")}
	if f.err == nil && len(a.Starts) != len(a.Ends) {
		f.err = errors.New("starts and ends are not equally many")
	}
	var err error
	if a.Attributes, err = rest(m, f.seen); err != nil && f.err == nil {
		f.err = err
	}
	return a, f.err
}

func (f *fields) numbers(key string) []int32 {
	var out []int32
	for _, v := range f.list(key) {
		n, ok := v.(int64)
		if !ok || n < 0 || n > math.MaxInt32 {
			f.wrong(key, "a list of positions", v)
			return nil
		}
		out = append(out, int32(n))
	}
	return out
}

// rest are the fields that were not named, nil for none: attributes, which are what JSON has.
func rest(m map[string]any, named []string) (map[string]any, error) {
	left := maps.Clone(m)
	for _, k := range named {
		delete(left, k)
	}
	if len(left) == 0 {
		return nil, nil
	}
	return left, plain(left)
}

// plain says why a value is not what JSON has, or nil.
func plain(v any) error {
	switch v := v.(type) {
	case map[string]any:
		for k, w := range v {
			if err := plain(w); err != nil {
				return fmt.Errorf("%.40s: %w", k, err)
			}
		}
	case []any:
		for _, w := range v {
			if err := plain(w); err != nil {
				return err
			}
		}
	case []byte, cid.Cid:
		return fmt.Errorf("an attribute is %T", v)
	}
	return nil
}
