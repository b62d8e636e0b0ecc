// Package tiles reads the survey office's vector tiles, from a directory or from a server. It owns the
// manners of reading: at most 8 requests at once, retries with growing pauses, conditional requests
// against a cache directory, size limits. It hands out bytes, unzipped, and knows nothing of what is in
// a tile (shared/geo/mvt does) or which tiles a KG needs (builders/kg does).
//
//	directory   {root}/tiles/{tileset}/{z}/{x}/{y}.pbf
//	server      a URL with {z}, {x}, {y} and, where one server has several, {tileset}
//
// A missing file, 404 and 204 mean the empty tile. A file or a body of 0 bytes, or of text, is a failed
// download (ErrBroken).
package tiles

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"mappe/builders/source/filestate"
	"mappe/shared/cloud/pause"
	"mappe/shared/geo/mvt"
)

// Options tune a Reader; the zero value is good for a directory and polite to a server.
type Options struct {
	CacheDir string        // "" keeps nothing
	Trust    bool          // take cached tiles without asking the server again
	MaxBytes int           // of one tile, unzipped; 0 means mvt.DefaultLimits.Bytes
	Attempts int           // requests for one tile before giving up; 0 means 6
	Timeout  time.Duration // of one request, body included; 0 means 60 s
	Limiter  *Limiter      // shared by all readers of one server; nil makes one of 8
	Client   *http.Client  // nil means http.DefaultClient

	// Clock, pause and chance come in for tests; nil means the real ones.
	Now    func() time.Time
	Sleep  func(context.Context, time.Duration) error
	Jitter func() float64 // in [0, 1)
}

// Reader reads tiles of one source. It is safe for concurrent use.
type Reader struct {
	root string // directory source
	url  string // server source
	opt  Options
}

// Error names the tile that could not be read and where it was looked for.
type Error struct {
	Tileset string
	Tile    mvt.TileID
	Where   string // file or URL
	Err     error
}

func (e *Error) Error() string {
	return fmt.Sprintf("tile %s/%v (%s): %v", e.Tileset, e.Tile, e.Where, e.Err)
}

// Unwrap gives the cause.
func (e *Error) Unwrap() error { return e.Err }

// Open makes a Reader. A source that holds "://" is a URL template, anything else a source directory
// with a folder tiles/.
func Open(source string, opt Options) (*Reader, error) {
	if opt.MaxBytes <= 0 {
		opt.MaxBytes = mvt.DefaultLimits.Bytes
	}
	if opt.Attempts <= 0 {
		opt.Attempts = 6
	}
	if opt.Timeout <= 0 {
		opt.Timeout = time.Minute
	}
	if opt.Limiter == nil {
		opt.Limiter = NewLimiter(MaxRequests)
	}
	if opt.Client == nil {
		opt.Client = http.DefaultClient
	}
	if opt.Now == nil {
		opt.Now = time.Now
	}
	if opt.Sleep == nil {
		opt.Sleep = pause.For
	}
	if opt.Jitter == nil {
		opt.Jitter = rand.Float64
	}
	if scheme, _, ok := strings.Cut(source, "://"); ok {
		if scheme != "http" && scheme != "https" {
			return nil, fmt.Errorf("tile source %q: expected http or https, or a directory", source)
		}
		for _, part := range []string{"{z}", "{x}", "{y}"} {
			if !strings.Contains(source, part) {
				return nil, fmt.Errorf("tile source %q: the URL template lacks %s", source, part)
			}
		}
		return &Reader{url: source, opt: opt}, nil
	}
	dir := filepath.Join(source, "tiles")
	if st, err := os.Stat(dir); err != nil || !st.IsDir() {
		return nil, fmt.Errorf("tile source %q: no folder tiles in it", source)
	}
	return &Reader{root: dir, opt: opt}, nil
}

// Tile gives the tile's bytes, unzipped; nil is the empty tile. Every failure is an *Error.
func (r *Reader) Tile(ctx context.Context, tileset string, id mvt.TileID) ([]byte, error) {
	where := ""
	body, err := func() ([]byte, error) {
		name, err := Path(tileset, id)
		if err != nil {
			return nil, err
		}
		if r.root != "" {
			where = filepath.Join(r.root, filepath.FromSlash(name))
			return r.file(ctx, where)
		}
		where = r.address(tileset, id)
		return r.fetch(ctx, where, tileset, id)
	}()
	if err == nil {
		body, err = Unpack(body, r.opt.MaxBytes)
	}
	if err != nil {
		return nil, &Error{Tileset: tileset, Tile: id, Where: where, Err: err}
	}
	return body, nil
}

// Path is where a tile lies below the folder of a source's tiles.
func Path(tileset string, id mvt.TileID) (string, error) {
	if !id.Valid() {
		return "", errors.New("no such tile in the scheme")
	}
	if tileset == "" || strings.ContainsAny(tileset, `/\.`) {
		return "", fmt.Errorf("tileset %q: expected a plain name", tileset)
	}
	return path(tileset, id), nil
}

// Unpack gives the bytes of a tile of its file: unzipped, at most limit. nil is the empty tile.
func Unpack(file []byte, limit int) ([]byte, error) {
	body, err := mvt.Gunzip(file, limit)
	if err == nil && len(body) > limit {
		err = tooLarge(limit)
	}
	if err != nil || len(body) == 0 {
		return nil, err
	}
	return body, nil
}

// State is that of a tile's file; false of a server, which is asked for each tile, and where the file system does not tell it.
func (r *Reader) State(tileset string, id mvt.TileID) (filestate.State, bool) {
	if r.root == "" || !id.Valid() {
		return filestate.State{}, false
	}
	return filestate.Of(filepath.Join(r.root, path(tileset, id)))
}

func tooLarge(limit int) error { return fmt.Errorf("more than %d bytes", limit) }

func path(tileset string, id mvt.TileID) string { return tileset + "/" + id.String() + ".pbf" }

func (r *Reader) address(tileset string, id mvt.TileID) string {
	return strings.NewReplacer("{tileset}", tileset, "{z}", strconv.Itoa(int(id.Z)),
		"{x}", strconv.Itoa(int(id.X)), "{y}", strconv.Itoa(int(id.Y))).Replace(r.url)
}

func (r *Reader) file(ctx context.Context, name string) ([]byte, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	f, err := os.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	b, err := readFile(f, r.opt.MaxBytes)
	if err != nil {
		return nil, err
	}
	return b, Whole(b)
}

// readFile reads a file as readBounded does, into room of its size: a country has a million tiles, most of some kB.
func readFile(f *os.File, limit int) ([]byte, error) {
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if info.Size() > int64(limit) {
		return nil, permanent{tooLarge(limit)}
	}
	b := make([]byte, info.Size()+1)
	n, err := io.ReadFull(f, b)
	if n != len(b)-1 {
		return nil, fmt.Errorf("its %d bytes have become others while they were read", info.Size())
	}
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		err = nil
	}
	return b[:n], err
}

// readBounded reads all of it, at most limit bytes.
func readBounded(r io.Reader, limit int) ([]byte, error) {
	b, err := io.ReadAll(io.LimitReader(r, int64(limit)+1))
	if err == nil && len(b) > limit {
		err = permanent{tooLarge(limit)}
	}
	if err != nil {
		return nil, err
	}
	return b, nil
}
