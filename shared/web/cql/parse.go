package cql

import (
	"fmt"
	"slices"
	"strings"

	"mappe/shared/web/fault"
	"mappe/shared/web/format"
)

// Parse reads a filter over the columns of a row type. The error is a fault of the parameter filter.
func Parse(filter string, k *format.RowType) (*Filter, error) {
	if len(filter) > MaxText {
		return nil, fault.Of(fault.TooLarge, "filter", fmt.Sprintf("%d bytes", len(filter)), fmt.Sprintf("at most %d bytes", MaxText))
	}
	p := parser{scanner: scanner{text: filter}, rowType: k}
	if err := p.advance(); err != nil {
		return nil, err
	}
	root, err := p.either(0)
	if err != nil {
		return nil, err
	}
	if p.now.kind != end {
		return nil, p.expected("AND, OR or the end of the filter")
	}
	return &Filter{root, k}, nil
}

// parser reads one filter; now is the token it stands at.
type parser struct {
	scanner
	rowType *format.RowType
	now     token
}

func (p *parser) advance() (err error) {
	p.now, err = p.next()
	return err
}

func (p *parser) expected(what string) error { return p.wrong(p.now.at, what) }

// take passes a keyword, where one stands.
func (p *parser) take(keyword string) (bool, error) {
	if !p.now.is(keyword) {
		return false, nil
	}
	return true, p.advance()
}

// sign passes an operator, a parenthesis or a comma that has to stand here.
func (p *parser) sign(s string) error {
	if p.now.kind != sign || p.now.text != s {
		return p.expected(s)
	}
	return p.advance()
}

// either reads conditions with OR between them.
func (p *parser) either(depth int) (node, error) {
	parts, err := p.series("OR", depth, p.both)
	if len(parts) == 1 {
		return parts[0], err
	}
	return or{parts}, err
}

// both reads conditions with AND between them.
func (p *parser) both(depth int) (node, error) {
	parts, err := p.series("AND", depth, p.one)
	if len(parts) == 1 {
		return parts[0], err
	}
	return and{parts}, err
}

func (p *parser) series(keyword string, depth int, read func(int) (node, error)) ([]node, error) {
	var parts []node
	for {
		n, err := read(depth)
		if err != nil {
			return nil, err
		}
		parts = append(parts, n)
		if more, err := p.take(keyword); err != nil || !more {
			return parts, err
		}
	}
}

// one reads a condition.
func (p *parser) one(depth int) (node, error) {
	if depth > maxDepth {
		return nil, p.expected(fmt.Sprintf("at most %d conditions inside each other", maxDepth))
	}
	if negated, err := p.take("NOT"); err != nil {
		return nil, err
	} else if negated {
		n, err := p.one(depth + 1)
		return not{n}, err
	}
	if p.now.kind == sign && p.now.text == "(" {
		if err := p.advance(); err != nil {
			return nil, err
		}
		n, err := p.either(depth + 1)
		if err != nil {
			return nil, err
		}
		return n, p.sign(")")
	}
	if p.now.kind == textual || p.now.kind == numeric || p.now.is("TRUE") || p.now.is("FALSE") {
		return p.valueFirst()
	}
	return p.columnFirst()
}

// valueFirst reads a comparison that begins with its value, or TRUE or FALSE alone.
func (p *parser) valueFirst() (node, error) {
	at := p.now
	l, err := p.literal()
	if err != nil {
		return nil, err
	}
	if l.kind == boolean && !p.operator() {
		return constant{truth(2 * l.value)}, nil
	}
	if !p.operator() {
		return nil, p.expected("one of = <> < > <= >=")
	}
	op := operator(p.now.text)
	if err := p.advance(); err != nil {
		return nil, err
	}
	c, err := p.column()
	if err != nil {
		return nil, err
	}
	return compare{c, op.turned(), l}, p.fits(c, l, at)
}

// operator says whether a comparison stands here.
func (p *parser) operator() bool {
	return p.now.kind == sign && !strings.ContainsAny(p.now.text, "(),")
}

// columnFirst reads what is said of a column.
func (p *parser) columnFirst() (node, error) {
	c, err := p.column()
	if err != nil {
		return nil, err
	}
	if p.operator() {
		op := operator(p.now.text)
		if err := p.advance(); err != nil {
			return nil, err
		}
		l, err := p.value(c)
		return compare{c, op, l}, err
	}
	if is, err := p.take("IS"); err != nil {
		return nil, err
	} else if is {
		return p.null(c)
	}
	negated, err := p.take("NOT")
	if err != nil {
		return nil, err
	}
	n, err := p.among(c)
	if negated {
		return not{n}, err
	}
	return n, err
}

