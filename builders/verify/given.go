package verify

import (
	"math"
	"slices"

	"mappe/artefacts/kgfile"
	"mappe/artefacts/register"
	"mappe/artefacts/rowschema"
	"mappe/shared/geo/crs"
	"mappe/shared/geo/geom"
)

// cellM is the side in metres of the cells in which parcels are held against a coarse outline: half the
// depth to which the outline is not trusted.
const cellM = register.CoarseM / 2

// given holds the parcels against the outline the source draws, nil without one. Along lines cellM apart
// it looks where one of the two is without the other, and there at each cell whether the outline's border
// is farther than its trust. Cost: edges, and a look at the border for each cell that differs.
func given(outline geom.MultiPolygon, s *kgfile.Snapshot) *rowschema.Given {
	box := outline.Bounds()
	if box.Empty() {
		return nil
	}
	for i := range s.Parcels {
		box = box.Union(s.Parcels[i].Geometry.Bounds())
	}
	at := crs.ScaleAt(box.Center())
	dx, dy := cellM/at.X, cellM/at.Y
	rows := min(int(float64(int64(box.MaxY)-int64(box.MinY))/dy)+1, maxRows)
	dy = float64(int64(box.MaxY)-int64(box.MinY)+1) / float64(rows)
	l := lines{minY: float64(box.MinY), step: dy, rows: make([][]crossing, rows)}
	for i := range s.Parcels {
		l.add(s.Parcels[i].Geometry, false)
	}
	l.add(outline, true)
	g := &rowschema.Given{DepthM: register.CoarseM}
	var worst [2]int
	for r := range l.rows {
		slices.SortFunc(l.rows[r], func(a, b crossing) int {
			switch {
			case a.x < b.x:
				return -1
			case a.x > b.x:
				return 1
			}
			return 0
		})
		y := l.y(r)
		cell := sqmPerUnit(y/geom.Scale) * dx * dy
		l.walk(r, dx, func(x float64, in, covered bool) {
			p := geom.Point{X: int32(x), Y: int32(y)}
			ruler := crs.RulerAt(p)
			deep := in != covered && !ruler.NearBorder(outline, register.CoarseM)
			switch {
			case in && !covered && deep:
				g.MissingSqm += cell
				if worst[0]++; worst[0] == 1 {
					g.MissingAt = position(p)
				}
			case covered && !in && deep:
				g.BeyondSqm += cell
				if worst[1]++; worst[1] == 1 {
					g.BeyondAt = position(p)
				}
			}
			if in {
				g.OutlineSqm += cell
			}
			if in && covered {
				g.CoveredSqm += cell
			}
		})
	}
	g.OutlineSqm, g.CoveredSqm = round(g.OutlineSqm), round(g.CoveredSqm)
	g.MissingSqm, g.BeyondSqm = round(g.MissingSqm), round(g.BeyondSqm)
	return g
}

// maxRows bounds the lines over a KG; the largest are some 30 km high.
const maxRows = 8000

// crossing is where an edge meets a line; step is the change of depth eastwards.
type crossing struct {
	x       float64
	step    int8
	outline bool
}

// lines are horizontal ones at equal distances, with the edges that cross them.
type lines struct {
	minY, step float64
	rows       [][]crossing
}

func (l *lines) y(row int) float64 { return l.minY + (float64(row)+0.5)*l.step }

func (l *lines) add(m geom.MultiPolygon, outline bool) {
	for _, p := range m {
		for _, r := range p {
			a := r[len(r)-1]
			for _, b := range r {
				l.edge(a, b, outline)
				a = b
			}
		}
	}
}

func (l *lines) edge(a, b geom.Point, outline bool) {
	if a.Y == b.Y {
		return
	}
	step := int8(-1)
	if b.Y < a.Y {
		a, b, step = b, a, 1
	}
	first := max(int(math.Ceil((float64(a.Y)-l.minY)/l.step-0.5)), 0)
	slope := (float64(b.X) - float64(a.X)) / (float64(b.Y) - float64(a.Y))
	for r := first; r < len(l.rows) && l.y(r) < float64(b.Y); r++ {
		l.rows[r] = append(l.rows[r], crossing{float64(a.X) + (l.y(r)-float64(a.Y))*slope, step, outline})
	}
}

// walk visits the middles of the cells of a line with whether the outline and a parcel hold them.
func (l *lines) walk(row int, dx float64, visit func(x float64, in, covered bool)) {
	cs := l.rows[row]
	if len(cs) == 0 {
		return
	}
	in, covered, k := 0, 0, 0
	for x := cs[0].x + dx/2; ; x += dx {
		for ; k < len(cs) && cs[k].x <= x; k++ {
			if cs[k].outline {
				in += int(cs[k].step)
			} else {
				covered += int(cs[k].step)
			}
		}
		if k == len(cs) {
			return
		}
		if in > 0 || covered > 0 {
			visit(x, in > 0, covered > 0)
		}
	}
}
