package storetest

import (
	"context"
	"io"
	"iter"
	"sync/atomic"

	"mappe/shared/cloud/store"
)

// Counting counts what is read, so that a test can say how many object reads an answer costs.
type Counting struct {
	store.Store
	gets, heads, lists, bytes atomic.Int64
}

// Reads are the counts since the last Reset. NotModified answers count as Gets.
type Reads struct{ Gets, Heads, Lists, Bytes int64 }

// Reads gives the counts.
func (c *Counting) Reads() Reads {
	return Reads{c.gets.Load(), c.heads.Load(), c.lists.Load(), c.bytes.Load()}
}

// Reset starts over.
func (c *Counting) Reset() {
	for _, n := range []*atomic.Int64{&c.gets, &c.heads, &c.lists, &c.bytes} {
		n.Store(0)
	}
}

// Get implements store.Store.
func (c *Counting) Get(ctx context.Context, key string, opt store.GetOptions) (*store.Object, error) {
	c.gets.Add(1)
	object, err := c.Store.Get(ctx, key, opt)
	if err != nil {
		return nil, err
	}
	counted := *object
	counted.Body = &countedBody{object.Body, &c.bytes}
	return &counted, nil
}

// Head implements store.Store.
func (c *Counting) Head(ctx context.Context, key string) (store.Info, error) {
	c.heads.Add(1)
	return c.Store.Head(ctx, key)
}

// List implements store.Store.
func (c *Counting) List(ctx context.Context, prefix string) iter.Seq2[store.Info, error] {
	c.lists.Add(1)
	return c.Store.List(ctx, prefix)
}

type countedBody struct {
	io.ReadCloser
	bytes *atomic.Int64
}

func (b *countedBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	b.bytes.Add(int64(n))
	return n, err
}
