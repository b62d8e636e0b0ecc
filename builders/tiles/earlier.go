package tiles

import (
	"bytes"
	"io"
	"iter"

	"github.com/klauspost/compress/gzip"

	"mappe/artefacts/pmt"
)

// Earlier is an archive that Merge has made of archives of which most are merged again now, in the same order. When one KG in a
// hundred has changed, all but some of the joined tiles hold what they held. A damaged archive costs only the work.
type Earlier struct {
	Merged *pmt.Archive
	New    map[*pmt.Archive]bool // those of the present archives that Merged was not made of
	Gone   []*pmt.Archive        // those that Merged was made of and that are not among the present ones
}

// earlierTiles walks the tiles of Merged beside those of the present archives.
type earlierTiles struct {
	of    *Earlier
	other map[uint64]bool // tiles that an archive which is gone has had a part in
	at    head
	more  bool // false at the end, and where no more of the directories can be read
	stop  func()
	zip   gzip.Reader
}

// open gives nil where what is gone cannot be told.
func (e *Earlier) open() *earlierTiles {
	t := &earlierTiles{of: e, other: map[uint64]bool{}}
	for _, a := range e.Gone {
		for entry, err := range a.Entries() {
			if err != nil {
				return nil
			}
			for k := range uint64(entry.Run) {
				t.other[entry.ID+k] = true
			}
		}
	}
	next, stop := iter.Pull2(e.Merged.Entries())
	t.at, t.stop = head{archive: e.Merged, next: next}, stop
	t.step()
	return t
}

func (t *earlierTiles) step() {
	more, err := t.at.step()
	t.more = more && err == nil
}

// content gives a tile, nil where it was joined of other contents or is not whole. It is asked by rising id.
func (t *earlierTiles) content(id uint64) []byte {
	for t.more && t.at.id < id {
		t.step()
	}
	if !t.more || t.at.id != id || t.other[id] {
		return nil
	}
	b, err := t.of.Merged.Content(t.at.entry)
	if err != nil || !t.whole(b) {
		return nil
	}
	return b
}

// whole says whether a packed tile has the sum that it was packed with.
func (t *earlierTiles) whole(b []byte) bool {
	if t.zip.Reset(bytes.NewReader(b)) != nil {
		return false
	}
	_, err := io.Copy(io.Discard, &t.zip)
	return err == nil
}
