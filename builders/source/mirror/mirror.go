// Package mirror reads a raw source that lies in an object store: the small files (registers,
// outlines, addresses) are copied to a directory once, tiles, rasters and earlier snapshots are read where they lie. Builders in the
// cloud use it; on a machine the source is a directory already.
package mirror

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"mappe/builders/source/epochs"
	"mappe/builders/source/rasters"
	"mappe/builders/source/tiles"
	"mappe/shared/austria"
	"mappe/shared/cloud/store"
	"mappe/shared/geo/mvt"
)

// maxFile bounds a file that is copied: the address register of the country has 600 MB.
const maxFile = 8 << 30

// Copy makes the directory hold every object that is no tile, no raster, no earlier snapshot, no GeoPackage and not the demo's truth, and
// no other file: one whose object is gone would be read as part of the source. A file of the object's size and
// time of change is kept.
func Copy(ctx context.Context, st store.Store, dir string) error {
	there := map[string]bool{}
	for info, err := range st.List(ctx, "") {
		if err != nil {
			return fmt.Errorf("list the source: %w", err)
		}
		if strings.HasPrefix(info.Key, "tiles/") || strings.HasPrefix(info.Key, epochs.Dir+"/") ||
			strings.HasPrefix(info.Key, rasters.Folder+"/") || strings.HasPrefix(info.Key, "truth/") ||
			strings.HasSuffix(strings.ToLower(info.Key), ".gpkg") {
			continue // a map of the country does not fit on a function's disk: there the parcels come from tiles
		}
		if strings.HasSuffix(info.Key, "/") && info.Size == 0 {
			continue // what consoles show as a folder
		}
		if err := store.CheckKey(info.Key); err != nil { // others write into a source's bucket too
			return fmt.Errorf("copy the source: %w", err)
		}
		if info.Size > maxFile {
			return fmt.Errorf("copy %s: it has %d bytes, at most %d are copied", info.Key, info.Size, int64(maxFile))
		}
		file := filepath.Join(dir, filepath.FromSlash(info.Key))
		if err := copyOne(ctx, st, info, file); err != nil {
			return fmt.Errorf("copy %s: %w", info.Key, err)
		}
		there[file] = true
	}
	return filepath.WalkDir(dir, func(file string, d fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) && file == dir {
			return nil // nothing to copy
		}
		if err != nil || d.IsDir() || there[file] {
			return err
		}
		return os.Remove(file)
	})
}

func copyOne(ctx context.Context, st store.Store, info store.Info, file string) error {
	if f, err := os.Stat(file); err == nil && f.Size() == info.Size && f.ModTime().Equal(info.Modified) {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return err
	}
	o, err := st.Get(ctx, info.Key, store.GetOptions{})
	if err != nil {
		return err
	}
	defer o.Body.Close()
	f, err := os.Create(file + ".part")
	if err != nil {
		return err
	}
	n, err := io.Copy(f, io.LimitReader(o.Body, info.Size+1))
	if err == nil && n != info.Size {
		err = fmt.Errorf("%d bytes are read, the store lists %d", n, info.Size)
	}
	if err != nil {
		f.Close()
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	if err := os.Chtimes(file+".part", info.Modified, info.Modified); err != nil {
		return err
	}
	return os.Rename(file+".part", file)
}

// Epochs reads the earlier snapshots of a source in a store. It is an epochs.Reader.
type Epochs struct{ Store store.Store }

// Of lists the snapshots of a KG.
func (e Epochs) Of(ctx context.Context, code austria.KGCode) (list []epochs.File, err error) {
	for info, err := range e.Store.List(ctx, epochs.Dir+"/"+string(code)+"-") {
		if err != nil {
			return nil, err
		}
		f, ok, err := epochs.Named(info.Key)
		if err != nil {
			return nil, err
		}
		if ok && f.Code == code {
			list = append(list, f)
		}
	}
	epochs.Sort(list)
	return list, nil
}

// Open opens a snapshot.
func (e Epochs) Open(ctx context.Context, f epochs.File) (io.ReadCloser, error) {
	o, err := e.Store.Get(ctx, f.Path, store.GetOptions{})
	if err != nil {
		return nil, err
	}
	return o.Body, nil
}

// Tiles reads the tiles of a source in a store.
type Tiles struct{ Store store.Store }

// Tile gives a tile's bytes, unzipped; nil is the empty tile. Every failure is a *tiles.Error.
func (t Tiles) Tile(ctx context.Context, tileset string, id mvt.TileID) ([]byte, error) {
	key := ""
	body, err := func() ([]byte, error) {
		name, err := tiles.Path(tileset, id)
		if err != nil {
			return nil, err
		}
		key = "tiles/" + name
		b, _, err := store.ReadAll(ctx, t.Store, key, int64(mvt.DefaultLimits.Bytes), store.GetOptions{})
		if errors.Is(err, store.ErrNotFound) {
			return nil, nil
		}
		if err == nil {
			err = tiles.Whole(b)
		}
		if err != nil {
			return nil, err
		}
		return tiles.Unpack(b, mvt.DefaultLimits.Bytes)
	}()
	if err != nil {
		return nil, &tiles.Error{Tileset: tileset, Tile: id, Where: key, Err: err}
	}
	return body, nil
}
