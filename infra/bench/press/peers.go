package main

import (
	"html"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"mappe/shared/book/font"
	"mappe/shared/book/manuscript"
)

// peers writes the same text for the other engines and says how to run those that are installed.
func peers(dir string, b manuscript.Book, language string) ([]engine, error) {
	for style, name := range map[font.Style]string{font.Regular: "regular.otf", font.Italic: "italic.otf", font.Bold: "bold.otf"} {
		data, err := font.File(font.Libertine, style)
		if err != nil {
			return nil, err
		}
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o644); err != nil {
			return nil, err
		}
	}
	var out []engine
	if _, err := exec.LookPath("lualatex"); err == nil {
		if err := os.WriteFile(filepath.Join(dir, "tex.tex"), tex(b, language), 0o644); err != nil {
			return nil, err
		}
		pass := []string{"lualatex", "-interaction=batchmode", "tex.tex"}
		out = append(out, engine{"LuaLaTeX, 2 passes", [][]string{pass, pass}, filepath.Join(dir, "tex.pdf")})
	}
	if _, err := exec.LookPath("weasyprint"); err == nil {
		if err := os.WriteFile(filepath.Join(dir, "weasy.html"), page(b, language), 0o644); err != nil {
			return nil, err
		}
		out = append(out, engine{"WeasyPrint", [][]string{{"weasyprint", "weasy.html", "weasy.pdf"}}, filepath.Join(dir, "weasy.pdf")})
	}
	return out, nil
}

// tex is the book for LuaLaTeX: 5.5 × 8.5 inches, 11 on 14 points, 4.1 inches wide.
func tex(b manuscript.Book, language string) []byte {
	babel := "english"
	if strings.HasPrefix(language, "de") {
		babel = "ngerman"
	}
	var o strings.Builder
	o.WriteString(`\documentclass[11pt,twoside,openright]{memoir}
\setstocksize{8.5in}{5.5in}\settrimmedsize{8.5in}{5.5in}{*}\settrims{0pt}{0pt}
\setlrmarginsandblock{54pt}{46.8pt}{*}\setulmarginsandblock{67pt}{76pt}{*}\checkandfixthelayout
\usepackage{fontspec}\usepackage[` + babel + `]{babel}\usepackage{microtype}
\setmainfont{regular.otf}[Path=./,ItalicFont=italic.otf,BoldFont=bold.otf,Numbers=OldStyle]
\begin{document}\fontsize{11}{14}\selectfont\tableofcontents
`)
	for i := range b.Sections {
		title, paragraphs := text(&b.Sections[i])
		o.WriteString(`\chapter{` + texEscape.Replace(title) + "}\n")
		for _, p := range paragraphs {
			o.WriteString(texEscape.Replace(p) + "\n\n")
		}
	}
	o.WriteString(`\end{document}` + "\n")
	return []byte(o.String())
}

var texEscape = strings.NewReplacer(`\`, `\textbackslash{}`, "{", `\{`, "}", `\}`, "&", `\&`, "%", `\%`, "$", `\$`, "#", `\#`, "_", `\_`, "~", `\textasciitilde{}`, "^", `\textasciicircum{}`)

// page is the book for WeasyPrint.
func page(b manuscript.Book, language string) []byte {
	var o strings.Builder
	o.WriteString(`<!DOCTYPE html><html lang="` + html.EscapeString(language) + `"><meta charset="utf-8"><style>
@font-face{font-family:B;src:url(regular.otf)}@font-face{font-family:B;font-style:italic;src:url(italic.otf)}
@page{size:5.5in 8.5in;margin:67pt 50pt 76pt;@bottom-center{content:counter(page)}}
body{font:11pt/14pt B;hyphens:auto;text-align:justify;font-variant-numeric:oldstyle-nums}p{margin:0;text-indent:12pt}h1{page-break-before:right;font-size:18pt;text-align:center}
</style>`)
	for i := range b.Sections {
		title, paragraphs := text(&b.Sections[i])
		o.WriteString("<h1>" + html.EscapeString(title) + "</h1>\n")
		for _, p := range paragraphs {
			o.WriteString("<p>" + html.EscapeString(p) + "</p>\n")
		}
	}
	return []byte(o.String())
}

// pages asks pdfinfo for the number of pages.
func pages(pdf string) string {
	out, err := exec.Command("pdfinfo", pdf).Output()
	if err != nil {
		return ""
	}
	for line := range strings.Lines(string(out)) {
		if n, ok := strings.CutPrefix(line, "Pages:"); ok {
			return strings.TrimSpace(n)
		}
	}
	return ""
}
