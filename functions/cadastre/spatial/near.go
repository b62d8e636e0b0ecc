package spatial

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"mappe/artefacts/kgfile"
	"mappe/artefacts/register"
	"mappe/functions/core/parcelfilter"
	"mappe/functions/core/rows"
	"mappe/functions/core/spatialquery"
	"mappe/functions/core/view"
	"mappe/shared/austria"
	"mappe/shared/geo/crs"
	"mappe/shared/geo/geom"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/fault"
)

// near is a search around points.
type near struct {
	v      *view.View
	radius float64 // m
	layers []layer
	filter parcelfilter.Filter
	in     func(*register.KG) bool // KGs that are looked at; nil: all
	kgs    []*register.KG          // looked at so far; hits name them by number
	number map[austria.KGCode]int16
	gaps   view.Missing
	budget int // hits that may still be found
}

// reach are the KGs that the radius around p reaches into.
func (n *near) reach(p geom.Point) ([]austria.KGCode, error) {
	if err := spatialquery.Only(n.v, n.layers); err != nil {
		return nil, err
	}
	plane := crs.RulerAt(p)
	box := crs.Grow(geom.Box{MinX: p.X, MinY: p.Y, MaxX: p.X, MaxY: p.Y}, n.radius)
	reg := n.v.Register()
	slack := spatialquery.StrayOf(n.layers)
	codes := n.v.KGsNear(crs.Grow(box, slack))
	if len(codes) > view.MaxKGs {
		return nil, fault.New(fault.TooLarge, "the radius reaches into %d KGs: expected at most %d", len(codes), view.MaxKGs)
	}
	return slices.DeleteFunc(codes, func(code austria.KGCode) bool {
		if n.in != nil && !n.in(reg.KG(code)) {
			return true
		}
		if n.v.Moved(code) {
			return false
		}
		g, known := reg.Ground(code)
		return known && plane.ToFeature(g.Outline) > n.radius+g.ToleranceM+slack // see spatialquery.Reaches
	}), nil
}

// around finds the features of the layers in these KGs up to the radius from p, nearest first; ties by layer,
// KG code and order in the snapshot. It appends to found.
func (n *near) around(ctx context.Context, p geom.Point, codes []austria.KGCode, found []rows.Hit) ([]rows.Hit, error) {
	start := len(found)
	w := sweep{n: n, plane: crs.RulerAt(p), box: crs.Grow(geom.Box{MinX: p.X, MinY: p.Y, MaxX: p.X, MaxY: p.Y}, n.radius), found: found}
	reads := n.v.Ahead(codes)
	for _, code := range codes {
		if err := ctx.Err(); err != nil { // files in memory are opened for a client that has left, too
			return w.found, err
		}
		reads.Next(ctx)
		f, err := n.v.Read(ctx, code, &n.gaps)
		if err == nil {
			err = w.kg(f, n.v.Register().KG(code))
		}
		if err != nil {
			return w.found, err
		}
	}
	slices.SortFunc(w.found[start:], func(a, b rows.Hit) int { return n.placeOf(a).compare(n.placeOf(b)) })
	return w.found, nil
}

// place is that of a hit in the order of the answer. A cursor carries that of the last row: what a KG that is gone or back
// has before it moves no row to another page.
type place struct {
	rank  float64 // as it is written
	layer int
	code  austria.KGCode
	row   int
}

func (n *near) placeOf(h rows.Hit) place {
	return place{h.Rank, int(h.Layer), n.kgs[h.KG].Code, int(h.Row)}
}

func (p place) compare(o place) int {
	return cmp.Or(cmp.Compare(p.rank, o.rank), cmp.Compare(p.layer, o.layer), cmp.Compare(p.code, o.code), cmp.Compare(p.row, o.row))
}

// String is the place in a cursor.
func (p place) String() string {
	return fmt.Sprintf("%s_%d_%s_%d", strconv.FormatFloat(p.rank, 'g', -1, 64), p.layer, p.code, p.row)
}

func parsePlace(text string) (p place, err error) {
	part := strings.Split(text, "_")
	if len(part) == 4 {
		var errs [3]error
		p.rank, errs[0] = strconv.ParseFloat(part[0], 64)
		p.layer, errs[1] = strconv.Atoi(part[1])
		p.row, errs[2] = strconv.Atoi(part[3])
		p.code = austria.KGCode(part[2])
		err = errors.Join(errs[:]...)
	}
	if err != nil || p.String() != text {
		return p, fault.Of(fault.BadCursor, "cursor", text, "the cursor of a next link, unchanged")
	}
	return p, nil
}

