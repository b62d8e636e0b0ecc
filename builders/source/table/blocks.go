package table

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"runtime"

	"golang.org/x/sync/errgroup"
)

// blockBytes are parsed by one goroutine at once; more than a row may have.
const blockBytes = 1 << 20

// Blocks reads a file row by row as New and Next do, in blocks of rows that as many goroutines parse as there are processors.
// Row is called for each row of a block, several blocks at once, and adds to the block's own value; then gets these values, one
// at a time in the order of the file. Problems come in that order too. Memory is that of a few blocks.
func Blocks[T any](r io.Reader, o Options, row func(t *Table, to *T), then func(of *T) error) error {
	head, err := New(r, o)
	if err != nil {
		return err
	}
	workers := runtime.GOMAXPROCS(0)
	g, ctx := errgroup.WithContext(context.Background())
	ordered, work := make(chan *parsed[T], 2*workers), make(chan *parsed[T])
	g.Go(func() error {
		defer close(work)
		defer close(ordered)
		return head.cut(func(rows []byte, line int) error {
			p := &parsed[T]{done: make(chan struct{})}
			p.table = head.over(rows, line, &p.problems)
			for _, to := range []chan<- *parsed[T]{ordered, work} {
				select {
				case to <- p:
				case <-ctx.Done():
					return ctx.Err()
				}
			}
			return nil
		})
	})
	for range workers {
		g.Go(func() error {
			for p := range work {
				for p.table.Next() {
					row(p.table, &p.of)
				}
				close(p.done)
			}
			return nil
		})
	}
	g.Go(func() error {
		for p := range ordered {
			select {
			case <-p.done:
			case <-ctx.Done():
				return ctx.Err()
			}
			o.Problems.join(p.problems)
			if err := errors.Join(p.table.Err(), then(&p.of)); err != nil {
				return err
			}
		}
		return nil
	})
	return g.Wait()
}

// parsed is a block on its way: what its rows give stands when done is closed.
type parsed[T any] struct {
	table    *Table
	problems Problems
	of       T
	done     chan struct{}
}

// cut gives what follows the header in blocks that end with a row, and the number of the line before each. Of a row that is too
// long for a block as much is given as makes it too long for a table.
func (t *Table) cut(give func(rows []byte, line int) error) error {
	line := t.line
	var rest []byte // of a row that the block before it has begun
	for {
		block := make([]byte, blockBytes)
		n := copy(block, rest)
		got, err := io.ReadFull(t.in, block[n:])
		last := errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF)
		if err != nil && !last {
			return t.failed(line, err)
		}
		block = block[:n+got]
		end := bytes.LastIndexByte(block, '\n') + 1
		switch {
		case last:
			end = len(block)
		case end == 0:
			if err := t.skipLine(); err != nil && !errors.Is(err, io.EOF) {
				return t.failed(line, err)
			}
			block = append(block[:maxLine+1], '\n')
			end = len(block)
		}
		rest = block[end:]
		if end > 0 {
			if err := give(block[:end], line); err != nil {
				return err
			}
		}
		if line += bytes.Count(block[:end], []byte("\n")); last {
			return nil
		}
	}
}

// skipLine reads to the end of a line.
func (t *Table) skipLine() error {
	_, err := t.in.ReadSlice('\n')
	for errors.Is(err, bufio.ErrBufferFull) {
		_, err = t.in.ReadSlice('\n')
	}
	return err
}

// over is a table of the same columns over some of its rows, of which the first stands behind a line.
func (t *Table) over(rows []byte, line int, p *Problems) *Table {
	o := t.o
	o.Problems = p
	return &Table{o: o, in: bufio.NewReaderSize(bytes.NewReader(rows), maxLine), names: t.names, at: t.at, width: t.width, line: line}
}

// join adds those that came later in the file.
func (p *Problems) join(later Problems) {
	p.First = append(p.First, later.First[:min(len(later.First), maxKept-len(p.First))]...)
	p.Total += later.Total
}
