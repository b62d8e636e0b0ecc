package place

import (
	"context"
	"slices"

	"mappe/artefacts/overlays"
	"mappe/artefacts/rowschema"
	"mappe/functions/core/overlayindex"
	"mappe/functions/core/states"
	"mappe/functions/core/view"
	"mappe/shared/austria"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/format"
	"mappe/shared/web/params"
	"mappe/shared/web/reply"
)

var (
	legalPathKG  = params.KG("kg_code", "The KG", endpoint.Example("99204"))
	legalKG      = params.KG("kg", "Only this KG", endpoint.Example("99204"))
	legalContext = endpoint.Enum("context", "Only laws about this.", overlays.AllContexts())
	legalType    = endpoint.Parsed("type", "listed or boundary_walk: how the law names the parcel.", overlays.ParseListType,
		endpoint.Example("listed"))
	legalLaw  = endpoint.String("law", "Only laws with this in their name, or of this Gesetzesnummer.", endpoint.Between(1, 200))
	legalText = endpoint.String("q", "Only references with this in the name of the law or of the KG, or of this parcel number.",
		endpoint.Between(1, 200))
	legalState = endpoint.Parsed("bundesland", "Only laws of this state: its name in any case, or its digit.", states.Parse,
		endpoint.Example("Salzburg"))
)

// reference is a parcel that a law names, under the names of this service.
var reference = format.NewSchema("legal_reference", "A parcel that a law names, quoted from its text.",
	format.Drawing[rowschema.LegalRow]{},
	format.Fields[rowschema.LegalRow]{
		legalColumn("kg_code", "Code of the KG that the law names, 5 digits.", func(r *rowschema.LegalRow) string { return string(r.KG) }),
		legalColumn("kg_name", "Name of that KG.", func(r *rowschema.LegalRow) string { return r.Name }),
		legalColumn("law", "Name of the law.", func(r *rowschema.LegalRow) string { return r.Law.Name }),
		legalColumn("legal_context", "What the law is about.", func(r *rowschema.LegalRow) string { return string(r.Law.Context) }),
		legalColumn("parcel_list_type",
			"listed: the law is about the parcel; boundary_walk: the parcel lies along a boundary that it describes.",
			func(r *rowschema.LegalRow) string { return r.Ref.List.String() }),
		legalColumn("grundstueck", "Parcel number; null where the law names the KG as a whole.", func(r *rowschema.LegalRow) string {
			return string(r.Ref.GNR)
		}),
		legalColumn("ris_url", "Where the law is published.", func(r *rowschema.LegalRow) string { return r.Law.URL }),
		legalColumn("bundesland", "State whose law it is; null: federal or not known.", func(r *rowschema.LegalRow) string {
			return r.Law.State
		}),
		legalColumn("in_force", "In force since, as published; null where not known.", func(r *rowschema.LegalRow) string {
			return r.Law.Date
		}),
		{Column: format.Column{Name: "partial", Type: format.TypeBool, Doc: "Only a part of the parcel is meant."},
			Get: func(r *rowschema.LegalRow) format.Value { return format.Bool(r.Ref.Partial) }},
	})

func legalColumn(name, doc string, get func(*rowschema.LegalRow) string) format.Field[rowschema.LegalRow] {
	return format.Field[rowschema.LegalRow]{Column: format.Column{Name: name, Doc: doc}, Get: func(r *rowschema.LegalRow) format.Value {
		return format.Text(get(r))
	}}
}

// legalFilter reads the filter that the legal endpoints and /context share.
func legalFilter(r *endpoint.Request) overlayindex.LegalFilter {
	f := overlayindex.LegalFilter{Context: legalContext.Of(r), Law: legalLaw.Of(r)}
	if legalType.Given(r) {
		list := legalType.Of(r)
		f.List = &list
	}
	return f
}

func legalSearch() endpoint.Endpoint {
	return endpoint.Endpoint{
		Method: "GET", Path: "/api/v1/legal/search", ID: "legal_search", Tag: "Laws",
		Summary: "Parcels that laws name",
		Doc: `References that pass every filter given, all without one, by KG, then in the order of the sources. They are what the
laws say: a parcel may be divided or gone since.`,
		Params:  []endpoint.AnyParam{legalText, legalContext, legalState, legalType, legalKG},
		Answer:  endpoint.Answer{Rows: []*format.RowType{reference.RowType}},
		Example: "/api/v1/legal/search?context=nature_protection",
		Serve: func(ctx context.Context, r *endpoint.Request) (reply.Answer, error) {
			_, o, err := sources(ctx)
			if err != nil {
				return nil, err
			}
			f := legalFilter(r)
			f.KG, f.Text, f.State = legalKG.Of(r), legalText.Of(r), legalState.Of(r).Name()
			found, err := o.Legal(ctx, f)
			if err != nil {
				return nil, err
			}
			return endpoint.Listed(r, reference, found, func(item, of *rowschema.LegalRow) { *item = *of }), nil
		},
	}
}

// legalBlock is what laws say of a KG.
type legalBlock struct {
	KG       austria.KGCode     `json:"kg_code"`
	KGName   string             `json:"kg_name"`
	Refs     []legalRef         `json:"refs"`
	Total    int                `json:"total_refs"`
	Laws     int                `json:"unique_laws"`
	Contexts []overlays.Context `json:"legal_contexts"`
}

