package search

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"mappe/artefacts/directory"
	"mappe/artefacts/kgfile"
	"mappe/artefacts/register"
	"mappe/artefacts/rowschema"
	"mappe/functions/core/rows"
	"mappe/functions/core/view"
	"mappe/shared/austria"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/format"
	"mappe/shared/web/reply"
)

var anyText = endpoint.String("q", "Names, codes, parcel numbers, parcel ids and addresses, in any order.", endpoint.Required,
	endpoint.Between(1, 200), endpoint.Example("Lorfach"))

// typed are rows that say what they are.
func typed[T any](s *format.Schema[T], name, doc string) *format.Schema[T] {
	return s.Named(name, doc).With(format.Constant[T](format.Column{Name: "type", Doc: "What the row is.", Enum: []string{name}},
		format.String(name)))
}

var (
	textParcel   = typed(rowschema.ParcelShown, "parcel", "A parcel.")
	textBuilding = typed(rowschema.BuildingShown, "building", "An address point.")
	textKG       = typed(rowschema.KG, "kg", "A Katastralgemeinde, drawn as its outline.")
)

// textMeta is what meta holds beside the common, for the description of the service.
type textMeta struct {
	view.GapsMeta
	Match string `json:"match,omitempty" enum:"all,any"`
	suggestionsMeta
}

func (s *service) text() endpoint.Endpoint {
	return rows.ListCurrent(endpoint.Endpoint{
		Method: "GET", Path: "/api/v1/search/text", ID: "search_text", Tag: tag,
		Summary: "KGs, parcels and address points by any text",
		Doc: `Rows of several kinds, told apart by type. All words of q have to match: of a KG its name or code, and the name of its
municipality and its postal codes; of a parcel its number or id, and of its KG what is left of q; of an address point its address. Where no row has
them all, rows that match any of them are given, those that match most first; meta.match says which it was, all or any. Order: KGs as
lookup ranks them; parcels by KG code and number; address points as address lists them.` + spellingDoc + suggestionsDoc + suggestDoc +
			plainDoc,
		Params: []endpoint.AnyParam{anyText, suggest},
		Answer: endpoint.Answer{Rows: []*format.RowType{textKG.RowType, textParcel.RowType, textBuilding.RowType, suggestionRows.RowType},
			Meta: textMeta{}},
		Example: "/api/v1/search/text?q=Lorfach",
	}, s.textList)
}

func (s *service) textList(ctx context.Context, v *view.View, r *endpoint.Request) (*rows.Query, error) {
	n, err := required(ctx, v)
	if err != nil {
		return nil, err
	}
	x, err := n.Words(ctx)
	if err != nil {
		return nil, err
	}
	places, err := s.names.of(v.Register()).places()
	if err != nil {
		return nil, err
	}
	t := textSearch{n: n, x: x, places: places, filter: addressFilter{text: anyText.Of(r)}}
	if suggest.Of(r) {
		return t.suggestions(ctx, r)
	}
	match := "all"
	if err := t.all(ctx); err != nil {
		return nil, err
	}
	var near []string
	if t.none() {
		if near, err = t.near(ctx); err != nil {
			return nil, err
		}
		match = "any"
		if err := t.any(ctx); err != nil {
			return nil, err
		}
	}
	q, err := t.query(ctx)
	if err != nil {
		return nil, err
	}
	q.NoGeometry = plain(r)
	q.Meta = func(*rows.Query) []reply.Member {
		meta := []reply.Member{{Name: "match", Value: match}}
		if near != nil {
			meta = append(meta, reply.Member{Name: "suggestions", Value: near})
		}
		return meta
	}
	return q, nil
}

// textSearch is one search by any text and what it has found.
type textSearch struct {
	n      *searchIndex
	x      *directory.Index
	places *places
	filter addressFilter

	kgs     []*register.KG
	parcels map[uint32][]austria.GNR // by number of the KG in the head
	found   addresses
}

func (t *textSearch) none() bool { return len(t.kgs)+len(t.parcels)+t.found.total == 0 }

// all finds what has every word.
func (t *textSearch) all(ctx context.Context) (err error) {
	q := queryOf(t.filter.text)
	t.kgs = t.kgsOf(t.ranked(&q))
	if err := t.numbered(ctx, true); err != nil {
		return err
	}
	t.found, err = t.n.find(ctx, t.x, &t.filter)
	return err
}

// ranked are the KGs that answer a query, best first.
func (t *textSearch) ranked(q *query) []hit {
	var hits []hit
	for _, i := range t.places.text.candidates(q) {
		p := &t.places.rows[i]
		if p.Type != typeKG {
			continue
		}
		if c := p.answers(q); c != none {
			hits = append(hits, hit{row: i, class: c, whole: q.whole(p.Name, p.name), name: p.Name, code: p.Code})
		}
	}
	slices.SortFunc(hits, byRank)
	return hits
}

func (t *textSearch) kgsOf(hits []hit) []*register.KG {
	list := make([]*register.KG, len(hits))
	for i, h := range hits {
		list[i] = t.n.View.Register().KG(austria.KGCode(h.code))
	}
	return list
}

// maxNumbers bounds the words of a text that are looked up as parcel numbers.
const maxNumbers = 8

