package spatial

import (
	"context"
	"slices"

	"mappe/artefacts/kgfile"
	"mappe/shared/austria"
	"mappe/shared/geo/geom"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/format"
	"mappe/shared/web/reply"
)

var nearKinds = []*format.Kind{parcelNear, buildingNear, kgNearKind}

func (s *service) pointGet() endpoint.Endpoint {
	return endpoint.Endpoint{
		Method: "GET", Path: "/api/v1/spatial/point", ID: "spatial_point", Tag: tag,
		Summary: "Features around a point, nearest first",
		Doc: `The features of the asked layers up to radius metres from the point, across KG borders.

Order: distance_m, then layer as asked, KG code, order in the snapshot. distance_m is measured to the nearest place of the
feature, 0 inside it. radius=0 gives the features at the point. landuse, min_area, max_area and has_buildings choose parcels only.
Plain JSON rows of parcels and KGs carry geometry unless attrs_only=true; rows of address points carry lon and lat. More than
2,000,000 matches are refused.
` + gapsDoc,
		Params:  slices.Concat([]endpoint.AnyParam{lon, lat, radius, layers}, filters, []endpoint.AnyParam{attrsOnly}),
		Answer:  endpoint.Answer{Rows: nearKinds, Meta: GapsMeta{}, Headers: readyHeaders},
		Example: "/api/v1/spatial/point?lon=13.2742&lat=47.3208&radius=50&layers=parcels,buildings",
		Depends: func(ctx context.Context, r *endpoint.Request) (string, error) {
			if version.Of(r) != "" {
				return r.Generation.ID, nil
			}
			p, err := s.preparePoint(ctx, r)
			if err != nil {
				return "", err
			}
			r.Memo = p
			return p.n.v.Depends(p.codes), nil
		},
		Serve: func(ctx context.Context, r *endpoint.Request) (reply.Answer, error) {
			p, err := s.preparePoint(ctx, r)
			if err != nil {
				return nil, err
			}
			n := p.n
			found, err := n.around(ctx, p.at, p.codes, nil)
			if err != nil {
				return nil, err
			}
			total := len(found)
			if found = found[min(r.Offset, total):min(r.Offset+r.Limit, total)]; len(found) < total {
				found = slices.Clone(found) // the rest need not be held while the page is written
			}
			k := nearLook(r)
			return n.gaps.mark(&reply.Rows{
				Rows: n.rows(ctx, found, k), Total: total, Kinds: k.kinds(n.layers), Geometry: !k.centroid,
			}), nil
		},
	}
}

// preparedPoint is what a request about a point asks for, found out for its ETag and used for its answer.
type preparedPoint struct {
	n     *near
	at    geom.Point
	codes []austria.KGCode
}

func (s *service) preparePoint(ctx context.Context, r *endpoint.Request) (*preparedPoint, error) {
	if p, ok := r.Memo.(*preparedPoint); ok {
		return p, nil
	}
	at, err := position(r)
	if err != nil {
		return nil, err
	}
	f, err := filterOf(r)
	if err != nil {
		return nil, err
	}
	v, err := s.view(ctx)
	if err != nil {
		return nil, err
	}
	n := &near{v: v, radius: radius.Of(r), layers: layers.Of(r), filter: f, budget: maxNear}
	codes, err := n.reach(at)
	return &preparedPoint{n, at, codes}, err
}

// nearLook is lookOf for rows with a distance.
func nearLook(r *endpoint.Request) look {
	k := look{parcel: parcelNear, building: buildingNear, kg: kgNearKind}
	if attrsOnly.Of(r) {
		k.parcel, k.centroid = parcelPointNear, true
	}
	if r.Format == format.FormJSON || r.Format == format.FormNDJSON {
		k.building = buildingPlainNear
	}
	return k
}

// rows streams hits in their order. Neighbouring hits are mostly of one KG; the files of the last few
// KGs are held.
func (n *near) rows(ctx context.Context, hits []hit, k look) format.Seq {
	return func(yield func(format.Row, error) bool) {
		held := heldFiles{v: n.v}
		parcel := parcelRow{kind: k.parcel, centroid: k.centroid}
		building := buildingRow{kind: k.building}
		kg := kgRow{kind: k.kg, fields: kgFields, reg: n.v.Register()}
		for _, h := range hits {
			l := n.layers[h.layer]
			if l == kgs {
				kg.kg, kg.distance = n.kgs[h.kg], h.distance
				if !yield(&kg, nil) {
					return
				}
				continue
			}
			f, err := held.open(ctx, n.kgs[h.kg].Code)
			if err != nil {
				yield(nil, err)
				return
			}
			var row format.Row
			switch l {
			case parcels:
				var rows []kgfile.Parcel
				if rows, err = f.Parcels(); err == nil {
					parcel.base.KG = &n.kgs[h.kg].KG
					parcel.distance = h.distance
					parcel.set(&rows[h.row])
					row = &parcel
				}
			default:
				var rows []kgfile.Building
				if rows, err = f.Buildings(); err == nil {
					building.base.KG = &n.kgs[h.kg].KG
					building.distance = h.distance
					if building.parcels, err = f.Parcels(); err == nil {
						building.set(&rows[h.row])
						row = &building
					}
				}
			}
			if err != nil {
				yield(nil, err)
				return
			}
			if !yield(row, nil) {
				return
			}
		}
	}
}

// heldFiles keeps the KG files of one answer open, at most pinned of them; beyond that the library's
// cache decides what stays in memory.
type heldFiles struct {
	v     *view
	files map[austria.KGCode]*kgfile.File
	last  austria.KGCode
	file  *kgfile.File
}

func (h *heldFiles) open(ctx context.Context, code austria.KGCode) (*kgfile.File, error) {
	if code == h.last {
		return h.file, nil
	}
	f, ok := h.files[code]
	if !ok {
		var err error
		if f, err = h.v.open(ctx, code); err != nil {
			return nil, err
		}
		if h.file != nil { // most answers touch one KG and need no table
			if h.files == nil || len(h.files) >= pinned {
				h.files = map[austria.KGCode]*kgfile.File{}
			}
			h.files[h.last], h.files[code] = h.file, f
		}
	}
	h.last, h.file = code, f
	return f, nil
}
