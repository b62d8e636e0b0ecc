package tiles

import (
	"bufio"
	"cmp"
	"container/heap"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"runtime"
	"slices"
	"strings"

	"mappe/artefacts/pmt"
	"mappe/artefacts/rowschema"
	"mappe/shared/geo/mvt"
)

// Merge joins archives of neighbouring KGs into one. A tile that only one archive has is taken as it is;
// one that several have holds the features of all, in the order of the archives. Bounds and layers are
// united, the date is the newest. The same archives in the same order give the same bytes.
//
// Of each archive a directory is held, and only while a tile is joined its contents. What is joined goes to
// scratch; what is taken as it is stays where it is, so the archives must stay readable as long as the
// result is read. Of earlier, which may be nil, tiles are taken over that would be made of the same contents again: it
// changes no byte of the result.
func Merge(scratch Scratch, archives []*pmt.Archive, earlier *Earlier) (*Merged, error) {
	if len(archives) == 0 {
		return nil, errors.New("no archives to merge")
	}
	o, err := unite(archives)
	if err != nil {
		return nil, err
	}
	data := &Merged{scratch: bufio.NewWriterSize(scratch, 1<<20), joined: scratch}
	out := &placing{Builder: pmt.NewBuilder(data, o), data: data}
	var over *earlierTiles
	if earlier != nil {
		if over, err = earlier.open(); err != nil {
			return nil, err
		}
		out.whole = over.contents()
	}
	stop := make(chan struct{})
	defer close(stop)
	for t := range inOrder(archives, over, stop) {
		<-t.done
		if t.err != nil {
			return nil, t.err
		}
		if err := out.place(t); err != nil {
			return nil, err
		}
	}
	if err := data.scratch.Flush(); err != nil {
		return nil, err
	}
	data.head, err = out.Head()
	return data, err
}

// merging is one tile of the result on its way: content is there when done is closed.
type merging struct {
	id      uint64
	archive *pmt.Archive // that has the tile alone, or the earlier one
	entry   pmt.Entry
	over    bool     // it stands in the earlier archive as it is, and is not read
	several [][]byte // contents to join, where several have it and no earlier merging has joined the same

	done    chan struct{}
	content []byte
	err     error
}

// inOrder walks the archives side by side and gives the tiles in rising id, joined by as many goroutines as
// there are processors. A few tiles ahead are held. It ends after an error or when stop is closed.
func inOrder(archives []*pmt.Archive, earlier *earlierTiles, stop <-chan struct{}) <-chan *merging {
	workers := runtime.GOMAXPROCS(0)
	ordered, work := make(chan *merging, 4*workers), make(chan *merging, 4*workers)
	for range workers {
		go func() {
			zip := newEncoder()
			for t := range work {
				if t.content, t.err = join(zip, t.several); t.err != nil {
					at, _ := pmt.Address(t.id)
					t.err = fmt.Errorf("tile %d/%d/%d: %w", at.Z, at.X, at.Y, t.err)
				}
				t.several = nil
				close(t.done)
			}
		}()
	}
	give := func(t *merging) bool {
		whole := t.err == nil // afterwards the tile is its worker's
		if len(t.several) > 0 {
			work <- t // a worker is never stuck: it waits for nobody
		} else {
			close(t.done)
		}
		select {
		case ordered <- t:
			return whole
		case <-stop:
			return false
		}
	}
	go func() {
		defer close(ordered)
		defer close(work)
		var m merger
		defer m.stop()
		if err := m.startAll(archives, earlier); err != nil {
			give(&merging{err: err, done: make(chan struct{})})
			return
		}
		for len(m.heads) > 0 {
			if !give(m.next()) {
				return
			}
		}
	}()
	return ordered
}

// next takes the tile with the smallest id from every archive that has it.
func (m *merger) next() *merging {
	t := &merging{id: m.heads[0].id, done: make(chan struct{})}
	have := m.have[:0]
	for len(m.heads) > 0 && m.heads[0].id == t.id {
		have = append(have, m.heads[0])
		if err := m.advance(); err != nil {
			return &merging{id: t.id, err: err, done: t.done}
		}
	}
	m.have = have
	if t.entry, t.over = m.kept(t.id); t.over && m.earlier.whole != nil {
		t.archive = m.earlier.of.Merged
		return t
	}
	if over := t.over; len(have) == 1 {
		t.archive, t.entry, t.over = have[0].archive, have[0].entry, false
	} else if t.over = false; over {
		if t.content = m.earlier.content(t.entry); t.content != nil {
			return t
		}
	}
	for i := range have {
		content, err := have[i].content()
		if err != nil {
			return &merging{id: t.id, err: err, done: t.done}
		}
		t.several = append(t.several, content)
	}
	if len(have) == 1 {
		t.content, t.several = t.several[0], nil
	}
	return t
}

