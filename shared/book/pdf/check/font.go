package check

import (
	"regexp"
	"strconv"
	"strings"
)

// face is a font of the file.
type face struct {
	dict    dict
	widths  []float64
	shown   map[int]int // page of first use by glyph
	unicode map[int]string
}

var subsetName = regexp.MustCompile(`^[A-Z]{6}\+[!-~]+$`)

func (c *check) faceOf(o any) *face {
	r, _ := o.(ref)
	if f, ok := c.fonts[r]; ok {
		return f
	}
	f := &face{dict: c.dict(o), shown: map[int]int{}}
	c.fonts[r] = f
	list := c.array(f.dict["DescendantFonts"])
	if len(list) != 1 {
		return f
	}
	w := c.array(c.dict(list[0])["W"])
	if len(w) == 2 && c.number(w[0]) == 0 {
		for _, n := range c.array(w[1]) {
			f.widths = append(f.widths, c.number(n))
		}
	}
	return f
}

// face checks a font: embedded, a subset, with its text (ISO 15930-1, 6.5; PDF 1.3, 5.6).
func (c *check) face(f *face) {
	base := string(c.name(f.dict["BaseFont"]))
	list := c.array(f.dict["DescendantFonts"])
	if c.name(f.dict["Type"]) != "Font" || c.name(f.dict["Subtype"]) != "Type0" || c.name(f.dict["Encoding"]) != "Identity-H" ||
		len(list) != 1 {
		c.fault("the font %q is no Type 0 font of one", base)
		return
	}
	d := c.dict(list[0])
	c.keys("a font", d, "Type", "Subtype", "BaseFont", "CIDSystemInfo", "FontDescriptor", "DW", "W")
	desc := c.dict(d["FontDescriptor"])
	if !subsetName.MatchString(base) || string(c.name(d["BaseFont"])) != base || string(c.name(desc["FontName"])) != base {
		c.fault("the font %q is no subset, or has other names inside", base)
	}
	if c.name(d["Subtype"]) != "CIDFontType0" {
		c.fault("the font %s is a %s", base, c.name(d["Subtype"]))
	}
	program, ok := c.get(desc["FontFile3"]).(*stream)
	if !ok || c.name(program.dict["Subtype"]) != "CIDFontType0C" {
		c.fault("the font %s is not embedded", base)
		return
	}
	b, err := c.bytes(program)
	if n := charStrings(b); err != nil || n == 0 || n != len(f.widths) {
		c.fault("the font %s has %d glyphs in its program and %d widths (%v)", base, n, len(f.widths), err)
	}
	u, ok := c.get(f.dict["ToUnicode"]).(*stream)
	if !ok {
		c.fault("the font %s does not say what its text is", base)
		return
	}
	b, err = c.bytes(u)
	if err != nil {
		c.fault("the font %s: %v", base, err)
		return
	}
	f.unicode = cmap(string(b))
	said := 0
	for g, page := range f.shown {
		if g >= len(f.widths) || g == 0 && c.forPrint() {
			c.fault("page %d shows glyph %d of %s, which has no width or stands for a missing one", page, g, base)
		}
		if f.unicode[g] != "" {
			said++
		}
	}
	// Later glyphs of a cluster (a mark on a letter) have no text of their own; most have.
	if said*2 < len(f.shown) {
		c.fault("the font %s says the text of %d of %d glyphs", base, said, len(f.shown))
	}
}

var cmapLine = regexp.MustCompile(`(?m)^<([0-9A-F]{4})> <((?:[0-9A-F]{4})+)>$`)

// cmap reads the lines of a ToUnicode table that package pdf writes.
func cmap(s string) map[int]string {
	out := map[int]string{}
	for _, m := range cmapLine.FindAllStringSubmatch(s, -1) {
		g, _ := strconv.ParseInt(m[1], 16, 32)
		var b strings.Builder
		b.WriteString("\xfe\xff")
		for i := 0; i < len(m[2]); i += 2 {
			n, _ := strconv.ParseUint(m[2][i:i+2], 16, 8)
			b.WriteByte(byte(n))
		}
		out[int(g)] = unicode(b.String())
	}
	return out
}

// charStrings gives how many glyphs a CFF program has; 0 for another program (Adobe Technical Note 5176: header,
// name, top dictionaries, operator 17 of the first gives where the glyphs are).
func charStrings(b []byte) int {
	if len(b) < 4 || b[0] != 1 || int(b[2]) > len(b) {
		return 0
	}
	at := int(b[2])
	_, at = index(b, at) // names
	top, _ := index(b, at)
	if len(top) == 0 {
		return 0
	}
	var stack []int
	for i := top[0][0]; i < top[0][1]; {
		v := b[i]
		switch {
		case v <= 21:
			if v == 17 && len(stack) > 0 {
				list, _ := index(b, stack[len(stack)-1])
				return len(list)
			}
			if v == 12 {
				i++
			}
			stack = stack[:0]
			i++
		case v == 28 && i+2 < len(b):
			stack = append(stack, int(int16(uint16(b[i+1])<<8|uint16(b[i+2]))))
			i += 3
		case v == 29 && i+4 < len(b):
			stack = append(stack, int(int32(uint32(b[i+1])<<24|uint32(b[i+2])<<16|uint32(b[i+3])<<8|uint32(b[i+4]))))
			i += 5
		case v == 30:
			for i++; i < len(b) && b[i]&15 != 15 && b[i]>>4 != 15; i++ {
			}
			i++
			stack = append(stack, 0)
		case v >= 32 && v <= 246:
			stack = append(stack, int(v)-139)
			i++
		case v >= 247 && v <= 254 && i+1 < len(b):
			n := (int(v)-247)*256 + int(b[i+1]) + 108
			if v >= 251 {
				n = -(int(v)-251)*256 - int(b[i+1]) - 108
			}
			stack = append(stack, n)
			i += 2
		default:
			return 0
		}
	}
	return 0
}

// index reads an INDEX of CFF: from and to of each part, and where it ends.
func index(b []byte, at int) ([][2]int, int) {
	if at < 0 || at+2 > len(b) {
		return nil, len(b)
	}
	n := int(b[at])<<8 | int(b[at+1])
	if n == 0 {
		return nil, at + 2
	}
	if at+3 > len(b) {
		return nil, len(b)
	}
	size := int(b[at+2])
	data := at + 3 + (n+1)*size - 1
	if size < 1 || size > 4 || data >= len(b) {
		return nil, len(b)
	}
	offset := func(i int) int {
		v := 0
		for k := range size {
			v = v<<8 | int(b[at+3+i*size+k])
		}
		return data + v
	}
	out := make([][2]int, n)
	for i := range out {
		out[i] = [2]int{offset(i), offset(i + 1)}
		if out[i][0] > out[i][1] || out[i][1] > len(b) {
			return nil, len(b)
		}
	}
	return out, offset(n)
}
