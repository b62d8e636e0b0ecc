package search

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"mappe/artefacts/directory"
	"mappe/shared/austria"
	"mappe/shared/geo/geom"
)

// houseMatch says how the place of a geocoded address was found.
type houseMatch string

// The matches: the address itself, between two of its street, the nearest of its street, the street.
const (
	matchExact        houseMatch = "exact"
	matchInterpolated houseMatch = "interpolated"
	matchNearest      houseMatch = "nearest"
	matchStreet       houseMatch = "street"
)

// geocoded is a place that an address means.
type geocoded struct {
	directory.Street
	Number     string // house number; "" for a street
	Match      houseMatch
	At         geom.Point
	Box        geom.Box
	KG         austria.KGCode
	Importance float64 // 0 to 1

	shared int // parts behind the house number that were asked for
}

// The parts of the importance of a place: what it starts from, and what is added where the words of the query
// are whole words, where the place is the only one, and by how the house was found.
const (
	importanceBase  = 0.5
	importanceWhole = 0.2
	importanceAlone = 0.1
)

var importanceOf = map[houseMatch]float64{matchExact: 0.2, matchInterpolated: 0.1, matchNearest: 0.05, matchStreet: 0.15}

// geocodedAll are the places from the first lo up to hi, and the number of all.
type geocodedAll struct {
	list  []geocoded
	total int
}

// pointBox is half the width of the box of an address, in 1e-7 degrees: some 5 m.
const pointBox = 500

// ranked is how many of the places that a text may mean are put in order by how much of them it says.
const ranked = 50

// named says how much of the place a folded text names: the street, or that the house is of the place itself, and
// the locality.
func (p *geocoded) named(said string) int {
	names := func(name string) bool {
		key := fold(name).joined
		return key != "" && strings.Contains(said, key)
	}
	score := 0
	if names(p.Name) {
		score = 3
	}
	if names(p.Place.Ort) {
		score++
		if p.Name == "" {
			score += 2
		}
	}
	return score
}

// geocode finds the places that a text means: those from lo up to hi.
func (n *searchIndex) geocode(ctx context.Context, x *directory.Index, text string, lo, hi int) (all geocodedAll, err error) {
	err = n.eachReading(ctx, x, &addressFilter{text: text}, func(c *chosen, r *reading) (bool, error) {
		g := geocoder{n: n, x: x, c: c, r: r, said: fold(text).joined, sets: inWriting(x, c, r, text), lo: lo, hi: hi}
		if r.house.Low == 0 {
			all, err = g.streets(ctx)
		} else if all, err = g.houses(ctx); err == nil && all.total == 0 {
			all, err = g.between(ctx)
		}
		return all.total > 0, err
	})
	return all, err
}

// geocoder finds the places of one reading.
type geocoder struct {
	n      *searchIndex
	x      *directory.Index
	c      *chosen
	r      *reading
	said   string          // the text, folded
	sets   []directory.Set // the streets in the order of the answer
	lo, hi int
}

// place completes a place.
func (g *geocoder) place(a *address, m houseMatch, total int) geocoded {
	p := geocoded{Street: a.Street, Number: a.Text, Match: m, At: a.At, Box: around(a.At), KG: g.n.Head.KGs[a.KG],
		Importance: importanceBase + importanceOf[m]}
	if g.c.exact.Has(g.x.StreetOf(a.From)) {
		p.Importance += importanceWhole
	}
	if total == 1 {
		p.Importance += importanceAlone
	}
	return p
}

func around(p geom.Point) geom.Box {
	return geom.Box{MinX: p.X - pointBox, MinY: p.Y - pointBox, MaxX: p.X + pointBox, MaxY: p.Y + pointBox}
}

// shared is how many of the parts behind the number asked for a house has, where it has no others.
func shared(h, asked austria.HouseNumber) int {
	if h.Units == "" || h.Low != asked.Low || h.High != asked.High || h.Letter != asked.Letter ||
		!strings.HasPrefix(asked.Units+"/", h.Units+"/") {
		return 0
	}
	return 1 + strings.Count(h.Units, "/")
}

// found are the addresses that answer: where parts behind the number are asked for, first those that have only these.
func (g *geocoder) found(ctx context.Context) (addresses, error) {
	asked := g.r.house
	same := func(h *directory.HouseNo) bool { return shared(h.HouseNumber, asked) > 0 }
	answers := func(h *directory.HouseNo) bool { return h.Answers(asked) && (asked.Units == "" || !same(h)) }
	var first addresses
	if asked.Units != "" {
		var err error
		if first, err = g.n.addressesIn(ctx, g.x, g.sets, g.r, same); err != nil {
			return first, err
		}
	}
	rest, err := g.n.addressesIn(ctx, g.x, g.sets, g.r, answers)
	first.join(rest)
	return first, err
}

// writtenMost bounds the streets whose names are compared as they are written.
const writtenMost = 1 << 14

// inWriting are the chosen streets in the order of the answer: of those with whole words first the ones that have them
// as they were typed, so that Gössendorf is not Gossendorf.
func inWriting(x *directory.Index, c *chosen, r *reading, text string) []directory.Set {
	var words []string
	for _, w := range strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return r <= ' ' || strings.ContainsRune(",;.()", r) }) {
		if !countries[fold(w).joined] && strings.Trim(w, "0123456789/-") != "" && slices.Contains(r.words, fold(w).joined) {
			words = append(words, w)
		}
	}
	if len(words) == 0 || c.exact.Len() > writtenMost {
		return []directory.Set{c.exact, c.others}
	}
	first := x.NewSet()
	for i := range c.exact.Each {
		s := x.Street(i)
		name := strings.ToLower(s.Name + " " + s.Place.Ort)
		if !slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(name, w) }) {
			first.Add(i)
		}
	}
	return []directory.Set{first, without(c.exact, first), c.others}
}

