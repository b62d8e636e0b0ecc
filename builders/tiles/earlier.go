package tiles

import (
	"bytes"
	"io"
	"iter"

	"github.com/klauspost/compress/gzip"

	"mappe/artefacts/pmt"
)

// Earlier is an archive that Merge has made of archives of which most are merged again now, in the same order. When one KG in a
// hundred has changed, all but some of the tiles hold what they held. A damaged archive costs only the work.
type Earlier struct {
	Merged *pmt.Archive
	New    map[*pmt.Archive]bool // those of the present archives that Merged was not made of
	Gone   []*pmt.Archive        // those that Merged was made of and that are not among the present ones
	// Near is Merged where it can be read as often as one likes, from several goroutines and as long as the result is read. It
	// is then read whole once, before anything is taken over, and what is taken over stays there. nil: what is joined alone is
	// taken over, tile by tile.
	Near *Near
}

// earlierTiles walks the tiles of Merged beside those of the present archives.
type earlierTiles struct {
	of    *Earlier
	whole *contents       // of Near, which is not damaged; nil: each tile has to show that it is not
	other map[uint64]bool // tiles that an archive which is gone has had a part in
	at    head
	more  bool // false at the end, and where no more of the directories can be read
	zip   gzip.Reader
}

// open gives nil where what is gone cannot be told, or Near is damaged. The error is that of one who has Near read.
func (e *Earlier) open() (*earlierTiles, error) {
	t := &earlierTiles{of: e, other: map[uint64]bool{}}
	for _, a := range e.Gone {
		for entry, err := range a.Entries() {
			if err != nil {
				return nil, nil
			}
			for k := range uint64(entry.Run) {
				t.other[entry.ID+k] = true
			}
		}
	}
	if e.Near == nil {
		return t, nil
	}
	var err error
	if t.whole, err = e.Near.read(e.Merged); t.whole == nil {
		return nil, err
	}
	return t, nil
}

// contents are those that are not read again; nil: none.
func (t *earlierTiles) contents() *contents {
	if t == nil {
		return nil
	}
	return t.whole
}

// start begins the walk, which stop ends.
func (t *earlierTiles) start() (stop func()) {
	next, stop := iter.Pull2(t.of.Merged.Entries())
	t.at = head{archive: t.of.Merged, next: next}
	t.step()
	return stop
}

func (t *earlierTiles) step() {
	more, err := t.at.step()
	t.more = more && err == nil
}

// find gives the entry of a tile, false where it was made of other contents. It is asked by rising id.
func (t *earlierTiles) find(id uint64) (pmt.Entry, bool) {
	for t.more && t.at.id < id {
		t.step()
	}
	return t.at.entry, t.more && t.at.id == id && !t.other[id]
}

// content reads a tile, nil where it is not whole.
func (t *earlierTiles) content(e pmt.Entry) []byte {
	b, err := t.of.Merged.Content(e)
	if err != nil || !t.isWhole(b) {
		return nil
	}
	return b
}

// isWhole says whether a packed tile has the sum that it was packed with.
func (t *earlierTiles) isWhole(b []byte) bool {
	if t.zip.Reset(bytes.NewReader(b)) != nil {
		return false
	}
	_, err := io.Copy(io.Discard, &t.zip)
	return err == nil
}
