package line

import (
	"cmp"
	"slices"

	"mappe/shared/geo/crs"
	"mappe/shared/geo/geom"
)

// Simplify leaves out vertices of lines that are drawn together, so that none left out lies farther than
// metres from its line (Douglas-Peucker). The ends of lines and the vertices where they meet stay. Where
// lines would cross, touch or cover each other or themselves that did not before, vertices come back until
// they do not. Only a line that lies wholly within the metres of another's bend may change its side.
// The lines given are not changed.
func Simplify(lines []String, metres float64) []String {
	n := newNet(lines, metres)
	for n.restore() {
	}
	out := make([]String, len(lines))
	for i, s := range lines {
		for k, p := range s {
			if n.keep[i][k] {
				out[i] = append(out[i], p)
			}
		}
	}
	return out
}

// net holds the lines and which of their vertices stay.
type net struct {
	lines []String
	plane [][][2]float64 // of each vertex, metres around its line's middle
	keep  [][]bool
}

// chord is the line between two vertices that stay, and none between them does.
type chord struct {
	line, from, to int
	box            geom.Box
}

func newNet(lines []String, metres float64) *net {
	n := &net{lines: lines, plane: make([][][2]float64, len(lines)), keep: make([][]bool, len(lines))}
	fixed := crossings(lines)
	for i, s := range lines {
		n.keep[i] = make([]bool, len(s))
		plane := crs.Around(s.Bounds().Center())
		for _, p := range s {
			x, y := plane.Project(p)
			n.plane[i] = append(n.plane[i], [2]float64{x, y})
		}
		last := -1
		for k, p := range s {
			if k == 0 || k == len(s)-1 || fixed[p] {
				n.keep[i][k] = true
				if last >= 0 {
					n.thin(i, last, k, metres*metres)
				}
				last = k
			}
		}
	}
	return n
}

// crossings are the points that are a vertex more than once, but for the first and last one of a ring.
func crossings(lines []String) map[geom.Point]bool {
	seen := map[geom.Point]bool{}
	for _, s := range lines {
		for k, p := range s {
			if k > 0 && (p == s[k-1] || k == len(s)-1 && p == s[0]) {
				continue
			}
			_, twice := seen[p]
			seen[p] = twice
		}
	}
	return seen
}

// thin keeps the vertex farthest from the chord as long as it is too far, and goes on on both sides of it.
func (n *net) thin(line, from, to int, limit float64) {
	stack := [][2]int{{from, to}}
	for len(stack) > 0 {
		s := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		closed := n.lines[line][s[0]] == n.lines[line][s[1]] // a ring keeps more than a point
		if k, d := n.farthest(line, s[0], s[1]); d > limit || closed && d > 0 {
			n.keep[line][k] = true
			stack = append(stack, [2]int{s[0], k}, [2]int{k, s[1]})
		}
	}
}

// farthest is the vertex between two others that lies farthest from the chord, and its squared distance;
// -1 where there is none.
func (n *net) farthest(line, from, to int) (int, float64) {
	p := n.plane[line]
	a, b := p[from], p[to]
	at, top := -1, -1.0
	for k := from + 1; k < to; k++ {
		if d := geom.SegmentDistance2(a[0]-p[k][0], a[1]-p[k][1], b[0]-p[k][0], b[1]-p[k][1]); d > top {
			at, top = k, d
		}
	}
	return at, top
}

// restore brings back a vertex of each of two chords that meet where only ends may, and says whether there
// were any to bring back.
func (n *net) restore() bool {
	chords := n.chords()
	slices.SortStableFunc(chords, func(a, b chord) int { return cmp.Compare(a.box.MinX, b.box.MinX) })
	changed := false
	for i, a := range chords {
		for _, b := range chords[i+1:] {
			if b.box.MinX > a.box.MaxX {
				break
			}
			if a.box.Intersects(b.box) && n.clash(a, b) {
				changed = n.refine(a) || changed
				changed = n.refine(b) || changed
			}
		}
	}
	return changed
}

func (n *net) chords() (out []chord) {
	for i, s := range n.lines {
		last := 0
		for k := 1; k < len(s); k++ {
			if n.keep[i][k] {
				out = append(out, chord{i, last, k, geom.Edge{A: s[last], B: s[k]}.Box()})
				last = k
			}
		}
	}
	return out
}

// clash says that two chords, of which one has left out vertices, meet elsewhere than at their ends.
func (n *net) clash(a, b chord) bool {
	if a.to-a.from == 1 && b.to-b.from == 1 {
		return false
	}
	s, t := n.lines[a.line], n.lines[b.line]
	switch geom.Meet(s[a.from], s[a.to], t[b.from], t[b.to]) {
	case geom.Crossing, geom.Tee, geom.Overlap:
		return true
	}
	return false
}

func (n *net) refine(c chord) bool {
	k, _ := n.farthest(c.line, c.from, c.to)
	if k < 0 {
		return false
	}
	n.keep[c.line][k] = true
	return true
}
