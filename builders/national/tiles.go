package national

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"golang.org/x/sync/errgroup"

	"mappe/artefacts/keys"
	"mappe/artefacts/manifest"
	"mappe/artefacts/pmt"
	"mappe/builders/tiles"
)

// spoolWidth is how many archives are read from the store at once.
const spoolWidth = 8

// tiles merges the KGs' vector tiles; an unchanged set of KGs is merged to the same bytes. The archives
// of the country are some GB: they are merged from one temporary file to another, and only the result is
// held in memory, because a store takes an object whole.
func (p *Publication) tiles(ctx context.Context, rows []row) (manifest.Object, error) {
	fail := func(err error) (manifest.Object, error) {
		return manifest.Object{}, fmt.Errorf("national tiles: %w", err)
	}
	in, err := newSpool()
	if err != nil {
		return fail(err)
	}
	defer in.remove()
	archives, err := p.readArchives(ctx, in.File, rows)
	if err != nil {
		return fail(err)
	}
	out, err := newSpool()
	if err != nil {
		return fail(err)
	}
	defer out.remove()
	data := bufio.NewWriterSize(stoppable{ctx, out}, 1<<20)
	body, err := tiles.MergeTo(data, archives)
	if err == nil {
		err = data.Flush()
	}
	if err == nil {
		body, err = out.appendTo(body)
	}
	if err != nil {
		return fail(err)
	}
	return p.write(ctx, func(sum string) keys.Key { return keys.National{Name: "tiles", Sum: sum, Ext: "pmtiles"} }, body)
}

// readArchives brings the KGs' archives into one file, one behind the other, and opens them there.
func (p *Publication) readArchives(ctx context.Context, to *os.File, rows []row) ([]*pmt.Archive, error) {
	archives := make([]*pmt.Archive, len(rows))
	at := int64(0)
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(spoolWidth)
	for i, r := range rows {
		o, offset := r.entry.Forms.PMTiles, at
		at += o.Bytes
		g.Go(func() error {
			b, err := read(ctx, p.Store, o.Key)
			if err != nil {
				return err
			}
			if int64(len(b)) != o.Bytes {
				return fmt.Errorf("%s holds %d bytes, the manifest says %d", o.Key, len(b), o.Bytes)
			}
			if _, err := to.WriteAt(b, offset); err != nil {
				return err
			}
			if archives[i], err = pmt.Open(io.NewSectionReader(to, offset, o.Bytes), o.Bytes); err != nil {
				return fmt.Errorf("%s: %w", o.Key, err)
			}
			return nil
		})
	}
	return archives, g.Wait()
}

// spool is a temporary file.
type spool struct{ *os.File }

func newSpool() (spool, error) {
	f, err := os.CreateTemp("", "mappe-tiles-*")
	return spool{f}, err
}

func (s spool) remove() error { return errors.Join(s.Close(), os.Remove(s.Name())) }

// appendTo appends the whole file to b.
func (s spool) appendTo(b []byte) ([]byte, error) {
	info, err := s.Stat()
	if err != nil {
		return nil, err
	}
	n := len(b)
	out := make([]byte, int64(n)+info.Size())
	copy(out, b)
	_, err = io.ReadFull(io.NewSectionReader(s.File, 0, info.Size()), out[n:])
	return out, err
}

// stoppable ends a long series of writes when the run is interrupted.
type stoppable struct {
	ctx context.Context
	to  io.Writer
}

func (s stoppable) Write(b []byte) (int, error) {
	if err := s.ctx.Err(); err != nil {
		return 0, err
	}
	return s.to.Write(b)
}
