package place

import (
	"context"

	"mappe/functions/core/search"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/format"
	"mappe/shared/web/reply"
)

// placeType is what a row of the lookup is.
type placeType string

const typeToponym = "toponym"

// lookupMeta is the shape of meta.
type lookupMeta struct {
	Total int `json:"total"`
	licenceMeta
}

var lookupType = endpoint.Enum("type",
	"Only rows of this type. Rows of the type toponym come from the geographical names and only when asked for; kg gives register data alone.",
	[]placeType{"plz", "gemeinde", "kg", "ortschaft", typeToponym})

func (s *service) lookup() endpoint.Endpoint {
	return endpoint.Endpoint{
		Method: "GET", Path: "/api/v1/lookup", ID: "lookup", Tag: "Registers",
		Summary: "Municipalities, KGs, localities, postal codes and geographical names by name or code",
		Doc: `data holds rows {type, code, name, plz[], gemeinde_code, gemeinde_name, kg_code, kg_number, location}. One of q, kg, plz, gemeinde,
ortschaft is required; the last four are q with a type. Every word has to match; one has to be in the name, the others may be in the name of
the municipality or a postal code. Order: exact code, then name prefix, then shortest name; toponyms by their score. A municipality code with
type=kg returns all its KGs.`,
		Params: append(search.QuestionParams(), lookupType),
		Answer: endpoint.Answer{Body: struct {
			Data []search.Place `json:"data"`
			Meta lookupMeta     `json:"meta"`
		}{}},
		Example: "/api/v1/lookup?q=Lorfach",
		Serve: func(ctx context.Context, r *endpoint.Request) (reply.Answer, error) {
			q, err := search.ReadQuestion(r, string(lookupType.Of(r)))
			if err != nil {
				return nil, err
			}
			if q.Type == string(typeToponym) {
				return lookUpNames(ctx, q)
			}
			found, err := s.names.Find(ctx, q)
			if err != nil {
				return nil, err
			}
			return lookedUp(found), nil
		},
	}
}

// lookedUp is an answer of the lookup.
func lookedUp(found []search.Place) *reply.Stream {
	a := data(found)
	a.Meta = []reply.Member{{Name: "total", Value: format.Int(int64(len(found)))}}
	return a
}