// null reads what stands behind IS.
func (p *parser) null(c int) (node, error) {
	negated, err := p.take("NOT")
	if err != nil {
		return nil, err
	}
	if null, err := p.take("NULL"); err != nil {
		return nil, err
	} else if !null {
		return nil, p.expected("NULL or NOT NULL")
	}
	if negated {
		return not{isNull{c}}, nil
	}
	return isNull{c}, nil
}

// among reads IN, BETWEEN or LIKE.
func (p *parser) among(c int) (node, error) {
	switch t := p.now; {
	case t.is("IN"):
		values, err := p.list(c)
		return among{c, values}, err
	case t.is("BETWEEN"):
		if err := p.advance(); err != nil {
			return nil, err
		}
		low, err := p.value(c)
		if err != nil {
			return nil, err
		}
		if and, err := p.take("AND"); err != nil {
			return nil, err
		} else if !and {
			return nil, p.expected("AND")
		}
		top, err := p.value(c)
		return between{c, low, top}, err
	case t.is("LIKE"):
		if err := p.advance(); err != nil {
			return nil, err
		}
		return p.like(c)
	}
	return nil, p.expected("a comparison (= <> < > <= >=), IS NULL, IN, BETWEEN or LIKE")
}

// like reads the pattern behind LIKE.
func (p *parser) like(c int) (node, error) {
	if k, ok := of(p.rowType.Columns[c].Type); !ok || k != text {
		return nil, p.expected("LIKE with a column of texts: " + p.rowType.Columns[c].Name + " has none")
	}
	if p.now.kind != textual {
		return nil, p.expected("a pattern in single quotes")
	}
	n := like{c, patternOf(p.now.text)}
	return n, p.advance()
}

// list reads (value, value, …) behind IN.
func (p *parser) list(c int) ([]literal, error) {
	if err := p.advance(); err != nil {
		return nil, err
	}
	if err := p.sign("("); err != nil {
		return nil, err
	}
	var values []literal
	for {
		l, err := p.value(c)
		if err != nil {
			return nil, err
		}
		if values = append(values, l); len(values) > maxValues {
			return nil, p.expected(fmt.Sprintf("at most %d values in a list", maxValues))
		}
		if p.now.kind == sign && p.now.text == "," {
			if err := p.advance(); err != nil {
				return nil, err
			}
			continue
		}
		return values, p.sign(")")
	}
}

// value reads a literal that goes with a column.
func (p *parser) value(c int) (literal, error) {
	at := p.now
	l, err := p.literal()
	if err != nil {
		return l, err
	}
	return l, p.fits(c, l, at)
}

// fits refuses a literal of another type than the column's.
func (p *parser) fits(c int, l literal, at token) error {
	column := &p.rowType.Columns[c]
	want, ok := of(column.Type)
	switch {
	case !ok:
		return p.wrong(at.at, "another column: "+column.Name+" holds lists and objects, which filters do not compare")
	case want != l.kind:
		return p.wrong(at.at, want.String()+" for "+column.Name)
	case len(column.Enum) > 0 && !slices.Contains(column.Enum, l.text):
		return p.wrong(at.at, "one of "+strings.Join(column.Enum, ", ")+" for "+column.Name)
	}
	return nil
}

// literal reads a value.
func (p *parser) literal() (literal, error) {
	t := p.now
	var l literal
	switch {
	case t.kind == textual:
		l = literal{kind: text, text: t.text}
	case t.kind == numeric:
		var ok bool
		if l, ok = numberOf(t.text); !ok {
			return l, p.expected("a number")
		}
	case t.is("TRUE"):
		l = literal{kind: boolean, value: 1}
	case t.is("FALSE"):
		l = literal{kind: boolean}
	default:
		return l, p.expected("a number, a text in single quotes, TRUE or FALSE")
	}
	return l, p.advance()
}

// keywords cannot be columns unless they stand in double quotes.
var keywords = []string{"AND", "OR", "NOT", "IN", "BETWEEN", "LIKE", "IS", "NULL", "TRUE", "FALSE"}

// column reads the name of a column.
func (p *parser) column() (int, error) {
	t := p.now
	reserved := t.kind == word && slices.ContainsFunc(keywords, t.is)
	if (t.kind != word && t.kind != quoted) || reserved {
		return 0, p.expected("a column")
	}
	c := p.rowType.Index(t.text)
	if c < 0 {
		names := make([]string, len(p.rowType.Columns))
		for i := range names {
			names[i] = p.rowType.Columns[i].Name
		}
		return 0, p.wrong(t.at, "one of the columns "+strings.Join(names, ", ")+fault.DidYouMean(t.text, names))
	}
	return c, p.advance()
}
