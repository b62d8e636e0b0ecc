package main

import (
	"fmt"
	"html"
	"strings"

	"mappe/shared/book/manuscript"
)

// page is WeasyPrint: the same page by CSS, with its footnotes.
var page = dialect{
	begin: func(language string) string {
		return `<!DOCTYPE html><html lang="` + html.EscapeString(language) + `"><meta charset="utf-8"><style>
@font-face{font-family:B;src:url(regular.otf)}@font-face{font-family:B;font-style:italic;src:url(italic.otf)}@font-face{font-family:B;font-weight:bold;src:url(bold.otf)}
@page{size:5.5in 8.5in;margin:67pt 50pt 76pt;@bottom-center{content:counter(page)}}
body{font:11pt/14pt B;hyphens:auto;text-align:justify;font-variant-numeric:oldstyle-nums}p{margin:0;text-indent:12pt}h1{page-break-before:right;font-size:18pt;text-align:center}
.note{float:footnote;font-size:9pt;line-height:11pt}.scene,figure,caption{text-align:center;text-indent:0}blockquote,figure,table{margin:14pt 20pt}td{padding-right:12pt}.verse{margin:14pt 26pt}.verse p{text-indent:0}.end{margin-bottom:14pt}
</style>`
	},
	end:    func(string) string { return "</html>\n" },
	escape: html.EscapeString,
	styled: func(s string, style manuscript.Style) string {
		switch {
		case style.Has(manuscript.Italic):
			return "<i>" + s + "</i>"
		case style.Has(manuscript.Bold):
			return "<b>" + s + "</b>"
		}
		return s
	},
	note:      func(s string) string { return `<span class="note">` + s + "</span>" },
	chapter:   func(s string) string { return "<h1>" + s + "</h1>\n" },
	heading:   func(s string) string { return "<h2>" + s + "</h2>\n" },
	paragraph: func(s string) string { return "<p>" + s + "</p>\n" },
	scene:     func(s string) string { return `<p class="scene">` + s + "</p>\n" },
	quote:     func(s string) string { return "<blockquote>" + s + "</blockquote>\n" },
	verse: func(stanzas [][]string) string {
		out := `<div class="verse">`
		for _, s := range stanzas {
			last := len(s) - 1
			out += each(s[:last], "<p>", "</p>") + `<p class="end">` + s[last] + "</p>"
		}
		return out + "</div>\n"
	},
	list: func(ordered bool, items []string) string {
		kind := "ul"
		if ordered {
			kind = "ol"
		}
		return "<" + kind + ">" + each(items, "<li>", "</li>") + "</" + kind + ">\n"
	},
	figure: func(file string, widthMM float64, caption string) string {
		return fmt.Sprintf("<figure><img src=%q style=\"width:%gmm\"><br>%s</figure>\n", file, widthMM, caption)
	},
	table: func(rows [][]string, caption string) string {
		var out strings.Builder
		for _, r := range rows {
			out.WriteString("<tr>" + each(r, "<td>", "</td>") + "</tr>")
		}
		return "<table><caption>" + caption + "</caption>" + out.String() + "</table>\n"
	},
}
