package national

import (
	"context"
	"errors"
	"fmt"
	"io"

	"mappe/artefacts/manifest"
	"mappe/artefacts/pmt"
	"mappe/builders/tiles"
	"mappe/shared/cloud/store"
)

// Merging is what MergeTiles has made before by the recipe of today.
type Merging struct {
	Merged manifest.Object
	Of     []manifest.Object // none: nothing is taken over
}

// maxChanged: where more than one archive in so many is another than before, hardly a joined tile is left to take over.
const maxChanged = 8

// open gives what is taken over when list is merged, whose archives are given; nil where that is nothing.
func (m Merging) open(ctx context.Context, st store.Store, list []manifest.Object, archives []*pmt.Archive) (*tiles.Earlier, error) {
	e := &tiles.Earlier{New: map[*pmt.Archive]bool{}}
	place := make(map[string]int, len(list)) // one more than it is
	for i, o := range list {
		place[o.Key] = i + 1
		e.New[archives[i]] = true
	}
	var gone []manifest.Object
	last := 0
	for _, o := range m.Of {
		i := place[o.Key]
		switch {
		case i == 0:
			gone = append(gone, o)
		case i < last:
			return nil, nil // joined in another order
		default:
			last = i
			delete(e.New, archives[i-1])
		}
	}
	if len(m.Of) == 0 || max(len(gone), len(e.New))*maxChanged > len(list) {
		return nil, nil
	}
	for _, o := range gone { // of which directories alone are read
		a, err := pmt.Open(store.InPlace(ctx, st, o.Key), o.Bytes)
		if err != nil {
			return nil, notThere(ctx, err)
		}
		e.Gone = append(e.Gone, a)
	}
	merged := store.InPlace(ctx, st, m.Merged.Key)
	if _, ok := st.(store.Local); ok {
		e.Near = &tiles.Near{Context: ctx, From: merged, Size: m.Merged.Bytes, SHA256: m.Merged.SHA256}
	} else {
		merged = &windows{from: merged, size: m.Merged.Bytes}
	}
	var err error
	if e.Merged, err = pmt.Open(merged, m.Merged.Bytes); err != nil {
		return nil, notThere(ctx, err)
	}
	return e, nil
}

// notThere lets a merging go on without an earlier one, unless the run was interrupted.
func notThere(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return err
	}
	return nil
}

const (
	windowBytes = 4 << 20
	windowCount = 4 // one for the directories, the others for contents, which the equal tiles of a country lie apart in
)

// windows reads an object that is read from its front to its end, and its directories meanwhile, in a few large pieces.
// Not for several goroutines.
type windows struct {
	from io.ReaderAt
	size int64
	held []window // the one read last in front
}

type window struct {
	at   int64
	body []byte
}

func (w *windows) ReadAt(b []byte, at int64) (int, error) {
	if at < 0 || at >= w.size {
		return 0, io.EOF
	}
	if len(b) > windowBytes {
		return w.from.ReadAt(b, at)
	}
	for i, h := range w.held {
		if h.at <= at && at+int64(len(b)) <= h.at+int64(len(h.body)) {
			copy(w.held[1:i+1], w.held[:i])
			w.held[0] = h
			return copy(b, h.body[at-h.at:]), nil
		}
	}
	body := make([]byte, min(windowBytes, w.size-at))
	n, err := w.from.ReadAt(body, at)
	if n < len(body) && !errors.Is(err, io.EOF) {
		return 0, fmt.Errorf("read %d bytes at %d: %w", len(body), at, err)
	}
	w.held = append([]window{{at, body[:n]}}, w.held[:min(len(w.held), windowCount-1)]...)
	if n = copy(b, body[:n]); n < len(b) {
		return n, io.EOF
	}
	return n, nil
}
