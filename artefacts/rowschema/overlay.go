package rowschema

import (
	"encoding/json"
	"math"

	"mappe/artefacts/overlays"
	"mappe/artefacts/register"
	"mappe/shared/austria"
	"mappe/shared/geo/geom"
	"mappe/shared/web/format"
)

// Shaped is a row whose geometry is read when it is drawn.
type Shaped struct{ Shape *overlays.Shape }

func (s *Shaped) polygons() geom.MultiPolygon {
	if s.Shape == nil {
		return nil
	}
	return s.Shape.Geometry
}

func middle(b geom.Box) geom.Point { return b.Center() }

// field declares a column with its value.
func field[T any](c format.Column, get func(*T) format.Value) format.Field[T] {
	return format.Field[T]{Column: c, Get: get}
}

func text[T any](name, doc string, get func(*T) string) format.Field[T] {
	return field(format.Column{Name: name, Doc: doc}, func(r *T) format.Value { return format.Text(get(r)) })
}

func amount[T any](name, unit, doc string, get func(*T) float64) format.Field[T] {
	return field(format.Column{Name: name, Type: format.TypeFloat, Decimals: 4, Unit: unit, Doc: doc}, func(r *T) format.Value {
		v := get(r)
		if math.IsNaN(v) {
			return format.Null
		}
		return format.Float(v, 4)
	})
}

func list[T, V any](name, doc string, get func(*T) []V) format.Field[T] {
	return field(format.Column{Name: name, Type: format.TypeJSON, Shape: []V{}, Doc: doc}, func(r *T) format.Value {
		b, err := json.Marshal(get(r))
		if err != nil {
			return format.Null
		}
		return format.RawJSON(string(b))
	})
}

// Overlap is what a site or area shares with a place that was asked for; the zero value: no place was.
type Overlap struct {
	Asked    bool
	Sqm      float64 // m² (EPSG:3035)
	PlacePct float64 // of the place, percent
	SelfPct  float64 // of the drawn area of the site itself, percent
}

// overlapFields are the columns of an Overlap.
func overlapFields[T any](of func(*T) *Overlap) []format.Field[T] {
	column := func(name, unit, doc string, get func(*Overlap) float64) format.Field[T] {
		return field(format.Column{Name: name, Sparse: true, Type: format.TypeFloat, Decimals: 2, Unit: unit, Doc: doc},
			func(r *T) format.Value {
				if o := of(r); o.Asked {
					return format.Float(get(o), 2)
				}
				return format.Omit
			})
	}
	return []format.Field[T]{
		column("overlap_sqm", "m²", "Area that it shares with the place asked for (EPSG:3035); left out where no place was.",
			func(o *Overlap) float64 { return o.Sqm }),
		column("overlap_of_place_pct", "%", "The same as a share of the place.", func(o *Overlap) float64 { return o.PlacePct }),
		column("overlap_of_site_pct", "%", "The same as a share of its own drawn area.", func(o *Overlap) float64 { return o.SelfPct }),
	}
}

// SiteRow is a Natura 2000 site, as a row.
type SiteRow struct {
	Shaped
	S  *overlays.Site
	In Overlap
}

// Site is a Natura 2000 site. It can be drawn as its outline.
var Site = format.NewSchema("natura2000_site", "A Natura 2000 site, drawn as its outline.", format.Drawing[SiteRow]{
	Point: func(r *SiteRow) geom.Point { return middle(r.S.Box) }, Polygons: func(r *SiteRow) geom.MultiPolygon { return r.polygons() },
	Multi: true,
}, format.Fields[SiteRow]{
	text("sitecode", "Code of the site, the key.", func(r *SiteRow) string { return r.S.Code }),
	text("sitename", "Name.", func(r *SiteRow) string { return r.S.Name }),
	field(format.Column{Name: "sitetype", Enum: []string{"A", "B", "C"}, Doc: "A Birds Directive, B Habitats Directive, C both."},
		func(r *SiteRow) format.Value { return format.Text(r.S.Type.String()) }),
	text("site_type_label", "The type in words.", func(r *SiteRow) string { return r.S.Type.Label() }),
	amount("area_ha", "ha", "Area as the source states it; of a site drawn in several features the area that they cover.",
		func(r *SiteRow) float64 { return r.S.AreaHa }),
	list("habitats", "Tags inferred from the name by a table of keywords.", func(r *SiteRow) []overlays.Habitat { return r.S.Tags.List() }),
})

// SiteFound is a Natura 2000 site with what it shares with the place asked for.
var SiteFound = Site.With(overlapFields(func(r *SiteRow) *Overlap { return &r.In })...).Named("natura2000_site_found",
	"A Natura 2000 site, drawn as its outline.")

// AreaRow is a protected area, as a row. DistanceM is NaN where nothing was measured.
type AreaRow struct {
	Shaped
	A         *overlays.Area
	DistanceM float64
	In        Overlap
}

