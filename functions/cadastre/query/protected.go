package query

import (
	"context"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"mappe/artefacts/columns"
	"mappe/artefacts/overlays"
	"mappe/artefacts/register"
	"mappe/artefacts/rowschema"
	"mappe/functions/core/area"
	"mappe/functions/core/overlayindex"
	"mappe/functions/core/parcelfilter"
	"mappe/functions/core/view"
	"mappe/shared/austria"
	"mappe/shared/spelling"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/fault"
	"mappe/shared/web/format"
)

// relation is where a parcel lies against protected areas.
type relation string

const (
	within relation = "within"
	near   relation = "near"
)

// byDistance is an order of /query/protected_area.
const byDistance order = "distance"

const (
	defaultBuffer = 500    // m
	maxBuffer     = 50_000 // m
)

var (
	areaName = endpoint.String("area", "A part of the name of the protected areas, in any spelling.", endpoint.Required,
		endpoint.Between(2, 200), endpoint.Example("Lorfach"))
	relatedBy = endpoint.Enum("relation",
		"within: parcels whose centroid lies in one of the areas; near: those too, and the parcels around.", []relation{within, near},
		endpoint.Default(string(within)))
	bufferM = endpoint.Float("buffer_m", fmt.Sprintf("With relation=near: centroids up to this distance from a border, %d without it.",
		defaultBuffer), endpoint.Between(1, maxBuffer), endpoint.Unit("m"))
	sortedOf = endpoint.Enum("sort",
		"Order of the rows; distance is that to the nearest border, 0 within. Without it: area_desc, with relation=near distance.",
		[]order{areaDesc, areaAsc, byNumber, byDistance})
)

// listedNear are the rows of /query/protected_area.
var listedNear = rowschema.ParcelShown.Named("protected_parcel", "A parcel in or near a protected area.").WithSet(
	format.Column{Name: "protected_area_relation", Enum: []string{string(within), string(near)}, Doc: "Where the centroid lies."},
	format.Column{Name: "legal_status", Enum: []string{"both", "spatially_contained", "legally_named", "spatially_near"},
		Doc: "both: within, and named by a law of the area; spatially_contained: within only; legally_named: near, and named; spatially_near: near only."},
	format.Column{Name: "distance_to_boundary_m", Sparse: true, Type: format.TypeFloat, Decimals: 2, Unit: "m",
		Doc: "From the centroid to the nearest border; of near parcels only."},
)

const protectedDoc = `Parcels in, or near, the protected areas that have a text in their name, with every filter of /query. A law is one of an area when it
says the area's name. stats has beside its sums parcels_within, parcels_near (outside, up to buffer_m), legally_named and matched_areas, always.
Order: sort, then parcel id.`

func (s *service) protectedArea() endpoint.Endpoint {
	return view.Versioned(endpoint.Endpoint{
		Method: "GET", Path: "/api/v1/query/protected_area", ID: "query_protected_area", Tag: tag,
		Summary: "Parcels in or near protected areas",
		Doc:     protectedDoc + view.MissingDoc,
		Params: slices.Concat([]endpoint.AnyParam{areaName, relatedBy, bufferM, text}, area.Params, parcelfilter.Params,
			parcelfilter.OverParams,
			[]endpoint.AnyParam{status, folio}, sides.Params(), []endpoint.AnyParam{sortedOf, withStats, refresh}),
		Answer: endpoint.Answer{Rows: []*format.RowType{listedNear.RowType}, Meta: view.GapsMeta{}, Beside: statsMember{},
			Headers: view.ReadyHeaders},
		Example: "/api/v1/query/protected_area?area=Lorfach&limit=10",
		Depends: s.depends,
		Serve:   s.answer,
	})
}

// surround are the protected areas of a plan.
type surround struct {
	*overlayindex.Surroundings
	names  []string // of the areas
	folded []string
	metres float64 // 0: within only
}

