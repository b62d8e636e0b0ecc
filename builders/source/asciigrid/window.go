package asciigrid

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"sync"

	"mappe/shared/geo/raster"
)

// File is a grid that is read by windows. It holds no values: before the first window it goes through the text once and notes where
// some rows begin, then a window costs the rows that it has.
type File struct {
	Head
	size int64

	mu    sync.Mutex
	marks []int64 // where every markRows-th row begins; nil: the text was not gone through
	bad   error   // what is wrong with it
}

// markRows is the distance of the rows whose place is known: a window reads up to as many in vain.
const markRows = 16

// NewFile reads the head of a file of size bytes.
func NewFile(in io.ReaderAt, size int64, name string) (*File, error) {
	r, err := NewReader(io.NewSectionReader(in, 0, size), name)
	if err != nil {
		return nil, err
	}
	if err := r.Fits(size); err != nil {
		return nil, err
	}
	return &File{Head: r.Head, size: size}, nil
}

// Window are columns and rows, from the west and from the north.
type Window struct{ Col, Row, Cols, Rows int }

// Read reads a window inside the file; unknown values are NaN. An ErrFormat says that the file is damaged.
func (f *File) Read(in io.ReaderAt, w Window) (*raster.Grid, error) {
	if err := f.index(in); err != nil {
		return nil, err
	}
	west, north := f.X-f.Step/2, f.Y+float64((float64(f.Rows)-0.5)*f.Step)
	g := raster.New(west+float64(float64(w.Col)*f.Step), north-float64(float64(w.Row)*f.Step), f.Step, w.Cols, w.Rows)
	from := f.marks[w.Row/markRows]
	s := scanner{r: bufio.NewReaderSize(io.NewSectionReader(in, from, f.size-from), 1<<20)}
	if err := s.skip(w.Row % markRows * f.Cols); err != nil {
		return nil, err
	}
	for row := range w.Rows {
		if err := s.skip(w.Col); err != nil {
			return nil, err
		}
		line := g.Row(row)
		for col := range line {
			v, err := s.number()
			if err != nil {
				return nil, fmt.Errorf("height %d of %d: %w", (w.Row+row)*f.Cols+w.Col+col+1, f.Cells(), err)
			}
			if v != f.NoData {
				line[col] = float32(v)
			}
		}
		if err := s.skip(f.Cols - w.Col - w.Cols); err != nil {
			return nil, err
		}
	}
	return g, nil
}

// skip passes over words, whatever they are.
func (s *scanner) skip(words int) error {
	inside := false
	for words > 0 {
		_, err := s.r.Peek(1)
		if err != nil {
			if errors.Is(err, io.EOF) && inside {
				words, inside = words-1, false
				continue
			}
			return ended(err)
		}
		b, _ := s.r.Peek(s.r.Buffered())
		n := 0
		for n < len(b) && words > 0 {
			switch blank := isBlank(b[n]); {
			case blank && inside:
				words, inside = words-1, false
			case !blank:
				inside = true
			}
			n++
		}
		_, _ = s.r.Discard(n) // of what is buffered
	}
	return nil
}

// ended is the error of a text that ends too early.
func ended(err error) error {
	if errors.Is(err, io.EOF) {
		return failed("the file ends before its last height")
	}
	return err
}

// index goes through the text and notes where rows begin. A text with too few or too many values is damaged.
func (f *File) index(in io.ReaderAt) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.marks != nil || f.bad != nil {
		return f.bad
	}
	at, err := f.values(in)
	if err != nil {
		return err
	}
	r := io.NewSectionReader(in, at, f.size-at)
	marks := make([]int64, 0, (f.Rows+markRows-1)/markRows)
	buf, inside, n := make([]byte, 1<<20), false, int64(0)
	every, cells := int64(markRows)*int64(f.Cols), f.Cells()
	for {
		got, err := r.Read(buf)
		for i, c := range buf[:got] {
			if isBlank(c) {
				inside = false
				continue
			}
			if inside {
				continue
			}
			if inside = true; n%every == 0 && n < cells {
				marks = append(marks, at+int64(i))
			}
			n++
		}
		at += int64(got)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
	}
	if n != cells {
		f.bad = failed("%d heights, expected %d in %d columns and %d rows", n, cells, f.Cols, f.Rows)
		return f.bad
	}
	f.marks = marks
	return nil
}

// values is where the values begin: at the first word that stands where a name would and is a number.
func (f *File) values(in io.ReaderAt) (int64, error) {
	r := &counting{r: io.NewSectionReader(in, 0, f.size)}
	s := scanner{r: bufio.NewReaderSize(r, 1<<12)}
	for {
		w, err := s.word()
		if err != nil {
			return 0, ended(err)
		}
		if _, ok := parse(w); ok { // the blank behind it is read too: a grid has at least four values
			return r.n - int64(s.r.Buffered()) - int64(len(w)) - 1, nil
		}
		if _, err := s.number(); err != nil {
			return 0, err
		}
	}
}

// counting counts the bytes that are read.
type counting struct {
	r io.Reader
	n int64
}

func (c *counting) Read(b []byte) (int, error) {
	n, err := c.r.Read(b)
	c.n += int64(n)
	return n, err
}
