package demo

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"mappe/artefacts/cog"
	"mappe/localdev/demo/planar"
	"mappe/localdev/demo/world"
	"mappe/shared/geo/crs"
	"mappe/shared/geo/raster"
)

// The laser scans of the made-up country: terrain and surface of a square around the first church, with village,
// meadows and forest, of two dates, in cells of 1 m.
const (
	scanSide = 1200 // metres
	scanKnot = 8    // metres between the places whose height the terrain is asked for
)

// scan is a date, and what was different then.
type scan struct {
	date   string
	offset float64 // of all heights: no two flights agree exactly
	growth float64 // metres that trees have grown since the first date
	felled bool    // the clearing is there
}

var scans = []scan{{"20220915", 0, 0, false}, {"20240915", 0.04, 0.7, true}}

// Heights of buildings by kind: of the eaves, and whether the roof is pitched.
var roofs = map[world.FootprintKind]struct {
	eaves   float64
	pitched bool
}{
	world.House: {6, true}, world.Outhouse: {2.8, false}, world.Farmhouse: {7.5, true}, world.Barn: {6, true},
	world.Church: {14, true}, world.Hall: {8, false}, world.Hut: {2.6, true}, world.Station: {6, true},
}

// rasters writes the scans as the survey office hands them out.
func (o *output) rasters(w *world.World) error {
	at := slices.IndexFunc(w.Footprints, func(f world.Footprint) bool { return f.Kind == world.Church })
	x, y := crs.LAEA.Forward(w.Footprints[max(at, 0)].At.LonLat())
	square := raster.Box{West: math.Round(x) - scanSide/2, South: math.Round(y) - scanSide/2, East: math.Round(x) + scanSide/2,
		North: math.Round(y) + scanSide/2}
	ground, err := groundOf(w, square)
	if err != nil {
		return err
	}
	trees := treesOf(w, square)
	for _, s := range scans {
		terrain := raster.New(ground.West, ground.North, 1, ground.Cols, ground.Rows)
		noise := rand.New(rand.NewPCG(uint64(len(s.date)), uint64(s.growth*1000)))
		for i, z := range ground.Z {
			terrain.Z[i] = centimetres(float64(z) + s.offset + 0.02*noise.NormFloat64())
		}
		surface := surfaceOf(w, terrain, trees, s)
		for name, g := range map[string]*raster.Grid{"DTM": terrain, "DSM": surface} {
			b, err := cog.Encode(g, cog.Options{Packing: cog.Deflate, EPSG: 3035, Unit: "m"})
			if err != nil {
				return err
			}
			if err := o.file(fmt.Sprintf("rasters/%s/ALS_%s_CRS3035_lorfachtal.tif", s.date, name), b); err != nil {
				return err
			}
		}
	}
	return o.pictures(w, square, trees)
}

func centimetres(z float64) float32 { return float32(math.Round(z*100) / 100) }

// groundOf are the heights of the terrain, asked for every few metres.
func groundOf(w *world.World, square raster.Box) (*raster.Grid, error) {
	coarse, err := raster.Over(square.Grown(2*scanKnot), scanKnot)
	if err != nil {
		return nil, err
	}
	for row := range coarse.Rows {
		for col := range coarse.Cols {
			coarse.Z[row*coarse.Cols+col] = float32(w.Elevation(crs.LAEA.Inverse(coarse.Centre(col, row))))
		}
	}
	g, err := raster.Over(square, 1)
	if err != nil {
		return nil, err
	}
	for row := range g.Rows {
		for col := range g.Cols {
			g.Z[row*g.Cols+col] = coarse.Bilinear(g.Centre(col, row))
		}
	}
	return g, nil
}

// tree is a trunk with its crown.
type tree struct {
	at     raster.XY
	height float64 // at the first date
	cut    bool    // before the second
}

// treeGap is the distance of trunks in a forest in metres.
const treeGap = 6

// treesOf plants the forests in a square: a jittered net of trunks.
func treesOf(w *world.World, square raster.Box) []tree {
	g := raster.New(square.West, square.North, treeGap, int(scanSide/treeGap), int(scanSide/treeGap))
	var forests []raster.Polygon
	for i := range w.Uses {
		if u := &w.Uses[i]; u.NS == forest {
			forests = append(forests, polygonsOf([]planar.Poly{u.Shape})...)
		}
	}
	m := raster.MaskOf(g, forests)
	r := rand.New(rand.NewPCG(41, 42))
	var out []tree
	for row := range g.Rows {
		for col := range g.Cols {
			dx, dy, h := r.Float64()-0.5, r.Float64()-0.5, 14+12*r.Float64()
			if !m.Has(col, row) {
				continue
			}
			x, y := g.Centre(col, row)
			out = append(out, tree{at: raster.XY{X: x + dx*treeGap*0.6, Y: y + dy*treeGap*0.6}, height: h})
		}
	}
	fell(out)
	return out
}

