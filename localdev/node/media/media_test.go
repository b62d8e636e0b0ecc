package media

import (
	"bytes"
	"errors"
	"io"
	"runtime"
	"testing"
	"testing/iotest"

	"github.com/ipfs/go-cid"

	"mappe/localdev/node/blob"
)

// blocks are kept in memory.
type blocks map[cid.Cid][]byte

var errAbsent = errors.New("absent")

func (b blocks) Get(c cid.Cid) ([]byte, error) {
	if data, ok := b[c]; ok {
		return bytes.Clone(data), nil
	}
	return nil, errAbsent
}

func (b blocks) put(pieces ...Block) cid.Cid {
	for _, p := range pieces {
		b[p.ID] = p.Data
	}
	return pieces[len(pieces)-1].ID
}

// above is a node above blocks, of which nothing is told but their names.
func (b blocks) above(ids ...cid.Cid) cid.Cid {
	pieces, sizes := make([]Block, len(ids)), make([]uint64, len(ids))
	for i, id := range ids {
		pieces[i].ID = id
	}
	raw := root(pieces, sizes, 0)
	return b.put(Block{blob.SumNode(raw), raw})
}

// A file comes back as it was cut, from every place of it.
func TestFiles(t *testing.T) {
	for _, size := range []int{0, 1, chunk, chunk + 1, 5*chunk - 1} {
		want := make([]byte, size)
		for i := range want {
			want[i] = byte(i * i >> 8)
		}
		pieces, err := Cut(bytes.NewReader(want))
		if err != nil {
			t.Fatal(err)
		}
		b := blocks{}
		id := b.put(pieces...)
		f, err := Open(b, b.above(id, id))
		if err != nil {
			t.Fatal(err)
		}
		if err := iotest.TestReader(f, append(bytes.Clone(want), want...)); err != nil {
			t.Errorf("%d bytes: %v", size, err)
		}
		if size > chunk {
			delete(b, pieces[1].ID)
			if _, err := Open(b, id); !errors.Is(err, errAbsent) {
				t.Errorf("%d bytes without a block: %v", size, err)
			}
		}
	}
}

// A block that is named hundreds of times makes a long file and takes the memory of one block; what goes beyond the bounds is refused.
func TestMemory(t *testing.T) {
	b := blocks{}
	data := make([]byte, blob.MaxSize)
	id := b.put(Block{blob.SumRaw(data), data})
	many := func(n int) cid.Cid {
		ids := make([]cid.Cid, n)
		for i := range ids {
			ids[i] = id
		}
		return b.above(ids...)
	}
	f, err := Open(b, many(40))
	if err != nil {
		t.Fatal(err)
	}
	runtime.GC()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	n, err := io.CopyBuffer(struct{ io.Writer }{io.Discard}, struct{ io.Reader }{f}, make([]byte, 64<<10))
	runtime.GC()
	runtime.ReadMemStats(&after)
	runtime.KeepAlive(f)
	if held := int64(after.HeapAlloc) - int64(before.HeapAlloc); err != nil || n != 40*blob.MaxSize || held > 2*blob.MaxSize {
		t.Errorf("%d bytes were read, %d are held, %v", n, held, err)
	}
	if _, err := Open(b, many(MaxFile/blob.MaxSize+1)); err == nil {
		t.Error("a file that is too long was opened")
	}
	empty := b.above()
	for range 6 {
		empty = b.above(empty, empty, empty, empty, empty, empty, empty, empty)
	}
	if _, err := Open(b, empty); !errors.Is(err, errNode) {
		t.Errorf("blocks that name each other too often: %v", err)
	}
}
