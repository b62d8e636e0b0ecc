package search

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strconv"
	"unicode/utf8"

	"mappe/artefacts/directory"
	"mappe/artefacts/register"
	"mappe/functions/core/view"
	"mappe/shared/geo/geom"
	"mappe/shared/web/csvin"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/fault"
	"mappe/shared/web/format"
	"mappe/shared/web/jsonin"
	"mappe/shared/web/reply"
)

// geocodedRow is a place as a row.
type geocodedRow struct {
	*geocoded // nil in a batch where nothing was found, and for a place of the upstream
	up        *upPlace
	reg       *register.Register
	id, q     string // of a batch
	near      []string
	state     upstreamState
}

// addressParts and boxParts are the shapes of nested members.
type (
	addressParts struct {
		Road         string `json:"road,omitempty"`
		HouseNumber  string `json:"house_number,omitempty"`
		City         string `json:"city,omitempty"`
		Municipality string `json:"municipality,omitempty"`
		State        string `json:"state,omitempty"`
		Postcode     string `json:"postcode,omitempty"`
	}
	boxParts struct {
		MinLon degrees `json:"min_lon"`
		MinLat degrees `json:"min_lat"`
		MaxLon degrees `json:"max_lon"`
		MaxLat degrees `json:"max_lat"`
	}
)

// geocodedField is a column of places: the project's own, and those of an upstream; null where nothing was found.
func geocodedField(c format.Column, own func(*geocodedRow) format.Value, up func(*upPlace) format.Value) format.Field[geocodedRow] {
	return format.Field[geocodedRow]{Column: c, Get: func(r *geocodedRow) format.Value {
		switch {
		case r.geocoded != nil:
			return own(r)
		case r.up != nil:
			return up(r.up)
		}
		return format.Null
	}}
}

// nested is a value as JSON.
func nested(v any) format.Value {
	b, err := json.Marshal(v)
	if err != nil { // texts and numbers can always be written
		return format.Null
	}
	return format.RawJSON(string(b))
}

var geocodedDrawing = format.Drawing[geocodedRow]{Point: func(r *geocodedRow) geom.Point {
	if r.up != nil {
		return r.up.At
	}
	return r.At
}}

// batchRow is a row of a batch: without a geometry where no place was found.
type batchRow struct{ *format.Record[geocodedRow] }

// Geometry implements format.Row.
func (r batchRow) Geometry() format.Geometry {
	if r.Item.geocoded == nil && r.Item.up == nil {
		return format.Geometry{}
	}
	return r.Record.Geometry()
}

