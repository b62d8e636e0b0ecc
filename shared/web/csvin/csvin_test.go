package csvin

import (
	"errors"
	"io"
	"strings"
	"testing"
)

func TestTables(t *testing.T) {
	for _, c := range []struct {
		name, body string
		want       [][2]string // of the columns lon and id
		number     float64     // of the first lon
	}{
		{"commas", "id,lon,lat\na,13.5,47\nb, 14 ,48\n", [][2]string{{"13.5", "a"}, {"14", "b"}}, 13.5},
		{"semicolons and decimal commas", "\ufeffLon;Lat;ID\r\n13,5;47,1;a\r\n", [][2]string{{"13,5", "a"}}, 13.5},
		{"tabs, an empty cell", "id\tlng\n\t13.25\n", [][2]string{{"13.25", ""}}, 13.25},
		{"quotes", "longitude,id\n\"13.5\",\"a, b\"\n", [][2]string{{"13.5", "a, b"}}, 13.5},
		{"blank lines before", "\n\n lon,id\n1,x\n", [][2]string{{"1", "x"}}, 1},
	} {
		if !Is([]byte(c.body)) {
			t.Errorf("%s: no table", c.name)
		}
		table, err := Read([]byte(c.body))
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		if head := strings.Join(table.Names(),
			string(table.Separator())); head != strings.TrimSpace(strings.TrimPrefix(strings.SplitN(strings.TrimLeft(c.body, "\n "), "\n",
			2)[0], "\ufeff")) {
			t.Errorf("%s: the header %q", c.name, head)
		}
		lon, id := table.Column("lon", "longitude", "lng"), table.Column("id")
		for i, want := range c.want {
			row, err := table.Next()
			if err != nil || row.Cell(lon) != want[0] || row.Cell(id) != want[1] {
				t.Errorf("%s, line %d: %q, %v", c.name, i, row, err)
			}
			if v, err := table.Number(row.Cell(lon)); i == 0 && (err != nil || v != c.number) {
				t.Errorf("%s: %v, %v", c.name, v, err)
			}
		}
		if _, err := table.Next(); !errors.Is(err, io.EOF) {
			t.Errorf("%s: behind the last line: %v", c.name, err)
		}
	}
	if Is([]byte("\ufeff {}")) || Is([]byte("[1]")) || Is(nil) {
		t.Error("JSON is no table")
	}
}

// A line before the header may say what parts the cells; what stands in quotes parts none.
func TestWhatParts(t *testing.T) {
	for _, c := range []struct {
		name, body, header string
		number             float64 // of the column lon
	}{
		{"a line", "sep=;\nid;lon\na;13,5\n", "id;lon", 13.5}, {"quoted, other ends", "\ufeff\"SEP=,\"\r\nid,lon\r\na,13.5\r\n", "id,lon",
			13.5},
		{"one column", "sep=;\nlon\n1,5\n", "lon", 1.5}, {"against the header's look", "sep=,\n\"a;b\",lon\nx,1.5\n", "a;b,lon", 1.5},
		{"a bar", "sep=|\nid|lon\na|1,5\n", "id|lon", 1.5}, {"a tab, a blank line", "sep=\t\n\nid\tlon\n\t1.5\n", "id\tlon", 1.5},
		{"a column of the name", "sep=x;lon\na;1,5\n", "sep=x;lon", 1.5}, {"no such sign", "sep=#,lon\na,2\n", "sep=#,lon", 2},
		{"a semicolon in quotes", "\"name; place\",lon\n\"a;b\",1.5\n", "name; place,lon", 1.5},
		{"a tab in quotes", "\"a\tb\";lon\nx;1,5\n", "a\tb;lon", 1.5},
		{"a line end in quotes", "\"a\nb;c\",lon\nx,1.5\n", "a\nb;c,lon", 1.5}, {"doubled quotes", "\"a\"\";\",lon\nx,1.5\n", "a\";,lon",
			1.5},
	} {
		table, err := Read([]byte(c.body))
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		row, err := table.Next()
		if table.Header() != c.header || err != nil {
			t.Errorf("%s: the header %q, %v", c.name, table.Header(), err)
			continue
		}
		if v, err := table.Number(row.Cell(table.Column("lon"))); err != nil || v != c.number {
			t.Errorf("%s: %v, %v", c.name, v, err)
		}
	}
}

func TestRaggedLines(t *testing.T) {
	for _, ragged := range []bool{false, true} {
		table, err := Read([]byte("a,b\n1\n1,2,3\n"))
		if err != nil {
			t.Fatal(err)
		}
		if ragged {
			table.Ragged()
		}
		row, err := table.Next()
		if (err == nil) != ragged || ragged && (row.Cell(0) != "1" || row.Cell(1) != "" || row.Cell(-1) != "") {
			t.Errorf("ragged %v: %q, %v", ragged, row, err)
		}
	}
}

// Tables of any bytes give lines or an error, and no endless number of them.
func FuzzTable(f *testing.F) {
	f.Add([]byte("id;lon\n\"a\";1,5\n"))
	f.Add([]byte("\"\n"))
	f.Fuzz(func(t *testing.T, b []byte) {
		table, err := Read(b)
		if err != nil {
			return
		}
		table.Ragged()
		for n := 0; ; n++ {
			row, err := table.Next()
			if err != nil {
				return
			}
			if n > len(b) {
				t.Fatal("more lines than bytes")
			}
			_, _ = table.Number(row.Cell(table.Column("lon")))
		}
	})
}
