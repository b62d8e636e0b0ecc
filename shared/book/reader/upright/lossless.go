package upright

import "encoding/binary"

// lossless turns a picture by its coefficients. It cannot where blocks that the picture fills only in part
// would come to stand at its beginning.
func lossless(b []byte, at tag, t turn) ([]byte, bool) {
	f, data, ok := readFrame(b)
	if !ok || t.mirror && f.width%(blockSide*f.h) != 0 || t.flip && f.height%(blockSide*f.v) != 0 {
		return nil, false
	}
	if f.read(data) != nil {
		return nil, false
	}
	for i := range f.components {
		f.components[i].turn(t)
	}
	if t.transpose {
		f.width, f.height, f.h, f.v = f.height, f.width, f.v, f.h
		for i, q := range f.quant {
			if q != nil {
				f.quant[i] = transposed(q)
			}
		}
	}
	return f.write(at), true
}

// across gives the place in zigzag that a place comes to when rows become columns.
var across = func() (out [blockSize]int) {
	var place [blockSize]int
	for z, n := range natural {
		place[n] = z
	}
	for z, n := range natural {
		out[z] = place[n%blockSide*blockSide+n/blockSide]
	}
	return out
}()

func transposed(q []byte) []byte {
	out := make([]byte, blockSize)
	for z, v := range q {
		out[across[z]] = v
	}
	return out
}

// turn moves the blocks of a plane. A mirrored block is the same with every second frequency negated.
func (k *component) turn(t turn) {
	out := make([]block, len(k.blocks))
	columns := k.columns
	if t.transpose {
		columns = k.rows
	}
	for y := range k.rows {
		for x := range k.columns {
			u, v := x, y
			if t.mirror {
				u = k.columns - 1 - x
			}
			if t.flip {
				v = k.rows - 1 - y
			}
			if t.transpose {
				u, v = v, u
			}
			t.block(&out[v*columns+u], &k.blocks[y*k.columns+x])
		}
	}
	k.blocks = out
	if t.transpose {
		k.columns, k.rows, k.h, k.v = k.rows, k.columns, k.v, k.h
	}
}

func (t turn) block(out, in *block) {
	for z, c := range in {
		n := natural[z]
		if t.mirror && n%2 == 1 {
			c = -c
		}
		if t.flip && n/blockSide%2 == 1 {
			c = -c
		}
		if t.transpose {
			z = across[z]
		}
		out[z] = c
	}
}

// write writes the picture with the codes of the specification. What the file said beside the picture is
// kept, the orientation is 1.
func (f *frame) write(at tag) []byte {
	out := []byte{0xff, 0xd8}
	put := func(marker byte, body []byte) {
		out = append(out, 0xff, marker)
		out = binary.BigEndian.AppendUint16(out, uint16(len(body)+2))
		out = append(out, body...)
	}
	for _, s := range f.kept {
		body := s.body
		if at.at >= s.at && at.at+2 <= s.at+len(s.body) {
			body = append([]byte(nil), s.body...)
			at.order.PutUint16(body[at.at-s.at:], 1)
		}
		put(s.marker, body)
	}
	for i, q := range f.quant {
		if q != nil {
			put(quantizers, append([]byte{byte(i)}, q...))
		}
	}
	head := binary.BigEndian.AppendUint16([]byte{8}, uint16(f.height))
	head = append(binary.BigEndian.AppendUint16(head, uint16(f.width)), byte(len(f.components)))
	scan := []byte{byte(len(f.components))}
	for i, k := range f.components {
		head = append(head, k.id, byte(k.h<<4|k.v), k.quantizer)
		scan = append(scan, k.id, 0x11*byte(min(i, 1)))
	}
	put(frameHeader, head)
	for kind := range 2 {
		for class := range 2 {
			c := &standard[kind][class]
			put(huffmanTables, append(append([]byte{byte(class<<4 | kind)}, c.counts...), c.symbols...))
		}
	}
	put(scanHeader, append(scan, 0, blockSize-1, 0))
	w := &writer{out: out}
	f.scanned(w)
	w.flush()
	return append(w.out, 0xff, 0xd9)
}

// scanned writes the coefficients.
func (f *frame) scanned(w *writer) {
	var codes [2][2][256]word
	for kind := range 2 {
		for class := range 2 {
			codes[kind][class] = words(standard[kind][class].counts, standard[kind][class].symbols)
		}
	}
	columns, rows := f.units()
	var last [maxComponents]int
	for unit := range columns * rows {
		for i := range f.components {
			k := &f.components[i]
			for n := range k.h * k.v {
				b := &k.blocks[(unit/columns*k.v+n/k.h)*k.columns+unit%columns*k.h+n%k.h]
				b.write(w, last[i], &codes[min(i, 1)])
				last[i] = int(b[0])
			}
		}
	}
}

func (b *block) write(w *writer, last int, codes *[2][256]word) {
	number := func(v, n int) {
		if v < 0 {
			v += 1<<n - 1
		}
		w.put(uint32(v), n)
	}
	d := int(b[0]) - last
	n := size(d)
	w.put(codes[0][n].code, codes[0][n].n)
	number(d, n)
	zeros := 0
	for _, c := range b[1:] {
		if c == 0 {
			zeros++
			continue
		}
		for ; zeros > 15; zeros -= 16 {
			w.put(codes[1][0xf0].code, codes[1][0xf0].n)
		}
		n := size(int(c))
		s := codes[1][zeros<<4|n]
		w.put(s.code, s.n)
		number(int(c), n)
		zeros = 0
	}
	if zeros > 0 {
		w.put(codes[1][0].code, codes[1][0].n)
	}
}
