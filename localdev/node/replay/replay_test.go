package replay

import (
	"crypto/ed25519"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/ipfs/go-cid"

	"mappe/localdev/node/blob"
	"mappe/localdev/node/ident"
	"mappe/localdev/node/oracles"
)

// author makes changes without signing them; a change is named by what it says.
type author struct {
	account ident.Account
	clock   int64
}

func newAuthor(name byte) *author {
	key := ed25519.NewKeyFromSeed([]byte(strings.Repeat(string(rune(name)), 32)))
	return &author{account: ident.AccountOf(key.Public().(ed25519.PublicKey)), clock: 1000 * int64(name)}
}

// write adds a change by an edit to a document.
func (a *author) write(t testing.TB, d *Document, ops []blob.Op) Entry {
	t.Helper()
	a.clock++
	c := Next(d, ops, a.clock)
	a.clock = c.Time
	c.Signer = a.account
	raw, err := blob.Sign(c.Fields(), a.account, func([]byte) ([]byte, error) { return make([]byte, 64), nil })
	if err != nil {
		t.Fatal(err)
	}
	return Entry{ID: blob.Sum(raw), Change: c}
}

func document(t testing.TB, entries ...Entry) *Document {
	t.Helper()
	d, err := New(entries)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func text(id, s string) blob.Block { return blob.Block{ID: id, Type: "Paragraph", Text: s} }

// outline writes a tree as a(b c(d)).
func outline(nodes []Node) string {
	var parts []string
	for _, n := range nodes {
		s := n.Block.ID
		if len(n.Children) > 0 {
			s += "(" + outline(n.Children) + ")"
		}
		parts = append(parts, s)
	}
	return strings.Join(parts, " ")
}

func shown(t testing.TB, d *Document) string {
	t.Helper()
	content, err := d.Content()
	if err != nil {
		t.Fatal(err)
	}
	return outline(content)
}

// The i-th item of an operation raises the index by i: changes of the network refer to places by such ids.
func TestIndicesGrowWithTheItem(t *testing.T) {
	a := newAuthor('a')
	first := a.write(t, nil, []blob.Op{blob.MoveBlocks{Blocks: []string{"a", "b", "c"}}, blob.MoveBlocks{Blocks: []string{"d"},
		Ref: []int64{3}}}) // 0, 1, 3; 4
	if got := shown(t, document(t, first)); got != "a b c d" {
		t.Errorf("a move of the same change: %s", got)
	}
	d := document(t, first)
	later := func(ref ...int64) string {
		e := a.write(t, d, []blob.Op{blob.MoveBlocks{Blocks: []string{"x"}, Ref: ref}})
		return shown(t, document(t, first, e))
	}
	actor := int64(actorOf(a.account))
	for index, want := range map[int64]string{0: "a x b c d", 1: "a b x c d", 3: "a b c x d", 4: "a b c d x"} {
		if got := later(first.Change.Time, index, actor); got != want {
			t.Errorf("right of index %d: want %s, got %s", index, want, got)
		}
	}
	e := a.write(t, d, []blob.Op{blob.MoveBlocks{Blocks: []string{"x"}, Ref: []int64{first.Change.Time, 2, actor}}})
	if _, err := New([]Entry{first, e}); err == nil {
		t.Error("there is no place with the index 2")
	}
}

// Two authors write at once: both documents are the same whatever comes first, later ids lie further left, and no circle is made.
func TestMergesAreTheSame(t *testing.T) {
	a, b := newAuthor('a'), newAuthor('b')
	first := a.write(t, nil, []blob.Op{blob.MoveBlocks{Blocks: []string{"p", "q"}}})
	d := document(t, first)
	left := a.write(t, d, []blob.Op{blob.MoveBlocks{Parent: "q", Blocks: []string{"p"}}, blob.ReplaceBlock{Block: text("p", "of a")}})
	right := b.write(t, d, []blob.Op{blob.MoveBlocks{Parent: "p", Blocks: []string{"q"}}, blob.ReplaceBlock{Block: text("p", "of b")}})
	one, two := document(t, first, left, right), document(t, right, first, left)
	if shown(t, one) != "q(p)" || shown(t, one) != shown(t, two) || len(one.Heads) != 2 || !one.Heads.Equal(two.Heads) {
		t.Errorf("%s, %s, heads %s", shown(t, one), shown(t, two), one.Heads)
	}
	if got, _, _ := one.Find("p"); got.Text != "of b" {
		t.Errorf("the later text stays, got %q", got.Text)
	}
	old, err := one.At(ident.NewVersion(left.ID))
	if err != nil || shown(t, old) != "q(p)" || len(old.Entries) != 2 {
		t.Errorf("%v", err)
	}
}

func TestChangesThatBreakTheRules(t *testing.T) {
	a := newAuthor('a')
	first := a.write(t, nil, []blob.Op{blob.MoveBlocks{Blocks: []string{"p"}}})
	d := document(t, first)
	with := func(edit func(*blob.Change)) Entry {
		e := a.write(t, d, []blob.Op{blob.DeleteBlocks{Blocks: []string{"p"}}})
		c := *e.Change
		edit(&c)
		return Entry{ID: e.ID, Change: &c}
	}
	other := a.write(t, nil, []blob.Op{blob.MoveBlocks{Blocks: []string{"o"}}})
	for name, e := range map[string]Entry{
		"depth":   with(func(c *blob.Change) { c.Depth = 2 }),
		"time":    with(func(c *blob.Change) { c.Time = first.Change.Time }),
		"missing": with(func(c *blob.Change) { c.Deps = []cid.Cid{other.ID} }),
		"genesis": with(func(c *blob.Change) { c.Genesis = other.ID }),
		"second":  other,
	} {
		if _, err := New([]Entry{first, e}); err == nil {
			t.Errorf("%s: it was taken", name)
		}
	}
}

// model is a document as a tree of lists, edited step by step.
type model map[string][]string

func (m model) remove(id string) {
	for p, list := range m {
		m[p] = slices.DeleteFunc(list, func(c string) bool { return c == id })
	}
}

func (m model) holds(a, b string) bool {
	for _, c := range m[a] {
		if c == b || m.holds(c, b) {
			return true
		}
	}
	return false
}

func (m model) outline(parent string) string {
	var nodes []Node
	var build func(string) []Node
	build = func(p string) []Node {
		var out []Node
		for _, c := range m[p] {
			out = append(out, Node{Block: text(c, ""), Children: build(c)})
		}
		return out
	}
	nodes = build(parent)
	return outline(nodes)
}

// Random edits of a document give, operation by operation and replayed from the beginning, the tree that the edits describe.
func TestRandomEdits(t *testing.T) {
	for seed := range oracles.Rounds(t, 150) {
		r := rand.New(rand.NewPCG(seed, 1))
		m, a := model{}, newAuthor('a')
		var entries []Entry
		var d *Document
		next := 0
		for range 1 + r.IntN(8) {
			e := NewEdit(d)
			for range 1 + r.IntN(12) {
				if err := step(r, e, m, &next); err != nil {
					t.Fatalf("seed %d: %v", seed, err)
				}
			}
			ops := e.Ops()
			if len(ops) == 0 {
				continue
			}
			entries = append(entries, a.write(t, d, ops))
			d = document(t, entries...)
			if want, got := m.outline(""), shown(t, d); got != want {
				t.Fatalf("seed %d: want %s\ngot %s\nby %+v", seed, want, got, ops)
			}
			if len(NewEdit(d).Ops()) != 0 {
				t.Fatalf("seed %d: an edit without changes has operations", seed)
			}
		}
	}
}

// step does one random thing to the edit and to the model.
func step(r *rand.Rand, e *Edit, m model, next *int) error {
	ids := []string{""}
	for _, list := range m {
		for _, id := range list {
			if m.holds("", id) {
				ids = append(ids, id)
			}
		}
	}
	slices.Sort(ids)
	id := ids[r.IntN(len(ids))]
	if id != "" && r.IntN(4) == 0 {
		m.remove(id)
		return e.Delete(id)
	}
	parent := ids[r.IntN(len(ids))]
	if id == "" || id == parent || m.holds(id, parent) {
		*next++
		id = fmt.Sprintf("b%d", *next)
		if err := e.Replace(text(id, id)); err != nil {
			return err
		}
	}
	m.remove(id)
	at := r.IntN(len(m[parent]) + 1)
	left := ""
	if at > 0 {
		left = m[parent][at-1]
	}
	m[parent] = slices.Insert(slices.Clone(m[parent]), at, id)
	return e.Move(id, parent, left)
}

func TestAttributesExcludeWhatLiesBelow(t *testing.T) {
	a := newAuthor('a')
	e := NewEdit(nil)
	for _, s := range []struct {
		key   []string
		value any
	}{{[]string{"name"}, "N"}, {[]string{"theme", "dark"}, true}, {[]string{"n"}, int64(3)}} {
		if err := e.Set(s.key, s.value); err != nil {
			t.Fatal(err)
		}
	}
	first := a.write(t, nil, e.Ops())
	d := document(t, first)
	if want := map[string]any{"name": "N", "theme": map[string]any{"dark": true}, "n": int64(3)}; !reflect.DeepEqual(d.Attributes(), want) {
		t.Errorf("%v", d.Attributes())
	}
	e = NewEdit(d)
	_ = e.Set([]string{"theme"}, "plain")
	_ = e.Set([]string{"n"}, nil)
	d = document(t, first, a.write(t, d, e.Ops()))
	if want := map[string]any{"name": "N", "theme": "plain"}; !reflect.DeepEqual(d.Attributes(), want) || d.Name() != "N" {
		t.Errorf("%v", d.Attributes())
	}
}

// What hostile moves ask for is bounded: a chain of blocks that is turned over again and again ends with an error, and soon.
func TestHostileMovesEnd(t *testing.T) {
	a := newAuthor('a')
	var ops []blob.Op
	parent := ""
	for i := range 20_000 {
		id := fmt.Sprint(i)
		ops = append(ops, blob.MoveBlocks{Parent: parent, Blocks: []string{id}})
		parent = id
	}
	for range 20_000 {
		ops = append(ops, blob.MoveBlocks{Parent: parent, Blocks: []string{"1"}}) // below itself
	}
	if _, err := New([]Entry{{ID: blob.SumRaw(nil), Change: &blob.Change{Signer: a.account, Time: 1,
		Ops: ops}}}); err == nil || !strings.Contains(err.Error(), "too long") {
		t.Errorf("got %v", err)
	}
}

func BenchmarkThousandBlocks(b *testing.B) {
	a := newAuthor('a')
	e := NewEdit(nil)
	left := ""
	for i := range 1000 {
		id := fmt.Sprintf("block%d", i)
		if err := e.Move(id, "", left); err != nil {
			b.Fatal(err)
		}
		_ = e.Replace(text(id, "text"))
		left = id
	}
	entry := a.write(b, nil, e.Ops())
	for b.Loop() {
		document(b, entry)
	}
}
