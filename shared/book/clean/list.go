package clean

import (
	"strings"
	"unicode/utf8"

	"mappe/shared/book/finding"
	"mappe/shared/book/manuscript"
)

// item is a paragraph that begins as an item of a list does.
type item struct {
	format string // of manuscript.List, "bullet" for none
	mark   string // what follows the number, or the bullet
	n      int
	skip   int // bytes of the mark and the space behind it, with the space before it
}

// lists makes a list of paragraphs that are numbered by hand.
func (r *repair) lists(blocks []manuscript.Block) []manuscript.Block {
	out := make([]manuscript.Block, 0, len(blocks))
	for i := 0; i < len(blocks); {
		items := r.run(blocks[i:])
		if len(items) < 2 {
			out = append(out, blocks[i])
			i++
			continue
		}
		first := blocks[i].(*manuscript.Paragraph)
		l := &manuscript.List{Ordered: items[0].format != "bullet", Place: first.Place}
		if l.Ordered {
			l.Start, l.Format = items[0].n, items[0].format
		}
		var marks []string
		for k, it := range items {
			p := *blocks[i+k].(*manuscript.Paragraph)
			marks = append(marks, strings.TrimFunc(manuscript.Flow(p.Inlines)[:it.skip], blank))
			_, p.Inlines = cut(p.Inlines, 0, it.skip)
			l.Items = append(l.Items, []manuscript.Block{&p})
		}
		f := finding.New(finding.ManualNumbering, first.Place, trimmed(first.Inlines))
		f.Left = strings.Join(marks, " ")
		r.log.put(f)
		out = append(out, l)
		i += len(items)
	}
	return out
}

// run is how many of the first blocks are the items of one list.
func (r *repair) run(blocks []manuscript.Block) []item {
	var items []item
	for _, b := range blocks {
		p, ok := b.(*manuscript.Paragraph)
		if !ok || !running(p) || len(p.Inlines) == 0 || all(p.Inlines, manuscript.Monospace) {
			break
		}
		it, ok := itemOf(manuscript.Flow(p.Inlines))
		if !ok {
			break
		}
		if len(items) > 0 {
			last := items[len(items)-1]
			if it.format != last.format { // i) and v) are letters too
				if again, ok := as(manuscript.Flow(p.Inlines), last.format); ok && again.n == last.n+1 {
					it = again
				}
			}
			if it.format != last.format || it.mark != last.mark || it.format != "bullet" && it.n != last.n+1 {
				break
			}
		} else if it.format != "bullet" && it.n != 1 && it.format != "decimal" {
			break
		}
		items = append(items, it)
	}
	if len(items) == 2 && items[0].format == "decimal" && items[0].n > 1 { // two years or house numbers
		return nil
	}
	if len(items) > 0 && (items[0].mark == "-" || items[0].mark == "*") && (len(items) < 3 || speech(blocks[:len(items)])) {
		return nil
	}
	return items
}

// speech says whether most of the paragraphs end as sentences do: a hyphen in front of them is the dash of who speaks.
func speech(blocks []manuscript.Block) bool {
	n := 0
	for _, b := range blocks {
		end, _ := utf8.DecodeLastRuneInString(trimmed(b.(*manuscript.Paragraph).Inlines))
		if strings.ContainsRune(".!?…”“»«\"", end) {
			n++
		}
	}
	return n*2 > len(blocks)
}

// itemOf reads the mark in front of a paragraph: "3.", "b)", "iv.", "•".
func itemOf(s string) (item, bool) { return as(s, "") }

func as(s, format string) (item, bool) {
	t := strings.TrimLeftFunc(s, blank)
	lead := len(s) - len(t)
	if t == "" {
		return item{}, false
	}
	c, w := utf8.DecodeRuneInString(t)
	if strings.ContainsRune("•·▪‣◦●○■□-*", c) {
		rest := t[w:]
		body := strings.TrimLeft(rest, " \t\u00a0")
		if len(body) == len(rest) || body == "" {
			return item{}, false
		}
		return item{format: "bullet", mark: string(c), n: 1, skip: lead + w + len(rest) - len(body)}, true
	}
	open := 0
	if t[0] == '(' {
		open = 1
	}
	end := open
	for end < len(t) && end < open+5 && (t[end] >= '0' && t[end] <= '9' || t[end] >= 'a' && t[end] <= 'z') {
		end++
	}
	if end == open || end >= len(t) || t[end] != '.' && t[end] != ')' || open == 1 && t[end] != ')' {
		return item{}, false
	}
	number, rest := t[open:end], t[end+1:]
	body := strings.TrimLeft(rest, " \t\u00a0")
	if len(body) == len(rest) || len(body) < 2 {
		return item{}, false
	}
	it := item{mark: t[:open] + t[end:end+1], skip: lead + end + 1 + len(rest) - len(body)}
	switch {
	case number[0] <= '9':
		it.format, it.n = "decimal", value(number)
	case len(number) == 1 && format != "lower-roman" && (number != "i" || format == "lower-alpha"):
		it.format, it.n = "lower-alpha", int(number[0]-'a')+1
	default:
		it.format, it.n = "lower-roman", roman(number)
	}
	// A letter with a full stop may be an initial or an abbreviation ("z. B."): a bracket is needed.
	if it.n == 0 || it.format == "lower-alpha" && it.mark == "." && strings.HasPrefix(body[1:], ".") {
		return item{}, false
	}
	return it, true
}
