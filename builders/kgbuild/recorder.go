package kgbuild

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"

	"mappe/builders/kg"
	"mappe/builders/source/filestate"
	"mappe/builders/source/tiles"
	"mappe/shared/geo/mvt"
)

// recorder keeps every tile a KG's build reads, so that the build reads the source once and its
// fingerprint is that of exactly the bytes it saw.
type recorder struct {
	from kg.TileReader
	gaps bool // a failed download is taken for an empty tile

	mu     sync.Mutex
	tiles  map[tileName][]byte
	states states // of the files, each before it was read; of a Stater only
	broken int    // tiles taken for empty ones
}

// tileName names a tile in a tileset.
type tileName struct {
	Tileset string
	ID      mvt.TileID
}

func (n tileName) String() string { return n.Tileset + "/" + n.ID.String() }

func newRecorder(from kg.TileReader, gaps bool) *recorder {
	return &recorder{from: from, gaps: gaps, tiles: map[tileName][]byte{}, states: states{}}
}

// Tile reads a tile once.
func (r *recorder) Tile(ctx context.Context, tileset string, id mvt.TileID) ([]byte, error) {
	n := tileName{tileset, id}
	r.mu.Lock()
	b, ok := r.tiles[n]
	r.mu.Unlock()
	if ok {
		return b, nil
	}
	var state filestate.State
	from, told := r.from.(Stater)
	if told {
		state, told = from.State(tileset, id)
	}
	b, err := r.from.Tile(ctx, tileset, id)
	broken := r.gaps && errors.Is(err, tiles.ErrBroken)
	if err != nil && !broken {
		return nil, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if _, twice := r.tiles[n]; !twice {
		if broken {
			r.broken++
		}
		if told {
			r.states[n] = state
		}
	}
	r.tiles[n] = b
	return b, nil
}

// names lists the tiles read so far in a fixed order, without those already known.
func (r *recorder) names(known map[tileName]bool) []tileName {
	type named struct {
		text string // by which they stand
		name tileName
	}
	var list []named
	r.mu.Lock()
	for n := range r.tiles {
		if !known[n] {
			list = append(list, named{n.String(), n})
		}
	}
	r.mu.Unlock()
	slices.SortFunc(list, func(a, b named) int { return strings.Compare(a.text, b.text) })
	var out []tileName
	for _, n := range list {
		out = append(out, n.name)
	}
	return out
}

// write adds tiles to a fingerprint.
func (r *recorder) write(ctx context.Context, w io.Writer, names []tileName) error {
	for _, n := range names {
		b, err := r.Tile(ctx, n.Tileset, n.ID)
		if err != nil {
			return err
		}
		fmt.Fprintf(w, "%s %x\n", n, sha256.Sum256(b))
	}
	return nil
}

// readWidth is how many tiles are read at once. Most are small files that are not in memory, and waiting for the disk is
// what they take; a server is asked less at a time by its reader.
const readWidth = 16

// prefetch reads tiles, some at a time.
func (r *recorder) prefetch(ctx context.Context, names []tileName) error {
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(readWidth)
	for _, n := range names {
		g.Go(func() error {
			_, err := r.Tile(ctx, n.Tileset, n.ID)
			return err
		})
	}
	return g.Wait()
}

// extraTiles is the fingerprint of some tiles' present bytes.
func extraTiles(ctx context.Context, r *recorder, names []tileName) (string, error) {
	return chain("extra", func(w io.Writer) error { return r.write(ctx, w, names) })
}

// chain is the fingerprint of one more part of an input.
func chain(input string, part func(io.Writer) error) (string, error) {
	h := sha256.New()
	fmt.Fprintln(h, input)
	if err := part(h); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)[:8]), nil
}
