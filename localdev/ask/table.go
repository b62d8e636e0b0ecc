package ask

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"
)

const (
	maxCell   = 40 // characters of a cell on a terminal
	separator = "  "
)

// tabling writes the pages of a list as one table: the first page decides the columns and their widths.
type tabling struct {
	out     io.Writer
	width   int // of the terminal; 0: not bounded
	columns []string
	widths  []int
	hidden  int // columns that do not fit
	rows    int
}

// add writes the rows of a page.
func (t *tabling) add(rows []object) error {
	if t.columns == nil && len(rows) > 0 {
		t.layOut(rows)
		head := make([]string, len(t.columns))
		copy(head, t.columns)
		if err := t.line(head); err != nil {
			return err
		}
	}
	for _, r := range rows {
		cells := make([]string, len(t.columns))
		for i, c := range t.columns {
			cells[i] = cell(orNull(r.get(c)))
		}
		if err := t.line(cells); err != nil {
			return err
		}
		t.rows++
	}
	return nil
}

// layOut chooses columns: those of the rows in their order without polygons and without those that are empty, as many
// as the terminal is wide.
func (t *tabling) layOut(rows []object) {
	var names []string
	wide := map[string]int{}
	for _, r := range rows {
		for _, m := range r {
			if m.name == "geometry" || m.name == "_layer" {
				continue
			}
			text := plain(cell(m.value))
			if text == "" {
				continue
			}
			if !slices.Contains(names, m.name) {
				names = append(names, m.name)
				wide[m.name] = utf8.RuneCountInString(m.name)
			}
			wide[m.name] = max(wide[m.name], utf8.RuneCountInString(text))
		}
	}
	used := 0
	for _, n := range names {
		w := wide[n]
		if t.width > 0 {
			w = min(w, maxCell)
		}
		if t.width > 0 && used+w > t.width && len(t.columns) > 0 {
			t.hidden++
			continue
		}
		used += w + len(separator)
		t.columns, t.widths = append(t.columns, n), append(t.widths, w)
	}
}

// line writes cells; on a terminal they are cut to the width of their column.
func (t *tabling) line(cells []string) error {
	var b strings.Builder
	for i, c := range cells {
		c = plain(c)
		n := utf8.RuneCountInString(c)
		if t.width > 0 && n > t.widths[i] {
			r := []rune(c)
			c, n = string(r[:max(t.widths[i]-1, 0)])+"…", t.widths[i]
		}
		b.WriteString(c)
		if i < len(cells)-1 {
			b.WriteString(strings.Repeat(" ", max(t.widths[i]-n, 0)) + separator)
		}
	}
	_, err := fmt.Fprintln(t.out, strings.TrimRight(b.String(), " "))
	return err
}

// list writes facts, a line each.
func list(out io.Writer, facts []fact, width int) error {
	wide := 0
	for _, f := range facts {
		wide = max(wide, utf8.RuneCountInString(f.name))
	}
	for _, f := range facts {
		text := plain(f.text)
		if room := width - wide - len(separator); width > 0 && room > 1 && utf8.RuneCountInString(text) > room {
			text = string([]rune(text)[:room-1]) + "…"
		}
		line := plain(f.name) + strings.Repeat(" ", wide-utf8.RuneCountInString(f.name)) + separator + text
		if _, err := fmt.Fprintln(out, strings.TrimRight(line, " ")); err != nil {
			return err
		}
	}
	return nil
}