// page cuts a page out of all hits: behind the place of a cursor, or at an offset. next is where the following one begins.
func (n *near) page(found []rows.Hit, r *endpoint.Request) (page []rows.Hit, next func() (string, bool), err error) {
	rest := found[min(r.Offset, len(found)):]
	if r.Place != "" {
		last, err := parsePlace(r.Place)
		if err != nil {
			return nil, nil, err
		}
		at, _ := slices.BinarySearchFunc(found, last, func(h rows.Hit, last place) int {
			return cmp.Or(n.placeOf(h).compare(last), -1) // behind the row itself
		})
		rest = found[at:]
	}
	page = rest[:min(r.Limit, len(rest))]
	behind := ""
	if len(page) > 0 && len(page) < len(rest) {
		behind = n.placeOf(page[len(page)-1]).String()
	}
	return page, func() (string, bool) { return behind, behind != "" }, nil
}

// fewKGs are told apart without a table.
const fewKGs = 4

func (n *near) numberOf(k *register.KG) int16 {
	if i := slices.Index(n.kgs[max(len(n.kgs)-fewKGs, 0):], k); i >= 0 { // points of one request lie close together
		return int16(i + max(len(n.kgs)-fewKGs, 0))
	}
	i, ok := n.number[k.Code]
	if !ok {
		i = int16(len(n.kgs))
		if len(n.kgs) < fewKGs {
			n.kgs = append(n.kgs, k)
			return i
		}
		if n.number == nil {
			n.number = map[austria.KGCode]int16{}
			for j, known := range n.kgs {
				n.number[known.Code] = int16(j)
			}
		}
		n.number[k.Code] = i
		n.kgs = append(n.kgs, k)
	}
	return i
}

// printed rounds a distance as it is written, so that the order of equal printed distances is the
// documented one.
func printed(d float64) float64 { return math.Round(d*100) / 100 }

// sweep is the search around one point.
type sweep struct {
	n     *near
	plane crs.Ruler
	box   geom.Box // that the radius reaches into
	found []rows.Hit
}

// kg finds what is near in a KG; f is nil where it cannot be read.
func (w *sweep) kg(f *kgfile.File, k *register.KG) error {
	at := w.n.numberOf(k)
	for i, l := range w.n.layers {
		if f == nil && l != kgs {
			continue
		}
		// Of a hit the layer and the KG are known, its row and distance are not yet.
		var err error
		switch hit := (rows.Hit{KG: at, Layer: int8(i)}); l {
		case kgs:
			err = w.outline(f, hit)
		case parcels:
			err = w.parcels(f, hit)
		default:
			err = w.buildings(f, hit)
		}
		if err != nil {
			return err
		}
		if len(w.found) > w.n.budget {
			return fault.New(fault.TooLarge, "more than %d features match: use a smaller radius or fewer points", w.n.budget)
		}
	}
	return nil
}

// take notes a row of a layer that is no farther away than the radius.
func (w *sweep) take(hit rows.Hit, row int, distance float64) {
	if distance <= w.n.radius {
		hit.Row, hit.Rank = int32(row), printed(distance)
		w.found = append(w.found, hit)
	}
}

func (w *sweep) parcels(f *kgfile.File, hit rows.Hit) error {
	table, err := f.Parcels()
	if err != nil {
		return err
	}
	all := w.n.filter.All()
	passes := func(i int) bool { return all || w.n.filter.Passes(&table[i]) }
	if w.n.radius == 0 { // only whether the distance is 0 matters
		f.AtPoint(w.plane.Origin(), func(i int) {
			if passes(i) && w.plane.At(f.ParcelGeometry(i)) {
				w.take(hit, i, 0)
			}
		})
	} else {
		f.InBox(w.box, func(i int) bool {
			if passes(i) && w.plane.ToBox(f.ParcelBox(i)) <= w.n.radius+1 {
				w.take(hit, i, w.plane.ToFeature(f.ParcelGeometry(i)))
			}
			return true
		})
	}
	if spatialquery.Degenerate(f) {
		for i := range table {
			if len(table[i].Geometry) == 0 && passes(i) {
				w.take(hit, i, w.plane.Distance(table[i].Inside))
			}
		}
	}
	return nil
}

func (w *sweep) buildings(f *kgfile.File, hit rows.Hit) error {
	table, err := f.Buildings()
	if err != nil {
		return err
	}
	return f.BuildingsInBox(w.box, func(i int) bool {
		w.take(hit, i, w.plane.Distance(table[i].At))
		return true
	})
}

// outline measures to the KG's own outline, or to the register's simplified one while it is cold.
func (w *sweep) outline(f *kgfile.File, hit rows.Hit) error {
	m := w.n.v.Register().Outline(w.n.kgs[hit.KG].Code)
	if f != nil {
		exact, err := f.Outline()
		if err != nil {
			return err
		}
		if len(exact) > 0 {
			m = exact
		}
	}
	w.take(hit, int(hit.KG), w.plane.ToFeature(m))
	return nil
}
