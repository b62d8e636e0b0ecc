package landprices

import (
	"encoding/json"
	"errors"
	"math"
	"slices"
	"strconv"
	"strings"

	"mappe/functions/core/states"
	"mappe/shared/austria"
	"mappe/shared/landprice"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/fault"
	"mappe/shared/web/jsonin"
)

// batchBytes bounds the body: 1,000 items of some 300 bytes.
const batchBytes = 1 << 20

// batchBody is the body of a batch: ids, or items with their inputs.
type batchBody struct {
	ids   []austria.ParcelID
	items []item
	bytes int // of the body
	// params are the parameters that the body holds.
	params map[string]json.RawMessage
}

// leastInput is about the shortest item there is: it bounds the room made for the items of a body.
const leastInput = 32

// landPriceInput is the shape of an item, for the description of the service.
type landPriceInput struct {
	Gemeinde      string  `json:"gemeinde_code,omitempty"`
	Bezirk        string  `json:"bezirk_code,omitempty"`
	State         string  `json:"state_code,omitempty"`
	Area          float64 `json:"area_sqm"`
	Buildings     int     `json:"building_count,omitempty"`
	Footprints    int     `json:"footprint_count,omitempty"`
	Compactness   float64 `json:"compactness,omitempty"`
	Codes         string  `json:"landuse_codes,omitempty"`
	Areas         string  `json:"landuse_areas,omitempty"`
	Typology      string  `json:"typology,omitempty"`
	FootprintArea float64 `json:"footprint_area_sqm,omitempty"`
	Period        string  `json:"building_period,omitempty"`
}

// batchIn describes and reads the body. A value that cannot be is the problem of its item; a member that is
// unknown or of another type is one of the request.
var batchIn = endpoint.ParsedBody("{year?, parcel_ids: [ids]} or {year?, inputs: [{gemeinde_code, area_sqm, ...}]}, 1 to 1000 of them",
	batchBytes, struct {
		ParcelIDs []string         `json:"parcel_ids,omitempty"`
		Inputs    []landPriceInput `json:"inputs,omitempty"`
	}{}, readBatch).Carrying("", func(b batchBody) endpoint.Held { return endpoint.Held{Members: b.params} }, ownMembers...)

// ownMembers are the members of the body that are no parameters.
var ownMembers = []string{"parcel_ids", "inputs"}

func readBatch(body []byte) (batchBody, error) {
	b := batchBody{bytes: len(body)}
	r := jsonin.New(body)
	seen := map[string]bool{}
	var err error
	b.params, err = endpoint.Beside(r, ownMembers, func(name string) error {
		if seen[name] = true; name == "inputs" {
			return b.readInputs(r)
		}
		return b.readIDs(r)
	})
	if err == nil {
		err = r.End()
	}
	var e *jsonin.Error
	switch {
	case errors.As(err, &e) && e.Member == "":
		return b, e.Fault("body")
	case err != nil:
		return b, err
	case seen["inputs"] == seen["parcel_ids"]:
		return b, fault.New(fault.Missing, "the body names no parcels or names them twice: expected either parcel_ids or inputs")
	case len(b.ids)+len(b.items) == 0:
		return b, fault.Of(fault.OutOfRange, "parcel_ids", "0 items", "1 to 1000 items")
	}
	return b, nil
}

func (b *batchBody) readIDs(r *jsonin.Reader) error {
	b.ids = []austria.ParcelID{}
	return r.Array("parcel_ids", func(n int) error {
		path := "parcel_ids[" + strconv.Itoa(n) + "]"
		if n >= maxItems {
			return tooMany("parcel_ids")
		}
		s, err := r.String(path)
		if err != nil {
			return err
		}
		id, err := austria.ParseParcelID(s)
		if err != nil {
			return fault.BadValue(path, s, "a parcel id, <kg_code>-<gnr>")
		}
		b.ids = append(b.ids, id)
		return nil
	})
}

func tooMany(member string) error {
	return fault.Of(fault.TooLarge, member, "more than 1000 items", "1 to 1000 items")
}

func (b *batchBody) readInputs(r *jsonin.Reader) error {
	return r.Array("inputs", func(n int) error {
		if n >= maxItems {
			return tooMany("inputs")
		}
		if b.items == nil {
			b.items = make([]item, 0, min(b.bytes/leastInput+1, maxItems))
		}
		b.items = append(b.items, item{n: n, in: landprice.Input{Described: true, Compactness: math.NaN()}})
		in := inputReader{r: r, it: &b.items[n]}
		if err := in.read(); err != nil {
			return at(err, n, in.member)
		}
		return nil
	})
}

