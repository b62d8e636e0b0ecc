package ogc

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"mappe/artefacts/kgfile"
	"mappe/artefacts/register"
	"mappe/artefacts/rowschema"
	"mappe/functions/core/parcelfilter"
	"mappe/functions/core/rows"
	"mappe/functions/core/searchindex"
	"mappe/functions/core/spatialquery"
	"mappe/functions/core/view"
	"mappe/shared/austria"
	"mappe/shared/geo/geom"
	"mappe/shared/geo/region"
	"mappe/shared/web/format"
)

// collection is a set of features of one kind.
type collection struct {
	id, title, doc string
	example        string // the id of a feature, for the description
	rowType        *format.RowType
	// find gives the features in an area, nil for the whole country, of the KGs that are not nil.
	find func(ctx context.Context, v *view.View, area *region.Area, in []austria.KGCode, f *filter) (*rows.Query, error)
	// one gives the feature of an id; a query of no rows where no feature has the id.
	one func(ctx context.Context, v *view.View, id string) (*rows.Query, error)
}

var (
	municipalityRows = rowschema.Municipality.Named("municipality", "A municipality (Gemeinde), drawn as its outline.")
	kgRows           = rowschema.KG.Named("kg", "A Katastralgemeinde, drawn as its outline.")
	useRows          = rowschema.LandUsePolygon.Named("landuse", "A land-use area.")
	footprintRows    = rowschema.Footprint.Named("footprint", "A building footprint.")
	addressRows      = rowschema.Building.Named("address_point", "An address point.")
	parcelRows       = rowschema.Parcel.Named("parcel", "A parcel (Grundstück) with its metrics.")
)

// all are the collections, in the order in which they are listed.
var all = append(ofCadastre, ofOverlays...)

var ofCadastre = []*collection{
	inFiles(collection{id: "parcels", title: "Parcels", example: "99101-1", rowType: parcelRows.RowType,
		doc: "Parcels (Grundstücke): number, folio, area, land use, buildings and shape. Order: KG code, then along the map."},
		files{spatialquery.Parcels, func() rows.Source { return rows.Parcels(parcelRows.Record()) }}, parcelOf),
	inFiles(collection{id: "address_points", title: "Address points", example: "9100643-001", rowType: addressRows.RowType,
		doc: "Address points of the address register, with the parcel they stand on."},
		files{spatialquery.Buildings, func() rows.Source { return rows.Buildings(addressRows.Record()) }}, addressOf),
	inFiles(collection{id: "footprints", title: "Building footprints", doc: "Building footprints with their shape.", example: "99101_fp_1",
		rowType: footprintRows.RowType},
		files{spatialquery.Footprints, func() rows.Source { return rows.Footprints(footprintRows.Record()) }},
		footprintOf),
	inFiles(collection{id: "landuse", title: "Land use", doc: "Land-use areas with their codes.", example: "99101_lu_1",
		rowType: useRows.RowType},
		files{spatialquery.LandUse, func() rows.Source { return rows.LandUse(useRows.Record()) }}, useOf),
	inRegister(collection{id: "kgs", title: "Katastralgemeinden", example: "99101",
		doc: "Katastralgemeinden with their counts and metrics, drawn as simplified outlines."}, kgRows,
		func(reg *register.Register) []rowschema.KGRow {
			out := make([]rowschema.KGRow, len(reg.KGs()))
			for i := range out {
				out[i] = rowschema.KGRow{Register: reg, KG: &reg.KGs()[i]}
			}
			return out
		}),
	inRegister(collection{id: "municipalities", title: "Municipalities", doc: "Municipalities (Gemeinden), drawn as simplified outlines.",
		example: "59902"}, municipalityRows,
		func(reg *register.Register) []rowschema.MunicipalityRow {
			out := make([]rowschema.MunicipalityRow, len(reg.Municipalities()))
			for i := range out {
				out[i] = rowschema.MunicipalityRow{Register: reg, M: &reg.Municipalities()[i]}
			}
			return out
		}),
}

// locate says which KGs can hold the feature of an id, nil for any, and how it is found in a file.
type locate func(id string) (in []austria.KGCode, match rows.Match, ok bool)

