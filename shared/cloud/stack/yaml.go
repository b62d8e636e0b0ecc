package stack

import (
	"fmt"

	"gopkg.in/yaml.v3"
)

// maxTemplate is CloudFormation's own bound of a template in S3.
const maxTemplate = 1 << 20

// file is the parsed template; it gives errors their line.
type file struct {
	name string
	root *yaml.Node
}

func parseFile(name string, raw []byte) (*file, error) {
	if len(raw) > maxTemplate {
		return nil, fmt.Errorf("%s: %d bytes, a template has at most %d", name, len(raw), maxTemplate)
	}
	var doc yaml.Node
	if err := yaml.Unmarshal(raw, &doc); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if len(doc.Content) != 1 || doc.Content[0].Kind != yaml.MappingNode {
		return nil, fmt.Errorf("%s:1: want a mapping of sections", name)
	}
	return &file{name, doc.Content[0]}, nil
}

func (f *file) errorf(n *yaml.Node, format string, args ...any) error {
	line := 1
	if n != nil {
		line = n.Line
	}
	return fmt.Errorf("%s:%d: %s", f.name, line, fmt.Sprintf(format, args...))
}

// resolve follows an alias (*name) to what it stands for.
func resolve(n *yaml.Node) *yaml.Node {
	for n != nil && n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	return n
}

// child is the value of a key, or nil.
func child(n *yaml.Node, key string) *yaml.Node {
	for k, v := range pairs(n) {
		if k.Value == key {
			return v
		}
	}
	return nil
}

// pairs walks a mapping in its order.
func pairs(n *yaml.Node) func(yield func(key, value *yaml.Node) bool) {
	return func(yield func(key, value *yaml.Node) bool) {
		n = resolve(n)
		if n == nil || n.Kind != yaml.MappingNode {
			return
		}
		for i := 0; i+1 < len(n.Content); i += 2 {
			if !yield(n.Content[i], resolve(n.Content[i+1])) {
				return
			}
		}
	}
}

// items are the elements of a sequence.
func items(n *yaml.Node) []*yaml.Node {
	n = resolve(n)
	if n == nil || n.Kind != yaml.SequenceNode {
		return nil
	}
	out := make([]*yaml.Node, len(n.Content))
	for i, c := range n.Content {
		out[i] = resolve(c)
	}
	return out
}

// onlyKeys refuses a property that is not in the list, because nobody has decided what it means here.
func (f *file) onlyKeys(n *yaml.Node, what string, known ...string) error {
	for k := range pairs(n) {
		found := false
		for _, name := range known {
			found = found || name == k.Value
		}
		if !found {
			return f.errorf(k, "%s: property %s is not emulated; the known ones are %v", what, k.Value, known)
		}
	}
	return nil
}
