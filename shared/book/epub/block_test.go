package epub

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"mappe/shared/book/manuscript"
	"mappe/shared/book/spec"
)

// bodiesOf writes a book with a section for each list of blocks and gives what stands in each, on one line. A link
// inside of the book is written without the name of its file.
func bodiesOf(t *testing.T, s spec.Spec, kind manuscript.SectionKind, sections ...[]manuscript.Block) (bodies []string) {
	t.Helper()
	b := manuscript.Book{Meta: manuscript.Meta{Language: "en"}, Images: sample(t, "en").Images}
	for _, blocks := range sections {
		b.Sections = append(b.Sections, manuscript.Section{Kind: kind, Blocks: blocks})
	}
	packed := write(t, b, s, Options{})
	for _, f := range Check(packed) {
		t.Error(f)
	}
	all := files(t, packed)
	for i := range sections {
		_, body, _ := strings.Cut(all[fmt.Sprintf("s%03d.xhtml", i+1)], "<section")
		_, body, _ = strings.Cut(body, ">")
		body, _, _ = strings.Cut(body, "\n</section>")
		body = regexp.MustCompile(`href="s\d+\.xhtml#`).ReplaceAllString(body, `href="#`)
		bodies = append(bodies, regexp.MustCompile(`>\s+<`).ReplaceAllString(strings.TrimSpace(body), "><"))
	}
	return bodies
}

