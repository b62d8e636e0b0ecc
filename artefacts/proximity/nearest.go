package proximity

import (
	"cmp"
	"math"
	"slices"

	"mappe/artefacts/sectionfile"
	"mappe/shared/geo/crs"
	"mappe/shared/geo/geom"
	"mappe/shared/geo/packtree"
)

// Search is what the nearest is looked for among, and the distance in metres up to which it is.
type Search struct {
	Set   Set
	Reach float64
}

// How far is looked: roads and water are everywhere, all else is sparser.
const (
	nearReach = 36_000
	farReach  = 70_000
)

// The searches.
var (
	Roads    = Search{OfCategory(Road), nearReach}
	Majors   = Search{SetOf(Class.Major), farReach}
	Rails    = Search{OfCategory(Rail), farReach}
	Waters   = Search{OfCategory(Water), nearReach}
	Stops    = Search{OfCategory(Transit), farReach}
	Stations = Search{SetOf(Class.Trains), farReach}
	Places   = Search{OfCategory(Place), farReach}
)

// AllSearches lists the searches.
func AllSearches() []Search { return []Search{Roads, Majors, Rails, Waters, Stops, Stations, Places} }

// Nearest makes osm-nearest of a country. It is safe for concurrent use.
type Nearest struct {
	c        *Country
	lines    []Line     // chunks; features are numbered: lines, then points
	boxes    []geom.Box // of the features
	searches []searched
	cells    []CellID
	areas    map[CellID][]int
}

// searched are the features of a search.
type searched struct {
	Search
	features []int32
	tree     *packtree.Tree
}

// NewNearest prepares a country.
func NewNearest(c *Country) (*Nearest, error) {
	if err := c.Check(); err != nil {
		return nil, err
	}
	n := &Nearest{c: c, lines: chunks(c.Lines, c.Areas), areas: map[CellID][]int{}}
	for i := range n.lines {
		n.boxes = append(n.boxes, geom.Ring(n.lines[i].Vertices).Bounds())
	}
	for i := range c.Points {
		p := c.Points[i].At
		n.boxes = append(n.boxes, geom.Box{MinX: p.X, MinY: p.Y, MaxX: p.X, MaxY: p.Y})
	}
	wanted := map[CellID]bool{}
	for _, s := range AllSearches() {
		own := searched{Search: s}
		var boxes []geom.Box
		occupied := map[CellID]bool{}
		for i := range n.boxes {
			if !s.Set.Has(n.class(int32(i))) {
				continue
			}
			own.features, boxes = append(own.features, int32(i)), append(boxes, n.boxes[i])
			cells, err := Near.cellsOf(n.class(int32(i)), n.boxes[i])
			if err != nil {
				return nil, err
			}
			for _, id := range cells {
				occupied[id] = true
			}
		}
		own.tree = packtree.Pack(boxes)
		n.searches = append(n.searches, own)
		for id := range occupied {
			for _, id := range Near.Cells(crs.Grow(Near.Box(id), s.Reach), maxCells) {
				wanted[id] = true
			}
		}
	}
	for i := range c.Areas {
		cells, err := Near.cellsOf(c.Areas[i].Class, c.Areas[i].Geometry.Bounds())
		if err != nil {
			return nil, err
		}
		for _, id := range cells {
			n.areas[id] = append(n.areas[id], i)
		}
	}
	for id := range wanted {
		n.cells = append(n.cells, id)
	}
	slices.SortFunc(n.cells, func(a, b CellID) int { return cmp.Or(cmp.Compare(a.Row, b.Row), cmp.Compare(a.Column, b.Column)) })
	return n, nil
}

func (n *Nearest) class(i int32) Class {
	if int(i) < len(n.lines) {
		return n.lines[i].Class
	}
	return n.c.Points[int(i)-len(n.lines)].Class
}

// vertex is the first of a feature: none is nearer than the feature itself.
func (n *Nearest) vertex(i int32) geom.Point {
	if int(i) < len(n.lines) {
		return n.lines[i].Vertices[0]
	}
	return n.c.Points[int(i)-len(n.lines)].At
}

// Cells are the cells that something is near to, in the order of their sections.
func (n *Nearest) Cells() []CellID { return n.cells }

