package kg

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"mappe/shared/geo/geom"
	"mappe/shared/geo/mvt"
)

// A world is a random tessellation for proofs: a jittered mesh of cells with bent sides, whose cells are
// dealt to parcels at random, so that parcels have holes, several parts, corners that touch, and sizes
// from a few cells to many tiles.
type world struct {
	grid  mvt.Grid
	edges [][]wedge // directed edges of each parcel after cancelling inner ones
	areas []geom.MultiPolygon
}

type wedge struct{ a, b geom.Point }

type plan struct {
	seed     uint64
	grid     mvt.Grid
	x, y     int64   // north-west corner
	cols     int     // cells
	rows     int     //
	cell     int64   // width of a cell in pixels
	jitter   float64 // of corners, in cells, under 0.35
	bends    int     // most vertices inside a side
	parcels  int     // number of parcels cells are dealt to; 0 gives each cell its own
	clump    float64 // chance that a cell joins the parcel of its western or northern neighbour
	spikes   float64 // chance of a side to have a spike of nearly no width
	offPixel bool    // vertices anywhere, not only on pixels
}

func tessellate(pl plan) *world {
	r := rand.New(rand.NewPCG(pl.seed, 1))
	w := &world{grid: pl.grid}
	at := func(x, y float64) geom.Point {
		if pl.offPixel { // a position between pixels, by the finer grid of a far zoom
			fine := mvt.Grid{Z: pl.grid.Z, Extent: pl.grid.Extent * 16}
			return fine.Point(int64(x*16), int64(y*16))
		}
		return pl.grid.Point(int64(x), int64(y))
	}
	type key struct{ i, j int }
	corner := map[key][2]float64{}
	for j := range pl.rows + 1 {
		for i := range pl.cols + 1 {
			x, y := float64(pl.x+int64(i)*pl.cell), float64(pl.y+int64(j)*pl.cell)
			if r.IntN(5) > 0 { // some corners stay on the mesh, and so on tile borders where the plan puts it there
				x += (r.Float64()*2 - 1) * pl.jitter * float64(pl.cell)
				y += (r.Float64()*2 - 1) * pl.jitter * float64(pl.cell)
			}
			corner[key{i, j}] = [2]float64{x, y}
		}
	}
	// A side is a line of vertices from one corner to the next, bent a little.
	side := func(a, b key) []geom.Point {
		p, q := corner[a], corner[b]
		n := 0
		if pl.bends > 0 {
			n = r.IntN(pl.bends + 1)
		}
		line := []geom.Point{at(p[0], p[1])}
		straight := r.IntN(2) == 0
		for k := 1; k <= n; k++ {
			t := float64(k) / float64(n+1)
			x, y := p[0]+t*(q[0]-p[0]), p[1]+t*(q[1]-p[1])
			if !straight {
				x += (r.Float64()*2 - 1) * 0.04 * float64(pl.cell)
				y += (r.Float64()*2 - 1) * 0.04 * float64(pl.cell)
			}
			line = append(line, at(x, y))
		}
		if pl.spikes > 0 && r.Float64() < pl.spikes {
			// Out and back by some pixels, the way back up to a pixel beside the way out; some of the tips
			// double back further than the base.
			k := r.IntN(len(line))
			base := line[k]
			x, y := pl.grid.Project(base)
			tipX, tipY := x+(r.Float64()*2-1)*20, y+(r.Float64()*2-1)*20
			t := r.Float64()*1.3 - 0.2
			line = slices.Insert(line, k+1, at(tipX, tipY), at(tipX+t*(x-tipX)+r.Float64(), tipY+t*(y-tipY)+r.Float64()))
		}
		return append(line, at(q[0], q[1]))
	}
	east, south := map[key][]geom.Point{}, map[key][]geom.Point{}
	for j := range pl.rows + 1 {
		for i := range pl.cols + 1 {
			if i < pl.cols {
				east[key{i, j}] = side(key{i, j}, key{i + 1, j})
			}
			if j < pl.rows {
				south[key{i, j}] = side(key{i, j}, key{i, j + 1})
			}
		}
	}
	owner := make([]int, pl.cols*pl.rows)
	for k := range owner {
		switch {
		case pl.parcels == 0:
			owner[k] = k
		case k%pl.cols > 0 && r.Float64() < pl.clump:
			owner[k] = owner[k-1]
		case k >= pl.cols && r.Float64() < pl.clump:
			owner[k] = owner[k-pl.cols]
		default:
			owner[k] = r.IntN(pl.parcels)
		}
	}
	count := 0
	for _, o := range owner {
		count = max(count, o+1)
	}
	w.edges = make([][]wedge, count)
	add := func(o int, line []geom.Point, forward bool) {
		for k := 1; k < len(line); k++ {
			if forward {
				w.edges[o] = append(w.edges[o], wedge{line[k-1], line[k]})
			} else {
				w.edges[o] = append(w.edges[o], wedge{line[k], line[k-1]})
			}
		}
	}
	for j := range pl.rows {
		for i := range pl.cols {
			o := owner[j*pl.cols+i]
			// Clockwise on the screen: north side eastwards, east side southwards, and back.
			if j == 0 || owner[(j-1)*pl.cols+i] != o {
				add(o, east[key{i, j}], true)
			}
			if i == pl.cols-1 || owner[j*pl.cols+i+1] != o {
				add(o, south[key{i + 1, j}], true)
			}
			if j == pl.rows-1 || owner[(j+1)*pl.cols+i] != o {
				add(o, east[key{i, j + 1}], false)
			}
			if i == 0 || owner[j*pl.cols+i-1] != o {
				add(o, south[key{i, j}], false)
			}
		}
	}
	for o := range w.edges {
		w.areas = append(w.areas, polygonsOf(w.edges[o]))
	}
	return w
}