// houses are the addresses of the house number. The first are those whose street and whose locality the text names:
// a municipality and its chief place often share a name, and so do a place and its houses without a street.
func (g *geocoder) houses(ctx context.Context) (all geocodedAll, err error) {
	found, err := g.found(ctx)
	if err != nil || found.total == 0 {
		return all, err
	}
	all.total = found.total
	from, to := g.lo, min(g.hi, found.total)
	if from < ranked {
		from, to = 0, min(max(g.hi, ranked), found.total)
	}
	list, err := g.n.addressesAt(ctx, g.x, found.window(from, to))
	if err != nil {
		return all, err
	}
	for i := range list {
		p := g.place(&list[i], matchExact, all.total)
		p.shared = shared(list[i].HouseNumber, g.r.house)
		all.list = append(all.list, p)
	}
	if from == 0 {
		first := all.list[:min(len(all.list), ranked)]
		slices.SortStableFunc(first, func(a, b geocoded) int {
			return cmp.Or(cmp.Compare(b.named(g.said), a.named(g.said)), cmp.Compare(b.shared, a.shared))
		})
		all.list = all.list[min(g.lo, len(all.list)):min(g.hi, len(all.list))]
	}
	return all, nil
}

// numbers are the streets from lo up to hi in the order of the answer, and how many there are.
func (g *geocoder) numbers() (list []int, total int) {
	for _, s := range g.sets {
		for street := range s.Each {
			if total >= g.lo && total < g.hi {
				list = append(list, street)
			}
			total++
		}
	}
	return list, total
}

// streetPoints bounds the addresses that a street's box is made of.
const streetPoints = 4096

// streets are the streets themselves, each in its middle address.
func (g *geocoder) streets(ctx context.Context) (all geocodedAll, err error) {
	list, total := g.numbers()
	all.total = total
	for _, street := range list {
		s := g.x.Street(street)
		var numbers []int
		for i := s.From; i < min(s.To, s.From+streetPoints); i++ {
			numbers = append(numbers, i)
		}
		points, err := g.n.addressesAt(ctx, g.x, numbers)
		if err != nil || len(points) == 0 {
			return all, err
		}
		p := g.place(&points[len(points)/2], matchStreet, total)
		p.Number = ""
		for i := range points {
			p.Box = p.Box.Union(around(points[i].At))
		}
		all.list = append(all.list, p)
	}
	return all, nil
}

// between are, for a house number that no address has, the places between two addresses of the street, or the
// nearest address.
func (g *geocoder) between(ctx context.Context) (all geocodedAll, err error) {
	list, total := g.numbers()
	all.total = total
	for _, street := range list {
		p, err := g.betweenOn(ctx, g.x.Street(street), total)
		if err != nil {
			return all, err
		}
		all.list = append(all.list, p)
	}
	return all, nil
}

// maxBetween is how far apart in number two houses may be for a third to be put between them.
const maxBetween = 40

func (g *geocoder) betweenOn(ctx context.Context, s directory.Street, total int) (geocoded, error) {
	want := int(g.r.house.Low)
	lower, higher, nearest := house{at: -1}, house{at: -1}, house{at: -1}
	err := g.n.eachHouse(ctx, []run{{s.From, s.To}}, func(at int, h *directory.HouseNo) {
		this := house{at, int(h.Low)}
		if nearest.at < 0 || h.Low > 0 && distance(this.number, want) < distance(nearest.number, want) {
			nearest = this
		}
		switch {
		case h.Low == 0 || (this.number-want)%2 != 0: // the other side of the street
		case this.number < want && (lower.at < 0 || this.number > lower.number):
			lower = this
		case this.number > want && (higher.at < 0 || this.number < higher.number):
			higher = this
		}
	})
	if err != nil {
		return geocoded{}, err
	}
	if lower.at < 0 || higher.at < 0 || higher.number-lower.number > maxBetween {
		list, err := g.n.addressesAt(ctx, g.x, []int{nearest.at})
		if err != nil {
			return geocoded{}, err
		}
		return g.place(&list[0], matchNearest, total), nil
	}
	list, err := g.n.addressesAt(ctx, g.x, []int{lower.at, higher.at})
	if err != nil {
		return geocoded{}, err
	}
	share := float64(want-lower.number) / float64(higher.number-lower.number)
	near := &list[0]
	if share > 0.5 {
		near = &list[1]
	}
	p := g.place(near, matchInterpolated, total)
	p.At = geom.Point{X: blend(list[0].At.X, list[1].At.X, share), Y: blend(list[0].At.Y, list[1].At.Y, share)}
	p.Box, p.Number = around(list[0].At).Union(around(list[1].At)), g.r.house.String()
	return p, nil
}

// house is a house of a street.
type house struct{ at, number int }

func distance(a, b int) int { return max(a-b, b-a) }

func blend(a, b int32, share float64) int32 { return a + int32(float64(b-a)*share) }

// name is the address in one line.
func (p *geocoded) name() string {
	line := cmp.Or(p.Name, p.Place.Ort)
	if p.Number != "" {
		line += " " + p.Number
	}
	if place := placeText(p.Place); place != "" {
		line += ", " + place
	}
	return line + ", Österreich"
}
