package spatial

import (
	"mappe/artefacts/register"
	"mappe/functions/rows"
	"mappe/functions/view"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/format"
)

// plainForm says whether the answer is rows of plain JSON.
func plainForm(r *endpoint.Request) bool {
	return r.Format == format.FormJSON || r.Format == format.FormNDJSON
}

// sourceOf draws a layer of a box or polygon answer.
func sourceOf(r *endpoint.Request, l layer) rows.Source {
	switch {
	case l == parcels && attrsOnly.Of(r):
		return rows.Parcels(parcelPointRows)
	case l == parcels:
		return rows.Parcels(parcelRows)
	case plainForm(r):
		return rows.Buildings(buildingPlainRows)
	}
	return rows.Buildings(buildingRows)
}

// ranking draws hits near a point; point draws parcels as their centroid, plain has address points without
// geometry.
type ranking struct{ point, plain bool }

// of draws the hits of a search that has found them all.
func (k ranking) of(n *near) *rows.Ranking {
	r := &rows.Ranking{View: n.v, KGs: n.kgs}
	for _, l := range n.layers {
		r.Layers = append(r.Layers, k.layer(n.v, l, n.kgs))
	}
	return r
}

func (k ranking) layer(v *view.View, l layer, list []*register.KG) rows.RankedLayer {
	switch l {
	case parcels:
		row := choose(k.point, parcelPointNear, parcelNear).Record()
		return ranked(row, rows.ParcelsIn(&row.Item.item, row))
	case buildings:
		row := choose(k.plain, buildingPlainNear, buildingNear).Record()
		return ranked(row, rows.BuildingsIn(&row.Item.item, row))
	}
	row := kgNear.Record()
	drawn := ranked(row, rows.KGsIn(&row.Item.item, row, v.Register(), list))
	drawn.Apart = true
	return drawn
}

// ranked is a layer whose rows show their rank as the distance.
func ranked[T any](row *format.Record[atDistance[T]], s rows.Source) rows.RankedLayer {
	return rows.RankedLayer{Source: s, Rank: func(metres float64) { row.Item.distance = metres }}
}

func choose[T any](first bool, a, b T) T {
	if first {
		return a
	}
	return b
}