// files is a layer of the KG files; source makes rows of it.
type files struct {
	layer  spatialquery.Layer
	source func() rows.Source
}

// inFiles is a described collection of a layer of the KG files.
func inFiles(described collection, l files, of locate) *collection {
	c, source := &described, l.source
	c.find = func(ctx context.Context, v *view.View, area *region.Area, in []austria.KGCode, f *filter) (*rows.Query, error) {
		q, err := l.look(ctx, v, area, in)
		if err != nil {
			return nil, err
		}
		if f != nil {
			l := &q.Layers[0]
			l.Match, l.Count = f.over(l.Match, source()), nil
		}
		return q, q.Check()
	}
	c.one = func(ctx context.Context, v *view.View, id string) (*rows.Query, error) {
		in, match, ok := of(id)
		if !ok {
			return &rows.Query{View: v, Layers: []rows.Layer{{Source: source(), Match: nothing}}}, nil
		}
		l := rows.Layer{Source: source(), Match: match}
		if in == nil {
			if q, err := indexed(ctx, v, id, l); q != nil || err != nil {
				return q, err
			}
		}
		q, err := everywhere(ctx, v, in, l)
		if err != nil {
			return nil, err
		}
		return q, q.Check()
	}
	return c
}

// look plans a layer of the KG files.
func (f files) look(ctx context.Context, v *view.View, area *region.Area, in []austria.KGCode) (*rows.Query, error) {
	if area == nil {
		l := rows.Layer{Source: f.source()}
		if !v.Past() {
			l.Count = counted(f.layer)
		}
		return everywhere(ctx, v, in, l)
	}
	s := spatialquery.Search{Area: area, Filter: parcelfilter.Any, Field: "bbox"}
	if in != nil {
		s.In = func(k *register.KG) bool { return slices.Contains(in, k.Code) }
	}
	return s.Plan(ctx, v, []spatialquery.Layer{f.layer}, func(spatialquery.Layer) rows.Source { return f.source() })
}

// counted is the number of rows of a KG that the register knows.
func counted(layer spatialquery.Layer) func(*rows.Candidate) int {
	switch layer {
	case spatialquery.Parcels:
		return func(at *rows.Candidate) int { return at.KG.ParcelCount }
	case spatialquery.Buildings:
		return func(at *rows.Candidate) int { return at.KG.BuildingCount }
	case spatialquery.Footprints:
		return func(at *rows.Candidate) int { return at.KG.FootprintCount }
	}
	return nil
}

// everywhere is a query over these KGs, over all where in is nil; codes that the register does not have match
// nothing.
func everywhere(ctx context.Context, v *view.View, in []austria.KGCode, l rows.Layer) (*rows.Query, error) {
	reg := v.Register()
	q := &rows.Query{View: v, Layers: []rows.Layer{l}}
	if in == nil {
		q.Country(ctx)
		return q, nil
	}
	for _, code := range in {
		k := reg.KG(code)
		if k == nil {
			q.Named = append(q.Named, code)
			continue
		}
		if err := q.Look(ctx, rows.Candidate{Code: code, KG: k, Whole: true}); err != nil {
			return nil, err
		}
	}
	return q, nil
}

// indexed is the query for the address point of an id, whose KG the search directory knows; nil if it does not list the id. An id
// that the directory does not have may be of any KG without a snapshot, none of which is loaded for it.
func indexed(ctx context.Context, v *view.View, id string, l rows.Layer) (*rows.Query, error) {
	b, err := austria.ParseBuildingID(id)
	if err != nil {
		return nil, err
	}
	x, err := searchindex.Of(ctx, v)
	if x == nil || err != nil {
		return nil, err
	}
	code, err := x.Building(ctx, b)
	if err != nil {
		return nil, err
	}
	q := &rows.Query{View: v, Layers: []rows.Layer{l}, State: x.State}
	if code == "" {
		v.Rest(ctx, &q.Missing)
		return q, nil
	}
	return q, q.Look(ctx, rows.Candidate{Code: code, KG: v.Register().KG(code), Whole: true})
}

