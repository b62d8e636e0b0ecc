package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"strconv"
	"strings"

	"mappe/shared/web/fault"
)

// An answer fits the context of a model: usualKB kilobytes of JSON, unless max_kb asks for another bound.
const (
	usualKB = 20
	mostKB  = 200
)

// maxKB is the argument that every tool of rows and blocks takes.
const maxKB = "max_kb"

var maxKBSchema = json.RawMessage(
	fmt.Sprintf(`{"type":"integer","minimum":1,"maximum":%d,"default":%d,"description":"The most kilobytes that the answer may have. Rows beyond it are left for next_cursor, then polygons are left out."}`, mostKB, usualKB))

// bound takes max_kb out of the arguments: the bound of the answer in bytes.
func bound(given map[string]json.RawMessage) (int, error) {
	raw, ok := given[maxKB]
	delete(given, maxKB)
	if !ok {
		return usualKB << 10, nil
	}
	n, err := strconv.Atoi(strings.Trim(string(raw), `"`))
	if err != nil || n < 1 || n > mostKB {
		return 0, fault.Of(fault.OutOfRange, maxKB, text(raw), fmt.Sprintf("a whole number from 1 to %d", mostKB))
	}
	return n << 10, nil
}

// within asks until the answer is within its bound: with fewer rows, then without polygons.
func (t *tool) within(ctx context.Context, a asking, of date, who from) (*content, string, error) {
	var said []string
	for {
		got, err := a.do(ctx, who.client)
		if err != nil {
			return nil, "", err
		}
		if why := got.refusal(); why != "" {
			return nil, a.call.renamed(why), nil
		}
		c, err := t.compose(a, got, of, who.base)
		if err != nil {
			return nil, "", err
		}
		size, rows := c.measure()
		if size > a.bound && a.call.pages && rows > 1 {
			a = a.limited(max(1, rows*a.bound*9/10/size))
			said = []string{fmt.Sprintf("The answer is cut to some %d KB: next_cursor has the rows that follow, %s asks for more at once.",
				a.bound>>10, maxKB)}
			continue
		}
		if size > a.bound && c.withoutPolygons() {
			said = append(said, fmt.Sprintf("Polygons are left out, as the answer is larger than %d KB with them: %s asks for more.",
				a.bound>>10, maxKB))
			size, _ = c.measure()
		}
		if size > a.bound {
			return nil, fmt.Sprintf("the answer has %d KB, more than %s=%d: ask for less, or give a larger %s (at most %d)", size>>10,
				maxKB, a.bound>>10, maxKB, mostKB), nil
		}
		c.Uncertainty = append(c.Uncertainty, said...)
		return c, "", nil
	}
}

// limited is the same request for so many rows.
func (a asking) limited(rows int) asking {
	u, err := url.Parse(a.target)
	if err != nil { // it was made here
		return a
	}
	q := u.Query()
	q.Set("limit", strconv.Itoa(rows))
	a.target = u.EscapedPath() + "?" + q.Encode()
	return a
}

// table are rows as columns: their names stand once.
type table struct {
	Columns []string            `json:"columns"`
	Rows    [][]json.RawMessage `json:"rows"`
}

// tabled makes a table of several rows; false where the value is no list of objects.
func tabled(data json.RawMessage) (table, bool) {
	var rows []json.RawMessage
	if json.Unmarshal(data, &rows) != nil || len(rows) < 2 {
		return table{}, false
	}
	at := map[string]int{}
	t := table{Rows: make([][]json.RawMessage, len(rows))}
	for i, raw := range rows {
		names, values, ok := membersOf(raw)
		if !ok {
			return table{}, false
		}
		row := make([]json.RawMessage, len(t.Columns), len(t.Columns)+len(names))
		for n, name := range names {
			column, known := at[name]
			if !known {
				column = len(t.Columns)
				at[name] = column
				t.Columns = append(t.Columns, name)
				row = append(row, nil)
			}
			row[column] = values[n]
		}
		t.Rows[i] = row
	}
	for i, row := range t.Rows {
		for len(row) < len(t.Columns) {
			row = append(row, nil)
		}
		for n := range row {
			if row[n] == nil {
				row[n] = json.RawMessage("null")
			}
		}
		t.Rows[i] = row
	}
	return t, true
}

// membersOf are the members of an object in their order.
func membersOf(raw json.RawMessage) (names []string, values []json.RawMessage, ok bool) {
	d := json.NewDecoder(bytes.NewReader(raw))
	if token, err := d.Token(); err != nil || token != json.Delim('{') {
		return nil, nil, false
	}
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return nil, nil, false
		}
		var v json.RawMessage
		if err := d.Decode(&v); err != nil {
			return nil, nil, false
		}
		key, _ := name.(string)
		names, values = append(names, key), append(values, v)
	}
	return names, values, true
}

// measure gives the bytes of the answer and how many rows it lists.
func (c *content) measure() (size, rows int) {
	b, err := json.Marshal(c.Answer)
	if err != nil { // it was made of JSON
		return 0, 0
	}
	return len(b), c.rows
}

// withoutPolygons leaves the geometries of the rows out; false if the rows have no geometry.
func (c *content) withoutPolygons() bool {
	data, left := c.Answer["data"], false
	cut := func(raw json.RawMessage) (json.RawMessage, bool) {
		var o map[string]json.RawMessage
		if json.Unmarshal(raw, &o) != nil || o["geometry"] == nil {
			return raw, false
		}
		delete(o, "geometry")
		b, err := json.Marshal(o)
		return b, err == nil
	}
	var rows []json.RawMessage
	if json.Unmarshal(data, &rows) == nil {
		for i := range rows {
			var ok bool
			if rows[i], ok = cut(rows[i]); ok {
				left = true
			}
		}
		if b, err := json.Marshal(rows); err == nil && left {
			c.Answer["data"] = b
		}
		return left
	}
	var t table
	if json.Unmarshal(data, &t) == nil && len(t.Columns) > 0 {
		return c.withoutColumn(t, "geometry")
	}
	if b, ok := cut(data); ok {
		c.Answer["data"], left = b, true
	}
	return left
}

func (c *content) withoutColumn(t table, name string) bool {
	for i, column := range t.Columns {
		if column != name {
			continue
		}
		t.Columns = append(t.Columns[:i:i], t.Columns[i+1:]...)
		for n, row := range t.Rows {
			t.Rows[n] = append(row[:i:i], row[i+1:]...)
		}
		b, err := json.Marshal(t)
		if err == nil {
			c.Answer["data"] = b
		}
		return err == nil
	}
	return false
}