// clearing is the radius in metres of what is cut between the two dates.
const clearing = 80

// fell cuts the trees in a circle in the midst of the forest: around the one of some trees that has the most others near.
func fell(trees []tree) {
	near := func(a, b *tree) bool { return math.Hypot(a.at.X-b.at.X, a.at.Y-b.at.Y) < clearing }
	best, most := -1, 0
	for i := 0; i < len(trees); i += 97 {
		n := 0
		for j := range trees {
			if near(&trees[i], &trees[j]) {
				n++
			}
		}
		if n > most {
			best, most = i, n
		}
	}
	for j := range trees {
		trees[j].cut = best >= 0 && near(&trees[best], &trees[j])
	}
}

// polygonsOf are polygons of the z16 grid in the plane.
func polygonsOf(parts []planar.Poly) []raster.Polygon {
	var out []raster.Polygon
	for _, p := range world.Geometry(parts, 2) {
		var q raster.Polygon
		for _, r := range p {
			var ring []raster.XY
			for _, v := range r {
				x, y := crs.EqualArea(v)
				ring = append(ring, raster.XY{X: x, Y: y})
			}
			q = append(q, ring)
		}
		out = append(out, q)
	}
	return out
}

// surfaceOf is the terrain with what stands on it.
func surfaceOf(w *world.World, terrain *raster.Grid, trees []tree, s scan) *raster.Grid {
	g := raster.New(terrain.West, terrain.North, 1, terrain.Cols, terrain.Rows)
	copy(g.Z, terrain.Z)
	for i := range w.Footprints {
		raise(g, terrain, &w.Footprints[i])
	}
	for _, t := range trees {
		if s.felled && t.cut {
			continue
		}
		height := t.height + s.growth
		radius := 0.6 + 0.09*height
		eachCell(g, t.at, radius, func(at int, d float64) {
			// A cone that is blunt at its top.
			if top := terrain.Z[at] + float32(height*(1-0.75*math.Pow(d/radius, 1.2))); top > g.Z[at] {
				g.Z[at] = centimetres(float64(top))
			}
		})
	}
	return g
}

// eachCell calls f with the cells of a circle and the distance of their centres.
func eachCell(g *raster.Grid, at raster.XY, radius float64, f func(at int, d float64)) {
	col0, row0 := int(math.Floor(at.X-radius-g.West)), int(math.Floor(g.North-at.Y-radius))
	for row := max(row0, 0); row <= min(row0+int(2*radius)+2, g.Rows-1); row++ {
		for col := max(col0, 0); col <= min(col0+int(2*radius)+2, g.Cols-1); col++ {
			x, y := g.Centre(col, row)
			if d := math.Hypot(x-at.X, y-at.Y); d <= radius {
				f(row*g.Cols+col, d)
			}
		}
	}
}

// raise builds a house: walls to the eaves, and a roof that rises to the middle.
func raise(g, terrain *raster.Grid, f *world.Footprint) {
	p := polygonsOf([]planar.Poly{f.Shape})
	if b := raster.BoxOf(p); b.East < g.West || b.West > g.East() || b.North < g.South() || b.South > g.North {
		return
	}
	b := raster.BoxOf(p).Aligned(1)
	part, err := raster.Over(b, 1)
	if err != nil {
		return // larger than any house
	}
	roof := roofs[f.Kind]
	m := raster.MaskOf(part, p)
	for row := range part.Rows {
		m.Each(row, func(from, to int) {
			for col := from; col < to; col++ {
				x, y := part.Centre(col, row)
				c, r := int(math.Floor(x-g.West)), int(math.Floor(g.North-y))
				if c < 0 || r < 0 || c >= g.Cols || r >= g.Rows {
					continue
				}
				h := roof.eaves
				if roof.pitched {
					h += 0.6 * min(edgeDistance(p[0], raster.XY{X: x, Y: y}), 6)
				}
				g.Z[r*g.Cols+c] = centimetres(float64(terrain.Z[r*g.Cols+c]) + h)
			}
		})
	}
}

// edgeDistance is how far a place lies from the border of a polygon.
func edgeDistance(p raster.Polygon, at raster.XY) float64 {
	best := math.Inf(1)
	for _, r := range p {
		for i, a := range r {
			b := r[(i+1)%len(r)]
			dx, dy := b.X-a.X, b.Y-a.Y
			t := 0.0
			if l := dx*dx + dy*dy; l > 0 {
				t = min(max(((at.X-a.X)*dx+(at.Y-a.Y)*dy)/l, 0), 1)
			}
			best = min(best, math.Hypot(a.X+t*dx-at.X, a.Y+t*dy-at.Y))
		}
	}
	return best
}
