package search

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"mappe/artefacts/directory"
	"mappe/artefacts/kgfile"
	"mappe/functions/core/rows"
	"mappe/shared/geo/geom"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/format"
)

var suggest = endpoint.Bool("suggest", "true: what q may become while it is typed, as rows of the type suggestion.",
	endpoint.Default("false"))

const suggestDoc = `
suggest=true answers with completions of what is typed so far, ten where limit is not given. Places come first (text only): those whose
whole name is q, as it is written before other spellings of it; then KGs, municipalities and localities whose name begins so; then postal codes, with the
place that was typed in matched_place and behind the name in text. Streets follow, those first whose name has a word of q, a name that many
places have once for all; and addresses where q has a number. text is the line to show, q the text to search for next.`

// suggestion is a completion of what is typed.
type suggestion struct {
	Of    string // kg, gemeinde, ortschaft, plz, street, address
	Text  string
	Q     string
	Code  string     // of a KG, a municipality, a locality, a postal code
	Place string     // of a postal code: the place by which it was found, "" where that is its code or its main place
	Count int        // addresses of a street
	At    geom.Point // zero: not known
}

var suggestionRows = format.NewSchema("suggestion", "A completion of what is typed.", format.Drawing[suggestion]{},
	format.Fields[suggestion]{
		{Column: format.Column{Name: "type", Enum: []string{"suggestion"}, Doc: "What the row is."}, Get: func(*suggestion) format.Value {
			return format.String("suggestion")
		}},
		{Column: format.Column{Name: "of", Enum: []string{"plz", "gemeinde", "kg", "ortschaft", "street", "address"},
			Doc: "What is suggested."}, Get: func(s *suggestion) format.Value { return format.String(s.Of) }},
		{Column: format.Column{Name: "text", Doc: "What to show."}, Get: func(s *suggestion) format.Value { return format.String(s.Text) }},
		{Column: format.Column{Name: "q", Doc: "What to search for with it."}, Get: func(s *suggestion) format.Value {
			return format.String(s.Q)
		}},
		{Column: format.Column{Name: "code", Doc: "Code of a KG, a municipality, a locality or a postal code."},
			Get: func(s *suggestion) format.Value { return format.Text(s.Code) }},
		{Column: format.Column{Name: "matched_place",
			Doc: "Of a postal code: which of its places q begins or names, where that is not its main place."},
			Get: func(s *suggestion) format.Value { return format.Text(s.Place) }},
		{Column: format.Column{Name: "address_count", Type: format.TypeInt, Doc: "Addresses of a street."},
			Get: func(s *suggestion) format.Value {
				if s.Of != "street" {
					return format.Null
				}
				return format.Int(int64(s.Count))
			}},
		{Column: format.Column{Name: "lon", Type: format.TypeDegrees, Unit: "°", Doc: "Longitude of a place, where it is known."},
			Get: func(s *suggestion) format.Value { return known(s.At, s.At.X) }},
		{Column: format.Column{Name: "lat", Type: format.TypeDegrees, Unit: "°", Doc: "Latitude of a place, where it is known."},
			Get: func(s *suggestion) format.Value { return known(s.At, s.At.Y) }},
	})

func known(at geom.Point, e7 int32) format.Value {
	if at == (geom.Point{}) {
		return format.Null
	}
	return format.Degrees(e7)
}

// suggestionsAtOnce is how many suggestions are given where limit does not say.
const suggestionsAtOnce = 10

// suggestionSource draws suggestions.
type suggestionSource struct {
	list []suggestion
	row  *format.Record[suggestion]
}

func (s *suggestionSource) RowType() *format.RowType       { return s.row.RowType() }
func (s *suggestionSource) Open(*kgfile.File) (int, error) { return len(s.list), nil }
func (s *suggestionSource) Row(i int) format.Row {
	s.row.Item = s.list[i]
	return s.row
}

// suggested is the answer of suggestions.
func (n *searchIndex) suggested(list []suggestion) *rows.Query {
	return &rows.Query{View: n.View, State: n.State + n.View.Generation(), NoGeometry: true,
		Layers: []rows.Layer{{Source: &suggestionSource{list, suggestionRows.Record()}, External: true}}}
}

