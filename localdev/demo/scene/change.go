package scene

import (
	"fmt"
	"math"
)

// ChangeType is a type of change, as the landscape service names them.
type ChangeType uint8

// The types.
const (
	TreeGrowth ChangeType = iota + 1
	TreeFelling
	NewTree
	ForestClearcut
	VegetationGrowth
	VegetationLoss
	NewBuilding
	Demolition
	Construction
	EarthworkFill
	EarthworkCut
	EarthworkGrading
	EarthworkDam
	EarthworkTrench
	EarthworkPond
	RoadNew
	RoadResurfaced
	RoadWidened
	SurfaceChange
	UnclassifiedChange
)

var kinds = [...]string{"", "tree_growth", "tree_felling", "new_tree", "forest_clearcut", "vegetation_growth", "vegetation_loss",
	"new_building", "demolition", "construction", "earthwork_fill", "earthwork_cut", "earthwork_grading", "earthwork_dam",
	"earthwork_trench", "earthwork_pond", "road_new", "road_resurfaced", "road_widened", "surface_change", "unclassified_change"}

func (k ChangeType) String() string { return kinds[k] }

// ParseChangeType reads the name of a type.
func ParseChangeType(name string) (ChangeType, error) {
	for _, k := range AllChangeTypes() {
		if k.String() == name {
			return k, nil
		}
	}
	return 0, fmt.Errorf("scene: no type of change %q", name)
}

// AllChangeTypes are the twenty types.
func AllChangeTypes() []ChangeType {
	var out []ChangeType
	for k := TreeGrowth; k <= UnclassifiedChange; k++ {
		out = append(out, k)
	}
	return out
}

// Digs says whether a type changes the terrain itself.
func (k ChangeType) Digs() bool { return k >= EarthworkFill && k <= RoadWidened }

// shape is the ground that a change takes: a rectangle or an ellipse that lies along an axis, or a rectangle of bent
// coordinates.
type shape struct {
	c      Place
	ax, ay float64 // direction of a
	a, b   float64 // half the sides
	round  bool
	bent   *rect
}

// depth is how far a place lies inside in metres, negative outside.
func (s *shape) depth(x, y, u, v float64) float64 {
	if s.bent != nil {
		return s.bent.depth(u, v)
	}
	dx, dy := x-s.c.X, y-s.c.Y
	la, lb := dot(dx, dy, s.ax, s.ay), dot(dx, dy, -s.ay, s.ax)
	if s.round {
		return (1 - length(la/s.a, lb/s.b)) * min(s.a, s.b)
	}
	return min(s.a-math.Abs(la), s.b-math.Abs(lb))
}

// ring is its border, not closed.
func (s *shape) ring(l *layout) []Place {
	if s.bent != nil {
		return l.outline(*s.bent)
	}
	at := func(p, q float64) Place {
		return Place{s.c.X + float64(p*s.ax) - float64(q*s.ay), s.c.Y + float64(p*s.ay) + float64(q*s.ax)}
	}
	if !s.round {
		return []Place{at(-s.a, -s.b), at(s.a, -s.b), at(s.a, s.b), at(-s.a, s.b)}
	}
	var out []Place
	for i := range 24 {
		c, d := cosine(float64(i)/24), cosine(float64(i)/24-0.25)
		out = append(out, at(s.a*c, s.b*d))
	}
	return out
}

// box holds the shape.
func (s *shape) box(l *layout) box {
	if s.bent == nil {
		r := length(s.a, s.b)
		if s.round {
			r = max(s.a, s.b)
		}
		return box{s.c.X - r, s.c.Y - r, s.c.X + r, s.c.Y + r}
	}
	return boxOf(l.outline(*s.bent)).grown(2)
}

func boxOf(ring []Place) box {
	b := box{math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)}
	for _, p := range ring {
		b = box{min(b.west, p.X), min(b.south, p.Y), max(b.east, p.X), max(b.north, p.Y)}
	}
	return b
}

// change is what happens at a place between two dates.
type change struct {
	id     uint64
	kind   ChangeType
	when   int // index of the first date that shows it
	shape  shape
	leaf   uint64 // that it lies in
	height float64
	run    float64 // width of slopes, metres
	held   box     // of the shape
	i, j   int     // of the block whose way it lies on
	side   int     // of that block; -1: on no way
}

// clears says whether trees and other things on its ground have to go.
func (c *change) clears() bool {
	switch c.kind {
	case VegetationGrowth, VegetationLoss, NewTree, TreeGrowth, RoadResurfaced, Demolition:
		return false
	}
	return true
}

// on says whether a place beside a way lies in the stretch that a change of ways takes.
func (c *change) on(b *block, side int, u, v float64) bool {
	if c.side < 0 || side%2 != c.side%2 {
		return false
	}
	r := c.shape.bent
	return u > r.u0-12 && u < r.u1+12 && v > r.v0-12 && v < r.v1+12 && (v >= r.v0 && v < r.v1 || c.side%2 == 1) &&
		(u >= r.u0-8 && u < r.u1+8)
}

// dig changes the ground.
func (c *change) dig(s *Scene, g *ground) {
	if !c.kind.Digs() && c.kind != Construction && c.kind != SurfaceChange || c.kind == RoadWidened {
		return
	}
	var floor float64
	if c.kind == EarthworkPond {
		floor = s.plain(c.shape.c.X, c.shape.c.Y, even) - c.height
	}
	col0, row0, col1, row1 := g.span(c.held)
	for row := row0; row < row1; row++ {
		y := g.y(row)
		for col := col0; col < col1; col++ {
			i, x := row*g.cols+col, g.x(col)
			d := c.shape.depth(x, y, g.u[i], g.v[i])
			if d <= 0 {
				continue
			}
			z := &g.z[i]
			switch c.kind {
			case EarthworkFill, EarthworkDam:
				*z += float64(c.height * smooth(0, c.run, d))
			case EarthworkCut, EarthworkTrench, Construction:
				*z -= float64(c.height * smooth(0, c.run, d))
			case RoadResurfaced, SurfaceChange:
				*z += float64(c.height * smooth(0, 0.3, d))
			case EarthworkPond:
				*z = lerp(*z, min(floor, *z), smooth(0, c.run, d))
			case EarthworkGrading:
				*z = lerp(*z, s.plain(x, y, even)+c.height, smooth(0, c.run, d))
			case RoadNew:
				mx, my := s.middle(c, g.u[i])
				*z = lerp(*z, s.plain(mx, my, even), smooth(0, c.run, d))
			}
			if d > c.run {
				g.fine[i] = 0
			}
		}
	}
}

// middle is the place in the middle of a new road abeam of another one.
func (s *Scene) middle(c *change, u float64) (x, y float64) {
	r := c.shape.bent
	return s.layout.xy(u, (r.v0+r.v1)/2)
}
