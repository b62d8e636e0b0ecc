package index

import (
	"cmp"
	"context"
	"math"
	"slices"

	"mappe/artefacts/landscape"
	"mappe/shared/geo/crs"
	"mappe/shared/geo/geom"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/fault"
	"mappe/shared/web/format"
	"mappe/shared/web/reply"
)

// The bounds of a height field.
const (
	maxCells = 250_000
	farthest = 3000 // metres: a cell without a sample so near is null
)

var (
	cellSize = endpoint.Int("cell", "Side of a cell.", endpoint.Unit("m"), endpoint.Between(20, 500), endpoint.Default("50"))
	nearestK = endpoint.Int("k", "Samples that a cell is estimated from.", endpoint.Between(1, 32), endpoint.Default("8"))
)

// fieldBody is a height field.
type fieldBody struct {
	KG      string            `json:"kg_code"`
	Box     [4]float64        `json:"bbox" doc:"west, south, east, north, WGS84"`
	Cell    int               `json:"cell_m"`
	Cols    int               `json:"cols"`
	Rows    int               `json:"rows"`
	Origin  string            `json:"origin" enum:"nw"`
	Order   string            `json:"order" enum:"rows_major_north_to_south"`
	Z       [][]*float64      `json:"z" doc:"metres, row by row from the north; null: no sample within 3 km"`
	Min     *float64          `json:"elev_min"`
	Max     *float64          `json:"elev_max"`
	KGMin   *float64          `json:"kg_elev_min"`
	KGMax   *float64          `json:"kg_elev_max"`
	Samples int               `json:"samples"`
	Source  string            `json:"source"`
	Meta    reply.DatasetMeta `json:"meta"`
}

func (s *service) heightfield() endpoint.Endpoint {
	return endpoint.Endpoint{
		Method: "GET", Path: "/api/v1/kg/{kg_code}/heightfield", ID: "landscape_kg_heightfield", Tag: tag,
		Summary: "The terrain of a KG as a grid",
		Doc: `Heights of cells over the box of the KG, each the mean of the k nearest sample points of the index weighted by 1 / d²; a cell whose middle is a
sample has its height, one without a sample within 3 km is null. The grid is in degrees: cells are cell metres wide and high at the middle of the
box, z[0] is the northernmost row. At most 250,000 cells. A KG that was not processed is 404 with processed false.`,
		Params: []endpoint.AnyParam{kgPath, cellSize, nearestK}, Answer: endpoint.Answer{Body: fieldBody{}}, Cache: endpoint.Hourly,
		Example: "/api/v1/kg/09902/heightfield?cell=100",
		Serve: func(ctx context.Context, r *endpoint.Request) (reply.Answer, error) {
			c, err := s.open(ctx)
			if err != nil {
				return nil, err
			}
			f, err := c.file(ctx, kgPath.Of(r))
			if err != nil {
				return nil, err
			}
			got, err := rows(ctx, f, landscape.Samples, every)
			if err != nil {
				return nil, err
			}
			b, err := fieldOf(&f.e.Record, slices.Concat(got...), cellSize.Of(r), nearestK.Of(r))
			if err != nil {
				return nil, err
			}
			return b.answer(), nil
		},
	}
}

func (b *fieldBody) answer() reply.Answer {
	return &reply.Stream{Write: func(j *format.JSON, _ *format.Layout) error {
		for _, m := range []reply.Member{{Name: "kg_code", Value: b.KG}, {Name: "bbox", Value: b.Box}, {Name: "cell_m", Value: b.Cell},
			{Name: "cols", Value: b.Cols},
			{Name: "rows", Value: b.Rows}, {Name: "origin", Value: b.Origin}, {Name: "order", Value: b.Order},
			{Name: "elev_min", Value: b.Min}, {Name: "elev_max", Value: b.Max},
			{Name: "kg_elev_min", Value: b.KGMin}, {Name: "kg_elev_max", Value: b.KGMax}, {Name: "samples", Value: b.Samples},
			{Name: "source", Value: b.Source}} {
			j.Member(m.Name, m.Value)
		}
		j.Key("z")
		j.Array()
		for _, row := range b.Z {
			j.Array()
			for _, z := range row {
				if z == nil {
					j.Null()
				} else {
					j.Value(format.Float(*z, 2))
				}
			}
			j.EndArray()
		}
		j.EndArray()
		return nil
	}}
}

