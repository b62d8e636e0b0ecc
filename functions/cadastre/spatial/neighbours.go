package spatial

import (
	"cmp"
	"context"
	"math"
	"slices"

	"mappe/functions/core/geometry"
	"mappe/functions/core/overlayindex"
	"mappe/functions/core/rows"
	"mappe/functions/core/spatialquery"
	"mappe/functions/core/view"
	"mappe/shared/austria"
	"mappe/shared/geo/border"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/format"
	"mappe/shared/web/params"
	"mappe/shared/web/reply"
)

const (
	// leastShared is the border in metres that makes two parcels neighbours: corners share none.
	leastShared = 1.0
	// borderTolerance in metres is how far the borders of neighbours may lie apart: those of two KGs are drawn apart, and on
	// a grid of 1 cm.
	borderTolerance = 0.05
)

var (
	neighbourOf  = params.Parcel("id", "Parcel", endpoint.Required)
	sharedColumn = format.Column{Name: "shared_border_m", Type: format.TypeFloat, Decimals: 1, Unit: "m",
		Doc: "Length of the border that both parcels share."}

	neighbourRows = parcelRows.WithSet(sharedColumn).Named("neighbour", "A parcel that shares a border.")
)

func neighbours() endpoint.Endpoint {
	return endpoint.Endpoint{
		Method: "GET", Path: "/api/v1/parcels/{id}/neighbours", ID: "parcel_neighbours", Tag: tag,
		Summary: "Parcels that share a border with a parcel",
		Doc: `The parcels that share at least 1 m of border with the parcel, in its KG and in those beside it: the longest border first,
then KG code, then the order in the snapshot. Borders are the same where they run within 5 cm of each other. border_m in meta is the
parcel's own border, inner rings included. 404 where there is no such parcel.` + view.MissingDoc,
		Params: []endpoint.AnyParam{neighbourOf},
		Answer: endpoint.Answer{Rows: []*format.RowType{neighbourRows.RowType}, Headers: view.ReadyHeaders, Meta: struct {
			Border float64 `json:"border_m" doc:"Length of the parcel's border."`
			view.GapsMeta
		}{}},
		Example: "/api/v1/parcels/99101-1/neighbours",
		Depends: func(ctx context.Context, r *endpoint.Request) (string, error) {
			n, err := prepareNeighbours(ctx, r)
			if err != nil {
				return "", err
			}
			over, err := overlayindex.Depends(ctx, n.v.View, n.codes)
			return n.v.Depends(n.codes) + over, err
		},
		Serve: func(ctx context.Context, r *endpoint.Request) (reply.Answer, error) {
			n, err := prepareNeighbours(ctx, r)
			if err != nil {
				return nil, err
			}
			found, gaps, err := n.find(ctx)
			if err != nil {
				return nil, err
			}
			row := neighbourRows.Record()
			drawn := rows.Ranking{View: n.v,
				Layers: []rows.RankedLayer{{Source: rows.Parcels(row), Rank: func(shared float64) {
					row.Set(0, format.Float(shared, sharedColumn.Decimals))
				}}}}
			for _, code := range n.codes {
				drawn.KGs = append(drawn.KGs, n.v.Register().KG(code))
			}
			page := endpoint.Paged(r, found)
			return gaps.Mark(&reply.Rows{Rows: drawn.Rows(ctx, page), Total: len(found), Geometry: true,
				Meta: []reply.Member{{Name: "border_m", Value: math.Round(n.border.Length()*10) / 10}}}), nil
		},
	}
}

// neighbourhood is what a request asks for, found out for its ETag and used for its answer.
type neighbourhood struct {
	v      *view.View
	id     austria.ParcelID
	row    int // of the parcel in its KG
	border *border.Area
	codes  []austria.KGCode // KGs whose ground reaches the parcel's border
}

func prepareNeighbours(ctx context.Context, r *endpoint.Request) (*neighbourhood, error) {
	if n, ok := r.Memo.(*neighbourhood); ok {
		return n, nil
	}
	v, err := view.Of(ctx)
	if err != nil {
		return nil, err
	}
	n, err := neighbourhoodOf(ctx, v, neighbourOf.Of(r))
	if err != nil {
		return nil, err
	}
	r.Memo = n
	return n, nil
}

// neighbourhoodOf finds where the neighbours of a parcel may be.
func neighbourhoodOf(ctx context.Context, v *view.View, id austria.ParcelID) (*neighbourhood, error) {
	n := &neighbourhood{v: v, id: id}
	f, row, err := v.Parcel(ctx, n.id)
	if err != nil {
		return nil, err
	}
	shape := f.ParcelGeometry(row)
	n.row, n.border = row, border.Of(shape, borderTolerance)
	ground := geometry.Shape{Polygons: shape}.Area(borderTolerance)
	n.codes = slices.DeleteFunc(v.KGsNear(n.border.Box()), func(code austria.KGCode) bool {
		return code == n.id.KG || !v.Moved(code) && !spatialquery.Reaches(v.Register(), code, ground, 0)
	})
	n.codes = append(n.codes, n.id.KG)
	return n, nil
}

// find measures the borders of all parcels whose boxes reach the parcel's; the longest come first.
func (n *neighbourhood) find(ctx context.Context) (found []rows.Hit, gaps view.Missing, err error) {
	for k, code := range n.codes {
		f, err := n.v.Read(ctx, code, &gaps)
		if err != nil {
			return nil, gaps, err
		}
		if f == nil {
			continue
		}
		f.InBox(n.border.Box(), func(i int) bool {
			if code == n.id.KG && i == n.row {
				return true
			}
			if shared := n.border.Shared(f.ParcelGeometry(i)); shared >= leastShared {
				found = append(found, rows.Hit{Rank: math.Round(shared*10) / 10, Row: int32(i), KG: int16(k)})
			}
			return true
		})
	}
	slices.SortFunc(found, func(a, b rows.Hit) int {
		return cmp.Or(cmp.Compare(b.Rank, a.Rank), cmp.Compare(n.codes[a.KG], n.codes[b.KG]), cmp.Compare(a.Row, b.Row))
	})
	return found, gaps, nil
}
