package overlays

import (
	"context"
	"slices"

	"mappe/artefacts/overlays"
	"mappe/artefacts/rowschema"
	"mappe/functions/core/view"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/fault"
	"mappe/shared/web/format"
	"mappe/shared/web/params"
	"mappe/shared/web/reply"
)

// listMode is the closed set of list=.
type listMode string

var (
	siteType = endpoint.Parsed("type", "A birds, B habitats, C both; a site of both is one of each.", overlays.ParseSiteType,
		endpoint.Example("B"))
	siteHabitat = endpoint.Enum("habitat", "Only sites with this tag.", overlays.AllHabitats())
	siteList    = endpoint.Enum("list", "all: every site that passes the other filters, in one answer where limit is not given.",
		[]listMode{"all"})
	siteCode  = endpoint.String("code", "Code of the site.", endpoint.Between(1, 20), endpoint.Example("AT3299001"))
	withShape = endpoint.Bool("geometry", "Draw the outline.", endpoint.Default("false"))
	position  = params.At("lon", "lat", "", endpoint.Required)
)

const naturaDoc = `Sites that pass every filter given, all without one, by code. Features that the source has under one code are ` +
	`one site.` + placeDoc + plainDoc

// NaturaSearch lists sites by name, type, habitat and place; the context service has it too.
func NaturaSearch() endpoint.Endpoint {
	return endpoint.Endpoint{
		Method: "GET", Path: "/api/v1/natura2000/search", ID: "natura2000_search", Tag: tag,
		Summary: "Natura 2000 sites by name, type, habitat and place",
		Doc:     naturaDoc,
		Params:  slices.Concat([]endpoint.AnyParam{name, siteType, siteHabitat, siteList}, inPlace),
		Answer:  siteAnswer(),
		Example: "/api/v1/natura2000/search?q=Lorfach",
		Serve:   func(ctx context.Context, r *endpoint.Request) (reply.Answer, error) { return naturaList(ctx, r, nil) },
	}
}

func siteAnswer() endpoint.Answer {
	return endpoint.Answer{Rows: []*format.RowType{rowschema.SiteFound.RowType}, Meta: placeMeta{}, Headers: view.ReadyHeaders}
}

func naturaPost(body endpoint.AnyBody, of func(*endpoint.Request) *Area) endpoint.Endpoint {
	return endpoint.Endpoint{
		Method: "POST", Path: "/api/v1/natura2000/search", ID: "natura2000_search_post", Tag: tag,
		Summary:     "Natura 2000 sites in an area",
		Doc:         naturaDoc,
		Params:      slices.Concat([]endpoint.AnyParam{name, siteType, siteHabitat, siteList}, inPlace),
		Body:        body,
		Answer:      siteAnswer(),
		Example:     "/api/v1/natura2000/search",
		ExampleBody: placeExample,
		Serve: func(ctx context.Context, r *endpoint.Request) (reply.Answer, error) {
			return naturaList(ctx, r, of(r))
		},
	}
}

func naturaList(ctx context.Context, r *endpoint.Request, a *Area) (reply.Answer, error) {
	v, o, err := opened(ctx)
	if err != nil {
		return nil, err
	}
	sites, err := o.Sites(ctx)
	if err != nil {
		return nil, err
	}
	p, err := placeOf(ctx, v, r, a)
	if err != nil {
		return nil, err
	}
	passes := named(r)
	var found []int
	for i := range sites {
		s := &sites[i]
		if passes(s.Name) && (!siteType.Given(r) || s.Type.Fits(siteType.Of(r))) && (!siteHabitat.Given(r) ||
			s.Tags.Has(siteHabitat.Of(r))) {
			found = append(found, i)
		}
	}
	from := shapes{o, overlays.SiteShapes, geographic(r)}
	found, shared, err := from.overlapping(ctx, p, found, sortBy.Given(r))
	if err != nil {
		return nil, err
	}
	whole := siteList.Given(r) && r.Whole(len(found))
	answer := listing[rowschema.SiteRow]{kindFor(p, rowschema.Site, rowschema.SiteFound), found,
		func(item *rowschema.SiteRow, i int, s *overlays.Shape) {
			item.S, item.Shape, item.In = &sites[found[i]], s, shared[found[i]]
		}}.page(ctx, r, from)
	if whole {
		answer.Limit = r.Limit
	}
	return placedIn(answer, p), nil
}

func sitePage(ctx context.Context, r *endpoint.Request, from shapes, sites []overlays.Site, found []int) *reply.Rows {
	return listing[rowschema.SiteRow]{rowschema.Site, found, func(item *rowschema.SiteRow, i int, s *overlays.Shape) {
		item.S, item.Shape = &sites[found[i]], s
	}}.page(ctx, r, from)
}

