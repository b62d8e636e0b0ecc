package export

import (
	"mappe/artefacts/register"
	"mappe/shared/austria"
	"mappe/shared/geo/geom"
	"mappe/shared/web/format"
)

// once passes each feature that two KGs have a single time: the first. It remembers only features that reach into
// the box of another KG of the export, 64 bytes each.
type once struct {
	column int                           // of table.same; -1: every row is passed
	others map[austria.KGCode][]geom.Box // by KG: the boxes of other KGs that meet its own
	seen   map[feature]bool
}

// feature is what two rows of one feature have in common: its vertices in any order, and a text or a number.
type feature struct {
	sum, n uint64
	box    geom.Box
	text   string
	number int64
}

func newOnce(t table, kgs []*register.KG) *once {
	o := &once{column: -1}
	if t.same == "" || len(kgs) < 2 {
		return o
	}
	o.column, o.seen, o.others = t.RowType().Index(t.same), map[feature]bool{}, map[austria.KGCode][]geom.Box{}
	for _, a := range kgs {
		for _, b := range kgs {
			if a != b && a.Box.Intersects(b.Box) {
				o.others[a.Code] = append(o.others[a.Code], b.Box)
			}
		}
	}
	return o
}

// first says whether a row of a KG is to be passed.
func (o *once) first(kg austria.KGCode, r format.Row) bool {
	if o.column < 0 || len(o.others[kg]) == 0 {
		return true
	}
	f := featureOf(r.Geometry())
	shared := false
	for _, b := range o.others[kg] {
		shared = shared || b.Intersects(f.box)
	}
	if !shared || f.n == 0 {
		return true
	}
	v := r.Value(o.column)
	f.number, _ = v.Int64()
	if text, ok := v.Str(); ok {
		f.text = string(append([]byte(nil), text...)) // the row lends it
	}
	if o.seen[f] {
		return false
	}
	o.seen[f] = true
	return true
}

// featureOf sums up the vertices, whatever vertex their rings begin with.
func featureOf(g format.Geometry) feature {
	f := feature{box: geom.EmptyBox}
	add := func(p geom.Point) {
		h := uint64(uint32(p.X))<<32 | uint64(uint32(p.Y))
		h = (h ^ h>>30) * 0xbf58476d1ce4e5b9 // the finaliser of splitmix64
		h = (h ^ h>>27) * 0x94d049bb133111eb
		f.sum += h ^ h>>31
		f.n++
		f.box = f.box.Union(geom.Box{MinX: p.X, MinY: p.Y, MaxX: p.X, MaxY: p.Y})
	}
	if g.Shape == format.ShapePoint {
		add(g.Point)
	}
	for _, poly := range g.Polygons {
		for _, ring := range poly {
			for _, p := range ring {
				add(p)
			}
		}
	}
	return f
}
