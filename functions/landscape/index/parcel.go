package index

import (
	"context"
	"errors"
	"strconv"

	"mappe/artefacts/landscape"
	"mappe/functions/core/view"
	"mappe/shared/austria"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/fault"
	"mappe/shared/web/format"
	"mappe/shared/web/params"
	"mappe/shared/web/reply"
)

var parcelPath = params.Parcel("parcel_id", "The parcel", endpoint.Required)

// parcelRows are parcels by their columns, landRows those of several KGs.
var parcelFields = landscape.ParcelColumns.Fields()

var landRows = format.NewSchema("landscape_parcel", "A parcel with its terrain and vegetation.", format.Drawing[landscape.Parcel]{},
	parcelFields)

// parcelBody is the answer of a parcel, beside its columns.
type parcelBody struct {
	endpoint.Open                       // the columns of the parcel, as the rows of /query/parcels have them
	Types          map[string]areaShare `json:"area_summary"`
	Heights        map[string]*float64  `json:"height_distribution" doc:"share of its cells by metres above the ground"`
	Classification []sureBody           `json:"classification"`
	Loss           lossOfParcel         `json:"hansen_loss"`
	Vertices       []vertex             `json:"vertex_heights"`
	Letters        map[string]*float64  `json:"frav" doc:"m² by the letter of the type"`
	Objects        [][]any              `json:"top_objs" doc:"type, hmax, hmean, area, lon, lat, conf, rf_conf, manmade"`
	Trees          [][]any              `json:"top_trees" doc:"hmax, hmean, hp90, area, lon, lat, ndvi_mean, ndvi_fused, height_change_m, phenology_class, conf, rf_conf"`
	Meta           reply.DatasetMeta    `json:"meta"`
}

func (s *service) parcel() endpoint.Endpoint {
	return endpoint.Endpoint{
		Method: "GET", Path: "/api/v1/parcel/{parcel_id}", ID: "landscape_parcel", Tag: tag, Summary: "What was found on a parcel",
		Doc: `Area by type, heights, vegetation, terrain, lost forest, and the five highest objects and trees as compact arrays, whose letters of types are
lower case for what grows and upper case for what people made. A parcel of a KG that was not processed, and one that is newer than the
analysis of its KG, is 404 with processed false.`,
		Params: []endpoint.AnyParam{parcelPath}, Answer: endpoint.Answer{Body: parcelBody{}}, Example: "/api/v1/parcel/09902-287",
		Serve: func(ctx context.Context, r *endpoint.Request) (reply.Answer, error) {
			c, err := s.open(ctx)
			if err != nil {
				return nil, err
			}
			p, err := c.parcel(ctx, parcelPath.Of(r))
			if err != nil {
				return nil, err
			}
			return &reply.Stream{Write: func(j *format.JSON, _ *format.Layout) error { writeParcel(j, p); return nil }}, nil
		},
	}
}

// parcel reads a parcel of the file of its KG: one section.
func (c *country) parcel(ctx context.Context, id austria.ParcelID) (*landscape.Parcel, error) {
	f, err := c.file(ctx, id.KG)
	if err != nil {
		return nil, err
	}
	want := string(id.KG) + "-" + string(id.GNR)
	chunks := f.h.Of(landscape.Parcels.Name)
	n := 0
	for i := range chunks {
		if landscape.SameOrAfter(want, chunks[i].First) {
			n = i
		}
	}
	at := -1
	got, err := rows(ctx, f, landscape.Parcels, func(landscape.Chunk) bool { at++; return at == n })
	if err != nil {
		return nil, err
	}
	for _, part := range got {
		for i := range part {
			if landscape.SameParcel(part[i].ID, want) {
				return &part[i], nil
			}
		}
	}
	return nil, c.newer(ctx, id)
}

// newer is the fault of a parcel that analysis does not have: one that the cadastre has is newer than the analysis of its KG.
func (c *country) newer(ctx context.Context, id austria.ParcelID) error {
	if _, _, err := view.At(ctx, c.v).Parcel(ctx, id); err != nil {
		return err
	}
	f := fault.New(fault.NotFound, "parcel %s is newer than the analysis of its KG", id)
	f.Members = map[string]any{"processed": false, "kg_code": string(id.KG), "reason": notAnalysed}
	return f
}

// isNewer says whether an error is that of a parcel that was not analysed.
func isNewer(err error) bool {
	var f *fault.Fault
	return errors.As(err, &f) && f.Members["reason"] == notAnalysed
}