var geocodedFields = format.Fields[geocodedRow]{
	geocodedField(format.Column{Name: "display_name", Doc: "The address in one line."},
		func(r *geocodedRow) format.Value { return format.String(r.name()) }, func(p *upPlace) format.Value {
			return format.String(p.Name)
		}),
	geocodedField(format.Column{Name: "lon", Type: format.TypeDegrees, Unit: "°", Doc: "Longitude, WGS84."},
		func(r *geocodedRow) format.Value { return format.Degrees(r.At.X) }, func(p *upPlace) format.Value {
			return format.Degrees(p.At.X)
		}),
	geocodedField(format.Column{Name: "lat", Type: format.TypeDegrees, Unit: "°", Doc: "Latitude, WGS84."},
		func(r *geocodedRow) format.Value { return format.Degrees(r.At.Y) }, func(p *upPlace) format.Value {
			return format.Degrees(p.At.Y)
		}),
	geocodedField(format.Column{Name: "osm_type", Enum: []string{"address", "node", "way", "relation"},
		Doc: "address: the place is of the address register, not of OpenStreetMap; the others are of an upstream's places."},
		func(*geocodedRow) format.Value { return format.String("address") }, func(p *upPlace) format.Value {
			return format.Text(p.OSMType)
		}),
	geocodedField(format.Column{Name: "osm_id", Type: format.TypeInt, Doc: "null: the place is not of OpenStreetMap."},
		func(*geocodedRow) format.Value { return format.Null }, (*upPlace).osmID),
	geocodedField(format.Column{Name: "class", Doc: "place; of an upstream's place its own word."},
		func(*geocodedRow) format.Value { return format.String("place") }, func(p *upPlace) format.Value { return format.Text(p.Class) }),
	geocodedField(format.Column{Name: "place_type", Doc: "What the place is: house or street; of an upstream's place its own word."},
		func(r *geocodedRow) format.Value {
			if r.Match == matchStreet {
				return format.String("street")
			}
			return format.String("house")
		}, func(p *upPlace) format.Value { return format.Text(p.Type) }),
	geocodedField(format.Column{Name: "importance", Type: format.TypeFloat, Decimals: 2,
		Doc: "0 to 1, by the match: whole words, the house itself, the only place; of an upstream's place its own value."},
		func(r *geocodedRow) format.Value { return format.Float(r.Importance, 2) }, func(p *upPlace) format.Value {
			return format.Float(p.Importance, 2)
		}),
	geocodedField(format.Column{Name: "house_number_match", Enum: []string{"exact", "interpolated", "nearest", "street"},
		Doc: "exact: the address; interpolated: no address has the number, the place lies between the next two on its side of the street; nearest: the nearest address of the street, whose number stands in address; street: no number was asked for; null for an upstream's place."},
		func(r *geocodedRow) format.Value { return format.String(string(r.Match)) }, func(*upPlace) format.Value { return format.Null }),
	geocodedField(format.Column{Name: "address", Type: format.TypeJSON, Shape: addressParts{}, Doc: "The parts of the address."},
		func(r *geocodedRow) format.Value {
			parts := addressParts{Road: r.Name, HouseNumber: r.Number, City: r.Place.Ort, State: r.Place.Gemeinde.State().Name(),
				Postcode: string(r.Place.PLZ)}
			if k := r.reg.KG(r.KG); k != nil {
				parts.Municipality = k.GemeindeName
			}
			return nested(parts)
		}, func(p *upPlace) format.Value {
			return nested(addressParts{Road: p.Road, HouseNumber: p.HouseNumber, City: p.City, Municipality: p.Municipality, State: p.State,
				Postcode: p.Postcode})
		}),
	geocodedField(format.Column{Name: "bbox", Type: format.TypeJSON, Shape: boxParts{},
		Doc: "Box of the place: of a street that of its addresses."},
		func(r *geocodedRow) format.Value { return boxOf(r.Box) }, func(p *upPlace) format.Value { return boxOf(p.Box) }),
	geocodedField(format.Column{Name: "nearest_kg", Doc: "Code of the KG of the address, or of the nearest one."},
		func(r *geocodedRow) format.Value { return format.String(string(r.KG)) }, func(p *upPlace) format.Value {
			return format.Text(string(p.kg))
		}),
	geocodedField(format.Column{Name: "source", Doc: "register: the address register; otherwise the host of the geocoder that knows the place."},
		func(*geocodedRow) format.Value { return format.String("register") }, func(p *upPlace) format.Value {
			return format.String(p.source)
		}),
	geocodedField(format.Column{Name: "license", Doc: "Licence of an upstream's place, as it says it; null: that of meta."},
		func(*geocodedRow) format.Value { return format.Null }, func(p *upPlace) format.Value { return format.Text(p.Licence) }),
}

// boxOf is a box as JSON.
func boxOf(b geom.Box) format.Value {
	d := func(e7 int32) degrees { return degrees(float64(e7) / geom.Scale) }
	return nested(boxParts{d(b.MinX), d(b.MinY), d(b.MaxX), d(b.MaxY)})
}

// orNull says of nested columns that they may be null.
func orNull(fields format.Fields[geocodedRow]) format.Fields[geocodedRow] {
	fields = slices.Clone(fields)
	for i := range fields {
		fields[i].Nullable = fields[i].Shape != nil
	}
	return fields
}

var (
	geocodedRows = format.NewSchema("address", "A place that an address means.", geocodedDrawing, geocodedFields)

	geocodedBatchRows = format.NewSchema("geocoded",
		"A place that an address of the batch means; null but for id and q where none was found.", geocodedDrawing,
		slices.Concat(format.Fields[geocodedRow]{
			{Column: format.Column{Name: "id", Doc: "Of the query: the given id, or its number, counted from 0."},
				Get: func(r *geocodedRow) format.Value { return format.String(r.id) }},
			{Column: format.Column{Name: "q", Doc: "The query."}, Get: func(r *geocodedRow) format.Value { return format.String(r.q) }},
		}, orNull(geocodedFields), format.Fields[geocodedRow]{
			{Column: format.Column{Name: "suggestions", Type: format.TypeJSON, Shape: []string{}, Nullable: true,
				Doc: "Where no place was found: up to five texts one typing error away that have one; null where a place was found, and for queries behind the first 100 without one."},
				Get: func(r *geocodedRow) format.Value {
					if r.near == nil || r.up != nil {
						return format.Null
					}
					return nested(r.near)
				}},
			{Column: format.Column{Name: "upstream", Enum: []string{"answered", "busy", "failed", "not_asked"},
				Doc: "What the other geocoder answered, where the address register knows no place; not_asked: send the query again, alone or in a later batch; null: it did not have to be asked."},
				Get: func(r *geocodedRow) format.Value { return format.Text(string(r.state)) }},
		}))
)

