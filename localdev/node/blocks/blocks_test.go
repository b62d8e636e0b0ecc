package blocks

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"

	documents "mappe/localdev/node/api/documents/v3alpha"
)

// The specification's form of a document is read as it is written, with all nine types.
func TestTheNineTypes(t *testing.T) {
	var nodes []string
	for _, kind := range Types {
		nodes = append(nodes,
			`{"block": {"type": "`+kind+`", "text": "of `+kind+
				`"}, "children": [{"block": {"type": "Paragraph", "text": "below"}, "children": []}]}`)
	}
	d, err := ParseJSON([]byte("[" + strings.Join(nodes, ",") + "]"))
	if err != nil || len(d.Content) != 9 {
		t.Fatalf("%v, %v", d, err)
	}
	ids := map[string]bool{}
	for i, n := range d.Content {
		if n.Block.Type != Types[i] || n.Block.Text != "of "+Types[i] || len(n.Children) != 1 {
			t.Errorf("%v", n)
		}
		ids[n.Block.Id], ids[n.Children[0].Block.Id] = true, true
	}
	if len(ids) != 18 || ids[""] {
		t.Errorf("%d ids", len(ids))
	}
	raw, err := JSON(&documents.Document{Content: d.Content})
	if err != nil {
		t.Fatal(err)
	}
	again, err := ParseJSON(raw)
	if err != nil || len(again.Content) != 9 || !proto.Equal(again.Content[8], d.Content[8]) {
		t.Errorf("%s, %v", raw, err)
	}
	page := HTML("N", &documents.Document{Content: d.Content})
	for _, kind := range Types {
		if kind != "Embed" && !strings.Contains(string(page), "of "+kind) { // an embed shows its address
			t.Errorf("%s is not shown in %s", kind, page)
		}
	}
}

