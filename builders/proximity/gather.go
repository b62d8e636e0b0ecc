package proximity

import (
	"cmp"
	"errors"
	"io/fs"
	"math"
	"slices"

	"mappe/artefacts/proximity"
	"mappe/builders/source/osm"
	"mappe/shared/geo/geom"
)

// way is a way that a feature is made of.
type way struct {
	id        int64
	nodes     []int64
	lines     []proximity.Class
	area      bool // closed, and water
	areaClass proximity.Class
	stop      bool // a stop drawn as an area: its middle counts
	stopClass proximity.Class
	name, ref string
}

// lake is an area of several ways.
type lake struct {
	class proximity.Class
	name  string
	ways  []int64
}

// gatherer makes features of one extract.
type gatherer struct {
	out     proximity.Country
	lakes   []lake
	members map[int64]bool // ways of lakes
	ways    []way
	arena   []int64 // node ids of the ways
	ids     []int64 // of the nodes that are needed, rising
	at      []geom.Point
	words   map[string]string // each name once
}

// nowhere stands for a node that the extract does not have.
var nowhere = geom.Point{X: math.MinInt32, Y: math.MinInt32}

func newGatherer() *gatherer {
	return &gatherer{members: map[int64]bool{}, words: map[string]string{}}
}

// word is a text that outlives the reader's buffers, once for all that are equal.
func (g *gatherer) word(s string) string {
	if w, ok := g.words[s]; ok {
		return w
	}
	w := string([]byte(s))
	g.words[w] = w
	return w
}

// extract reads a file three times.
func (g *gatherer) extract(files fs.FS, name string) error {
	form, _ := osm.FormOf(name)
	pass := func(v osm.Visitor) error {
		f, err := files.Open(name)
		if err != nil {
			return err
		}
		return errors.Join(osm.Read(f, form, v), f.Close())
	}
	if err := pass(osm.Visitor{Relation: g.relation, Date: func(d string) { g.out.Date = d }}); err != nil {
		return err
	}
	if err := pass(osm.Visitor{Way: g.way}); err != nil {
		return err
	}
	g.need()
	if err := pass(osm.Visitor{Node: g.node}); err != nil {
		return err
	}
	return g.features()
}

func (g *gatherer) relation(r *osm.Relation) error {
	class, ok := waterClass(r.Tags)
	if !ok || r.Tags.Get("type") != "multipolygon" {
		return nil
	}
	l := lake{class: class, name: g.word(r.Tags.Get("name"))}
	for _, m := range r.Members {
		if m.Type == osm.WayMember {
			l.ways = append(l.ways, m.ID)
			g.members[m.ID] = true
		}
	}
	g.lakes = append(g.lakes, l)
	return nil
}

func (g *gatherer) way(w *osm.Way) error {
	own := way{id: w.ID}
	for _, c := range lineCategories {
		if class, ok := lineClass(c, w.Tags); ok {
			own.lines = append(own.lines, class)
		}
	}
	closed := len(w.Nodes) > 3 && w.Nodes[0] == w.Nodes[len(w.Nodes)-1]
	if closed {
		own.areaClass, own.area = waterClass(w.Tags)
		own.stopClass, own.stop = stopClass(w.Tags)
	}
	if len(w.Nodes) < 2 || len(own.lines) == 0 && !own.area && !own.stop && !g.members[w.ID] {
		return nil
	}
	own.name, own.ref = g.word(w.Tags.Get("name")), g.word(w.Tags.Get("ref"))
	from := len(g.arena)
	g.arena = append(g.arena, w.Nodes...)
	own.nodes = g.arena[from:len(g.arena):len(g.arena)]
	g.ways = append(g.ways, own)
	return nil
}

// need lists the nodes of the ways.
func (g *gatherer) need() {
	for i := range g.ways {
		g.ids = append(g.ids, g.ways[i].nodes...)
	}
	slices.Sort(g.ids)
	g.ids = slices.Compact(g.ids)
	g.at = make([]geom.Point, len(g.ids))
	for i := range g.at {
		g.at[i] = nowhere
	}
}

func (g *gatherer) node(n *osm.Node) error {
	if i, ok := slices.BinarySearch(g.ids, n.ID); ok {
		g.at[i] = n.At
	}
	if len(n.Tags) == 0 {
		return nil
	}
	if class, ok := pointClass(n.Tags); ok {
		g.out.Points = append(g.out.Points, proximity.Point{Class: class, Name: g.word(n.Tags.Get("name")), At: n.At,
			Population: population(n.Tags)})
	}
	return nil
}

