package asl

import (
	"encoding/json"
	"fmt"
)

// choice is a rule of a Choice state.
type choice struct {
	Comment, Next, Variable  string
	And, Or                  []choice
	Not                      *choice
	StringEquals             *string
	NumericEquals            *float64
	NumericLessThan          *float64
	NumericLessThanEquals    *float64
	NumericGreaterThan       *float64
	NumericGreaterThanEquals *float64
	BooleanEquals            *bool
	IsPresent                *bool
	IsNull                   *bool
}

// conditions are the operators of a rule, as they are given.
func (c *choice) conditions() (n int) {
	for _, given := range []bool{len(c.And) > 0, len(c.Or) > 0, c.Not != nil, c.StringEquals != nil, c.NumericEquals != nil,
		c.NumericLessThan != nil, c.NumericLessThanEquals != nil, c.NumericGreaterThan != nil, c.NumericGreaterThanEquals != nil,
		c.BooleanEquals != nil, c.IsPresent != nil, c.IsNull != nil} {
		if given {
			n++
		}
	}
	return n
}

func (c *choice) check(top bool) error {
	if c.conditions() != 1 || top != (c.Next != "") {
		b, _ := json.Marshal(c)
		return fmt.Errorf("choice %s: want one operator that is known, and Next at the top alone", b)
	}
	var inner []choice
	inner = append(append(inner, c.And...), c.Or...)
	if c.Not != nil {
		inner = append(inner, *c.Not)
	}
	for i := range inner {
		if err := inner[i].check(false); err != nil {
			return err
		}
	}
	if len(inner) > 0 {
		return nil
	}
	_, err := parsePath(c.Variable)
	return err
}

// holds says whether a rule holds. A variable that is not there is an error, but for IsPresent; one of another type does not hold.
func (c *choice) holds(s scope) (bool, error) {
	switch {
	case len(c.And) > 0, len(c.Or) > 0:
		all := len(c.And) > 0
		for _, inner := range append(c.And, c.Or...) {
			if is, err := inner.holds(s); err != nil || is != all {
				return is, err
			}
		}
		return all, nil
	case c.Not != nil:
		is, err := c.Not.holds(s)
		return !is, err
	}
	v, err := s.get(c.Variable)
	if c.IsPresent != nil {
		return (err == nil) == *c.IsPresent, nil
	}
	if err != nil {
		return false, err
	}
	n, isNumber := v.(float64)
	switch {
	case c.StringEquals != nil:
		return v == any(*c.StringEquals), nil
	case c.BooleanEquals != nil:
		return v == any(*c.BooleanEquals), nil
	case c.IsNull != nil:
		return (v == nil) == *c.IsNull, nil
	case c.NumericEquals != nil:
		return isNumber && n == *c.NumericEquals, nil
	case c.NumericLessThan != nil:
		return isNumber && n < *c.NumericLessThan, nil
	case c.NumericLessThanEquals != nil:
		return isNumber && n <= *c.NumericLessThanEquals, nil
	case c.NumericGreaterThan != nil:
		return isNumber && n > *c.NumericGreaterThan, nil
	}
	return isNumber && n >= *c.NumericGreaterThanEquals, nil
}
