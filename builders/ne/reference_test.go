package ne

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	sf "github.com/peterstace/simplefeatures/geom"

	"mappe/artefacts/kgfile"
	"mappe/artefacts/ne"
	"mappe/shared/austria"
	"mappe/shared/geo/crs"
	"mappe/shared/geo/geom"
	"mappe/shared/geo/hexgrid"
)

// The slow reference: every cell is intersected with every polygon by another library, in the plane without any
// rounding, and the row is made of the sums as the package comment of artefacts/ne says.

func ringText(ring [][2]float64) string {
	var b strings.Builder
	b.WriteString("(")
	for i := range len(ring) + 1 {
		if i > 0 {
			b.WriteString(",")
		}
		fmt.Fprintf(&b, "%v %v", ring[i%len(ring)][0], ring[i%len(ring)][1])
	}
	return b.String() + ")"
}

func mustGeometry(text string) sf.Geometry {
	g, err := sf.UnmarshalWKT(text, sf.NoValidate{})
	if err != nil {
		panic(err)
	}
	return g
}

// flat is a multipolygon in metres.
func flat(m geom.MultiPolygon) sf.Geometry {
	var parts []string
	for _, p := range m {
		var rings []string
		for _, r := range p {
			var ring [][2]float64
			for _, q := range r {
				x, y := crs.EqualArea(q)
				ring = append(ring, [2]float64{x, y})
			}
			rings = append(rings, ringText(ring))
		}
		parts = append(parts, "("+strings.Join(rings, ",")+")")
	}
	return mustGeometry("MULTIPOLYGON(" + strings.Join(parts, ",") + ")")
}

func flatCell(t testing.TB, c hexgrid.Cell) sf.Geometry {
	return mustGeometry("POLYGON(" + ringText(cellRing(t, c)) + ")")
}

// cellRing is the border of a cell in metres, counter-clockwise.
func cellRing(t testing.TB, c hexgrid.Cell) (ring [][2]float64) {
	border, err := c.Boundary()
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range border {
		x, y := crs.LAEA.Forward(p.Lng, p.Lat)
		ring = append(ring, [2]float64{x, y})
	}
	return ring
}

// slowEdge is a piece of a parcel's border in metres.
type slowEdge struct{ x, y, dx, dy float64 }

// in is how much of an edge lies in a cell, in metres. A cell is convex: the line of each of its sides cuts off what lies to its
// right. The library would take most of the test's time for it.
func (e slowEdge) in(ring [][2]float64) float64 {
	from, to := 0.0, 1.0
	for i, p := range ring {
		q := ring[(i+1)%len(ring)]
		inward, along := (q[0]-p[0])*(e.y-p[1])-(q[1]-p[1])*(e.x-p[0]), (q[0]-p[0])*e.dy-(q[1]-p[1])*e.dx
		switch {
		case along > 0:
			from = max(from, -inward/along)
		case along < 0:
			to = min(to, -inward/along)
		case inward < 0:
			return 0
		}
		if from >= to {
			return 0
		}
	}
	return (to - from) * math.Hypot(e.dx, e.dy)
}

// shared is the area in m² that two geometries share.
func shared(t testing.TB, a, b sf.Geometry) float64 {
	if !a.Envelope().Intersects(b.Envelope()) {
		return 0
	}
	x, err := sf.Intersection(a, b)
	if err != nil {
		t.Fatal(err)
	}
	return x.Area()
}

type slowParcel struct {
	kg austria.KGCode
	g  sf.Geometry
	p  *kgfile.Parcel
}

// slowWorld is the features of some KGs.
type slowWorld struct {
	parcels []slowParcel
	uses    []sf.Geometry
	classes []austria.LandUseClass
	prints  []kgfile.Footprint
	edges   []slowEdge // each once
}

func slow(list ...*kgfile.Snapshot) *slowWorld {
	w := &slowWorld{}
	seen := map[string]bool{}
	for _, s := range list {
		for i := range s.Parcels {
			p := &s.Parcels[i]
			w.parcels = append(w.parcels, slowParcel{kg: s.KG.Code, g: flat(p.Geometry), p: p})
			for _, poly := range p.Geometry {
				for _, r := range poly {
					for k, a := range r {
						b := r[(k+1)%len(r)]
						if b.Compare(a) < 0 {
							a, b = b, a
						}
						if key := fmt.Sprint(a, b); !seen[key] {
							seen[key] = true
							x0, y0 := crs.EqualArea(a)
							x1, y1 := crs.EqualArea(b)
							w.edges = append(w.edges, slowEdge{x0, y0, x1 - x0, y1 - y0})
						}
					}
				}
			}
		}
		for _, u := range s.LandUse {
			w.uses, w.classes = append(w.uses, flat(u.Geometry)), append(w.classes, u.NS.Class())
		}
		for _, f := range s.Footprints {
			w.uses, w.classes = append(w.uses, flat(f.Geometry)), append(w.classes, austria.ClassBuilding)
			w.prints = append(w.prints, f)
		}
	}
	return w
}

// near says that two bytes of a share differ by at most one.
func near(a, b uint8) bool { return max(a, b)-min(a, b) <= 1 }

func share(part, whole float64) uint8 { return uint8(min(math.Floor(255*part/whole+0.5), 255)) }

