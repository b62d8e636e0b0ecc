package maps

import (
	"cmp"
	"hash/fnv"
	"slices"

	"mappe/shared/geo/mvt"
	"mappe/shared/geo/paint"
)

// number is a parcel number that is written.
type number struct {
	text string
	at   paint.XY // its middle
	half paint.XY // half its width and height, with the space around it
	rank uint64
}

// numberReach is how far around a picture numbers are looked for, in pixels: those that reach into it, and those that they give way to, so
// that neighbouring tiles show the same ones.
const numberReach = 96

// maxNumbers bounds the numbers that are looked at for one picture.
const maxNumbers = 100_000

// placed are the numbers of the picture that lie over no other. Which of two goes first is by their ids, as the neighbouring picture has
// it.
func (d *drawing) placed() []number {
	size := float32(numberSize.at(d.zoom))
	all := d.found(size)
	slices.SortFunc(all, func(a, b number) int { return cmp.Or(cmp.Compare(a.rank, b.rank), cmp.Compare(a.text, b.text)) })
	const field = 64 // of the grid in which others are looked for
	grid := map[[2]int][]int{}
	var kept []number
	for _, n := range all {
		x0, x1 := int(n.at.X-n.half.X)/field-1, int(n.at.X+n.half.X)/field+1
		y0, y1 := int(n.at.Y-n.half.Y)/field-1, int(n.at.Y+n.half.Y)/field+1
		free := true
		for y := y0; y <= y1 && free; y++ {
			for x := x0; x <= x1 && free; x++ {
				for _, i := range grid[[2]int{x, y}] {
					o := kept[i]
					if abs(o.at.X-n.at.X) < o.half.X+n.half.X && abs(o.at.Y-n.at.Y) < o.half.Y+n.half.Y {
						free = false
					}
				}
			}
		}
		if !free {
			continue
		}
		cell := [2]int{int(n.at.X) / field, int(n.at.Y) / field}
		grid[cell] = append(grid[cell], len(kept))
		kept = append(kept, n)
	}
	return kept
}

func abs(v float32) float32 { return max(v, -v) }

// found are the numbers in and around the picture.
func (d *drawing) found(size float32) (all []number) {
	for _, t := range d.tiles {
		l := t.Layer("labels")
		if l == nil {
			continue
		}
		gnr, id, k := l.Key("gnr"), l.Key("parcel_id"), scale(l)
		for i := range l.Features {
			f := &l.Features[i]
			text, ok := l.Value(f, gnr)
			if !ok || f.Type != mvt.Points || len(f.Parts[0]) == 0 || len(all) == maxNumbers {
				continue
			}
			p := f.Parts[0][0]
			if p.X < 0 || p.Y < 0 || float32(p.X)*k >= mvt.DefaultExtent || float32(p.Y)*k >= mvt.DefaultExtent {
				continue // its own tile has it
			}
			at := t.warp.at(float32(p.X)*k, float32(p.Y)*k)
			if at.X < -numberReach || at.Y < -numberReach || at.X > float32(d.w)+numberReach || at.Y > float32(d.h)+numberReach {
				continue
			}
			name, _ := l.Value(f, id)
			h := fnv.New64a()
			h.Write([]byte(name.Text()))
			const space = 1 + haloWidth
			all = append(all, number{text.Text(), at, paint.XY{X: paint.Width(text.Text(), size)/2 + space, Y: size*0.35 + space},
				h.Sum64()})
		}
	}
	return all
}

// numbersOf is the lettering of parcel numbers of a size.
func numbersOf(size float32) paint.Lettering {
	return paint.Lettering{Em: size, Ink: inkNumber, Halo: halo, HaloWidth: haloWidth}
}

// write writes the numbers that reach into the strip.
func (d *drawing) write() {
	size := float32(numberSize.at(d.zoom))
	from, to := d.canvas.Rows()
	for _, n := range d.numbers {
		if n.at.Y-size < to && n.at.Y+size > from && n.at.X > -n.half.X && n.at.X < float32(d.w)+n.half.X {
			d.canvas.Text(n.text, paint.Centred(n.text, n.at, size), numbersOf(size))
		}
	}
}
