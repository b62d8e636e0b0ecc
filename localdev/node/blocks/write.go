package blocks

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	documents "mappe/localdev/node/api/documents/v3alpha"
)

// Markdown writes a document as Markdown. What ParseMarkdown has read comes out with the same meaning.
func Markdown(name string, d *documents.Document) []byte {
	var parts []string
	if name != "" {
		parts = append(parts, "# "+escapeStart(oneLine(escape(name))))
	}
	parts = append(parts, paragraphs(d.Content, 2)...)
	if len(parts) == 0 {
		return nil
	}
	return []byte(strings.Join(parts, "\n\n") + "\n")
}

// paragraphs are blocks, one after the other; level is that of headings.
func paragraphs(list []*documents.BlockNode, level int) []string {
	var out []string
	for _, n := range list {
		b, below := n.Block, n.Children
		switch b.Type {
		case "Heading":
			out = append(append(out, strings.Repeat("#", min(level, 6))+" "+oneLine(inlineMarkdown(b))), paragraphs(below, level+1)...)
			continue
		case "OrderedList", "UnorderedList":
			out = append(out, listMarkdown(n, b.Type == "OrderedList"))
			continue
		case "Code":
			out = append(out, fenced(attribute(b, "language"), b.Text))
		case "Math":
			out = append(out, fenced("math", b.Text))
		case "Image", "Video":
			out = append(out, "!["+escape(b.Text)+"]("+destination(b.Link)+")")
		case "Embed":
			out = append(out, "<"+b.Link+">")
		default:
			if b.Text != "" {
				out = append(out, inlineMarkdown(b))
			}
		}
		out = append(out, childrenMarkdown(b, below, level)...)
	}
	return out
}

// childrenMarkdown writes what lies in a block, as its childrenType says.
func childrenMarkdown(b *documents.Block, below []*documents.BlockNode, level int) []string {
	if len(below) == 0 {
		return nil
	}
	switch attribute(b, "childrenType") {
	case "Ordered", "Unordered":
		n := &documents.BlockNode{Block: &documents.Block{}, Children: below}
		return []string{listMarkdown(n, attribute(b, "childrenType") == "Ordered")}
	case "Blockquote":
		return []string{indent(strings.Join(paragraphs(below, level), "\n\n"), "> ", "> ")}
	}
	return paragraphs(below, level)
}

func listMarkdown(n *documents.BlockNode, ordered bool) string {
	items := n.Children
	if n.Block.Text != "" {
		own := &documents.Block{Type: "Paragraph", Text: n.Block.Text, Annotations: n.Block.Annotations}
		items = slices.Insert(slices.Clone(items), 0, &documents.BlockNode{Block: own})
	}
	var out []string
	for i, item := range items {
		sign := "- "
		if ordered {
			sign = strconv.Itoa(i+1) + ". "
		}
		text := strings.Join(paragraphs([]*documents.BlockNode{item}, 6), "\n\n")
		out = append(out, indent(text, sign, strings.Repeat(" ", len(sign))))
	}
	return strings.Join(out, "\n")
}

func indent(text, first, rest string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		switch {
		case i == 0:
			lines[i] = first + line
		case line != "" || strings.TrimSpace(rest) != "":
			lines[i] = strings.TrimRight(rest+line, " ")
		}
	}
	return strings.Join(lines, "\n")
}

// fenced writes code between fences that are longer than any in it.
func fenced(language, text string) string {
	fence := "```"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	return fence + language + "\n" + text + "\n" + fence
}

func destination(link string) string {
	if strings.ContainsAny(link, " ()<>") {
		return "<" + strings.NewReplacer("<", "%3C", ">", "%3E", "\n", "%0A").Replace(link) + ">"
	}
	return link
}

func oneLine(s string) string { return strings.NewReplacer("\\\n", " ", "\n", " ").Replace(s) }

// special are the characters that mean something in running text.
const special = "\\`*_[]<>~#|!&$"