// most is how many suggestions a request is given; further pages are asked for by limit and offset.
func most(r *endpoint.Request) int {
	if r.GivesLimit() {
		return min(r.Limit+r.Offset, 1000)
	}
	return suggestionsAtOnce
}

// suggestions are the places and streets that a text may become: half of each, more places where more are named by
// the whole text or where there are no streets.
func (t *textSearch) suggestions(ctx context.Context, r *endpoint.Request) (*rows.Query, error) {
	limit := most(r)
	places, whole := t.suggestedPlaces(limit)
	first := min(max(limit/2, whole, 1), len(places))
	streets, err := t.n.suggestedStreets(ctx, t.x, &t.filter, limit-first)
	if err != nil {
		return nil, err
	}
	more := min(len(places), max(limit-len(streets), first))
	return t.n.suggested(slices.Concat(places[:first], streets, places[first:more])), nil
}

// completion is a place that a text may become, with what orders it.
type completion struct {
	place *place
	alias *alias // by which a postal code was found
	hit
}

// The groups of completions: what the code means, KGs and places of the whole name, those whose name begins so,
// postal codes, and the rest of either.
const (
	groupCode = iota
	groupWhole
	groupBegins
	groupPostal
	groupWithin
	groupPostalWithin
)

func (c *completion) group() int {
	switch {
	case c.class == exactCode:
		return groupCode
	case c.place.Type == typePLZ && c.class == namePrefix:
		return groupPostal
	case c.place.Type == typePLZ:
		return groupPostalWithin
	case c.whole != notWhole:
		return groupWhole
	case c.class == namePrefix:
		return groupBegins
	}
	return groupWithin
}

// suggestedTypes is the order of rows of one name.
var suggestedTypes = []placeType{typeKG, typeGemeinde, typeOrt, typePLZ}

func (c *completion) compare(o *completion) int {
	return cmp.Or(cmp.Compare(c.group(), o.group()), cmp.Compare(c.whole, o.whole),
		cmp.Compare(utf8.RuneCountInString(c.name), utf8.RuneCountInString(o.name)),
		cmp.Compare(c.name, o.name), cmp.Compare(c.behind, o.behind), cmp.Compare(c.code, o.code))
}

// completion is the row as a completion of a text; false where it does not complete it.
func (p *place) completion(q *query, row int) (completion, bool) {
	c := completion{place: p, hit: hit{row, q.of(p.Code, p.name, p.further...), q.whole(p.Name, p.name), p.Name,
		slices.Index(suggestedTypes, p.Type), p.Code}}
	switch {
	case c.class == exactCode || p.Type != typePLZ:
	case q.code != "" && strings.HasPrefix(p.Code, q.code):
		c.class, c.name = namePrefix, p.Code // in the order of the codes
	case c.class != namePrefix:
		if a := p.alias(q); a != nil {
			c.alias, c.class = a, min(c.class, q.of("", a.folded, p.further...))
		}
	}
	return c, c.class != none
}

// suggestedPlaces are the best rows of the lookup, and how many of them the whole text names.
func (t *textSearch) suggestedPlaces(limit int) (list []suggestion, whole int) {
	q := queryOf(t.filter.text)
	var best []completion // the best so far, in order
	for _, i := range t.places.text.candidates(&q) {
		c, ok := t.places.rows[i].completion(&q, i)
		if !ok {
			continue
		}
		at, _ := slices.BinarySearchFunc(best, c, func(a, b completion) int { return a.compare(&b) })
		if at < limit {
			best = slices.Insert(best[:min(len(best), limit-1)], at, c)
		}
	}
	for i := range best {
		list = append(list, best[i].suggestion())
		if best[i].group() <= groupWhole {
			whole++
		}
	}
	return list, whole
}

func (c *completion) suggestion() suggestion {
	p := c.place
	s := suggestion{Of: string(p.Type), Text: p.Name, Q: p.Name, Code: p.Code}
	switch p.Type {
	case typePLZ:
		s.Text, s.Q = p.Code+" "+p.Name, p.Code
		if c.alias != nil {
			s.Place = c.alias.written
			s.Text += " (" + s.Place + ")"
		}
	case typeKG:
		s.Text = p.Code + " " + p.Name
	}
	if p.Location != nil {
		s.At = geom.Point{X: int32(float64(p.Location.Lon) * geom.Scale), Y: int32(float64(p.Location.Lat) * geom.Scale)}
	}
	return s
}