// numbered finds the parcels whose number or id is a word of the text. The other words have to be their KG's
// where narrow asks for it.
func (t *textSearch) numbered(ctx context.Context, narrow bool) error {
	t.parcels = map[uint32][]austria.GNR{}
	words := strings.Fields(strings.NewReplacer(",", " ", ";", " ").Replace(t.filter.text))
	tried := 0
	for i, w := range words {
		var in austria.KGCode
		number, err := austria.ParseGNR(w)
		if id, bad := austria.ParseParcelID(w); bad == nil {
			in, number, err = id.KG, id.GNR, nil
		}
		if err != nil {
			continue
		}
		if tried++; tried > maxNumbers {
			break
		}
		kgs, err := t.n.Having(ctx, number)
		if err != nil {
			return err
		}
		passes := t.restOf(words, i, narrow)
		for _, kg := range kgs {
			if code := t.n.Head.KGs[kg]; (in == "" || in == code) && passes(code) && !slices.Contains(t.parcels[kg], number) {
				t.parcels[kg] = append(t.parcels[kg], number)
			}
		}
	}
	return nil
}

// restOf says which KGs answer the words but the i-th.
func (t *textSearch) restOf(words []string, i int, narrow bool) func(austria.KGCode) bool {
	rest := slices.Delete(slices.Clone(words), i, i+1)
	if !narrow || len(rest) == 0 {
		return func(austria.KGCode) bool { return true }
	}
	q := queryOf(strings.Join(rest, " "))
	in := map[austria.KGCode]bool{}
	for _, i := range t.places.text.candidates(&q) {
		if p := &t.places.rows[i]; p.Type == typeKG && p.has(&q) {
			in[austria.KGCode(p.Code)] = true
		}
	}
	return func(c austria.KGCode) bool { return in[c] }
}

// has says whether every word of a query stands in the row's name, code, municipality or postal codes.
func (p *place) has(q *query) bool {
	if p.answers(q) != none {
		return true
	}
	for _, t := range q.tokens {
		within := func(s string) bool { return strings.Contains(s, t) }
		if !within(p.name.words) && p.Code != t && !slices.ContainsFunc(p.further, within) {
			return false
		}
	}
	return len(q.tokens) > 0
}

// any finds what has some of the words.
func (t *textSearch) any(ctx context.Context) error {
	times, best := map[int]int{}, map[int]hit{}
	for _, w := range strings.Fields(t.filter.text) {
		q := queryOf(w)
		for _, h := range t.ranked(&q) {
			if old, ok := best[h.row]; !ok || h.class < old.class {
				best[h.row] = h
			}
			times[h.row]++
		}
	}
	hits := make([]hit, 0, len(best))
	for _, h := range best {
		hits = append(hits, h)
	}
	slices.SortFunc(hits, func(a, b hit) int { return cmp.Or(cmp.Compare(times[b.row], times[a.row]), byRank(a, b)) })
	t.kgs = t.kgsOf(hits)
	if err := t.numbered(ctx, false); err != nil {
		return err
	}
	t.found = t.anyAddress()
	return nil
}

// anyAddress are the addresses of streets that have some of the words, those that have most first.
func (t *textSearch) anyAddress() addresses {
	r := readings(t.filter.text, t.x.IsPLZ)[0]
	matched := make([]uint8, t.x.Streets())
	most := uint8(0)
	mark := func(s directory.Set) {
		for street := range s.Each {
			matched[street]++
			most = max(most, matched[street])
		}
	}
	for _, w := range r.words {
		mark(t.x.Having(w, directory.Anywhere))
	}
	if r.plz != "" {
		mark(t.x.InPLZ(r.plz))
	}
	var found addresses
	for level := most; level > 0; level-- {
		for street, times := range matched {
			if times == level {
				s := t.x.Street(street)
				found.add(s.From, s.To)
			}
		}
	}
	return found
}

// near are texts that were probably meant: addresses and KGs one typing error away.
func (t *textSearch) near(ctx context.Context) ([]string, error) {
	near, err := t.n.nearAddresses(ctx, t.x, &t.filter)
	if err != nil {
		return nil, err
	}
	q := queryOf(t.filter.text)
	kgs := suggestions{q: &q}
	for i := range t.places.rows {
		if p := &t.places.rows[i]; p.Type == typeKG {
			kgs.look(p.Name, p.name)
		}
	}
	for _, name := range kgs.list() {
		if len(near) < maxSuggestions && !slices.Contains(near, name) {
			near = append(near, name)
		}
	}
	return near, nil
}

// query is the rows of the hits.
func (t *textSearch) query(ctx context.Context) (*rows.Query, error) {
	counts := make([]int32, len(t.n.Head.KGs))
	numbers := make(map[austria.KGCode][]austria.GNR, len(t.parcels))
	for kg, list := range t.parcels {
		slices.SortFunc(list, byNumber)
		counts[kg], numbers[t.n.Head.KGs[kg]] = int32(len(list)), list
	}
	q, err := t.n.over(ctx, counts, rows.Layer{Source: rows.Parcels(textParcel.Record()),
		Match: func(at *rows.Candidate, f *kgfile.File, found []int32) ([]int32, error) {
			for _, number := range numbers[at.Code] {
				i, ok, err := f.ParcelByGNR(number)
				if err != nil {
					return found, err
				}
				if ok {
					found = append(found, int32(i))
				}
			}
			return found, nil
		}})
	if err != nil {
		return nil, err
	}
	q.State += t.n.View.Generation() // KGs are found by names of the register
	q.Layers = []rows.Layer{
		{Source: rows.KGs(textKG.Record(), t.n.View.Register(), t.kgs), External: true},
		q.Layers[0],
		{Source: &addressSource{n: t.n, x: t.x, found: t.found, row: textBuilding.Record()}, External: true},
	}
	return q, nil
}
