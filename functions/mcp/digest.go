package mcp

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// feature is one of a collection.
type feature struct {
	Geometry struct {
		Type        string          `json:"type"`
		Coordinates json.RawMessage `json:"coordinates"`
	} `json:"geometry"`
	Properties map[string]json.RawMessage `json:"properties"`
}

// number is a property as a number; false where it has none.
func (f feature) number(name string) (v float64, ok bool) {
	raw := f.Properties[name]
	return v, raw != nil && string(raw) != "null" && json.Unmarshal(raw, &v) == nil
}

// middle is the middle of the box around a geometry, in degrees; null of none.
func (f feature) middle() (lon, lat json.RawMessage) {
	low, high := [2]float64{math.Inf(1), math.Inf(1)}, [2]float64{math.Inf(-1), math.Inf(-1)}
	var walk func(v any)
	walk = func(v any) {
		list, _ := v.([]any)
		if len(list) > 1 {
			x, ok := list[0].(float64)
			y, also := list[1].(float64)
			if ok && also {
				low, high = [2]float64{min(low[0], x), min(low[1], y)}, [2]float64{max(high[0], x), max(high[1], y)}
				return
			}
		}
		for _, part := range list {
			walk(part)
		}
	}
	var coordinates any
	_ = json.Unmarshal(f.Geometry.Coordinates, &coordinates) // none
	if walk(coordinates); math.IsInf(low[0], 0) {
		return json.RawMessage("null"), json.RawMessage("null")
	}
	return fmt.Appendf(nil, "%.7f", (low[0]+high[0])/2), fmt.Appendf(nil, "%.7f", (low[1]+high[1])/2)
}

// ranked is a feature that is kept.
type ranked struct {
	of    feature
	value float64
}

// digest reads a result of any size and keeps what a model is told: the members beside the features, how many features there
// are, and the first of them by rank.
type digest struct {
	rank    func(feature) float64 // nil: no features are expected
	columns []string
	most    int // features that are kept

	members  map[string]json.RawMessage
	meta     map[string]json.RawMessage
	features int
	kept     []ranked
	strange  bool // the result is of another kind
}

// read reads a JSON object. Memory is bounded by what is kept and by one member.
func (d *digest) read(r io.Reader) error {
	d.members = map[string]json.RawMessage{}
	in := json.NewDecoder(r)
	if token, err := in.Token(); err != nil || token != json.Delim('{') {
		return cmp.Or(err, errors.New("no object"))
	}
	listed := false
	for in.More() {
		token, err := in.Token()
		if err != nil {
			return err
		}
		if token == "features" {
			listed = true
			if err := d.readFeatures(in); err != nil {
				return err
			}
			continue
		}
		var v json.RawMessage
		if err := in.Decode(&v); err != nil {
			return err
		}
		d.members[fmt.Sprint(token)] = v
	}
	if listed != (d.rank != nil) {
		d.strange = true
	}
	_ = json.Unmarshal(d.members["meta"], &d.meta) // an answer without one says nothing of itself
	return nil
}

func (d *digest) readFeatures(in *json.Decoder) error {
	if token, err := in.Token(); err != nil || token != json.Delim('[') {
		return cmp.Or(err, errors.New("features are no list"))
	}
	for in.More() {
		var f feature
		if err := in.Decode(&f); err != nil {
			return err
		}
		if d.features++; d.rank == nil {
			continue
		}
		if len(d.columns) > 0 && f.Properties[d.columns[0]] == nil {
			d.strange = true
		}
		d.keep(f)
	}
	_, err := in.Token()
	return err
}

// keep keeps a feature while it is among the first; of those alike the earlier stands first.
func (d *digest) keep(f feature) {
	r := ranked{f, d.rank(f)}
	at, _ := slices.BinarySearchFunc(d.kept, r, func(a, b ranked) int {
		if a.value >= b.value {
			return -1
		}
		return 1
	})
	if at >= d.most {
		return
	}
	if d.kept = slices.Insert(d.kept, at, r); len(d.kept) > d.most {
		d.kept = d.kept[:d.most]
	}
}

// row is a feature in an answer: its columns, and the middle of its box where none of them says where it is.
func (d *digest) row(f feature) json.RawMessage {
	var b strings.Builder
	put := func(name string, v json.RawMessage) {
		if b.Len() > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, "%q:%s", name, v)
	}
	for _, name := range d.columns {
		v := f.Properties[name]
		if v == nil {
			v = json.RawMessage("null")
		}
		put(name, v)
	}
	if !slices.ContainsFunc(d.columns, func(name string) bool { return strings.HasSuffix(name, "_lon") }) {
		lon, lat := f.middle()
		put("lon", lon)
		put("lat", lat)
	}
	return json.RawMessage("{" + b.String() + "}")
}

// within lists the kept features as answer.data, as many as the bound allows; false where not even the rest is within it.
func (d *digest) within(c *content, bound int) bool {
	for n := len(d.kept); ; n = n * 3 / 4 {
		if d.rank != nil {
			delete(c.Answer, "data")
		}
		if c.rows = n; n > 0 {
			rows := make([]json.RawMessage, n)
			for i := range rows {
				rows[i] = d.row(d.kept[i].of)
			}
			c.put("data", rows)
			tableOf(c.Answer)
		}
		if size, _ := c.measure(); size <= bound || n == 0 {
			return size <= bound
		}
	}
}

// date is that of the newest scan that a result was made from; of where it has none.
func (d *digest) date(of date) date {
	for _, name := range []string{"date_b", "dataset"} {
		var day string
		if json.Unmarshal(d.meta[name], &day) == nil && len(day) == len("20060102") {
			day = day[:4] + "-" + day[4:6] + "-" + day[6:]
			of.AsOf = &day
			return of
		}
	}
	return of
}

// warnings are what a result says of its own uncertainty.
func (d *digest) warnings() (of []string) {
	var said []string
	_ = json.Unmarshal(d.meta["warnings"], &said) // none
	for _, w := range said {
		if c, n := utf8.DecodeRuneInString(w); n > 0 {
			of = append(of, string(unicode.ToUpper(c))+w[n:]+".")
		}
	}
	return of
}