var geocodeText = addressText.With(endpoint.Required)

const geocodeDoc = `
The places are those of the address register that this service holds, by the words of the address. A house number that no address
has is put between the next two on its side of the street where they are near, else the nearest address is given;
house_number_match says which.` + spellingDoc

const upstreamDoc = `

Where the operator has named another geocoder (MAPPE_GEOCODER), it is asked for a text that these addresses know nothing of, at most
once a second, and for places in Austria only; source and license of a row, and meta.upstream, say whose they are. meta.upstream.state
is answered, busy (too many ask: try again) or failed; the answer is then empty, and never an error for that.`

const batchUpstreamDoc = `

Where the operator has named another geocoder (MAPPE_GEOCODER), it is asked for queries that these addresses know nothing of, in their
order: at most five a batch, as it is asked once a second, and any number of those whose answer is kept from the last day. When it gives
no answer the others are not asked for. The column upstream says of each row what became of it, also in forms without meta;
meta.upstream counts.`

// geocodedMeta is what meta holds beside the common, for the description of the service.
type geocodedMeta struct {
	Upstream    *upstreamMember `json:"upstream,omitempty"`
	Suggestions []string        `json:"suggestions,omitempty"`
}

func (s *service) addressOSM() endpoint.Endpoint {
	found := func(ctx context.Context, r *endpoint.Request) (*geocodedPage, error) {
		if p, ok := r.Memo.(*geocodedPage); ok {
			return p, nil
		}
		p, err := s.located(ctx, r)
		if err == nil {
			r.Memo = p
		}
		return p, err
	}
	doc := geocodeDoc + upstreamDoc
	if !s.places {
		doc += " nearest_kg of such a place is null: this service resolves no point to a KG."
	}
	return endpoint.Endpoint{
		Method: "GET", Path: "/api/v1/search/address_osm", ID: "search_address_osm", Tag: tag,
		Summary: "Where an address is (geocoding)",
		Doc: `Places that the address means, best first: streets with the words of q whole before those that only begin so, then name, place
and house number. Every display_name that this service writes finds its address first.` + suggestionsDoc + doc,
		Params: []endpoint.AnyParam{geocodeText},
		Answer: endpoint.Answer{Rows: []*format.RowType{geocodedRows.RowType},
			Page: endpoint.Page{Default: 5, Max: 50}, Meta: geocodedMeta{}},
		Example: "/api/v1/search/address_osm?q=5790",
		Depends: func(ctx context.Context, r *endpoint.Request) (string, error) {
			v, err := view.Of(ctx)
			if err != nil {
				return "", err
			}
			if s.Geocoder == nil {
				return v.Generation(), nil
			}
			p, err := found(ctx, r)
			if err != nil || p.state != "" { // what others know changes with nothing of ours
				return "", err
			}
			return v.Generation(), nil
		},
		Serve: func(ctx context.Context, r *endpoint.Request) (reply.Answer, error) {
			p, err := found(ctx, r)
			if err != nil {
				return nil, err
			}
			return p.rows(r), nil
		},
	}
}

func (s *service) geocoder(ctx context.Context) (*searchIndex, *directory.Index, error) {
	v, err := view.Of(ctx)
	if err != nil {
		return nil, nil, err
	}
	n, err := required(ctx, v)
	if err != nil {
		return nil, nil, err
	}
	x, err := n.Words(ctx)
	return n, x, err
}

// The limits of a batch.
const (
	maxQueries = 1000
	batchBytes = 1 << 20
)

// addressAsked is one query of a batch.
type addressAsked struct {
	ID string `json:"id,omitempty"`
	Q  string `json:"q"`
}

var geocodeIn = endpoint.ParsedBody(
	"JSON {queries: [{q, id?}]}, or CSV (text/csv; UTF-8, UTF-16 with a byte-order mark, or Latin-1) with a header and the columns q and, where wanted, id; 1 to 1000 queries.", batchBytes,
	struct {
		Queries []addressAsked `json:"queries"`
	}{}, readQueries)