// Section is the body of a cell's section; nil where nothing is within reach.
func (n *Nearest) Section(id CellID) ([]byte, error) {
	box := Near.Box(id)
	chosen := map[int32]bool{}
	for k := range n.searches {
		s := &n.searches[k]
		if near := n.around(s, box); len(near) > 0 {
			n.choose(chosen, s, box, near, divisions)
		}
	}
	var cell Cell
	for _, i := range sorted(chosen) {
		if int(i) < len(n.lines) {
			cell.Lines = append(cell.Lines, n.lines[i])
		} else {
			cell.Points = append(cell.Points, n.c.Points[int(i)-len(n.lines)])
		}
	}
	for _, i := range n.areas[id] {
		a := n.c.Areas[i]
		if a.Geometry = a.Geometry.Clip(box); len(a.Geometry) > 0 {
			cell.Areas = append(cell.Areas, a)
		}
	}
	if len(cell.Lines)+len(cell.Points)+len(cell.Areas) == 0 {
		return nil, nil
	}
	return cell.encode(box)
}

func sorted(set map[int32]bool) []int32 {
	list := make([]int32, 0, len(set))
	for i := range set {
		list = append(list, i)
	}
	slices.Sort(list)
	return list
}

// Fill writes the sections of the artefact.
func (n *Nearest) Fill(b *sectionfile.Builder) error {
	for _, id := range n.cells {
		body, err := n.Section(id)
		if err != nil {
			return err
		}
		if body != nil {
			if err := b.Add(Near.Section(id), body); err != nil {
				return err
			}
		}
	}
	return nil
}

// What rounding may do to a distance, at the most: rulers are within 1e-5.
const (
	slackShare  = 1.0001
	slackMetres = 1
)

// around are the features of a search among which is the nearest of every point of a box, as far as the search reaches.
func (n *Nearest) around(s *searched, box geom.Box) []int32 {
	spot := spotOf(box)
	for metres := 2000.0; ; {
		metres = min(metres, s.Reach)
		var list []int32
		best := math.Inf(1)
		s.tree.Search(crs.Grow(box, metres*slackShare+slackMetres), func(item int) bool {
			list = append(list, s.features[item])
			best = min(best, spot.ruler.Distance(n.vertex(s.features[item])))
			return true
		})
		if best+spot.radius <= metres || metres == s.Reach {
			return list
		}
		metres = max(2*metres, min(best, farReach)+spot.radius)
	}
}

// spot is the middle of a box and how far the box reaches from it.
type spot struct {
	ruler  crs.Ruler
	radius float64
}

func spotOf(box geom.Box) spot {
	s := spot{ruler: crs.RulerAt(box.Center())}
	for _, p := range []geom.Point{{X: box.MinX, Y: box.MinY}, {X: box.MinX, Y: box.MaxY}} { // the others lie alike
		s.radius = max(s.radius, s.ruler.Distance(p))
	}
	s.radius += slackMetres
	return s
}

func (n *Nearest) distance(l *crs.Ruler, i int32) float64 {
	if int(i) < len(n.lines) {
		return toLine(l, n.lines[i].Vertices)
	}
	return l.Distance(n.c.Points[int(i)-len(n.lines)].At)
}

// A cell is divided into quarters so many times at most, so that few features are chosen that are nearest to no point; a
// few that are left are not worth it.
const (
	divisions = 4
	few       = 6
)

// choose notes the features of a list that may be the nearest of a point of the box: of the middle none is farther than
// best, so of any point none is farther than best and the radius, and the nearest of a point is no farther from the middle
// than that and the radius again.
func (n *Nearest) choose(chosen map[int32]bool, s *searched, box geom.Box, list []int32, divide int) {
	spot := spotOf(box)
	least := make([]float64, len(list)) // none of a feature is nearer than its box
	best := math.Inf(1)
	for k, i := range list {
		if least[k] = spot.ruler.ToBox(n.boxes[i]); least[k] < best {
			best = min(best, n.distance(&spot.ruler, i))
		}
	}
	farthest := min(best+2*spot.radius, s.Reach+spot.radius)*slackShare + slackMetres
	var kept []int32
	for k, i := range list {
		if least[k] <= farthest {
			kept = append(kept, i)
		}
	}
	if divide == 0 || len(kept) <= few {
		for _, i := range kept {
			chosen[i] = true
		}
		return
	}
	c := box.Center()
	for _, quarter := range []geom.Box{
		{MinX: box.MinX, MinY: box.MinY, MaxX: c.X, MaxY: c.Y}, {MinX: c.X, MinY: box.MinY, MaxX: box.MaxX, MaxY: c.Y},
		{MinX: box.MinX, MinY: c.Y, MaxX: c.X, MaxY: box.MaxY}, {MinX: c.X, MinY: c.Y, MaxX: box.MaxX, MaxY: box.MaxY},
	} {
		n.choose(chosen, s, quarter, kept, divide-1)
	}
}
