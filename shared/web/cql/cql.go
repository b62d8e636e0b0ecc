// Package cql reads filters in the text form of the Common Query Language (OGC 21-065r2, CQL2) over the columns
// of a row type, and says whether rows pass.
//
// Read are the classes Basic CQL2 and Advanced Comparison Operators: comparisons (=, <>, <, >, <=, >=) of a column
// with a number, a text in single quotes, TRUE or FALSE; IS NULL, IN, BETWEEN and LIKE (% for any characters, _
// for one), each also with NOT; AND, OR, NOT and parentheses. A column may stand in double quotes; keywords are
// read in any case. As in SQL, a comparison with an unknown value is neither true nor false, and rows pass only
// where the whole is true. Functions, arithmetic, dates and geometries are refused by name.
package cql

import (
	"slices"

	"mappe/shared/web/format"
)

// Bounds of a filter.
const (
	MaxText   = 4000 // bytes
	maxDepth  = 50   // parentheses and NOTs inside each other
	maxValues = 1000 // of an IN
)

// Filter is a condition on rows of one type.
type Filter struct {
	root    node
	rowType *format.RowType
}

// Passes says whether the condition is true of a row of the filter's row type.
func (f *Filter) Passes(r format.Row) bool { return f.root.of(r) == yes }

// Values are the only texts that a column may have in rows that pass, by the comparisons that all of them have
// to pass; false where the filter does not say.
func (f *Filter) Values(column string) ([]string, bool) {
	c := f.rowType.Index(column)
	return f.root.texts(c)
}

// truth is the value of a condition; that of one over unknown values is unknown.
type truth int8

const (
	no truth = iota
	unknown
	yes
)

func truthOf(b bool) truth {
	if b {
		return yes
	}
	return no
}

// node is a part of a condition.
type node interface {
	of(r format.Row) truth
	// texts is Filter.Values for the part.
	texts(column int) ([]string, bool)
}

type (
	and      struct{ parts []node }
	or       struct{ parts []node }
	not      struct{ part node }
	constant struct{ is truth }
	// compare is a comparison with one value.
	compare struct {
		column int
		op     operator
		with   literal
	}
	// among is IN.
	among struct {
		column int
		values []literal
	}
	// between is BETWEEN.
	between struct {
		column   int
		low, top literal
	}
	// like is LIKE.
	like struct {
		column  int
		pattern pattern
	}
	isNull struct{ column int }
)

func (n and) of(r format.Row) truth {
	all := yes
	for _, p := range n.parts {
		if all = min(all, p.of(r)); all == no {
			break
		}
	}
	return all
}

func (n or) of(r format.Row) truth {
	any := no
	for _, p := range n.parts {
		if any = max(any, p.of(r)); any == yes {
			break
		}
	}
	return any
}

func (n not) of(r format.Row) truth { return yes - n.part.of(r) }

func (n constant) of(format.Row) truth { return n.is }

func (n isNull) of(r format.Row) truth { return truthOf(r.Value(n.column).IsNull()) }

func (n compare) of(r format.Row) truth {
	c, ok := n.with.compare(r.Value(n.column))
	if !ok {
		return unknown
	}
	return truthOf(n.op.holds(c))
}

func (n among) of(r format.Row) truth {
	v := r.Value(n.column)
	if v.IsNull() {
		return unknown
	}
	for i := range n.values {
		if c, ok := n.values[i].compare(v); ok && c == 0 {
			return yes
		}
	}
	return no
}

func (n between) of(r format.Row) truth {
	v := r.Value(n.column)
	low, ok := n.low.compare(v)
	top, _ := n.top.compare(v)
	if !ok {
		return unknown
	}
	return truthOf(low >= 0 && top <= 0)
}

func (n like) of(r format.Row) truth {
	s, ok := r.Value(n.column).Str()
	if !ok {
		return unknown
	}
	return truthOf(n.pattern.matches(s))
}

func (n and) texts(column int) ([]string, bool) {
	var all []string
	told := false
	for _, p := range n.parts {
		some, ok := p.texts(column)
		switch {
		case ok && !told:
			all, told = some, true
		case ok:
			all = slices.DeleteFunc(slices.Clone(all), func(s string) bool { return !slices.Contains(some, s) })
		}
	}
	return all, told
}

func (n or) texts(column int) ([]string, bool) {
	var all []string
	for _, p := range n.parts {
		some, ok := p.texts(column)
		if !ok {
			return nil, false
		}
		for _, s := range some {
			if !slices.Contains(all, s) {
				all = append(all, s)
			}
		}
	}
	return all, true
}

func (not) texts(int) ([]string, bool)      { return nil, false }
func (constant) texts(int) ([]string, bool) { return nil, false }
func (isNull) texts(int) ([]string, bool)   { return nil, false }
func (between) texts(int) ([]string, bool)  { return nil, false }
func (like) texts(int) ([]string, bool)     { return nil, false }

func (n compare) texts(column int) ([]string, bool) {
	if n.column != column || n.op != equal || n.with.kind != text {
		return nil, false
	}
	return []string{n.with.text}, true
}

func (n among) texts(column int) ([]string, bool) {
	if n.column != column || n.values[0].kind != text {
		return nil, false
	}
	all := make([]string, len(n.values))
	for i := range n.values {
		all[i] = n.values[i].text
	}
	return all, true
}
