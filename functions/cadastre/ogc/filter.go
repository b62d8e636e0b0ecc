package ogc

import (
	"slices"
	"strconv"

	"mappe/artefacts/kgfile"
	"mappe/functions/core/rows"
	"mappe/shared/austria"
	"mappe/shared/web/cql"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/fault"
	"mappe/shared/web/format"
)

// property is a column as a parameter.
type property struct {
	column int
	param  *endpoint.Param[string]
}

// propertiesOf are the parameters of a collection's columns: all but lists and objects, and those whose name
// another parameter has.
func propertiesOf(k *format.RowType) []property {
	var list []property
	for i := range k.Columns {
		c := &k.Columns[i]
		if c.Type == format.TypeJSON || slices.Contains([]string{"limit", "offset", "bbox", "crs", "datetime", "filter", "f", "version"},
			c.Name) {
			continue
		}
		doc := "Only features of which " + c.Name + " has this value."
		if len(c.Enum) > 0 {
			list = append(list, property{i, endpoint.Enum(c.Name, doc, c.Enum)})
			continue
		}
		list = append(list, property{i, endpoint.String(c.Name, doc, endpoint.Between(1, 200))})
	}
	return list
}

// wanted is a column with the value that it must have.
type wanted struct {
	column int
	text   string
	number float64
	texts  bool // the column holds texts
}

// filter are the conditions of a request on the columns.
type filter struct {
	wanted  []wanted
	cql     *cql.Filter // nil without one
	rowType *format.RowType
}

// filterOf reads the conditions; nil without any.
func filterOf(r *endpoint.Request, c *collection, properties []property) (*filter, error) {
	f := &filter{rowType: c.rowType}
	for _, p := range properties {
		if !p.param.Given(r) {
			continue
		}
		column := &c.rowType.Columns[p.column]
		w := wanted{column: p.column, text: p.param.Of(r), texts: column.Type == format.TypeString}
		if !w.texts {
			var err error
			if w.number, err = strconv.ParseFloat(w.text, 64); err != nil {
				return nil, p.param.Bad(r, "a number")
			}
		}
		f.wanted = append(f.wanted, w)
	}
	if pFilter.Given(r) {
		var err error
		if f.cql, err = cql.Parse(pFilter.Of(r), c.rowType); err != nil {
			return nil, err
		}
	}
	if len(f.wanted) == 0 && f.cql == nil {
		return nil, nil
	}
	return f, nil
}

func (f *filter) passes(row format.Row) bool {
	for i := range f.wanted {
		if !f.wanted[i].of(row) {
			return false
		}
	}
	return f.cql == nil || f.cql.Passes(row)
}

func (w *wanted) of(row format.Row) bool {
	v := row.Value(w.column)
	if w.texts {
		s, ok := v.Str()
		return ok && s == w.text
	}
	n, ok := v.Float64()
	return ok && n == w.number
}

// over leaves of the rows that another match finds those that pass; nil finds all.
func (f *filter) over(inner rows.Match, source rows.Source) rows.Match {
	return func(at *rows.Candidate, file *kgfile.File, found []int32) ([]int32, error) {
		start := len(found)
		n, err := source.Open(file)
		if err != nil {
			return found, err
		}
		if inner == nil {
			for i := range n {
				found = append(found, int32(i))
			}
		} else if found, err = inner(at, file, found); err != nil {
			return found, err
		}
		kept := found[:start]
		for _, i := range found[start:] {
			if f.passes(source.Row(int(i))) {
				kept = append(kept, i)
			}
		}
		return kept, nil
	}
}

// kgs are the KGs that a filter leaves to look at, nil where it does not say.
func (f *filter) kgs(column string) ([]austria.KGCode, error) {
	if f == nil {
		return nil, nil
	}
	var texts []string
	told := false
	i := f.rowType.Index(column)
	for _, w := range f.wanted {
		if w.column == i {
			texts, told = []string{w.text}, true
		}
	}
	if f.cql != nil && !told {
		texts, told = f.cql.Values(column)
	}
	if !told {
		return nil, nil
	}
	codes := make([]austria.KGCode, 0, len(texts))
	for _, t := range texts {
		code, err := austria.ParseKGCode(t)
		if err != nil {
			return nil, fault.BadValue(column, t, "a KG code, 5 digits")
		}
		if string(code) == t { // another spelling is another text
			codes = append(codes, code)
		}
	}
	slices.Sort(codes)
	return slices.Compact(codes), nil
}
