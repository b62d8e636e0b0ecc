package search

import (
	"context"

	"mappe/artefacts/directory"
	"mappe/artefacts/kgfile"
	"mappe/artefacts/rowschema"
	"mappe/functions/core/rows"
	"mappe/functions/core/view"
	"mappe/shared/austria"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/fault"
	"mappe/shared/web/format"
	"mappe/shared/web/reply"
)

var (
	addressText = endpoint.String("q",
		"An address, or a part of it: street, house number, postal code and place in any order. Every word has to begin a word of the street, the locality or the municipality.", endpoint.Between(1, 200), endpoint.Example("Dorfstraße 1, 3888 Westdorf"))
	addressPLZ = endpoint.Parsed("plz", "Only addresses of this postal code.", austria.ParsePLZ, endpoint.Example("5790"))
	addressOrt = endpoint.String("ort", "Only addresses whose locality or municipality has words that begin so.", endpoint.Between(1, 100),
		endpoint.Example("Lorfach"))
	streetText = endpoint.String("street", "Only addresses on streets whose name has words that begin so; a house number may follow.",
		endpoint.Between(1, 100), endpoint.Example("Dorfstraße"))
	addressRow = rowschema.BuildingShown.Named("building", "An address point.")
)

// spellingDoc is what the description of every search by address says of spellings.
const spellingDoc = `
Umlauts and ß may be written with two letters or without marks; Str. is Straße, St. is Sankt, Gr. is Groß; other endings may be cut
short (Mozartg., Bahnhofpl.); words that a name joins may stand apart. House numbers: 12 finds 12, 12a, 12/3 and 11-13; 12a only 12a; of 12/3/4 the
parts that both name have to be the same, and Stiege 2 is the first part. Top, Tür and storeys (2. Stock, EG) are ignored, and Nr. before a
house number is. The country (Österreich, Austria) may stand behind the address, and the state, which then has to be the address's. A number that the name of a
street has is part of the name, else the last one is the house number; a house number alone finds nothing.`

func (s *service) address() endpoint.Endpoint {
	return rows.ListCurrent(endpoint.Endpoint{
		Method: "GET", Path: "/api/v1/search/address", ID: "search_address", Tag: tag,
		Summary: "Address points by street, house number, postal code and place",
		Doc: `Address points that pass every filter given; one at least is required. Order: streets that have the words of q and street
whole before those that only begin so; name of the street, place, house number, building_id.` + spellingDoc + suggestionsDoc + suggestDoc,
		Params:  []endpoint.AnyParam{addressText, addressPLZ, addressOrt, streetText, suggest},
		Answer:  endpoint.Answer{Rows: []*format.RowType{addressRow.RowType, suggestionRows.RowType}, Meta: addressMeta{}},
		Example: "/api/v1/search/address?plz=5790",
	}, s.addressList)
}

// addressMeta is what meta holds beside the common, for the description of the service.
type addressMeta struct {
	view.GapsMeta
	suggestionsMeta
}

func (s *service) addressList(ctx context.Context, v *view.View, r *endpoint.Request) (*rows.Query, error) {
	if !addressText.Given(r) && !addressPLZ.Given(r) && !addressOrt.Given(r) && !streetText.Given(r) {
		return nil, fault.New(fault.Missing, "nothing is searched for: expected one at least of q, plz, ort, street")
	}
	n, err := required(ctx, v)
	if err != nil {
		return nil, err
	}
	x, err := n.Words(ctx)
	if err != nil {
		return nil, err
	}
	asked := addressFilter{text: addressText.Of(r), street: streetText.Of(r), ort: addressOrt.Of(r), plz: addressPLZ.Of(r)}
	if suggest.Of(r) {
		list, err := n.suggestedStreets(ctx, x, &asked, most(r))
		return n.suggested(list), err
	}
	found, err := n.find(ctx, x, &asked)
	if err != nil {
		return nil, err
	}
	q, err := n.over(ctx, nil, rows.Layer{Source: &addressSource{n: n, x: x, found: found, row: addressRow.Record()}, External: true})
	if err != nil {
		return nil, err
	}
	if q.NoGeometry = plain(r); found.total == 0 {
		near, err := n.nearAddresses(ctx, x, &asked)
		if err != nil {
			return nil, err
		}
		q.Meta = func(*rows.Query) []reply.Member { return []reply.Member{{Name: "suggestions", Value: near}} }
	}
	return q, nil
}