// judge compares an LU row of a KG with the reference.
func (w *slowWorld) judge(t *testing.T, code austria.KGCode, r ne.LURow) {
	t.Helper()
	cell := flatCell(t, r.Cell)
	whole := cell.Area()
	var own, covered, surveyed, land, built, length, north, east float64
	units := 0
	for _, p := range w.parcels {
		a := shared(t, cell, p.g)
		if a > 1e-6 {
			units++
		}
		covered += a
		if p.kg == code {
			own += a
		}
		if p.p.Status == austria.StatusG {
			surveyed += a
		}
	}
	var use [9]float64
	for i, u := range w.uses {
		a := shared(t, cell, u)
		use[w.classes[i]-austria.ClassBuilding] += a
		land += a
		if w.classes[i] == austria.ClassBuilding {
			built += a
		}
	}
	ring := cellRing(t, r.Cell)
	for _, e := range w.edges {
		l := e.in(ring)
		if l == 0 {
			continue
		}
		angle := 2 * math.Atan2(e.dx, e.dy) // clockwise from north
		length, north, east = length+l, north+l*math.Cos(angle), east+l*math.Sin(angle)
	}
	prints := 0
	for _, f := range w.prints {
		if c, err := hexgrid.PointToCell(f.Inside, ne.LURes); err == nil && c == r.Cell {
			prints++
		}
	}
	bad := func(field string, want, got any) {
		t.Errorf("KG %s cell %s %s: the reference says %v, the row %v", code, r.Cell, field, want, got)
	}
	for _, c := range []struct {
		field string
		want  float64
		whole float64
		got   uint8
	}{{"kg_share", own, whole, r.KGShare}, {"cov", covered, whole, r.Cov}, {"land", land, whole, r.Land}, {"str_cover", built, whole,
		r.StrCover}} {
		if want := share(c.want, c.whole); !near(want, c.got) {
			bad(c.field, want, c.got)
		}
	}
	// Slivers of some mm² count as units or not by the rounding to millimetres.
	if d := units - int(r.NUnits); units < 255 && (d > 1 || d < -1) {
		bad("n_units", units, r.NUnits)
	}
	if covered > whole/100 {
		if want := share(surveyed, covered); !near(want, r.GK) {
			bad("gk", want, r.GK)
		}
	}
	sum := 0
	for i, u := range use {
		sum += int(r.Use[i])
		want := u / land * float64(r.Land)
		if land > 0 && math.Abs(want-float64(r.Use[i])) > 1.01 {
			bad("lu "+austria.AllLandUseClasses()[i].String(), want, r.Use[i])
		}
	}
	if sum != int(r.Land) {
		bad("the sum of lu", r.Land, sum)
	}
	if prints != int(r.StrN) {
		bad("str_n", prints, r.StrN)
	}
	perHa := length / whole * 10_000
	if math.Abs(perHa-float64(r.EdgeMHa)) > 1 {
		bad("edge_m_ha", perHa, r.EdgeMHa)
	}
	if over := land > whole*1.004; over != (r.Flags&ne.Normalised != 0) && (land < whole*1.001 || land > whole*1.01) {
		bad("normalised", over, r.Flags)
	}
	if length > 0.1 {
		mean := math.Hypot(north, east) / length
		if math.Abs(254*mean-float64(r.OrientCoh)) > 1.5 {
			bad("orient_coh", 254*mean, r.OrientCoh)
		}
		axis := math.Mod(math.Atan2(east, north)*90/math.Pi+180, 180)
		if d := math.Mod(math.Abs(axis-2*float64(r.OrientAxis2)), 180); mean > 0.05 && min(d, 180-d) > 1.2 {
			bad("orient_axis", axis, 2*int(r.OrientAxis2))
		}
	}
}

// judgeUnits compares a K row with the reference.
func (w *slowWorld) judgeUnits(t *testing.T, r ne.KRow) {
	t.Helper()
	cell := flatCell(t, r.Cell)
	var units, prints []float64
	folios := map[string]bool{}
	doubtful := false
	for _, p := range w.parcels {
		switch a := shared(t, cell, p.g); {
		case a > 1e-3:
			units = append(units, p.p.AreaSqm)
			if p.p.EZ != 0 {
				folios[fmt.Sprint(p.kg, p.p.EZ)] = true
			}
		case a > 1e-9:
			doubtful = true // a sliver that counts or not by the rounding to millimetres
		}
	}
	for _, f := range w.prints {
		if c, err := hexgrid.PointToCell(f.Inside, ne.KRes); err == nil && c == r.Cell {
			prints = append(prints, f.AreaSqm)
		}
	}
	if doubtful {
		return
	}
	slices.Sort(units)
	slices.Sort(prints)
	rank := func(v []float64, p float64) float64 { return v[int(math.Ceil(p*float64(len(v))))-1] }
	middle := func(v float64) uint32 {
		return uint32(math.Round(math.Exp2((math.Floor(8*math.Log2(v)) + 0.5) / 8)))
	}
	want := ne.KRow{Cell: r.Cell, NUnits: uint16(len(units)), P50: middle(rank(units, 0.5)), RegN: uint16(len(folios)),
		UnitsPerReg10: ne.None8, StrN: uint16(len(prints)), StrP50: ne.None16}
	if len(units) >= 10 {
		want.P10, want.P90 = middle(rank(units, 0.1)), middle(rank(units, 0.9))
	}
	if len(folios) > 0 {
		want.UnitsPerReg10 = uint8(min(math.Floor(float64(len(units))/float64(len(folios))*10+0.5), 254))
	}
	if len(prints) > 0 {
		want.StrP50 = uint16(math.Floor(rank(prints, 0.5) + 0.5))
	}
	if r != want {
		t.Errorf("K row: the reference says\n%+v, the row\n%+v", want, r)
	}
}