// TestBlocksInXHTML: every block as the element that says what it is (HTML living standard, EPUB 3.3).
func TestBlocksInXHTML(t *testing.T) {
	cell := func(blocks ...manuscript.Block) manuscript.Cell {
		return manuscript.Cell{Blocks: blocks, ColSpan: 1, RowSpan: 1}
	}
	verse := &manuscript.Verse{Stanzas: [][]manuscript.VerseLine{{{Inlines: text("one")}, {Inlines: text("two"), Indent: 2},
		{Inlines: text("deep"), Indent: 9}}, {{}}, {{Inlines: text("new")}}}, Attribution: text("Anna")}
	cases := []struct {
		name  string
		block manuscript.Block
		want  string
	}{
		{"a paragraph", para("x"), `<p>x</p>`},
		{"the first of a scene", &manuscript.Paragraph{Inlines: text("x"), Role: manuscript.RoleFirst}, `<p class="first">x</p>`},
		{"a source", &manuscript.Paragraph{Inlines: text("x"), Role: manuscript.RoleAttribution}, `<p class="attribution">x</p>`},
		{"a centred role", &manuscript.Paragraph{Inlines: text("x"), Role: manuscript.RoleCentered}, `<p class="center">x</p>`},
		{"a role to the right", &manuscript.Paragraph{Inlines: text("x"), Role: manuscript.RoleFlushRight}, `<p class="right">x</p>`},
		{"centred", &manuscript.Paragraph{Inlines: text("x"), Align: manuscript.AlignCenter}, `<p class="center">x</p>`},
		{"to the right", &manuscript.Paragraph{Inlines: text("x"), Align: manuscript.AlignRight}, `<p class="right">x</p>`},
		{"to the left", &manuscript.Paragraph{Inlines: text("x"), Align: manuscript.AlignLeft}, `<p class="left">x</p>`},
		{"a role and the same alignment", &manuscript.Paragraph{Inlines: text("x"), Role: manuscript.RoleCentered,
			Align: manuscript.AlignCenter}, `<p class="center">x</p>`},
		{"a title in a chapter is a centred line", &manuscript.Paragraph{Inlines: text("x"), Role: manuscript.RoleTitle},
			`<p class="center">x</p>`},
		{"nothing to see", para(" \u00a0"), ``},
		{"headings", &manuscript.Heading{Level: 2, Inlines: text("x")}, `<h3>x</h3>`},
		{"a heading deeper than six", &manuscript.Heading{Level: 9, Inlines: text("x")}, `<h6>x</h6>`},
		{"a page break", &manuscript.PageBreak{}, `<hr class="page"/>`},
		{"bullets", &manuscript.List{Items: [][]manuscript.Block{{para("x")}, {para("y"), para("z")}}},
			`<ul><li>x</li><li><p>y</p><p>z</p></li></ul>`},
		{"figures", &manuscript.List{Ordered: true, Start: 1, Items: [][]manuscript.Block{{para("x")}}}, `<ol><li>x</li></ol>`},
		{"letters from c", &manuscript.List{Ordered: true, Start: 3, Format: "lower-alpha", Items: [][]manuscript.Block{{para("x")}}},
			`<ol start="3" type="a"><li>x</li></ol>`},
		{"capitals", &manuscript.List{Ordered: true, Start: 1, Format: "upper-alpha", Items: [][]manuscript.Block{{para("x")}}},
			`<ol type="A"><li>x</li></ol>`},
		{"roman numbers", &manuscript.List{Ordered: true, Start: 1, Format: "lower-roman", Items: [][]manuscript.Block{{para("x")}}},
			`<ol type="i"><li>x</li></ol>`},
		{"a list in a list", &manuscript.List{Items: [][]manuscript.Block{{para("x"),
			&manuscript.List{Items: [][]manuscript.Block{{para("y")}}}}}}, `<ul><li>x<ul><li>y</li></ul></li></ul>`},
		{"an empty list", &manuscript.List{Items: [][]manuscript.Block{{}, {para(" ")}}}, ``},
		{"verse", verse, `<div class="verse"><p><span class="line">one</span><br/><span class="line in2">two</span><br/><span class="line in4">deep</span></p><p><span class="line">new</span></p><p class="attribution">Anna</p></div>`},
		{"a quotation", &manuscript.Quote{Blocks: []manuscript.Block{para("x")}, Attribution: text("Anna")},
			`<blockquote><p>x</p><p class="attribution">Anna</p></blockquote>`},
		{"an epigraph", &manuscript.Quote{Epigraph: true, Blocks: []manuscript.Block{para("x")}},
			`<blockquote epub:type="epigraph" class="epigraph"><p>x</p></blockquote>`},
		{"code", &manuscript.Code{Lines: []string{"a < b", "  &c"}}, `<pre><code>a &lt; b` + "\n" + `  &amp;c</code></pre>`},
		{"a picture", &manuscript.Figure{Image: 0, Alt: " a mill "}, `<figure><img src="images/i001.png" alt="a mill"/></figure>`},
		{"a picture of half the measure", &manuscript.Figure{Image: 0, WidthMM: 50.85, Caption: text("The mill")},
			`<figure><img src="images/i001.png" alt="" style="width:50%"/><figcaption>The mill</figcaption></figure>`},
		{"a picture as wide as the page", &manuscript.Figure{Image: 0, WidthMM: 139.7},
			`<figure><img src="images/i001.png" alt=""/></figure>`},
		{"a very small picture", &manuscript.Figure{Image: 0, WidthMM: 1},
			`<figure><img src="images/i001.png" alt="" style="width:5%"/></figure>`},
		{"a picture that is broken keeps its caption", &manuscript.Figure{Image: 2, Caption: text("The mill")},
			`<figure><figcaption>The mill</figcaption></figure>`},
		{"a picture that is not there", &manuscript.Figure{Image: 7}, ``},
		{"a table", &manuscript.Table{HeadRows: 1, Caption: text("Grain"),
			Rows: []manuscript.Row{{Cells: []manuscript.Cell{cell(para("h"))}}, {Cells: []manuscript.Cell{cell(para("a"), para("b"))}}}},
			`<div class="table"><table><caption>Grain</caption><thead><tr><th scope="col">h</th></tr></thead><tbody><tr><td><p>a</p><p>b</p></td></tr></tbody></table></div>`},
		{"a table without a cell", &manuscript.Table{Rows: []manuscript.Row{{}}}, ``},
	}
	var sections [][]manuscript.Block
	for _, c := range cases {
		sections = append(sections, []manuscript.Block{c.block})
	}
	for i, got := range bodiesOf(t, specOf("en"), manuscript.KindPreface, sections...) {
		if c := cases[i]; got != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.name, got, c.want)
		}
	}
}

