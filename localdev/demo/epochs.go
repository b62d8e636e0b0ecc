package demo

import (
	"fmt"

	"mappe/artefacts/rowschema"
	"mappe/localdev/demo/world"
	"mappe/shared/austria"
	"mappe/shared/geo/geom"
)

// EpochDate is the date of the earlier snapshots: a year before the sources.
const EpochDate = "2025-10-01"

// once is a parcel as it was a year ago.
type once struct {
	gnr    austria.GNR
	ez     austria.EZ
	status austria.Status
	shape  geom.MultiPolygon
}

// epochs writes an earlier snapshot of some KGs, as the research repository has them: one KG for each ingest epoch from
// the country-wide run on, in the order of the KGs.
func (o *output) epochs(w *world.World, t *truth) error {
	all := rowschema.AllEpochs()[1:]
	for k := range w.KGs {
		if k >= len(all)-1 { // the last epoch is that of the sources
			break
		}
		var b []byte
		b = append(b, `{"type":"FeatureCollection","features":[`...)
		for i, p := range yearAgo(w, t, k) {
			if i > 0 {
				b = append(b, ",\n"...)
			}
			b = fmt.Appendf(b, `{"type":"Feature","properties":{"kg_code":"%s","gnr":"%s","ez":%d,"status":"%s","ingest_generation":"%s","processing_version":"inspire-v2","attribution":"%s"},"geometry":`,
				w.KGs[k].Code, p.gnr, p.ez, p.status, all[k].ID, Attribution)
			b = append(appendGeometry(b, p.shape), '}')
		}
		b = append(b, "]}\n"...)
		if err := o.file(fmt.Sprintf("epochs/%s-%s.geojson", w.KGs[k].Code, EpochDate), b); err != nil {
			return err
		}
	}
	return nil
}

// Every step-th parcel of a KG, beginning at these, was another a year ago.
const (
	step       = 45
	renumbered = 7
	otherFolio = 17
	wasWhole   = 27 // it and a neighbour were one: it was split since
	wasTwo     = 37 // it was two: they were merged since
)

// yearAgo are the parcels of a KG a year ago.
func yearAgo(w *world.World, t *truth, k int) (list []once) {
	var mine []int
	for i := range w.Parcels {
		if w.Parcels[i].KG == k {
			mine = append(mine, i)
		}
	}
	gone := map[int]bool{}
	for n, i := range mine {
		if gone[i] {
			continue
		}
		p := once{w.Parcels[i].GNR, w.Parcels[i].EZ, w.Parcels[i].Status, t.parcel[i]}
		switch n % step {
		case renumbered:
			p.gnr = austria.GNR(fmt.Sprint(90_000 + n))
		case otherFolio:
			p.ez += 1000
		case wasWhole:
			if j, whole := neighbour(t, mine[n+1:], gone, i); whole != nil {
				gone[j], p.shape = true, whole
			}
		case wasTwo:
			if left, right := halves(t.parcel[i]); left != nil {
				list = append(list, once{austria.GNR(fmt.Sprint(95_000 + n)), p.ez, p.status, right})
				p.shape = left
			}
		}
		list = append(list, p)
	}
	return list
}

// neighbour is a later parcel that makes one polygon with another, and that polygon; nil where none is near.
func neighbour(t *truth, later []int, gone map[int]bool, i int) (int, geom.MultiPolygon) {
	box := t.parcel[i].Bounds()
	for _, j := range later {
		if gone[j] || !box.Intersects(t.parcel[j].Bounds()) {
			continue
		}
		whole, err := geom.Dissolve([]geom.MultiPolygon{t.parcel[i], t.parcel[j]}, 0)
		if err == nil && len(whole) == 1 && len(t.parcel[i])+len(t.parcel[j]) == 2 {
			return j, whole
		}
	}
	return 0, nil
}

// halves cuts a parcel of one part at the middle of its box; nil where a half would not be one part.
func halves(m geom.MultiPolygon) (left, right geom.MultiPolygon) {
	b := m.Bounds()
	l, r := b, b
	l.MaxX, r.MinX = b.Center().X, b.Center().X
	left, right = m.Clip(l), m.Clip(r)
	if len(left) != 1 || len(right) != 1 {
		return nil, nil
	}
	return left, right
}