func writeParcel(j *format.JSON, p *landscape.Parcel) {
	for _, f := range parcelFields {
		if f.Name == "hansen_total_pixels" || f.Name == "hansen_recent_5yr_pixels" {
			continue // in hansen_loss
		}
		j.Key(f.Name)
		j.Value(f.Get(p))
	}
	j.Member("area_summary", sharesOf(p.Types))
	distribution := map[string]*float64{}
	for i, v := range p.Heights {
		distribution[heightName(i)] = rounded(float64(v), 4)
	}
	j.Member("height_distribution", distribution)
	j.Member("classification", suresOf(p.Classification))
	loss := lossOfParcel{rounded(float64(p.LossPixels), 0), rounded(float64(p.RecentLossPixels), 0), map[string]*float64{}}
	for _, l := range p.LossByYear {
		loss.Years[strconv.Itoa(int(l.Year))] = rounded(l.Pixels, 0)
	}
	j.Member("hansen_loss", loss)
	j.Member("vertex_heights", verticesOf(p.Vertices))
	letters := map[string]*float64{}
	for _, t := range p.Types {
		letters[string(t.Type.Info().Letter)] = rounded(t.AreaSqm, 1)
	}
	j.Member("frav", letters)
	tops, trees := [][]any{}, [][]any{}
	for _, o := range p.TopObjects {
		tops = append(tops, compactObject(o))
	}
	for _, t := range p.TopTrees {
		trees = append(trees, compactTree(t))
	}
	j.Member("top_objs", tops)
	j.Member("top_trees", trees)
}

// land are the parcels of a KG by their columns; none of one that was not processed.
func (c *country) land(ctx context.Context, code austria.KGCode) ([]landscape.Parcel, error) {
	if c.parts == nil {
		return nil, nil
	}
	list, err := section(ctx, c.parts, landscape.Land.Of(code), landscape.Land.Decode)
	if err != nil {
		return nil, unread(ctx, "the parcels of KG "+string(code), err)
	}
	return list, nil
}

func (s *service) parcelRecord(ctx context.Context, c *country, r *endpoint.Request) (reply.Answer, error) {
	id := qParcel.Of(r)
	e, err := c.need(id.KG)
	if err != nil {
		return nil, err
	}
	list, err := c.land(ctx, id.KG)
	if err != nil {
		return nil, err
	}
	want := string(id.KG) + "-" + string(id.GNR)
	var found *landscape.Parcel
	for i := range list {
		if landscape.SameParcel(list[i].ID, want) {
			found = &list[i]
		}
	}
	if found == nil && e.Processed {
		if err := c.newer(ctx, id); !isNewer(err) {
			return nil, err
		}
	}
	return &reply.Stream{Write: func(j *format.JSON, _ *format.Layout) error {
		j.Key("parcel_id")
		j.String(want)
		j.Key("processed")
		j.Bool(e.Processed)
		j.Key("parcel")
		if found == nil {
			j.Null()
		} else {
			j.Object()
			for _, f := range parcelFields {
				j.Key(f.Name)
				j.Value(f.Get(found))
			}
			j.EndObject()
		}
		j.Key("kg")
		j.Object()
		writeRecord(j, &e.Record)
		j.EndObject()
		return nil
	}}, nil
}

var parcelsKG = params.KG("kg", "The KG", endpoint.Required)

func (s *service) parcels() endpoint.Endpoint {
	return endpoint.Endpoint{
		Method: "GET", Path: "/api/v1/query/parcels", ID: "query_parcels", Tag: tag,
		Summary: "The parcels of a KG with terrain and vegetation",
		Doc:     "Elevation, slope, aspect, greatest height above the ground, share of forest and what else the index has of each parcel, by number. A KG that was not processed has none.",
		Params:  []endpoint.AnyParam{parcelsKG},
		Answer: endpoint.Answer{Rows: []*format.RowType{landRows.RowType}, JSONOnly: true, Page: endpoint.Page{Default: 100, Max: 1000},
			Body: listedParcels{}},
		Example: "/api/v1/query/parcels?kg=09902",
		Serve: func(ctx context.Context, r *endpoint.Request) (reply.Answer, error) {
			c, err := s.open(ctx)
			if err != nil {
				return nil, err
			}
			code := parcelsKG.Of(r)
			if _, err := c.need(code); err != nil {
				return nil, err
			}
			list, err := c.land(ctx, code)
			if err != nil {
				return nil, err
			}
			return page(r, landRows, list, func(item, of *landscape.Parcel) { *item = *of }), nil
		},
	}
}
