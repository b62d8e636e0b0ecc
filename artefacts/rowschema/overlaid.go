package rowschema

import (
	"encoding/json"

	"mappe/artefacts/overlays"
	"mappe/shared/web/format"
)

// SiteBrief is a Natura 2000 site as rows of parcels name it.
type SiteBrief struct {
	Code   string  `json:"sitecode"`
	Name   string  `json:"sitename"`
	Type   string  `json:"sitetype"`
	Label  string  `json:"site_type_label"`
	AreaHa float64 `json:"area_ha"`
}

func briefOf(b *overlays.Brief) SiteBrief {
	return SiteBrief{b.Code, b.Name, b.Type.String(), b.Type.Label(), b.AreaHa}
}

// BriefsOf are the sites that hold a parcel's centroid; never nil. k is nil where nothing lies over the KG.
func BriefsOf(k *overlays.KG, row int) []SiteBrief {
	out := []SiteBrief{}
	if k != nil {
		for _, m := range k.SitesOf(row) {
			out = append(out, briefOf(&k.Sites[m.Site]))
		}
	}
	return out
}

// InsideSite is a site that a KG shares area with.
type InsideSite struct {
	SiteBrief
	ParcelCount     int  `json:"parcel_count"`
	ContainsParcels bool `json:"contains_parcels"`
}

// KGOverlay is what lies over a KG.
type KGOverlay struct {
	Overlap   int                `json:"natura2000_overlap_count"`
	Inside    int                `json:"natura2000_inside_count"`
	Sites     []InsideSite       `json:"natura2000_inside_sites"`
	Near      int                `json:"natura2000_near_only_count"`
	Parcels   int                `json:"natura2000_parcel_count"`
	SiteCodes []string           `json:"natura2000_site_codes"`
	SiteNames []string           `json:"natura2000_site_names"`
	LegalRefs int                `json:"legal_ref_count"`
	Contexts  []overlays.Context `json:"legal_contexts"`
}

// OverlayOf is what the directory of KGs says of one.
func OverlayOf(x *overlays.Index) KGOverlay {
	o := KGOverlay{Overlap: x.Overlap, Parcels: x.Parcels, LegalRefs: x.RefCount, Contexts: x.Contexts.List(), Sites: []InsideSite{},
		SiteCodes: []string{}, SiteNames: []string{}}
	for _, b := range x.Inside() {
		o.Sites = append(o.Sites, InsideSite{briefOf(&b), b.Parcels, b.Parcels > 0})
		o.SiteCodes, o.SiteNames = append(o.SiteCodes, b.Code), append(o.SiteNames, b.Name)
	}
	o.Inside = len(o.Sites)
	o.Near = o.Overlap - o.Inside
	return o
}

// LegalBrief is a reference as rows of parcels show it.
type LegalBrief struct {
	Law     string           `json:"source_law_name"`
	Date    string           `json:"source_date,omitempty"`
	URL     string           `json:"source_url,omitempty"`
	List    string           `json:"parcel_list_type"`
	Context overlays.Context `json:"legal_context"`
	State   string           `json:"bundesland,omitempty"`
	Number  string           `json:"gesetzesnummer,omitempty"`
	Partial bool             `json:"partial,omitempty"`
}

// Over is what lies over the KG of a row of parcels. Known says that the generation has overlays of the KG's
// snapshot: without them a parcel's fields are left out.
type Over struct {
	Known bool
	KG    *overlays.KG // nil: nothing
	Row   int
}

// overlaid declares a field that is left out where overlays are not known, and where get says so.
func overlaid(c format.Column, get func(k *overlays.KG, row int) (format.Value, bool)) format.Field[ParcelRow] {
	c.Sparse = true
	return format.Field[ParcelRow]{Column: c, Get: func(r *ParcelRow) format.Value {
		if r.Over.KG == nil {
			return format.Omit
		}
		if v, ok := get(r.Over.KG, r.Over.Row); ok {
			return v
		}
		return format.Omit
	}}
}

func listValue[T any](list []T) (format.Value, bool) {
	if len(list) == 0 {
		return format.Omit, false
	}
	b, err := json.Marshal(list)
	return format.RawJSON(string(b)), err == nil
}

// ParcelShown is a parcel as answers list it: with its KG's name, a point in it and what lies over it. Published files
// have the columns of Parcel.
var ParcelShown = Parcel.With(
	format.Field[ParcelRow]{Column: kgName, Get: func(r *ParcelRow) format.Value { return format.Text(r.KG.Name) }},
	format.Field[ParcelRow]{Column: insideLon, Get: func(r *ParcelRow) format.Value { return format.Degrees(r.P.Inside.X) }},
	format.Field[ParcelRow]{Column: insideLat, Get: func(r *ParcelRow) format.Value { return format.Degrees(r.P.Inside.Y) }},
).With(ParcelOverlay...)

