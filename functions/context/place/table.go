package place

import (
	"bytes"
	"encoding"
	"encoding/json"
	"maps"
	"net/http"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"mappe/functions/core/cells"
	"mappe/functions/core/landprices"
	"mappe/shared/web/format"
	"mappe/shared/web/reply"
)

// table writes answers as CSV: a row for each point, a column for each member of a block, "osm.dist_road_m". A list is two
// columns: how many it has ("natura2000.sites") and their names ("natura2000.sites.names"); one of numbers is a column with blanks
// between them ("ne.lu.lu"); an object of any members is a column of JSON. Columns stand in the order of the blocks and of
// their members; they depend on the blocks that were asked for, never on the points. What a point lacks is empty.
func table(points []batchPoint, include []block, answers []*answer, all *answer) (reply.Answer, error) {
	var columns []string
	for _, b := range allBlocks() {
		if slices.Contains(include, b) {
			columns = append(columns, columnsOf(b)...)
		}
	}
	columns = append(columns, "missing")
	known := map[string]bool{}
	for _, c := range columns {
		known[c] = true
	}
	rows := make([]map[string]string, len(answers))
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
			flatten(b.Name, v, rows[i], known)
		}
		missing := []string{}
		for _, name := range slices.Sorted(maps.Keys(a.missing)) {
			missing = append(missing, string(name)+": "+a.missing[name])
		}
		rows[i]["missing"] = strings.Join(missing, "; ")
	}
	var out bytes.Buffer
	out.WriteString("\ufeff")
	line := func(cells []string) { csvLine(&out, cells) }
	line(append([]string{"id", "lon", "lat"}, columns...))
	for i := range rows {
		at := points[i].at
		cells := []string{points[i].id, strconv.FormatFloat(at.Lon(), 'f', 7, 64), strconv.FormatFloat(at.Lat(), 'f', 7, 64)}
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

// csvLine writes a row.
func csvLine(out *bytes.Buffer, cells []string) {
	for i, c := range cells {
		if i > 0 {
			out.WriteByte(',')
		}
		out.WriteString(csvCell(c))
	}
	out.WriteString("\r\n")
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

// shapeOf is what a block is made of; the columns of land_price are those of its kind.
func shapeOf(b block) any {
	switch b {
	case municipalityBlock:
		return gemeinde{}
	case naturaBlockName:
		return naturaBlock{}
	case protectedName:
		return protectedBlock{}
	case osmName:
		return osmBlock{}
	case toponymsName:
		return toponymsShape{}
	case legalName:
		return legalBlock{}
	case neName:
		return cells.PointBlock{}
	}
	return nil
}

// columnsOf are the columns of a block.
func columnsOf(b block) (columns []string) {
	if b == landPriceBlock {
		for _, c := range landprices.EstimateRow.Columns {
			columns = columnsOfType(string(b)+"."+c.Name, reflect.TypeOf(c.Shape), columns)
		}
		return columns
	}
	return columnsOfType(string(b), reflect.TypeOf(shapeOf(b)), columns)
}

// columnsOfType adds the columns of a member of a type; nil is a text or a number.
func columnsOfType(name string, t reflect.Type, columns []string) []string {
	for t != nil && t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch {
	case t == nil, t.Implements(textWriter), t.Implements(jsonWriter):
		return append(columns, name)
	case t.Kind() == reflect.Slice || t.Kind() == reflect.Array:
		if columns = append(columns, name); !isNumber(t.Elem()) {
			columns = append(columns, name+".names")
		}
		return columns
	case t.Kind() != reflect.Struct:
		return append(columns, name)
	}
	for i := range t.NumField() {
		f := t.Field(i)
		member, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case f.Anonymous && member == "":
			columns = columnsOfType(name, f.Type, columns)
		case f.IsExported() && member != "" && member != "-":
			columns = columnsOfType(name+"."+member, f.Type, columns)
		}
	}
	return columns
}

var (
	textWriter = reflect.TypeFor[encoding.TextMarshaler]()
	jsonWriter = reflect.TypeFor[json.Marshaler]()
)

func isNumber(t reflect.Type) bool {
	return t.Kind() >= reflect.Int && t.Kind() <= reflect.Float64
}

// flatten puts the members of a value into a row.
func flatten(name string, v any, row map[string]string, known map[string]bool) {
	switch x := v.(type) {
	case map[string]any:
		if known[name] { // an object of any members
			text, _ := json.Marshal(x) // it was read from JSON
			row[name] = string(text)
			return
		}
		for k, member := range x {
			flatten(name+"."+k, member, row, known)
		}
	case []any:
		if !known[name+".names"] {
			row[name], _ = numbers(x)
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
