package national

import (
	"fmt"
	"io/fs"

	"mappe/builders/source/observations"
	"mappe/builders/source/outlines"
	"mappe/builders/source/table"
	"mappe/shared/geo/crs"
	"mappe/shared/geo/geom"
	"mappe/shared/geo/hexgrid"
	"mappe/shared/geo/packtree"
	"mappe/shared/geo/region"
)

// observations reads what a peer observed in cells, if the source has it. It is published when it is released.
func (s *Source) observations(files fs.FS, kgs []outlines.KG) error {
	var problems table.Problems
	p := &placer{kgs: kgs, shapes: map[int]*geom.Index{}}
	boxes := make([]geom.Box, len(kgs))
	for i := range kgs {
		boxes[i] = kgs[i].Geometry.Bounds()
	}
	p.tree = packtree.Pack(boxes)
	l, err := observations.Read(files, p.chunk, &problems)
	s.problems(problems)
	switch {
	case err != nil || l == nil:
		return err
	case !*l.Released:
		s.warn(fmt.Sprintf("%s: %s of %s is not released: left out", observations.Folder, l.Layer, l.Source))
		return nil
	}
	s.Country.Observations = l
	return nil
}

const (
	// placeReach is how far in metres a cell may lie outside the drawn outlines of KGs: outlines are simplified, and a
	// cell on the border reaches over it.
	placeReach = 100
	// chunkReach is likewise for chunks, whose cells reach over their border.
	chunkReach = placeReach + 50
	// maxShapes is how many outlines are held prepared: rows come in an order that stays in one place.
	maxShapes = 64
)

// placer says which cells lie in KGs.
type placer struct {
	kgs    []outlines.KG
	tree   *packtree.Tree
	shapes map[int]*geom.Index
	order  []int // of shapes, the oldest first
}

// border is the outline of a cell.
func border(c hexgrid.Cell) geom.MultiPolygon {
	points, err := c.Boundary()
	if err != nil {
		return nil
	}
	var r geom.Ring
	for _, p := range points {
		if q, ok := geom.PointAt(p.Lng, p.Lat); ok {
			r = append(r, q)
		}
	}
	return geom.MultiPolygon{{r}}
}

// chunk finds the KGs that cells below a chunk may lie in.
func (p *placer) chunk(chunk hexgrid.Cell) func(hexgrid.Cell) bool {
	m := border(chunk)
	if m.Bounds().Empty() {
		return nil
	}
	var near []int
	p.tree.Search(crs.Grow(m.Bounds(), chunkReach), func(i int) bool {
		if g := p.kgs[i].Geometry; region.Of(m).Reaches(g, g.Bounds(), chunkReach) {
			near = append(near, i)
		}
		return true
	})
	if len(near) == 0 {
		return nil
	}
	return func(c hexgrid.Cell) bool { return p.cell(c, near) }
}

// cell says whether a cell lies in one of some KGs.
func (p *placer) cell(c hexgrid.Cell, near []int) bool {
	at, err := c.LatLng()
	if err != nil {
		return false
	}
	middle, ok := geom.PointAt(at.Lng, at.Lat)
	if !ok {
		return false
	}
	for _, i := range near {
		if p.shape(i).Contains(middle) {
			return true
		}
	}
	m := border(c)
	for _, i := range near {
		if g := p.kgs[i].Geometry; region.Of(m).Reaches(g, g.Bounds(), placeReach) {
			return true
		}
	}
	return false
}

func (p *placer) shape(i int) *geom.Index {
	x := p.shapes[i]
	if x == nil {
		if len(p.order) == maxShapes {
			delete(p.shapes, p.order[0])
			p.order = p.order[1:]
		}
		x = geom.NewIndex(p.kgs[i].Geometry)
		p.shapes[i], p.order = x, append(p.order, i)
	}
	return x
}
