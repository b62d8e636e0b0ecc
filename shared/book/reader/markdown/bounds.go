package markdown

import (
	"strings"

	"mappe/shared/book/reader/source"
)

// The parser of Markdown takes time that grows with the square of what it nests and of the brackets in a
// paragraph, and makes a cell for every column of every row. The budgets are the sums of such work over a
// file; no text comes near them, and at any of them the parser takes a second or two.
const (
	maxRun    = 2000       // marks in a row
	nestWork  = 20_000_000 // of lines: half the length of what leads in, squared
	linkWork  = 20_000_000 // of paragraphs: brackets, squared
	tableWork = 300_000    // of paragraphs: lines times the columns of the widest
	maxNotes  = 10_000     // marks and texts of notes
)

// bounded refuses what would take the parser far longer than any text does.
func bounded(s string, l source.Limits) error {
	if len(s) > l.Part {
		return source.Refuse(source.TooLarge, "The file has more than %s of text. Divide it into volumes.", source.Size(l.Part))
	}
	if strings.Count(s, "[^") > maxNotes {
		return source.Refuse(source.TooComplex, "The file has more than %d notes. Divide it into volumes or save it as .docx.", maxNotes/2)
	}
	var nest, links, tables int
	var p paragraph
	for s != "" {
		line, rest, _ := strings.Cut(s, "\n")
		s = rest
		lead := len(line) - len(strings.TrimLeft(line, " \t>-*+.)0123456789"))
		nest += lead / 2 * (lead / 2)
		if strings.TrimSpace(line) == "" {
			links, tables = links+p.brackets*p.brackets, tables+p.lines*p.columns
			p = paragraph{}
		} else {
			p.add(line)
		}
		if p.most > maxRun || nest > nestWork || links+p.brackets*p.brackets > linkWork || tables+p.lines*p.columns > tableWork {
			return source.Refuse(source.TooComplex,
				"The file nests or links its text as no manuscript does (thousands of brackets, list marks or table columns in a paragraph). Check the file or save it as .docx.")
		}
	}
	return nil
}

// paragraph counts what makes a paragraph costly.
type paragraph struct {
	lines, columns, brackets int
	run, most                int
}

func (p *paragraph) add(line string) {
	p.lines++
	p.columns = max(p.columns, strings.Count(line, "|"))
	for i := 0; i < len(line); i++ {
		switch c := line[i]; c {
		case '[', '(', '<', '!', '>', '*', '_', '`', '~':
			if c == '[' || c == '(' {
				p.brackets++
			}
			p.run++
			p.most = max(p.most, p.run)
		case ' ', '\t':
		default:
			p.run = 0
		}
	}
}