// TestFirstLines: the first paragraph of a chapter is set as the specification asks; a paragraph with a place of its
// own, or behind something else, is not.
func TestFirstLines(t *testing.T) {
	for _, c := range []struct {
		name   string
		first  spec.FirstLine
		kind   manuscript.SectionKind
		blocks []manuscript.Block
		want   string
	}{
		{"plain", spec.FirstPlain, manuscript.KindChapter, []manuscript.Block{para("x")}, `<p>x</p>`},
		{"a drop cap", spec.FirstDropCap, manuscript.KindChapter, []manuscript.Block{para("x"), para("y")},
			`<p class="drop">x</p><p>y</p>`},
		{"small capitals", spec.FirstSmallCaps, manuscript.KindChapter,
			[]manuscript.Block{&manuscript.Paragraph{Inlines: text("x"), Role: manuscript.RoleFirst}}, `<p class="first lead">x</p>`},
		{"a drop cap that the author has set", spec.FirstPlain, manuscript.KindChapter,
			[]manuscript.Block{&manuscript.Paragraph{Inlines: text("x"), DropCap: true}}, `<p class="drop">x</p>`},
		{"a preface has none", spec.FirstDropCap, manuscript.KindPreface, []manuscript.Block{para("x")}, `<p>x</p>`},
		{"a centred line has none", spec.FirstDropCap, manuscript.KindChapter,
			[]manuscript.Block{&manuscript.Paragraph{Inlines: text("x"), Align: manuscript.AlignCenter}, para("y")},
			`<p class="center">x</p><p>y</p>`},
		{"behind a motto", spec.FirstDropCap, manuscript.KindChapter,
			[]manuscript.Block{&manuscript.Quote{Epigraph: true, Blocks: []manuscript.Block{para("q")}}, para("x")},
			`<blockquote epub:type="epigraph" class="epigraph"><p>q</p></blockquote><p class="drop">x</p>`},
		{"behind a quotation", spec.FirstDropCap, manuscript.KindChapter,
			[]manuscript.Block{&manuscript.Quote{Blocks: []manuscript.Block{para("q")}}, para("x")},
			`<blockquote><p>q</p></blockquote><p>x</p>`},
	} {
		s := specOf("en")
		s.FirstLine = c.first
		if got := bodiesOf(t, s, c.kind, c.blocks)[0]; got != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.name, got, c.want)
		}
	}
	for mark, want := range map[string]string{"* * *": `<p class="scene" role="separator" aria-label="Scene break">* * *</p>`,
		" ": `<hr class="gap"/>`} {
		s := specOf("en")
		s.SceneMark = mark
		if got := bodiesOf(t, s, manuscript.KindPreface, []manuscript.Block{para("x"), &manuscript.SceneBreak{Mark: "#"},
			para("y")})[0]; got != "<p>x</p>"+want+"<p>y</p>" {
			t.Errorf("a scene break by %q: %s", mark, got)
		}
	}
}

// TestInlinesInXHTML: styles as elements, outermost first, open no longer than they are; foreign words in their
// language; links that lead somewhere.
func TestInlinesInXHTML(t *testing.T) {
	b, i, m := manuscript.Bold, manuscript.Italic, manuscript.Monospace
	styled := func(s string, style manuscript.Style) manuscript.Inline { return manuscript.Text{S: s, Style: style} }
	cases := []struct {
		name string
		in   in
		want string
	}{
		{"bold and italic", in{styled("a", b), styled("b", b|i), styled("c", i)}, `<strong>a<em>b</em></strong><em>c</em>`},
		{"all others", in{styled("a", manuscript.Underline), styled("b", manuscript.Strike), styled("c", manuscript.SmallCaps),
			styled("d", manuscript.AllCaps), styled("e", m), styled("f", manuscript.Superscript), styled("g", manuscript.Subscript)},
			`<span class="u">a</span><s>b</s><span class="sc">c</span><span class="caps">d</span><code>e</code><sup>f</sup><sub>g</sub>`},
		{"French words", in{manuscript.Text{S: "mot", Language: "fr"}}, `<span lang="fr" xml:lang="fr">mot</span>`},
		{"French words in italics are no emphasis", in{manuscript.Text{S: "mot", Language: "fr", Style: i}},
			`<i lang="fr" xml:lang="fr">mot</i>`},
		{"the book's own language", in{manuscript.Text{S: "word", Language: "en"}}, `word`},
		{"no language", in{manuscript.Text{S: "word", Language: "no language"}}, `word`},
		{"a line break closes a style and opens it again", in{styled("a", i), manuscript.LineBreak{}, styled("b", i)},
			`<em>a</em><br/><em>b</em>`},
		{"an address", in{manuscript.Link{Href: "https://example.org/a?b&c", Inlines: in{styled("a", i)}}},
			`<a href="https://example.org/a?b&amp;c"><em>a</em></a>`},
		{"an invalid address", in{manuscript.Link{Href: "javascript:x", Inlines: text("a")}}, `a`},
		{"a link without words", in{manuscript.Link{Href: "https://example.org/", Inlines: text(" ")}, styled("b", 0)}, ` b`},
		{"a link in a link is one", in{manuscript.Link{Href: "https://example.org/",
			Inlines: in{styled("a", 0), manuscript.Link{Href: "https://example.net/", Inlines: text("b")}}}},
			`<a href="https://example.org/">ab</a>`},
		{"a picture in the line", in{styled("a", 0), manuscript.InlineImage{Image: 0, Alt: "mark"}},
			`a<img class="inline" src="images/i001.png" alt="mark"/>`},
		{"a picture that is not there", in{styled("a", 0), manuscript.InlineImage{Image: 9}}, `a`},
		{"a note that is not there", in{styled("a", 0), manuscript.NoteRef{Note: 9}}, `a`},
		{"a place that nobody wants", in{manuscript.Target{Name: "y"}, styled("a", 0)}, `a`},
		{"a place", in{manuscript.Target{Name: "x"}, manuscript.Link{Href: "#x", Inlines: text("a")}},
			`<span id="a1"></span><a href="#a1">a</a>`},
	}
	var sections [][]manuscript.Block
	for _, c := range cases {
		sections = append(sections, []manuscript.Block{&manuscript.Paragraph{Inlines: c.in}})
	}
	for i, got := range bodiesOf(t, specOf("en"), manuscript.KindPreface, sections...) {
		if c := cases[i]; got != "<p>"+c.want+"</p>" {
			t.Errorf("%s\n got %s\nwant <p>%s</p>", c.name, got, c.want)
		}
	}
}

