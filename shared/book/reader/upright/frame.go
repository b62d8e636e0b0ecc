package upright

import "encoding/binary"

// The markers that are told apart.
const (
	frameHeader   = 0xc0 // baseline
	huffmanTables = 0xc4
	scanHeader    = 0xda
	quantizers    = 0xdb
	restartEvery  = 0xdd
)

const (
	blockSide     = 8
	blockSize     = blockSide * blockSide
	maxSampling   = 4
	maxComponents = 4
	maxDC         = 1 << 10 // samples of 8 bits come to no more; then neighbours differ by 11 bits at most
)

// block is the coefficients of 8 by 8 samples, in the order of zigzag.
type block [blockSize]int16

// component is a plane of a picture.
type component struct {
	id, quantizer byte
	h, v          int // blocks of a unit
	dc, ac        int // codes
	columns, rows int // blocks
	blocks        []block
}

// frame is a picture as its coefficients.
type frame struct {
	width, height int
	components    []component
	quant         [4][]byte // 64 numbers in the order of zigzag
	codes         [2][4]*code
	restart       int // units between restarts, 0 for none
	kept          []segment
	h, v          int // blocks of a unit, of the plane that has most
}

// natural gives the place in rows of a place in zigzag.
var natural = [blockSize]int{
	0, 1, 8, 16, 9, 2, 3, 10, 17, 24, 32, 25, 18, 11, 4, 5, 12, 19, 26, 33, 40, 48, 41, 34, 27, 20, 13, 6, 7, 14, 21, 28,
	35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23, 30, 37, 44, 51, 58, 59, 52, 45, 38, 31, 39, 46, 53, 60, 61, 54, 47, 55, 62, 63,
}

// readFrame reads the headers of a baseline picture of one scan.
func readFrame(b []byte) (*frame, []byte, bool) {
	f := &frame{}
	for _, s := range segments(b) {
		ok := true
		switch {
		case s.marker == frameHeader:
			ok = f.header(s.body)
		case s.marker == huffmanTables:
			ok = f.tables(s.body)
		case s.marker == quantizers:
			ok = f.quantizers(s.body)
		case s.marker == restartEvery:
			if ok = len(s.body) == 2; ok {
				f.restart = int(binary.BigEndian.Uint16(s.body))
			}
		case s.marker == scanHeader:
			if !f.scan(s.body) {
				return nil, nil, false
			}
			return f, b[s.at+len(s.body):], true
		case s.marker >= 0xe0 && s.marker <= 0xef || s.marker == 0xfe:
			f.kept = append(f.kept, s)
		default: // progressive, lossless, arithmetic
			ok = false
		}
		if !ok {
			return nil, nil, false
		}
	}
	return nil, nil, false
}

func (f *frame) header(b []byte) bool {
	if len(b) < 6 || b[0] != 8 || f.components != nil || int(b[5]) > maxComponents || b[5] == 0 || len(b) != 6+3*int(b[5]) {
		return false
	}
	f.height, f.width = int(binary.BigEndian.Uint16(b[1:])), int(binary.BigEndian.Uint16(b[3:]))
	if f.width == 0 || f.height == 0 {
		return false
	}
	for c := b[6:]; len(c) > 0; c = c[3:] {
		k := component{id: c[0], h: int(c[1] >> 4), v: int(c[1] & 15), quantizer: c[2]}
		if k.h < 1 || k.h > maxSampling || k.v < 1 || k.v > maxSampling || k.quantizer > 3 {
			return false
		}
		f.components = append(f.components, k)
	}
	if len(f.components) == 1 { // its units are single blocks whatever it says
		f.components[0].h, f.components[0].v = 1, 1
	}
	for _, k := range f.components {
		f.h, f.v = max(f.h, k.h), max(f.v, k.v)
	}
	return true
}

func (f *frame) tables(b []byte) bool {
	for len(b) > 0 {
		if len(b) < 17 || b[0]>>4 > 1 || b[0]&15 > 3 {
			return false
		}
		n := 0
		for _, c := range b[1:17] {
			n += int(c)
		}
		if n > 256 || n > len(b)-17 {
			return false
		}
		c, ok := newCode(b[1:17], b[17:17+n])
		if !ok {
			return false
		}
		f.codes[b[0]>>4][b[0]&15] = c
		b = b[17+n:]
	}
	return true
}

func (f *frame) quantizers(b []byte) bool {
	for len(b) > 0 {
		if len(b) < 1+blockSize || b[0] > 3 { // baseline has no numbers of 16 bits
			return false
		}
		f.quant[b[0]] = b[1 : 1+blockSize]
		b = b[1+blockSize:]
	}
	return true
}

// scan reads the header of a scan that holds all planes.
func (f *frame) scan(b []byte) bool {
	n := len(f.components)
	if n == 0 || len(b) != 4+2*n || int(b[0]) != n {
		return false
	}
	for i := range n {
		k := &f.components[i]
		k.dc, k.ac = int(b[2+2*i]>>4), int(b[2+2*i]&15)
		if b[1+2*i] != k.id || k.dc > 3 || k.ac > 3 || f.codes[0][k.dc] == nil || f.codes[1][k.ac] == nil || f.quant[k.quantizer] == nil {
			return false
		}
	}
	return true
}

// units are how many units of planes the picture has in a row and in a column.
func (f *frame) units() (columns, rows int) {
	side := func(n, blocks int) int { return (n + blockSide*blocks - 1) / (blockSide * blocks) }
	return side(f.width, f.h), side(f.height, f.v)
}

// read reads the coefficients.
func (f *frame) read(data []byte) error {
	columns, rows := f.units()
	if len(data) < columns*rows/8 { // an empty block has two bits, and a unit has four
		return errScan
	}
	for i := range f.components {
		k := &f.components[i]
		k.columns, k.rows = columns*k.h, rows*k.v
		k.blocks = make([]block, k.columns*k.rows)
	}
	r := &bits{b: data}
	var last [maxComponents]int
	for unit := range columns * rows {
		if f.restart > 0 && unit > 0 && unit%f.restart == 0 {
			if err := r.restart(); err != nil {
				return err
			}
			last = [maxComponents]int{}
		}
		for i := range f.components {
			k := &f.components[i]
			for n := range k.h * k.v {
				at := (unit/columns*k.v+n/k.h)*k.columns + unit%columns*k.h + n%k.h
				if err := f.block(r, k, &last[i], &k.blocks[at]); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

func (f *frame) block(r *bits, k *component, last *int, out *block) error {
	n, err := r.symbol(f.codes[0][k.dc])
	if err != nil || n > 11 {
		return errScan
	}
	d, err := r.value(int(n))
	if err != nil {
		return err
	}
	if *last += d; *last < -maxDC || *last >= maxDC {
		return errScan
	}
	out[0] = int16(*last)
	for i := 1; i < blockSize; {
		s, err := r.symbol(f.codes[1][k.ac])
		if err != nil {
			return err
		}
		zeros, n := int(s>>4), int(s&15)
		if n == 0 {
			if zeros != 15 {
				return nil // the rest is nought
			}
			i += 16
			continue
		}
		if i += zeros; i >= blockSize || n > 10 {
			return errScan
		}
		v, err := r.value(n)
		if err != nil {
			return err
		}
		out[i] = int16(v)
		i++
	}
	return nil
}
