package check

import (
	"bytes"
	"compress/zlib"
	"errors"
	"fmt"
	"io"
	"strconv"
)

// Limits of what is read.
const (
	maxObjects  = 1_000_000
	maxInflated = 1 << 30 // bytes of all streams together
	maxText     = 64 << 20
)

// file is the objects of a file, read when they are asked for.
type file struct {
	b        []byte
	offsets  []int // of the objects, by number
	trailer  dict
	objects  map[ref]any
	inflated int64
	version  string
}

// open reads a file that was written in one piece: header, objects, one cross-reference table, trailer.
func open(b []byte) (*file, error) {
	f := &file{b: b, objects: map[ref]any{}}
	if len(b) < 64 || !bytes.HasPrefix(b, []byte("%PDF-1.")) || b[8] != '\n' {
		return nil, errors.New("the file does not begin with %PDF-1")
	}
	f.version = string(b[5:8])
	if b[9] != '%' || b[10] < 0x80 || b[11] < 0x80 || b[12] < 0x80 || b[13] < 0x80 {
		return nil, errors.New("the second line does not say that the file is binary")
	}
	tail := b[max(len(b)-1024, 0):]
	at := bytes.LastIndex(tail, []byte("startxref\n"))
	if at < 0 || !bytes.HasSuffix(b, []byte("%%EOF\n")) {
		return nil, errors.New("the file does not end with startxref and %%EOF")
	}
	if bytes.Count(b, []byte("startxref\n")) != 1 {
		return nil, errors.New("the file was changed after it was written")
	}
	l := lexer{b: tail, at: at + len("startxref\n")}
	o, err := l.object()
	pos, ok := o.(float64)
	if err != nil || !ok || pos < 0 || int(pos) >= len(b) {
		return nil, errors.New("startxref gives no place in the file")
	}
	return f, f.table(int(pos))
}

// table reads the cross-reference table: lines of 20 bytes.
func (f *file) table(at int) error {
	b := f.b[at:]
	if !bytes.HasPrefix(b, []byte("xref\n0 ")) {
		return errors.New("startxref does not lead to a cross-reference table")
	}
	b = b[len("xref\n0 "):]
	end := bytes.IndexByte(b, '\n')
	if end < 0 || end > 8 {
		return errors.New("the cross-reference table has no count")
	}
	n, err := strconv.Atoi(string(b[:end]))
	b = b[end+1:]
	if err != nil || n < 1 || n > maxObjects || len(b) < 20*n {
		return fmt.Errorf("the cross-reference table has no %d lines", n)
	}
	f.offsets = make([]int, n)
	for i := range n {
		l := b[20*i : 20*i+20]
		offset, err := strconv.Atoi(string(l[:10]))
		kind := l[17]
		if err != nil || l[18] != ' ' || l[19] != '\n' || i == 0 && string(l[:18]) != "0000000000 65535 f" ||
			i > 0 && (kind != 'n' || string(l[10:17]) != " 00000 ") || offset < 0 || offset >= len(f.b) {
			return fmt.Errorf("line %d of the cross-reference table is %q", i, l)
		}
		f.offsets[i] = offset
	}
	l := lexer{b: b, at: 20 * n}
	if o, err := l.object(); err != nil || o != op("trailer") {
		return errors.New("no trailer behind the cross-reference table")
	}
	o, err := l.object()
	if err != nil {
		return fmt.Errorf("the trailer: %w", err)
	}
	t, ok := o.(dict)
	if size, _ := t["Size"].(float64); !ok || int(size) != n {
		return fmt.Errorf("the trailer's Size is not %d", n)
	}
	f.trailer = t
	return nil
}

// get resolves references; nil where there is nothing.
func (f *file) get(o any) any {
	r, ok := o.(ref)
	if !ok {
		return o
	}
	if v, ok := f.objects[r]; ok {
		return v
	}
	f.objects[r] = nil
	v, err := f.read(int(r))
	if err == nil {
		f.objects[r] = v
	}
	return f.objects[r]
}

// read reads an object at its place.
func (f *file) read(n int) (any, error) {
	if n < 1 || n >= len(f.offsets) {
		return nil, fmt.Errorf("object %d is not in the file", n)
	}
	l := lexer{b: f.b, at: f.offsets[n]}
	head := strconv.Itoa(n) + " 0 obj"
	if !bytes.HasPrefix(f.b[l.at:], []byte(head)) {
		return nil, fmt.Errorf("object %d is not at byte %d", n, l.at)
	}
	l.at += len(head)
	o, err := l.object()
	if err != nil {
		return nil, fmt.Errorf("object %d: %w", n, err)
	}
	word, err := l.object()
	if d, ok := o.(dict); ok && err == nil && word == op("stream") {
		size, ok := d["Length"].(float64)
		if !ok || size < 0 || l.at+1+int(size) > len(f.b) || f.b[l.at] != '\n' {
			return nil, fmt.Errorf("object %d: a stream without its length", n)
		}
		s := &stream{dict: d, raw: f.b[l.at+1 : l.at+1+int(size)]}
		l.at += 1 + int(size)
		if end, err := l.object(); err != nil || end != op("endstream") {
			return nil, fmt.Errorf("object %d: the stream is not %d bytes long", n, int(size))
		}
		o = s
		word, err = l.object()
	}
	if err != nil || word != op("endobj") {
		return nil, fmt.Errorf("object %d has no end", n)
	}
	return o, nil
}

func (f *file) dict(o any) dict {
	switch o := f.get(o).(type) {
	case dict:
		return o
	case *stream:
		return o.dict
	}
	return nil
}

func (f *file) array(o any) []any {
	a, _ := f.get(o).([]any)
	return a
}

func (f *file) name(o any) name {
	n, _ := f.get(o).(name)
	return n
}

func (f *file) text(o any) string {
	s, _ := f.get(o).(str)
	return string(s)
}

func (f *file) number(o any) float64 {
	n, _ := f.get(o).(float64)
	return n
}

// inflate gives a stream's bytes to w and says how many they are. Only Flate is undone: what is not packed
// comes as it is.
func (f *file) inflate(s *stream, w io.Writer, most int64) (int64, error) {
	var r io.Reader = bytes.NewReader(s.raw)
	switch f.name(s.dict["Filter"]) {
	case "":
	case "FlateDecode":
		z, err := zlib.NewReader(r)
		if err != nil {
			return 0, err
		}
		r = z
	default:
		return 0, fmt.Errorf("packed with %v", s.dict["Filter"])
	}
	most = min(most, maxInflated-f.inflated)
	n, err := io.Copy(w, io.LimitReader(r, most+1))
	f.inflated += n
	if err == nil && n > most {
		err = fmt.Errorf("more than %d bytes", most)
	}
	return n, err
}

func (f *file) bytes(s *stream) ([]byte, error) {
	var b bytes.Buffer
	_, err := f.inflate(s, &b, maxText)
	return b.Bytes(), err
}