// What would be an empty document is refused with its place.
func TestRefusedWithThePlace(t *testing.T) {
	for text, want := range map[string]string{
		`[{"block":{"type":"Heading"},"children":[{"block":{"type":"paragraph","text":"x"}}]}]`:                `content[0].children[0].block.type "paragraph"`,
		`[{"block":{"type":"Paragraph"},"text":"x"}]`:                                                          `content[0]: "text" stands beside the block`,
		`{"content":[{"type":"Paragraph","text":"x"}]}`:                                                        `content[0]: "t`,
		`[{"block":{"text":"x"}}]`:                                                                             `content[0].block.type ""`,
		`[{"children":[]}]`:                                                                                    `content[0]: block is missing`,
		`[{"block":{"type":"Paragraph","txet":"x"}}]`:                                                          `content[0].block: expected`,
		`[{"block":{"type":"Paragraph","text":"a","text":"b"}}]`:                                               `"text" stands twice`,
		`[{"block":{"type":"Paragraph","id":"a"}},{"block":{"type":"Paragraph","id":"a"}}]`:                    `content[1].block.id "a"`,
		`[{"block":{"type":"Paragraph","text":"ab","annotations":[{"type":"Bold","starts":[0],"ends":[3]}]}}]`: `0 to 3 is no part`,
		`{"blocks":[]}`:  `"blocks": expected content`,
		`{"content":{}}`: `expected a list`,
		`nonsense`:       `expected a JSON object`,
		`[1]`:            `content[0]: expected a JSON object`,
		`{} {}`:          `something follows`,
		strings.Repeat(`[{"block":{"type":"Paragraph"},"children":`, 202) + `[]` + strings.Repeat(`}]`, 202): `deep`,
	} {
		if _, err := ParseJSON([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.120s: want an error with %q, got %v", text, want, err)
		}
	}
}

const page1 = "# Title *here*\n\nText **bold *both*** `a_b` ~~gone~~ <https://example.com> [link](hm://x).\nSecond line\n\n" +
	"## Part\n\n- one\n- two\n  more\n\n  inner\n\n3. x\n\n> quoted\n\n```go\nfunc f() {}\n```\n\n$$\nx^2\n$$\n\n![alt](ipfs://bafy)\n\n" +
	"<hm://z6Mk/x>\n\n![](film.mp4)\n\n### Deeper\n\n1986\\. A year\n\n## Next\n"

// Markdown that is read, written and read again says the same.
func TestMarkdownComesBack(t *testing.T) {
	d, err := ParseMarkdown([]byte(page1))
	if err != nil {
		t.Fatal(err)
	}
	if d.Metadata["name"] != "Title here" || len(d.Content) != 3 || d.Content[1].Block.Text != "Part" || len(d.Content[1].Children) != 9 {
		t.Errorf("%v", d)
	}
	same(t, d)
}

func same(t *testing.T, d *Draft) {
	t.Helper()
	name, _ := d.Metadata["name"].(string)
	raw := Markdown(name, &documents.Document{Content: d.Content})
	again, err := ParseMarkdown(raw)
	if err != nil {
		t.Fatal(err)
	}
	x, y := &documents.BlockNode{Children: d.Content}, &documents.BlockNode{Children: again.Content}
	if !proto.Equal(x, y) {
		t.Errorf("want %v\n got %v\n by %s", x, y, raw)
	}
}

// A draft's steps lead to it, and no step leads to where a document is already.
func TestChangesOfNothing(t *testing.T) {
	d, err := ParseMarkdown([]byte(page1))
	if err != nil {
		t.Fatal(err)
	}
	list, err := Changes(nil, d)
	if err != nil || len(list) == 0 {
		t.Fatalf("%v, %v", list, err)
	}
	if list, err = Changes(&documents.Document{Content: d.Content}, &Draft{Content: d.Content}); err != nil || len(list) != 0 {
		t.Errorf("%v, %v", list, err)
	}
}

func TestIncreasing(t *testing.T) {
	for _, c := range []struct{ in, want []int }{{nil, nil}, {[]int{1, 2, 3}, []int{1, 2, 3}}, {[]int{3, 1, 2}, []int{1, 2}},
		{[]int{5, 1, 6, 2, 3}, []int{1, 2, 3}}, {[]int{2, 1}, []int{1}}} {
		if got := increasing(c.in); len(got) != len(c.want) || len(got) > 0 && got[0] != c.want[0] {
			t.Errorf("%v: want %v, got %v", c.in, c.want, got)
		}
	}
}

// A page has no script and no address that a browser would fetch from elsewhere, whatever a document says.
func TestPagesAreEscaped(t *testing.T) {
	bad := `<script>alert(1)</script>"'`
	var list []*documents.BlockNode
	for _, kind := range append(Types, "Unknown") {
		list = append(list, &documents.BlockNode{Block: &documents.Block{Type: kind, Text: bad, Link: "javascript:alert(1)",
			Annotations: []*documents.Annotation{{Type: "Link", Link: "javascript:x", Starts: []int32{0}, Ends: []int32{3}},
				{Type: bad, Starts: []int32{1}, Ends: []int32{900}}}}})
	}
	out := string(HTML(bad, &documents.Document{Content: list, Authors: []string{bad}, Version: bad}))
	for _, s := range []string{"<script", `="javascript:`, `src="http`} {
		if strings.Contains(out, s) {
			t.Errorf("%s in %s", s, out)
		}
	}
}

// Whatever a file says: it is refused, or it is a document whose blocks have types and ids, and which comes back as JSON.
func FuzzParseJSON(f *testing.F) {
	f.Add([]byte(`{"metadata":{"name":"x"},"content":[{"block":{"id":"a","type":"Paragraph","text":"t","annotations":[{"type":"Bold","starts":[0],"ends":[1]}]},"children":[]}]}`))
	f.Add([]byte(`[{"block":{"type":"Code","attributes":{"language":"go","n":1.5}}}]`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		d, err := ParseJSON(raw)
		if err != nil {
			return
		}
		out, err := JSON(&documents.Document{Content: d.Content})
		if err != nil {
			t.Fatal(err)
		}
		again, err := ParseJSON(out)
		if err != nil || !proto.Equal(&documents.BlockNode{Children: d.Content}, &documents.BlockNode{Children: again.Content}) {
			t.Errorf("%s: %v", out, err)
		}
		_ = HTML("x", &documents.Document{Content: d.Content})
		_ = Markdown("x", &documents.Document{Content: d.Content})
	})
}

// Whatever Markdown says, it is a document that can be written again.
func FuzzParseMarkdown(f *testing.F) {
	f.Add([]byte(page1))
	readme, err := os.ReadFile(filepath.Join("..", "..", "..", "README.md"))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(readme)
	f.Fuzz(func(t *testing.T, raw []byte) {
		d, err := ParseMarkdown(raw)
		if err != nil {
			return
		}
		if _, err := Changes(nil, d); err != nil {
			t.Fatal(err)
		}
		_ = Markdown("x", &documents.Document{Content: d.Content})
		_ = HTML("x", &documents.Document{Content: d.Content})
	})
}
