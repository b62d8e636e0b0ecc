package place

import (
	"bytes"
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"mappe/shared/web/format"
	"mappe/shared/web/reply"
)

// table writes answers as CSV: a row for each point, a column for each member of a block, "osm.dist_road_m". A list is two
// columns: how many it has ("natura2000.sites") and their names ("natura2000.sites.names"); one of numbers is a column with blanks
// between them ("ne.lu.lu"). Columns stand in the order of
// the blocks, in a block by name; what a point lacks is empty.
func table(points []batchPoint, answers []*answer, all *answer) (reply.Answer, error) {
	rows := make([]map[string]string, len(answers))
	seen := map[string]map[string]bool{} // columns by block
	for i, a := range answers {
		rows[i] = map[string]string{}
		for _, b := range a.blocks {
			raw, err := json.Marshal(b.Value)
			if err != nil {
				return nil, err
			}
			d := json.NewDecoder(bytes.NewReader(raw))
			d.UseNumber()
			var v any
			if err := d.Decode(&v); err != nil {
				return nil, err
			}
			flatten(b.Name, v, rows[i])
			if seen[b.Name] == nil {
				seen[b.Name] = map[string]bool{}
			}
		}
		for column := range rows[i] {
			name, _, _ := strings.Cut(column, ".")
			seen[name][column] = true
		}
		missing := []string{}
		for _, name := range slices.Sorted(maps.Keys(a.missing)) {
			missing = append(missing, string(name)+": "+a.missing[name])
		}
		rows[i]["missing"] = strings.Join(missing, "; ")
	}
	columns := []string{}
	for _, b := range allBlocks() {
		columns = append(columns, slices.Sorted(maps.Keys(seen[string(b)]))...)
	}
	columns = append(columns, "missing")
	var out bytes.Buffer
	out.WriteString("\ufeff")
	line := func(cells []string) {
		for i, c := range cells {
			if i > 0 {
				out.WriteByte(',')
			}
			out.WriteString(csvCell(c))
		}
		out.WriteString("\r\n")
	}
	line(slices.Concat([]string{"id", "lon", "lat"}, columns))
	for i := range rows {
		cells := []string{points[i].id, strconv.FormatFloat(points[i].at.Lon(), 'f', 7, 64), strconv.FormatFloat(points[i].at.Lat(), 'f', 7, 64)}
		for _, c := range columns {
			cells = append(cells, rows[i][c])
		}
		line(cells)
	}
	h := http.Header{}
	if n := strictest(all.notices); n != nil {
		h.Set("Link", "<"+n.LicenseURL+`>; rel="license"`)
		h.Set("X-Data-Attribution", reply.ASCII(n.Attribution))
	}
	return &reply.Bytes{ContentType: format.FormCSV.ContentType(), Body: out.Bytes(), Filename: "context.csv", Header: h}, nil
}

// csvCell is a field of RFC 4180; text that a spreadsheet would take for a formula begins with an apostrophe.
func csvCell(s string) string {
	if s != "" && strings.ContainsRune("=+-@", rune(s[0])) {
		if _, err := strconv.ParseFloat(s, 64); err != nil {
			s = "'" + s
		}
	}
	if strings.ContainsAny(s, ",\"\r\n") {
		return `"` + strings.ReplaceAll(s, `"`, `""`) + `"`
	}
	return s
}

// flatten puts the members of a value into a row.
func flatten(name string, v any, row map[string]string) {
	switch x := v.(type) {
	case map[string]any:
		for k, member := range x {
			flatten(name+"."+k, member, row)
		}
	case []any:
		if text, ok := numbers(x); ok {
			row[name] = text
			return
		}
		row[name] = strconv.Itoa(len(x))
		var names []string
		for _, item := range x {
			switch y := item.(type) {
			case string:
				names = append(names, y)
			case map[string]any:
				for _, key := range []string{"sitename", "name", "law"} {
					if s, ok := y[key].(string); ok {
						names = append(names, s)
						break
					}
				}
			}
		}
		row[name+".names"] = strings.Join(names, "; ")
	case string:
		row[name] = x
	case json.Number:
		row[name] = x.String()
	case bool:
		row[name] = strconv.FormatBool(x)
	case nil:
		row[name] = ""
	}
}

// numbers joins a list of numbers with blanks; false for another list.
func numbers(list []any) (string, bool) {
	texts := make([]string, len(list))
	for i, item := range list {
		n, ok := item.(json.Number)
		if !ok {
			return "", false
		}
		texts[i] = n.String()
	}
	return strings.Join(texts, " "), len(list) > 0
}
