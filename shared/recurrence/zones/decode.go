package zones

import (
	"encoding/binary"
	"errors"
)

var errData = errors.New("the zone's data is cut short or broken")

// decode reads a zone's changes and the rule after the last of them.
func decode(data string) ([]Interval, rule, error) {
	b := []byte(data)
	failed := false
	number := func(read func([]byte) (int64, int)) int64 {
		v, n := read(b)
		if n <= 0 {
			failed, n = true, len(b)
		}
		b = b[n:]
		return v
	}
	unsigned := func() int64 {
		return number(func(b []byte) (int64, int) { v, n := binary.Uvarint(b); return int64(v), n })
	}
	octet := func() byte {
		if len(b) == 0 {
			failed = true
			return 0
		}
		v := b[0]
		b = b[1:]
		return v
	}
	count := unsigned()
	if count < 1 || count > 256 {
		return nil, rule{}, errData
	}
	types := make([]Interval, count)
	for i := range types {
		types[i] = Interval{Offset: int32(number(binary.Varint)), DST: octet() == 1}
	}
	list := []Interval{{Start: -never, End: never}}
	begin := func(at int64, kind byte) {
		if int64(kind) >= count {
			failed = true
			return
		}
		v := types[kind]
		v.Start, v.End = at, never
		list = join(list, v)
	}
	begin(-never, octet())
	n := unsigned()
	if n < 0 || n > int64(len(b)) {
		return nil, rule{}, errData
	}
	for at := int64(0); n > 0; n-- {
		at += number(binary.Varint)
		begin(at, octet())
	}
	if failed {
		return nil, rule{}, errData
	}
	last, err := parseRule(string(b))
	return list, last, err
}

// join ends the last interval where v begins, unless they are alike; what has no length vanishes.
func join(list []Interval, v Interval) []Interval {
	n := len(list) - 1
	if list[n].Start >= v.Start {
		list[n].Offset, list[n].DST = v.Offset, v.DST
		if n > 0 && list[n-1].Offset == v.Offset && list[n-1].DST == v.DST {
			list = list[:n]
			list[n-1].End = v.End
		}
		return list
	}
	if list[n].Offset == v.Offset && list[n].DST == v.DST {
		list[n].End = v.End
		return list
	}
	list[n].End = v.Start
	return append(list, v)
}
