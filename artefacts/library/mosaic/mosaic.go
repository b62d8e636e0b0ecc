// Package mosaic reads the rasters of a generation (artefacts/rasters): which tiles there are around a place, and the values
// in a window, whatever tiles it lies in. Index and blocks are read by range and kept by artefacts/library within its one
// budget; a window holds its cells and some blocks at a time. It knows no request: functions and builders read by it.
package mosaic

import (
	"context"
	"fmt"
	"io"

	"mappe/artefacts/keys"
	"mappe/artefacts/library"
	"mappe/artefacts/rasters"
	"mappe/artefacts/sectionfile"
	"mappe/shared/geo/raster"
)

// Mosaic are the rasters of a generation.
type Mosaic struct {
	Index *rasters.Index
	view  *library.View
	parts *library.Ranged[*index] // nil: the generation has none
	list  *list                   // of a generation whose index is not in parts
}

// list is an index of format 1.
type list struct {
	index  *rasters.Index
	layers []rasters.Listed
}

// listBytes is what a byte of a list takes in memory, about.
const listBytes = 2

var lists = library.Decoder[*list]{Limit: rasters.MaxList, Decode: func(body []byte) (*list, int64, error) {
	layers, err := rasters.ParseList(body)
	if err != nil {
		return nil, 0, err
	}
	head, err := rasters.Head(layers)
	if err != nil {
		return nil, 0, err
	}
	x, err := rasters.ParseHead(head)
	return &list{x, layers}, int64(listBytes * len(body)), err
}}

// Open opens the index, from memory or with one read; a generation without rasters has an empty one. The errors are those
// of library.Get.
func Open(ctx context.Context, v *library.View) (*Mosaic, error) {
	key, ok := v.Artefact(rasters.Artefact)
	if !ok {
		return &Mosaic{Index: &rasters.Index{}, view: v}, nil
	}
	if n, ok := key.(keys.National); ok && n.Ext == "json" {
		l, err := library.Get(ctx, v, key, lists)
		if err != nil {
			return nil, err
		}
		return &Mosaic{Index: l.index, view: v, list: l}, nil
	}
	p, err := library.OpenRanged(ctx, v, key, v.ArtefactSize(rasters.Artefact), indexes)
	if err != nil {
		return nil, err
	}
	return &Mosaic{Index: p.Front.x, view: v, parts: p}, nil
}

// index is an index in parts.
type index struct {
	*sectionfile.Directory
	x *rasters.Index
}

// layerBytes is about what a layer takes in memory.
const layerBytes = 2 << 10

var indexes = library.Form[*index]{Length: sectionfile.FrontLength, Open: func(front io.ReaderAt, size int64) (*index, int64, error) {
	x, d, err := rasters.Open(front, size)
	if err != nil {
		return nil, 0, err
	}
	return &index{d, x}, d.Memory() + int64(layerBytes*len(x.Layers)), nil
}}

// TilesIn are the tiles of a layer that share more than a border with a box, by n, then e. The tiles of all layers around a
// place are read together: the first question about a place costs a read, or two where it lies on the border of two squares
// of 10 km in the north and the south.
func (m *Mosaic) TilesIn(ctx context.Context, l *rasters.Layer, b raster.Box) (rasters.Tiles, error) {
	if m.list != nil {
		return m.list.tiles(l, b), nil
	}
	var out rasters.Tiles
	err := m.squares(ctx, rasters.Squares(b), func(s *rasters.Square) {
		for _, t := range s.Of(l) {
			if t.Box().Overlaps(b) {
				out = append(out, t)
			}
		}
	})
	out.Sort()
	return out, err
}

// squares reads sections of the index; names without a section have nothing.
func (m *Mosaic) squares(ctx context.Context, names []string, then func(*rasters.Square)) error {
	if m.parts == nil {
		return nil
	}
	var numbers []int
	for _, name := range names {
		if i, ok := m.parts.Front.Find(name); ok {
			numbers = append(numbers, i)
		}
	}
	got, err := library.Sections(ctx, m.parts, numbers, func(i int, body []byte) (*rasters.Square, int64, error) {
		s, err := rasters.ParseSquare(m.Index, m.parts.Front.Directory.Name(i), body)
		if err != nil {
			return nil, 0, err
		}
		return s, s.Memory(), nil
	})
	for _, s := range got {
		then(s)
	}
	return err
}

// tiles are those of a list.
func (x *list) tiles(l *rasters.Layer, b raster.Box) (out rasters.Tiles) {
	for i := range x.layers {
		if x.layers[i].Layer.Layer != l.Layer || x.layers[i].Date != l.Date {
			continue
		}
		for _, t := range x.layers[i].Tiles {
			if t.Box().Overlaps(b) {
				out = append(out, t)
			}
		}
	}
	return out
}

// listed is how many squares are read for a question that names no place: a town and its surroundings have fewer.
const listed = 64

// First are the tiles of all layers, by the number of the layer in the index, in the first squares that have any; false
// where there are more squares.
func (m *Mosaic) First(ctx context.Context) (tiles []rasters.Tiles, all bool, err error) {
	tiles = make([]rasters.Tiles, len(m.Index.Layers))
	if m.list != nil {
		for i := range m.list.layers {
			tiles[i] = m.list.layers[i].Tiles
		}
		return tiles, true, nil
	}
	if m.parts == nil {
		return tiles, true, nil
	}
	n := min(m.parts.Len(), listed)
	names := make([]string, n)
	for i := range names {
		names[i] = m.parts.Front.Directory.Name(i)
	}
	err = m.squares(ctx, names, func(s *rasters.Square) {
		for i := range m.Index.Layers {
			tiles[i] = append(tiles[i], s.Of(&m.Index.Layers[i])...)
		}
	})
	for i := range tiles {
		tiles[i].Sort()
	}
	return tiles, n == m.parts.Len(), err
}

// errForm is the error of a question for samples of another form.
func errForm(l *rasters.Layer) error {
	return fmt.Errorf("mosaic: the samples of %s of %s are %s", l.Layer, l.Date, l.Form)
}