// polygonsOf links directed edges to polygons, independently of the assembly but for the nesting.
func polygonsOf(edges []wedge) geom.MultiPolygon {
	next := map[geom.Point][]geom.Point{}
	for _, e := range edges {
		next[e.a] = append(next[e.a], e.b)
	}
	var rings [][]pt
	for _, e := range edges {
		for len(next[e.a]) > 0 {
			var ring []pt
			for p := e.a; len(next[p]) > 0; {
				q := next[p][0]
				next[p] = next[p][1:]
				ring = append(ring, pt{X: p.X, Y: -p.Y})
				p = q
			}
			rings = splitAtRepeats(ring, rings)
		}
	}
	polys, _ := nest(rings)
	var out geom.MultiPolygon
	for _, p := range polys {
		var q geom.Polygon
		for _, r := range p {
			var ring geom.Ring
			for i := range r {
				v := r[len(r)-1-i]
				ring = append(ring, geom.Point{X: v.X, Y: -v.Y})
			}
			q = append(q, ring)
		}
		out = append(out, q)
	}
	return out
}

// snapped is what the assembly has to give back: the parcel's directed edges on the grid, edges that
// shrink to nothing or run back over each other left out.
func (w *world) snapped(o int) []string {
	count := map[[2]pt]int{}
	for _, e := range w.edges[o] {
		ax, ay := w.grid.Snap(e.a)
		bx, by := w.grid.Snap(e.b)
		a, b := pt{X: int32(ax), Y: int32(ay)}, pt{X: int32(bx), Y: int32(by)}
		switch {
		case a == b:
		case count[[2]pt{b, a}] > 0:
			count[[2]pt{b, a}]--
		default:
			count[[2]pt{a, b}]++
		}
	}
	var out []string
	for e, n := range count {
		for range n {
			out = append(out, fmt.Sprint(e[0], e[1]))
		}
	}
	slices.Sort(out)
	return out
}

func edgesOf(polys []polygon) []string {
	var out []string
	for _, p := range polys {
		for _, r := range p {
			for i := range r {
				out = append(out, fmt.Sprint(r[i], r[(i+1)%len(r)]))
			}
		}
	}
	slices.Sort(out)
	return out
}
