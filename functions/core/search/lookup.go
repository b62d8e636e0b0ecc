package search

import (
	"cmp"
	"context"
	"slices"
	"strconv"

	"mappe/artefacts/register"
	"mappe/functions/core/view"
	"mappe/shared/austria"
	"mappe/shared/geo/geom"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/reply"
)

// placeType is what a row of the lookup is.
type placeType string

// The types, in the order of rows that are ranked alike.
const (
	typePLZ      placeType = "plz"
	typeGemeinde placeType = "gemeinde"
	typeKG       placeType = "kg"
	typeOrt      placeType = "ortschaft"
)

func allPlaceTypes() []placeType { return []placeType{typePLZ, typeGemeinde, typeKG, typeOrt} }

var (
	lookupText = text.With(endpoint.Example("Lorfach"))
	lookupType = endpoint.Enum("type", "Only rows of this type.", allPlaceTypes())
	lookupMost = endpoint.Int("limit", "Rows in the answer at most.", endpoint.Between(1, 200), endpoint.Default("20"))
	shorthands = []struct {
		param *endpoint.Param[string]
		typ   placeType
	}{
		{endpoint.String("kg", "q with type=kg.", endpoint.Between(1, 200)), typeKG},
		{endpoint.String("plz", "q with type=plz.", endpoint.Between(1, 200)), typePLZ},
		{endpoint.String("gemeinde", "q with type=gemeinde.", endpoint.Between(1, 200)), typeGemeinde},
		{endpoint.String("ortschaft", "q with type=ortschaft.", endpoint.Between(1, 200)), typeOrt},
	}
)

// place is a row of the lookup.
type place struct {
	Type         placeType            `json:"type"`
	Code         string               `json:"code"` // PLZ, municipality code, KG code, or OKZ of the locality in 5 digits
	Name         string               `json:"name"`
	PLZ          []austria.PLZ        `json:"plz"`
	GemeindeCode austria.GemeindeCode `json:"gemeinde_code"`
	GemeindeName string               `json:"gemeinde_name"`
	KGCode       *austria.KGCode      `json:"kg_code"`
	KGNumber     *int                 `json:"kg_number"` // the code as a number
	Location     *location            `json:"location"`  // null where not known

	name    folded
	also    []alias  // of a postal code: its other places
	further []string // the municipality's name and the postal codes, folded
}

// alias is another name of a row.
type alias struct {
	written string
	folded
}

type location struct {
	_   struct{} `nullable:"true"` // in the description of the service
	Lon degrees  `json:"lon"`
	Lat degrees  `json:"lat"`
}

// degrees is a coordinate (WGS84), written with 7 decimals as everywhere.
type degrees float64

// MarshalJSON writes 7 decimals.
func (d degrees) MarshalJSON() ([]byte, error) {
	return strconv.AppendFloat(nil, float64(d), 'f', 7, 64), nil
}

func locationOf(p geom.Point) *location {
	if p == (geom.Point{}) {
		return nil
	}
	return &location{Lon: degrees(p.Lon()), Lat: degrees(p.Lat())}
}

func (p *place) setKG(code austria.KGCode) {
	if code == "" {
		return
	}
	n, _ := strconv.Atoi(string(code)) // five digits
	p.KGCode, p.KGNumber = &code, &n
}

// places are the rows of the lookup with their searched text.
type places struct {
	rows []place
	text corpus
}

// answers says how well the row answers a query.
func (p *place) answers(q *query) class {
	best := q.of(p.Code, p.name, p.further...)
	if best == none && p.alias(q) != nil {
		return within
	}
	return best
}

// alias is the other place by which a postal code answers a query, the best of them; nil where none does.
func (p *place) alias(q *query) *alias {
	var found *alias
	best, whole := none, notWhole
	for i := range p.also {
		a := &p.also[i]
		c, w := q.of("", a.folded, p.further...), q.whole(a.written, a.folded)
		if c < best || c == best && w < whole {
			found, best, whole = a, c, w
		}
	}
	return found
}

// hit is a row that answers with a class.
func (p *place) hit(q *query, row int, c class) hit {
	return hit{row, c, q.whole(p.Name, p.name), p.Name, slices.Index(allPlaceTypes(), p.Type), p.Code}
}

// allPlaces are the rows of the lookup: postal codes, municipalities, KGs, localities.
func (n *names) allPlaces() (*places, error) {
	localities, err := n.reg.Localities()
	if err != nil {
		return nil, err
	}
	postal, err := n.reg.PLZ()
	if err != nil {
		return nil, err
	}
	all := slices.Concat(n.postalCodes(postal), n.municipal(postal), n.cadastral(localities))
	for i := range localities {
		all = append(all, locality(&localities[i]))
	}
	return placesOf(all), nil
}

