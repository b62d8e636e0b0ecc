package index

import (
	"encoding/json"

	"mappe/shared/web/endpoint"
	"mappe/shared/web/fault"
	"mappe/shared/web/jsonin"
)

// batchBody is what POST reads beside parameters.
type batchBody struct {
	compoundBody
	given []string // members that are modes
}

const batchIDs, batchCompound, batchFilters, batchQuery, batchLand = "parcel_ids", "compound", "parcel_filters", "query",
	"landscape_filters"

// batchShape is the shape of the body for the description.
type batchShape struct {
	Compound endpoint.Open `json:"compound,omitempty" doc:"which KGs: the body of POST /query/compound"`
	Filters  endpoint.Open `json:"parcel_filters,omitempty" doc:"beside compound: the parameters pf_* without pf_, and those of the cadastre"`
	Query    endpoint.Open `json:"query,omitempty" doc:"which parcels of the cadastre: kg, district, landuse, natura2000_site and the others"`
	Land     endpoint.Open `json:"landscape_filters,omitempty" doc:"beside query: as parcel_filters"`
}

var batchIn = endpoint.ParsedBody(
	"{parcel_ids}, or {compound, parcel_filters}, or {query, landscape_filters}; the parameters may stand beside them, too.", 1<<20,
	batchShape{}, parseBatch).
	Carrying("", func(b *batchBody) endpoint.Held { return b.held() }, batchOwn...).Paging()

// batchOwn are the members of the body that are no parameters.
var batchOwn = []string{batchCompound, batchFilters, batchQuery, batchLand}

func parseBatch(b []byte) (*batchBody, error) {
	var out batchBody
	r := jsonin.New(b)
	nested := map[string]json.RawMessage{}
	flat, err := endpoint.Beside(r, batchOwn, func(name string) error {
		raw, err := r.Raw()
		if err != nil || string(raw) == "null" {
			return err
		}
		out.given = append(out.given, name)
		nested[name] = raw
		return nil
	})
	if err != nil {
		return &out, err
	}
	if out.params = flat; flat == nil {
		out.params = map[string]json.RawMessage{}
	}
	if _, ok := flat[batchIDs]; ok {
		out.given = append(out.given, batchIDs)
	}
	for _, name := range out.given {
		if err := out.nest(name, nested[name]); err != nil {
			return &out, err
		}
	}
	return &out, out.modes()
}

// nest takes the members of a nested object as parameters.
func (b *batchBody) nest(name string, raw json.RawMessage) error {
	if name == batchIDs {
		return nil
	}
	if raw[0] != '{' {
		return fault.BadValue(name, fault.Shorten(string(raw)), "an object")
	}
	in, err := endpoint.Beside(jsonin.New(raw), nil, nil)
	if err != nil {
		return err
	}
	for key, value := range in {
		if (name == batchFilters || name == batchLand) && isLandFilter("pf_"+key) {
			key = "pf_" + key
		}
		if _, twice := b.params[key]; twice {
			return fault.Of(fault.Duplicate, name+"."+fault.Shorten(key), "", "it once")
		}
		b.params[key] = value
	}
	return nil
}

// isLandFilter says whether a parameter is one that parcel_filters names without pf_.
func isLandFilter(name string) bool {
	for _, p := range landFilters {
		if p.Name() == name {
			return true
		}
	}
	return false
}

// modes refuses members of two modes.
func (b *batchBody) modes() error {
	of := func(name string) string {
		switch name {
		case batchFilters:
			return batchCompound
		case batchLand:
			return batchQuery
		}
		return name
	}
	for _, name := range b.given {
		if first := b.given[0]; of(name) != of(first) {
			return fault.New(fault.Conflict,
				"%s and %s are both given: expected parcel_ids, or compound with parcel_filters, or query with landscape_filters", first,
				name)
		}
	}
	return nil
}
