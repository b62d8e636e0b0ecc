package main

import (
	"fmt"
	"strings"

	"mappe/shared/book/manuscript"
)

var typstEscape = strings.NewReplacer(`\`, `\\`, "#", `\#`, "*", `\*`, "_", `\_`, "`", "\\`", "$", `\$`, "<", `\<`, ">", `\>`, "@", `\@`,
	"[", `\[`, "]", `\]`, "~", `\~`, "/", `\/`, "=", `\=`, "-", `\-`, "+", `\+`, "'", `\'`, `"`, `\"`)

// typst is Typst: the same page by its own markup.
var typst = dialect{
	begin: func(language string) string {
		language, _, _ = strings.Cut(language, "-")
		return `#set page(width: 5.5in, height: 8.5in, margin: (inside: 54pt, outside: 46.8pt, top: 67pt, bottom: 76pt), numbering: "1")
#set text(font: "Linux Libertine O", size: 11pt, lang: "` +
			language + `", hyphenate: true, number-type: "old-style", top-edge: 0.8em, bottom-edge: -0.2em)
#set par(justify: true, leading: 3pt, spacing: 3pt, first-line-indent: 12pt)
#show heading.where(level: 1): it => { pagebreak(to: "odd", weak: true); align(center, text(18pt, it.body)) }
#show quote.where(block: true): it => block(inset: (x: 20pt, y: 9pt), it.body)
#outline()
`
	},
	end:    func(string) string { return "" },
	escape: typstEscape.Replace,
	styled: func(s string, style manuscript.Style) string {
		switch {
		case style.Has(manuscript.Italic):
			return "#emph[" + s + "]"
		case style.Has(manuscript.Bold):
			return "#strong[" + s + "]"
		}
		return s
	},
	note:      func(s string) string { return "#footnote[" + s + "]" },
	chapter:   func(s string) string { return "\n= " + s + "\n\n" },
	heading:   func(s string) string { return "\n== " + s + "\n\n" },
	paragraph: func(s string) string { return s + "\n\n" },
	scene:     func(s string) string { return "#align(center)[" + s + "]\n\n" },
	quote:     func(s string) string { return "#quote(block: true)[" + s + "]\n\n" },
	verse: func(stanzas [][]string) string {
		var all []string
		for _, s := range stanzas {
			all = append(all, strings.Join(s, " \\\n"))
		}
		return "#block(inset: (x: 26pt, y: 9pt))[" + strings.Join(all, "\n\n") + "]\n\n"
	},
	list: func(ordered bool, items []string) string {
		mark := "- "
		if ordered {
			mark = "+ "
		}
		return each(items, mark, "\n") + "\n"
	},
	figure: func(file string, widthMM float64, caption string) string {
		return fmt.Sprintf("#figure(image(%q, width: %gmm), caption: [%s], supplement: none, numbering: none, placement: auto)\n\n", file,
			widthMM, caption)
	},
	table: func(rows [][]string, caption string) string {
		var cells strings.Builder
		for _, r := range rows {
			for len(r) < columns(rows) {
				r = append(r, "")
			}
			cells.WriteString(each(r, "[", "], "))
		}
		return fmt.Sprintf("#figure(table(columns: %d, stroke: none, %s), caption: [%s], supplement: none, numbering: none)\n\n",
			columns(rows), cells.String(), caption)
	},
}