func (g *gatherer) position(id int64) geom.Point {
	i, ok := slices.BinarySearch(g.ids, id)
	if !ok {
		return nowhere
	}
	return g.at[i]
}

// features makes lines, stops and areas of the ways, then the lakes.
func (g *gatherer) features() error {
	for i := range g.ways {
		w := &g.ways[i]
		runs := g.runs(w.nodes)
		for _, class := range w.lines {
			for _, run := range runs {
				g.out.Lines = append(g.out.Lines, proximity.Line{Class: class, Name: w.name, Ref: w.ref, Vertices: run})
			}
		}
		whole := len(runs) == 1 && runs[0][0] == runs[0][len(runs[0])-1]
		if w.area && whole {
			if err := g.area(w.areaClass, w.name, []geom.Ring{runs[0][:len(runs[0])-1]}); err != nil {
				return err
			}
		}
		if w.stop && whole {
			g.out.Points = append(g.out.Points, proximity.Point{Class: w.stopClass, Name: w.name, At: geom.Ring(runs[0]).Bounds().Center(),
				Population: -1})
		}
	}
	byID := make(map[int64]*way, len(g.members))
	for i := range g.ways {
		if g.members[g.ways[i].id] {
			byID[g.ways[i].id] = &g.ways[i]
		}
	}
	for _, l := range g.lakes {
		var pieces [][]int64
		for _, id := range l.ways {
			if w := byID[id]; w != nil {
				pieces = append(pieces, w.nodes)
			}
		}
		var rings []geom.Ring
		for _, nodes := range closeRings(pieces) {
			if run := g.runs(nodes); len(run) == 1 && len(run[0]) > 3 && run[0][0] == run[0][len(run[0])-1] {
				rings = append(rings, run[0][:len(run[0])-1])
			}
		}
		if err := g.area(l.class, l.name, rings); err != nil {
			return err
		}
	}
	slices.SortStableFunc(g.out.Points, func(a, b proximity.Point) int { return cmp.Compare(a.Class, b.Class) })
	return nil
}

// runs are the positions of nodes, cut where the extract has not one; vertices that repeat the one before are left out.
func (g *gatherer) runs(nodes []int64) (out [][]geom.Point) {
	var run []geom.Point
	end := func() {
		if len(run) > 1 {
			out = append(out, run)
		}
		run = nil
	}
	for _, id := range nodes {
		p := g.position(id)
		switch {
		case p == nowhere:
			end()
		case len(run) == 0 || run[len(run)-1] != p:
			run = append(run, p)
		}
	}
	end()
	return out
}

// area adds the area of rings by the even-odd rule, whatever their roles and their order are.
func (g *gatherer) area(class proximity.Class, name string, rings []geom.Ring) error {
	if len(rings) == 0 {
		return nil
	}
	m, err := geom.Rebuild(rings)
	if err != nil || len(m) == 0 {
		return nil // it crosses itself beyond repair, or holds nothing
	}
	g.out.Areas = append(g.out.Areas, proximity.Area{Class: class, Name: name, Geometry: m})
	return nil
}

// closeRings joins pieces at their ends and gives those that close, in the order of their first pieces. Pieces that do
// not close are left out. At a node where more than two end, the first that fits is taken.
func closeRings(pieces [][]int64) (rings [][]int64) {
	ends := map[int64][]int{} // pieces by the nodes at their ends
	used := make([]bool, len(pieces))
	for i, p := range pieces {
		ends[p[0]] = append(ends[p[0]], i)
		ends[p[len(p)-1]] = append(ends[p[len(p)-1]], i)
	}
	for i, p := range pieces {
		if used[i] {
			continue
		}
		used[i] = true
		ring := slices.Clone(p)
		for ring[0] != ring[len(ring)-1] {
			last := ring[len(ring)-1]
			next := slices.IndexFunc(ends[last], func(k int) bool { return !used[k] })
			if next < 0 {
				break
			}
			k := ends[last][next]
			used[k] = true
			q := slices.Clone(pieces[k])
			if q[0] != last {
				slices.Reverse(q)
			}
			ring = append(ring, q[1:]...)
		}
		if len(ring) > 3 && ring[0] == ring[len(ring)-1] {
			rings = append(rings, ring)
		}
	}
	return rings
}
