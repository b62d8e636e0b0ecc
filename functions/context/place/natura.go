package place

import (
	"context"
	"math"
	"slices"

	"mappe/artefacts/overlays"
	"mappe/artefacts/rowschema"
	"mappe/functions/core/overlayindex"
	"mappe/functions/core/view"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/fault"
	"mappe/shared/web/format"
	"mappe/shared/web/reply"
)

var (
	siteCode  = endpoint.String("sitecode", "Code of the site.", endpoint.Between(1, 20), endpoint.Example("AT3299001"))
	withShape = endpoint.Bool("geometry", "Draw the outline, a MultiPolygon.", endpoint.Default("false"))
)

// sources are the view and the overlays of a request.
func sources(ctx context.Context) (*view.View, *overlayindex.Overlays, error) {
	v, err := view.Of(ctx)
	if err != nil {
		return nil, nil, err
	}
	return v, overlayindex.Of(v.View), nil
}

func naturaSite() endpoint.Endpoint {
	return endpoint.Endpoint{
		Method: "GET", Path: "/api/v1/natura2000/site/{sitecode}", ID: "natura2000_site",
		Summary: "One Natura 2000 site",
		Doc:     `data is the site; geometry=1 adds its outline. 404 where no site has the code. habitats are tags inferred from the name.`,
		Params:  []endpoint.AnyParam{siteCode, withShape},
		Answer: endpoint.Answer{Rows: []*format.RowType{rowschema.Site.RowType}, Page: endpoint.Page{None: true}, JSONOnly: true,
			Body: struct {
				Data endpoint.Row `json:"data"`
				Meta licenceMeta  `json:"meta"`
			}{}},
		Example: "/api/v1/natura2000/site/AT3299001",
		Serve: func(ctx context.Context, r *endpoint.Request) (reply.Answer, error) {
			_, o, err := sources(ctx)
			if err != nil {
				return nil, err
			}
			sites, err := o.Sites(ctx)
			if err != nil {
				return nil, err
			}
			i := slices.IndexFunc(sites, func(s overlays.Site) bool { return s.Code == siteCode.Of(r) })
			if i < 0 {
				return nil, fault.New(fault.NotFound, "there is no Natura 2000 site %s", fault.Shorten(siteCode.Of(r)))
			}
			row := rowschema.Site.Record()
			row.Item.S = &sites[i]
			drawn := withShape.Of(r) || slices.Contains(r.Fields, "geometry")
			if drawn {
				shapes, err := o.Shapes(ctx, overlays.SiteShapes, []int{i})
				if err != nil {
					return nil, err
				}
				row.Item.Shape = shapes[0]
			}
			return &reply.Stream{Geometry: drawn, Write: func(j *format.JSON, l *format.Layout) error {
				j.Key("data")
				j.Row(row, l)
				return j.Err()
			}}, nil
		},
	}
}

// siteBlock is a Natura 2000 site as /context shows it.
type siteBlock struct {
	Code     string             `json:"sitecode"`
	Name     string             `json:"sitename"`
	Type     string             `json:"sitetype"`
	Label    string             `json:"site_type_label"`
	AreaHa   *float64           `json:"area_ha"`
	Habitats []overlays.Habitat `json:"habitats"`
}

type naturaBlock struct {
	In    bool        `json:"in_natura2000"`
	Sites []siteBlock `json:"sites"`
}

func (q *question) natura(ctx context.Context) (any, string, error) {
	if !q.over.Has() {
		return nil, notPublished, nil
	}
	found, err := q.over.Here(q.at).Sites(ctx)
	if err != nil {
		return nil, "", err
	}
	b := &naturaBlock{In: len(found) > 0, Sites: []siteBlock{}}
	for _, s := range found {
		b.Sites = append(b.Sites, siteBlock{s.Code, s.Name, s.Type.String(), s.Type.Label(), known(s.AreaHa), s.Tags.List()})
	}
	return b, "", nil
}

// areaBlock is a protected area as /context shows it.
type areaBlock struct {
	Name      string   `json:"name"`
	Desig     string   `json:"desig"`
	DesigEng  string   `json:"desig_eng"`
	DesigType string   `json:"desig_type"`
	IUCN      string   `json:"iucn_cat"`
	RepArea   *float64 `json:"rep_area"` // km²
}

type protectedBlock struct {
	In    bool        `json:"in_protected_area"`
	Sites []areaBlock `json:"sites"`
}

func (q *question) protected(ctx context.Context) (any, string, error) {
	if !q.over.Has() {
		return nil, notPublished, nil
	}
	found, err := q.over.Here(q.at).Areas(ctx)
	if err != nil {
		return nil, "", err
	}
	b := &protectedBlock{In: len(found) > 0, Sites: []areaBlock{}}
	for _, a := range found {
		b.Sites = append(b.Sites, areaBlock{a.Name, a.Desig, a.DesigEng, a.DesigType, a.IUCN, known(a.RepArea)})
	}
	return b, "", nil
}

// known is a number for JSON, nil for NaN and infinities; 4 decimals.
func known(v float64) *float64 {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return nil
	}
	v = math.Round(v*1e4) / 1e4
	return &v
}