// ParcelOverlay are further fields of a parcel: the Natura 2000 sites that it lies in and the laws that name it. A
// parcel of a generation without overlays has none of them; lists are left out when they are empty.
var ParcelOverlay = format.Fields[ParcelRow]{
	{Column: format.Column{Name: "in_natura2000", Sparse: true, Type: format.TypeBool,
		Doc: "The centroid lies in a Natura 2000 site; left out where no overlays are at hand."},
		Get: func(r *ParcelRow) format.Value {
			if !r.Over.Known {
				return format.Omit
			}
			return format.Bool(r.Over.KG != nil && len(r.Over.KG.SitesOf(r.Over.Row)) > 0)
		}},
	overlaid(format.Column{Name: "natura2000_sites", Type: format.TypeJSON, Shape: []SiteBrief{}, Doc: "The sites; left out without one."},
		func(k *overlays.KG, row int) (format.Value, bool) { return listValue(BriefsOf(k, row)) }),
	overlaid(format.Column{Name: "legal_ref_count", Type: format.TypeInt, Doc: "References of laws to the parcel; left out without one."},
		func(k *overlays.KG, row int) (format.Value, bool) {
			n := len(k.RefsOf(row))
			return format.Int(int64(n)), n > 0
		}),
	overlaid(format.Column{Name: "legal_contexts", Type: format.TypeJSON, Shape: []string{},
		Doc: "What the laws are about; left out without one."},
		func(k *overlays.KG, row int) (format.Value, bool) {
			var set overlays.ContextSet
			for _, n := range k.RefsOf(row) {
				set.Add(k.Laws[n.Law].Context)
			}
			return listValue(set.List())
		}),
	overlaid(format.Column{Name: "legal_refs", Type: format.TypeJSON, Shape: []LegalBrief{}, Doc: "The references; left out without one."},
		func(k *overlays.KG, row int) (format.Value, bool) {
			var list []LegalBrief
			for _, n := range k.RefsOf(row) {
				l := &k.Laws[n.Law]
				list = append(list, LegalBrief{l.Name, l.Date, l.URL, n.List.String(), l.Context, l.State, l.Number, n.Partial})
			}
			return listValue(list)
		}),
}

// kgOverlay declares a field of a KG that is left out where overlays are not known, as of a KG without a snapshot.
func kgOverlay(c format.Column, get func(o *KGOverlay) (format.Value, bool)) format.Field[KGRow] {
	c.Sparse = true
	return format.Field[KGRow]{Column: c, Get: func(r *KGRow) format.Value {
		if r.Over == nil || r.cold() {
			return format.Omit
		}
		o := OverlayOf(r.Over)
		if v, ok := get(&o); ok {
			return v
		}
		return format.Omit
	}}
}

func kgCount(name, doc string, get func(o *KGOverlay) int) format.Field[KGRow] {
	return kgOverlay(format.Column{Name: name, Type: format.TypeInt, Doc: doc}, func(o *KGOverlay) (format.Value, bool) {
		return format.Int(int64(get(o))), true
	})
}

func kgOverlayList[T any](name, doc string, get func(o *KGOverlay) []T) format.Field[KGRow] {
	return kgOverlay(format.Column{Name: name, Type: format.TypeJSON, Shape: []T{}, Doc: doc + " Left out when empty."},
		func(o *KGOverlay) (format.Value, bool) { return listValue(get(o)) })
}

// KGOverlays are further fields of a KG: what lies over it.
var KGOverlays = format.Fields[KGRow]{
	kgCount("natura2000_overlap_count", "Natura 2000 sites whose box meets the KG's: a superset.", func(o *KGOverlay) int {
		return o.Overlap
	}),
	kgCount("natura2000_inside_count", "Sites that share area with the KG.", func(o *KGOverlay) int { return o.Inside }),
	kgOverlayList("natura2000_inside_sites", "Those sites, with the parcels whose centroid lies in each.", func(o *KGOverlay) []InsideSite {
		return o.Sites
	}),
	kgCount("natura2000_near_only_count", "Sites whose box meets the KG's and that share no area with it.", func(o *KGOverlay) int {
		return o.Near
	}),
	kgCount("natura2000_parcel_count", "Parcels in any site.", func(o *KGOverlay) int { return o.Parcels }),
	kgOverlayList("natura2000_site_codes", "Codes of the sites that share area with the KG.", func(o *KGOverlay) []string {
		return o.SiteCodes
	}),
	kgOverlayList("natura2000_site_names", "Their names.", func(o *KGOverlay) []string { return o.SiteNames }),
	kgCount("legal_ref_count", "References of laws to parcels of the KG.", func(o *KGOverlay) int { return o.LegalRefs }),
	kgOverlayList("legal_contexts", "What those laws are about.", func(o *KGOverlay) []overlays.Context { return o.Contexts }),
}
