package main

import (
	"fmt"
	"strings"

	"mappe/shared/book/manuscript"
)

var texEscape = strings.NewReplacer(`\`, `\textbackslash{}`, "{", `\{`, "}", `\}`, "&", `\&`, "%", `\%`, "$", `\$`, "#", `\#`, "_", `\_`,
	"~", `\textasciitilde{}`, "^", `\textasciicircum{}`)

// tex is LuaLaTeX: 5.5 × 8.5 inches, 11 on 14 points, 4.1 inches wide.
var tex = dialect{
	begin: func(language string) string {
		babel := "english"
		if strings.HasPrefix(language, "de") {
			babel = "ngerman"
		}
		return `\documentclass[11pt,twoside,openright]{memoir}
\setstocksize{8.5in}{5.5in}\settrimmedsize{8.5in}{5.5in}{*}\settrims{0pt}{0pt}
\setlrmarginsandblock{54pt}{46.8pt}{*}\setulmarginsandblock{67pt}{76pt}{*}\checkandfixthelayout
\usepackage{fontspec}\usepackage[` + babel + `]{babel}\usepackage{microtype}\usepackage{graphicx}
\setmainfont{regular.otf}[Path=./,ItalicFont=italic.otf,BoldFont=bold.otf,Numbers=OldStyle]
\begin{document}\fontsize{11}{14}\selectfont\tableofcontents
`
	},
	end:    func(string) string { return `\end{document}` + "\n" },
	escape: texEscape.Replace,
	styled: func(s string, style manuscript.Style) string {
		switch {
		case style.Has(manuscript.Italic):
			return `\emph{` + s + `}`
		case style.Has(manuscript.Bold):
			return `\textbf{` + s + `}`
		}
		return s
	},
	note:      func(s string) string { return `\footnote{` + s + `}` },
	chapter:   func(s string) string { return `\chapter{` + s + "}\n" },
	heading:   func(s string) string { return `\section*{` + s + "}\n" },
	paragraph: func(s string) string { return s + "\n\n" },
	scene:     func(s string) string { return `\begin{center}` + s + "\\end{center}\n" },
	quote:     func(s string) string { return "\\begin{quote}\n" + s + "\\end{quote}\n" },
	verse: func(stanzas [][]string) string {
		var all []string
		for _, s := range stanzas {
			all = append(all, strings.Join(s, "\\\\\n"))
		}
		return "\\begin{verse}\n" + strings.Join(all, "\n\n") + "\n\\end{verse}\n"
	},
	list: func(ordered bool, items []string) string {
		kind := "itemize"
		if ordered {
			kind = "enumerate"
		}
		return `\begin{` + kind + "}\n" + each(items, `\item `, "\n") + `\end{` + kind + "}\n"
	},
	figure: func(file string, widthMM float64, caption string) string {
		return fmt.Sprintf("\\begin{figure}\\centering\\includegraphics[width=%gmm]{%s}\n\n\\small %s\\end{figure}\n", widthMM, file,
			caption)
	},
	table: func(rows [][]string, caption string) string {
		var lines []string
		for _, r := range rows {
			lines = append(lines, strings.Join(r, " & ")+`\\`)
		}
		return "\\begin{table}\\centering\\small " + caption + "\n\n\\begin{tabular}{" + strings.Repeat("l", columns(rows)) + "}\n" +
			strings.Join(lines, "\n") + "\n\\end{tabular}\\end{table}\n"
	},
}
