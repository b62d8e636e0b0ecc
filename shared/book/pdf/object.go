package pdf

import (
	"compress/zlib"
	"fmt"
	"hash"
	"io"
	"strings"
	"unicode/utf16"
)

// counter writes and counts; the first error stays.
type counter struct {
	w   io.Writer
	n   int64
	err error
	sum hash.Hash
}

func (c *counter) Write(p []byte) (int, error) {
	if c.err != nil {
		return 0, c.err
	}
	n, err := c.w.Write(p)
	c.n += int64(n)
	c.sum.Write(p[:n])
	c.err = err
	return n, err
}

func (c *counter) printf(format string, args ...any) { fmt.Fprintf(c, format, args...) }

// reserve takes a number for an object that is written later.
func (f *file) reserve() ref {
	f.offsets = append(f.offsets, 0)
	return ref(len(f.offsets))
}

func (f *file) begin(r ref) {
	f.offsets[r-1] = f.out.n
	f.out.printf("%d 0 obj\n", int(r))
}

func (f *file) end() { f.out.printf("\nendobj\n") }

// object writes a small object.
func (f *file) object(format string, args ...any) ref {
	r := f.reserve()
	f.begin(r)
	f.out.printf(format, args...)
	f.end()
	return r
}

// stream writes a deflated stream; dict is what stands in its dictionary beside length and filter.
func (f *file) stream(r ref, dict string, body []byte) {
	z := f.pack()
	z.Write(body) // a buffer takes everything
	z.Close()
	f.raw(r, dict+"/Filter/FlateDecode", f.packed.Bytes())
}

// level is how well streams are packed: in two thirds of the time of zlib's own choice, 4 % larger.
const level = 4

// pack begins to pack a stream into f.packed. Its window is large: there is one for the whole file.
func (f *file) pack() *zlib.Writer {
	f.packed.Reset()
	if f.packer == nil {
		f.packer, _ = zlib.NewWriterLevel(&f.packed, level) // the level is one there is
	} else {
		f.packer.Reset(&f.packed)
	}
	return f.packer
}

// raw writes a stream as it is.
func (f *file) raw(r ref, dict string, body []byte) {
	f.begin(r)
	f.out.printf("<<%s/Length %d>>\nstream\n", dict, len(body))
	f.out.Write(body)
	f.out.printf("\nendstream")
	f.end()
}

// text writes a text string: ASCII in parentheses, everything else as UTF-16.
func text(s string) string {
	plain := true
	for i := 0; i < len(s); i++ {
		if s[i] < 0x20 || s[i] > 0x7e {
			plain = false
		}
	}
	if plain {
		return "(" + strings.NewReplacer(`\`, `\\`, "(", `\(`, ")", `\)`).Replace(s) + ")"
	}
	var b strings.Builder
	b.WriteString("<FEFF")
	for _, u := range utf16.Encode([]rune(s)) {
		fmt.Fprintf(&b, "%04X", u)
	}
	b.WriteByte('>')
	return b.String()
}

// trailer ends the file.
func (f *file) trailer(root, info ref) error {
	at := f.out.n
	id := f.out.sum.Sum(nil)
	f.out.printf("xref\n0 %d\n0000000000 65535 f \n", len(f.offsets)+1)
	for _, o := range f.offsets {
		f.out.printf("%010d 00000 n \n", o)
	}
	f.out.printf("trailer\n<</Size %d/Root %s/Info %s/ID[<%x><%x>]>>\nstartxref\n%d\n%%%%EOF\n", len(f.offsets)+1, root, info, id, id, at)
	return f.out.err
}
