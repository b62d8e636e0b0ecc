package segment

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"slices"
)

// entry is an object that stands in the store: where, and the place of its first cell, by which objects are in order.
type entry struct {
	x, y float64
	made int64 // in bytes from 1
	root int32
}

// gather makes objects of the pieces and numbers them by their first cells. What it has taken of the squares is let go of, so that
// an area is not held twice.
func (w *work) gather() (*Division, error) {
	list, err := w.joined()
	if err != nil {
		return nil, err
	}
	slices.SortFunc(list, func(a, b entry) int { return cmp.Or(cmp.Compare(b.y, a.y), cmp.Compare(a.x, b.x)) })
	names := make([]int32, len(w.parent))
	d := &Division{Figures: *w.land, store: w.store.to, made: make([]int64, len(list)), squares: make(map[[2]int]*runs, len(w.squares))}
	for i := range list {
		names[list[i].root] = int32(i + 1)
		d.made[i] = list[i].made - 1
	}
	for i, s := range w.squares {
		for k, label := range s.kept.labels {
			if label > 0 {
				s.kept.labels[k] = names[w.root(w.first[i]+label-1)]
			}
		}
		s.kept.rows()
		d.squares[[2]int{int(float64(float64(s.east)*Side) - w.land.West), int(w.land.North - float64(float64(s.north)*Side))}] = &s.kept
		w.squares[i] = nil
	}
	return d, nil
}

// joined puts the objects of several pieces, and of one that others might have joined, into the store, each when its last piece has
// joined it, and gives all objects.
func (w *work) joined() ([]entry, error) {
	left := map[int32]int{}                               // pieces with bodies that have not joined their object
	_ = w.each(func(r int32, _ *square, p *piece) error { // it never fails
		if p.made == 0 {
			left[r]++
		}
		return nil
	})
	type open struct {
		*piece
		west, north float64
	}
	whole := map[int32]open{}
	var list []entry
	err := w.each(func(r int32, s *square, p *piece) error {
		w.land.Found += int(p.cells)
		west, north := float64(float64(s.east)*Side), float64(float64(s.north)*Side)
		if p.made > 0 { // it is its own
			list = append(list, entry{west + float64(p.col) + 0.5, north - float64(p.row) - 0.5, p.made, r})
			return nil
		}
		if err := w.fetch(p); err != nil {
			return err
		}
		o, there := whole[r]
		if there {
			p.moved(int64(west-o.west), int64(o.north-north))
			o.join(p)
			p.body = nil
		} else {
			o = open{p, west, north}
			whole[r] = o
		}
		if left[r]--; left[r] > 0 {
			return nil
		}
		made := o.object(o.west, o.north)
		o.body = nil
		delete(whole, r)
		at, err := w.store.put(made.append(nil))
		list = append(list, entry{made.X, made.Y, at + 1, r})
		return err
	})
	return list, err
}

// fetch reads the heights of a piece.
func (w *work) fetch(p *piece) error {
	if p.heightsN == 0 {
		return nil
	}
	b := make([]byte, 2*p.heightsN)
	if n, err := w.store.to.ReadAt(b, p.heightsAt); n < len(b) {
		return fmt.Errorf("segment: heights of a piece: %w", err)
	}
	p.heights = make([]uint16, p.heightsN)
	for i := range p.heights {
		p.heights[i] = binary.LittleEndian.Uint16(b[2*i:])
	}
	return nil
}

// each gives the pieces with cells that are meant, square by square, each with its root.
func (w *work) each(f func(root int32, s *square, p *piece) error) error {
	for i, s := range w.squares {
		for k := range s.pieces {
			if p := &s.pieces[k]; p.cells > 0 {
				if err := f(w.root(w.first[i]+int32(k)), s, p); err != nil {
					return err
				}
			}
		}
	}
	return nil
}
