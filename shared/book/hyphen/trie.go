package hyphen

// trie holds patterns by their letters; children of a node are a list in order of their first use.
type trie struct {
	nodes  []node
	first  [0x180]int32 // children of the root, by letter: its list is the longest
	values []uint8      // of all patterns, one after the other
}

type node struct {
	letter         rune
	child, sibling int32 // indices in nodes; 0 without one, as nothing leads back to the root
	value, length  int32 // of the pattern that ends here, in values; length 0 without one
}

// add takes a pattern such as ".un3g": digits are the values between the letters, 0 where the pattern has no digit.
func (t *trie) add(pattern string) {
	if len(t.nodes) == 0 {
		t.nodes = append(t.nodes, node{})
	}
	at, start, pending := int32(0), len(t.values), uint8(0)
	for _, c := range pattern {
		if c >= '0' && c <= '9' {
			pending = uint8(c - '0')
			continue
		}
		t.values = append(t.values, pending)
		pending = 0
		at = t.step(at, c)
	}
	t.values = append(t.values, pending)
	t.nodes[at].value, t.nodes[at].length = int32(start), int32(len(t.values)-start)
}

func (t *trie) step(at int32, c rune) int32 {
	if at == 0 && c < rune(len(t.first)) && t.first[c] != 0 {
		return t.first[c]
	}
	last := int32(0)
	for k := t.nodes[at].child; k != 0; k = t.nodes[k].sibling {
		if t.nodes[k].letter == c {
			return k
		}
		last = k
	}
	k := int32(len(t.nodes))
	t.nodes = append(t.nodes, node{letter: c})
	if at == 0 && c < rune(len(t.first)) {
		t.first[c] = k
	}
	if last == 0 {
		t.nodes[at].child = k
	} else {
		t.nodes[last].sibling = k
	}
	return k
}

// apply raises values by every pattern that begins at the first letter of text.
func (t *trie) apply(text []rune, values []uint8) {
	at := int32(0)
	for _, c := range text {
		k := t.nodes[at].child
		if at == 0 && c < rune(len(t.first)) {
			k = t.first[c]
		}
		for k != 0 && t.nodes[k].letter != c {
			k = t.nodes[k].sibling
		}
		if k == 0 {
			return
		}
		at = k
		n := &t.nodes[at]
		for i, v := range t.values[n.value : n.value+n.length] {
			values[i] = max(values[i], v)
		}
	}
}