// postalCodes are the rows of the postal codes.
func (n *names) postalCodes(postal []register.PostalPlace) (list []place) {
	at, sizes := map[austria.GemeindeCode]*municipality{}, n.sizes()
	for i := range n.municipalities {
		at[n.municipalities[i].Code] = &n.municipalities[i]
	}
	for rest := postal; len(rest) > 0; {
		end := 1
		for end < len(rest) && rest[end].PLZ == rest[0].PLZ {
			end++
		}
		list = append(list, postalCode(rest[:end], at, sizes))
		rest = rest[end:]
	}
	return list
}

// municipal are the rows of the municipalities.
func (n *names) municipal(postal []register.PostalPlace) (list []place) {
	plz := map[austria.GemeindeCode][]austria.PLZ{}
	for i := range postal {
		plz[postal[i].GemeindeCode] = append(plz[postal[i].GemeindeCode], postal[i].PLZ)
	}
	for i := range n.municipalities {
		m := &n.municipalities[i]
		list = append(list, place{Type: typeGemeinde, Code: string(m.Code), Name: m.Name, PLZ: once(plz[m.Code]), GemeindeCode: m.Code,
			GemeindeName: m.Name, Location: locationOf(m.At)})
	}
	return list
}

// cadastral are the rows of the KGs, with the postal codes of the localities in them.
func (n *names) cadastral(localities []register.Locality) (list []place) {
	plz := map[austria.KGCode][]austria.PLZ{}
	for i := range localities {
		if l := &localities[i]; l.KG != "" {
			plz[l.KG] = append(plz[l.KG], l.PLZ...)
		}
	}
	for i := range n.reg.KGs() {
		k := &n.reg.KGs()[i]
		p := place{Type: typeKG, Code: string(k.Code), Name: k.Name, PLZ: once(plz[k.Code]), GemeindeCode: k.GemeindeCode,
			GemeindeName: k.GemeindeName, Location: locationOf(k.Centroid)}
		p.setKG(k.Code)
		list = append(list, p)
	}
	return list
}

// placesOf folds what rows are searched by.
func placesOf(all []place) *places {
	for i := range all {
		p := &all[i]
		p.name, p.further = fold(p.Name), []string{fold(p.GemeindeName).words}
		for _, c := range p.PLZ {
			p.further = append(p.further, string(c))
		}
	}
	text := corpusOf(len(all), func(i int) (string, folded, []string) {
		p := &all[i]
		more := append(slices.Clone(p.further), string(p.GemeindeCode)) // KGs are found by it
		for _, a := range p.also {
			more = append(more, a.words, a.joined)
		}
		return p.Code, p.name, more
	})
	return &places{all, text}
}

// size orders municipalities where nobody tells their people: a statutory city, which is a district of its own, before
// others, then by KGs.
type size struct {
	city bool
	kgs  int
}

func (s size) compare(o size) int {
	if s.city != o.city {
		if s.city {
			return 1
		}
		return -1
	}
	return cmp.Compare(s.kgs, o.kgs)
}

// sizes are those of the register's municipalities.
func (n *names) sizes() map[austria.GemeindeCode]size {
	out, alone := map[austria.GemeindeCode]size{}, map[austria.DistrictCode]int{}
	for i := range n.municipalities {
		alone[n.municipalities[i].Code.District()]++
	}
	for i := range n.reg.KGs() {
		g := n.reg.KGs()[i].GemeindeCode
		out[g] = size{alone[g.District()] == 1, out[g].kgs + 1}
	}
	return out
}

// postalCode is the row of a postal code, named for its main place. That lies in the municipality that has most of its
// addresses or, where these are not known, of its people (register.PostalPlace.Weight); a register without weights leaves the
// municipality that most of its places are in, of several the largest. Of the places there it is the one that the municipality is named
// for, or the only one; else the municipality stands for them.
func postalCode(places []register.PostalPlace, at map[austria.GemeindeCode]*municipality, sizes map[austria.GemeindeCode]size) place {
	const cityPlace = 5 // a place of a statutory city stands for several: Linz has three for 210,000 people
	count := map[austria.GemeindeCode]int{}
	for i := range places {
		count[places[i].GemeindeCode]++
		if sizes[places[i].GemeindeCode].city {
			count[places[i].GemeindeCode] += cityPlace - 1
		}
	}
	weight := map[austria.GemeindeCode]uint64{}
	for i := range places {
		weight[places[i].GemeindeCode] += uint64(places[i].Weight)
	}
	main := slices.MaxFunc(places, func(a, b register.PostalPlace) int {
		return cmp.Or(cmp.Compare(weight[a.GemeindeCode], weight[b.GemeindeCode]),
			cmp.Compare(count[a.GemeindeCode], count[b.GemeindeCode]), sizes[a.GemeindeCode].compare(sizes[b.GemeindeCode]),
			cmp.Compare(b.GemeindeCode, a.GemeindeCode))
	}).GemeindeCode
	row := place{Type: typePLZ, Code: string(places[0].PLZ), PLZ: []austria.PLZ{places[0].PLZ}, GemeindeCode: main}
	m := at[main]
	alone := len(slices.DeleteFunc(slices.Clone(places), func(p register.PostalPlace) bool { return p.GemeindeCode != main })) == 1
	for i := range places {
		p := &places[i]
		switch {
		case p.GemeindeCode != main:
		case m != nil && fold(p.Place).joined == m.name.joined:
			row.Name = p.Place
		case row.Name == "" && (m == nil || alone):
			row.Name = p.Place
		}
	}
	if m != nil {
		row.Name = cmp.Or(row.Name, m.Name)
		row.GemeindeName, row.Location = m.Name, locationOf(m.At)
	}
	for i := range places {
		if places[i].Place != row.Name {
			row.also = append(row.also, alias{places[i].Place, fold(places[i].Place)})
		}
	}
	return row
}

