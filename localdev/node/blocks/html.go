package blocks

import (
	"html"
	"html/template"
	"net/url"
	"strconv"
	"strings"

	documents "mappe/localdev/node/api/documents/v3alpha"
)

// HTML writes a document for reading. Nothing of it is fetched from elsewhere: pictures that this node does not keep are links.
func HTML(name string, d *documents.Document) template.HTML {
	p := &page{}
	p.out.WriteString("<article><h1>" + html.EscapeString(name) + "</h1>")
	p.list(d.Content, 2, 0)
	p.out.WriteString("</article><footer><p>By " + html.EscapeString(strings.Join(d.Authors, ", ")) +
		"</p><p>Version <code>" + html.EscapeString(d.Version) + "</code></p></footer>")
	return template.HTML(p.out.String()) //nolint:gosec // every text was escaped
}

type page struct{ out strings.Builder }

func (p *page) write(parts ...string) {
	for _, s := range parts {
		p.out.WriteString(s)
	}
}

func (p *page) list(list []*documents.BlockNode, level, depth int) {
	if depth > maxDepth {
		p.write("<p>…</p>")
		return
	}
	for _, n := range list {
		p.block(n, level, depth)
	}
}

func (p *page) block(n *documents.BlockNode, level, depth int) {
	b := n.Block
	switch b.Type {
	case "Heading":
		h := "h" + strconv.Itoa(min(level, 6))
		p.write("<", h, ">", inlineHTML(b), "</", h, ">")
		level++
	case "Code":
		p.write("<pre><code>", html.EscapeString(b.Text), "</code></pre>")
	case "Math":
		p.write("<pre>", html.EscapeString(b.Text), "</pre>")
	case "Image":
		if src := local(b.Link); src != "" {
			p.write(`<p><img src="`, html.EscapeString(src), `" alt="`, html.EscapeString(b.Text), `"></p>`)
		} else {
			p.write("<p>", anchor(b.Link, html.EscapeString(or(b.Text, b.Link))), "</p>")
		}
	case "Video":
		if src := local(b.Link); src != "" {
			p.write(`<p><video controls src="`, html.EscapeString(src), `"></video></p>`)
		} else {
			p.write("<p>", anchor(b.Link, html.EscapeString(or(b.Text, b.Link))), "</p>")
		}
	case "Embed":
		p.write("<p>", anchor(b.Link, html.EscapeString(b.Link)), "</p>")
	case "OrderedList", "UnorderedList":
		p.items(n, b.Type == "OrderedList", level, depth)
		return
	default:
		if b.Text != "" {
			p.write("<p>", inlineHTML(b), "</p>")
		}
	}
	p.children(n, level, depth)
}

func (p *page) children(n *documents.BlockNode, level, depth int) {
	switch kind := attribute(n.Block, "childrenType"); {
	case len(n.Children) == 0:
	case kind == "Ordered" || kind == "Unordered":
		p.items(&documents.BlockNode{Block: &documents.Block{}, Children: n.Children}, kind == "Ordered", level, depth)
	case kind == "Blockquote":
		p.write("<blockquote>")
		p.list(n.Children, level, depth+1)
		p.write("</blockquote>")
	default:
		p.list(n.Children, level, depth+1)
	}
}

func (p *page) items(n *documents.BlockNode, ordered bool, level, depth int) {
	tag := "ul"
	if ordered {
		tag = "ol"
	}
	p.write("<", tag, ">")
	if n.Block.Text != "" {
		p.write("<li>", inlineHTML(n.Block), "</li>")
	}
	for _, c := range n.Children {
		p.write("<li>")
		p.list([]*documents.BlockNode{c}, level, depth+1)
		p.write("</li>")
	}
	p.write("</", tag, ">")
}

func or(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

// local is the address of a file that this node may keep.
func local(link string) string {
	if rest, ok := strings.CutPrefix(link, "ipfs://"); ok {
		return "/ipfs/" + url.PathEscape(rest)
	}
	return ""
}

// anchor is a link to an address that may be followed; others are text.
func anchor(link, inner string) string {
	u, err := url.Parse(link)
	if err != nil {
		return inner
	}
	switch u.Scheme {
	case "hm":
		link = (&url.URL{Path: "/hm/" + u.Host + u.Path, RawQuery: u.RawQuery}).String()
	case "ipfs":
		link = local(link)
	case "http", "https", "mailto":
	default:
		return inner
	}
	return `<a href="` + html.EscapeString(link) + `" rel="nofollow noopener">` + inner + "</a>"
}

func inlineHTML(b *documents.Block) string {
	text := func(s string) string { return strings.ReplaceAll(html.EscapeString(s), "\n", "<br>") }
	tags := map[string]string{"Bold": "strong", "Italic": "em", "Underline": "u", "Strike": "s", "Code": "code"}
	return render(b, text, func(a *documents.Annotation, inner string) string {
		if tag := tags[a.Type]; tag != "" {
			return "<" + tag + ">" + inner + "</" + tag + ">"
		}
		if a.Link != "" {
			return anchor(a.Link, inner)
		}
		return inner
	})
}
