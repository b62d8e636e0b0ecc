package search

import (
	"context"
	"errors"
	"slices"

	"mappe/artefacts/kgfile"
	"mappe/artefacts/register"
	"mappe/artefacts/rowschema"
	"mappe/functions/core/lineage"
	"mappe/functions/core/rows"
	"mappe/functions/core/view"
	"mappe/shared/austria"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/format"
)

var featureID = endpoint.Parsed("id", "A parcel id (<kg_code>-<gnr>), the id of an address point (<ADRCD>-<SUBCD>) or a KG code.",
	parseFeatureID, endpoint.Required, endpoint.Example("99101-1"))

// featureIDs are what an id can mean.
type featureIDs struct {
	text     string
	parcel   *austria.ParcelID
	building *austria.BuildingID
	kg       austria.KGCode // "" where it is no code
}

// String is the one spelling of the id.
func (f featureIDs) String() string { return f.text }

func parseFeatureID(text string) (featureIDs, error) {
	f := featureIDs{text: text}
	if p, err := austria.ParseParcelID(text); err == nil {
		f.parcel, f.text = &p, p.String()
	}
	if b, err := austria.ParseBuildingID(text); err == nil {
		f.building = &b
	}
	if k, err := austria.ParseKGCode(text); err == nil {
		f.kg, f.text = k, string(k)
	}
	if f.parcel == nil && f.building == nil && f.kg == "" {
		return f, errors.New("a parcel id such as 01004-123/4, the id of an address point such as 5000090-001, or a KG code of 1 to 5 digits")
	}
	return f, nil
}

// The rows of the three layers.
var (
	featureParcel   = rowschema.Layered(rowschema.ParcelShown, "parcel", "A parcel.")
	featureBuilding = rowschema.Layered(rowschema.BuildingShown, "building", "An address point.")
	featureKG       = rowschema.Layered(rowschema.KG.With(rowschema.KGProvenance...), "kg", "A Katastralgemeinde, drawn as its outline.")
)

func feature() endpoint.Endpoint {
	return rows.List(endpoint.Endpoint{
		Method: "GET", Path: "/api/v1/search/feature", ID: "search_feature", Tag: tag,
		Summary: "The parcel, address point or KG of an id",
		Doc: `data holds one row with _layer (parcel, building, kg), or none where nothing has the id. Parcels are tried first, then
address points, then KGs. The id of an address point does not say its KG: without kg the whole country is searched. A date (version)
without kg looks into every KG, which is refused with 413 in a country of more than 2,048 KGs.` + plainDoc + lineage.Doc,
		Params: []endpoint.AnyParam{featureID, kg},
		Answer: endpoint.Answer{Meta: lineage.GoneMeta{},
			Rows: []*format.RowType{featureParcel.RowType, featureBuilding.RowType, featureKG.RowType}},
		Example: "/api/v1/search/feature?id=99101-1",
	}, func(ctx context.Context, v *view.View, r *endpoint.Request) (*rows.Query, error) {
		q, err := findFeature(ctx, v, r)
		if err != nil {
			return nil, err
		}
		q.NoGeometry = plain(r)
		if id := featureID.Of(r); id.parcel != nil && q.Meta == nil {
			q.Meta, err = goneMeta(ctx, v, *id.parcel)
		}
		return q, err
	})
}

func findFeature(ctx context.Context, v *view.View, r *endpoint.Request) (*rows.Query, error) {
	id := featureID.Of(r)
	reg := v.Register()
	if id.parcel != nil {
		q, err := over(ctx, v, []austria.KGCode{id.parcel.KG}, rows.Layer{Source: rows.Parcels(featureParcel.Record()),
			Match: one(id.parcel.GNR, func(*kgfile.Parcel) bool { return true })})
		if err != nil || id.building == nil {
			return q, err
		}
		// What reads as a parcel id may be that of an address point.
		found, err := holds(ctx, q, func(f *kgfile.File) (bool, error) {
			_, ok, err := f.ParcelByGNR(id.parcel.GNR)
			return ok, err
		})
		if err != nil || found || !q.Missing.Ready() {
			return q, err
		}
	}
	if id.building != nil {
		return findBuilding(ctx, v, r, *id.building)
	}
	q := &rows.Query{View: v, Named: []austria.KGCode{id.kg}}
	var list []*register.KG
	if k := reg.KG(id.kg); k != nil {
		list = append(list, k)
	}
	q.Layers = []rows.Layer{{Source: rows.KGs(featureKG.Record(), reg, list), External: true}}
	return q, nil
}

// holds says whether the KG of a query can be read and has what is looked for.
func holds(ctx context.Context, q *rows.Query, has func(*kgfile.File) (bool, error)) (bool, error) {
	for _, at := range q.Candidates {
		f, err := q.View.Read(ctx, at.Code, &q.Missing)
		if err != nil || f == nil {
			return false, err
		}
		if ok, err := has(f); ok || err != nil {
			return ok, err
		}
	}
	return false, nil
}

// findBuilding looks into one KG after the other until one has the address point.
func findBuilding(ctx context.Context, v *view.View, r *endpoint.Request, id austria.BuildingID) (*rows.Query, error) {
	layer := rows.Layer{Source: rows.Buildings(featureBuilding.Record()), Match: identified(id)}
	if !kg.Given(r) {
		if q, err := nationalBuilding(ctx, v, id, layer); q != nil || err != nil {
			return q, err
		}
	}
	codes, err := asked(v, r)
	if err != nil {
		return nil, err
	}
	var cold view.Missing
	reads := v.Ahead(codes)
	for _, code := range codes {
		reads.Next(ctx)
		k := v.Register().KG(code)
		if k == nil {
			continue
		}
		f, err := v.Read(ctx, code, &cold)
		if err != nil {
			return nil, err
		}
		if f == nil {
			continue
		}
		found, err := layer.Match(nil, f, nil)
		if err != nil {
			return nil, err
		}
		if len(found) > 0 {
			return &rows.Query{View: v, Layers: []rows.Layer{layer}, Candidates: []rows.Candidate{{Code: code, KG: k}}, Named: codes}, nil
		}
	}
	return &rows.Query{View: v, Layers: []rows.Layer{layer}, Named: codes, Missing: cold}, nil
}

// identified matches the address point of an id.
func identified(id austria.BuildingID) rows.Match {
	return func(_ *rows.Candidate, f *kgfile.File, found []int32) ([]int32, error) {
		table, err := f.Buildings()
		i := slices.IndexFunc(table, func(b kgfile.Building) bool { return b.ID == id })
		if i >= 0 {
			found = append(found, int32(i))
		}
		return found, err
	}
}