// suggestedStreets are the streets and addresses that a text may become.
func (n *searchIndex) suggestedStreets(ctx context.Context, x *directory.Index, f *addressFilter, limit int) (list []suggestion,
	err error) {
	if limit <= 0 {
		return nil, nil
	}
	err = n.eachReading(ctx, x, f, func(c *chosen, r *reading) (bool, error) {
		if r.house.Low > 0 {
			list, err = n.suggestedHouses(ctx, x, c, r, limit)
			return len(list) > 0, err
		}
		named := x.NewSet() // streets that have a word in the name; of the others only the place was typed
		for _, w := range r.words {
			named.Or(x.Having(w, directory.InName))
		}
		for _, s := range []directory.Set{both(c.exact, named), both(c.others, named), without(c.exact, named), without(c.others, named)} {
			if room := limit - len(list); room > 0 && !s.Empty() {
				list = append(list, streetsOf(x, s, room)...)
			}
		}
		return len(list) > 0, nil
	})
	return list, err
}

func both(s, o directory.Set) directory.Set {
	out := slices.Clone(s)
	out.And(o)
	return out
}

func without(s, o directory.Set) directory.Set {
	out := slices.Clone(s)
	out.AndNot(o)
	return out
}

// streetsOf are the streets of a set: each with its place where there is room, else names with most addresses.
func streetsOf(x *directory.Index, set directory.Set, limit int) []suggestion {
	best := bestStreets{limit: limit}
	if set.Len() <= limit {
		for i := range set.Each {
			s := x.Street(i)
			best.add(strings.Trim(s.Name+", "+placeText(s.Place), ", "), s.To-s.From)
		}
		return best.list
	}
	name, count := "", 0 // of the streets so far that have one name: they stand together
	for i := range set.Each {
		s := x.Street(i)
		if s.Name != name {
			best.add(name, count)
			name, count = s.Name, 0
		}
		count += s.To - s.From
	}
	best.add(name, count)
	return best.list
}

// bestStreets keeps the suggestions with most addresses, in that order.
type bestStreets struct {
	list  []suggestion
	limit int
}

func (b *bestStreets) add(text string, count int) {
	if text == "" {
		return
	}
	at, _ := slices.BinarySearchFunc(b.list, count, func(s suggestion, count int) int {
		return cmp.Or(cmp.Compare(count, s.Count), cmp.Compare(s.Text, text))
	})
	if at < b.limit {
		b.list = slices.Insert(b.list[:min(len(b.list), b.limit-1)], at, suggestion{Of: "street", Text: text, Q: text, Count: count})
	}
}

func placeText(p *directory.Place) string {
	if p.PLZ == "" {
		return p.Ort
	}
	return string(p.PLZ) + " " + p.Ort
}

// suggestedStreetsMost bounds the streets whose house numbers are completed.
const suggestedStreetsMost = 16

// suggestedHouses are addresses whose number begins with what is typed.
func (n *searchIndex) suggestedHouses(ctx context.Context, x *directory.Index, c *chosen, r *reading, limit int) ([]suggestion, error) {
	var list []suggestion
	begin := strconv.Itoa(int(r.house.Low)) + r.house.Letter
	for _, set := range []directory.Set{c.exact, c.others} {
		var runs addresses
		streets := 0
		for i := range set.Each {
			s := x.Street(i)
			runs.add(s.From, s.To)
			if streets++; streets == suggestedStreetsMost {
				break
			}
		}
		err := n.eachHouse(ctx, runs.runs, func(at int, h *directory.HouseNo) {
			if len(list) < limit && strings.HasPrefix(strings.ToLower(h.Text), begin) {
				s := x.Street(x.StreetOf(at))
				text := strings.Trim(cmp.Or(s.Name, s.Place.Ort)+" "+h.Text+", "+placeText(s.Place), ", ")
				list = append(list, suggestion{Of: "address", Text: text, Q: text})
			}
		})
		if err != nil || len(list) == limit {
			return list, err
		}
	}
	return list, nil
}