func (s *service) addressOSMPost() endpoint.Endpoint {
	return endpoint.Endpoint{
		Method: "POST", Path: "/api/v1/search/address_osm", ID: "search_address_osm_post", Tag: tag,
		Summary: "Where each of up to 1,000 addresses is",
		Doc: `One row for each query, in their order: its best place, or only id and q where there is none. format=csv gives a table
back for a table.` + geocodeDoc + batchUpstreamDoc,
		Body: geocodeIn,
		Answer: endpoint.Answer{Rows: []*format.RowType{geocodedBatchRows.RowType}, Page: endpoint.Page{None: true},
			Meta: batchUpstreamMeta{}},
		Example:     "/api/v1/search/address_osm",
		ExampleBody: `{"queries":[{"id":"a","q":"5790"}]}`,
		Serve: func(ctx context.Context, r *endpoint.Request) (reply.Answer, error) {
			n, x, err := s.geocoder(ctx)
			if err != nil {
				return nil, err
			}
			asked := geocodeIn.Of(r)
			best, near, err := n.batch(ctx, x, asked)
			if err != nil {
				return nil, err
			}
			up, err := s.askForBatch(ctx, n.View.Register(), asked, best)
			if err != nil {
				return nil, err
			}
			return up.mark(&reply.Rows{Total: len(asked), Geometry: !plain(r), Rows: func(yield func(format.Row, error) bool) {
				row := batchRow{geocodedBatchRows.Record()}
				for i := range asked {
					row.Item.geocoded, row.Item.reg, row.Item.id, row.Item.q = best[i], n.View.Register(), asked[i].ID, asked[i].Q
					row.Item.near = near[i]
					row.Item.up, row.Item.state = up.rows[i].place, up.rows[i].state
					if !yield(row, nil) {
						return
					}
				}
			}}), nil
		},
	}
}

// batchSuggestions bounds the queries of a batch that suggestions are looked for.
const batchSuggestions = 100

// batch finds the best place of each query, and what those without one may have meant.
func (n *searchIndex) batch(ctx context.Context, x *directory.Index, asked []addressAsked) (best []*geocoded, near [][]string, err error) {
	best, near = make([]*geocoded, len(asked)), make([][]string, len(asked))
	looked := 0
	for i := range asked {
		all, err := n.geocode(ctx, x, asked[i].Q, 0, 1)
		if err != nil {
			return nil, nil, err
		}
		if len(all.list) > 0 {
			best[i] = &all.list[0]
		} else if looked++; looked <= batchSuggestions {
			if near[i], err = n.nearAddresses(ctx, x, &addressFilter{text: asked[i].Q}); err != nil {
				return nil, nil, err
			}
		}
	}
	return best, near, nil
}

// readQueries reads a batch in either form.
func readQueries(body []byte) ([]addressAsked, error) {
	var list []addressAsked
	var err error
	if !csvin.Is(body) {
		var in struct {
			Queries []addressAsked `json:"queries"`
		}
		if !utf8.Valid(body) {
			return nil, fault.New(fault.BadBody, "the body is not UTF-8: expected JSON in UTF-8; a table (CSV) may be in Latin-1 too")
		}
		err = jsonin.Decode(body, &in)
		list = in.Queries
	} else {
		list, err = readTable(body)
	}
	if err != nil {
		return nil, err
	}
	if n := len(list); n == 0 || n > maxQueries {
		code := fault.TooLarge
		if n == 0 {
			code = fault.OutOfRange
		}
		return nil, fault.Of(code, "queries", strconv.Itoa(n)+" queries", "1 to "+strconv.Itoa(maxQueries)+" queries")
	}
	for i := range list {
		if err := list[i].check(i); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// check holds the i-th query to its bounds and names it by its place where it has no id.
func (q *addressAsked) check(i int) error {
	at := "queries[" + strconv.Itoa(i) + "]."
	switch {
	case q.Q == "":
		return fault.Of(fault.Missing, at+"q", "", "a text of 1 to 200 bytes")
	case len(q.Q) > 200:
		return fault.BadValue(at+"q", q.Q, "a text of 1 to 200 bytes")
	case len(q.ID) > 200:
		return fault.BadValue(at+"id", q.ID, "a text of at most 200 bytes")
	case q.ID == "":
		q.ID = strconv.Itoa(i)
	}
	return nil
}

// readTable reads a table with the column q, and id where there are ids.
func readTable(body []byte) ([]addressAsked, error) {
	t, err := csvin.Read(body)
	if err != nil {
		return nil, csvin.Fault(err)
	}
	q, id := t.Column("q"), t.Column("id")
	if q < 0 {
		return nil, fault.Of(fault.Missing, "header", t.Header(), "a column q, and where wanted id")
	}
	var list []addressAsked
	for {
		row, err := t.Next()
		if errors.Is(err, io.EOF) {
			return list, nil
		}
		if err != nil {
			return nil, csvin.Fault(err)
		}
		if len(list) > maxQueries {
			return list, nil // too many: the caller says so
		}
		list = append(list, addressAsked{Q: row.Cell(q), ID: row.Cell(id)})
	}
}
