package overlays

import (
	"context"
	"slices"
	"strings"

	"mappe/artefacts/kgfile"
	"mappe/artefacts/overlays"
	"mappe/artefacts/rowschema"
	"mappe/functions/core/overlayindex"
	"mappe/functions/core/rows"
	"mappe/functions/core/view"
	"mappe/shared/austria"
	"mappe/shared/geo/region"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/fault"
	"mappe/shared/web/format"
	"mappe/shared/web/params"
	"mappe/shared/web/reply"
)

var (
	pathKG  = params.KG("kg", "The KG")
	pathGNR = params.GNR("gnr")

	siteParcel = rowschema.ParcelShown.Named("site_parcel", "A parcel whose centroid lies in the site.")
	withShares = endpoint.Bool("overlap", "true tells of each parcel what of it lies in the site: overlap_sqm and overlap_pct.",
		endpoint.Default("false"))
)

func siteParcels() endpoint.Endpoint {
	return rows.List(endpoint.Endpoint{
		Method: "GET", Path: "/api/v1/natura2000/site_parcels/{code}", ID: "natura2000_site_parcels", Tag: tag,
		Summary: "Parcels in a Natura 2000 site",
		Doc: `Parcels whose centroid lies in the site, by KG, in the order of the snapshots. 404 where no site has the code.` +
			plainDoc,
		Params:  []endpoint.AnyParam{siteCode, withShares},
		Answer:  endpoint.Answer{Rows: []*format.RowType{Described(siteParcel).RowType}},
		Example: "/api/v1/natura2000/site_parcels/AT3299001",
	}, func(ctx context.Context, v *view.View, r *endpoint.Request) (*rows.Query, error) {
		o := overlayindex.Of(v.View)
		sites, err := o.Sites(ctx)
		if err != nil {
			return nil, err
		}
		i, err := siteAt(r, sites)
		if err != nil {
			return nil, err
		}
		filter := overlayindex.Filter{Site: sites[i].Code}
		codes, _, err := o.KGs(ctx, filter)
		if err != nil {
			return nil, err
		}
		source, err := sharesOf(ctx, r, o, i)
		if err != nil {
			return nil, err
		}
		q, err := rows.Over(ctx, v, codes, rows.Layer{Source: source, Match: passing(ctx, v, o, filter)})
		if err != nil {
			return nil, err
		}
		q.NoGeometry = !outlined(r)
		return q, unread(ctx, q, o, filter)
	})
}

// sharesOf draws the parcels of a site, where it is asked for with what of them lies in it.
func sharesOf(ctx context.Context, r *endpoint.Request, o *overlayindex.Overlays, site int) (rows.Source, error) {
	if !withShares.Of(r) {
		for _, c := range ShareColumns {
			if slices.Contains(r.Fields, c.Name) {
				return nil, fault.Of(fault.Conflict, "fields", c.Name, "overlap=true together with it")
			}
		}
		return rows.Parcels(siteParcel.Record()), nil
	}
	shapes, err := o.Shapes(ctx, overlays.SiteShapes, []int{site})
	if err != nil {
		return nil, err
	}
	m := shapes[0].Geometry
	if err := TooLong(m); err != nil {
		return nil, err
	}
	work := int64(mostPairs)
	s := Shares{Area: region.Of(m), Cover: CoverOf(m), Work: &work}
	return s.Source(siteParcel), nil
}

// passing matches the parcels of served snapshots that pass a filter: the overlays of another date are not known.
func passing(ctx context.Context, v *view.View, o *overlayindex.Overlays, filter overlayindex.Filter) rows.Match {
	return func(at *rows.Candidate, f *kgfile.File, found []int32) ([]int32, error) {
		if !v.Serves(at.Code) {
			return found, nil
		}
		k, err := o.KG(ctx, at.Code)
		if err != nil {
			return nil, err
		}
		for row := range f.NumParcels() {
			if filter.Passes(k, row) {
				found = append(found, int32(row))
			}
		}
		return found, nil
	}
}

