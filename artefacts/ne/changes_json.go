package ne

import (
	"bytes"
	"encoding/hex"

	"mappe/shared/austria"
	"mappe/shared/geo/hexgrid"
)

// Changes are written and read by hand in the one form that encoding/json gives them, many times faster: a KG whose
// ground was drawn anew has tens of thousands of changed cells. What is not in that form is left to encoding/json.

// quickText says whether a text stands in JSON as it is.
func quickText(s string) bool {
	for _, c := range []byte(s) {
		if c < ' ' || c >= 0x7f || c == '"' || c == '\\' || c == '<' || c == '>' || c == '&' {
			return false
		}
	}
	return true
}

// appendJSON writes the changes as json.Marshal does; false where it cannot.
func (c *Changes) appendJSON(b []byte) ([]byte, bool) {
	b = append(b, `{"format":1,"kg_code":"`...)
	b = append(b, c.KG...)
	b = append(b, `","cells":[`...)
	ok := quickText(string(c.KG))
	for i := range c.Cells {
		x := &c.Cells[i]
		if ok = ok && quickText(string(x.Status)) && quickText(x.Since) && quickText(x.LastChange); !ok {
			return nil, false
		}
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, `{"cell":"`...)
		b, _ = x.Cell.AppendText(b) // it has no error
		b = append(b, `","status":"`...)
		b = append(b, x.Status...)
		b = append(b, `","since":"`...)
		b = append(b, x.Since...)
		b = append(b, `","last_change":"`...)
		b = append(b, x.LastChange...)
		b = append(b, `","before":"`...)
		b = hex.AppendEncode(b, x.Before[:])
		b = append(b, `","after":"`...)
		b = hex.AppendEncode(b, x.After[:])
		b = append(b, `"}`...)
	}
	return append(b, "]}"...), ok
}

// changesReader takes what it expects off the front of its bytes. failed is set by the first thing that is not there.
type changesReader struct {
	b      []byte
	texts  map[string]string // statuses and dates: few, said of each cell
	failed bool
}

// skip takes a text that must stand there.
func (r *changesReader) skip(s string) {
	if len(r.b) < len(s) || string(r.b[:len(s)]) != s {
		r.failed = true
		return
	}
	r.b = r.b[len(s):]
}

// text takes up to the next quotation mark, which stays.
func (r *changesReader) text() []byte {
	n := bytes.IndexByte(r.b, '"')
	if n < 0 {
		r.failed = true
		return nil
	}
	s := r.b[:n]
	r.b = r.b[n:]
	return s
}

// known is text as one string for all that are equal.
func (r *changesReader) known() string {
	raw := r.text()
	if s, ok := r.texts[string(raw)]; ok {
		return s
	}
	s := string(raw)
	r.failed = r.failed || !quickText(s)
	r.texts[s] = s
	return s
}

// cell takes a cell as Cell.AppendText writes it.
func (r *changesReader) cell() hexgrid.Cell {
	raw := r.text()
	c, err := hexgrid.Parse(string(raw))
	r.failed = r.failed || err != nil
	return c
}

func (r *changesReader) stat() (s Stat) {
	r.failed = r.failed || s.UnmarshalText(r.text()) != nil
	return s
}

// readChanges reads what appendJSON has written; false where the bytes have another form.
func readChanges(b []byte) (*Changes, bool) {
	r := changesReader{b: b, texts: map[string]string{}}
	r.skip(`{"format":1,"kg_code":"`)
	c := &Changes{Format: 1, KG: austria.KGCode(r.known()), Cells: make([]Change, 0, min(bytes.Count(b, cellBegins), len(b)/leastChange))}
	r.skip(`","cells":[`)
	for !r.failed && len(r.b) > 0 && r.b[0] != ']' {
		if len(c.Cells) > 0 {
			r.skip(",")
		}
		var x Change
		r.skip(`{"cell":"`)
		x.Cell = r.cell()
		r.skip(`","status":"`)
		x.Status = Status(r.known())
		r.skip(`","since":"`)
		x.Since = r.known()
		r.skip(`","last_change":"`)
		x.LastChange = r.known()
		r.skip(`","before":"`)
		x.Before = r.stat()
		r.skip(`","after":"`)
		x.After = r.stat()
		r.skip(`"}`)
		c.Cells = append(c.Cells, x)
	}
	r.skip("]}")
	return c, !r.failed && len(r.b) == 0
}

// cellBegins is what stands before each cell, and nowhere else: in texts a quotation mark is escaped.
var cellBegins = []byte(`{"cell":"`)

// leastChange is less than the bytes of a change, of which 88 are two statistics.
const leastChange = 150

// ChangedCells are the cells of encoded changes, each once and rising, without all else being read. changes is how many changes
// they have.
func ChangedCells(b []byte, changes int) ([]hexgrid.Cell, error) {
	cells := make([]hexgrid.Cell, 0, max(0, min(changes, len(b)/leastChange)))
	found := 0
	for rest := b; ; found++ {
		at := bytes.Index(rest, cellBegins)
		if at < 0 {
			break
		}
		r := changesReader{b: rest[at+len(cellBegins):]}
		c := r.cell()
		if n := len(cells); r.failed || n > 0 && cells[n-1] > c {
			found = -1
			break
		} else if n == 0 || cells[n-1] < c {
			cells = append(cells, c)
		}
		rest = r.b
	}
	if found == changes && found > 0 {
		return cells, nil
	}
	c, err := ParseChanges(b) // in another form, or not what was said
	if err != nil {
		return nil, err
	}
	return c.Changed(), nil
}

// Changed are the cells of changes, each once.
func (c *Changes) Changed() (cells []hexgrid.Cell) {
	for x := range c.ByCell() {
		cells = append(cells, x.Newest.Cell)
	}
	return cells
}
