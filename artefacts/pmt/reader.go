package pmt

import (
	"errors"
	"fmt"
	"io"
	"iter"
	"sort"
)

// maxDepth is how many directories a lookup reads below the root; writers make one level.
const maxDepth = 3

// maxTile is the largest tile content that is read, in bytes as stored.
const maxTile = 32 << 20

// ErrNoTile says that the archive has no tile at an address.
var ErrNoTile = errors.New("pmtiles: no such tile")

// Archive reads tiles by ranges. It keeps the root directory and nothing else, so it is a value to share
// between goroutines when the reader below is.
type Archive struct {
	Header Header
	r      io.ReaderAt
	root   []Entry
}

// Open reads header and root directory of an archive of the given size and checks the sections.
func Open(r io.ReaderAt, size int64) (*Archive, error) {
	if size < headerSize {
		return nil, fmt.Errorf("pmtiles: %d bytes are too few for an archive", size)
	}
	head := make([]byte, min(size, maxHead))
	if _, err := r.ReadAt(head, 0); err != nil && !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("pmtiles: reading the head: %w", err)
	}
	h, err := parseHeader(head)
	if err != nil {
		return nil, err
	}
	if err := h.checkSize(uint64(size)); err != nil {
		return nil, err
	}
	a := &Archive{Header: h, r: r}
	a.root, err = a.parse(head[h.Root.Offset:h.Root.end()])
	return a, err
}

func (a *Archive) parse(packed []byte) ([]Entry, error) {
	b, err := unpack(packed, a.Header.InternalCompression, maxDirectory)
	if err != nil {
		return nil, fmt.Errorf("pmtiles directory: %w", err)
	}
	return parseDirectory(b, a.Header.Tiles.Length, a.Header.Leaves.Length)
}

func (a *Archive) read(s Section, limit uint64) ([]byte, error) {
	if s.Length > limit {
		return nil, fmt.Errorf("pmtiles: a range of %d bytes is above the limit of %d", s.Length, limit)
	}
	b := make([]byte, s.Length)
	if n, err := a.r.ReadAt(b, int64(s.Offset)); n < len(b) {
		return nil, fmt.Errorf("pmtiles: reading %d bytes at %d: %w", s.Length, s.Offset, err)
	}
	return b, nil
}

func (a *Archive) leaf(e Entry) ([]Entry, error) {
	b, err := a.read(Section{a.Header.Leaves.Offset + e.Offset, uint64(e.Length)}, maxDirectory)
	if err != nil {
		return nil, err
	}
	return a.parse(b)
}

// Content reads the stored bytes of an entry with tiles (Run above 0).
func (a *Archive) Content(e Entry) ([]byte, error) {
	return a.read(Section{a.Header.Tiles.Offset + e.Offset, uint64(e.Length)}, maxTile)
}

// ReadContents reads the tile contents as one stretch of bytes; at counts as an entry's Offset does.
func (a *Archive) ReadContents(b []byte, at int64) (int, error) {
	return a.r.ReadAt(b, int64(a.Header.Tiles.Offset)+at)
}

// Metadata is the archive's JSON object.
func (a *Archive) Metadata() ([]byte, error) {
	b, err := a.read(a.Header.Metadata, maxMetadata)
	if err != nil {
		return nil, err
	}
	return unpack(b, a.Header.InternalCompression, maxMetadata)
}

// Tile is the content of one tile as stored (Header.TileCompression), or ErrNoTile.
func (a *Archive) Tile(t ZXY) ([]byte, error) {
	if !t.Valid() {
		return nil, fmt.Errorf("pmtiles: %d/%d/%d is no tile: zoom is at most %d, x and y below 2^zoom", t.Z, t.X, t.Y, MaxZoom)
	}
	id, dir := t.ID(), a.root
	for range maxDepth + 1 {
		i := sort.Search(len(dir), func(i int) bool { return dir[i].ID > id }) - 1
		if i < 0 {
			return nil, ErrNoTile
		}
		e := dir[i]
		if e.Run > 0 {
			if id >= e.ID+uint64(e.Run) {
				return nil, ErrNoTile
			}
			return a.Content(e)
		}
		var err error
		if dir, err = a.leaf(e); err != nil {
			return nil, err
		}
	}
	return nil, fmt.Errorf("pmtiles: directories are nested deeper than %d", maxDepth)
}

// All gives every entry with its content in rising tile id; an entry stands for Run equal tiles. The
// first error ends the walk.
func (a *Archive) All() iter.Seq2[Entry, Content] {
	return func(yield func(Entry, Content) bool) {
		for e, err := range a.Entries() {
			c := Content{Err: err}
			if err == nil {
				c.Bytes, c.Err = a.Content(e)
			}
			if !yield(e, c) || c.Err != nil {
				return
			}
		}
	}
}

// Content is what All gives for an entry: the stored bytes or why they could not be read.
type Content struct {
	Bytes []byte
	Err   error
}

// Entries gives every entry in rising tile id and reads directories only. The first error ends the walk.
func (a *Archive) Entries() iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		w := walker{a: a, yield: yield}
		w.dir(a.root, 0)
	}
}

// walker visits the directories in order. Ids must rise over the whole archive, so no leaf is entered
// twice and a walk ends.
type walker struct {
	a     *Archive
	yield func(Entry, error) bool
	next  uint64
}

func (w *walker) dir(dir []Entry, depth int) bool {
	for _, e := range dir {
		if e.ID < w.next {
			return w.fail(e, fmt.Errorf("pmtiles: tile id %d comes after %d: directories overlap", e.ID, w.next))
		}
		if e.Run > 0 {
			w.next = e.ID + uint64(e.Run)
			if !w.yield(e, nil) {
				return false
			}
			continue
		}
		if depth == maxDepth {
			return w.fail(e, fmt.Errorf("pmtiles: directories are nested deeper than %d", maxDepth))
		}
		leaf, err := w.a.leaf(e)
		if err != nil {
			return w.fail(e, err)
		}
		if len(leaf) == 0 || leaf[0].ID < e.ID {
			return w.fail(e, fmt.Errorf("pmtiles: the leaf directory for tile id %d does not start there", e.ID))
		}
		if !w.dir(leaf, depth+1) {
			return false
		}
	}
	return true
}

func (w *walker) fail(e Entry, err error) bool {
	w.yield(e, err)
	return false
}
