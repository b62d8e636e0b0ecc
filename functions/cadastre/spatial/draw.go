package spatial

import (
	"mappe/artefacts/register"
	"mappe/functions/core/rows"
	"mappe/functions/core/view"
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
		return rows.Parcels(parcelPointRows.Record())
	case l == parcels:
		return rows.Parcels(parcelRows.Record())
	case plainForm(r):
		return rows.Buildings(buildingPlainRows.Record())
	}
	return rows.Buildings(buildingRows.Record())
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
		return rows.RankedLayer{Source: rows.Parcels(row), Rank: distanceIn(row)}
	case buildings:
		row := choose(k.plain, buildingPlainNear, buildingNear).Record()
		return rows.RankedLayer{Source: rows.Buildings(row), Rank: distanceIn(row)}
	}
	row := kgNear.Record()
	return rows.RankedLayer{Source: rows.KGs(row, v.Register(), list), Rank: distanceIn(row), External: true}
}

// distanceIn shows the rank of a row as its distance.
func distanceIn[T any](row *format.Record[T]) func(metres float64) {
	return func(metres float64) { row.Set(0, format.Float(metres, distanceColumn.Decimals)) }
}

func choose[T any](first bool, a, b T) T {
	if first {
		return a
	}
	return b
}
