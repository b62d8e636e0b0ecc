package national

import (
	"context"
	"fmt"
	"io"
	"os"

	"golang.org/x/sync/errgroup"

	"mappe/artefacts/keys"
	"mappe/artefacts/manifest"
	"mappe/artefacts/pmt"
	"mappe/builders/objects"
	"mappe/builders/tiles"
	"mappe/shared/cloud/spool"
	"mappe/shared/cloud/store"
)

// tiles merges the KGs' vector tiles, with the help of those that are served.
func (p *Publication) tiles(ctx context.Context, rows []row, live manifest.Manifest) (manifest.Object, error) {
	archives := make([]manifest.Object, len(rows))
	for i, r := range rows {
		archives[i] = r.entry.Forms.PMTiles
	}
	served := Merging{Merged: live.Tiles}
	if served.Merged.Key != "" && live.TilesInputs == tilesInputs(live.KGs) { // made by this recipe
		for _, e := range live.KGs {
			served.Of = append(served.Of, e.Forms.PMTiles)
		}
	}
	return MergeTiles(ctx, p.Store, "tiles", archives, served)
}

// joining is the merging of the tiles beside the stages: it waits for the disk, and they for the processors.
type joining struct {
	wait func() (manifest.Object, error) // once
	stop func()                          // ends it, and waits until it has
}

// tilesBeside begins to merge the tiles of KGs whose inputs are named; those that are served stay where they are of the same inputs.
func (p *Publication) tilesBeside(ctx context.Context, rows []row, live manifest.Manifest, inputs string) joining {
	if inputs == live.TilesInputs {
		return joining{wait: func() (manifest.Object, error) { return live.Tiles, nil }, stop: func() {}}
	}
	ctx, cancel := context.WithCancel(ctx)
	var made manifest.Object
	var err error
	done := make(chan struct{})
	go func() {
		defer close(done)
		made, err = p.tiles(ctx, rows, live)
	}()
	return joining{
		wait: func() (manifest.Object, error) { <-done; return made, err },
		stop: func() { cancel(); <-done },
	}
}

// MergeTiles joins archives of vector tiles into a national one of a kind and stores it; the same archives give the same bytes.
// Those of the country are some GB: they are read where they lie, or brought into one temporary file first where the store is
// far; the tiles that several have go to another, and the store takes the result out of both, so that memory holds directories
// and single tiles. What an earlier merging has joined of
// the same archives is taken over; one that is gone or damaged costs only the work.
func MergeTiles(ctx context.Context, st store.Store, kind string, list []manifest.Object, served Merging) (manifest.Object, error) {
	fail := func(err error) (manifest.Object, error) {
		return manifest.Object{}, fmt.Errorf("national tiles: %w", err)
	}
	archives, done, err := openArchives(ctx, st, list)
	if err != nil {
		return fail(err)
	}
	defer done()
	out, err := spool.NewFile("")
	if err != nil {
		return fail(err)
	}
	defer out.Close()
	earlier, err := served.open(ctx, st, list, archives)
	if err != nil {
		return fail(err)
	}
	merged, err := tiles.Merge(scratch{stoppable{ctx, out}, out}, archives, earlier)
	if err != nil {
		return fail(err)
	}
	o, err := objects.PutSummed(ctx, st, merged, merged.Size(), func(sum string) keys.Key {
		return keys.National{Name: kind, Sum: sum, Ext: "pmtiles"}
	})
	if err != nil {
		return fail(err)
	}
	return o, nil
}

// scratch is where the merging puts what it joins.
type scratch struct {
	io.Writer
	io.ReaderAt
}

// openArchives opens archives, which can be read until done.
func openArchives(ctx context.Context, st store.Store, list []manifest.Object) (archives []*pmt.Archive, done func(), err error) {
	if _, ok := st.(store.Local); ok {
		archives, err = archivesInPlace(ctx, st, list)
		return archives, func() {}, err
	}
	in, err := spool.NewFile("")
	if err != nil {
		return nil, nil, err
	}
	if archives, err = readArchives(ctx, st, in.File, list); err != nil {
		in.Close()
		return nil, nil, err
	}
	return archives, func() { in.Close() }, nil
}

// archivesInPlace opens archives where they lie.
func archivesInPlace(ctx context.Context, st store.Store, list []manifest.Object) ([]*pmt.Archive, error) {
	archives := make([]*pmt.Archive, len(list))
	g, ctx2 := errgroup.WithContext(ctx)
	g.SetLimit(readWidth)
	for i, o := range list {
		g.Go(func() error {
			info, err := store.Stat(ctx2, st, o.Key)
			if err != nil {
				return fmt.Errorf("read %s: %w", o.Key, err)
			}
			if info.Size != o.Bytes {
				return wrongSize(o, info.Size)
			}
			if archives[i], err = pmt.Open(store.InPlace(ctx, st, o.Key), o.Bytes); err != nil {
				return fmt.Errorf("%s: %w", o.Key, err)
			}
			return nil
		})
	}
	return archives, g.Wait()
}

func wrongSize(o manifest.Object, n int64) error {
	return fmt.Errorf("%s holds %d bytes, the manifest says %d", o.Key, n, o.Bytes)
}

// readArchives brings archives into one file, one behind the other, and opens them there.
func readArchives(ctx context.Context, st store.Store, to *os.File, list []manifest.Object) ([]*pmt.Archive, error) {
	archives := make([]*pmt.Archive, len(list))
	at := int64(0)
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(readWidth)
	for i, o := range list {
		offset := at
		at += o.Bytes
		g.Go(func() error {
			n, err := copyPart(ctx, io.NewOffsetWriter(to, offset), st, o)
			if err != nil {
				return fmt.Errorf("read %s: %w", o.Key, err)
			}
			if n != o.Bytes {
				return wrongSize(o, n)
			}
			if archives[i], err = pmt.Open(io.NewSectionReader(to, offset, o.Bytes), o.Bytes); err != nil {
				return fmt.Errorf("%s: %w", o.Key, err)
			}
			return nil
		})
	}
	return archives, g.Wait()
}

// copyPart copies an object, of a longer one only what its neighbour in the file leaves room for.
func copyPart(ctx context.Context, w io.Writer, st store.Store, o manifest.Object) (int64, error) {
	object, err := st.Get(ctx, o.Key, store.GetOptions{Plain: true})
	if err != nil {
		return 0, err
	}
	defer object.Body.Close()
	if object.Size != o.Bytes {
		return object.Size, nil
	}
	return io.Copy(w, object.Body)
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