// fieldOf estimates the heights of the cells of a KG.
func fieldOf(r *landscape.Record, samples []landscape.Sample, cell, k int) (*fieldBody, error) {
	box := r.BBox
	scale := crs.ScaleAt(box.Center())
	width, height := float64(box.MaxX-box.MinX)*scale.X, float64(box.MaxY-box.MinY)*scale.Y
	cols, rows := max(int(math.Ceil(width/float64(cell))), 1), max(int(math.Ceil(height/float64(cell))), 1)
	if cols*rows > maxCells {
		return nil, fault.Of(fault.TooLarge, "cell", "", "cells so large that there are at most 250,000 of them")
	}
	b := &fieldBody{KG: r.KGCode, Cell: cell, Cols: cols, Rows: rows, Origin: "nw", Order: "rows_major_north_to_south",
		Samples: len(samples), Source: "inverse distance of indexed samples of the terrain model",
		Box:   [4]float64{float64(box.MinX) / 1e7, float64(box.MinY) / 1e7, float64(box.MaxX) / 1e7, float64(box.MaxY) / 1e7},
		KGMin: rounded(r.ElevationMin, 2), KGMax: rounded(r.ElevationMax, 2)}
	p := newPoints(samples, box, scale)
	low, high := math.NaN(), math.NaN()
	b.Z = make([][]*float64, rows)
	all := make([]float64, cols*rows)
	for row := range rows {
		b.Z[row] = make([]*float64, cols)
		for col := range cols {
			z := p.height((float64(col)+0.5)*float64(cell), height-(float64(row)+0.5)*float64(cell), k)
			if z != z {
				continue
			}
			if !(low <= z) {
				low = z
			}
			if !(high >= z) {
				high = z
			}
			at := &all[row*cols+col]
			*at = math.Round(z*100) / 100
			b.Z[row][col] = at
		}
	}
	b.Min, b.Max = rounded(low, 2), rounded(high, 2)
	return b, nil
}

// points are samples in squares of a grid in metres from the corner of a box.
type points struct {
	side        float64
	cols, rows  int
	begins      []int32 // of the squares in xyz, and the end
	xyz         [][3]float64
	west, south float64 // of the grid
	near        []hitPoint
}

type hitPoint struct{ d2, z float64 }

func newPoints(samples []landscape.Sample, box geom.Box, scale crs.Scale) *points {
	p := &points{side: 200, begins: []int32{0}}
	west, south, east, north := 0.0, 0.0, 0.0, 0.0
	all := make([][3]float64, 0, len(samples))
	for _, s := range samples {
		if z := float64(s.DTM); z == z {
			x, y := float64(s.At.X-box.MinX)*scale.X, float64(s.At.Y-box.MinY)*scale.Y
			west, south, east, north = min(west, x), min(south, y), max(east, x), max(north, y)
			all = append(all, [3]float64{x, y, z})
		}
	}
	if n := float64(len(all)); n > 0 { // some four samples a square
		p.side = max(math.Sqrt((east-west)*(north-south)*4/n), 5)
	}
	p.west, p.south = west, south
	p.cols, p.rows = int((east-west)/p.side)+1, int((north-south)/p.side)+1
	square := func(v [3]float64) int { return int((v[1]-south)/p.side)*p.cols + int((v[0]-west)/p.side) }
	slices.SortFunc(all, func(a, b [3]float64) int {
		return cmp.Or(cmp.Compare(square(a), square(b)), cmp.Compare(a[1], b[1]), cmp.Compare(a[0], b[0]), cmp.Compare(a[2], b[2]))
	})
	p.begins = make([]int32, p.cols*p.rows+1)
	for _, v := range all {
		p.begins[square(v)+1]++
	}
	for i := 1; i < len(p.begins); i++ {
		p.begins[i] += p.begins[i-1]
	}
	p.xyz = all
	return p
}

// height is the mean of the k nearest samples weighted by 1 / d²; NaN where none is within farthest.
func (p *points) height(x, y float64, k int) float64 {
	p.near = p.near[:0]
	at := spot{x: x, y: y, col: int(math.Floor((x - p.west) / p.side)), row: int(math.Floor((y - p.south) / p.side))}
	for ring := 0; ; ring++ {
		p.ring(&at, ring, k)
		reach := float64(ring) * p.side // what is in farther rings is at least so far
		if len(p.near) == k && p.near[k-1].d2 <= reach*reach || reach > farthest {
			break
		}
	}
	if len(p.near) == 0 || p.near[0].d2 > farthest*farthest {
		return math.NaN()
	}
	if p.near[0].d2 < 1e-4 {
		return p.near[0].z
	}
	total, weight := 0.0, 0.0
	for _, h := range p.near {
		total, weight = total+h.z/h.d2, weight+1/h.d2
	}
	return total / weight
}

// spot is a place in metres from the corner of the box, and the square that it lies in, which may be beyond the grid.
type spot struct {
	x, y     float64
	col, row int
}

// ring takes the samples of the squares that lie so many squares away, the k nearest.
func (p *points) ring(at *spot, ring, k int) {
	for row := at.row - ring; row <= at.row+ring; row++ {
		if row < 0 || row >= p.rows {
			continue
		}
		step := 2 * ring
		if row == at.row-ring || row == at.row+ring || ring == 0 {
			step = 1
		}
		for col := at.col - ring; col <= at.col+ring; col += step {
			if col >= 0 && col < p.cols {
				p.take(at, row*p.cols+col, k)
			}
		}
	}
}

func (p *points) take(at *spot, square, k int) {
	x, y := at.x, at.y
	for _, v := range p.xyz[p.begins[square]:p.begins[square+1]] {
		d2 := (v[0]-x)*(v[0]-x) + (v[1]-y)*(v[1]-y)
		n := len(p.near)
		if n == k && d2 >= p.near[n-1].d2 {
			continue
		}
		if n < k {
			p.near = append(p.near, hitPoint{})
			n++
		}
		i := n - 1
		for ; i > 0 && p.near[i-1].d2 > d2; i-- {
			p.near[i] = p.near[i-1]
		}
		p.near[i] = hitPoint{d2, v[2]}
	}
}