// addressFilter is what addresses are searched for; "" asks for nothing.
type addressFilter struct {
	text, street, ort string
	plz               austria.PLZ
}

// find gives the addresses that pass a filter: those of the likeliest reading that has any.
func (n *searchIndex) find(ctx context.Context, x *directory.Index, f *addressFilter) (found addresses, err error) {
	err = n.eachReading(ctx, x, f, func(c *chosen, r *reading) (bool, error) {
		found, err = n.addressesOn(ctx, x, c, r)
		return found.total > 0, err
	})
	return found, err
}

// eachReading gives the streets that each reading of a filter chooses, the likeliest first, until one is enough.
func (n *searchIndex) eachReading(ctx context.Context, x *directory.Index, f *addressFilter,
	visit func(*chosen, *reading) (enough bool, err error)) error {
	for _, in := range regionals(f.text) {
		for _, text := range readings(in.text, x.IsPLZ) {
			text.state = in.state
			if enough, err := eachStreet(x, f, text, visit); enough || err != nil {
				return err
			}
		}
	}
	return nil
}

// eachStreet gives the streets of a reading of the text with each reading of street=.
func eachStreet(x *directory.Index, f *addressFilter, r reading, visit func(*chosen, *reading) (enough bool, err error)) (bool, error) {
	for _, street := range readings(f.street, func(string) bool { return false }) {
		r := r
		if street.house.Low > 0 {
			r.house = street.house
		}
		if r.empty() && len(street.words) == 0 && f.ort == "" && f.plz == "" {
			continue
		}
		c := choose(x, &r, street.words, f)
		if c.empty() {
			continue
		}
		if enough, err := visit(&c, &r); enough || err != nil {
			return enough, err
		}
	}
	return false, nil
}

// choose gives the streets that a reading and the other filters choose.
func choose(x *directory.Index, r *reading, street []string, f *addressFilter) chosen {
	all := x.Matching(r.words, directory.Anywhere, false)
	if len(street) > 0 {
		all.And(x.Matching(street, directory.InName, false))
	}
	if ort := foldedWords(f.ort); len(ort) > 0 {
		all.And(x.Matching(ort, directory.InPlace, false))
	}
	for _, plz := range []austria.PLZ{r.plz, f.plz} {
		if plz != "" {
			all.And(x.InPLZ(plz))
		}
	}
	if r.state != "" {
		all.And(x.InState(r.state))
	}
	exact := x.NewSet()
	if !all.Empty() {
		exact.Or(all)
		exact.And(x.Matching(r.words, directory.Anywhere, true))
		if len(street) > 0 {
			exact.And(x.Matching(street, directory.InName, true))
		}
		all.AndNot(exact)
	}
	return chosen{exact, all}
}

// addressSource draws the addresses that were found.
type addressSource struct {
	n      *searchIndex
	x      *directory.Index
	found  addresses
	row    *format.Record[rowschema.BuildingRow]
	first  int // of rows
	rows   []address
	b      kgfile.Building
	parcel kgfile.Parcel
}

func (s *addressSource) RowType() *format.RowType       { return s.row.RowType() }
func (s *addressSource) Open(*kgfile.File) (int, error) { return s.found.total, nil }

// Window reads the addresses of a page.
func (s *addressSource) Window(ctx context.Context, lo, hi int) (err error) {
	s.first = lo
	s.rows, err = s.n.addressesAt(ctx, s.x, s.found.window(lo, hi))
	return err
}

func (s *addressSource) Row(i int) format.Row {
	set(&s.row.Item, s.n, &s.rows[i-s.first], &s.b, &s.parcel)
	return s.row
}

// set has a row stand on an address; b and parcel are room for what it points at.
func set(row *rowschema.BuildingRow, n *searchIndex, a *address, b *kgfile.Building, parcel *kgfile.Parcel) {
	code := n.Head.KGs[a.KG]
	if k := n.View.Register().KG(code); k != nil {
		row.KG = &k.KG
	} else {
		row.KG = &kgfile.KG{Code: code, GemeindeCode: a.Place.Gemeinde}
	}
	*b = kgfile.Building{ID: a.ID, HouseNumber: a.Text, Street: a.Name, PLZ: a.Place.PLZ, Ort: a.Place.Ort, ObjectType: a.ObjectType,
		At: a.At}
	row.B, row.Parcel = b, nil
	if a.GNR != "" {
		*parcel = kgfile.Parcel{GNR: a.GNR, EZ: a.EZ}
		row.Parcel = parcel
	}
}