type legalRef struct {
	Law     string           `json:"law"`
	Context overlays.Context `json:"legal_context"`
	List    string           `json:"parcel_list_type"`
	GNR     *austria.GNR     `json:"grundstueck"` // null: the KG as a whole
	URL     *string          `json:"ris_url"`     // null: not known
	Partial bool             `json:"partial,omitempty"`
}

// legalOf gathers the references of a KG that pass; f.KG names it.
func legalOf(ctx context.Context, o *overlayindex.Overlays, name string, f overlayindex.LegalFilter) (*legalBlock, error) {
	found, err := o.Legal(ctx, f)
	if err != nil {
		return nil, err
	}
	b := &legalBlock{KG: f.KG, KGName: name, Refs: make([]legalRef, len(found)), Total: len(found)}
	var laws []*overlays.Law
	var set overlays.ContextSet
	for i := range found {
		r := &found[i]
		b.Refs[i] = legalRef{r.Law.Name, r.Law.Context, r.Ref.List.String(), nil, nil, r.Ref.Partial}
		if r.Ref.GNR != "" {
			b.Refs[i].GNR = &r.Ref.GNR
		}
		if r.Law.URL != "" {
			b.Refs[i].URL = &r.Law.URL
		}
		if set.Add(r.Law.Context); !slices.Contains(laws, r.Law) {
			laws = append(laws, r.Law)
		}
	}
	b.Laws, b.Contexts = len(laws), set.List()
	return b, nil
}

func legalOfKG() endpoint.Endpoint {
	return endpoint.Endpoint{
		Method: "GET", Path: "/api/v1/legal/kg/{kg_code}", ID: "legal_kg", Tag: "Laws",
		Summary: "Parcels of a KG that laws name",
		Doc: `data {kg_code, kg_name, refs[], total_refs, unique_laws, legal_contexts}: all references of the KG that pass, in the order of
the sources. Callers choose by the parcel number that they know. 404 where there is no such KG.`,
		Params: []endpoint.AnyParam{legalPathKG, legalContext, legalType, legalLaw},
		Answer: endpoint.Answer{Body: struct {
			Data legalBlock  `json:"data"`
			Meta licenceMeta `json:"meta"`
		}{}},
		Example: "/api/v1/legal/kg/99204",
		Serve: func(ctx context.Context, r *endpoint.Request) (reply.Answer, error) {
			v, o, err := sources(ctx)
			if err != nil {
				return nil, err
			}
			k, err := view.Known(v.View, legalPathKG.Of(r))
			if err != nil {
				return nil, err
			}
			f := legalFilter(r)
			f.KG = k.Code
			b, err := legalOf(ctx, o, k.Name, f)
			return data(b), err
		},
	}
}

// legalStats counts the references.
type legalCounts struct {
	References int                      `json:"total_refs"`
	Laws       int                      `json:"unique_laws"`
	KGs        int                      `json:"kgs"`
	Contexts   map[overlays.Context]int `json:"by_context" doc:"references per context"`
	Types      map[string]int           `json:"by_type" doc:"references per parcel_list_type"`
	States     map[string]int           `json:"by_bundesland" doc:"references per state; federal or not known under an empty name"`
}

func legalStats() endpoint.Endpoint {
	return endpoint.Endpoint{
		Method: "GET", Path: "/api/v1/legal/stats", ID: "legal_stats", Tag: "Laws",
		Summary: "Laws that name parcels, in numbers",
		Doc:     `Numbers of references, of laws with one at least and of KGs that they name.`,
		Answer: endpoint.Answer{Body: struct {
			Data legalCounts `json:"data"`
			Meta licenceMeta `json:"meta"`
		}{}},
		Example: "/api/v1/legal/stats",
		Serve: func(ctx context.Context, _ *endpoint.Request) (reply.Answer, error) {
			_, o, err := sources(ctx)
			if err != nil {
				return nil, err
			}
			all, err := o.Legal(ctx, overlayindex.LegalFilter{})
			if err != nil {
				return nil, err
			}
			kgs, err := o.KGsWithRefs(ctx)
			if err != nil {
				return nil, err
			}
			c := legalCounts{References: len(all), KGs: len(kgs), Contexts: map[overlays.Context]int{}, Types: map[string]int{},
				States: map[string]int{}}
			laws := map[*overlays.Law]bool{}
			for i := range all {
				laws[all[i].Law] = true
				c.Contexts[all[i].Law.Context]++
				c.Types[all[i].Ref.List.String()]++
				c.States[all[i].Law.State]++
			}
			c.Laws = len(laws)
			return data(c), nil
		},
	}
}

func (q *question) legal(ctx context.Context) (any, string, error) {
	switch {
	case q.kg == "":
		return nil, "kg is not given", nil
	case !q.over.Has():
		return nil, notPublished, nil
	}
	k := q.v.Register().KG(q.kg)
	if k == nil {
		return nil, "there is no KG " + string(q.kg), nil
	}
	f := q.opt.legal
	f.KG = q.kg
	b, err := legalOf(ctx, q.over, k.Name, f)
	return b, "", err
}
