package markdown

import (
	"fmt"
	"strings"
	"testing"
	"time"

	. "mappe/infra/readertest"
	"mappe/shared/book/manuscript"
	"mappe/shared/book/reader/source"
)

func TestRead(t *testing.T) {
	Cases(t, Read, []Case{
		{
			"letters",
			[]byte("a *b* **c** ***d*** ~~e~~ `f` [g](https://x.at/?a=1&b=2 \"t\") <https://y.at> h\\\ni  \nj\nk &amp; \\* l"),
			"§other |\n" +
				"p a </b> <*c> </*d> <-e> <`f> [g→https://x.at/?a=1&b=2] [https://y.at→https://y.at] h⏎i⏎j k & * l\n",
			"",
		},
		{
			"links that lead nowhere",
			[]byte("[a](javascript:alert) [b](#c)"),
			`
§other |
p a [b→#c]
`,
			"",
		},
		{
			"headings",
			[]byte("front\n\n# One *two*\n\ntext\n\n## Sub\n\n### Deep\n\nThree\n=====\n"),
			`
§other |
p front
§other |One </two>
p text
h1 Sub
h2 Deep
§other |Three
`,
			"",
		},
		{
			"the highest headings are sections",
			[]byte("## One\n\na\n\n### Sub\n\n## Two\n"),
			`
§other |One
p a
h1 Sub
§other |Two
`,
			"",
		},
		{
			"blocks",
			[]byte("> quote\n>\n> more\n\n- a\n- b\n  1. c\n\n3. d\n4. e\n\n***\n\n```\nx = *1*\n```\n\n    y\n"),
			"§other |\n" +
				"quote false \n" +
				"p quote\n" +
				"p more\n" +
				"list false  0\n" +
				"- p a\n" +
				"- p b\n" +
				"list true decimal 1\n" +
				"- p c\n" +
				"list true decimal 3\n" +
				"- p d\n" +
				"- p e\n" +
				"scene * * *\n" +
				"code x = *1*\n" +
				"code y\n",
			"",
		},
		{
			"tables",
			[]byte("| a | b |\n|:-:|--:|\n| c *d* | e |\n"),
			`
§other |
table head=1 caption=
[1x1 p a
][1x1 p b
]
[1x1 p c </d>
][1x1 p e
]
`,
			"",
		},
		{
			"notes",
			[]byte("a[^x] b[^y] c[^x] d[^z]\n\n[^y]: Second.\n[^x]: First *one*.\n\n    More.\n"),
			`
§other |
p a[note 0] b[note 1] c[note 0] d[^z]
note 0 false
p First </one>.
p More.
note 1 false
p Second.
`,
			"",
		},
		{
			"pictures are not fetched",
			[]byte("![A hill](hill.png \"The hill\")\n\na ![x](y.png) b"),
			`
§other |
fig -1 0mm alt=A hill caption=The hill
p a  b
`,
			`
missing_image:A hill (the picture is linked, not embedded: hill.png)
missing_image:x (the picture is linked, not embedded: y.png)`,
		},
		{
			"HTML inside",
			[]byte("a<br>b <b>c</b>\n\n<div>\nd\n</div>\n\n<!-- e -->\n"),
			`
§other |
p a⏎b <*c>
p d
`,
			"comment: (e)",
		},
		{
			"styles of HTML",
			[]byte("H<sub>2</sub>O, *x<sup>2</sup>* <em>a **b** c</em> <i/>d <span>e</span> <!-- --> <B>f"),
			`
§other |
p H<,2>O, </x></'2> </a ></*b></ c> d e  <*f>
`,
			"",
		},
		{
			"what HTML holds besides",
			[]byte("a <img src='a.png' alt=\"A hill\"> <!-- ask Ben --> b\n\n<p><img alt=B src=b.png></p>\n\n<!--\ntwo\nlines\n-->\n\nc"),
			`
§other |
p a   b
p c
`,
			`
missing_image:A hill (the picture is linked, not embedded: a.png)
comment: (ask Ben)
missing_image:B (the picture is linked, not embedded: b.png)
comment: (two lines)`,
		},
		{
			"headings with attributes",
			[]byte("# One {#one .unnumbered}\n\nsee [there](#two) and [r]\n\n## Two {#two}\n\n[r]: https://b.at\n"),
			`
§other |One
p see [there→#two] and [r→https://b.at]
h1 [#two]Two
`,
			"",
		},
		{
			"notes without a reference",
			[]byte("a[^1]\n\n[^1]: one\n[^2]: two\n\n```\n[^3]: code\n```\n"),
			`
§other |
p a[note 0]
code [^3]: code
note 0 false
p one
`,
			"note_without_reference:two",
		},
		{
			"metadata",
			[]byte("---\ntitle: \"Der Titel\"\nauthor: Anna\nlang: de_at\n---\n\ntext\n"),
			`
§other |
p text
`,
			"",
		},
		{
			"a rule at the top is no metadata",
			[]byte("---\n\ntext\n\n---\n"),
			`
§other |
scene * * *
p text
scene * * *
`,
			"",
		},
	})
}