// around finds the areas that a request names and leaves of the places those that come near them. A name of no
// area finds nothing.
func (p *plan) around(ctx context.Context, r *endpoint.Request) error {
	if !areaName.Given(r) {
		return nil
	}
	if p.view.Past() {
		return fault.New(fault.Conflict, "protected areas are of the present: leave out version")
	}
	near := relatedBy.Of(r) == near
	if bufferM.Given(r) && !near {
		return bufferM.Clash(r, "relation=near together with buffer_m")
	}
	s := &surround{}
	if p.by = areaDesc; near {
		s.metres, p.by = defaultBuffer, byDistance
	}
	if bufferM.Given(r) {
		s.metres = bufferM.Of(r)
	}
	if sortedOf.Given(r) {
		p.by = sortedOf.Of(r)
	}
	o := overlayindex.Of(p.view.View)
	found, err := o.AreasNamed(ctx, areaName.Of(r))
	if err != nil {
		return err
	}
	areas, err := o.Areas(ctx)
	if err != nil {
		return err
	}
	for _, i := range found {
		if !slices.Contains(s.names, areas[i].Name) {
			s.names = append(s.names, areas[i].Name)
			s.folded = append(s.folded, spelling.Compact(spelling.Fold(areas[i].Name)))
		}
	}
	if s.Surroundings, err = o.Around(ctx, found, s.metres); err != nil {
		return err
	}
	p.areas = s
	var name strings.Builder
	s.key(&name)
	p.named.Rule(name.String(), func(k *register.KG) bool { return !s.Reaches(o, k.Code) })
	p.places = slices.DeleteFunc(p.places, func(at place) bool { return !s.Near(at.kg.Box) })
	return p.overPlaces(ctx, o)
}

// overPlaces reads what lies over the places.
func (p *plan) overPlaces(ctx context.Context, o *overlayindex.Overlays) error {
	codes := make([]austria.KGCode, len(p.places))
	for i := range p.places {
		codes[i] = p.places[i].kg.Code
	}
	over, err := o.Over(ctx, codes)
	if err != nil {
		return err
	}
	for i := range p.places {
		p.places[i].over = over[i]
	}
	return nil
}

// key names the areas, for keys of what is remembered.
func (s *surround) key(w io.Writer) {
	if s != nil {
		fmt.Fprintf(w, " areas %q %g", s.names, s.metres)
	}
}

// named says whether a law of the areas names a parcel.
func (s *surround) named(k *overlays.KG, row int) bool {
	if k == nil {
		return false
	}
	for _, ref := range k.RefsOf(row) {
		law := spelling.Compact(spelling.Fold(k.Laws[ref.Law].Name))
		if slices.ContainsFunc(s.folded, func(name string) bool { return strings.Contains(law, name) }) {
			return true
		}
	}
	return false
}

// counts are those of parcels against protected areas.
type counts struct{ within, near, named int }

// against leaves of the rows of a place those that lie in or near the areas, and counts them.
func (s *scan) against(at *place, t *columns.Table, rows []int32) []int32 {
	areas := s.plan.areas
	return keep(rows, func(row int32) bool {
		switch p := areas.Place(t.Point(int(row))); {
		case p.Within:
			s.out.counts.within++
		case p.Near:
			s.out.counts.near++
		default:
			return false
		}
		if areas.named(at.over, int(t.Rows[row])) {
			s.out.counts.named++
		}
		return true
	})
}

// rank is the distance of a row in millimetres, 0 within.
func (s *surround) rank(t *columns.Table, row int32) uint64 {
	p := s.Place(t.Point(int(row)))
	if p.Within {
		return 0
	}
	return uint64(math.Round(p.Metres*1000)) + 1
}

// describe sets the columns of a row.
func (s *surround) describe(row *format.Record[rowschema.ParcelRow]) {
	at := s.Place(row.Item.P.Centroid)
	named := s.named(row.Item.Over.KG, row.Item.Over.Row)
	status, distance := "spatially_near", format.Float(at.Metres, 2)
	switch {
	case at.Within && named:
		status = "both"
	case at.Within:
		status = "spatially_contained"
	case named:
		status = "legally_named"
	}
	relation := near
	if at.Within {
		relation, distance = within, format.Omit
	}
	row.Set(0, format.String(string(relation)))
	row.Set(1, format.String(status))
	row.Set(2, distance)
}

// figures adds what is counted of protected areas to statistics.
func (s *surround) figures(f figures, c counts) figures {
	if s != nil {
		f.Within, f.Near, f.Named, f.Areas = &c.within, &c.near, &c.named, append([]string{}, s.names...)
	}
	return f
}