// unread has the KGs without a snapshot that the filter does not rule out in the gaps of a query.
func unread(ctx context.Context, q *rows.Query, o *overlayindex.Overlays, f overlayindex.Filter) error {
	outside, err := o.Outside(ctx, f)
	if err != nil {
		return err
	}
	if outside == nil {
		q.View.Country(ctx, &q.Missing)
		return nil
	}
	var name strings.Builder
	f.Name(&name)
	q.View.Part(q.View.Unbuilt(ctx).Part(name.String(), func() (codes []austria.KGCode) {
		kgs := q.View.Register().KGs()
		for i := range kgs {
			if k := &kgs[i]; k.Snapshot.Key == "" && !outside(k) {
				codes = append(codes, k.Code)
			}
		}
		return codes
	}), &q.Missing)
	return nil
}

type parcelBody struct {
	ParcelID string                `json:"parcel_id"`
	In       bool                  `json:"in_natura2000"`
	Sites    []rowschema.SiteBrief `json:"natura2000_sites"`
}

func naturaParcel() endpoint.Endpoint {
	return endpoint.Endpoint{
		Method: "GET", Path: "/api/v1/natura2000/parcel/{kg}/{gnr}", ID: "natura2000_parcel", Tag: tag,
		Summary: "Natura 2000 sites of a parcel",
		Doc: `The sites that hold the parcel's centroid. 404 where there is no such parcel, or where that is
not known because its KG cannot be read (ready is false then, reason says why).`,
		Params:  []endpoint.AnyParam{pathKG, pathGNR},
		Answer:  endpoint.Answer{Body: parcelBody{}},
		Example: "/api/v1/natura2000/parcel/99101/1",
		Serve: func(ctx context.Context, r *endpoint.Request) (reply.Answer, error) {
			v, o, err := opened(ctx)
			if err != nil {
				return nil, err
			}
			id := austria.ParcelID{KG: pathKG.Of(r), GNR: pathGNR.Of(r)}
			_, row, err := v.Parcel(ctx, id)
			if err != nil {
				return nil, err
			}
			k, err := o.KG(ctx, id.KG)
			if err != nil {
				return nil, err
			}
			sites := rowschema.BriefsOf(k, row)
			return &reply.Document{Body: parcelBody{id.String(), len(sites) > 0, sites}}, nil
		},
	}
}

type kgBody struct {
	KG     string `json:"kg_code"`
	KGName string `json:"kg_name"`
	rowschema.KGOverlay
}

func naturaKG() endpoint.Endpoint {
	return endpoint.Endpoint{
		Method: "GET", Path: "/api/v1/natura2000/kg/{kg}", ID: "natura2000_kg", Tag: tag,
		Summary: "Natura 2000 sites and laws of a KG",
		Doc: `natura2000_overlap_count counts the sites whose box meets that of the KG, a superset; natura2000_inside_sites are
those that share area with it, each with the number of parcels whose centroid lies in it. 404 where there is no such KG, or
where it was not built (ready is false then); numbers are 0 where nothing lies over it.`,
		Params:  []endpoint.AnyParam{pathKG},
		Answer:  endpoint.Answer{Body: kgBody{}},
		Example: "/api/v1/natura2000/kg/99101",
		Serve: func(ctx context.Context, r *endpoint.Request) (reply.Answer, error) {
			v, o, err := opened(ctx)
			if err != nil {
				return nil, err
			}
			k, err := view.Known(v.View, pathKG.Of(r))
			if err != nil {
				return nil, err
			}
			if k.Snapshot.Key == "" { // nothing is known of its parcels, which is not nothing
				if _, err := v.Need(ctx, k.Code); err != nil {
					return nil, err
				}
			}
			index, err := o.Index(ctx)
			if err != nil {
				return nil, err
			}
			return &reply.Document{Body: kgBody{string(k.Code), k.Name, rowschema.OverlayOf(overlays.Find(index, k.Code))}}, nil
		},
	}
}