func locality(l *register.Locality) place {
	okz := strconv.Itoa(int(l.OKZ))
	for len(okz) < 5 {
		okz = "0" + okz
	}
	p := place{Type: typeOrt, Code: okz, Name: l.Name, PLZ: once(l.PLZ), GemeindeCode: l.GemeindeCode, GemeindeName: l.GemeindeName,
		Location: locationOf(l.At)}
	p.setKG(l.KG)
	return p
}

// once are the codes in rising order, each once; never nil, so that JSON shows an array.
func once(codes []austria.PLZ) []austria.PLZ {
	out := append([]austria.PLZ{}, codes...)
	slices.Sort(out)
	return slices.Compact(out)
}

func (s *service) lookup() endpoint.Endpoint {
	return endpoint.Endpoint{
		Method: "GET", Path: "/api/v1/lookup", ID: "lookup", Tag: tag,
		Summary: "Municipalities, KGs, localities and postal codes by name or code",
		Doc: `An array of rows, without an envelope. One of q, kg, plz, gemeinde, ortschaft is required; the last four are q with a type.
Every word has to match; one has to be in the name, the others may be in the name of the municipality or a postal code. Order: exact
code, then name prefix, then shortest name; rows alike by name, type (plz, gemeinde, kg, ortschaft) and code. A municipality code with
type=kg returns all its KGs, in code order; the default limit is not applied to them. A postal code is one
row, named for its main place; it is found by its other places too, behind the rows that are named so. Of rows with the same letters the
one that is written as q stands first: Gössendorf before Gossendorf.`,
		Params:  append(QuestionParams(), lookupType),
		Answer:  endpoint.Answer{Body: []place{}},
		Example: "/api/v1/lookup?q=Lorfach",
		Serve: func(ctx context.Context, r *endpoint.Request) (reply.Answer, error) {
			v, err := view.Of(ctx)
			if err != nil {
				return nil, err
			}
			found, err := lookUp(r, s.names.of(v.Register()))
			return &reply.Document{Body: found}, err
		},
	}
}

// lookUp finds the rows that answer a request.
func lookUp(r *endpoint.Request, n *names) ([]place, error) {
	q, err := ReadQuestion(r, string(lookupType.Of(r)))
	if err != nil {
		return nil, err
	}
	return n.lookUp(q)
}

// lookUp finds the rows that answer a question.
func (n *names) lookUp(asked Question) ([]place, error) {
	all, err := n.places()
	if err != nil {
		return nil, err
	}
	q, typ, most := queryOf(asked.Text), placeType(asked.Type), asked.Limit
	ofMunicipality := func(*place) bool { return false }
	if c, err := austria.ParseGemeindeCode(q.code); err == nil && typ == typeKG {
		ofMunicipality = func(p *place) bool { return p.GemeindeCode == c }
	}
	var hits []hit
	municipal := 0
	for _, i := range all.text.candidates(&q) {
		p := &all.rows[i]
		if typ != "" && p.Type != typ {
			continue
		}
		switch c := p.answers(&q); {
		case c == exactCode:
			hits = append(hits, p.hit(&q, i, c))
		case ofMunicipality(p):
			municipal++
			hits = append(hits, hit{row: i, class: namePrefix, whole: notWhole, code: p.Code})
		case c != none:
			hits = append(hits, p.hit(&q, i, c))
		}
	}
	if municipal > 0 && !asked.Limited {
		most = len(hits)
	}
	slices.SortFunc(hits, byRank)
	found := []place{}
	for _, h := range hits[:min(most, len(hits))] {
		found = append(found, all.rows[h.row])
	}
	return found, nil
}