// NaturaPoint lists the sites that hold a point; the context service has it too.
func NaturaPoint() endpoint.Endpoint {
	return endpoint.Endpoint{
		Method: "GET", Path: "/api/v1/natura2000/point", ID: "natura2000_point", Tag: tag,
		Summary: "Natura 2000 sites that hold a point",
		Doc:     `The sites that hold the point, by code; in_natura2000 beside data says whether there is one.` + plainDoc,
		Params:  position.Params(),
		Answer: endpoint.Answer{Rows: []*format.RowType{rowschema.Site.RowType}, Beside: struct {
			In bool `json:"in_natura2000"`
		}{}},
		Example: "/api/v1/natura2000/point?lon=13.2686&lat=47.3190",
		Serve: func(ctx context.Context, r *endpoint.Request) (reply.Answer, error) {
			_, o, err := opened(ctx)
			if err != nil {
				return nil, err
			}
			p, err := position.Of(r)
			if err != nil {
				return nil, err
			}
			found, err := o.At(ctx, overlays.SiteShapes, p)
			if err != nil {
				return nil, err
			}
			sites, err := o.Sites(ctx)
			if err != nil {
				return nil, err
			}
			a := sitePage(ctx, r, shapes{o, overlays.SiteShapes, geographic(r)}, sites, found)
			a.Members = []reply.Member{{Name: "in_natura2000", Value: len(found) > 0}}
			return a, nil
		},
	}
}

func naturaSite() endpoint.Endpoint {
	return endpoint.Endpoint{
		Method: "GET", Path: "/api/v1/natura2000/site/{code}", ID: "natura2000_site", Tag: tag,
		Summary: "One Natura 2000 site",
		Doc:     `The site as the one row of data; geometry=1 adds its outline. 404 where no site has the code.`,
		Params:  []endpoint.AnyParam{siteCode, withShape},
		Answer:  endpoint.Answer{Rows: []*format.RowType{rowschema.Site.RowType}},
		Example: "/api/v1/natura2000/site/AT3299001",
		Serve: func(ctx context.Context, r *endpoint.Request) (reply.Answer, error) {
			_, o, err := opened(ctx)
			if err != nil {
				return nil, err
			}
			sites, err := o.Sites(ctx)
			if err != nil {
				return nil, err
			}
			i, err := siteAt(r, sites)
			if err != nil {
				return nil, err
			}
			return sitePage(ctx, r, shapes{o, overlays.SiteShapes, geographic(r) || withShape.Of(r)}, sites, []int{i}), nil
		},
	}
}

// siteAt is the row of the site that the path names.
func siteAt(r *endpoint.Request, sites []overlays.Site) (int, error) {
	i := slices.IndexFunc(sites, func(s overlays.Site) bool { return s.Code == siteCode.Of(r) })
	if i < 0 {
		return 0, fault.New(fault.NotFound, "there is no Natura 2000 site %s", fault.Shorten(siteCode.Of(r)))
	}
	return i, nil
}

type statsBody struct {
	Sites       int            `json:"sites"`
	ByType      map[string]int `json:"by_type" doc:"sites per type; C counts as C alone"`
	AreaHa      float64        `json:"area_ha" doc:"sum over the sites; sites may overlap"`
	KGsInside   int            `json:"kgs_inside" doc:"KGs that share area with a site"`
	KGsParcels  int            `json:"kgs_with_parcels" doc:"KGs with a parcel in a site"`
	ParcelCount int            `json:"parcel_count" doc:"parcels in a site"`
	Habitats    map[string]int `json:"habitats" doc:"sites per tag"`
}

func naturaStats() endpoint.Endpoint {
	return endpoint.Endpoint{
		Method: "GET", Path: "/api/v1/natura2000/stats", ID: "natura2000_stats", Tag: tag,
		Summary: "Natura 2000 in numbers",
		Doc:     `Numbers of sites, and of the KGs and parcels that they lie over: of KGs whose snapshot is in the store.`,
		Answer:  endpoint.Answer{Body: statsBody{}},
		Example: "/api/v1/natura2000/stats",
		Serve: func(ctx context.Context, _ *endpoint.Request) (reply.Answer, error) {
			_, o, err := opened(ctx)
			if err != nil {
				return nil, err
			}
			sites, err := o.Sites(ctx)
			if err != nil {
				return nil, err
			}
			index, err := o.Index(ctx)
			if err != nil {
				return nil, err
			}
			return &reply.Document{Body: stats(sites, index)}, nil
		},
	}
}

func stats(sites []overlays.Site, index []overlays.Index) statsBody {
	b := statsBody{Sites: len(sites), ByType: map[string]int{"A": 0, "B": 0, "C": 0}, Habitats: map[string]int{}}
	for i := range sites {
		b.ByType[sites[i].Type.String()]++
		b.AreaHa += sites[i].AreaHa
		for _, h := range sites[i].Tags.List() {
			b.Habitats[string(h)]++
		}
	}
	for i := range index {
		x := &index[i]
		if len(x.Inside()) > 0 {
			b.KGsInside++
		}
		if x.Parcels > 0 {
			b.KGsParcels++
		}
		b.ParcelCount += x.Parcels
	}
	return b
}