func nothing(_ *rows.Candidate, _ *kgfile.File, found []int32) ([]int32, error) { return found, nil }

func parcelOf(id string) ([]austria.KGCode, rows.Match, bool) {
	p, err := austria.ParseParcelID(id)
	return []austria.KGCode{p.KG}, func(_ *rows.Candidate, f *kgfile.File, found []int32) ([]int32, error) {
		return add(found)(f.ParcelByGNR(p.GNR))
	}, err == nil
}

func footprintOf(id string) ([]austria.KGCode, rows.Match, bool) {
	p, err := austria.ParseFootprintID(id)
	return []austria.KGCode{p.KG}, func(_ *rows.Candidate, f *kgfile.File, found []int32) ([]int32, error) {
		return add(found)(f.FootprintByN(p.N))
	}, err == nil
}

// add appends the row that was found.
func add(found []int32) func(i int, ok bool, err error) ([]int32, error) {
	return func(i int, ok bool, err error) ([]int32, error) {
		if ok && err == nil {
			found = append(found, int32(i))
		}
		return found, err
	}
}

// useOf finds a land-use area by its number in the KG.
func useOf(id string) ([]austria.KGCode, rows.Match, bool) {
	kg, text, cut := strings.Cut(id, "_lu_")
	code, err := austria.ParseKGCode(kg)
	n, err2 := strconv.Atoi(text)
	return []austria.KGCode{code}, func(_ *rows.Candidate, f *kgfile.File, found []int32) ([]int32, error) {
		table, err := f.LandUse()
		return add(found)(n-1, n >= 1 && n <= len(table), err)
	}, cut && err == nil && err2 == nil && strconv.Itoa(n) == text
}

// addressOf looks for an address point in every KG: its id does not name one.
func addressOf(id string) ([]austria.KGCode, rows.Match, bool) {
	b, err := austria.ParseBuildingID(id)
	return nil, rows.Where((*kgfile.File).Buildings, func(a *kgfile.Building) bool { return a.ID == b }), err == nil
}

// inRegister is a described collection of what the register has whole.
func inRegister[T any](described collection, schema *format.Schema[T], list func(*register.Register) []T) *collection {
	c := &described
	c.rowType = schema.RowType
	query := func(v *view.View, passes func(format.Row) bool) *rows.Query {
		q := &rows.Query{View: v}
		for i := range v.Register().KGs() {
			q.Named = append(q.Named, v.Register().KGs()[i].Code)
		}
		source := &listed[T]{row: schema.Record()}
		for _, item := range list(v.Register()) {
			source.row.Item = item
			if passes(source.row) {
				source.items = append(source.items, item)
			}
		}
		q.Layers = []rows.Layer{{Source: source, External: true}}
		return q
	}
	c.find = func(_ context.Context, v *view.View, area *region.Area, in []austria.KGCode, f *filter) (*rows.Query, error) {
		q := query(v, func(r format.Row) bool { return meets(area, r.Geometry()) && (f == nil || f.passes(r)) })
		if area != nil && area.Err() != nil {
			return nil, spatialquery.Fault("bbox", area.Err())
		}
		return q, nil
	}
	c.one = func(_ context.Context, v *view.View, id string) (*rows.Query, error) {
		return query(v, func(r format.Row) bool {
			s, ok := r.Value(0).Str()
			return ok && s == id
		}), nil
	}
	return c
}

// meets says whether a geometry reaches into the area; nil is everywhere.
func meets(area *region.Area, g format.Geometry) bool {
	if area == nil {
		return true
	}
	if g.Shape == format.ShapeMultiPolygon {
		return area.Overlaps(g.Polygons, g.Polygons.Bounds())
	}
	return g.Shape == format.ShapePoint && g.Point != geom.Point{} && area.Contains(g.Point)
}

// listed is a source over a list.
type listed[T any] struct {
	row   *format.Record[T]
	items []T
}

func (l *listed[T]) RowType() *format.RowType       { return l.row.RowType() }
func (l *listed[T]) Open(*kgfile.File) (int, error) { return len(l.items), nil }

func (l *listed[T]) Row(i int) format.Row {
	l.row.Item = l.items[i]
	return l.row
}
