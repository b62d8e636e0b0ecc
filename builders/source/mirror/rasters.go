package mirror

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
	"time"

	"mappe/builders/source/rasters"
	"mappe/shared/cloud/store"
)

// Rasters are the rasters of a source in a store, read by range where they lie: a series of the country has some TB. It is
// what builders/source/rasters finds files in.
type Rasters struct {
	ctx   context.Context
	store store.Store
	files map[string]store.Info
	dirs  map[string]map[string]fs.DirEntry
}

// OpenRasters lists them. What is read later ends with the process, not with ctx.
func OpenRasters(ctx context.Context, st store.Store) (*Rasters, error) {
	r := &Rasters{context.WithoutCancel(ctx), st, map[string]store.Info{}, map[string]map[string]fs.DirEntry{}}
	for info, err := range st.List(ctx, rasters.Folder+"/") {
		if err != nil {
			return nil, fmt.Errorf("list the rasters of the source: %w", err)
		}
		if strings.HasSuffix(info.Key, "/") || !fs.ValidPath(info.Key) {
			continue // what consoles show as a folder
		}
		r.files[info.Key] = info
		entry := fs.FileInfoToDirEntry(stat{info.Key, info.Size, info.Modified})
		for name := info.Key; name != "."; {
			dir := path.Dir(name)
			if r.dirs[dir] == nil {
				r.dirs[dir] = map[string]fs.DirEntry{}
			}
			r.dirs[dir][path.Base(name)] = entry
			name, entry = dir, fs.FileInfoToDirEntry(stat{dir, -1, time.Time{}})
		}
	}
	return r, nil
}

// ReadDir lists a folder.
func (r *Rasters) ReadDir(name string) ([]fs.DirEntry, error) {
	dir, ok := r.dirs[name]
	if !ok {
		return nil, &fs.PathError{Op: "readdir", Path: name, Err: fs.ErrNotExist}
	}
	out := make([]fs.DirEntry, 0, len(dir))
	for _, base := range slices.Sorted(maps.Keys(dir)) {
		out = append(out, dir[base])
	}
	return out, nil
}

// Stat tells of a file or folder.
func (r *Rasters) Stat(name string) (fs.FileInfo, error) {
	if info, ok := r.files[name]; ok {
		return stat{name, info.Size, info.Modified}, nil
	}
	if _, ok := r.dirs[name]; ok {
		return stat{name, -1, time.Time{}}, nil
	}
	return nil, &fs.PathError{Op: "stat", Path: name, Err: fs.ErrNotExist}
}

// maxSmall bounds a file that is read whole: credits, masks.
const maxSmall = 64 << 20

// ReadFile reads a small file whole.
func (r *Rasters) ReadFile(name string) ([]byte, error) {
	if _, ok := r.files[name]; !ok {
		return nil, &fs.PathError{Op: "read", Path: name, Err: fs.ErrNotExist}
	}
	b, _, err := store.ReadAll(r.ctx, r.store, name, maxSmall, store.GetOptions{})
	return b, err
}

// Open opens a file; folders are listed by ReadDir.
func (r *Rasters) Open(name string) (fs.File, error) {
	listed, ok := r.files[name]
	if !ok {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	info, err := r.store.Head(r.ctx, name) // a list tells no entity tags
	if err == nil && info.Size != listed.Size {
		err = errReplaced
	}
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: err}
	}
	return &object{r: r, info: info, held: map[int64][]byte{}}, nil
}

// errReplaced is the error of a file that is another one than was listed or opened.
var errReplaced = errors.New("it was replaced since it was listed")

// stat is what is known of a file, or of a folder, whose size is -1.
type stat struct {
	name     string
	size     int64
	modified time.Time
}

func (s stat) Name() string       { return path.Base(s.name) }
func (s stat) Size() int64        { return max(s.size, 0) }
func (s stat) ModTime() time.Time { return s.modified }
func (s stat) IsDir() bool        { return s.size < 0 }
func (s stat) Sys() any           { return nil }
func (s stat) Mode() fs.FileMode {
	if s.IsDir() {
		return fs.ModeDir | 0o555
	}
	return 0o444
}

const (
	// rasterBlock is what is read of a raster at a time, some of its tiles.
	rasterBlock = 256 << 10
	// heldBlocks bounds what is held of an open one: 16 MB.
	heldBlocks = 64
)

// object is an open file. It is for one goroutine.
type object struct {
	r     *Rasters
	info  store.Info
	at    int64 // of Read
	held  map[int64][]byte
	order []int64 // oldest first
}

// Mark names the bytes of the file: others have another one.
func (o *object) Mark() string { return o.info.ETag }

// Stat tells of the file.
func (o *object) Stat() (fs.FileInfo, error) { return o.r.Stat(o.info.Key) }

// Close lets go of what is held.
func (o *object) Close() error { return nil }

// Read reads on.
func (o *object) Read(p []byte) (int, error) {
	n, err := o.ReadAt(p, o.at)
	o.at += int64(n)
	if n > 0 && errors.Is(err, io.EOF) {
		err = nil
	}
	return n, err
}

// ReadAt reads a range. A file that was replaced since it was listed is an error.
func (o *object) ReadAt(p []byte, at int64) (int, error) {
	n := 0
	for n < len(p) && at < o.info.Size {
		b, err := o.block(at / rasterBlock)
		if err != nil {
			return n, err
		}
		k := copy(p[n:], b[at%rasterBlock:])
		n, at = n+k, at+int64(k)
	}
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}

func (o *object) block(i int64) ([]byte, error) {
	if b, ok := o.held[i]; ok {
		return b, nil
	}
	want := min(rasterBlock, o.info.Size-i*rasterBlock)
	b, info, err := store.ReadAll(o.r.ctx, o.r.store, o.info.Key, want,
		store.GetOptions{Range: &store.Range{Offset: i * rasterBlock, Length: want}})
	if err == nil && (info.Size != o.info.Size || info.ETag != o.info.ETag || int64(len(b)) != want) {
		err = errReplaced
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", o.info.Key, err)
	}
	o.held[i], o.order = b, append(o.order, i)
	if len(o.order) > heldBlocks {
		delete(o.held, o.order[0])
		o.order = o.order[1:]
	}
	return b, nil
}