// ProtectedArea is a protected area. It can be drawn as its outline.
var ProtectedArea = format.NewSchema("protected_area", "A protected area, drawn as its outline.", format.Drawing[AreaRow]{
	Point: func(r *AreaRow) geom.Point { return middle(r.A.Box) }, Polygons: func(r *AreaRow) geom.MultiPolygon { return r.polygons() },
}, format.Fields[AreaRow]{
	text("name", "Name.", func(r *AreaRow) string { return r.A.Name }),
	text("desig", "Designation in German.", func(r *AreaRow) string { return r.A.Desig }),
	text("desig_eng", "Designation in English.", func(r *AreaRow) string { return r.A.DesigEng }),
	text("desig_type", "National, Regional or International.", func(r *AreaRow) string { return r.A.DesigType }),
	text("iucn_cat", "Category of the IUCN.", func(r *AreaRow) string { return r.A.IUCN }),
	amount("rep_area", "km²", "Area as reported.", func(r *AreaRow) float64 { return r.A.RepArea }),
	amount("gis_area", "km²", "Drawn area (EPSG:3035).", func(r *AreaRow) float64 { return r.A.GISArea }),
	text("realm", "Terrestrial, Marine or Coastal.", func(r *AreaRow) string { return r.A.Realm }),
	field(format.Column{Name: "distance_m", Sparse: true, Type: format.TypeFloat, Decimals: metres, Unit: "m",
		Doc: "From the point of near_lon and near_lat, 0 inside; left out without them."}, func(r *AreaRow) format.Value {
		if math.IsNaN(r.DistanceM) {
			return format.Omit
		}
		return format.Float(r.DistanceM, metres)
	}),
})

// ProtectedAreaFound is a protected area with what it shares with the place asked for.
var ProtectedAreaFound = ProtectedArea.With(overlapFields(func(r *AreaRow) *Overlap { return &r.In })...)

// GADMRow is a municipality under the legacy names, as a row.
type GADMRow struct {
	Shaped
	M        *overlays.Municipality
	Register *register.Register
}

// district gives the name of the municipality's district.
func (r *GADMRow) district() string {
	if m := r.Register.Municipality(r.M.Code); m != nil {
		return m.DistrictName
	}
	return ""
}

// GADM is a municipality under the legacy names. It can be drawn as its true outline.
var GADM = format.NewSchema("gadm_municipality", "A municipality under the legacy names, drawn as its outline.", format.Drawing[GADMRow]{
	Point: func(r *GADMRow) geom.Point { return middle(r.M.Box) }, Polygons: func(r *GADMRow) geom.MultiPolygon { return r.polygons() },
}, format.Fields[GADMRow]{
	text("gid_3", "Code of the municipality, 5 digits.", func(r *GADMRow) string { return string(r.M.Code) }),
	text("name_3", "Name of the municipality.", func(r *GADMRow) string { return r.M.Name }),
	text("name_2", "Name of the district.", func(r *GADMRow) string { return r.district() }),
	text("name_1", "Name of the state.", func(r *GADMRow) string { return r.M.Code.State().Name() }),
	text("type_3", "Gemeinde.", func(*GADMRow) string { return "Gemeinde" }),
	text("source", "Whose data the name and the outline are: not GADM's.", func(r *GADMRow) string { return r.Register.Attribution() }),
})

// LegalRow is a parcel that a law names, as a row.
type LegalRow struct {
	KG   austria.KGCode
	Name string // of the KG
	Ref  *overlays.Ref
	Law  *overlays.Law
}

// Legal is a reference of a law to a parcel.
var Legal = format.NewSchema("legal_reference", "A parcel that a law names.", format.Drawing[LegalRow]{}, format.Fields[LegalRow]{
	text("kg_code", "Code of the Katastralgemeinde, 5 digits.", func(r *LegalRow) string { return string(r.KG) }),
	text("kg_name", "Name of the KG.", func(r *LegalRow) string { return r.Name }),
	text("grundstueck", "Parcel number; null where the law names the KG as a whole.", func(r *LegalRow) string {
		return string(r.Ref.GNR)
	}),
	text("source_law_name", "Name of the law.", func(r *LegalRow) string { return r.Law.Name }),
	text("source_date", "In force since.", func(r *LegalRow) string { return r.Law.Date }),
	text("source_url", "Where the law is published.", func(r *LegalRow) string { return r.Law.URL }),
	field(format.Column{Name: "parcel_list_type", Enum: []string{"listed", "boundary_walk"},
		Doc: "listed: the law is about the parcel; boundary_walk: the parcel lies along a boundary that it describes."},
		func(r *LegalRow) format.Value { return format.Text(r.Ref.List.String()) }),
	text("legal_context", "What the law is about.", func(r *LegalRow) string { return string(r.Law.Context) }),
	text("bundesland", "State whose law it is; null: federal or not known.", func(r *LegalRow) string { return r.Law.State }),
	text("gesetzesnummer", "Number of the law.", func(r *LegalRow) string { return r.Law.Number }),
	field(format.Column{Name: "partial", Type: format.TypeBool, Doc: "Only a part of the parcel is meant."},
		func(r *LegalRow) format.Value { return format.Bool(r.Ref.Partial) }),
})