// at gives an error the path of the member it came from.
func at(err error, n int, member string) error {
	var e *jsonin.Error
	if errors.As(err, &e) && e.Member == "" {
		return &jsonin.Error{Member: inputPath(n, member), Value: e.Value, Expected: e.Expected}
	}
	return err
}

// inputPath is the path of a member of an input; of the input itself where member is "".
func inputPath(n int, member string) string {
	path := "inputs[" + strconv.Itoa(n) + "]"
	if member != "" {
		path += "." + member
	}
	return path
}

// inputReader reads one described parcel.
type inputReader struct {
	r      *jsonin.Reader
	it     *item
	member string // that is being read
	seen   uint32
	null   uint32 // of those seen
}

var inputMembers = []string{"gemeinde_code", "bezirk_code", "state_code", "area_sqm", "building_count", "footprint_count", "compactness",
	"landuse_codes", "landuse_areas", "typology", "footprint_area_sqm", "building_period"}

func (in *inputReader) read() error {
	err := in.r.Object("", func(name string) error {
		i := slices.Index(inputMembers, name)
		if i < 0 {
			return fault.Of(fault.Unknown, inputPath(in.it.n, fault.Shorten(name)), "",
				"one of "+strings.Join(inputMembers, ", ")+fault.DidYouMean(name, inputMembers))
		}
		in.member = inputMembers[i]
		if in.seen&(1<<i) != 0 {
			return fault.Of(fault.Duplicate, inputPath(in.it.n, name), "", "it once")
		}
		in.seen |= 1 << i
		if in.r.Null() {
			in.null |= 1 << i
			return nil
		}
		return in.value(i)
	})
	in.it.in.Place = in.it.where.place()
	given := in.seen &^ in.null
	if given&0b111 == 0 {
		in.wrong("a place is missing: expected one of gemeinde_code, bezirk_code, state_code")
	}
	if given&(1<<3) == 0 {
		in.wrong("area_sqm is missing: expected m²")
	}
	return err
}

// wrong notes the first problem of the item.
func (in *inputReader) wrong(problem string) {
	if in.it.problem == "" {
		in.it.problem = problem
	}
}

func (in *inputReader) value(i int) error {
	p := &in.it.in
	switch i {
	case 3:
		return in.number(&p.AreaSqm, 0.01, maxArea)
	case 4:
		return in.count(&p.Buildings)
	case 5:
		return in.count(&p.Footprints)
	case 6:
		return in.number(&p.Compactness, 0, 1)
	case 10:
		return in.number(&p.FootprintM2, 0, maxArea)
	}
	s, err := in.text()
	if err != nil {
		return err
	}
	switch i {
	case 0:
		in.it.where.gemeinde, err = austria.ParseGemeindeCode(s)
	case 1:
		in.it.where.bezirk, err = austria.ParseDistrictCode(s)
	case 2:
		in.it.where.state, err = states.Parse(s)
	case 7:
		p.Use.Codes, err = landprice.ParseCodes(s)
	case 8:
		p.Use.Areas, err = parseAreas(s)
	case 9:
		p.Typology, err = oneOf(s, landprice.ParseTypology, typologyNames)
	default:
		p.Period, err = oneOf(s, landprice.ParsePeriod, periodNames)
	}
	if err != nil {
		in.wrong(in.member + " has the value " + strconv.Quote(fault.Shorten(s)) + ": " + err.Error())
	}
	return nil
}

func oneOf[T any](s string, parse func(string) (T, bool), all []string) (T, error) {
	v, ok := parse(s)
	if !ok {
		return v, errors.New("expected one of " + strings.Join(all, ", "))
	}
	return v, nil
}

// text reads a text; codes may also be written as numbers.
func (in *inputReader) text() (string, error) {
	if in.r.Peek() == '"' {
		return in.r.String("")
	}
	v, err := in.r.Float("", "a text")
	return strconv.FormatFloat(v, 'f', -1, 64), err
}

func (in *inputReader) number(to *float64, least, most float64) error {
	v, err := in.r.Float("", "a number")
	if err == nil && !(v >= least && v <= most) {
		in.wrong(in.member + " has the value " + strconv.FormatFloat(v, 'g', -1, 64) + ": expected a number from " +
			strconv.FormatFloat(least, 'f', -1, 64) + " to " + strconv.FormatFloat(most, 'f', -1, 64))
		return nil
	}
	*to = v
	return err
}

func (in *inputReader) count(to *int) error {
	v := 0.0
	err := in.number(&v, 0, maxCount)
	if v != math.Trunc(v) {
		in.wrong(in.member + " has the value " + strconv.FormatFloat(v, 'g', -1, 64) + ": expected a whole number")
	}
	*to = int(v)
	return err
}
