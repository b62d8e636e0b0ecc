package stage

import (
	"context"
	"fmt"
	"io"

	"mappe/artefacts/keys"
	"mappe/artefacts/manifest"
	"mappe/artefacts/sectionfile"
	"mappe/builders/objects"
	"mappe/shared/cloud/spool"
)

// Write stores an artefact that fits in memory as national/{kind}-{sum}.{ending}.
func (c *Country) Write(ctx context.Context, kind, ending string, body []byte) (manifest.Object, error) {
	return c.Put(ctx, keys.National{Name: kind, Sum: keys.Sum(body), Ext: ending}, body)
}

// Put stores an object under its key.
func (c *Country) Put(ctx context.Context, key keys.Key, body []byte) (manifest.Object, error) {
	if err := objects.Put(ctx, c.Store, key, body); err != nil {
		return manifest.Object{}, err
	}
	return objects.Of(key, body), nil
}

// WriteParts stores an artefact in parts as national/{kind}-{sum}.parts. fill adds its sections, which go to a
// temporary file; memory holds the directory.
func (c *Country) WriteParts(ctx context.Context, kind string, family sectionfile.Family, head []byte,
	fill func(*sectionfile.Builder) error) (manifest.Object, error) {
	fail := func(err error) (manifest.Object, error) {
		return manifest.Object{}, fmt.Errorf("%s: %w", kind, err)
	}
	sections, err := spool.NewFile("")
	if err != nil {
		return fail(err)
	}
	defer sections.Close()
	b, err := sectionfile.NewBuilder(family, head, sections)
	if err != nil {
		return fail(err)
	}
	if err := fill(b); err != nil {
		return fail(err)
	}
	front, err := b.Front()
	if err != nil {
		return fail(err)
	}
	size, err := sections.Seek(0, io.SeekEnd)
	if err != nil {
		return fail(err)
	}
	file := joined{front, sections}
	size += int64(len(front))
	o, err := objects.PutSummed(ctx, c.Store, file, size, func(sum string) keys.Key {
		return keys.National{Name: kind, Sum: sum, Ext: "parts"}
	})
	if err != nil {
		return fail(err)
	}
	return o, nil
}

// joined reads a front in memory and what stands behind it in a file as one.
type joined struct {
	front []byte
	rest  io.ReaderAt
}

func (j joined) ReadAt(b []byte, at int64) (int, error) {
	n := 0
	if at < int64(len(j.front)) {
		n = copy(b, j.front[at:])
		at += int64(n)
	}
	if n == len(b) {
		return n, nil
	}
	m, err := j.rest.ReadAt(b[n:], at-int64(len(j.front)))
	return n + m, err
}
