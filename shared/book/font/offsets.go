package font

import (
	"encoding/binary"
	"errors"
	"slices"
)

// Operators of a top dictionary whose last operand is an offset from the beginning of the program (Adobe
// Technical Note 5176, tables 9 and 10).
const (
	opCharset     = 15
	opCharStrings = 17
	opPrivate     = 18
)

var errProgram = errors.New("the glyph program is not as CFF has it")

// mended gives a CFF program whose offsets are right. The cutter works them out twice, which is once too few
// where one of them stands at the border between numbers of two and of three bytes: of subsets of about a hundred
// glyphs some one in fifty leads beside its glyphs. All offsets are wrong by the same bytes then, and the
// character set is known to follow the global subroutines.
func mended(cff []byte) ([]byte, error) {
	if len(cff) < 4 {
		return nil, errProgram
	}
	top, strings, ok := indexAt(cff, nameEnd(cff))
	if !ok || top[0] < 0 {
		return nil, errProgram
	}
	_, subrs, ok1 := indexAt(cff, strings)
	_, charset, ok2 := indexAt(cff, subrs)
	if !ok1 || !ok2 {
		return nil, errProgram
	}
	offsets, ok := offsetsOf(cff[top[0]:top[1]])
	if !ok {
		return nil, errProgram
	}
	wrong := charset - offsets[0].value
	if wrong == 0 {
		return slices.Clone(cff), nil
	}
	for _, o := range offsets { // written in five bytes they are as long whatever they say
		wrong += longInt - (o.to - o.from)
	}
	var dict []byte
	at := 0
	for _, o := range offsets {
		dict = append(append(dict, cff[top[0]+at:top[0]+o.from]...), 29)
		dict = binary.BigEndian.AppendUint32(dict, uint32(o.value+wrong))
		at = o.to
	}
	dict = append(dict, cff[top[0]+at:top[1]]...)
	if len(dict) > 254 { // the offsets of its INDEX have one byte
		return nil, errProgram
	}
	out := slices.Concat(cff[:top[0]], dict, cff[strings:])
	out[top[0]-1] = byte(len(dict) + 1)
	return out, nil
}

// longInt is the length of a number that begins with 29.
const longInt = 5

// nameEnd is where the INDEX of names ends.
func nameEnd(b []byte) int {
	_, end, ok := indexAt(b, int(b[2]))
	if !ok {
		return len(b)
	}
	return end
}

// indexAt gives the first part of an INDEX, from and to, and where the INDEX ends; -1 where it is empty.
func indexAt(b []byte, at int) (first [2]int, end int, ok bool) {
	if at < 0 || at+2 > len(b) {
		return first, 0, false
	}
	n := int(binary.BigEndian.Uint16(b[at:]))
	if n == 0 {
		return [2]int{-1, -1}, at + 2, true
	}
	if at+3 > len(b) {
		return first, 0, false
	}
	size := int(b[at+2])
	data := at + 2 + (n+1)*size
	if size < 1 || size > 4 || data >= len(b) {
		return first, 0, false
	}
	offset := func(i int) int {
		v := 0
		for _, c := range b[at+3+i*size : at+3+(i+1)*size] {
			v = v<<8 | int(c)
		}
		return data + v
	}
	first, end = [2]int{offset(0), offset(1)}, offset(n)
	return first, end, first[0] <= first[1] && first[1] <= len(b) && end <= len(b)
}

// offset is an operand of a top dictionary: from and to of its bytes in the dictionary, and its value.
type offset struct{ from, to, value int }

// offsetsOf finds the offsets of the character set, the glyphs and the private dictionary, in this order, which
// is that of the cutter.
func offsetsOf(dict []byte) (found [3]offset, ok bool) {
	want := []byte{opCharset, opCharStrings, opPrivate}
	var last offset
	for i := 0; i < len(dict) && len(want) > 0; {
		from, v := i, int(dict[i])
		last = offset{}
		switch {
		case v <= 21:
			return found, false // an operator where a number has to be
		case v == 28 && i+2 < len(dict):
			i, last.value = i+3, int(int16(binary.BigEndian.Uint16(dict[i+1:])))
		case v == 29 && i+4 < len(dict):
			i, last.value = i+longInt, int(int32(binary.BigEndian.Uint32(dict[i+1:])))
		case v >= 32 && v <= 246:
			i, last.value = i+1, v-139
		case v >= 247 && v <= 250 && i+1 < len(dict):
			i, last.value = i+2, (v-247)*256+int(dict[i+1])+108
		case v >= 251 && v <= 254 && i+1 < len(dict):
			i, last.value = i+2, -(v-251)*256-int(dict[i+1])-108
		default:
			return found, false
		}
		last.from, last.to = from, i
		if i >= len(dict) || dict[i] > 21 {
			continue
		}
		if dict[i] == want[0] {
			found[3-len(want)], want = last, want[1:]
		}
		if dict[i] == 12 { // an operator of two bytes
			i++
		}
		i++
	}
	return found, len(want) == 0
}