func escape(s string) string {
	var b strings.Builder
	for _, r := range s {
		if strings.ContainsRune(special, r) {
			b.WriteByte('\\')
		}
		if r == '\n' {
			b.WriteByte('\\') // a line that ends here
		}
		b.WriteRune(r)
	}
	return b.String()
}

// escapeStart keeps the beginning of a line from being the sign of a list or a line below a heading.
func escapeStart(s string) string {
	lines := strings.Split(s, "\n")
	for i, line := range lines {
		trimmed := strings.TrimLeft(line, " \t")
		digits := len(trimmed) - len(strings.TrimLeft(trimmed, "0123456789"))
		switch {
		case trimmed == "":
		case strings.ContainsRune("-+=", rune(trimmed[0])):
			line = "\\" + trimmed
		case digits > 0 && digits < len(trimmed) && (trimmed[digits] == '.' || trimmed[digits] == ')'):
			line = trimmed[:digits] + "\\" + trimmed[digits:]
		default:
			line = trimmed
		}
		lines[i] = line
	}
	return strings.Join(lines, "\n")
}

// span is a marked range.
type span struct {
	from, to int
	mark     *documents.Annotation
}

// spans are the ranges of a block's annotations that nest; one that crosses an earlier one is left out.
func spans(b *documents.Block) []span {
	var all []span
	for _, a := range b.Annotations {
		for i := range min(len(a.Starts), len(a.Ends)) {
			all = append(all, span{int(a.Starts[i]), int(a.Ends[i]), a})
		}
	}
	slices.SortStableFunc(all, func(x, y span) int { return cmp.Or(cmp.Compare(x.from, y.from), cmp.Compare(y.to, x.to)) })
	var out, open []span
	length := len([]rune(b.Text))
	for _, s := range all {
		for len(open) > 0 && open[len(open)-1].to <= s.from {
			open = open[:len(open)-1]
		}
		if s.from < 0 || s.from >= s.to || s.to > length || len(open) > 0 && s.to > open[len(open)-1].to {
			continue
		}
		out, open = append(out, s), append(open, s)
	}
	return out
}

// render writes the text of a block with its marks: text writes plain text, mark what stands before or after a range.
func render(b *documents.Block, text func(string) string, mark func(a *documents.Annotation, inner string) string) string {
	runes := []rune(b.Text)
	all := spans(b)
	var part func(from, to int) string
	part = func(from, to int) string {
		var out strings.Builder
		for len(all) > 0 && all[0].to <= to && all[0].from < to {
			s := all[0]
			all = all[1:]
			out.WriteString(text(string(runes[from:s.from])))
			out.WriteString(mark(s.mark, part(s.from, s.to)))
			from = s.to
		}
		out.WriteString(text(string(runes[from:to])))
		return out.String()
	}
	return part(0, len(runes))
}

// inlineMarkdown writes running text.
func inlineMarkdown(b *documents.Block) string {
	return escapeStart(render(b, escape, marked))
}

// marked writes a marked range.
func marked(a *documents.Annotation, inner string) string {
	switch a.Type {
	case "Bold":
		return "**" + inner + "**"
	case "Italic":
		return "*" + inner + "*"
	case "Strike":
		return "~~" + inner + "~~"
	case "Code":
		plain := unescape(inner)
		fence := "`"
		for strings.Contains(plain, fence) {
			fence += "`"
		}
		if strings.HasPrefix(plain, "`") || strings.HasSuffix(plain, "`") {
			plain = " " + plain + " "
		}
		return fence + plain + fence
	case "Link", "Embed":
		if a.Link != "" {
			return "[" + inner + "](" + destination(a.Link) + ")"
		}
	}
	return inner
}

func unescape(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) && (strings.IndexByte(special+"-+=.)", s[i+1]) >= 0 || s[i+1] == '\n') {
			i++
		}
		b.WriteByte(s[i])
	}
	return b.String()
}
