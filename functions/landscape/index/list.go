package index

import (
	"mappe/artefacts/landscape"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/format"
	"mappe/shared/web/reply"
)

// listed is the shape of a list.
type listed struct {
	Total   int               `json:"total" doc:"rows that match"`
	Offset  int               `json:"offset"`
	Limit   int               `json:"limit"`
	Results []endpoint.Row    `json:"results"`
	Meta    reply.DatasetMeta `json:"meta"`
}

// The lists have types of their own: the description of a service names a shape by its type, and rows are what differs.
type (
	listedKGs            listed
	listedParcels        listed
	listedFound          listed
	listedBuildings      listed
	listedNewBuildings   listed
	listedInfrastructure listed
)

// listedSegments is listed with whom the ways among the segments are from.
type listedSegments struct {
	Total   int            `json:"total" doc:"rows that match"`
	Offset  int            `json:"offset"`
	Limit   int            `json:"limit"`
	Results []endpoint.Row `json:"results"`
	Meta    segmentsMeta   `json:"meta"`
}

// segmentsMeta is what meta holds of segments.
type segmentsMeta struct {
	reply.DatasetMeta
	Infrastructure string `json:"infrastructure,omitempty" doc:"licence of the community map, from which segments of ways are known"`
}

// hit is a KG in a list, with what the mode says beside its record.
type hit struct {
	e          *landscape.Entry
	value      float64
	of         *landscape.Landcover
	sure       *landscape.Classification
	kilometres float64
}

func recordOf(h *hit) *landscape.Record { return &h.e.Record }

var recordFields = format.Lift(landscape.RecordColumns.Fields(), recordOf)

func figure[T any](name, unit string, decimals int, doc string, get func(*T) float64) format.Field[T] {
	return format.Field[T]{Column: format.Column{Name: name, Type: format.TypeFloat, Decimals: decimals, Unit: unit, Doc: doc},
		Get: func(t *T) format.Value { return format.Float(get(t), decimals) }}
}

// lifted are the fields of a part that may be missing: null then.
func lifted[S, T any](fields format.Fields[T], of func(*S) *T) format.Fields[S] {
	out := format.Lift(fields, of)
	for i := range out {
		get := out[i].Get
		out[i].Get = func(h *S) format.Value {
			if of(h) == nil {
				return format.Null
			}
			return get(h)
		}
	}
	return out
}

// The rows of lists of KGs. A type of objects, a confidence and a distance stand behind the record.
var (
	kgRows   = format.NewSchema("landscape_kg", "A KG of the search index.", format.Drawing[hit]{}, recordFields)
	nearRows = kgRows.Named("landscape_kg_near", "A KG near a point.").With(figure("distance_km", "km", 3,
		"From the point to the centroid.", func(h *hit) float64 { return h.kilometres }))
	coverRows = kgRows.Named("landscape_kg_type", "A KG with what it has of a type.").With(lifted(landscape.LandcoverColumns.Fields(),
		func(h *hit) *landscape.Landcover { return h.of })...)
	lossRows = kgRows.Named("landscape_kg_loss", "A KG with the forest that it lost.").With(figure("loss_pixels", "", 0,
		"Cells of 30 m with a loss in the years asked for.", func(h *hit) float64 { return h.value }))
	pairRows = kgRows.Named("landscape_kg_divergence", "A KG with the objects whose type is another than the model's.").With(
		figure("diverged", "", 0, "Objects of the types asked for.", func(h *hit) float64 { return h.value }))
	sureRows = kgRows.Named("landscape_kg_confidence", "A KG with how sure the model is of a type.").With(nested("type_confidence",
		"How sure the model is of the type.", func(h *hit) sureBody { return suresOf([]landscape.Classification{*h.sure})[0] }))
	segmentRows = format.NewSchema("landscape_kg_segments", "What a KG has of a type.", format.Drawing[hit]{},
		append(recordFields.Only("kg_code", "kg_name", "gemeinde_code", "district_code", "state_code"),
			lifted(landscape.LandcoverColumns.Fields(), func(h *hit) *landscape.Landcover { return h.of })...))
)

// page writes a list of items: those of the page as rows.
func page[I, T any](r *endpoint.Request, s *format.Schema[I], list []T, set func(item *I, of *T)) reply.Answer {
	from, to := r.Span(len(list))
	return write(r, s, len(list), list[from:to], set)
}

// write writes a page of a list of total rows.
func write[I, T any](r *endpoint.Request, s *format.Schema[I], total int, list []T, set func(item *I, of *T)) reply.Answer {
	return stream(r, s, []reply.Member{{Name: "total", Value: total}}, list, set)
}

// stream is write with other members in the place of total.
func stream[I, T any](r *endpoint.Request, s *format.Schema[I], head []reply.Member, list []T, set func(item *I, of *T)) *reply.Stream {
	offset, limit := r.Offset, r.Limit
	var own []string
	for _, f := range r.Fields {
		if s.Index(f) >= 0 || f == "geometry" {
			own = append(own, f)
		}
	}
	return &reply.Stream{Geometry: s.Shape != format.ShapeNone, Write: func(j *format.JSON, _ *format.Layout) error {
		l := format.NewLayout(own, s.RowType)
		l.Geometry = s.Shape != format.ShapeNone
		for _, m := range head {
			j.Member(m.Name, m.Value)
		}
		j.Key("offset")
		j.Int(offset)
		j.Key("limit")
		j.Int(limit)
		j.Key("results")
		return j.Rows(func(yield func(format.Row, error) bool) {
			row := s.Record()
			for i := range list {
				set(&row.Item, &list[i])
				if !yield(row, nil) {
					return
				}
			}
		}, l)
	}}
}

func hits(r *endpoint.Request, s *format.Schema[hit], list []hit) reply.Answer {
	return page(r, s, list, func(item *hit, of *hit) { *item = *of })
}

// someHits writes a page of total hits, of which the first are in hand, as many as the page asks.
func someHits(r *endpoint.Request, s *format.Schema[hit], total int, list []hit) reply.Answer {
	return write(r, s, total, list[min(r.Offset, len(list)):], func(item *hit, of *hit) { *item = *of })
}