// TestLinksReachEverywhere: a link leads to the place it means, wherever that stands.
func TestLinksReachEverywhere(t *testing.T) {
	var names []string
	var sections [][]manuscript.Block
	add := func(name string, place func(p *manuscript.Paragraph, anchor string) manuscript.Block) {
		anchor := fmt.Sprint("x", len(names))
		link := &manuscript.Paragraph{Inlines: in{manuscript.Link{Href: "#" + anchor, Inlines: text("go")}}}
		names, sections = append(names, name),
			append(sections, []manuscript.Block{link, place(&manuscript.Paragraph{Inlines: text("here"), Anchor: anchor}, anchor)})
	}
	add("a paragraph", func(p *manuscript.Paragraph, _ string) manuscript.Block { return p })
	add("an item", func(p *manuscript.Paragraph, _ string) manuscript.Block {
		return &manuscript.List{Items: [][]manuscript.Block{{p}}}
	})
	add("a long item", func(p *manuscript.Paragraph, _ string) manuscript.Block {
		return &manuscript.List{Items: [][]manuscript.Block{{p, para("more")}}}
	})
	add("a table", func(p *manuscript.Paragraph, _ string) manuscript.Block {
		return &manuscript.Table{Rows: []manuscript.Row{{Cells: []manuscript.Cell{{Blocks: []manuscript.Block{p}, ColSpan: 1,
			RowSpan: 1}}}}}
	})
	add("a quotation", func(p *manuscript.Paragraph, _ string) manuscript.Block {
		return &manuscript.Quote{Blocks: []manuscript.Block{p}}
	})
	add("a heading", func(_ *manuscript.Paragraph, anchor string) manuscript.Block {
		return &manuscript.Heading{Level: 1, Inlines: text("here"), Anchor: anchor}
	})
	add("a picture", func(_ *manuscript.Paragraph, anchor string) manuscript.Block {
		return &manuscript.Figure{Image: 0, Anchor: anchor, Caption: text("here")}
	})
	for i, body := range bodiesOf(t, specOf("en"), manuscript.KindPreface, sections...) {
		m := regexp.MustCompile(`href="#(a\d+)"`).FindStringSubmatch(body)
		if m == nil || strings.Count(body, `id="`+m[1]+`"`) != 1 {
			t.Errorf("%s: %s", names[i], body)
		}
	}
	if body := bodiesOf(t, specOf("en"), manuscript.KindPreface, sections[0][:1])[0]; body != "<p>go</p>" {
		t.Errorf("a link to nothing is %s", body)
	}
}