// TestMeta: the block of metadata at the top of a text, as YAML and Pandoc have it. Text between two rules is text, and
// none of it is lost.
func TestMeta(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       manuscript.Meta
		first      string // words of the text
	}{
		{"keys and values", "---\ntitle: \"Der Titel\"\nauthor: Anna\nlang: de_at\n---\n\ntext\n",
			manuscript.Meta{Title: "Der Titel", Author: "Anna", Language: "de-AT"}, "text"},
		{"another end", "---\ntitle: Rivers\n...\ntext\n", manuscript.Meta{Title: "Rivers"}, "text"},
		{"no empty line behind it", "---\nTitle: Rivers\n---\ntext\n", manuscript.Meta{Title: "Rivers"}, "text"},
		{"empty lines and remarks in it", "---\n# a remark\ntitle: Rivers\n\nsubtitle: 'A Tale: of Water'\n---\ntext\n",
			manuscript.Meta{Title: "Rivers", Subtitle: "A Tale: of Water"}, "text"},
		{"authors in brackets", "---\nauthor: [Anna, Ben]\n---\ntext\n", manuscript.Meta{Author: "Anna, Ben"}, "text"},
		{"authors in a list", "---\nauthor:\n- Anna\n- Ben\nlanguage: en\n---\ntext\n",
			manuscript.Meta{Author: "Anna, Ben", Language: "en"}, "text"},
		{"a title over lines", "---\ntitle: |\n  The River\n  and the Sea\n---\ntext\n", manuscript.Meta{Title: "The River and the Sea"},
			"text"},
		{"keys that a book does not need", "---\ndate: 2026\ntags: [a, b]\n---\ntext\n", manuscript.Meta{}, "text"},
		{"a rule, text, and a line of dots", "---\nHe said: yes.\n\nShe went.\n\n...\n\nHe went.\n", manuscript.Meta{}, "He said: yes."},
		{"text between two rules", "---\nNote: this is prose\nthat goes on here\n---\ntext\n", manuscript.Meta{}, "Note: this is prose"},
		{"a block without an end", "---\ntitle: Rivers\n", manuscript.Meta{}, "title: Rivers"},
		{"nothing in it", "---\n---\ntext\n", manuscript.Meta{}, "text"},
		{"not at the top", "text\n\n---\ntitle: Rivers\n---\n", manuscript.Meta{}, "text"},
	} {
		b, _, err := Read([]byte(c.text), source.Default())
		if err != nil || b.Meta != c.want {
			t.Errorf("%s: %+v, want %+v (%v)", c.name, b.Meta, c.want, err)
		}
		var said []string
		for _, s := range b.Sections {
			said = append(said, manuscript.Plain(s.Title))
			for in := range manuscript.Passages(s.Blocks) {
				said = append(said, manuscript.Plain(in))
			}
		}
		if got := strings.TrimSpace(strings.Join(said, " ")); !strings.HasPrefix(got, c.first) {
			t.Errorf("%s: the text is %q", c.name, got)
		}
	}
}

// TestHostileTextEndsSoon gives the parser what makes it slow; at these sizes a quadratic run takes minutes.
func TestHostileTextEndsSoon(t *testing.T) {
	const n = 100_000
	many := func(format string, n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, format, i, i)
		}
		return b.String()
	}
	var ticks, indents strings.Builder
	for i := range 1500 {
		ticks.WriteString(strings.Repeat("`", i) + " ")
	}
	for i := range 2000 {
		indents.WriteString(strings.Repeat("  ", i) + "- a\n")
	}
	for name, s := range map[string]string{
		"emphasis": strings.Repeat("*a ", n) + "\n\n" + strings.Repeat("*a **a ", n) + "\n\n" + strings.Repeat("_a __a ", n),
		"code":     ticks.String(),
		"tags": strings.Repeat("<a ", n) + "\n\n" + strings.Repeat("<!--", n) + "\n\n" + strings.Repeat("<?", n) + "\n\n" +
			strings.Repeat("<![CDATA[", n),
		"pictures":      strings.Repeat("![a ", n),
		"links":         strings.Repeat("[a](", n),
		"titles":        strings.Repeat("[a](b \"", n),
		"addresses":     strings.Repeat("<http://a", n),
		"tables":        "|" + strings.Repeat("a|", 20_000) + "\n|" + strings.Repeat("-|", 20_000) + "\n" + strings.Repeat("|a\n", 2_000),
		"lists":         strings.Repeat("- ", n) + "a",
		"numbers":       strings.Repeat("1. ", n) + "a",
		"indents":       indents.String(),
		"quotes":        strings.Repeat("> ", 1500) + "a\n" + strings.Repeat("a\n", 1000),
		"definitions":   many("[a%d]: /x%d\n", n),
		"references":    strings.Repeat("[a][b] ", n),
		"notes":         many("x[^%d]\n\n[^%d]: y\n\n", 30_000),
		"note":          strings.Repeat("[^1]", n) + "\n\n[^1]: x\n",
		"brackets":      strings.Repeat("[", 1999) + strings.Repeat("a]", n),
		"loose":         strings.Repeat("[ a", n) + strings.Repeat("](b)", n),
		"lines":         strings.Repeat("a  \n", n) + "---\n",
		"many headings": strings.Repeat("# a\n", n),
	} {
		start := time.Now()
		_, _, err := Read([]byte(s), source.Default())
		if d := time.Since(start); d > time.Minute {
			t.Errorf("%s: %v (%v)", name, d, err)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte("---\ntitle: x\n---\n# a\n\nb *c* [^1] [d](e)\n\n> - x\n>   1. y\n\n[^1]: z[^1]\n\n|a|\n|-|\n|b|\n"))
	f.Fuzz(func(t *testing.T, b []byte) { Withstands(t, Read, b) })
}