// unite makes the options of the merged archive.
func unite(archives []*pmt.Archive) (pmt.Options, error) {
	h := archives[0].Header
	o := pmt.Options{Type: pmt.MVT, TileCompression: pmt.Gzip, MinLon: h.MinLon, MinLat: h.MinLat, MaxLon: h.MaxLon, MaxLat: h.MaxLat,
		CenterZoom: MinZoom}
	all := Metadata{Name: rowschema.Title, Description: rowschema.Title, License: rowschema.LicenseURL, Type: "overlay", Format: "pbf"}
	var sources []string
	for i, a := range archives {
		h := a.Header
		if h.Type != pmt.MVT || h.TileCompression != pmt.Gzip {
			return o, fmt.Errorf("archive %d: tile type %d and compression %d, only gzipped vector tiles are merged", i+1, h.Type,
				h.TileCompression)
		}
		o.MinLon, o.MinLat = min(o.MinLon, h.MinLon), min(o.MinLat, h.MinLat)
		o.MaxLon, o.MaxLat = max(o.MaxLon, h.MaxLon), max(o.MaxLat, h.MaxLat)
		b, err := a.Metadata()
		if err != nil {
			return o, fmt.Errorf("archive %d: %w", i+1, err)
		}
		var m Metadata
		if err := json.Unmarshal(b, &m); err != nil {
			return o, fmt.Errorf("archive %d: metadata: %w", i+1, err)
		}
		all.Stichtag = max(all.Stichtag, m.Stichtag)
		if m.Attribution != "" && !slices.Contains(sources, m.Attribution) {
			sources = append(sources, m.Attribution)
		}
		for _, l := range m.VectorLayers {
			if !slices.ContainsFunc(all.VectorLayers, func(o VectorLayer) bool { return o.ID == l.ID }) {
				all.VectorLayers = append(all.VectorLayers, l)
			}
		}
	}
	slices.Sort(sources)
	all.Attribution = strings.Join(sources, ", ")
	o.Metadata = all
	return o, nil
}

// merger walks the archives side by side. heads is a heap of the next tile of each, by id and then by
// the archive's place.
type merger struct {
	heads   heads
	have    []head // of the tile that is looked at
	stops   []func()
	earlier *earlierTiles // nil: none
}

type head struct {
	id      uint64
	entry   pmt.Entry
	place   int
	archive *pmt.Archive
	run     uint32 // equal tiles that follow
	next    func() (pmt.Entry, error, bool)
}

func (m *merger) startAll(archives []*pmt.Archive, earlier *earlierTiles) error {
	if m.earlier = earlier; earlier != nil {
		m.stops = append(m.stops, earlier.start())
	}
	for i, a := range archives {
		if err := m.start(i, a); err != nil {
			return err
		}
	}
	return nil
}

// kept finds the tile that is looked at in an earlier merging; false where that was made of other contents.
func (m *merger) kept(id uint64) (pmt.Entry, bool) {
	if m.earlier == nil {
		return pmt.Entry{}, false
	}
	for i := range m.have {
		if m.earlier.of.New[m.have[i].archive] {
			return pmt.Entry{}, false
		}
	}
	return m.earlier.find(id)
}

func (m *merger) start(i int, a *pmt.Archive) error {
	next, stop := iter.Pull2(a.Entries())
	m.stops = append(m.stops, stop)
	h := head{place: i, archive: a, next: next}
	ok, err := h.step()
	if ok {
		heap.Push(&m.heads, h)
	}
	return err
}

// step moves to the archive's next tile; false at its end.
func (h *head) step() (bool, error) {
	if h.run > 0 {
		h.run--
		h.id++
		return true, nil
	}
	e, err, ok := h.next()
	if !ok {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("archive %d: %w", h.place+1, err)
	}
	h.id, h.entry, h.run = e.ID, e, e.Run-1
	return true, nil
}

func (h *head) content() ([]byte, error) {
	b, err := h.archive.Content(h.entry)
	if err != nil {
		return nil, fmt.Errorf("archive %d: %w", h.place+1, err)
	}
	return b, nil
}

func (m *merger) advance() error {
	ok, err := m.heads[0].step()
	if err != nil {
		return err
	}
	if ok {
		heap.Fix(&m.heads, 0)
	} else {
		heap.Pop(&m.heads)
	}
	return nil
}

func (m *merger) stop() {
	for _, stop := range m.stops {
		stop()
	}
}

// join puts the features of several tiles into one tile, layer by layer.
func join(zip *encoder, tiles [][]byte) ([]byte, error) {
	var order []*mvt.LayerBuilder
	layers := map[string]*mvt.LayerBuilder{}
	var attrs []mvt.Attr
	for _, b := range tiles {
		t, err := mvt.Decode(b, mvt.Limits{})
		if err != nil {
			return nil, err
		}
		for i := range t.Layers {
			l := &t.Layers[i]
			to := layers[l.Name]
			if to == nil {
				to = mvt.NewLayer(l.Name, l.Extent)
				layers[l.Name] = to
				order = append(order, to)
			} else if to.Layer().Extent != l.Extent {
				return nil, fmt.Errorf("layer %s has extents %d and %d", l.Name, to.Layer().Extent, l.Extent)
			}
			for _, f := range l.Features {
				attrs = attrs[:0]
				for k := 0; k < len(f.Tags); k += 2 {
					attrs = append(attrs, mvt.Attr{Key: l.Keys[f.Tags[k]], Value: l.Values[f.Tags[k+1]]})
				}
				to.Add(f, attrs...)
			}
		}
	}
	var joined mvt.Tile
	for _, l := range order {
		joined.Layers = append(joined.Layers, l.Layer())
	}
	raw, err := mvt.Encode(joined)
	if err != nil {
		return nil, err
	}
	return zip.pack(raw)
}

// heads implements heap.Interface.
type heads []head

func (h heads) Len() int { return len(h) }
func (h heads) Less(i, j int) bool {
	return cmp.Or(cmp.Compare(h[i].id, h[j].id), cmp.Compare(h[i].place, h[j].place)) < 0
}
func (h heads) Swap(i, j int) { h[i], h[j] = h[j], h[i] }

// Push is called by container/heap.
func (h *heads) Push(x any) { *h = append(*h, x.(head)) }

// Pop is called by container/heap.
func (h *heads) Pop() any {
	old := *h
	x := old[len(old)-1]
	*h = old[:len(old)-1]
	return x
}
